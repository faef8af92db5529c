//! GCM-SIV (RFC 8452), an AEAD that survives repeated nonces: with SM4 or AES,
//! keys of 16 or 32 bytes, nonces of 12, tags of 16.
//!
//! A nonce that repeats shows whether two messages are equal, nothing more. Each
//! message has its own keys, derived from the nonce (§4), so each costs a key
//! schedule, and sealing reads the message twice: the keystream starts from the tag, and
//! the tag depends on the whole message, so there is no streaming form. As constant-time
//! as the cipher.
//!
//! ```
//! use cipherlane::aead::gcm_siv::GcmSiv;
//! use cipherlane::{Aead, Sm4};
//!
//! let siv = GcmSiv::new(&[7; 16], Sm4::new)?;
//! let (nonce, aad) = ([1; 12], b"header");
//! let mut data = *b"any number of bytes";
//! let mut tag = [0; 16];
//! siv.seal(&nonce, aad, (&mut data[..]).into(), &mut tag)?;
//! siv.open(&nonce, aad, (&mut data[..]).into(), &tag)?;
//! assert_eq!(&data, b"any number of bytes");
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;

use lanes::InOut;

use crate::ct;
use crate::error::{Error, check_length};
use crate::ghash::{BLOCK, Key, State};
use crate::modes::counter_blocks;
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::aead::Aead;
use crate::traits::block::{BlockCipher, WholeMode};

/// The length of a nonce in bytes.
pub const NONCE: usize = 12;

/// The key lengths in bytes.
const KEYS: Sizes = Sizes::steps(16, 32, 16);
/// The longest message and the longest associated data in bytes (§6).
const MOST: u64 = 1 << 36;

/// GCM-SIV under one key-generating key.
#[derive(Clone)]
pub struct GcmSiv<C, F = fn(&[u8]) -> Result<C, Error>> {
    /// Under the key-generating key.
    root: C,
    /// The length of the key in bytes, and of those derived from it.
    key: usize,
    /// Makes a cipher from a key.
    cipher: F,
}

impl<C, F> fmt::Debug for GcmSiv<C, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GcmSiv").finish_non_exhaustive()
    }
}

impl<C: BlockCipher, F: Fn(&[u8]) -> Result<C, Error>> GcmSiv<C, F> {
    /// Under a key of 16 or 32 bytes; `cipher` makes the block cipher from a key
    /// of that length, e.g. [`Sm4::new`](crate::ciphers::sm4::Sm4::new).
    ///
    /// # Errors
    /// [`Error::Length`] if the key is not 16 or 32 bytes or the cipher's blocks
    /// are not 16 bytes; what `cipher` returns.
    pub fn new(key: &[u8], cipher: F) -> Result<Self, Error> {
        check_length("key", key.len(), KEYS)?;
        let root = cipher(key)?;
        check_length("block", root.block_size(), Sizes::exactly(BLOCK))?;
        Ok(Self { root, key: key.len(), cipher })
    }

    /// The keys of a nonce (§4), half of each encrypted block: of the hash and the cipher.
    fn derive(&self, nonce: &[u8], keys: &mut Derived) {
        self.root.went_deep();
        let mut blocks = Secret([0; 6 * BLOCK]);
        let blocks = &mut blocks.0[..BLOCK * (2 + self.key / 8)];
        for (i, block) in blocks.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
            block[0] = i as u8;
            block[4..].copy_from_slice(nonce);
        }
        self.root.encrypt_blocks((&mut *blocks).into(), None, None);
        let halves = keys.0.as_chunks_mut::<8>().0;
        for (half, block) in halves.iter_mut().zip(blocks.as_chunks::<BLOCK>().0) {
            half.copy_from_slice(&block[..8]);
        }
    }

    /// The cipher of a message.
    fn under(&self, keys: &Derived) -> Result<C, Error> {
        let mut cipher = (self.cipher)(&keys.0[BLOCK..][..self.key])?;
        cipher.leave_trace();
        Ok(cipher)
    }

    /// The hash of what a message's tag is made of (§4).
    fn hash(&self, keys: &Derived, aad: &[u8], plaintext: &[u8]) -> State {
        let bits = u128::from(8 * plaintext.len() as u64) << 64 | u128::from(8 * aad.len() as u64);
        let blocks = aad.len().div_ceil(BLOCK) + plaintext.len().div_ceil(BLOCK) + 1;
        let (h, _) = keys.0.split_first_chunk().expect("longer than a block");
        // In place: a key is some 1000 bytes, whose copies would cost more than its use.
        let mut key = Key::<false>::unset(self.root.level());
        key.set_for(h, blocks);
        let mut state = Key::<false>::start();
        key.absorb(&mut state, &[aad, plaintext, &bits.to_le_bytes()]);
        state
    }
}

/// The keys of one message: that of the hash, then that of the cipher.
type Derived = Secret<[u8; BLOCK + 32]>;

/// The tag that a hash gives (§4): masked and encrypted.
fn tag<C: BlockCipher>(cipher: &C, nonce: &[u8], hash: &State) -> [u8; BLOCK] {
    let mut tag = Key::<false>::hash(hash);
    for (byte, nonce) in tag.iter_mut().zip(nonce) {
        *byte ^= nonce;
    }
    tag[15] &= 0x7f;
    cipher.encrypt_block(&mut tag);
    tag
}

