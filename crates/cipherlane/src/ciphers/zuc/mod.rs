//! ZUC: the stream ciphers ZUC-128 and ZUC-256.
//!
//! | type | standard | key | IV |
//! |---|---|---|---|
//! | [`Zuc128`] | GM/T 0001.1-2012, GB/T 33133.1-2016, 3GPP TS 35.222 (ETSI/SAGE document 2) | 16 bytes | 16 bytes |
//! | [`Zuc256`] | "The ZUC-256 Stream Cipher" (ZUC team, 2018) | 32 bytes | 184 bits: 23 or 25 bytes |
//! | [`Zuc256Of2021`] | "An Addendum to the ZUC-256 Stream Cipher" (IACR ePrint 2021/1439) | 32 bytes | 16 bytes |
//! | [`Zuc256Of2023`] | "A New Initialization Scheme of the ZUC-256 Stream Cipher" (ZUC team, 2023) | 32 bytes | 16 bytes |
//!
//! The three ZUC-256 are different ciphers, and different types: a key and an IV give
//! another keystream in each. The IV of 2018 is 17 bytes and eight 6-bit values: 25
//! bytes with one value in each of the last eight, or 23 bytes with the values packed,
//! highest bit first.
//!
//! What is made of them: the MACs in [`mac`]; the 3GPP algorithms 128-EEA3 ([`eea3`]),
//! 128-EIA3 ([`eia3`]), both at once ([`eea3_eia3`]), 256-NEA6 ([`nea6`]), 256-NIA6 ([`nia6`]) and 256-NCA6 ([`nca6`]); and the AEADs
//! [`gxm`](crate::aead::gxm) and [`mur`](crate::aead::mur).
//!
//! # Timing
//! Constant time at every level, `portable` included: no branch, no address and no
//! look-up in memory depends on the key or the state.
//!
//! # Limits
//! ZUC-256 of 2018 gives at most 20 000 bits (2500 bytes) under one key and IV; past them
//! [`StreamCipher::apply_inout`] returns [`Error::Limit`] and writes nothing.
//!
//! # No seek
//! The state after `n` clocks can't be had in fewer: the registers R1 and R2 follow
//! from the ones before through S-boxes and two kinds of addition, for which no
//! shortcut is known. To start elsewhere, start again and skip.
//!
//! # Example
//! ```
//! use cipherlane::StreamCipher;
//! use cipherlane::zuc::Zuc128;
//!
//! let mut message = *b"any number of bytes";
//! Zuc128::new(&[7; 16], &[1; 16])?.apply(&mut message)?;
//! let mut cipher = Zuc128::new(&[7; 16], &[1; 16])?;
//! let (head, tail) = message.split_at_mut(5);
//! cipher.apply(head)?;
//! cipher.apply(tail)?;
//! assert_eq!(&message, b"any number of bytes");
//! # Ok::<(), cipherlane::Error>(())
//! ```

pub mod batch;
mod clock;
pub mod eea3;
pub mod eea3_eia3;
pub mod eia3;
#[cfg(feature = "alloc")]
mod entries;
#[cfg(test)]
mod equivalence;
mod family;
mod frame;
mod key;
mod lanes;
mod linear;
mod load;
pub mod mac;
pub mod nca6;
pub mod nea6;
pub mod nia6;
#[cfg(feature = "alloc")]
pub(crate) mod operations;
mod sbox;
#[cfg(test)]
mod tables;
#[cfg(test)]
mod tests;

use core::fmt;
use core::marker::PhantomData;

use ::lanes::{InOut, Level, dispatch};

use crate::error::Error;
use crate::first_use::{admit, answer};
use crate::keystream::leftover::Leftover;
use crate::secret::{Depth, Secret, Trace};
use crate::traits::stream::StreamCipher;
pub use batch::{
    FrameBatch, FramePacket, Nca6Batch, Nia6Batch, ZucBatch, ZucBothBatch, ZucMacBatch,
};
pub use eea3::Eea3;
pub use eea3_eia3::{Eea3Eia3, Order};
pub use eia3::Eia3;
#[cfg(feature = "alloc")]
pub use entries::{ZUC_128, ZUC_256, ZUC_256_OF_2021, ZUC_256_OF_2023};
pub use family::OfZuc256;
pub use frame::Frame;
pub use key::{Key128, Key256Of2018, Key256Of2021, Key256Of2023, Member};
pub use nca6::Nca6;
pub use nea6::Nea6;
pub use nia6::Nia6;

answer!(|level| crate::entry::known_answer::all(
    &[&ZUC_128, &ZUC_256, &ZUC_256_OF_2021, &ZUC_256_OF_2023],
    level
));

