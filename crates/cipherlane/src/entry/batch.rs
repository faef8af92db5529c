//! Rows of operations on many messages at once.

use alloc::boxed::Box;

use lanes::Level;

use crate::error::Error;
use crate::sizes::Sizes;
use crate::traits::batch::{BatchCipher, ReadyBatch};
use crate::traits::keys::NewKeys;

/// Makes a batch under ready keys from the cipher's sets of keys, the cipher's key lengths and
/// the operation's keys.
pub(crate) type NewReady =
    fn(NewKeys, Sizes, &[&[u8]], Level) -> Result<Box<dyn ReadyBatch>, Error>;
/// Makes a batch under fresh keys from the cipher's sets of keys and the cipher's key
/// lengths.
pub(crate) type NewFresh = fn(NewKeys, Sizes, Level) -> Result<Box<dyn BatchCipher>, Error>;

/// An operation in lanes, over the keys of any block cipher with such blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BatchEntry {
    /// The operation's name, e.g. `"cbc-encrypt"`.
    pub(crate) operation: &'static str,
    /// The block lengths it is written for, in bytes.
    pub(crate) blocks: &'static [usize],
    /// The constructor under ready keys.
    pub(crate) ready: NewReady,
    /// The constructor under keys that come with the messages.
    pub(crate) fresh: NewFresh,
}
