//! Sosemanuk.
//!
//! "Sosemanuk, a fast software-oriented stream cipher" (Berbain et al., 2005), eSTREAM
//! portfolio. Keys have 1 to 32 bytes, and 16 or more where security matters; a shorter key
//! than 32 is padded as Serpent's are, by a byte 0x01 and zeros. The IV has up to 16 bytes;
//! a shorter one is padded with zeros, as the eSTREAM code does. Words are little-endian.
//!
//! # Timing
//! One stream multiplies in GF(2³²) by two tables at places that depend on the state: **not
//! constant-time**. The lanes of [`SosemanukBatch`] have no tables, where there are lanes.
//!
//! # Limits
//! The designers state none on the keystream of one key and IV.
//!
//! # Example
//! ```
//! use cipherlane::StreamCipher;
//! use cipherlane::sosemanuk::Sosemanuk;
//!
//! let mut message = *b"any number of bytes";
//! Sosemanuk::new(&[7; 32], &[1; 16])?.apply(&mut message)?;
//! Sosemanuk::new(&[7; 32], &[1; 16])?.apply(&mut message)?;
//! assert_eq!(&message, b"any number of bytes");
//! # Ok::<(), cipherlane::Error>(())
//! ```

mod batch;
mod clock;
mod field;
mod lanes;
mod sboxes;
mod serpent;
mod together;
mod word;

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::fmt;

use ::lanes::{InOut, Isa, Level, Registers as _, dispatch};

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
pub use batch::SosemanukBatch;

answer!(|level| crate::entry::known_answer::all(&[&ALGORITHM], level));

/// The key's lengths in bytes.
const KEY: Sizes = Sizes::between(1, 32);

/// The IV's lengths in bytes.
const IV: Sizes = Sizes::between(0, 16);

/// How deep operations go on the stack.
const STACK: Depth = Depth::of(4 << 10);

/// A Sosemanuk keystream.
pub struct Sosemanuk {
    level: Level,
    _trace: Trace,
    subkeys: Secret<clock::Subkeys>,
    state: Secret<clock::State>,
    leftover: Leftover<16>,
}

/// The registry's entry.
#[cfg(feature = "alloc")]
pub const ALGORITHM: Algorithm = Algorithm {
    name: "sosemanuk",
    title: "Sosemanuk",
    standard: "Sosemanuk (Berbain et al., 2005), eSTREAM",
    key: KEY,
    new: New::Stream {
        iv: IV,
        new: boxed,
        unlimited: boxed,
        limit: None,
        batch: |_, level| Box::new(SosemanukBatch::with_level(level)),
    },
    timing: Timing::Table,
    warning: Some("keys of fewer than 16 bytes are only as strong as they are long"),
    kernel,
    answer: crate::entry::known_answer::KnownAnswer::keystream(
        "a7c083feb7",
        "00112233445566778899aabbccddeeff",
        "fe81d2162c9a100d04895c454a77515b",
    )
    .with_sums(include_str!("known.txt")),
    oids: &[],
};

#[cfg(feature = "alloc")]
fn boxed(key: &[u8], iv: &[u8], level: Level) -> Result<Box<dyn StreamCipher>, Error> {
    Ok(Box::new(Sosemanuk::with_level(key, iv, level)?))
}

impl Sosemanuk {
    /// The keystream of a key and an IV, at the level [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Length`] if the key hasn't 1 to 32 bytes or the IV more than 16,
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
        let mut cipher = Self {
            level,
            _trace: Trace::of(level, STACK),
            subkeys: Secret([0; 100]),
            state: Secret([0; 12]),
            leftover: Leftover::new(),
        };
        clock::key_setup(&words_of(&padded_key(key)), &mut cipher.subkeys.0);
        cipher.state.0 = iv_setup(&cipher.subkeys.0, iv);
        Ok(cipher)
    }
}

impl StreamCipher for Sosemanuk {
    fn level(&self) -> Level {
        self.level
    }

