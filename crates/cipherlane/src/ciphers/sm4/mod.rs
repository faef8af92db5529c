//! SM4, the block cipher of GB/T 32907-2016 (GM/T 0002-2012, ISO/IEC 18033-3
//! Amd 1): 128-bit blocks, 128-bit keys, 32 rounds. OID 1.2.156.10197.1.104.
//!
//! Constant-time at every level: the S-box is an inversion computed in
//! registers, or a circuit on bit planes; no branch and no address depends on a
//! key or on data. This holds for the key schedule too.
//!
//! Four formulations, chosen by capability and length in `formulation.rs`: the
//! CPU's instructions for SM4 where it has them; else word-sliced for a few blocks
//! and serial chains, byte-sliced above, bit-sliced where the level has no byte maps.
//!
//! ```
//! use cipherlane::{BlockCipher, Sm4};
//!
//! // GB/T 32907-2016, example 1: key and block are the same.
//! let key = 0x0123_4567_89ab_cdef_fedc_ba98_7654_3210_u128.to_be_bytes();
//! let mut block = key;
//! let sm4 = Sm4::new(&key)?;
//! sm4.encrypt_block(&mut block);
//! assert_eq!(u128::from_be_bytes(block), 0x681e_df34_d206_965e_86b3_e94f_536e_4246);
//! sm4.decrypt_block(&mut block);
//! assert_eq!(block, key);
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;

#[cfg(feature = "alloc")]
use lanes::Streams;
use lanes::{InOut, Level, dispatch_sm4};

use crate::block::chains::with_number;
use crate::error::{Error, check_length};
use crate::first_use::{admit, answer};
use crate::secret::{Depth, Secret, Trace};
use crate::sizes::Sizes;
use crate::traits::block::{BlockCipher, Chain, KeyedChain};
#[cfg(feature = "alloc")]
use crate::traits::lockstep::{LOCKSTEP, Lockstep};
use task::Task;

mod basis;
mod bit_sliced;
mod byte_rounds;
mod byte_sliced;
mod circuit;
#[cfg(test)]
mod equivalence;
#[cfg_attr(not(feature = "alloc"), expect(dead_code, reason = "sets of keys need the allocator"))]
mod formulation;
mod key;
mod lane_keys;
#[cfg(feature = "alloc")]
mod lockstep;
#[cfg(feature = "alloc")]
mod lockstep_keys;
#[cfg(feature = "alloc")]
mod many;
mod multi_buffer;
mod round_keys;
mod schedule;
mod sm4_instructions;
mod task;
#[cfg(feature = "alloc")]
mod tweak_planes;
mod word_sliced;

#[cfg(feature = "alloc")]
pub use many::Sm4Keys;

answer!(|level| crate::entry::known_answer::all(&[&ALGORITHM], level));

/// The length of a block in bytes.
pub const BLOCK: usize = 16;
/// The length of a key in bytes.
pub const KEY: usize = 16;

/// How deep operations go on the stack.
const STACK: Depth = Depth { portable: 32 << 10, others: 16 << 10 };
/// How deep a key's set-up goes, and operations on up to [`SHORT`] bytes, but in modes that say
/// otherwise ([`BlockCipher::went_deep`]).
const SHALLOW: Depth = Depth { portable: 32 << 10, others: 2 << 10 };
/// See [`SHALLOW`].
const SHORT: usize = BLOCK;

/// SM4 under one key, for both directions.
#[derive(Clone)]
pub struct Sm4 {
    level: Level,
    trace: Trace,
    keys: Secret<round_keys::RoundKeys>,
}

impl fmt::Debug for Sm4 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sm4").field("level", &self.level.name()).finish_non_exhaustive()
    }
}

