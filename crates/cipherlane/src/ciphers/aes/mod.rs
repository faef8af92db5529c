//! AES, the block cipher of FIPS 197 (ISO/IEC 18033-3): 128-bit blocks, keys of
//! 128, 192 or 256 bits, 10, 12 or 14 rounds.
//!
//! Constant-time at every level, the key schedule included: the CPU's AES
//! instructions where there are such, else a circuit on bit planes; no branch and
//! no address depends on a key or on data.
//!
//! Blocks stay in order in registers, so nothing is transposed ([`register_blocks`],
//! [`counter`], [`feedback`], [`tweaked`]); chains run side by side in registers ([`chains`]); without
//! the instructions blocks are bit-sliced ([`bit_sliced`]). [`formulation`] chooses. Costs and
//! bounds: `docs/notes/aes-lanes.md`.
//!
//! ```
//! use cipherlane::{Aes128, BlockCipher};
//!
//! // FIPS 197, Appendix C.1.
//! let key = 0x0001_0203_0405_0607_0809_0a0b_0c0d_0e0f_u128.to_be_bytes();
//! let mut block = 0x0011_2233_4455_6677_8899_aabb_ccdd_eeff_u128.to_be_bytes();
//! let aes = Aes128::new(&key)?;
//! aes.encrypt_block(&mut block);
//! assert_eq!(u128::from_be_bytes(block), 0x69c4_e0d8_6a7b_0430_d8cd_b780_70b4_c55a);
//! aes.decrypt_block(&mut block);
//! assert_eq!(u128::from_be_bytes(block), 0x0011_2233_4455_6677_8899_aabb_ccdd_eeff);
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::any::Any;
use core::fmt;

use lanes::{InOut, Level, dispatch_aes};

use crate::block::chains::with_number;
use crate::error::{Error, check_length};
use crate::first_use::{admit, answer};
use crate::secret::{Depth, Secret, Trace};
use crate::sizes::Sizes;
use crate::traits::block::{BlockCipher, Chain, KeyedChain, WholeMode};
use crate::traits::mode::Direction;
#[cfg(feature = "alloc")]
use crate::traits::whole::GcmMessages;
use crate::traits::whole::{CcmMessage, GcmMessage};

#[cfg(feature = "alloc")]
mod answers;
mod bit_sliced;
mod ccm;
mod cfb8;
mod chains;
mod counter;
#[cfg(test)]
mod equivalence;
mod feedback;
#[cfg_attr(not(feature = "alloc"), expect(dead_code, reason = "sets of keys need the allocator"))]
mod formulation;
mod galois;
mod kept_keys;
mod key;
#[cfg(feature = "alloc")]
mod lane_keys;
#[cfg(feature = "alloc")]
mod many;
#[cfg(feature = "alloc")]
mod oids;
mod planes;
mod register_blocks;
mod round_keys;
#[cfg(test)]
mod tests;
mod tweaked;
mod units;
mod variants;

#[cfg(feature = "alloc")]
pub use many::AesKeys;
#[cfg(feature = "alloc")]
pub use variants::{AES_128, AES_192, AES_256};
pub use variants::{Aes128, Aes192, Aes256, KEY_128, KEY_192, KEY_256};

answer!(|level| crate::entry::known_answer::all(&[&AES_128, &AES_192, &AES_256], level));

/// The length of a block in bytes.
pub const BLOCK: usize = 16;
/// The lengths of a key in bytes.
pub const KEY: Sizes = Sizes::steps(16, 32, 8);

/// How deep operations go on the stack.
const STACK: Depth = Depth { portable: 16 << 10, others: 8 << 10 };
/// How deep a key's set-up goes, and operations on up to [`SHORT`] bytes, but in modes that say
/// otherwise ([`BlockCipher::went_deep`]).
const SHALLOW: Depth = Depth { portable: 16 << 10, others: 2 << 10 };
/// See [`SHALLOW`].
const SHORT: usize = 4 * BLOCK;

