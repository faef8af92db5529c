//! Salsa20 with 8, 12 or 20 rounds.
//!
//! "Salsa20 specification" (D. J. Bernstein, 2005), as in the eSTREAM portfolio, where
//! Salsa20/12 is. Keys have 16 or 32 bytes, nonces 8 (here called IVs), words are
//! little-endian; the block counter has 64 bits and starts at 0.
//!
//! # Timing
//! Constant time at every level: additions, xors and rotations by constants.
//!
//! # Limits
//! 2⁶⁴ blocks (2⁷⁰ bytes) under one key and nonce; past them
//! [`StreamCipher::apply_inout`] and [`StreamSeek::seek`] return [`Error::Limit`] and change
//! nothing.
//!
//! # Example
//! ```
//! use cipherlane::salsa20::Salsa20_12;
//! use cipherlane::{StreamCipher, StreamSeek};
//!
//! let mut message = *b"any number of bytes";
//! let mut cipher = Salsa20_12::new(&[7; 32], &[1; 8])?;
//! cipher.apply(&mut message)?;
//! cipher.seek(4)?;
//! cipher.apply(&mut message[4..])?;
//! assert_eq!(&message[4..], b"number of bytes");
//! # Ok::<(), cipherlane::Error>(())
//! ```

mod batch;
mod block;
#[cfg(feature = "alloc")]
mod entries;
mod key;
#[cfg(test)]
mod tests;

use core::fmt;

use lanes::{InOut, Isa, Level, dispatch_plain};

use crate::error::Error;
use crate::first_use::{admit, answer};
use crate::keystream::lane_rows::{Row, STREAMS};
use crate::keystream::leftover::Leftover;
use crate::secret::{Depth, Secret, Trace};
use crate::traits::stream::{StreamCipher, StreamSeek};
pub use batch::Salsa20Batch;
use block::BLOCK;
#[cfg(feature = "alloc")]
pub use entries::{SALSA20_8, SALSA20_12, SALSA20_20};

answer!(|level| crate::entry::known_answer::all(&[&SALSA20_8, &SALSA20_12, &SALSA20_20], level));

/// How deep operations go on the stack.
const STACK: Depth = Depth::of(4 << 10);

/// A Salsa20 keystream; `ROUNDS` is 8, 12 or 20.
pub struct Salsa20<const ROUNDS: usize> {
    level: Level,
    _trace: Trace,
    /// The words of block 0.
    input: Secret<[u32; 16]>,
    /// The number of the next block, 2⁶⁴ at the end.
    next: u128,
    leftover: Leftover<BLOCK>,
}

/// Salsa20/8.
pub type Salsa20_8 = Salsa20<8>;

/// Salsa20/12, the eSTREAM portfolio's.
pub type Salsa20_12 = Salsa20<12>;

/// Salsa20/20.
pub type Salsa20_20 = Salsa20<20>;

/// How many blocks there are under one key and nonce.
const BLOCKS: u128 = 1 << 64;

impl<const ROUNDS: usize> Salsa20<ROUNDS> {
    /// The keystream of a key and a nonce, at the level [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Length`] if the key hasn't 16 or 32 bytes or the nonce 8, [`Error::Level`] if
    /// `CIPHERLANE_LEVEL` names no level.
    pub fn new(key: &[u8], nonce: &[u8]) -> Result<Self, Error> {
        Self::with_level(key, nonce, Level::detect()?)
    }

    /// The same at a given level.
    ///
    /// # Errors
    /// As [`new`](Self::new), but for the level.
    pub fn with_level(key: &[u8], nonce: &[u8], level: Level) -> Result<Self, Error> {
        admit(level, &ANSWER)?;
        key::check(key, nonce)?;
        let mut cipher = Self::empty(level);
        key::expand(key, nonce, &mut cipher.input.0);
        Ok(cipher)
    }

    /// A place for a key and a nonce.
    fn empty(level: Level) -> Self {
        const { assert!(ROUNDS == 8 || ROUNDS == 12 || ROUNDS == 20, "8, 12 or 20 rounds") };
        Self {
            level,
            _trace: Trace::of(level, STACK),
            input: Secret([0; 16]),
            next: 0,
            leftover: Leftover::new(),
        }
    }
}

