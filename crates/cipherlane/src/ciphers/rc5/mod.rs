//! RC5-w/r/b (Rivest, *The RC5 Encryption Algorithm*, 1994; RFC 2040): blocks of two words
//! of w = 16, 32 or 64 bits, r = 0 to 255 rounds, keys of b = 0 to 255 bytes. Words are
//! little-endian.
//!
//! [`Rc5`] has words of 32 bits, and 12 rounds where nothing else is said: with keys of 16
//! bytes it is RC5-32/12/16, the registry's `rc5`. RFC 2040's RC5-CBC-Pad is CBC with
//! [`Padding::Pkcs7`](crate::modes::Padding::Pkcs7): as many bytes as are missing, each
//! their number.
//!
//! Constant-time at every level, given that the CPU rotates in the same time by every
//! count, as those do that these levels are for.
//!
//! Blocks of 64 bits repeat by chance after about 2^32 of them, 32 GiB, those of 32 bits
//! after 2^16, 256 KiB. Twelve rounds of RC5-32 fall to 2^44 chosen plaintexts
//! (Biryukov and Kushilevitz, 1998): take 16 rounds or more, or a newer cipher.
//!
//! ```
//! use cipherlane::modes::{Buffered, Padding, cbc};
//! use cipherlane::{BlockCipher, Rc5};
//!
//! let rc5 = Rc5::new(&[0; 16])?;
//! let mut block = [0; 8];
//! rc5.encrypt_block(&mut block);
//! assert_eq!(block, [0x21, 0xa5, 0xdb, 0xee, 0x15, 0x4b, 0x8f, 0x6d]);
//! rc5.decrypt_block(&mut block);
//! assert_eq!(block, [0; 8]);
//!
//! let mode = Buffered::new(cbc::Encryptor::new(&rc5, &[1; 8])?, Padding::Pkcs7);
//! # let _ = mode;
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;

use lanes::wipe::Whole;
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
mod word;

answer!(|level| crate::entry::known_answer::all(&[&ALGORITHM], level));

/// The length of a block of RC5-32 in bytes.
pub const BLOCK: usize = 8;
/// The lengths of keys in bytes.
pub const KEY: Sizes = Sizes::between(0, key::MAX_KEY);
/// The rounds where nothing else is said.
pub const ROUNDS: u8 = 12;

/// How deep operations go on the stack.
const STACK: Depth = Depth::of(8 << 10);