/// AES under one key, for both directions; the key's length chooses the variant.
///
/// [`Aes128`], [`Aes192`] and [`Aes256`] take one length only.
#[derive(Clone)]
pub struct Aes {
    level: Level,
    trace: Trace,
    /// In the place of padding bytes, which would be copied with what lay there before.
    _zeros: [u8; GAP],
    keys: Secret<round_keys::RoundKeys>,
}

/// What is missing behind level and trace to the alignment of the keys; see [`round_keys::GAP`].
const GAP: usize = round_keys::GAP - size_of::<Trace>();

impl fmt::Debug for Aes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Aes").field("level", &self.level.name()).finish_non_exhaustive()
    }
}

impl Aes {
    #[inline(always)]
    fn gcm_at(&self, level: Level, direction: Direction, message: &mut GcmMessage<'_, '_>) -> bool {
        let keys = &self.keys.0;
        match direction {
            Direction::Encrypt => {
                dispatch_aes!(level, isa => formulation::gcm::<_, false>(isa, keys, message))
            }
            Direction::Decrypt => {
                dispatch_aes!(level, isa => formulation::gcm::<_, true>(isa, keys, message))
            }
        }
    }

    #[cold]
    fn gcm_in_short_registers(
        &self,
        direction: Direction,
        message: &mut GcmMessage<'_, '_>,
    ) -> bool {
        self.gcm_at(self.level.halved().unwrap_or(self.level), direction, message)
    }

    /// Expands a key of 16, 24 or 32 bytes, at the best level of this CPU.
    ///
    /// # Errors
    /// [`Error::Length`] if the key has another length; [`Error::Level`] if
    /// `CIPHERLANE_LEVEL` names no level.
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        Self::with_level(key, Level::detect()?)
    }

    /// Expands a key of 16, 24 or 32 bytes, at a given level.
    ///
    /// # Errors
    /// [`Error::Length`] if the key has another length.
    pub fn with_level(key: &[u8], level: Level) -> Result<Self, Error> {
        admit(level, &ANSWER)?;
        check_length("key", key.len(), KEY)?;
        // Expanded in the place that is returned: moved, it would leave a copy behind.
        let mut made = Ok(Self::unset(level, Trace::of(level, SHALLOW)));
        if let Ok(aes) = &mut made {
            aes.set(key);
        }
        made
    }

    /// An operation works on that many bytes.
    #[inline(always)]
    fn went(&self, bytes: usize) {
        if bytes > SHORT {
            self.went_deep();
        }
    }

    /// A place for a key.
    const fn unset(level: Level, trace: Trace) -> Self {
        Self { level, trace, _zeros: [0; GAP], keys: Secret(round_keys::RoundKeys::UNSET) }
    }

    /// Expands a key of a right length into its place.
    fn set(&mut self, key: &[u8]) {
        let (level, keys) = (self.level, &mut self.keys.0);
        dispatch_aes!(level, isa => key::expand(isa, key, keys));
    }
}

/// Panics where the lengths break the contract of [`BlockCipher::encrypt_blocks`].
#[inline(always)]
fn check_blocks(io: &InOut<'_>, pre: Option<&[u8]>, post: Option<&[u8]>) {
    assert_eq!(io.len() % BLOCK, 0, "whole blocks");
    assert!(pre.is_none_or(|pre| pre.len() == io.len()), "as much `pre` as data");
    assert!(post.is_none_or(|post| post.len() == io.len()), "as much `post` as data");
}

impl BlockCipher for Aes {
    fn block_size(&self) -> usize {
        BLOCK
    }

    fn level(&self) -> Level {
        self.level
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        let same = KEY.allow(key.len()) && key::rounds(key) == self.keys.0.rounds();
        let takes = same && admit(self.level, &ANSWER).is_ok();
        if takes {
            self.set(key);
        }
        takes
    }

    fn leave_trace(&mut self) {
        self.trace.leave();
    }

