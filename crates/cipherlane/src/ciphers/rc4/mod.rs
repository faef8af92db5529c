//! RC4, also known as arcfour: **broken**, for old data and for comparison only.
//!
//! "RC4" as published in 1994 and in RFC 6229 (test vectors); RFC 7465 forbids it in TLS. Its
//! keystream is biased from the first byte to the last: whoever sees the same plaintext under
//! many keys recovers it. Keys have 1 to 256 bytes; there is no IV, so that a key must never
//! encrypt twice. [`Rc4::with_drop`] leaves out the first bytes ("RC4-drop(n)"), which are
//! biased most, and does not mend the others.
//!
//! # Timing
//! The permutation is looked up at places that depend on the key: **not constant-time**, at
//! any level. That is the cipher itself.
//!
//! # Example
//! ```
//! use cipherlane::StreamCipher;
//! use cipherlane::rc4::Rc4;
//!
//! let mut message = *b"any number of bytes";
//! Rc4::new(b"a key")?.apply(&mut message)?;
//! Rc4::new(b"a key")?.apply(&mut message)?;
//! assert_eq!(&message, b"any number of bytes");
//!
//! let mut keystream = [0; 4];
//! Rc4::with_drop(b"a key", 768)?.keystream(&mut keystream)?;
//! # Ok::<(), cipherlane::Error>(())
//! ```

mod batch;
mod state;
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
use crate::error::Error;
use crate::error::check_length;
use crate::first_use::{admit, answer};
use crate::secret::{Depth, Secret, Trace};
use crate::sizes::Sizes;
use crate::traits::stream::StreamCipher;
pub use batch::Rc4Batch;

answer!(|level| crate::entry::known_answer::all(&[&ALGORITHM], level));

/// The key's lengths in bytes.
const KEY: Sizes = Sizes::between(1, 256);

/// How deep operations go on the stack.
const STACK: Depth = Depth::of(4 << 10);

/// An RC4 keystream.
pub struct Rc4 {
    level: Level,
    _trace: Trace,
    key: Secret<state::Repeated>,
    drop: usize,
    state: Secret<state::State>,
}

/// The registry's entry.
#[cfg(feature = "alloc")]
pub const ALGORITHM: Algorithm = Algorithm {
    name: "rc4",
    title: "RC4",
    standard: "RC4 (Rivest, 1987), RFC 6229",
    key: KEY,
    new: New::Stream {
        iv: Sizes::exactly(0),
        new: boxed,
        unlimited: boxed,
        limit: None,
        batch: |_, _| Box::new(Rc4Batch::new()),
    },
    timing: Timing::Table,
    warning: Some("broken: the keystream is biased throughout; forbidden in TLS (RFC 7465)"),
    kernel: |_| "one stream: scalar, a table indexed by the key; many: scalar, 4 in turn",
    answer: crate::entry::known_answer::KnownAnswer::keystream(
        "0102030405060708090a0b0c0d0e0f10",
        "",
        "9ac7cc9a609d1ef7b2932899cde41b97",
    )
    .with_sums(include_str!("known.txt")),
    oids: &[],
};

#[cfg(feature = "alloc")]
fn boxed(key: &[u8], iv: &[u8], level: Level) -> Result<Box<dyn StreamCipher>, Error> {
    admit(level, &ANSWER)?;
    check_length("key", key.len(), KEY)?;
    check_length("iv", iv.len(), Sizes::exactly(0))?;
    // Made where it stays.
    let mut cipher = Box::new(Rc4::empty(0, level));
    cipher.start(key);
    Ok(cipher)
}

impl Rc4 {
    /// The keystream of a key.
    ///
    /// # Errors
    /// [`Error::Length`] if the key hasn't 1 to 256 bytes, [`Error::Level`] if
    /// `CIPHERLANE_LEVEL` names no level.
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        Self::with_drop(key, 0)
    }

    /// The keystream of a key without its first `drop` bytes.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_drop(key: &[u8], drop: usize) -> Result<Self, Error> {
        Self::with_level(key, drop, Level::detect()?)
    }

    /// The same at a given level; the code is the same at all of them.
    ///
    /// # Errors
    /// As [`new`](Self::new), but for the level.
    pub fn with_level(key: &[u8], drop: usize, level: Level) -> Result<Self, Error> {
        admit(level, &ANSWER)?;
        check_length("key", key.len(), KEY)?;
        let mut cipher = Self::empty(drop, level);
        cipher.start(key);
        Ok(cipher)
    }

    /// A place for a key.
    fn empty(drop: usize, level: Level) -> Self {
        let (key, state) = (Secret([0; 256]), Secret(state::State::EMPTY));
        Self { level, _trace: Trace::of(level, STACK), key, drop, state }
    }

    /// Takes a key of a right length.
    fn start(&mut self, key: &[u8]) {
        state::repeat(key, &mut self.key.0);
        self.restart();
    }

    fn restart(&mut self) {
        self.state.0.set_up(&self.key.0);
        self.state.0.skip(self.drop);
    }
}

impl StreamCipher for Rc4 {
    fn level(&self) -> Level {
        self.level
    }

    fn apply_inout(&mut self, io: InOut<'_>) -> Result<(), Error> {
        self.state.0.apply(io);
        Ok(())
    }

    fn take_key(&mut self, key: &[u8], iv: &[u8]) -> bool {
        let lengths = KEY.allow(key.len()) && iv.is_empty();
        let takes = lengths && admit(self.level, &ANSWER).is_ok();
        if takes {
            self.start(key);
        }
        takes
    }

    /// Starts the same keystream again: there is no IV, and `iv` must be empty.
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        check_length("iv", iv.len(), Sizes::exactly(0))?;
        self.restart();
        Ok(())
    }
}

impl fmt::Debug for Rc4 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rc4").field("level", &self.level).finish_non_exhaustive()
    }
}