impl Sm4 {
    /// Expands a key of 16 bytes, at the best level of this CPU.
    ///
    /// # Errors
    /// [`Error::Length`] if the key is not 16 bytes; [`Error::Level`] if
    /// `CIPHERLANE_LEVEL` names no level.
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        Self::with_level(key, Level::detect()?)
    }

    /// Expands a key of 16 bytes, at a given level.
    ///
    /// # Errors
    /// [`Error::Length`] if the key is not 16 bytes.
    pub fn with_level(key: &[u8], level: Level) -> Result<Self, Error> {
        admit(level, &ANSWER)?;
        check_length("key", key.len(), Sizes::exactly(KEY))?;
        // Expanded in the place that is returned: moved, it would leave a copy behind.
        let mut made = Ok(Self::unset(level, Trace::of(level, SHALLOW)));
        if let Ok(sm4) = &mut made {
            expand(level, &[key], core::slice::from_mut(sm4));
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
        Self { level, trace, keys: Secret(round_keys::RoundKeys::ZERO) }
    }

    /// The same for several owners, as the registry has it.
    #[cfg(feature = "alloc")]
    fn shared(key: &[u8], level: Level) -> Result<alloc::sync::Arc<dyn BlockCipher>, Error> {
        admit(level, &ANSWER)?;
        check_length("key", key.len(), Sizes::exactly(KEY))?;
        let mut sm4 = alloc::sync::Arc::new(Self::unset(level, Trace::of(level, SHALLOW)));
        let place = alloc::sync::Arc::get_mut(&mut sm4).expect("one owner");
        expand(level, &[key], core::slice::from_mut(place));
        Ok(sm4)
    }

    /// The same where it stays, as the registry has it.
    #[cfg(feature = "alloc")]
    fn boxed(key: &[u8], level: Level) -> Result<alloc::boxed::Box<dyn BlockCipher>, Error> {
        admit(level, &ANSWER)?;
        check_length("key", key.len(), Sizes::exactly(KEY))?;
        // The place first: made before it, what is moved in would be made twice.
        let place = alloc::boxed::Box::new_uninit();
        let unset = Self::unset(level, Trace::of(level, SHALLOW));
        let mut sm4 = alloc::boxed::Box::write(place, unset);
        expand(level, &[key], core::slice::from_mut(&mut *sm4));
        Ok(sm4)
    }

    fn blocks(&self, flip: usize, io: InOut<'_>, pre: Option<&[u8]>, post: Option<&[u8]>) {
        assert_eq!(io.len() % BLOCK, 0, "whole blocks");
        assert!(pre.is_none_or(|pre| pre.len() == io.len()), "as much `pre` as data");
        assert!(post.is_none_or(|post| post.len() == io.len()), "as much `post` as data");
        self.run(&Task { flip, pre, post, counter: None }, io);
    }

    fn encrypt_chain(&self, chain: &mut Chain<'_>) {
        self.went(chain.data.len());
        let keys = &self.keys.0;
        if !dispatch_sm4!(self.level, isa => formulation::chain(isa, keys, chain)) {
            let (value, len) = (&mut *chain.value, chain.data.len());
            let chain = Chain { value, data: chain.data.part(0, len) };
            let chains = &mut [KeyedChain { key: 0, chain }];
            encrypt_keyed_chains(self.level, core::slice::from_ref(self), chains);
        }
    }

    fn run(&self, task: &Task<'_>, mut io: InOut<'_>) {
        if io.is_empty() {
            // Kernels would cipher a register for nothing.
            return;
        }
        self.went(io.len());
        // By reference: moved into the door by value, the pair would be stored and loaded again
        // in other pieces, which the CPU can't forward.
        let (keys, io) = (&self.keys.0, &mut io);
        if io.len() <= formulation::FEW
            && dispatch_sm4!(self.level, isa => formulation::few(isa, keys, *task, io.reborrow()))
        {
            return;
        }
        self.many(task, io);
    }

    /// More than a few blocks. Apart from [`run`](Self::run), whose shortest calls its frame would slow down.
    #[inline(never)]
    fn many(&self, task: &Task<'_>, io: &mut InOut<'_>) {
        // Of the longest registers a group would have half its lanes idle, or two go one after another.
        let blocks = io.len().div_ceil(BLOCK);
        let split = if matches!(blocks, 5..=8 | 17..=32) { self.level.split() } else { None };
        let (level, keys) = (split.unwrap_or(self.level), &self.keys.0);
        dispatch_sm4!(level, isa => formulation::blocks(isa, keys, *task, io.reborrow()));
    }
}

/// Expands keys of 16 bytes, one for each place.
fn expand(level: Level, keys: &[&[u8]], places: &mut [Sm4]) {
    dispatch_sm4!(level, isa => key::expand(isa, keys, places));
}

impl BlockCipher for Sm4 {
    fn block_size(&self) -> usize {
        BLOCK
    }

    fn level(&self) -> Level {
        self.level
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        let takes = key.len() == KEY && admit(self.level, &ANSWER).is_ok();
        if takes {
            expand(self.level, &[key], core::slice::from_mut(self));
        }
        takes
    }

    fn leave_trace(&mut self) {
        self.trace.leave();
    }

    fn went_deep(&self) {
        self.trace.goes(self.level, STACK);
    }

    fn encrypt_blocks(&self, io: InOut<'_>, pre: Option<&[u8]>, post: Option<&[u8]>) {
        self.blocks(round_keys::ENCRYPT, io, pre, post);
    }

    fn decrypt_blocks(&self, io: InOut<'_>, pre: Option<&[u8]>, post: Option<&[u8]>) {
        self.blocks(round_keys::DECRYPT, io, pre, post);
    }

    fn ctr(&self, io: InOut<'_>, counter: &mut [u8]) {
        let counter: &mut [u8; BLOCK] = counter.try_into().expect("a counter of one block");
        let first = u128::from_be_bytes(*counter);
        *counter = first.wrapping_add(io.len().div_ceil(BLOCK) as u128).to_be_bytes();
        self.run(&Task::counter(first), io);
    }

