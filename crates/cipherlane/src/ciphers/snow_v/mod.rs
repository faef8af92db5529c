//! SNOW-V, SNOW-Vi and SNOW 5G: stream ciphers of an LFSR pair and AES rounds.
//!
//! | type | standard | sums of | feedback |
//! |---|---|---|---|
//! | [`SnowV`] | "A new SNOW stream cipher called SNOW-V" (Ekdahl, Johansson, Maximov, Yang, IACR ePrint 2018/1143) | 32 bits | x, 1/x |
//! | [`SnowVi`] | "SNOW-Vi: an extreme performance variant of SNOW-V for lower grade CPUs" (Ekdahl, Maximov, Johansson, Yang, IACR ePrint 2021/236) | 32 bits | x |
//! | [`Snow5g`] | 3GPP TS 35.240 | 16 bits | x |
//!
//! Keys of 32 bytes and IVs of 16. The three are different ciphers, and different types: a key and
//! an IV give another keystream in each.
//!
//! What is made of them: SNOW-V-GCM ([`gcm`]), and over SNOW 5G the 3GPP algorithms 256-NEA4
//! ([`nea4`]), 256-NIA4 ([`nia4`]) and 256-NCA4 ([`nca4`]). The texts of 2021/236 and TS 35.240 were
//! not at hand: definitions are from implementations, and published test data confirms them.
//!
//! # Timing
//! Constant time at every level, `portable` included: no branch, no address and no look-up in
//! memory depends on the key or the state.
//!
//! # Limits
//! No two messages may have the same key and IV. The papers allow 2^64 bytes under one key and IV,
//! which are not counted.
//!
//! # No seek
//! The state after `n` clocks can't be had in fewer: sums and AES rounds have no known shortcut.
//!
//! # Example
//! ```
//! use cipherlane::StreamCipher;
//! use cipherlane::snow_v::SnowV;
//!
//! // 2018/1143, test vector 1.
//! let mut keystream = [0; 4];
//! SnowV::new(&[0; 32], &[0; 16])?.keystream(&mut keystream)?;
//! assert_eq!(keystream, [0x69, 0xca, 0x6d, 0xaf]);
//! # Ok::<(), cipherlane::Error>(())
//! ```

pub mod batch;
mod clock;
#[cfg(feature = "alloc")]
mod entries;
mod family;
pub mod gcm;
mod lanes;
mod member;
pub mod nca4;
pub mod nea4;
pub mod nia4;
#[cfg(feature = "alloc")]
pub(crate) mod operations;
mod sliced;
mod stream;
#[cfg(test)]
mod tests;

use core::fmt;
use core::marker::PhantomData;

use ::lanes::{InOut, Level, Streams, dispatch, dispatch_aes};

use crate::air256::hash::Head;
use crate::error::{Error, check_length};
use crate::first_use::{admit, answer};
use crate::keystream::leftover::Leftover;
use crate::secret::{Depth, Secret, Trace};
use crate::sizes::Sizes;
use crate::traits::stream::StreamCipher;
pub use batch::{Nca4Batch, Nia4Batch, SnowBatch};
use clock::{ROUNDS, STREAMS, Seed, State};
#[cfg(feature = "alloc")]
pub use entries::{SNOW_5G, SNOW_V, SNOW_VI};
pub use gcm::{SnowGcm, SnowVGcm, SnowViGcm};
pub use member::{Member, OfSnow5g, OfSnowV, OfSnowVi, Seals, Variant};
pub use nca4::Nca4;
pub use nea4::Nea4;
pub use nia4::Nia4;
use stream::Besides;

answer!(|level| crate::entry::known_answer::all(&[&SNOW_V, &SNOW_VI, &SNOW_5G], level));

/// How deep a keystream goes on the stack.
const STACK: Depth = Depth::of(4 << 10);

/// The key's length in bytes.
const KEY: Sizes = Sizes::exactly(32);
/// The IV's length in bytes.
const IV: Sizes = Sizes::exactly(16);

