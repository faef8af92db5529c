//! GMAC (NIST SP 800-38D §3; ISO/IEC 9797-3): the tag that GCM gives to
//! associated data without a message.
//!
//! It needs an IV, which must never be used for two messages under one key: two
//! tags of one IV give the hash key away. An object is therefore at its end after
//! [`finish`](Mac::finish) or [`verify`](Mac::verify), until [`reset`](Mac::reset) gives it
//! another IV. IVs and tags are those of [`gcm`](crate::aead::gcm). As constant-time as the
//! cipher.
//!
//! ```
//! use cipherlane::mac::gmac::Gmac;
//! use cipherlane::{Mac, Sm4};
//!
//! let mut gmac = Gmac::new(Sm4::new(&[7; 16])?, &[1; 12])?;
//! let mut tag = [0; 16];
//! gmac.update(b"a message ")?;
//! gmac.update(b"in pieces")?;
//! gmac.finish(&mut tag)?;
//! assert!(gmac.update(b"another message").is_err());
//!
//! // Who receives the message makes the tag under the same IV.
//! gmac.reset(&[1; 12])?;
//! gmac.update(b"a message in pieces")?;
//! gmac.verify(&tag)?;
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;

use super::gcm_parts::{AAD, TAGS, first_counter, lengths, set_hash_key_for};
use crate::error::{Error, check_length};
use crate::ghash::{BLOCK, FEW, Key, Running};
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::aead::check_tag_len;
use crate::traits::block::{BlockCipher, WholeMode};
use crate::traits::mac::{Mac, SPENT};
use crate::traits::mode::Direction;
use crate::traits::whole::GcmMessage;

/// The longest message that waits for its end, in bytes: it then takes one call of a cipher that
/// has a kernel for whole messages of GCM, and one of the hash under another cipher.
const SHORT: usize = 256;

/// GMAC under one key.
pub struct Gmac<C> {
    cipher: C,
    key: Key<true>,
    hash: Running<true>,
    /// The message so far, while it is short.
    held: Secret<[u8; SHORT]>,
    /// How much of it waits: all, or nothing.
    waiting: usize,
    /// J0, whose encryption masks the tag.
    first: [u8; BLOCK],
    /// Bytes so far.
    length: u64,
    /// The length of a tag.
    tag: usize,
    /// Whether the IV has served a message.
    spent: bool,
}

impl<C> fmt::Debug for Gmac<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gmac").field("length", &self.length).finish_non_exhaustive()
    }
}

impl<C: BlockCipher> Gmac<C> {
    /// Under this cipher, with the IV of the first message.
    ///
    /// # Errors
    /// [`Error::Length`] if the IV is empty or the cipher's blocks are not 16 bytes.
    pub fn new(cipher: C, iv: &[u8]) -> Result<Self, Error> {
        check_length("block", cipher.block_size(), Sizes::exactly(BLOCK))?;
        // In the place that is returned: moved, it would leave a copy behind.
        let mut made = Ok(Self::unset(cipher));
        let set = if let Ok(gmac) = &mut made { gmac.set(iv) } else { Ok(()) };
        set.and(made)
    }

    /// The same where it stays.
    #[cfg(feature = "alloc")]
    fn boxed(cipher: C, iv: &[u8]) -> Result<alloc::boxed::Box<Self>, Error> {
        check_length("block", cipher.block_size(), Sizes::exactly(BLOCK))?;
        // The place first: made before it, what is moved in would be made twice.
        let place = alloc::boxed::Box::new_uninit();
        let mut gmac = alloc::boxed::Box::write(place, Self::unset(cipher));
        gmac.set(iv)?;
        Ok(gmac)
    }

    /// A place for the key of the hash.
    fn unset(cipher: C) -> Self {
        cipher.went_deep();
        let key = Key::unset(cipher.level());
        let (hash, held, first) = (Running::new(), Secret([0; SHORT]), [0; BLOCK]);
        Self { cipher, key, hash, held, waiting: 0, first, length: 0, tag: BLOCK, spent: true }
    }

    /// Sets the key of the hash, with powers for the shortest messages, and the first IV.
    fn set(&mut self, iv: &[u8]) -> Result<(), Error> {
        set_hash_key_for(&self.cipher, &mut self.key, FEW);
        self.reset(iv)
    }
}

impl<C: Clone> Gmac<C> {
    /// A copy that has read the same. **Both go on under one IV**: two tags of different
    /// messages give the hash key away. For interfaces that have such copies, as OpenSSL's.
    #[must_use]
    pub fn clone_under_the_same_iv(&self) -> Self {
        let (cipher, key, hash) = (self.cipher.clone(), self.key.clone(), self.hash.clone());
        Self { cipher, key, hash, held: self.held.clone(), ..*self }
    }
}

impl<C: BlockCipher> Gmac<C> {
    /// The tag of a message all of which has waited.
    fn at_once(&mut self) -> Secret<[u8; BLOCK]> {
        self.key.make_ready(self.waiting / BLOCK + 2);
        let (io, counter) = (&mut (&mut [][..]).into(), u128::from_be_bytes(self.first));
        let aad = &self.held.0[..self.waiting];
        let tag = [0; BLOCK];
        let mut message = GcmMessage { hash: &self.key, counter, aad, io, tag, piece: None };
        if self.cipher.gcm(Direction::Encrypt, &mut message) {
            return Secret(message.tag);
        }
        let mut state = Key::<true>::start();
        self.key.absorb(&mut state, &[aad, &lengths(self.length, 0)]);
        self.masked(Key::<true>::hash(&state))
    }