macro_rules! width {
    ($(#[$meta:meta])* $name:ident, $word:ty, $number:ty, $block:literal) => {
        $(#[$meta])*
        #[derive(Clone)]
        pub struct $name {
            level: Level,
            trace: Trace,
            /// The room of more rounds is a gap that holds what the stack held there.
            keys: Whole<Secret<key::Keys<$word>>>,
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let name = stringify!($name);
                f.debug_struct(name).field("level", &self.level.name()).finish_non_exhaustive()
            }
        }

        impl $name {
            /// Expands a key of 0 to 255 bytes for 12 rounds, at the best level of this CPU.
            ///
            /// # Errors
            /// [`Error::Length`] if the key is longer; [`Error::Level`] if
            /// `CIPHERLANE_LEVEL` names no level.
            pub fn new(key: &[u8]) -> Result<Self, Error> {
                Self::with_rounds(key, ROUNDS)
            }

            /// As [`new`](Self::new), at a given level.
            ///
            /// # Errors
            /// [`Error::Length`] if the key is longer than 255 bytes.
            pub fn with_level(key: &[u8], level: Level) -> Result<Self, Error> {
                Self::with_rounds_and_level(key, ROUNDS, level)
            }

            /// Expands a key of 0 to 255 bytes for 0 to 255 rounds, at the best level of
            /// this CPU. Fewer than 12 rounds are for study only; without any, nothing is
            /// encrypted but by addition of two words.
            ///
            /// # Errors
            /// As [`new`](Self::new).
            pub fn with_rounds(key: &[u8], rounds: u8) -> Result<Self, Error> {
                Self::with_rounds_and_level(key, rounds, Level::detect()?)
            }

            /// As [`with_rounds`](Self::with_rounds), at a given level.
            ///
            /// # Errors
            /// [`Error::Length`] if the key is longer than 255 bytes.
            pub fn with_rounds_and_level(
                key: &[u8],
                rounds: u8,
                level: Level,
            ) -> Result<Self, Error> {
                admit(level, &ANSWER)?;
                check_length("key", key.len(), KEY)?;
                let trace = Trace::of(level, STACK);
                // Expanded in the place that is returned: moved, it would leave a copy behind.
                let keys = Whole::new(Secret(key::Keys::empty(rounds)));
                let mut made = Ok(Self { level, trace, keys });
                if let Ok(rc5) = &mut made {
                    key::expand(key, &mut rc5.keys.0);
                }
                made
            }

            fn blocks(&self, back: bool, mut io: InOut<'_>, pre: Option<&[u8]>, post: Option<&[u8]>) {
                assert_eq!(io.len() % $block, 0, "whole blocks");
                assert!(pre.is_none_or(|pre| pre.len() == io.len()), "as much `pre` as data");
                assert!(post.is_none_or(|post| post.len() == io.len()), "as much `post` as data");
                if io.len() <= formulation::SHORT * $block {
                    return serial::short(&self.keys.0, back, io, pre, post);
                }
                // By reference, as in every cipher: moved into the door by value, the pair would be
                // stored and loaded again in other pieces.
                let (keys, io) = (&self.keys.0, &mut io);
                if back {
                    dispatch_plain!(self.level, isa => {
                        formulation::blocks::<_, $word, true>(isa, keys, io.reborrow(), pre, post);
                    });
                } else {
                    dispatch_plain!(self.level, isa => {
                        formulation::blocks::<_, $word, false>(isa, keys, io.reborrow(), pre, post);
                    });
                }
            }
        }

        impl BlockCipher for $name {
            fn block_size(&self) -> usize {
                $block
            }

            fn level(&self) -> Level {
                self.level
            }

            fn rekey(&mut self, key: &[u8]) -> bool {
                let takes = KEY.allow(key.len()) && admit(self.level, &ANSWER).is_ok();
                if takes {
                    key::expand(key, &mut self.keys.0);
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
                serial::feedback(&self.keys.0, mode, io, value, formulation::SHORT * $block)
            }

            fn ctr(&self, mut io: InOut<'_>, counter: &mut [u8]) {
                let counter: &mut [u8; $block] = counter.try_into().expect("a counter of one block");
                let mut value = u128::from(<$number>::from_be_bytes(*counter));
                let keys = &self.keys.0;
                if io.len() <= formulation::SHORT * $block {
                    serial::ctr(keys, io, &mut value);
                } else {
                    let io = &mut io;
                    dispatch_plain!(self.level, isa => formulation::ctr(isa, keys, io.reborrow(), &mut value));
                }
                *counter = (value as $number).to_be_bytes();
            }

            fn encrypt_chains(&self, chains: &mut [Chain<'_>]) {
                for chain in chains.iter() {
                    assert_eq!(chain.value.len(), $block, "a chaining value of one block");
                    assert_eq!(chain.data.len() % $block, 0, "whole blocks");
                }
                if let [only] = chains {
                    return serial::one_chain(&self.keys.0, only, 0);
                }
                self.run_chains(chains);
            }
        }
    };
}

width!(
    /// RC5-32 under one key, for both directions: blocks of 8 bytes.
    Rc5,
    u32,
    u64,
    8
);
width!(
    /// RC5-16 under one key, for both directions: blocks of 4 bytes.
    Rc5W16,
    u16,
    u32,
    4
);
width!(
    /// RC5-64 under one key, for both directions: blocks of 16 bytes.
    Rc5W64,
    u64,
    u128,
    16
);

impl Rc5 {
    /// Expands a key of at most 255 bytes into its place.
    #[cfg(feature = "alloc")]
    fn expand(&mut self, key: &[u8]) {
        key::expand(key, &mut self.keys.0);
    }

    fn run_chains(&self, chains: &mut [Chain<'_>]) {
        with_number(chains, |chains| run_chains(self.level, core::slice::from_ref(self), chains));
    }
}

impl Rc5W16 {
    fn run_chains(&self, chains: &mut [Chain<'_>]) {
        let keys = &self.keys.0;
        dispatch_plain!(self.level, isa => formulation::chains_of_one::<_, u16, _, 4>(isa, keys, chains));
    }
}

impl Rc5W64 {
    fn run_chains(&self, chains: &mut [Chain<'_>]) {
        let keys = &self.keys.0;
        dispatch_plain!(self.level, isa => formulation::chains_of_one::<_, u64, _, 16>(isa, keys, chains));
    }
}

/// Runs chains, each under its key of a set.
fn run_chains(level: Level, keys: &[Rc5], chains: &mut [KeyedChain<'_>]) {
    in_passes(level, chains, |level, chains| {
        dispatch_plain!(level, isa => formulation::chains(isa, keys, chains));
    });
}

impl crate::block::tile_cipher::Under for Rc5 {
    type Keys = key::Keys<u32>;

    #[inline(always)]
    fn keys(&self) -> &key::Keys<u32> {
        &self.keys.0
    }
}

/// The registry's entry.
#[cfg(feature = "alloc")]
pub const ALGORITHM: crate::entry::Algorithm = crate::entry::Algorithm {
    name: "rc5",
    title: "RC5-32/12",
    standard: "Rivest 1994, RFC 2040",
    key: KEY,
    new: crate::entry::New::Block {
        block: BLOCK,
        new: crate::block::together::boxed::<Rc5>,
        shared: crate::block::together::shared::<Rc5>,
        keys: crate::block::together::Together::<Rc5>::boxed,
    },
    timing: crate::entry::timing::Timing::ConstantTime,
    warning: Some(
        "12 rounds fall to 2^44 chosen plaintexts; 64-bit blocks: change the key long \
         before 32 GiB (2^32 blocks), where blocks are expected to repeat",
    ),
    kernel: |level| dispatch_plain!(level, isa => formulation::describe(isa)),
    answer: crate::entry::known_answer::KnownAnswer::block(
        "00000000000000000000000000000000",
        "0000000000000000",
        "21a5dbee154b8f6d",
    )
    .with_sums(include_str!("known.txt")),
    oids: &[("cbc", "1.2.840.113549.3.8")],
};

/// Words of 16, 32 and 64 bits, and all numbers of rounds.
#[cfg(feature = "alloc")]
pub const PARAMETERS: crate::entry::parameters::ParameterEntry =
    crate::entry::parameters::ParameterEntry {
        algorithm: "rc5",
        parameters: &[
            Parameter {
                name: "word bits",
                allowed: Allowed::OneOf(&[16, 32, 64]),
                usual: Some(32),
                field: |parameters| parameters.word_bits,
            },
            Parameter {
                name: "rounds",
                allowed: Allowed::Between(0, 255),
                usual: Some(ROUNDS as u32),
                field: |parameters| parameters.rounds,
            },
        ],
        new: |key, parameters, level| {
            let rounds = parameters.rounds.unwrap_or(u32::from(ROUNDS));
            let got = u64::from(rounds);
            let Ok(rounds) = u8::try_from(rounds) else {
                return Err(Error::Value { field: "rounds", got, min: 0, max: 255 });
            };
            Ok(match parameters.word_bits.unwrap_or(32) {
                16 => alloc::boxed::Box::new(Rc5W16::with_rounds_and_level(key, rounds, level)?),
                32 => alloc::boxed::Box::new(Rc5::with_rounds_and_level(key, rounds, level)?),
                64 => alloc::boxed::Box::new(Rc5W64::with_rounds_and_level(key, rounds, level)?),
                bits => {
                    let got = u64::from(bits);
                    return Err(Error::Value { field: "word bits", got, min: 16, max: 64 });
                }
            })
        },
    };
