//! Rabbit, with an IV and without.
//!
//! RFC 4503; eSTREAM portfolio. The key has 16 bytes, the IV 8, or none: then the keystream
//! follows from the key alone (§2.3 without §2.4), and the key must not be used again.
//!
//! # Byte order
//! That of the eSTREAM code: the first byte of key, IV and of every 16 bytes of keystream is
//! the lowest of the number. RFC 4503 prints these numbers highest byte first, so a string
//! of its appendix A is reversed, keystream 16 bytes by 16, before it is used here.
//!
//! # Timing
//! Constant time at every level: additions, rotations by constants and multiplications,
//! which take the same time whatever their factors on the CPUs we know.
//!
//! # Limits
//! The designers give no bound that a caller could reach: 2⁶⁴ blocks under one key.
//!
//! # Example
//! ```
//! use cipherlane::StreamCipher;
//! use cipherlane::rabbit::Rabbit;
//!
//! let mut message = *b"any number of bytes";
//! Rabbit::new(&[7; 16], &[1; 8])?.apply(&mut message)?;
//! let mut cipher = Rabbit::new(&[7; 16], &[1; 8])?;
//! let (head, tail) = message.split_at_mut(5);
//! cipher.apply(head)?;
//! cipher.apply(tail)?;
//! assert_eq!(&message, b"any number of bytes");
//! # Ok::<(), cipherlane::Error>(())
//! ```

mod batch;
mod clock;
mod lanes;

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::fmt;

use ::lanes::{InOut, Isa, Level, dispatch_plain};

#[cfg(feature = "alloc")]
use crate::entry::timing::Timing;
#[cfg(feature = "alloc")]
use crate::entry::{Algorithm, New};
use crate::error::{Error, check_length};
use crate::first_use::{admit, answer};
use crate::keystream::lane_rows::{Row, STREAMS};
use crate::keystream::leftover::Leftover;
use crate::keystream::scheduler::Keystream;
use crate::secret::{Depth, Secret, Trace};
use crate::sizes::Sizes;
use crate::traits::stream::StreamCipher;
pub use batch::RabbitBatch;

answer!(|level| crate::entry::known_answer::all(&[&ALGORITHM], level));

/// The key's length in bytes.
const KEY: Sizes = Sizes::exactly(16);

/// The IV's lengths in bytes: none, or 8.
const IV: Sizes = Sizes::steps(0, 8, 8);

/// How deep operations go on the stack.
const STACK: Depth = Depth::of(4 << 10);

/// A Rabbit keystream.
pub struct Rabbit {
    level: Level,
    _trace: Trace,
    /// The state after the key set-up, which every IV starts from.
    master: Secret<clock::State>,
    state: Secret<clock::State>,
    leftover: Leftover<16>,
}

/// The registry's entry.
#[cfg(feature = "alloc")]
pub const ALGORITHM: Algorithm = Algorithm {
    name: "rabbit",
    title: "Rabbit",
    standard: "RFC 4503, in the byte order of eSTREAM",
    key: KEY,
    new: New::Stream {
        iv: IV,
        new: boxed,
        unlimited: boxed,
        limit: None,
        batch: |_, level| Box::new(RabbitBatch::with_level(level)),
    },
    timing: Timing::ConstantTime,
    warning: None,
    kernel,
    answer: crate::entry::known_answer::KnownAnswer::keystream(
        "80000000000000000000000000000000",
        "0000000000000000",
        "dcdcb614f738a20ce103637e58091766",
    )
    .with_sums(include_str!("known.txt")),
    oids: &[],
};

#[cfg(feature = "alloc")]
fn boxed(key: &[u8], iv: &[u8], level: Level) -> Result<Box<dyn StreamCipher>, Error> {
    admit(level, &ANSWER)?;
    check_length("key", key.len(), KEY)?;
    check_length("iv", iv.len(), IV)?;
    // Made where it stays.
    let mut cipher = Box::new(Rabbit::empty(level));
    cipher.start(key, iv);
    Ok(cipher)
}