    fn encrypt_chains(&self, chains: &mut [Chain<'_>]) {
        for chain in chains.iter() {
            assert_eq!(chain.value.len(), BLOCK, "a chaining value of one block");
            assert_eq!(chain.data.len() % BLOCK, 0, "whole blocks");
        }
        if let [chain] = chains {
            return self.encrypt_chain(chain);
        }
        self.went_deep();
        with_number(chains, |chains| {
            encrypt_keyed_chains(self.level, core::slice::from_ref(self), chains);
        });
    }
}

fn encrypt_keyed_chains(level: Level, keys: &[Sm4], chains: &mut [KeyedChain<'_>]) {
    // A group of lanes has one for each word of a register.
    let lanes = 4 * chains.len();
    let level = match level.parted() {
        Some(parts) if lanes <= parts.register_bytes() => parts,
        _ => level.fitting(lanes, Level::register_bytes),
    };
    dispatch_sm4!(level, isa => formulation::chains(isa, keys, chains));
}

/// Ciphers each block in place under the key whose number stands beside it.
#[cfg(feature = "alloc")]
fn each(level: Level, flip: usize, keys: &[Sm4], numbers: &[usize], all: &mut [[u8; BLOCK]]) {
    let mut at = 0;
    // A group of lanes has one for each word of a register.
    let level = level.fitting(4 * all.len(), Level::register_bytes);
    while at < all.len() {
        dispatch_sm4!(level, isa => formulation::each(isa, flip, keys, numbers, all, &mut at));
        // Blocks of one key that are better off alone: their kernels are there once.
        let Some(&number) = numbers.get(at) else { return };
        let run = numbers[at..].iter().take_while(|&&it| it == number).count();
        keys[number].blocks(flip, all[at..at + run].as_flattened_mut().into(), None, None);
        at += run;
    }
}

/// Makes the key material of neighbouring keys, where the level has a use for it.
#[cfg(feature = "alloc")]
fn precompute(
    level: Level,
    keys: &[Sm4],
    to: &mut alloc::vec::Vec<Secret<lockstep_keys::LockstepKeys>>,
) {
    dispatch_sm4!(level, isa => lockstep_keys::precompute(isa, keys, to));
}

#[cfg(feature = "alloc")]
fn parallel_in_lockstep(
    level: Level,
    keys: &lockstep_keys::LockstepKeys,
    mode: Lockstep,
    values: &mut [[u8; BLOCK]; LOCKSTEP],
    messages: &mut Streams<'_, LOCKSTEP>,
) {
    dispatch_sm4!(level, isa => lockstep::parallel(isa, keys, mode, values, messages));
}

#[cfg(feature = "alloc")]
fn serial_in_lockstep(
    level: Level,
    keys: &lockstep_keys::LockstepKeys,
    mode: Lockstep,
    values: &mut [[u8; BLOCK]; LOCKSTEP],
    messages: &mut Streams<'_, LOCKSTEP>,
) {
    dispatch_sm4!(level, isa => lockstep::serial(isa, keys, mode, values, messages));
}

#[cfg(feature = "alloc")]
fn lanes(level: Level) -> usize {
    dispatch_sm4!(level, isa => formulation::lanes(isa))
}

/// The registry's entry.
#[cfg(feature = "alloc")]
pub const ALGORITHM: crate::entry::Algorithm = crate::entry::Algorithm {
    name: "sm4",
    title: "SM4",
    standard: "GB/T 32907-2016",
    key: Sizes::exactly(KEY),
    new: crate::entry::New::Block {
        block: BLOCK,
        new: Sm4::boxed,
        shared: Sm4::shared,
        keys: Sm4Keys::boxed,
    },
    timing: crate::entry::timing::Timing::ConstantTime,
    warning: None,
    kernel: |level| dispatch_sm4!(level, isa => formulation::describe(isa)),
    // GM/T 0006; that of XTS is the mode of GB/T 17964, not that of IEEE 1619.
    answer: crate::entry::known_answer::KnownAnswer::block(
        "0123456789abcdeffedcba9876543210",
        "0123456789abcdeffedcba9876543210",
        "681edf34d206965e86b3e94f536e4246",
    )
    .with_sums(include_str!("known.txt")),
    oids: &[
        ("ecb", "1.2.156.10197.1.104.1"),
        ("cbc", "1.2.156.10197.1.104.2"),
        ("ofb", "1.2.156.10197.1.104.3"),
        ("cfb", "1.2.156.10197.1.104.4"),
        ("cfb8", "1.2.156.10197.1.104.6"),
        ("ctr", "1.2.156.10197.1.104.7"),
        ("gcm", "1.2.156.10197.1.104.8"),
        ("ccm", "1.2.156.10197.1.104.9"),
        ("xts-gb", "1.2.156.10197.1.104.10"),
    ],
};