    fn apply_inout(&mut self, io: InOut<'_>) -> Result<(), Error> {
        let (level, state) = (self.level, &mut self.state.0);
        self.leftover.apply(io, |io| apply(level, state, io));
        Ok(())
    }

    fn take_key(&mut self, key: &[u8], iv: &[u8]) -> bool {
        let lengths = KEY.allow(key.len()) && IV.allow(iv.len());
        let takes = lengths && admit(self.level, &ANSWER).is_ok();
        if takes {
            clock::key_setup(&words_of(&padded_key(key)), &mut self.subkeys.0);
        }
        takes && self.reset(iv).is_ok()
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        check_length("iv", iv.len(), IV)?;
        self.state.0 = iv_setup(&self.subkeys.0, iv);
        self.leftover.clear();
        Ok(())
    }
}

impl fmt::Debug for Sosemanuk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sosemanuk").field("level", &self.level).finish_non_exhaustive()
    }
}

/// Which kernels run, in words.
#[cfg(feature = "alloc")]
fn kernel(level: Level) -> &'static str {
    match lanes_of(level) {
        4 => "one stream: tables, S2 in 4 lanes; many: 4 in lanes, byte maps",
        8 => "one stream: tables, S2 in 4 lanes; many: 8 in lanes, byte maps",
        16 => "one stream: tables, S2 in 4 lanes; many: 16 in lanes, byte maps",
        _ => "one stream: scalar, tables; many: one after another",
    }
}

/// A key as Serpent takes it: a shorter one than 32 bytes has a byte 0x01 behind it, which
/// is a single bit in the order of Serpent, and zeros.
fn padded_key(key: &[u8]) -> [u8; 32] {
    let mut padded = [0; 32];
    padded[..key.len()].copy_from_slice(key);
    if let Some(behind) = padded.get_mut(key.len()) {
        *behind = 1;
    }
    padded
}

/// The words of some bytes, little-endian.
fn words_of<const N: usize>(bytes: &[u8]) -> [u32; N] {
    let mut words = [0; N];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    words
}

fn iv_setup(subkeys: &clock::Subkeys, iv: &[u8]) -> clock::State {
    let mut padded = [0; 16];
    padded[..iv.len()].copy_from_slice(iv);
    clock::iv_setup(subkeys, &words_of(&padded))
}

/// Xors keystream into data of whole blocks of 16 bytes.
fn apply(level: Level, state: &mut clock::State, mut io: InOut<'_>) {
    let mut offset = 0;
    if io.len() >= clock::LONG && lanes_of(level) > 1 {
        let mut taken = Secret(clock::Taken::EMPTY);
        // The steps are taken outside the doors: they have nothing for registers of lanes.
        while io.len() - offset >= clock::LONG {
            clock::take(state, &mut taken.0);
            xor_taken(level, &taken.0, io.part(offset, clock::LONG));
            offset += clock::LONG;
        }
    }
    let len = io.len() - offset;
    clock::apply(state, &mut io.part(offset, len));
}

fn xor_taken(level: Level, taken: &clock::Taken, mut io: InOut<'_>) {
    let io = &mut io;
    dispatch!(level, isa => together::apply(isa.narrow(), taken, io));
}

fn lanes_of(level: Level) -> usize {
    dispatch!(level, isa => lanes_in(isa))
}

#[inline(always)]
fn lanes_in<I: Isa>(_: I) -> usize {
    if const { I::LANES_NATIVE } { I::BYTES / 4 } else { 1 }
}

fn initialise_lanes(level: Level, loads: &[Row; STREAMS], state: &mut lanes::Rows) {
    dispatch!(level, isa => lanes::initialise(isa, loads, state));
}

fn generate_lanes(
    level: Level,
    state: &mut lanes::Rows,
    blocks: usize,
    quads: usize,
    out: &mut Keystream,
) {
    dispatch!(level, isa => lanes::generate(isa, state, blocks, quads, out));
}
