//! GXM, the AEAD of GM/T 0001.4-2024 made of ZUC-128 and GHASH: encrypt, then
//! authenticate the ciphertext.
//!
//! Under a hash key H and a cipher key K1, the first keystream bytes of ZUC-128(K1, IV),
//! as many as the tag has, mask the hash of associated data and ciphertext, taken as in
//! GCM; those that follow encrypt. H and K1 are given, or the first 32 keystream bytes
//! of ZUC-128 under a master key and an IV of zeros. Nonces of 16 bytes, which must never
//! repeat under one key; tags of 16 bytes, or by [`with_tag_len`](Aead::with_tag_len) of 8 to
//! 15. Constant-time at every level.
//!
//! ```
//! use cipherlane::Aead;
//! use cipherlane::aead::gxm::Gxm;
//!
//! let gxm = Gxm::new(&[7; 16])?;
//! let (nonce, aad) = ([1; 16], b"header");
//! let mut data = *b"any number of bytes";
//! let mut tag = [0; 16];
//! gxm.seal(&nonce, aad, (&mut data[..]).into(), &mut tag)?;
//! gxm.open(&nonce, aad, (&mut data[..]).into(), &tag)?;
//! assert_eq!(&data, b"any number of bytes");
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;

use lanes::{InOut, Level};

use crate::ciphers::zuc::{ANSWER, DEEP, Zuc128};
use crate::ct;
use crate::error::{Error, check_length};
use crate::first_use::admit;
use crate::ghash::{BLOCK, Key};
use crate::mac::gcm_parts::lengths;
use crate::secret::{Secret, Trace};
use crate::sizes::Sizes;
use crate::traits::aead::{Aead, check_tag_len};
use crate::traits::stream::StreamCipher;

/// The length of every key in bytes.
const KEY: usize = 16;
/// The lengths of a tag in bytes.
pub(crate) const TAGS: Sizes = Sizes::between(8, BLOCK);
/// The length of a nonce in bytes.
pub(crate) const NONCE: Sizes = Sizes::exactly(16);
/// The most bytes whose number of bits fits 64 bits.
const MOST: u64 = (1 << 61) - 1;

/// GXM under one key.
#[derive(Clone)]
pub struct Gxm {
    _trace: Trace,
    level: Level,
    hash: Key<true>,
    /// K1.
    key: Secret<[u8; KEY]>,
    /// The length of a tag.
    tag: usize,
}

impl Gxm {
    /// Under a master key of 16 bytes, at the level [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Length`] if the key has another length, [`Error::Level`] if
    /// `CIPHERLANE_LEVEL` names no level.
    pub fn new(master: &[u8]) -> Result<Self, Error> {
        Self::with_level(master, Level::detect()?)
    }

    /// The same at a given level.
    ///
    /// # Errors
    /// [`Error::Length`] if the key is not 16 bytes.
    pub fn with_level(master: &[u8], level: Level) -> Result<Self, Error> {
        let keys = derive::<2>(master, level)?;
        Self::with_subkeys(&keys.0[0], &keys.0[1], level)
    }

    /// Under a hash key H and a cipher key K1 of 16 bytes each.
    ///
    /// # Errors
    /// [`Error::Length`] if one of them has another length.
    pub fn with_subkeys(hash: &[u8], key: &[u8], level: Level) -> Result<Self, Error> {
        admit(level, &ANSWER)?;
        let (hash, key) = (subkey("hash key", hash)?, subkey("key", key)?);
        Ok(Self {
            _trace: Trace::of(level, DEEP),
            level,
            hash: Key::new(&hash.0, level),
            key,
            tag: BLOCK,
        })
    }

    /// The keystream behind the mask of a tag, and the mask.
    fn start(&self, nonce: &[u8], tag: usize) -> Result<(Zuc128, Secret<[u8; BLOCK]>), Error> {
        let mut stream = Zuc128::within(&self.key.0, nonce, self.level)?;
        let mut mask = Secret([0; BLOCK]);
        stream.keystream(&mut mask.0[..tag])?;
        Ok((stream, mask))
    }
}

/// The first keys of a master key: keystream under an IV of zeros.
pub(super) fn derive<const N: usize>(
    master: &[u8],
    level: Level,
) -> Result<Secret<[[u8; KEY]; N]>, Error> {
    check_length("key", master.len(), Sizes::exactly(KEY))?;
    let mut keys = Secret([[0; KEY]; N]);
    Zuc128::within(master, &[0; 16], level)?.keystream(keys.0.as_flattened_mut())?;
    Ok(keys)
}

pub(super) fn subkey(field: &'static str, given: &[u8]) -> Result<Secret<[u8; KEY]>, Error> {
    check_length(field, given.len(), Sizes::exactly(KEY))?;
    let mut key = Secret([0; KEY]);
    key.0.copy_from_slice(given);
    Ok(key)
}

