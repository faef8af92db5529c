//! HC-128.
//!
//! "The Stream Cipher HC-128" (H. Wu, 2004), in the eSTREAM portfolio. Key and IV have 16
//! bytes each; words are little-endian.
//!
//! # Timing
//! Its two tables of 512 secret words are looked up at places that depend on the state:
//! **not constant-time**, at any level. That is the cipher itself: every word of keystream is a sum of
//! two words of a table, chosen by another. Where an attacker shares the CPU's caches, use
//! another cipher.
//!
//! # Limits
//! The design allows 2⁶⁴ bits (2⁶¹ bytes) under one key and IV; past them
//! [`StreamCipher::apply_inout`] returns [`Error::Limit`] and writes nothing.
//!
//! # Example
//! ```
//! use cipherlane::StreamCipher;
//! use cipherlane::hc128::Hc128;
//!
//! let mut message = *b"any number of bytes";
//! Hc128::new(&[7; 16], &[1; 16])?.apply(&mut message)?;
//! Hc128::new(&[7; 16], &[1; 16])?.apply(&mut message)?;
//! assert_eq!(&message, b"any number of bytes");
//! # Ok::<(), cipherlane::Error>(())
//! ```

#[cfg(feature = "alloc")]
mod batch;
mod clock;
mod expand;
#[cfg(feature = "alloc")]
mod many;
#[cfg(test)]
mod tests;

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::fmt;

use lanes::{InOut, Level};

#[cfg(feature = "alloc")]
use crate::entry::timing::Timing;
#[cfg(feature = "alloc")]
use crate::entry::{Algorithm, New};
use crate::error::{Error, check_length};
use crate::first_use::{admit, answer};
use crate::keystream::leftover::Leftover;
use crate::secret::{Depth, Secret, Trace};
use crate::sizes::Sizes;
use crate::traits::stream::StreamCipher;
#[cfg(feature = "alloc")]
pub use batch::{Hc128Batch, OfHc128};

answer!(|level| crate::entry::known_answer::all(&[&ALGORITHM], level));

/// The length of the key and of the IV, in bytes.
const SIXTEEN: Sizes = Sizes::exactly(16);

/// The most bytes under one key and IV.
const LIMIT: u64 = 1 << 61;

/// How deep operations go on the stack.
const STACK: Depth = Depth::of(32 << 10);

/// An HC-128 keystream.
pub struct Hc128 {
    level: Level,
    _trace: Trace,
    key: Secret<[u8; 16]>,
    state: Secret<clock::State>,
    leftover: Leftover<{ clock::BLOCK }>,
    left: u64,
}

/// The registry's entry.
#[cfg(feature = "alloc")]
pub const ALGORITHM: Algorithm = Algorithm {
    name: "hc-128",
    title: "HC-128",
    standard: "The Stream Cipher HC-128 (Wu, 2004), eSTREAM",
    key: SIXTEEN,
    new: New::Stream {
        iv: SIXTEEN,
        new: boxed,
        unlimited: boxed,
        limit: Some(LIMIT),
        batch: |_, level| Box::new(Hc128Batch::with_level(level)),
    },
    timing: Timing::Table,
    warning: None,
    kernel: batch::words,
    answer: crate::entry::known_answer::KnownAnswer::keystream(
        "80000000000000000000000000000000",
        "00000000000000000000000000000000",
        "378602b98f32a74847515654ae0de7ed",
    )
    .with_sums(include_str!("known.txt")),
    oids: &[],
};

#[cfg(feature = "alloc")]
fn boxed(key: &[u8], iv: &[u8], level: Level) -> Result<Box<dyn StreamCipher>, Error> {
    Ok(Box::new(Hc128::with_level(key, iv, level)?))
}

impl Hc128 {
    /// The keystream of a key and an IV, at the level [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Length`] if the key or the IV hasn't 16 bytes, [`Error::Level`] if
    /// `CIPHERLANE_LEVEL` names no level.
    pub fn new(key: &[u8], iv: &[u8]) -> Result<Self, Error> {
        Self::with_level(key, iv, Level::detect()?)
    }

    /// The same at a given level.
    ///
    /// # Errors
    /// As [`new`](Self::new), but for the level.
    pub fn with_level(key: &[u8], iv: &[u8], level: Level) -> Result<Self, Error> {
        admit(level, &ANSWER)?;
        check_length("key", key.len(), SIXTEEN)?;
        let mut cipher = Self {
            level,
            _trace: Trace::of(level, STACK),
            key: Secret([0; 16]),
            state: Secret(clock::EMPTY),
            leftover: Leftover::new(),
            left: 0,
        };
        cipher.key.0.copy_from_slice(key);
        cipher.reset(iv)?;
        Ok(cipher)
    }
}

impl StreamCipher for Hc128 {
    fn level(&self) -> Level {
        self.level
    }

    fn apply_inout(&mut self, io: InOut<'_>) -> Result<(), Error> {
        let what = "keystream bytes under one key and IV";
        let left = self.left.checked_sub(io.len() as u64);
        self.left = left.ok_or(Error::Limit { what, limit: LIMIT })?;
        let state = &mut self.state.0;
        self.leftover.apply(io, |mut io| clock::apply(state, &mut io));
        Ok(())
    }

    fn take_key(&mut self, key: &[u8], iv: &[u8]) -> bool {
        let lengths = SIXTEEN.allow(key.len()) && SIXTEEN.allow(iv.len());
        let takes = lengths && admit(self.level, &ANSWER).is_ok();
        if takes {
            self.key.0.copy_from_slice(key);
        }
        takes && self.reset(iv).is_ok()
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        check_length("iv", iv.len(), SIXTEEN)?;
        let mut whole = [0; 16];
        whole.copy_from_slice(iv);
        clock::set_up(self.level, &mut self.state.0, &self.key.0, &whole);
        self.leftover.clear();
        self.left = LIMIT;
        Ok(())
    }
}

impl fmt::Debug for Hc128 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hc128").field("level", &self.level).finish_non_exhaustive()
    }
}
