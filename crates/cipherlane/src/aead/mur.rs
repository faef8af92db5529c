//! MUR, the misuse-resistant AEAD of GM/T 0001.4-2024 made of ZUC-128 and GHASH.
//!
//! Under a hash key H and cipher keys K1 and K2, S is the hash of associated data and
//! plaintext, taken as in GCM. The tag is the first keystream bytes of ZUC-128(K2,
//! S ⊕ IV); the ciphertext is the plaintext plus the keystream of ZUC-128(K1, IV ⊕ tag),
//! a short tag filled up with zeros. The keys are given, or the first 48 keystream bytes
//! of ZUC-128 under a master key and an IV of zeros. Nonces of 16 bytes; one that
//! repeats shows whether the same message was sent again, and nothing else. Tags of 8
//! to 16 bytes. Constant-time at every level.
//!
//! ```
//! use cipherlane::Aead;
//! use cipherlane::aead::mur::Mur;
//!
//! let mur = Mur::new(&[7; 16])?;
//! let (nonce, aad) = ([1; 16], b"header");
//! let mut data = *b"any number of bytes";
//! let mut tag = [0; 16];
//! mur.seal(&nonce, aad, (&mut data[..]).into(), &mut tag)?;
//! mur.open(&nonce, aad, (&mut data[..]).into(), &tag)?;
//! assert_eq!(&data, b"any number of bytes");
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;

use lanes::{InOut, Level};

use super::gxm::{NONCE, TAGS, check, derive, hash, subkey, xor};
use crate::ciphers::zuc::{ANSWER, DEEP, Zuc128};
use crate::ct;
use crate::error::{Error, check_length};
use crate::first_use::admit;
use crate::ghash::{BLOCK, Key};
use crate::secret::{Secret, Trace};
use crate::sizes::Sizes;
use crate::traits::aead::Aead;
use crate::traits::stream::StreamCipher;

/// MUR under one key.
#[derive(Clone)]
pub struct Mur {
    _trace: Trace,
    level: Level,
    hash: Key<true>,
    /// K1.
    data_key: Secret<[u8; 16]>,
    /// K2.
    tag_key: Secret<[u8; 16]>,
    /// The length of a tag.
    tag: usize,
}

impl Mur {
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
        let keys = derive::<3>(master, level)?;
        Self::with_subkeys(&keys.0[0], &keys.0[1], &keys.0[2], level)
    }

    /// Under a hash key H and cipher keys K1, of the data, and K2, of the tag, of 16
    /// bytes each.
    ///
    /// # Errors
    /// [`Error::Length`] if one of them has another length.
    pub fn with_subkeys(
        hash: &[u8],
        data_key: &[u8],
        tag_key: &[u8],
        level: Level,
    ) -> Result<Self, Error> {
        admit(level, &ANSWER)?;
        let (hash, data_key) = (subkey("hash key", hash)?, subkey("data key", data_key)?);
        let tag_key = subkey("tag key", tag_key)?;
        Ok(Self {
            _trace: Trace::of(level, DEEP),
            level,
            hash: Key::new(&hash.0, level),
            data_key,
            tag_key,
            tag: BLOCK,
        })
    }

    /// The tag of a plaintext.
    fn tag(&self, nonce: &[u8; 16], aad: &[u8], data: &[u8], tag: &mut [u8]) -> Result<(), Error> {
        let iv = Secret(xor(&hash(&self.hash, aad, data), nonce));
        Zuc128::within(&self.tag_key.0, &iv.0, self.level)?.keystream(tag)
    }

    /// Encrypts or decrypts under a tag.
    fn apply(&self, nonce: &[u8; 16], tag: &[u8], io: InOut<'_>) -> Result<(), Error> {
        let mut whole = [0; BLOCK];
        whole[..tag.len()].copy_from_slice(tag);
        Zuc128::within(&self.data_key.0, &xor(nonce, &whole), self.level)?.apply_inout(io)
    }
}

/// A nonce whose length was checked.
fn block(nonce: &[u8]) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    block.copy_from_slice(nonce);
    block
}

impl Aead for Mur {
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

    fn seal(&self, nonce: &[u8], aad: &[u8], io: InOut<'_>, tag: &mut [u8]) -> Result<(), Error> {
        check(nonce, aad, io.len(), (tag.len(), self.tag))?;
        let nonce = block(nonce);
        self.tag(&nonce, aad, io.input(), tag)?;
        self.apply(&nonce, tag, io)
    }

    fn open(&self, nonce: &[u8], aad: &[u8], mut io: InOut<'_>, tag: &[u8]) -> Result<(), Error> {
        check(nonce, aad, io.len(), (tag.len(), self.tag))?;
        if self.is_right(&block(nonce), aad, io.reborrow(), tag)? {
            return Ok(());
        }
        io.output().fill(0);
        Err(Error::Authentication)
    }

    fn try_open(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        check(nonce, aad, data.len(), (tag.len(), self.tag))?;
        let nonce = block(nonce);
        if self.is_right(&nonce, aad, (&mut *data).into(), tag)? {
            return Ok(());
        }
        // A keystream undoes itself.
        self.apply(&nonce, tag, data.into())?;
        Err(Error::Authentication)
    }
}

impl Mur {
    /// Decrypts a message whose lengths are checked and tells whether its tag is right.
    fn is_right(
        &self,
        nonce: &[u8; 16],
        aad: &[u8],
        mut io: InOut<'_>,
        tag: &[u8],
    ) -> Result<bool, Error> {
        self.apply(nonce, tag, io.reborrow())?;
        let mut computed = Secret([0; BLOCK]);
        let computed = &mut computed.0[..tag.len()];
        self.tag(nonce, aad, io.output(), computed)?;
        Ok(ct::equal(computed, tag))
    }
}

impl fmt::Debug for Mur {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mur").field("level", &self.level).finish_non_exhaustive()
    }
}

#[cfg(feature = "alloc")]
mod entries {
    use alloc::boxed::Box;

    use super::Mur;
    use crate::aead::gxm;
    use crate::entry::row::Row;
    use crate::sizes::Sizes;

    /// `mur-seal`; the key is the master key, or H, K1 and K2.
    pub(crate) const SEAL: Row = Row {
        key: |_| Sizes::steps(16, 48, 32),
        ..gxm::row(["mur-seal", "mur-open"], |_, key, level| {
            Ok(Box::new(if key.len() == 48 {
                Mur::with_subkeys(&key[..16], &key[16..32], &key[32..], level)?
            } else {
                Mur::with_level(key, level)?
            }))
        })
    };

    /// `mur-open`.
    pub(crate) const OPEN: Row = SEAL.undo();
}
#[cfg(feature = "alloc")]
pub(crate) use entries::{OPEN, SEAL};