/// What stands in b₀ before the initialisation of a keystream.
const NO_NAMES: [u8; 16] = [0; 16];

/// A keystream under one key and IV; `M` says which member of the family.
pub struct Snow<M: Member> {
    level: Level,
    trace: Trace,
    key: Secret<[u8; 32]>,
    state: Secret<State>,
    leftover: Leftover<16>,
    member: PhantomData<M>,
}

/// SNOW-V.
pub type SnowV = Snow<OfSnowV>;

/// SNOW-Vi.
///
/// ```
/// use cipherlane::{StreamCipher, snow_v::SnowVi};
///
/// let mut keystream = [0; 4];
/// SnowVi::new(&[0; 32], &[0; 16])?.keystream(&mut keystream)?;
/// assert_eq!(keystream, [0x50, 0x17, 0x19, 0xe1]);
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub type SnowVi = Snow<OfSnowVi>;

/// SNOW 5G.
///
/// ```
/// use cipherlane::{StreamCipher, snow_v::Snow5g};
///
/// let mut keystream = [0; 4];
/// Snow5g::new(&[0; 32], &[0; 16])?.keystream(&mut keystream)?;
/// assert_eq!(keystream, [0x95, 0xce, 0x19, 0x61]);
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub type Snow5g = Snow<OfSnow5g>;

/// What the initialisation takes, of key and IV of right lengths.
fn seed(key: &[u8], iv: &[u8], names: &[u8; 16]) -> Secret<Seed> {
    let mut seed = Secret([[0; 16]; 4]);
    seed.0[..2].as_flattened_mut().copy_from_slice(key);
    seed.0[2].copy_from_slice(iv);
    seed.0[3] = *names;
    seed
}

fn check(key: &[u8], iv: &[u8]) -> Result<(), Error> {
    check_length("key", key.len(), KEY).and_then(|()| check_length("iv", iv.len(), IV))
}

impl<M: Member> Snow<M> {
    /// The keystream of a key and an IV, at the level [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Length`] if the key is not 32 bytes or the IV not 16, [`Error::Level`] if
    /// `CIPHERLANE_LEVEL` names no level.
    pub fn new(key: &[u8], iv: &[u8]) -> Result<Self, Error> {
        Self::with_level(key, iv, Level::detect()?)
    }

    /// The same at a given level.
    ///
    /// # Errors
    /// As [`new`](Self::new), but for the level.
    pub fn with_level(key: &[u8], iv: &[u8], level: Level) -> Result<Self, Error> {
        Self::start(key, iv, level, &NO_NAMES, None)
    }

    /// The same inside of another object, which clears the stack; behind the first three blocks,
    /// which are put into `head`.
    fn within(
        key: &[u8],
        iv: &[u8],
        level: Level,
        names: &[u8; 16],
        head: &mut Head,
    ) -> Result<Self, Error> {
        let mut made = Self::start(key, iv, level, names, Some(head));
        if let Ok(snow) = &mut made {
            snow.trace.leave();
        }
        made
    }

    fn start(
        key: &[u8],
        iv: &[u8],
        level: Level,
        names: &[u8; 16],
        head: Option<&mut Head>,
    ) -> Result<Self, Error> {
        admit(level, &ANSWER)?;
        check(key, iv)?;
        // In the place that is returned: moved, it would leave a copy behind.
        let mut made = Ok(Self {
            level,
            trace: Trace::of(level, STACK),
            key: Secret([0; 32]),
            state: Secret([[0; 16]; 7]),
            leftover: Leftover::new(),
            member: PhantomData,
        });
        if let Ok(snow) = &mut made {
            snow.key.0.copy_from_slice(key);
            let besides = Besides { heads: head.map(core::slice::from_mut), trace: None };
            let seed = seed(key, iv, names);
            start_one(level, M::VARIANT, &seed.0, &mut snow.state.0, besides);
        }
        made
    }

