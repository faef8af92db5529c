//! The types of the registry's rows: what an algorithm says of itself, and an operation.
//!
//! The rows stand where the algorithms and modes are, the tables in [`crate::registry`].

use alloc::boxed::Box;
use alloc::sync::Arc;

use lanes::{InOut, Level};

use crate::error::Error;
use crate::sizes::Sizes;
use crate::traits::aead::{Aead, AeadStream};
use crate::traits::block::BlockCipher;
use crate::traits::keys::{NewBlock, NewKeys};
use crate::traits::mac::DynMac;
use crate::traits::mode::{BlockMode, Direction, MessageMode};
use crate::traits::stream::StreamCipher;

pub(crate) mod batch;
pub(crate) mod known_answer;
pub(crate) mod parameters;
pub(crate) mod stream;
pub(crate) mod timing;

use known_answer::KnownAnswer;
use stream::NewBatch;
use timing::Timing;

/// The same in an object with several owners.
pub type NewShared = fn(&[u8], Level) -> Result<Arc<dyn BlockCipher>, Error>;
/// Makes a stream cipher object from a key and an IV.
pub type NewStream = fn(&[u8], &[u8], Level) -> Result<Box<dyn StreamCipher>, Error>;

/// Whether the standard's limits on what one key and IV give are in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limits {
    /// They are.
    Enforced,
    /// They are not: for measurements only.
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
    /// The object identifier of an operation on this algorithm, e.g. of `cbc-encrypt` that
    /// of CBC, if it has one.
    #[must_use]
    pub fn oid(&self, operation: &str) -> Option<&'static str> {
        let mode = ["-encrypt", "-decrypt", "-seal", "-open"]
            .iter()
            .find_map(|direction| operation.strip_suffix(direction))
            .unwrap_or(operation);
        self.oids.iter().find(|(name, _)| *name == mode).map(|&(_, oid)| oid)
    }
}

/// What an operation's data must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataRule {
    /// Any number of bytes.
    Any,
    /// Whole blocks.
    WholeBlocks,
}

/// How the data of an operation can be cut, between blocks, into pieces that need
/// nothing of each other's results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// Not at all: each block needs what became of the one before.
    Never,
    /// Anywhere.
    Anywhere,
    /// A piece's IV is the block of input before it.
    InputBefore,
    /// A piece's IV is the first counter plus the number of blocks before it.
    Counter,
    /// The same, where the last 32 bits of a block count.
    Counter32,
}

/// A streaming object of an operation under a ready key.
pub enum Started<'c> {
    /// Takes any split of the data.
    Stream(Box<dyn StreamCipher + 'c>),
    /// Takes whole blocks; see [`modes::Buffered`](crate::modes::Buffered) for any split and padding.
    Blocks(Box<dyn BlockMode + 'c>),
}

/// Starts a streaming object that shares its key.
pub type Share = fn(Arc<dyn BlockCipher>, &[u8]) -> Result<Started<'static>, Error>;

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
    /// How the data can be cut for several threads.
    pub split: Split,
    /// Processes one whole message under a ready key.
    pub message: fn(&dyn BlockCipher, &[u8], InOut<'_>) -> Result<(), Error>,
    /// Starts a streaming object under a ready key.
    pub start: for<'c> fn(&'c dyn BlockCipher, &[u8]) -> Result<Started<'c>, Error>,
    /// The same with an object that keeps the key alive itself: for languages and threads
    /// that can't say how long a borrow lasts.
    pub share: Share,
}

/// Makes a mode on whole messages from a cipher's constructor and a key.
pub type NewMessage = fn(NewBlock, &[u8], Level) -> Result<Box<dyn MessageMode>, Error>;

/// A mode on whole messages, whose key may be more than the cipher's. Its operations
/// are `NAME-encrypt` and `NAME-decrypt`.
#[derive(Clone, Copy, Debug)]
pub struct MessageEntry {
    /// Its name, e.g. `"xts-gb"`.
    pub name: &'static str,
    /// The standard and clause.
    pub standard: &'static str,
    /// The block lengths it is defined for, in bytes.
    pub blocks: &'static [usize],
    /// The key length in bytes for a cipher's key length; 0 if it is not defined for that.
    pub key: fn(usize) -> usize,
    /// The IV or tweak length in bytes for a block length.
    pub iv: fn(usize) -> Sizes,
    /// The message lengths in bytes for a block length.
    pub data: fn(usize) -> Sizes,
    /// The constructor.
    pub new: NewMessage,
}

/// Makes a streaming AEAD from a cipher's constructor, a key, a direction and a nonce.
pub type NewAeadStream =
    fn(NewBlock, &[u8], Level, Direction, &[u8]) -> Result<Box<dyn AeadStream>, Error>;

/// Whether an AEAD takes a message in pieces.
#[derive(Clone, Copy, Debug)]
pub enum AeadStreaming {
    /// Any message.
    Yes(NewAeadStream),
    /// Messages whose lengths have been announced by [`AeadStream::announce`].
    Announced(NewAeadStream),
    /// No, for the reason told.
    No(&'static str),
}

impl AeadStreaming {
    /// The constructor, if there is one.
    #[must_use]
    pub const fn constructor(&self) -> Option<NewAeadStream> {
        match *self {
            Self::Yes(new) | Self::Announced(new) => Some(new),
            Self::No(_) => None,
        }
    }
}

/// Makes an AEAD from a cipher's constructor and a key.
pub type NewAead = fn(NewBlock, &[u8], Level) -> Result<Box<dyn Aead>, Error>;

/// An AEAD mode over a block cipher. Its operations are `NAME-seal` and `NAME-open`.
#[derive(Clone, Copy, Debug)]
pub struct AeadEntry {
    /// Its name, e.g. `"gcm"`.
    pub name: &'static str,
    /// The standard and clause.
    pub standard: &'static str,
    /// The block lengths it is defined for, in bytes.
    pub blocks: &'static [usize],
    /// Whether it is defined for keys of this length in bytes.
    pub takes_key: fn(usize) -> bool,
    /// The nonce lengths in bytes.
    pub nonce: Sizes,
    /// The nonce length to take where nothing else is said.
    pub usual_nonce: usize,
    /// The tag lengths in bytes; the longest where nothing else is said.
    pub tag: Sizes,
    /// Whether it takes a message in pieces.
    pub streaming: AeadStreaming,
    /// The constructor.
    pub new: NewAead,
}

/// Makes a MAC from the constructor of a cipher for several owners, as MACs are copied, a key and
/// an IV.
pub type NewMac = fn(NewShared, &[u8], &[u8], Level) -> Result<Box<dyn DynMac>, Error>;

/// A MAC over a block cipher. Its operation is its name.
#[derive(Clone, Copy, Debug)]
pub struct MacEntry {
    /// Its name, e.g. `"cmac"`.
    pub name: &'static str,
    /// The standard and clause.
    pub standard: &'static str,
    /// The block lengths it is defined for, in bytes.
    pub blocks: &'static [usize],
    /// The key length in bytes for a cipher's key length; 0 if it is not defined for that.
    pub key: fn(usize) -> usize,
    /// The IV lengths in bytes.
    pub iv: Sizes,
    /// The IV length to take where nothing else is said.
    pub usual_iv: usize,
    /// The tag lengths in bytes for a block length; the longest where nothing else is said.
    pub tag: fn(usize) -> Sizes,
    /// The constructor.
    pub new: NewMac,
}
