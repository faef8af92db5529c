//! The table of algorithms and of the operations that apply to them.
//!
//! Tests, bindings, the program and the laboratory iterate it: what is
//! registered exists everywhere. The product of ciphers and modes is formed at
//! run time by [`operations`].

use alloc::boxed::Box;

use lanes::{InOut, Level};

use crate::modes::BlockMode;
use crate::{BlockCipher, Error, Sizes, StreamCipher};

/// What an observer of the time may learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// No branch and no address depends on a secret.
    ConstantTime,
    /// Tables are indexed by secrets; inherent to the cipher or the level.
    Table,
}

impl Timing {
    /// `"constant-time"` or `"table"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ConstantTime => "constant-time",
            Self::Table => "table",
        }
    }
}

/// Makes a block cipher object from a key.
pub type NewBlock = fn(&[u8], Level) -> Result<Box<dyn BlockCipher>, Error>;
/// Makes a stream cipher object from a key and an IV.
pub type NewStream = fn(&[u8], &[u8], Level) -> Result<Box<dyn StreamCipher>, Error>;

/// How an algorithm's objects are made.
#[derive(Clone, Copy, Debug)]
pub enum New {
    /// A block cipher with this block length in bytes.
    Block {
        /// The block length in bytes.
        block: usize,
        /// The constructor.
        new: NewBlock,
    },
    /// A stream cipher with IVs of these lengths.
    Stream {
        /// The IV lengths in bytes.
        iv: Sizes,
        /// The constructor. Keystream limits of the standard are in force.
        new: NewStream,
        /// The constructor without the keystream limit, for measurements only;
        /// the same as `new` where the standard has none.
        unlimited: NewStream,
        /// The most keystream bytes that the standard allows under one key and IV.
        limit: Option<u64>,
    },
}

/// One primitive.
#[derive(Clone, Copy, Debug)]
pub struct Algorithm {
    /// Its name here, lower case with hyphens, e.g. `"zuc-256"`.
    pub name: &'static str,
    /// Its name in prose.
    pub title: &'static str,
    /// The standard, with its number.
    pub standard: &'static str,
    /// The key lengths in bytes.
    pub key: Sizes,
    /// The constructor and what goes with it.
    pub new: New,
    /// What the time may tell.
    pub timing: Timing,
    /// What a user must know before using it, if anything.
    pub warning: Option<&'static str>,
    /// The kernel that runs at a level, in words.
    pub kernel: fn(Level) -> &'static str,
}

/// What an operation's data must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataRule {
    /// Any number of bytes.
    Any,
    /// Whole blocks.
    WholeBlocks,
}

/// A streaming object of an operation under a ready key.
pub enum Started<'c> {
    /// Takes any split of the data.
    Stream(Box<dyn StreamCipher + 'c>),
    /// Takes whole blocks; see [`crate::modes::Buffered`] for any split and padding.
    Blocks(Box<dyn BlockMode + 'c>),
}

/// One operation of a mode over a block cipher, e.g. `cbc-encrypt`.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// Its name, e.g. `"cbc-encrypt"`.
    pub name: &'static str,
    /// The name of the operation that undoes it; itself where it is an involution.
    pub inverse: &'static str,
    /// The standard and clause.
    pub standard: &'static str,
    /// The block lengths it is defined for, in bytes.
    pub blocks: &'static [usize],
    /// The IV length in bytes for a block length.
    pub iv: fn(usize) -> Sizes,
    /// What the data must be.
    pub data: DataRule,
    /// Processes one whole message under a ready key.
    pub message: fn(&dyn BlockCipher, &[u8], InOut<'_>) -> Result<(), Error>,
    /// Starts a streaming object under a ready key.
    pub start: for<'c> fn(&'c dyn BlockCipher, &[u8]) -> Result<Started<'c>, Error>,
}

/// Every algorithm of this build.
pub static ALGORITHMS: &[Algorithm] = &[
    #[cfg(feature = "sm4")]
    crate::sm4::ALGORITHM,
    #[cfg(feature = "aes")]
    crate::aes::AES_128,
    #[cfg(feature = "aes")]
    crate::aes::AES_192,
    #[cfg(feature = "aes")]
    crate::aes::AES_256,
    #[cfg(feature = "zuc")]
    crate::zuc::ZUC_128,
    #[cfg(feature = "zuc")]
    crate::zuc::ZUC_256,
];

/// Every operation of a mode over a block cipher.
pub static OPERATIONS: &[Operation] = &[
    crate::modes::ecb::ENCRYPT,
    crate::modes::ecb::DECRYPT,
    crate::modes::cbc::ENCRYPT,
    crate::modes::cbc::DECRYPT,
    crate::modes::ctr::APPLY,
];

/// The one operation of a stream cipher.
pub const KEYSTREAM: &str = "keystream";

/// The algorithm of that name.
#[must_use]
pub fn algorithm(name: &str) -> Option<&'static Algorithm> {
    ALGORITHMS.iter().find(|algorithm| algorithm.name == name)
}

/// The mode operation of that name.
#[must_use]
pub fn operation(name: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|operation| operation.name == name)
}

/// The mode operations that apply to an algorithm; none for a stream cipher,
/// whose one operation is [`KEYSTREAM`].
pub fn operations(algorithm: &Algorithm) -> impl Iterator<Item = &'static Operation> + use<> {
    let block = match algorithm.new {
        New::Block { block, .. } => Some(block),
        New::Stream { .. } => None,
    };
    OPERATIONS.iter().filter(move |operation| block.is_some_and(|b| operation.blocks.contains(&b)))
}