impl Rabbit {
    /// The keystream of a key and an IV, which may be empty, at the level
    /// [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Length`] if the key hasn't 16 bytes or the IV neither 8 nor 0,
    /// [`Error::Level`] if `CIPHERLANE_LEVEL` names no level.
    pub fn new(key: &[u8], iv: &[u8]) -> Result<Self, Error> {
        Self::with_level(key, iv, Level::detect()?)
    }

    /// The same at a given level.
    ///
    /// # Errors
    /// As [`new`](Self::new), but for the level.
    pub fn with_level(key: &[u8], iv: &[u8], level: Level) -> Result<Self, Error> {
        admit(level, &ANSWER)?;
        check_length("key", key.len(), KEY)?;
        check_length("iv", iv.len(), IV)?;
        let mut cipher = Self::empty(level);
        cipher.start(key, iv);
        Ok(cipher)
    }

    /// A place for a key and an IV.
    fn empty(level: Level) -> Self {
        let (master, state) = (Secret([0; 17]), Secret([0; 17]));
        Self { level, _trace: Trace::of(level, STACK), master, state, leftover: Leftover::new() }
    }

    /// Takes a key and an IV of right lengths.
    fn start(&mut self, key: &[u8], iv: &[u8]) {
        self.master.0 = clock::key_setup(&words_of(key));
        self.state.0 = begin(&self.master.0, iv);
    }
}

impl StreamCipher for Rabbit {
    fn level(&self) -> Level {
        self.level
    }

    fn apply_inout(&mut self, io: InOut<'_>) -> Result<(), Error> {
        let state = &mut self.state.0;
        self.leftover.apply_to_the_end(io, |mut io, last| clock::apply(state, &mut io, last));
        Ok(())
    }

    fn take_key(&mut self, key: &[u8], iv: &[u8]) -> bool {
        let lengths = KEY.allow(key.len()) && IV.allow(iv.len());
        let takes = lengths && admit(self.level, &ANSWER).is_ok();
        if takes {
            self.start(key, iv);
            self.leftover.clear();
        }
        takes
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        check_length("iv", iv.len(), IV)?;
        self.state.0 = begin(&self.master.0, iv);
        self.leftover.clear();
        Ok(())
    }
}

impl fmt::Debug for Rabbit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rabbit").field("level", &self.level).finish_non_exhaustive()
    }
}

/// Which kernels run, in words.
#[cfg(feature = "alloc")]
fn kernel(level: Level) -> &'static str {
    match lanes_of(level) {
        4 => "one stream: scalar; many: 4 in lanes",
        8 => "one stream: scalar; many: 8 in lanes",
        16 => "one stream: scalar; many: 16 in lanes",
        _ => "one stream: scalar; many: one after another",
    }
}

/// The first words of some bytes, little-endian.
#[inline(always)]
fn words_of<const N: usize>(bytes: &[u8]) -> [u32; N] {
    let mut words = [0; N];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    words
}

/// The state that an IV, or none, makes of the master state.
fn begin(master: &clock::State, iv: &[u8]) -> clock::State {
    if iv.is_empty() { *master } else { clock::iv_setup(master, words_of(iv)) }
}

fn lanes_of(level: Level) -> usize {
    dispatch_plain!(level, isa => lanes_in(isa))
}

#[inline(always)]
fn lanes_in<I: Isa>(_: I) -> usize {
    if const { I::LANES_NATIVE } { I::BYTES / 4 } else { 1 }
}

fn initialise_lanes(level: Level, loads: &[Row; STREAMS], ivs: &[Row; 5], state: &mut lanes::Rows) {
    dispatch_plain!(level, isa => lanes::initialise(isa, loads, ivs, state));
}

fn generate_lanes(
    level: Level,
    state: &mut lanes::Rows,
    blocks: usize,
    quads: usize,
    out: &mut Keystream,
) {
    dispatch_plain!(level, isa => lanes::generate(isa, state, blocks, quads, out));
}