/// Checks nonce, tag (its length and the object's) and lengths in bytes.
pub(super) fn check(
    nonce: &[u8],
    aad: &[u8],
    message: usize,
    tag: (usize, usize),
) -> Result<(), Error> {
    check_length("nonce", nonce.len(), NONCE)?;
    check_tag_len(tag.0, tag.1)?;
    for (what, length) in
        [("bytes of associated data", aad.len()), ("bytes of one message", message)]
    {
        if length as u64 > MOST {
            return Err(Error::Limit { what, limit: MOST });
        }
    }
    Ok(())
}

/// GHASH of associated data, data and their lengths.
pub(super) fn hash(key: &Key<true>, aad: &[u8], data: &[u8]) -> [u8; BLOCK] {
    let mut state = Key::<true>::start();
    key.absorb(&mut state, &[aad, data, &lengths(aad.len() as u64, data.len() as u64)]);
    Key::<true>::hash(&state)
}

/// `a ⊕ b`.
pub(super) fn xor(a: &[u8; BLOCK], b: &[u8; BLOCK]) -> [u8; BLOCK] {
    (u128::from_ne_bytes(*a) ^ u128::from_ne_bytes(*b)).to_ne_bytes()
}

impl Aead for Gxm {
    fn nonce_sizes(&self) -> Sizes {
        NONCE
    }

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

    fn seal(
        &self,
        nonce: &[u8],
        aad: &[u8],
        mut io: InOut<'_>,
        tag: &mut [u8],
    ) -> Result<(), Error> {
        check(nonce, aad, io.len(), (tag.len(), self.tag))?;
        let (mut stream, mask) = self.start(nonce, tag.len())?;
        stream.apply_inout(io.reborrow())?;
        let whole = xor(&hash(&self.hash, aad, io.output()), &mask.0);
        tag.copy_from_slice(&whole[..tag.len()]);
        Ok(())
    }

    fn open(&self, nonce: &[u8], aad: &[u8], mut io: InOut<'_>, tag: &[u8]) -> Result<(), Error> {
        match self.verified(nonce, aad, io.input(), tag) {
            Ok(mut stream) => stream.apply_inout(io),
            Err(Error::Authentication) => {
                io.output().fill(0);
                Err(Error::Authentication)
            }
            Err(error) => Err(error),
        }
    }

    fn try_open(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        self.verified(nonce, aad, data, tag)?.apply(data)
    }
}

impl Gxm {
    /// The keystream of a message, if its tag is right.
    fn verified(
        &self,
        nonce: &[u8],
        aad: &[u8],
        ciphertext: &[u8],
        tag: &[u8],
    ) -> Result<Zuc128, Error> {
        check(nonce, aad, ciphertext.len(), (tag.len(), self.tag))?;
        let (stream, mask) = self.start(nonce, tag.len())?;
        let whole = Secret(xor(&hash(&self.hash, aad, ciphertext), &mask.0));
        if ct::equal(&whole.0[..tag.len()], tag) { Ok(stream) } else { Err(Error::Authentication) }
    }
}

impl fmt::Debug for Gxm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gxm").field("level", &self.level).finish_non_exhaustive()
    }
}

#[cfg(feature = "alloc")]
mod entries {
    use alloc::boxed::Box;

    use super::{Gxm, NONCE, TAGS};
    use crate::ciphers::zuc::ZUC_128;
    use crate::entry::constructor::{AeadStreaming, NewAead};
    use crate::entry::row::{Over, Row};
    use crate::sizes::Sizes;

    /// The row of an AEAD of ZUC-128 with these names that seal and open.
    pub(crate) const fn row(names: [&'static str; 2], new: NewAead) -> Row {
        let whole = AeadStreaming::No("the library has it for whole messages");
        Row {
            over: Over::Stream(ZUC_128.name),
            iv: |_| NONCE,
            tag: |_| TAGS,
            ..Row::aead(names, "GM/T 0001.4-2024", new, whole)
        }
    }

    /// `gxm-seal`; the key is the master key, or H and K1.
    pub(crate) const SEAL: Row = Row {
        key: |_| Sizes::steps(16, 32, 16),
        ..row(["gxm-seal", "gxm-open"], |_, key, level| {
            Ok(Box::new(if key.len() == 32 {
                Gxm::with_subkeys(&key[..16], &key[16..], level)?
            } else {
                Gxm::with_level(key, level)?
            }))
        })
    };

    /// `gxm-open`.
    pub(crate) const OPEN: Row = SEAL.undo();
}
#[cfg(feature = "alloc")]
pub(crate) use entries::{OPEN, SEAL, row};