    /// The tag of a message that was hashed piece by piece.
    fn end(&mut self) -> Secret<[u8; BLOCK]> {
        self.hash.pad_and(&self.key, &lengths(self.length, 0));
        let hash = self.hash.hash();
        self.hash = Running::new();
        self.masked(hash)
    }

    /// The tag that a hash gives.
    fn masked(&self, hash: [u8; BLOCK]) -> Secret<[u8; BLOCK]> {
        let hash = Secret(hash);
        let mut mask = Secret(self.first);
        let mut io = mask.0.as_mut_slice().into();
        // Any value: ECB has none.
        if !self.cipher.whole(WholeMode::EcbEncrypt, &mut io, &mut [0; BLOCK]) {
            self.cipher.encrypt_blocks(io, None, None);
        }
        let whole = u128::from_ne_bytes(mask.0) ^ u128::from_ne_bytes(hash.0);
        Secret(whole.to_ne_bytes())
    }
}

impl<C: BlockCipher> Mac for Gmac<C> {
    fn tag_sizes(&self) -> Sizes {
        TAGS
    }

    fn tag_len(&self) -> usize {
        self.tag
    }

    fn set_tag_len(&mut self, bytes: usize) -> Result<(), Error> {
        check_length("tag", bytes, TAGS)?;
        self.tag = bytes;
        Ok(())
    }

    fn take_key(&mut self, key: &[u8]) -> bool {
        let takes = self.cipher.rekey(key);
        if takes {
            set_hash_key_for(&self.cipher, &mut self.key, FEW);
            self.spent = true;
        }
        takes
    }

    fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        if self.spent {
            return Err(SPENT);
        }
        if data.len() as u64 > AAD - self.length {
            return Err(Error::Limit { what: "bytes of one GMAC message", limit: AAD });
        }
        let short = self.waiting as u64 == self.length;
        self.length += data.len() as u64;
        if let (true, Some(room)) = (short, self.held.0[self.waiting..].get_mut(..data.len())) {
            room.copy_from_slice(data);
            self.waiting += data.len();
            return Ok(());
        }
        // Blocks on both sides of those that are whole, and the one of the lengths.
        self.key.make_ready((data.len().max(SHORT) / BLOCK).saturating_add(3));
        self.hash.update(&self.key, &self.held.0[..self.waiting]);
        self.waiting = 0;
        self.hash.update(&self.key, data);
        Ok(())
    }

    fn finish(&mut self, tag: &mut [u8]) -> Result<(), Error> {
        if self.spent {
            return Err(SPENT);
        }
        check_tag_len(tag.len(), self.tag)?;
        self.spent = true;
        let whole = if self.waiting as u64 == self.length { self.at_once() } else { self.end() };
        (self.waiting, self.length) = (0, 0);
        if let Some(tag) = tag.first_chunk_mut() {
            *tag = whole.0;
        } else {
            tag.copy_from_slice(&whole.0[..tag.len()]);
        }
        Ok(())
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        self.first = first_counter(&self.key, "iv", iv)?;
        self.spent = false;
        self.hash = Running::new();
        (self.waiting, self.length) = (0, 0);
        Ok(())
    }
}

#[cfg(feature = "alloc")]
mod entries {
    use alloc::boxed::Box;

    use super::{Gmac, TAGS};
    use crate::entry::row::{Over, Row};
    use crate::error::Error;
    use crate::sizes::Sizes;
    use crate::traits::block::BlockCipher;
    use crate::traits::mac::{DynMac, ONE_IV};

    impl<C: BlockCipher> DynMac for Gmac<C> {
        fn fork(&self) -> Result<Box<dyn DynMac>, Error> {
            Err(ONE_IV)
        }
    }

    /// `gmac`.
    pub(crate) const MAC: Row = Row {
        over: Over::Blocks(&[16]),
        iv: |_| Sizes::between(1, usize::MAX),
        usual_iv: Some(12),
        tag: |_| TAGS,
        ..Row::mac("gmac", "SP 800-38D", |of, key, iv, level| {
            Ok(Gmac::boxed(of.shared(key, level)?, iv)?)
        })
    };
}
#[cfg(feature = "alloc")]
pub(crate) use entries::MAC;

#[cfg(all(test, feature = "sm4"))]
mod tests {
    use super::Gmac;
    use crate::ciphers::sm4::Sm4;
    use crate::error::Error;
    use crate::traits::mac::Mac;

    /// Too long for a test that really hashes so much, so the object is told that it has.
    #[test]
    fn a_message_ends_where_its_bits_are_no_longer_counted_in_64() {
        // SP 800-38D §5.2.1.1: up to 2^64 - 1 bits, of which bytes fill all but seven.
        let most = u64::MAX / 8;
        let mut gmac = Gmac::new(Sm4::new(&[7; 16]).unwrap(), &[1; 12]).unwrap();
        gmac.length = most - 5;
        let refused = Err(Error::Limit { what: "bytes of one GMAC message", limit: most });
        assert_eq!(gmac.update(&[0; 6]), refused);
        gmac.update(&[0; 5]).unwrap();
        assert_eq!(gmac.update(&[0]), refused);
        gmac.finish(&mut [0; 16]).unwrap();
    }
}