/// How deep a keystream goes on the stack.
pub(crate) const STACK: Depth = Depth::of(4 << 10);
/// The same of what hashes beside it.
pub(crate) const DEEP: Depth = Depth::of(16 << 10);

/// A ZUC keystream under one key; `M` says which member of the family.
pub struct Zuc<M: Member> {
    level: Level,
    trace: Trace,
    /// The key; its length is `M::KEY`.
    key: Secret<[u8; 32]>,
    state: Secret<clock::State>,
    leftover: Leftover<16>,
    limit: Limit,
    member: PhantomData<M>,
}

/// How many bytes one key and IV may give, if that is bounded.
#[derive(Clone, Copy)]
struct Limit {
    /// [`u64::MAX`] where it is not: an option would have room for what it does not wipe.
    bytes: u64,
    left: u64,
}

/// No bound.
const UNBOUNDED: Limit = Limit { bytes: u64::MAX, left: u64::MAX };

/// ZUC-128, GM/T 0001.1-2012.
///
/// ```
/// use cipherlane::{StreamCipher, zuc::Zuc128};
///
/// let mut keystream = [0; 8];
/// Zuc128::new(&[0; 16], &[0; 16])?.keystream(&mut keystream)?;
/// assert_eq!(keystream, [0x27, 0xbe, 0xde, 0x74, 0x01, 0x80, 0x82, 0xda]);
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub type Zuc128 = Zuc<Key128>;

/// ZUC-256 as published in 2018, with an IV of 184 bits.
///
/// ```
/// use cipherlane::{StreamCipher, zuc::Zuc256};
///
/// let mut keystream = [0; 8];
/// Zuc256::new(&[0; 32], &[0; 25])?.keystream(&mut keystream)?;
/// assert_eq!(keystream, [0x58, 0xd0, 0x3a, 0xd6, 0x2e, 0x03, 0x2c, 0xe2]);
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub type Zuc256 = Zuc<Key256Of2018>;

/// ZUC-256 as in the addendum of 2021, with an IV of 128 bits and 32 + 1 rounds.
///
/// ```
/// use cipherlane::{StreamCipher, zuc::Zuc256Of2021};
///
/// let mut keystream = [0; 8];
/// Zuc256Of2021::new(&[0; 32], &[0; 16])?.keystream(&mut keystream)?;
/// assert_eq!(keystream, [0xe4, 0x57, 0xe2, 0x06, 0xce, 0xe7, 0x9e, 0x16]);
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub type Zuc256Of2021 = Zuc<Key256Of2021>;

/// ZUC-256 as published in 2023, with an IV of 128 bits and 48 + 1 rounds: that of the
/// 3GPP algorithms 256-NEA6, 256-NIA6 and 256-NCA6.
///
/// ```
/// use cipherlane::{StreamCipher, zuc::Zuc256Of2023};
///
/// let mut keystream = [0; 8];
/// Zuc256Of2023::new(&[0; 32], &[0; 16])?.keystream(&mut keystream)?;
/// assert_eq!(keystream, [0x02, 0x34, 0xe9, 0x32, 0xf0, 0xc2, 0x22, 0x92]);
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub type Zuc256Of2023 = Zuc<Key256Of2023>;

impl<M: Member> Zuc<M> {
    /// A copy at the same place of the same keystream: **both together are a keystream used
    /// twice**.
    fn clone_under_the_same_iv(&self) -> Self {
        let (key, state, leftover) = (self.key.clone(), self.state.clone(), self.leftover.clone());
        Self { trace: self.trace.clone(), key, state, leftover, ..*self }
    }

    /// The keystream of a key and an IV, at the level [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Length`] if the key or the IV has a length the cipher doesn't take,
    /// [`Error::Value`] if a 6-bit value of an IV is 64 or more, [`Error::Level`] if
    /// `CIPHERLANE_LEVEL` names no level.
    pub fn new(key: &[u8], iv: &[u8]) -> Result<Self, Error> {
        Self::with_level(key, iv, Level::detect()?)
    }

    /// The same at a given level.
    ///
    /// # Errors
    /// As [`new`](Self::new), but for the level.
    pub fn with_level(key: &[u8], iv: &[u8], level: Level) -> Result<Self, Error> {
        Self::start(key, iv, level, M::LIMIT)
    }

    /// The same inside of another object, which clears the stack.
    pub(crate) fn within(key: &[u8], iv: &[u8], level: Level) -> Result<Self, Error> {
        let mut made = Self::start(key, iv, level, M::LIMIT);
        if let Ok(zuc) = &mut made {
            zuc.trace.leave();
        }
        made
    }

