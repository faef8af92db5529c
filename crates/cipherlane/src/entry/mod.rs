//! The types of the registry's rows: what an algorithm says of itself, and an operation.
//!
//! The rows stand where the algorithms and modes are, the tables in [`crate::registry`]. A
//! [`Row`](row::Row) is an operation of many ciphers; with one of them it becomes an
//! [`Operation`](operation::Operation), which is what everybody reads.

use alloc::boxed::Box;
use alloc::sync::Arc;

use lanes::Level;

use crate::error::Error;
use crate::sizes::Sizes;
use crate::traits::batch::BatchCipher;
use crate::traits::block::BlockCipher;
use crate::traits::keys::{NewBlock, NewKeys};
use crate::traits::stream::StreamCipher;

pub(crate) mod batch;
pub(crate) mod constructor;
pub(crate) mod kind;
pub(crate) mod known_answer;
pub(crate) mod operation;
pub(crate) mod parameters;
pub(crate) mod row;
pub(crate) mod timing;

use known_answer::KnownAnswer;
use timing::Timing;

/// The same in an object with several owners.
pub type NewShared = fn(&[u8], Level) -> Result<Arc<dyn BlockCipher>, Error>;
/// Makes a stream cipher object from a key and an IV.
pub type NewStream = fn(&[u8], &[u8], Level) -> Result<Box<dyn StreamCipher>, Error>;
/// Makes a batch of an operation of a stream cipher.
pub type NewBatch = fn(Limits, Level) -> Box<dyn BatchCipher>;

/// Whether the standard's limits on what one key and IV give are in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limits {
    /// The limits are in force.
    Enforced,
    /// The limits are not in force: for measurements only.
    Lifted,
}

/// How an algorithm's objects are made.
#[derive(Clone, Copy, Debug)]
pub enum New {
    /// A block cipher with this block length in bytes.
    Block {
        /// The block length in bytes.
        block: usize,
        /// The constructor.
        new: NewBlock,
        /// The same for several owners: one allocation, in which the key is expanded.
        shared: NewShared,
        /// The constructor of many keys, under which blocks run side by side.
        keys: NewKeys,
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
        /// The constructor of a batch: many messages, each with its key and IV.
        batch: NewBatch,
    },
}

/// One primitive.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
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
    /// What it must give, for self-tests.
    pub answer: KnownAnswer,
    /// The object identifiers it has in modes, by the mode's name; where there is none for
    /// a mode, no standard that we know gives it one.
    pub oids: &'static [(&'static str, &'static str)],
}

impl Algorithm {
    /// The block length in bytes; none for a stream cipher.
    #[must_use]
    pub const fn block(&self) -> Option<usize> {
        match self.new {
            New::Block { block, .. } => Some(block),
            New::Stream { .. } => None,
        }
    }

    /// The block cipher under a key.
    ///
    /// # Errors
    /// [`Error::Length`] for a key of a wrong length, [`Error::State`] for a stream cipher.
    pub fn cipher(&self, key: &[u8], level: Level) -> Result<Box<dyn BlockCipher>, Error> {
        match self.new {
            New::Block { new, .. } => new(key, level),
            New::Stream { .. } => Err(NO_BLOCKS),
        }
    }

    /// The same in an object with several owners.
    ///
    /// # Errors
    /// As [`cipher`](Self::cipher).
    pub fn shared(&self, key: &[u8], level: Level) -> Result<Arc<dyn BlockCipher>, Error> {
        match self.new {
            New::Block { shared, .. } => shared(key, level),
            New::Stream { .. } => Err(NO_BLOCKS),
        }
    }

    /// The object identifier of an operation on this algorithm, e.g. of `cbc-encrypt` that
    /// of CBC, if it has one.
    #[must_use]
    pub fn oid(&self, operation: &str) -> Option<&'static str> {
        let mode = mode(operation);
        self.oids.iter().find(|(name, _)| *name == mode).map(|&(_, oid)| oid)
    }
}

const NO_BLOCKS: Error = Error::State("a stream cipher has no blocks");

/// The mode of an operation: `gcm` of `gcm-seal` and `gcm-open`.
fn mode(operation: &str) -> &str {
    ["-encrypt", "-decrypt", "-seal", "-open"]
        .iter()
        .find_map(|direction| operation.strip_suffix(direction))
        .unwrap_or(operation)
}