    fn went_deep(&self) {
        self.trace.goes(self.level, STACK);
    }

    fn encrypt_blocks(&self, mut io: InOut<'_>, pre: Option<&[u8]>, post: Option<&[u8]>) {
        check_blocks(&io, pre, post);
        self.went(io.len());
        let (keys, io) = (&self.keys.0, &mut io);
        dispatch_aes!(self.level, isa => {
            formulation::blocks::<_, false>(isa, keys, io.reborrow(), pre, post);
        });
    }

    fn decrypt_blocks(&self, mut io: InOut<'_>, pre: Option<&[u8]>, post: Option<&[u8]>) {
        check_blocks(&io, pre, post);
        self.went(io.len());
        let (keys, io) = (&self.keys.0, &mut io);
        dispatch_aes!(self.level, isa => {
            formulation::blocks::<_, true>(isa, keys, io.reborrow(), pre, post);
        });
    }

    fn ctr(&self, mut io: InOut<'_>, counter: &mut [u8]) {
        let counter: &mut [u8; BLOCK] = counter.try_into().expect("a counter of one block");
        self.went(io.len());
        let (keys, io) = (&self.keys.0, &mut io);
        dispatch_aes!(self.level, isa => formulation::ctr(isa, keys, io.reborrow(), counter));
    }

    fn gcm(&self, direction: Direction, message: &mut GcmMessage<'_, '_>) -> bool {
        self.went(message.aad.len() + message.io.len());
        // The lengths are a block, too.
        let bytes = message.aad.len() + message.io.len();
        let blocks = bytes.div_ceil(BLOCK) + 1;
        message.hash.expect(blocks);
        if message.hash.wants_short_registers(blocks) {
            return self.gcm_in_short_registers(direction, message);
        }
        self.gcm_at(self.level, direction, message)
    }

    fn ccm(&self, direction: Direction, message: &mut CcmMessage<'_, '_>) -> bool {
        self.went(message.aad.len() + message.io.len());
        let keys = &self.keys.0;
        match direction {
            Direction::Encrypt => {
                dispatch_aes!(self.level, isa => formulation::ccm::<_, false>(isa, keys, message))
            }
            Direction::Decrypt => {
                dispatch_aes!(self.level, isa => formulation::ccm::<_, true>(isa, keys, message))
            }
        }
    }

    fn itself(&self) -> Option<&dyn Any> {
        Some(self)
    }

    fn xts(
        &self,
        direction: Direction,
        tweaks: &dyn Any,
        tweak: &[u8; BLOCK],
        io: &mut InOut<'_>,
    ) -> bool {
        let Some(tweaks) = tweaks.downcast_ref::<Self>() else { return false };
        if tweaks.level != self.level || io.is_empty() || !io.len().is_multiple_of(BLOCK) {
            return false;
        }
        self.went(io.len());
        self.short_unit(direction, tweaks, tweak, io)
            || self.long_unit(direction, tweaks, tweak, io)
    }

    fn single_is_cheap(&self) -> bool {
        dispatch_aes!(self.level, isa => formulation::single_is_cheap(isa))
    }

