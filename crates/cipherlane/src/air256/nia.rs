//! 256-NIA4 to 256-NIA6: the whole message counts as associated data of an empty ciphertext.

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::fmt;

use lanes::Level;

use super::hash::{Hash, MOST, TAGS};
use super::{DEEP, Family, nia_iv};
use crate::air::{Bearer, Count, Direction};
use crate::error::{Error, check_length};
use crate::ghash::Running;
use crate::secret::Trace;
use crate::sizes::Sizes;
use crate::traits::aead::check_tag_len;
#[cfg(feature = "alloc")]
use crate::traits::mac::{DynMac, ONE_IV};
use crate::traits::mac::{Mac, SPENT};
use crate::traits::stream::StreamCipher;

/// The tags of one family under one key and IV; `F` names the family.
pub struct Nia<F: Family> {
    trace: Trace,
    stream: F::Stream,
    hash: Hash,
    running: Running<false>,
    /// Bytes so far.
    length: u64,
    /// The length of a tag.
    tag: usize,
    /// Whether the IV has served a message.
    spent: bool,
}

impl<F: Family> Nia<F> {
    /// Under a key of 32 bytes and an IV of 16, at the level [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Length`] if key or IV have another length, [`Error::Level`] if
    /// `CIPHERLANE_LEVEL` names no level.
    pub fn new(key: &[u8], iv: &[u8]) -> Result<Self, Error> {
        Self::with_level(key, iv, Level::detect()?)
    }

    /// For the message of that COUNT, BEARER and DIRECTION, with tags of that many bytes and an IV
    /// whose make-up is **assumed**, as that of [`Nea::assuming`](super::Nea::assuming) is: byte 0 is
    /// the tag's length in bits.
    ///
    /// # Errors
    /// As [`new`](Self::new); [`Error::Length`] if a tag can't have that length.
    pub fn assuming(
        key: &[u8],
        count: Count,
        bearer: Bearer,
        direction: Direction,
        tag: usize,
    ) -> Result<Self, Error> {
        let iv = nia_iv(count, bearer, direction, tag)?;
        Self::new(key, &iv)?.with_tag_len(tag)
    }

    /// As [`new`](Self::new), at a given level.
    ///
    /// # Errors
    /// As [`new`](Self::new), but for the level.
    pub fn with_level(key: &[u8], iv: &[u8], level: Level) -> Result<Self, Error> {
        let mut hash = Hash::unset(level);
        let stream = F::start(key, iv, level, hash.place())?;
        let trace = Trace::of(level, DEEP);
        let running = Running::new();
        Ok(Self { trace, stream, hash, running, length: 0, tag: TAGS.max, spent: false })
    }
}

impl<F: Family> Nia<F> {
    /// A copy that has read the same. **Both go on under one IV**: two tags of different
    /// messages give the hash key away. For interfaces that have such copies, as OpenSSL's.
    #[must_use]
    pub fn clone_under_the_same_iv(&self) -> Self {
        let (hash, running) = (self.hash.clone(), self.running.clone());
        let (trace, stream) = (self.trace.clone(), F::fork(&self.stream));
        Self { trace, stream, hash, running, ..*self }
    }
}

impl<F: Family> Mac for Nia<F> {
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

    fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        if self.spent {
            return Err(SPENT);
        }
        if data.len() as u64 > MOST - self.length {
            return Err(Error::Limit { what: "bytes of one message", limit: MOST });
        }
        self.length += data.len() as u64;
        let key = self.hash.key(self.running.blocks_with(data.len()));
        self.running.update(key, data);
        Ok(())
    }

    fn finish(&mut self, tag: &mut [u8]) -> Result<(), Error> {
        if self.spent {
            return Err(SPENT);
        }
        check_tag_len(tag.len(), self.tag)?;
        self.spent = true;
        // The whole message counts as associated data of an empty ciphertext.
        self.running.pad(self.hash.key(1));
        let whole = self.hash.tag(&self.running.hash(), 0, self.length);
        tag.copy_from_slice(&whole[..tag.len()]);
        self.running = Running::new();
        self.length = 0;
        Ok(())
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        F::restart(&mut self.stream, iv, self.hash.place())?;
        self.spent = false;
        self.running = Running::new();
        self.length = 0;
        Ok(())
    }
}

#[cfg(feature = "alloc")]
impl<F: Family> DynMac for Nia<F> {
    fn fork(&self) -> Result<Box<dyn DynMac>, Error> {
        Err(ONE_IV)
    }
}

impl<F: Family> fmt::Debug for Nia<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(F::NAMES[1]).field("level", &self.stream.level()).finish_non_exhaustive()
    }
}
