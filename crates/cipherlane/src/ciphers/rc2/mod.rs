//! RC2 (RFC 2268): 64-bit blocks, keys of 1 to 128 bytes, and 1 to 1024 effective key bits,
//! to which the key is narrowed whatever its length. Words are little-endian.
//!
//! **Obsolete**: related-key attacks are known, 40-bit keys were usual, and blocks of 64
//! bits repeat by chance after about 2^32 of them, 32 GiB. Read old data with it, write
//! none.
//!
//! Not constant-time: the key expansion and, for single blocks and at levels without a
//! table in registers, the mashing rounds look up in memory by what is secret.
//!
//! ```
//! use cipherlane::{BlockCipher, Rc2};
//!
//! // RFC 2268 §5: a key of 8 bytes, of which 63 bits count.
//! let rc2 = Rc2::with_effective_bits(&[0; 8], 63)?;
//! let mut block = [0; 8];
//! rc2.encrypt_block(&mut block);
//! assert_eq!(block, [0xeb, 0xb7, 0x73, 0xf9, 0x93, 0x27, 0x8e, 0xff]);
//! rc2.decrypt_block(&mut block);
//! assert_eq!(block, [0; 8]);
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;

use lanes::{InOut, Level, dispatch_plain};

use crate::block::chains::with_number;
use crate::block::passes::in_passes;
use crate::block::serial;
#[cfg(feature = "alloc")]
use crate::entry::parameters::{Allowed, Parameter};
use crate::error::{Error, check_length};
use crate::first_use::{admit, answer};
use crate::secret::{Depth, Secret, Trace};
use crate::sizes::Sizes;
use crate::traits::block::{BlockCipher, Chain, Feedback, KeyedChain};

mod formulation;
mod key;
#[cfg(feature = "alloc")]
mod many;
mod rounds;

answer!(|level| crate::entry::known_answer::all(&[&ALGORITHM], level));

/// The length of a block in bytes.
pub const BLOCK: usize = 8;
/// The lengths of keys in bytes.
pub const KEY: Sizes = Sizes::between(1, 128);
/// The most effective key bits.
pub const MAX_EFFECTIVE_BITS: u32 = 1024;

/// How deep operations go on the stack.
const STACK: Depth = Depth::of(8 << 10);

/// RC2 under one key, for both directions.
#[derive(Clone)]
pub struct Rc2 {
    level: Level,
    trace: Trace,
    /// How many bits of the key count.
    bits: usize,
    keys: Secret<key::Keys>,
}

impl fmt::Debug for Rc2 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rc2").field("level", &self.level.name()).finish_non_exhaustive()
    }
}

impl Rc2 {
    /// Expands a key of 1 to 128 bytes all of whose bits count, at the best level of this CPU.
    ///
    /// # Errors
    /// [`Error::Length`] if the key is not 1 to 128 bytes; [`Error::Level`] if
    /// `CIPHERLANE_LEVEL` names no level.
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        Self::with_level(key, Level::detect()?)
    }

    /// As [`new`](Self::new), at a given level.
    ///
    /// # Errors
    /// [`Error::Length`] if the key is not 1 to 128 bytes.
    pub fn with_level(key: &[u8], level: Level) -> Result<Self, Error> {
        check_length("key", key.len(), KEY)?;
        Self::with_effective_bits_and_level(key, 8 * key.len() as u32, level)
    }

    /// Expands a key of 1 to 128 bytes to 1 to 1024 effective bits (`T1` of RFC 2268 §2), at
    /// the best level of this CPU.
    ///
    /// # Errors
    /// [`Error::Length`] if the key is not 1 to 128 bytes, [`Error::Value`] if `bits` is not
    /// 1 to 1024; [`Error::Level`] if `CIPHERLANE_LEVEL` names no level.
    pub fn with_effective_bits(key: &[u8], bits: u32) -> Result<Self, Error> {
        Self::with_effective_bits_and_level(key, bits, Level::detect()?)
    }

    /// As [`with_effective_bits`](Self::with_effective_bits), at a given level.
    ///
    /// # Errors
    /// [`Error::Length`] if the key is not 1 to 128 bytes, [`Error::Value`] if `bits` is not
    /// 1 to 1024.
    pub fn with_effective_bits_and_level(
        key: &[u8],
        bits: u32,
        level: Level,
    ) -> Result<Self, Error> {
        admit(level, &ANSWER)?;
        check_length("key", key.len(), KEY)?;
        if !(1..=MAX_EFFECTIVE_BITS).contains(&bits) {
            let (got, max) = (u64::from(bits), u64::from(MAX_EFFECTIVE_BITS));
            return Err(Error::Value { field: "effective key bits", got, min: 1, max });
        }
        // Expanded in the place that is returned: moved, it would leave a copy behind.
        let mut made = Ok(Self::empty(level));
        if let Ok(rc2) = &mut made {
            rc2.trace = Trace::of(level, STACK);
            rc2.bits = bits as usize;
            key::expand(key, bits, &mut rc2.keys.0);
        }
        made
    }

    const fn empty(level: Level) -> Self {
        Self { level, trace: Trace::none(), bits: 0, keys: Secret(key::Keys::ZERO) }
    }

    /// Expands a key of 1 to 128 bytes, all of whose bits count, into its place.
    #[cfg(feature = "alloc")]
    fn expand(&mut self, key: &[u8]) {
        self.bits = 8 * key.len();
        key::expand(key, self.bits as u32, &mut self.keys.0);
    }

    fn blocks(&self, back: bool, mut io: InOut<'_>, pre: Option<&[u8]>, post: Option<&[u8]>) {
        assert_eq!(io.len() % BLOCK, 0, "whole blocks");
        assert!(pre.is_none_or(|pre| pre.len() == io.len()), "as much `pre` as data");
        assert!(post.is_none_or(|post| post.len() == io.len()), "as much `post` as data");
        if io.len() <= formulation::SHORT {
            return serial::short(&self.keys.0, back, io, pre, post);
        }
        // By reference, as in every cipher: moved into the door by value, the pair would be
        // stored and loaded again in other pieces.
        let (keys, io) = (&self.keys.0, &mut io);
        if back {
            dispatch_plain!(self.level, isa => {
                formulation::blocks::<_, true>(isa, keys, io.reborrow(), pre, post);
            });
        } else {
            dispatch_plain!(self.level, isa => {
                formulation::blocks::<_, false>(isa, keys, io.reborrow(), pre, post);
            });
        }
    }
}