    fn whole(&self, mode: WholeMode, io: &mut InOut<'_>, value: &mut [u8]) -> bool {
        let Some(first) = value.first_chunk_mut() else { return false };
        self.went(io.len());
        let keys = &self.keys.0;
        let whole = io.len().is_multiple_of(BLOCK);
        // A door each: what a long kernel needs is not paid for by a short one.
        match mode {
            WholeMode::Cfb1Encrypt => {
                dispatch_aes!(self.level, isa => formulation::cfb8::<_, false, true>(isa, keys, io, first))
            }
            WholeMode::Cfb8Encrypt => {
                dispatch_aes!(self.level, isa => formulation::cfb8::<_, false, false>(isa, keys, io, first))
            }
            WholeMode::Cfb8Decrypt => {
                dispatch_aes!(self.level, isa => formulation::cfb8::<_, true, false>(isa, keys, io, first))
            }
            WholeMode::CtrLittle32
            | WholeMode::CtrMasked
            | WholeMode::XtsEncrypt
            | WholeMode::XtsDecrypt => self.counted(mode, io, value),
            _ if !whole => false,
            WholeMode::EcbEncrypt => {
                dispatch_aes!(self.level, isa => formulation::ecb::<_, false>(isa, keys, io))
            }
            WholeMode::EcbDecrypt => {
                dispatch_aes!(self.level, isa => formulation::ecb::<_, true>(isa, keys, io))
            }
            WholeMode::CbcEncrypt => {
                dispatch_aes!(self.level, isa => formulation::cbc(isa, keys, io, first))
            }
            WholeMode::CfbEncrypt => {
                dispatch_aes!(self.level, isa => formulation::serial::<_, false>(isa, keys, io, first))
            }
            WholeMode::Ofb => {
                dispatch_aes!(self.level, isa => formulation::serial::<_, true>(isa, keys, io, first))
            }
            WholeMode::CbcDecrypt => {
                dispatch_aes!(self.level, isa => formulation::late::<_, true>(isa, keys, io, first))
            }
            WholeMode::CfbDecrypt => {
                dispatch_aes!(self.level, isa => formulation::late::<_, false>(isa, keys, io, first))
            }
        }
    }

    fn encrypt_chains(&self, chains: &mut [Chain<'_>]) {
        for chain in chains.iter() {
            assert_eq!(chain.value.len(), BLOCK, "a chaining value of one block");
            assert_eq!(chain.data.len() % BLOCK, 0, "whole blocks");
        }
        if let [chain] = chains {
            self.went(chain.data.len());
            let keys = &self.keys.0;
            if dispatch_aes!(self.level, isa => formulation::chain(isa, keys, chain)) {
                return;
            }
        }
        self.went_deep();
        with_number(chains, |chains| {
            let keys = core::slice::from_ref(self);
            encrypt_keyed_chains(self.level, keys, WholeMode::CbcEncrypt, chains);
        });
    }
}

/// Chains of CBC, CFB encryption or OFB; false, and nothing done, where a level has no kernel for
/// the mode.
fn encrypt_keyed_chains(
    level: Level,
    keys: &[Aes],
    mode: WholeMode,
    chains: &mut [KeyedChain<'_>],
) -> bool {
    dispatch_aes!(level, isa => formulation::chains(isa, keys, mode, chains))
}

#[cfg(feature = "alloc")]
fn encrypt_each(level: Level, keys: &[Aes], numbers: &[usize], blocks: &mut [[u8; BLOCK]]) {
    dispatch_aes!(level, isa => lane_keys::each::<_, false>(isa, keys, numbers, blocks));
}

#[cfg(feature = "alloc")]
fn decrypt_each(level: Level, keys: &[Aes], numbers: &[usize], blocks: &mut [[u8; BLOCK]]) {
    dispatch_aes!(level, isa => lane_keys::each::<_, true>(isa, keys, numbers, blocks));
}

#[cfg(feature = "alloc")]
fn seal_each(level: Level, keys: &[Aes], messages: &mut GcmMessages<'_, '_>) -> usize {
    dispatch_aes!(level, isa => formulation::gcm_each::<_, false>(isa, keys, messages))
}

#[cfg(feature = "alloc")]
fn open_each(level: Level, keys: &[Aes], messages: &mut GcmMessages<'_, '_>) -> usize {
    dispatch_aes!(level, isa => formulation::gcm_each::<_, true>(isa, keys, messages))
}

#[cfg(feature = "alloc")]
fn single_from(level: Level) -> usize {
    dispatch_aes!(level, isa => formulation::single_from(isa))
}

#[cfg(feature = "alloc")]
fn lanes(level: Level) -> usize {
    dispatch_aes!(level, isa => formulation::lanes(isa))
}
