//! SNOW 3G: the stream cipher of UEA2 and UIA2, which LTE and 5G have as 128-NEA1 and 128-NIA1.
//!
//! | type | what | standard | key | IV |
//! |---|---|---|---|---|
//! | [`Snow3g`] | keystream | 3GPP TS 35.216 (ETSI/SAGE document 2) | 16 bytes | 16 bytes |
//! | [`Nea1`] | 128-NEA1, UEA2 | TS 35.215 §3, TS 33.401, TS 33.501 | 16 bytes | COUNT, BEARER, DIRECTION |
//! | [`Nia1`] | 128-NIA1, UIA2 | TS 35.215 §4, TS 33.401, TS 33.501 | 16 bytes | COUNT, BEARER or FRESH, DIRECTION |
//! | [`Nea1Nia1`] | both on one PDU | as PDCP uses them | 32 bytes | COUNT, BEARER, DIRECTION |
//! | [`Uia2Mac`] | the tag of UIA2 under an IV as it is | TS 35.215 §4 | 16 bytes | 16 bytes |
//! | [`Snow3gBatch`], [`Uia2Batch`], [`Nea1Nia1Batch`] | many messages | | | |
//!
//! Key and IV are the bytes that TS 35.215 makes: the first four of each are K₃ and IV₃.
//!
//! # Timing
//! Constant time at every level, `portable` included: no branch, no address and no look-up in
//! memory depends on the key or the state.
//!
//! # Limits
//! TS 35.216 states none on the keystream of one key and IV.
//!
//! # No seek
//! The registers R1, R2 and R3 follow from the ones before through S-boxes and additions; to start
//! elsewhere, start again and skip.
//!
//! # Example
//! ```
//! use cipherlane::StreamCipher;
//! use cipherlane::snow3g::Snow3g;
//!
//! let mut message = *b"any number of bytes";
//! Snow3g::new(&[7; 16], &[1; 16])?.apply(&mut message)?;
//! let mut cipher = Snow3g::new(&[7; 16], &[1; 16])?;
//! let (head, tail) = message.split_at_mut(5);
//! cipher.apply(head)?;
//! cipher.apply(tail)?;
//! assert_eq!(&message, b"any number of bytes");
//! # Ok::<(), cipherlane::Error>(())
//! ```

mod batch;
mod clock;
#[cfg(feature = "alloc")]
mod entries;
#[cfg(test)]
mod equivalence;
mod hash;
mod integers;
mod lanes;
mod linear;
mod load;
mod mac;
mod nea1;
mod nea1_nia1;
mod nia1;
mod nonlinear;
#[cfg(test)]
mod tests;

use core::fmt;

use ::lanes::{InOut, Isa, Level, dispatch, dispatch_aes};

use crate::error::{Error, check_length};
use crate::first_use::{admit, answer};
use crate::keystream::lane_rows::{Row, STREAMS};
use crate::keystream::leftover::Leftover;
use crate::keystream::scheduler::Keystream;
use crate::secret::{Depth, Secret, Trace};
use crate::sizes::Sizes;
use crate::traits::stream::StreamCipher;
pub use batch::{Nea1Nia1Batch, Snow3gBatch, Uia2Batch};
#[cfg(feature = "alloc")]
pub use entries::ALGORITHM;
#[cfg(feature = "alloc")]
pub(crate) use entries::{NEA1, NEA1_NIA1, NEA1_NIA1_OPEN, NIA1};
pub use mac::Uia2Mac;
pub use nea1::Nea1;
pub use nea1_nia1::Nea1Nia1;
pub use nia1::Nia1;

answer!(|level| crate::entry::known_answer::all(&[&ALGORITHM], level));

/// The lengths of key and IV in bytes.
const SIXTEEN: Sizes = Sizes::exactly(16);

/// §4.1: steps of the initialisation.
const INITIALISATION: usize = 32;

/// How deep operations go on the stack.
const STACK: Depth = Depth::of(4 << 10);

/// Sixteen cells, R1, R2 and R3, little-endian; the last four bytes are 0.
type State = [u8; 80];

/// A SNOW 3G keystream.
///
/// ```
/// use cipherlane::{StreamCipher, snow3g::Snow3g};
///
/// // TS 35.217, SNOW 3G test set 1.
/// let key = 0x4881_ff48_952c_4910_82c5_b300_2bd6_459f_u128.to_be_bytes();
/// let iv = 0x1c0b_f45f_df1f_9b25_ad5c_4d84_ea02_4714_u128.to_be_bytes();
/// let mut keystream = [0; 8];
/// Snow3g::new(&key, &iv)?.keystream(&mut keystream)?;
/// assert_eq!(keystream, [0xab, 0xee, 0x97, 0x04, 0x7a, 0xc3, 0x13, 0x73]);
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub struct Snow3g {
    level: Level,
    trace: Trace,
    key: Secret<[u8; 16]>,
    state: Secret<State>,
    leftover: Leftover<16>,
}