    /// Starts again, with the first three blocks in `head` if there is one.
    fn restart(&mut self, iv: &[u8], head: Option<&mut Head>) -> Result<(), Error> {
        check_length("iv", iv.len(), IV)?;
        let seed = seed(&self.key.0, iv, &NO_NAMES);
        let besides = Besides { heads: head.map(core::slice::from_mut), trace: None };
        start_one(self.level, M::VARIANT, &seed.0, &mut self.state.0, besides);
        self.leftover.clear();
        Ok(())
    }

    /// A copy at the same place of the same keystream: **both together are a keystream used
    /// twice**.
    fn clone_under_the_same_iv(&self) -> Self {
        let (key, state, leftover) = (self.key.clone(), self.state.clone(), self.leftover.clone());
        Self { trace: self.trace.clone(), key, state, leftover, ..*self }
    }
}

impl<M: Member> StreamCipher for Snow<M> {
    fn level(&self) -> Level {
        self.level
    }

    fn apply_inout(&mut self, io: InOut<'_>) -> Result<(), Error> {
        let (level, state) = (self.level, &mut self.state.0);
        self.leftover.apply_words(io, |body, rest| apply_one(level, M::VARIANT, state, body, rest));
        Ok(())
    }

    fn take_key(&mut self, key: &[u8], iv: &[u8]) -> bool {
        let takes = check(key, iv).is_ok() && admit(self.level, &ANSWER).is_ok();
        if takes {
            self.key.0.copy_from_slice(key);
        }
        takes && self.restart(iv, None).is_ok()
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        self.restart(iv, None)
    }

    fn initialisation(&self, iv: &[u8]) -> Option<[u8; 256]> {
        check_length("iv", iv.len(), IV).ok()?;
        let (seed, mut state) = (seed(&self.key.0, iv, &NO_NAMES), Secret([[0; 16]; 7]));
        let mut blocks = [0; 16 * ROUNDS];
        let trace = blocks.as_chunks_mut().0.first_chunk_mut();
        let besides = Besides { heads: None, trace };
        start_one(self.level, M::VARIANT, &seed.0, &mut state.0, besides);
        Some(blocks)
    }
}

impl<M: Member> fmt::Debug for Snow<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(M::NAME).field("level", &self.level).finish_non_exhaustive()
    }
}

/// Which kernels run, in words.
#[cfg(feature = "alloc")]
fn kernel(level: Level) -> &'static str {
    match streams(level) {
        _ if level == Level::portable() => {
            "one stream: integers, AES rounds on bit planes; many: one after another"
        }
        1 => "one stream in registers, AES rounds; many: one after another",
        2 => "one stream in registers, AES rounds; many: 2 side by side",
        _ => "one stream in registers, AES rounds; many: 4 side by side, or 2",
    }
}

fn start_one(level: Level, variant: Variant, seed: &Seed, state: &mut State, besides: Besides<'_>) {
    dispatch!(level, isa => stream::start(isa, variant, seed, state, besides));
}

fn apply_one(
    level: Level,
    variant: Variant,
    state: &mut State,
    mut io: InOut<'_>,
    rest: &mut [u8; 16],
) -> usize {
    dispatch!(level, isa => stream::apply(isa, variant, state, &mut io, rest))
}

/// How many streams run side by side.
fn streams(level: Level) -> usize {
    dispatch!(level, isa => lanes::streams(isa))
}

/// See [`lanes::start`].
fn start_many(
    level: Level,
    variant: Variant,
    seeds: &[Seed; STREAMS],
    states: &mut [State; STREAMS],
    heads: Option<&mut [Head]>,
) {
    dispatch_aes!(level, isa => lanes::start(isa, variant, seeds, states, heads));
}

/// See [`lanes::apply`].
fn apply_many(
    level: Level,
    variant: Variant,
    states: &mut [State; STREAMS],
    data: &mut Streams<'_, STREAMS>,
    last: Option<&mut [[u8; 16]; STREAMS]>,
) {
    dispatch_aes!(level, isa => lanes::apply(isa, variant, states, data, last));
}