    fn start(key: &[u8], iv: &[u8], level: Level, limit: Option<u64>) -> Result<Self, Error> {
        admit(level, &ANSWER)?;
        let cells = Secret(key::cells::<M>(key, iv)?);
        // In the place that is returned: moved, it would leave a copy behind.
        let mut made = Ok(Self {
            level,
            trace: Trace::of(level, STACK),
            key: Secret([0; 32]),
            state: Secret([0; 18]),
            leftover: Leftover::new(),
            limit: limit.map_or(UNBOUNDED, |bytes| Limit { bytes, left: bytes }),
            member: PhantomData,
        });
        if let Ok(zuc) = &mut made {
            zuc.key.0[..key.len()].copy_from_slice(key);
            initialise(level, &cells.0, M::ROUNDS, &mut zuc.state.0);
        }
        made
    }
}

impl Zuc128 {
    /// A keystream that another kernel has begun, whose key nobody needs any more.
    fn resume(level: Level, state: &clock::State) -> Self {
        Self {
            level,
            trace: Trace::none(),
            key: Secret([0; 32]),
            state: Secret(*state),
            leftover: Leftover::new(),
            limit: UNBOUNDED,
            member: PhantomData,
        }
    }
}

impl Zuc256 {
    /// The same keystream without the specification's limit of 20 000 bits under one
    /// key and IV: for measurements only. What lies past the limit has no
    /// cryptographic warranty.
    ///
    /// # Errors
    /// As [`with_level`](Self::with_level).
    pub fn unlimited(key: &[u8], iv: &[u8], level: Level) -> Result<Self, Error> {
        Self::start(key, iv, level, None)
    }
}

impl<M: Member> Zuc<M> {
    /// How many bytes are left under this key and IV, if that is bounded.
    #[cfg(feature = "rustcrypto")]
    pub(crate) fn remaining(&self) -> Option<u64> {
        (self.limit.bytes != UNBOUNDED.bytes).then_some(self.limit.left)
    }
}

impl<M: Member> StreamCipher for Zuc<M> {
    fn level(&self) -> Level {
        self.level
    }

    fn apply_inout(&mut self, io: InOut<'_>) -> Result<(), Error> {
        if self.limit.bytes != UNBOUNDED.bytes {
            let limit = self.limit.bytes;
            let what = "keystream bytes under one key and IV";
            let left = self.limit.left.checked_sub(io.len() as u64);
            self.limit.left = left.ok_or(Error::Limit { what, limit })?;
        }
        let (level, state) = (self.level, &mut self.state.0);
        self.leftover.apply_words(io, |body, rest| apply(level, state, body, rest));
        Ok(())
    }

    fn take_key(&mut self, key: &[u8], iv: &[u8]) -> bool {
        let Ok(cells) = key::cells::<M>(key, iv).map(Secret) else { return false };
        let takes = admit(self.level, &ANSWER).is_ok();
        if takes {
            self.key.0[..key.len()].copy_from_slice(key);
            initialise(self.level, &cells.0, M::ROUNDS, &mut self.state.0);
            self.leftover.clear();
            self.limit.left = self.limit.bytes;
        }
        takes
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        let cells = Secret(key::cells::<M>(&self.key.0[..M::KEY.max], iv)?);
        initialise(self.level, &cells.0, M::ROUNDS, &mut self.state.0);
        self.leftover.clear();
        self.limit.left = self.limit.bytes;
        Ok(())
    }
}

impl<M: Member> fmt::Debug for Zuc<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Zuc").field("level", &self.level).finish_non_exhaustive()
    }
}

/// Which kernels run, in words.
#[cfg(feature = "alloc")]
fn kernel(level: Level) -> &'static str {
    match lanes::streams(level) {
        [4, 4] => "one stream: scalar LFSR, S-boxes by byte maps; many: 4 in lanes",
        [4, 8] => "one stream: scalar LFSR, S-boxes by byte maps; many: 4 or 2 x 4 in lanes",
        [8, 8] => "one stream: scalar LFSR, S-boxes by byte maps; many: 8 in lanes",
        [16, 32] => "one stream: scalar LFSR, S-boxes by byte maps; many: 16 or 2 x 16 in lanes",
        _ => "one stream: scalar LFSR, bit-sliced S-boxes; many: one after another",
    }
}

fn initialise(level: Level, cells: &[u32; 16], rounds: usize, state: &mut clock::State) {
    dispatch!(level, isa => *state = clock::initialise(isa, cells, rounds));
}

fn apply(level: Level, state: &mut clock::State, mut io: InOut<'_>, rest: &mut [u8; 16]) -> usize {
    let io = &mut io;
    dispatch!(level, isa => clock::apply(isa, state, io, rest))
}