impl Snow3g {
    /// The keystream of a key and an IV, at the level [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Length`] if key or IV have not 16 bytes, [`Error::Level`] if `CIPHERLANE_LEVEL`
    /// names no level.
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
        check_length("iv", iv.len(), SIXTEEN)?;
        // In the place that is returned: moved, it would leave a copy behind.
        let mut made = Ok(Self {
            level,
            trace: Trace::of(level, STACK),
            key: Secret([0; 16]),
            state: Secret([0; 80]),
            leftover: Leftover::new(),
        });
        if let Ok(cipher) = &mut made {
            cipher.key.0.copy_from_slice(key);
            start(level, key, iv, &mut cipher.state.0);
        }
        made
    }

    /// The same inside of another object, which clears the stack.
    fn within(key: &[u8], iv: &[u8], level: Level) -> Result<Self, Error> {
        let mut made = Self::with_level(key, iv, level);
        if let Ok(cipher) = &mut made {
            cipher.trace.leave();
        }
        made
    }
}

impl StreamCipher for Snow3g {
    fn level(&self) -> Level {
        self.level
    }

    fn apply_inout(&mut self, io: InOut<'_>) -> Result<(), Error> {
        let (level, state) = (self.level, &mut self.state.0);
        self.leftover.apply_words(io, |body, rest| apply(level, state, body, rest));
        Ok(())
    }

    fn take_key(&mut self, key: &[u8], iv: &[u8]) -> bool {
        let lengths = SIXTEEN.allow(key.len()) && SIXTEEN.allow(iv.len());
        let takes = lengths && admit(self.level, &ANSWER).is_ok();
        if takes {
            self.key.0.copy_from_slice(key);
            start(self.level, key, iv, &mut self.state.0);
            self.leftover.clear();
        }
        takes
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        check_length("iv", iv.len(), SIXTEEN)?;
        start(self.level, &self.key.0, iv, &mut self.state.0);
        self.leftover.clear();
        Ok(())
    }
}

impl fmt::Debug for Snow3g {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snow3g").field("level", &self.level).finish_non_exhaustive()
    }
}

/// The state before the first word of keystream; key and IV are of right lengths.
fn start(level: Level, key: &[u8], iv: &[u8], state: &mut State) {
    let cells = Secret(load::cells(key, iv));
    *state = [0; 80];
    for (bytes, cell) in state.as_chunks_mut().0.iter_mut().zip(&cells.0) {
        *bytes = cell.to_le_bytes();
    }
    initialise(level, state);
}

fn initialise(level: Level, state: &mut State) {
    dispatch!(level, isa => initialise_one(isa, state));
}

#[inline(always)]
fn initialise_one<I: Isa>(isa: I, state: &mut State) {
    if const { I::SHUFFLE8_NATIVE } {
        clock::initialise(isa.narrow(), state);
    } else {
        integers::initialise(state);
    }
}

fn apply(level: Level, state: &mut State, mut io: InOut<'_>, rest: &mut [u8; 16]) -> usize {
    let io = &mut io;
    dispatch!(level, isa => apply_one(isa, state, io, rest))
}

#[inline(always)]
fn apply_one<I: Isa>(isa: I, state: &mut State, io: &mut InOut<'_>, rest: &mut [u8; 16]) -> usize {
    if const { I::SHUFFLE8_NATIVE } {
        clock::apply(isa.narrow(), state, io, rest)
    } else {
        integers::apply(state, io, rest)
    }
}

/// How many streams run side by side, or 1.
fn lanes_of(level: Level) -> usize {
    dispatch!(level, isa => lanes_in(isa))
}

#[inline(always)]
fn lanes_in<I: Isa>(_: I) -> usize {
    if const { I::SHUFFLE8_NATIVE } { I::BYTES / 4 } else { 1 }
}

fn initialise_lanes(level: Level, loads: &[Row; STREAMS], state: &mut lanes::Rows) {
    dispatch!(level, isa => initialise_all(isa, loads, state));
}

#[inline(always)]
fn initialise_all<I: Isa>(isa: I, loads: &[Row; STREAMS], state: &mut lanes::Rows) {
    if const { I::SHUFFLE8_NATIVE } {
        lanes::initialise(isa, loads, state);
    }
}

fn generate_lanes(
    level: Level,
    state: &mut lanes::Rows,
    blocks: usize,
    quads: usize,
    out: &mut Keystream,
) {
    dispatch!(level, isa => generate_all(isa, state, blocks, quads, out));
}

#[inline(always)]
fn generate_all<I: Isa>(
    isa: I,
    state: &mut lanes::Rows,
    blocks: usize,
    quads: usize,
    out: &mut Keystream,
) {
    if const { I::SHUFFLE8_NATIVE } {
        lanes::generate(isa, state, blocks, quads, out);
    }
}

/// See [`hash::absorb`].
fn absorb(level: Level, p: u64, e: u64, blocks: &[u8]) -> u64 {
    dispatch_aes!(level, isa => hash::absorb(isa, p, e, blocks))
}
