//! 256-NCA6, the 256-bit AEAD of 3GPP made of ZUC-256 (2023) and POLYVAL.
//!
//! The keystream's first three blocks serve the hash as in [`Nia6`](super::Nia6); what
//! follows encrypts. The tag covers associated data and ciphertext. Tags of 16 bytes, or by
//! [`with_tag_len`](Aead::with_tag_len) of 4 to 15. The nonce is the 16-byte IV as 3GPP forms it; its first byte tells the
//! algorithm and the tag's length. It must never repeat under one key.
//! [`Frame::assumed_nca6_nonce`](super::Frame::assumed_nca6_nonce) makes one of COUNT, BEARER
//! and DIRECTION and tells what is assumed.
//!
//! ```
//! use cipherlane::Aead;
//! use cipherlane::zuc::Nca6;
//!
//! let nca6 = Nca6::new(&[0; 32])?.with_tag_len(4)?;
//! let mut iv = [0; 16];
//! iv[0] = 0x24;
//! let mut tag = [0; 4];
//! nca6.seal(&iv, &[], (&mut [][..]).into(), &mut tag)?;
//! assert_eq!(tag, [0xe0, 0xa4, 0x71, 0x85]);
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;

use lanes::{InOut, Level};

use super::nia6::{Hash, TAGS, check_lengths};
use super::{DEEP, Zuc256Of2023};
use crate::ct;
use crate::error::{Error, check_length};
use crate::first_use::admit;
use crate::secret::{Secret, Trace};
use crate::sizes::Sizes;
use crate::traits::aead::{Aead, check_tag_len};
use crate::traits::stream::StreamCipher;

/// 256-NCA6 under one key.
#[derive(Clone)]
pub struct Nca6 {
    _trace: Trace,
    key: Secret<[u8; 32]>,
    level: Level,
    /// The length of a tag.
    tag: usize,
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
        admit(level, &super::ANSWER)?;
        check_length("key", key.len(), Sizes::exactly(32))?;
        let mut nca6 =
            Self { _trace: Trace::of(level, DEEP), key: Secret([0; 32]), level, tag: TAGS.max };
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
        check_tag_len(tag, self.tag)?;
        check_lengths(aad.len(), message)?;
        let mut stream = Zuc256Of2023::within(&self.key.0, nonce, self.level)?;
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
        out: &mut [u8],
    ) -> Result<(), Error> {
        let (mut stream, mut hash) = self.start(nonce, aad, io.len(), out.len())?;
        stream.apply_inout(io.reborrow())?;
        out.copy_from_slice(&hash.of([aad, io.output()])[..out.len()]);
        Ok(())
    }

    fn open(&self, nonce: &[u8], aad: &[u8], mut io: InOut<'_>, sent: &[u8]) -> Result<(), Error> {
        match self.verified(nonce, aad, io.input(), sent) {
            Ok(mut stream) => stream.apply_inout(io),
            Err(Error::Authentication) => {
                io.output().fill(0);
                Err(Error::Authentication)
            }
            Err(error) => Err(error),
        }
    }

    fn try_open(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &mut [u8],
        sent: &[u8],
    ) -> Result<(), Error> {
        self.verified(nonce, aad, data, sent)?.apply(data)
    }
}

impl Nca6 {
    /// The keystream of a message, if its tag is right.
    fn verified(
        &self,
        nonce: &[u8],
        aad: &[u8],
        ciphertext: &[u8],
        sent: &[u8],
    ) -> Result<Zuc256Of2023, Error> {
        let (stream, mut hash) = self.start(nonce, aad, ciphertext.len(), sent.len())?;
        let computed = Secret(hash.of([aad, ciphertext]));
        let right = ct::equal(&computed.0[..sent.len()], sent);
        if right { Ok(stream) } else { Err(Error::Authentication) }
    }
}

impl fmt::Debug for Nca6 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nca6").field("level", &self.level).finish_non_exhaustive()
    }
}