impl BlockCipher for Rc2 {
    fn block_size(&self) -> usize {
        BLOCK
    }

    fn level(&self) -> Level {
        self.level
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        // Where not all bits of a key count, a key of another length is for a constructor.
        let lengths = KEY.allow(key.len()) && 8 * key.len() == self.bits;
        let takes = lengths && admit(self.level, &ANSWER).is_ok();
        if takes {
            key::expand(key, self.bits as u32, &mut self.keys.0);
        }
        takes
    }

    fn leave_trace(&mut self) {
        self.trace.leave();
    }

    fn encrypt_blocks(&self, io: InOut<'_>, pre: Option<&[u8]>, post: Option<&[u8]>) {
        self.blocks(false, io, pre, post);
    }

    fn decrypt_blocks(&self, io: InOut<'_>, pre: Option<&[u8]>, post: Option<&[u8]>) {
        self.blocks(true, io, pre, post);
    }

    fn feedback(&self, mode: Feedback, io: &mut InOut<'_>, value: &mut [u8]) -> bool {
        serial::feedback(&self.keys.0, mode, io, value, formulation::SHORT)
    }

    fn ctr(&self, mut io: InOut<'_>, counter: &mut [u8]) {
        let counter: &mut [u8; BLOCK] = counter.try_into().expect("a counter of one block");
        let mut value = u128::from(<u64>::from_be_bytes(*counter));
        let keys = &self.keys.0;
        if io.len() <= formulation::SHORT {
            serial::ctr(keys, io, &mut value);
        } else {
            let io = &mut io;
            dispatch_plain!(self.level, isa => formulation::ctr(isa, keys, io.reborrow(), &mut value));
        }
        *counter = (value as u64).to_be_bytes();
    }

    fn encrypt_chains(&self, chains: &mut [Chain<'_>]) {
        for chain in chains.iter() {
            assert_eq!(chain.value.len(), BLOCK, "a chaining value of one block");
            assert_eq!(chain.data.len() % BLOCK, 0, "whole blocks");
        }
        if let [only] = chains {
            return serial::one_chain(&self.keys.0, only, 0);
        }
        with_number(chains, |chains| {
            run_chains(self.level, core::slice::from_ref(self), chains);
        });
    }
}

/// Runs chains, each under its key of a set.
fn run_chains(level: Level, keys: &[Rc2], chains: &mut [KeyedChain<'_>]) {
    in_passes(level, chains, |level, chains| {
        dispatch_plain!(level, isa => formulation::chains(isa, keys, chains));
    });
}

impl crate::block::tile_cipher::Under for Rc2 {
    type Keys = key::Keys;

    #[inline(always)]
    fn keys(&self) -> &key::Keys {
        &self.keys.0
    }
}

/// The registry's entry.
#[cfg(feature = "alloc")]
pub const ALGORITHM: crate::entry::Algorithm = crate::entry::Algorithm {
    name: "rc2",
    title: "RC2",
    standard: "RFC 2268",
    key: KEY,
    new: crate::entry::New::Block {
        block: BLOCK,
        new: crate::block::together::boxed::<Rc2>,
        shared: crate::block::together::shared::<Rc2>,
        keys: crate::block::together::Together::<Rc2>::boxed,
    },
    timing: crate::entry::timing::Timing::Table,
    warning: Some(
        "obsolete: related-key attacks; 64-bit blocks: change the key long before \
         32 GiB (2^32 blocks), where blocks are expected to repeat",
    ),
    kernel: |level| dispatch_plain!(level, isa => formulation::describe(isa)),
    answer: crate::entry::known_answer::KnownAnswer::block(
        "88bca90e90875a7f0f79c384627bafb2",
        "0000000000000000",
        "2269552ab0f85ca6",
    )
    .with_sums(include_str!("known.txt")),
    oids: &[("cbc", "1.2.840.113549.3.2")],
};

/// Effective key bits.
#[cfg(feature = "alloc")]
pub const PARAMETERS: crate::entry::parameters::ParameterEntry =
    crate::entry::parameters::ParameterEntry {
        algorithm: "rc2",
        parameters: &[Parameter {
            name: "effective key bits",
            allowed: Allowed::Between(1, MAX_EFFECTIVE_BITS),
            usual: None,
            field: |parameters| parameters.effective_key_bits,
        }],
        new: |key, parameters, level| {
            let bits = parameters.effective_key_bits.unwrap_or(8 * key.len() as u32);
            Ok(alloc::boxed::Box::new(Rc2::with_effective_bits_and_level(key, bits, level)?))
        },
    };
