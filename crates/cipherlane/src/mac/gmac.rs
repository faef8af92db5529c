//! GMAC (NIST SP 800-38D §3; ISO/IEC 9797-3): the tag that GCM gives to
//! associated data without a message.
//!
//! It needs an IV, which must never be used for two messages under one key: two
//! tags of one IV give the hash key away. Give each message its own by
//! [`reset`](Mac::reset), also after [`finish`](Mac::finish). IVs and tags are
//! those of [`gcm`](crate::aead::gcm). As constant-time as the cipher.
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
//! gmac.reset(&[1; 12])?;
//! gmac.update(b"a message in pieces")?;
//! gmac.verify(&tag)?;
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;

use super::Mac;
use super::ghash::{BLOCK, Key, Running};
use crate::aead::gcm::{AAD, TAGS, check_tag, first_counter, lengths, set_hash_key};
use crate::block::Feedback;
use crate::error::check_length;
use crate::secret::Secret;
use crate::{BlockCipher, Error, Sizes};

/// GMAC under one key.
#[derive(Clone)]
pub struct Gmac<C> {
    cipher: C,
    key: Key<true>,
    hash: Running<true>,
    /// J0, whose encryption masks the tag.
    first: [u8; BLOCK],
    /// Bytes so far.
    length: u64,
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
        let key = Key::unset(cipher.level());
        let mut gmac = Self { cipher, key, hash: Running::new(), first: [0; BLOCK], length: 0 };
        set_hash_key(&gmac.cipher, &mut gmac.key);
        gmac.reset(iv)?;
        Ok(gmac)
    }
}

impl<C: BlockCipher> Mac for Gmac<C> {
    /// 4 to 16; of these 4, 8 and 12 to 16 are allowed.
    fn tag_sizes(&self) -> Sizes {
        TAGS
    }

    fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        if data.len() as u64 > AAD - self.length {
            return Err(Error::Limit { what: "bytes of one GMAC message", limit: AAD });
        }
        self.length += data.len() as u64;
        self.hash.update(&self.key, data);
        Ok(())
    }

    fn finish(&mut self, tag: &mut [u8]) -> Result<(), Error> {
        check_tag(tag.len())?;
        self.hash.pad_and(&self.key, &lengths(self.length, 0));
        let hash = self.hash.hash();
        let mut mask = Secret(self.first);
        let mut io = mask.0.as_mut_slice().into();
        // Any value: ECB has none.
        if !self.cipher.feedback(Feedback::EcbEncrypt, &mut io, &mut [0; BLOCK]) {
            self.cipher.encrypt_blocks(io, None, None);
        }
        let whole = u128::from_ne_bytes(mask.0) ^ u128::from_ne_bytes(hash);
        let whole = whole.to_ne_bytes();
        if let Some(tag) = tag.first_chunk_mut() {
            *tag = whole;
        } else {
            tag.copy_from_slice(&whole[..tag.len()]);
        }
        self.hash = Running::new();
        self.length = 0;
        Ok(())
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        self.first = first_counter(&self.key, "iv", iv)?;
        self.hash = Running::new();
        self.length = 0;
        Ok(())
    }
}

#[cfg(feature = "alloc")]
mod entries {
    use alloc::boxed::Box;

    use super::Gmac;
    use crate::Sizes;
    use crate::block::shared;
    use crate::registry::MacEntry;

    /// `gmac`.
    pub(crate) const MAC: MacEntry = MacEntry {
        name: "gmac",
        standard: "SP 800-38D",
        blocks: &[16],
        key: |cipher| cipher,
        iv: Sizes::between(1, usize::MAX),
        usual_iv: 12,
        new: |new, key, iv, level| {
            // Shared, so that a MAC can be copied.
            Ok(Box::new(Gmac::new(shared(new(key, level)?), iv)?))
        },
    };
}
#[cfg(feature = "alloc")]
pub(crate) use entries::MAC;
