//! Grain-128AEADv2, authenticated encryption with associated data.

use core::fmt;

use lanes::{InOut, Level};

use super::message::{Message, NONCE, TAG, check_text};
use super::{ANSWER, OfAead};
use crate::ct;
use crate::error::{Error, check_length};
use crate::first_use::admit;
use crate::keystream::generator::{Generator, Kernel};
use crate::secret::{Depth, Secret, Trace};
use crate::sizes::Sizes;
use crate::traits::aead::{Aead, check_tag_len};
use crate::traits::mode::Direction;

/// How deep operations go on the stack.
const STACK: Depth = Depth::of(4 << 10);

/// Grain-128AEADv2 under a key of 16 bytes, with nonces of 12 bytes and tags of 8 ("Grain-128AEADv2: A
/// lightweight AEAD stream cipher", NIST Lightweight Cryptography, 2021, a finalist).
///
/// A nonce must never repeat under one key. Constant time at every level: only lengths show.
///
/// ```
/// use cipherlane::Aead;
/// use cipherlane::grain::Grain128Aead;
///
/// let grain = Grain128Aead::new(&[7; 16])?;
/// let (mut data, mut tag) = (*b"any number of bytes", [0; 8]);
/// grain.seal(&[1; 12], b"header", (&mut data[..]).into(), &mut tag)?;
/// grain.open(&[1; 12], b"header", (&mut data[..]).into(), &tag)?;
/// assert_eq!(&data, b"any number of bytes");
/// # Ok::<(), cipherlane::Error>(())
/// ```
#[derive(Clone)]
pub struct Grain128Aead {
    level: Level,
    _trace: Trace,
    key: Secret<[u8; 16]>,
}

impl Grain128Aead {
    /// Under a key of 16 bytes, at the level [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Length`] if the key has another length, [`Error::Level`] if `CIPHERLANE_LEVEL` names
    /// no level.
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        Self::with_level(key, Level::detect()?)
    }

    /// The same at a given level.
    ///
    /// # Errors
    /// [`Error::Length`] if the key is not 16 bytes.
    pub fn with_level(key: &[u8], level: Level) -> Result<Self, Error> {
        admit(level, &ANSWER)?;
        check_length("key", key.len(), OfAead::KEY)?;
        let mut made = Self { level, _trace: Trace::of(level, STACK), key: Secret([0; 16]) };
        made.key.0.copy_from_slice(key);
        Ok(made)
    }

    fn process(
        &self,
        nonce: &[u8],
        aad: &[u8],
        mut io: InOut<'_>,
        direction: Direction,
    ) -> Secret<[u8; 8]> {
        let level = self.level;
        let mut state = Secret([OfAead::start(level, &self.key.0, nonce, 8 * nonce.len())]);
        let (mut message, mut rest) = (Message::new(aad.len()), Secret([0; 16]));
        message.take_rest(level, aad, &mut io, direction, &mut |room| {
            OfAead::apply(level, &mut state.0[0], room, &mut rest.0);
        });
        Secret(message.tag())
    }
}

impl Aead for Grain128Aead {
    fn nonce_sizes(&self) -> Sizes {
        NONCE
    }

    fn tag_sizes(&self) -> Sizes {
        TAG
    }

    fn tag_len(&self) -> usize {
        TAG.max
    }

    fn set_tag_len(&mut self, bytes: usize) -> Result<(), Error> {
        check_length("tag", bytes, TAG)
    }

    fn take_key(&mut self, key: &[u8]) -> bool {
        let takes = OfAead::KEY.allow(key.len()) && admit(self.level, &ANSWER).is_ok();
        if takes {
            self.key.0.copy_from_slice(key);
        }
        takes
    }

    fn seal(&self, nonce: &[u8], aad: &[u8], io: InOut<'_>, tag: &mut [u8]) -> Result<(), Error> {
        check_length("nonce", nonce.len(), NONCE)?;
        check_tag_len(tag.len(), TAG.max)?;
        check_text(aad.len(), io.len())?;
        tag.copy_from_slice(&self.process(nonce, aad, io, Direction::Encrypt).0);
        Ok(())
    }

    fn open(&self, nonce: &[u8], aad: &[u8], mut io: InOut<'_>, tag: &[u8]) -> Result<(), Error> {
        check_length("nonce", nonce.len(), NONCE)?;
        check_tag_len(tag.len(), TAG.max)?;
        check_text(aad.len(), io.len())?;
        let computed = self.process(nonce, aad, io.reborrow(), Direction::Decrypt);
        if ct::equal(&computed.0, tag) {
            return Ok(());
        }
        io.output().fill(0);
        Err(Error::Authentication)
    }

    fn try_open(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        check_length("nonce", nonce.len(), NONCE)?;
        check_tag_len(tag.len(), TAG.max)?;
        check_text(aad.len(), data.len())?;
        let computed = self.process(nonce, aad, (&mut *data).into(), Direction::Decrypt);
        if ct::equal(&computed.0, tag) {
            return Ok(());
        }
        // The same keystream once more gives the ciphertext back.
        self.process(nonce, aad, data.into(), Direction::Encrypt);
        Err(Error::Authentication)
    }
}

impl fmt::Debug for Grain128Aead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Grain128Aead").field("level", &self.level).finish_non_exhaustive()
    }
}

#[cfg(feature = "alloc")]
mod entries {
    use alloc::boxed::Box;

    use super::super::batch::Grain128AeadBatch;
    use super::{Grain128Aead, NONCE, TAG};
    use crate::entry::constructor::{AeadStreaming, Constructor};
    use crate::entry::kind::Kind;
    use crate::entry::row::{Over, Row};

    /// `aead-seal`.
    pub(crate) const SEAL: Row = Row {
        inverse: Some("aead-open"),
        over: Over::Stream(super::super::GRAIN_128_AEAD.name),
        iv: |_| NONCE,
        tag: |_| TAG,
        batch: Some(|_, level| Box::new(Grain128AeadBatch::with_level(false, level))),
        ..Row::new(
            "aead-seal",
            Kind::Seal,
            super::super::GRAIN_128_AEAD.standard,
            Constructor::Aead {
                new: |_, key, level| Ok(Box::new(Grain128Aead::with_level(key, level)?)),
                streaming: AeadStreaming::No("the library has it for whole messages"),
            },
        )
    };

    /// `aead-open`.
    pub(crate) const OPEN: Row = Row {
        batch: Some(|_, level| Box::new(Grain128AeadBatch::with_level(true, level))),
        ..SEAL.undo()
    };
}
#[cfg(feature = "alloc")]
pub(crate) use entries::{OPEN, SEAL};