impl<const ROUNDS: usize> StreamCipher for Salsa20<ROUNDS> {
    fn level(&self) -> Level {
        self.level
    }

    fn apply_inout(&mut self, io: InOut<'_>) -> Result<(), Error> {
        let blocks = io.len().saturating_sub(self.leftover.len()).div_ceil(BLOCK);
        if blocks as u128 > BLOCKS - self.next {
            return Err(past_the_end());
        }
        let (level, input, next) = (self.level, &self.input.0, &mut self.next);
        self.leftover.apply_to_the_end(io, |io, last| {
            apply(level, input, *next as u64, ROUNDS, io, last);
            *next += blocks as u128;
        });
        Ok(())
    }

    fn take_key(&mut self, key: &[u8], iv: &[u8]) -> bool {
        let takes = key::check(key, iv).is_ok() && admit(self.level, &ANSWER).is_ok();
        if takes {
            key::expand(key, iv, &mut self.input.0);
            self.next = 0;
            self.leftover.clear();
        }
        takes
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        crate::error::check_length("iv", iv.len(), key::NONCE)?;
        let (low, high) = iv.split_at(4);
        for (word, bytes) in self.input.0[6..8].iter_mut().zip([low, high]) {
            *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        self.next = 0;
        self.leftover.clear();
        Ok(())
    }
}

impl<const ROUNDS: usize> StreamSeek for Salsa20<ROUNDS> {
    fn position(&self) -> u128 {
        self.next * BLOCK as u128 - self.leftover.len() as u128
    }

    fn seek(&mut self, position: u128) -> Result<(), Error> {
        let (block, within) = (position / BLOCK as u128, (position % BLOCK as u128) as usize);
        if block > BLOCKS || block == BLOCKS && within > 0 {
            return Err(past_the_end());
        }
        self.next = block;
        self.leftover.clear();
        if within > 0 {
            let (level, input) = (self.level, &self.input.0);
            let mut last = Secret([0; BLOCK]);
            self.leftover.skip_into(within, |io| {
                apply(level, input, block as u64, ROUNDS, io, &mut last.0);
            });
            self.next += 1;
        }
        Ok(())
    }
}

fn past_the_end() -> Error {
    Error::Limit { what: "number of the last block under one key and IV", limit: u64::MAX }
}

impl<const ROUNDS: usize> fmt::Debug for Salsa20<ROUNDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Salsa20").field("level", &self.level).finish_non_exhaustive()
    }
}

/// Which kernels run, in words.
#[cfg(feature = "alloc")]
fn kernel(level: Level) -> &'static str {
    match lanes_of(level) {
        4 => "scalar to 2 blocks, else 4 blocks in lanes; many: 4 blocks of any messages",
        8 => "scalar to 2 blocks, else 4 or 8 in lanes; many: 8 blocks of any messages",
        16 => "scalar for 1 block, else 4 or 16 in lanes; many: 16 blocks of any messages",
        _ => "scalar; many: one after another",
    }
}

fn lanes_of(level: Level) -> usize {
    dispatch_plain!(level, isa => lanes(isa))
}

#[inline(always)]
fn lanes<I: Isa>(_: I) -> usize {
    if const { I::LANES_NATIVE } { I::BYTES / 4 } else { 1 }
}

fn apply(
    level: Level,
    input: &[u32; 16],
    counter: u64,
    rounds: usize,
    mut io: InOut<'_>,
    last: &mut [u8; BLOCK],
) {
    let io = &mut io;
    let done = match io.len() {
        0..=BLOCK => 0,
        _ => dispatch_plain!(level, isa => block::in_lanes(isa, input, counter, rounds, io, last)),
    };
    block::one_by_one(input, counter, rounds, io, last, done);
}

fn of_many(level: Level, inputs: &[Row; STREAMS], rounds: usize, out: &mut [u8; BLOCK * STREAMS]) {
    dispatch_plain!(level, isa => block::of_many(isa, inputs, rounds, out));
}