/// Counter mode from the tag: 32 bits, little-endian, in front (§4).
fn ctr<C: BlockCipher>(cipher: &C, tag: &[u8; BLOCK], mut io: InOut<'_>) {
    let mut first = *tag;
    first[15] |= 0x80;
    if cipher.whole(WholeMode::CtrLittle32, &mut io, &mut first) {
        return;
    }
    let first = u128::from_le_bytes(first);
    let (fixed, start) = (first & !u128::from(u32::MAX), first as u32);
    counter_blocks::apply(cipher, io, |i| {
        (fixed | u128::from(start.wrapping_add(i as u32))).to_le_bytes()
    });
}

/// Checks the lengths that both directions share.
fn check(nonce: &[u8], aad: &[u8], message: usize, tag: usize) -> Result<(), Error> {
    check_length("nonce", nonce.len(), Sizes::exactly(NONCE))?;
    check_length("tag", tag, Sizes::exactly(BLOCK))?;
    check_limits(aad.len() as u64, message as u64)
}

/// Checks how much one message may have.
const fn check_limits(aad: u64, message: u64) -> Result<(), Error> {
    if aad > MOST {
        return Err(Error::Limit { what: "bytes of associated data", limit: MOST });
    }
    if message > MOST {
        return Err(Error::Limit { what: "bytes of one GCM-SIV message", limit: MOST });
    }
    Ok(())
}

impl<C, F> Aead for GcmSiv<C, F>
where
    C: BlockCipher,
    F: Fn(&[u8]) -> Result<C, Error> + Send + Sync,
{
    fn nonce_sizes(&self) -> Sizes {
        Sizes::exactly(NONCE)
    }

    fn tag_sizes(&self) -> Sizes {
        Sizes::exactly(BLOCK)
    }

    fn tag_len(&self) -> usize {
        BLOCK
    }

    fn set_tag_len(&mut self, bytes: usize) -> Result<(), Error> {
        check_length("tag", bytes, Sizes::exactly(BLOCK))
    }

    fn take_key(&mut self, key: &[u8]) -> bool {
        self.root.rekey(key)
    }

    fn seal(&self, nonce: &[u8], aad: &[u8], io: InOut<'_>, tag: &mut [u8]) -> Result<(), Error> {
        check(nonce, aad, io.len(), tag.len())?;
        let mut keys = Secret([0; BLOCK + 32]);
        self.derive(nonce, &mut keys);
        let hash = self.hash(&keys, aad, io.input());
        let cipher = self.under(&keys)?;
        let whole = self::tag(&cipher, nonce, &hash);
        ctr(&cipher, &whole, io);
        tag.copy_from_slice(&whole);
        Ok(())
    }

    fn open(&self, nonce: &[u8], aad: &[u8], mut io: InOut<'_>, tag: &[u8]) -> Result<(), Error> {
        if self.wrong(nonce, aad, io.reborrow(), tag)?.is_none() {
            return Ok(());
        }
        io.output().fill(0);
        Err(Error::Authentication)
    }

    fn try_open(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        let Some((cipher, tag)) = self.wrong(nonce, aad, (&mut *data).into(), tag)? else {
            return Ok(());
        };
        // Counter mode undoes itself.
        ctr(&cipher, &tag, data.into());
        Err(Error::Authentication)
    }
}

impl<C, F> GcmSiv<C, F>
where
    C: BlockCipher,
    F: Fn(&[u8]) -> Result<C, Error> + Send + Sync,
{
    /// Decrypts a message; if its tag is wrong, the cipher and the tag that it was decrypted
    /// with.
    fn wrong(
        &self,
        nonce: &[u8],
        aad: &[u8],
        mut io: InOut<'_>,
        tag: &[u8],
    ) -> Result<Option<(C, [u8; BLOCK])>, Error> {
        check(nonce, aad, io.len(), tag.len())?;
        let mut keys = Secret([0; BLOCK + 32]);
        self.derive(nonce, &mut keys);
        let cipher = self.under(&keys)?;
        let mut given = [0; BLOCK];
        given.copy_from_slice(tag);
        ctr(&cipher, &given, io.reborrow());
        let hash = self.hash(&keys, aad, io.output());
        let whole = Secret(self::tag(&cipher, nonce, &hash));
        Ok((!ct::equal(&whole.0, tag)).then_some((cipher, given)))
    }
}

#[cfg(feature = "alloc")]
mod entries {
    use alloc::boxed::Box;

    use super::{GcmSiv, KEYS};
    use crate::entry::constructor::AeadStreaming;
    use crate::entry::row::Row;
    use crate::sizes::Sizes;

    /// `gcm-siv-seal`.
    pub(crate) const SEAL: Row = Row {
        takes_key: |bytes| KEYS.allow(bytes),
        iv: |_| Sizes::exactly(12),
        tag: |_| Sizes::exactly(16),
        ..Row::aead(
            ["gcm-siv-seal", "gcm-siv-open"],
            "RFC 8452",
            |of, key, level| Ok(Box::new(GcmSiv::new(key, move |key| of.cipher(key, level))?)),
            AeadStreaming::No(
                "the keystream starts from the tag, which depends on the whole message",
            ),
        )
    };

    /// `gcm-siv-open`.
    pub(crate) const OPEN: Row = SEAL.undo();
}
#[cfg(feature = "alloc")]
pub(crate) use entries::{OPEN, SEAL};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_much_as_the_standard_allows_is_taken_and_no_more() {
        assert_eq!(check_limits(1 << 36, 1 << 36), Ok(()));
        let limit = |what| Err(Error::Limit { what, limit: 1 << 36 });
        assert_eq!(check_limits((1 << 36) + 1, 0), limit("bytes of associated data"));
        assert_eq!(check_limits(0, (1 << 36) + 1), limit("bytes of one GCM-SIV message"));
    }
}
