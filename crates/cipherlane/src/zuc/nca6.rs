//! 256-NCA6, the 256-bit AEAD of 3GPP made of ZUC-256 (2023) and POLYVAL.
//!
//! The keystream's first three blocks serve the hash as in [`Nia6`](super::Nia6); what
//! follows encrypts. The tag covers associated data and ciphertext. Tags of 4 to 16
//! bytes. The nonce is the 16-byte IV as 3GPP forms it; its first byte tells the
//! algorithm and the tag's length. It must never repeat under one key.
//!
//! ```
//! use cipherlane::Aead;
//! use cipherlane::zuc::Nca6;
//!
//! let nca6 = Nca6::new(&[0; 32])?;
//! let mut iv = [0; 16];
//! iv[0] = 0x24;
//! let mut tag = [0; 4];
//! nca6.seal(&iv, &[], (&mut [][..]).into(), &mut tag)?;
//! assert_eq!(tag, [0xe0, 0xa4, 0x71, 0x85]);
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;

use lanes::{InOut, Level};

use super::Zuc256Of2023;
use super::nia6::{Hash, TAGS, check_lengths};
use crate::error::check_length;
use crate::secret::Secret;
use crate::{Aead, Error, Sizes, StreamCipher, ct};

/// 256-NCA6 under one key.
#[derive(Clone)]
pub struct Nca6 {
    key: Secret<[u8; 32]>,
    level: Level,
}

impl Nca6 {
    /// Under a key of 32 bytes, at the level [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Length`] if the key has another length, [`Error::Level`] if
    /// `CIPHERLANE_LEVEL` names no level.
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        Self::with_level(key, Level::detect()?)
    }

    /// The same at a given level.
    ///
    /// # Errors
    /// [`Error::Length`] if the key is not 32 bytes.
    pub fn with_level(key: &[u8], level: Level) -> Result<Self, Error> {
        crate::first_use::admit(level)?;
        check_length("key", key.len(), Sizes::exactly(32))?;
        let mut nca6 = Self { key: Secret([0; 32]), level };
        nca6.key.0.copy_from_slice(key);
        Ok(nca6)
    }

    /// Keystream and hash of a message, all lengths checked.
    fn start(
        &self,
        nonce: &[u8],
        aad: &[u8],
        message: usize,
        tag: usize,
    ) -> Result<(Zuc256Of2023, Hash), Error> {
        check_length("nonce", nonce.len(), self.nonce_sizes())?;
        check_length("tag", tag, TAGS)?;
        check_lengths(aad.len(), message)?;
        let mut stream = Zuc256Of2023::with_level(&self.key.0, nonce, self.level)?;
        let hash = Hash::new(&mut stream)?;
        Ok((stream, hash))
    }
}

impl Aead for Nca6 {
    fn nonce_sizes(&self) -> Sizes {
        Sizes::exactly(16)
    }

    fn tag_sizes(&self) -> Sizes {
        TAGS
    }

    fn seal(
        &self,
        nonce: &[u8],
        aad: &[u8],
        mut io: InOut<'_>,
        out: &mut [u8],
    ) -> Result<(), Error> {
        let (mut stream, mut hash) = self.start(nonce, aad, io.len(), out.len())?;
        stream.apply_inout(io.reborrow())?;
        out.copy_from_slice(&hash.of([aad, io.output()])[..out.len()]);
        Ok(())
    }

    fn open(&self, nonce: &[u8], aad: &[u8], mut io: InOut<'_>, sent: &[u8]) -> Result<(), Error> {
        let (mut stream, mut hash) = self.start(nonce, aad, io.len(), sent.len())?;
        let computed = Secret(hash.of([aad, io.input()]));
        if ct::equal(&computed.0[..sent.len()], sent) {
            return stream.apply_inout(io);
        }
        io.output().fill(0);
        Err(Error::Authentication)
    }
}

impl fmt::Debug for Nca6 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nca6").field("level", &self.level).finish_non_exhaustive()
    }
}
