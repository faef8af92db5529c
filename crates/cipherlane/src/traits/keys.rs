//! Many keys of one block cipher, under which blocks and chains run side by side.

use alloc::boxed::Box;

use lanes::{Level, Streams};

use super::block::{BlockCipher, KeyedChain, WholeMode};
use super::lockstep::{LOCKSTEP, Lockstep};
use super::mode::Direction;
use super::whole::GcmMessages;
use crate::error::Error;

/// Makes a block cipher object from a key.
pub type NewBlock = fn(&[u8], Level) -> Result<Box<dyn BlockCipher>, Error>;
/// Makes a set from keys that all have the cipher's length.
pub type NewKeys = fn(&[&[u8]], Level) -> Result<Box<dyn KeySet>, Error>;

/// What is done where there are few blocks; `KeySet::few`.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Few {
    /// Fewer blocks than this are few.
    pub blocks: usize,
    /// The blocks of a message from which on it goes alone then.
    pub single_from: usize,
}

/// Many keys of one block cipher, in the order in which they were given.
///
/// Of one key it is as fast as the cipher itself. The methods panic where a length or
/// a number breaks the contract stated; batches check what users give.
pub trait KeySet: Send + Sync {
    /// How many keys there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The length of a block in bytes.
    fn block_size(&self) -> usize;

    /// The level the keys run at.
    fn level(&self) -> Level;

    /// How many blocks share one pass of the kernel.
    fn lanes(&self) -> usize;

    /// The blocks of a message from which on it goes alone: side by side with others it would
    /// be slower.
    #[doc(hidden)]
    fn single_from(&self) -> usize {
        // With one block in front for the mask of a tag.
        self.lanes().max(8) + 2
    }

    /// Where there are few blocks to do.
    #[doc(hidden)]
    fn few(&self) -> Few {
        Few { blocks: 0, single_from: usize::MAX }
    }

    /// Replaces the first keys.
    ///
    /// # Errors
    /// [`Error::Length`] for a key of a wrong length; the set is unchanged then.
    ///
    /// # Panics
    /// If there are more than [`len`](Self::len).
    fn set(&mut self, keys: &[&[u8]]) -> Result<(), Error>;

    /// The cipher under one key.
    ///
    /// # Panics
    /// If there is no such key.
    fn one(&self, key: usize) -> &dyn BlockCipher;

    /// Runs independent chains side by side, each under its key; they may differ in length.
    ///
    /// # Panics
    /// If there is no such key, a chain's value is not one block or its data not whole blocks.
    fn encrypt_chains(&self, chains: &mut [KeyedChain<'_>]) {
        for KeyedChain { key, chain } in chains {
            self.one(*key).encrypt_chains(core::slice::from_mut(chain));
        }
    }

    /// The same for CFB encryption or OFB, where the cipher's chains can go as these modes do;
    /// nothing is done otherwise.
    ///
    /// # Panics
    /// As [`encrypt_chains`](Self::encrypt_chains); for any other mode.
    #[doc(hidden)]
    fn keystream_chains(&self, mode: WholeMode, chains: &mut [KeyedChain<'_>]) -> bool {
        let _ = (mode, chains);
        false
    }

    /// Seals or opens messages of GCM from the first on, one after another, as long as they are such as
    /// the cipher has a kernel for; returns how many.
    #[doc(hidden)]
    fn gcm(&self, direction: Direction, messages: &mut GcmMessages<'_, '_>) -> usize {
        let _ = (direction, messages);
        0
    }

    /// Makes ready what [`lockstep`](Self::lockstep) takes, where the cipher has a kernel for that:
    /// for keys that stay. [`set`](Self::set) undoes it.
    #[doc(hidden)]
    fn precompute(&mut self) {}

    /// The blocks of a message from which on its own key's kernel is faster than keys in lockstep,
    /// where blocks do not wait for each other; 0 where nothing is
    /// [`precomputed`](Self::precompute), and nothing can go in lockstep.
    #[doc(hidden)]
    fn lockstep_below(&self) -> usize {
        0
    }

    /// Runs messages of one length, whole blocks, in lockstep: message `i` under key `first + i`,
    /// `first` being a multiple of [`LOCKSTEP`]. Values of parallel modes stay what they were, but
    /// for XTS.
    ///
    /// # Panics
    /// If nothing is [`precomputed`](Self::precompute), there are no such keys, or the messages are
    /// not whole blocks.
    #[doc(hidden)]
    fn lockstep(
        &self,
        mode: Lockstep,
        first: usize,
        values: &mut [[u8; 16]; LOCKSTEP],
        messages: &mut Streams<'_, LOCKSTEP>,
    ) {
        let _ = (mode, first, values, messages);
        unreachable!("a set that is not precomputed");
    }

    /// Encrypts each block in place under the key whose number stands beside it.
    ///
    /// # Panics
    /// If there is no such key or there are not as many blocks as numbers.
    fn encrypt_each(&self, keys: &[usize], blocks: &mut [u8]) {
        in_runs(keys, blocks, self.block_size(), |key, blocks| {
            self.one(key).encrypt_blocks(blocks.into(), None, None);
        });
    }

    /// Decrypts each block in place under the key whose number stands beside it.
    ///
    /// # Panics
    /// If there is no such key or there are not as many blocks as numbers.
    fn decrypt_each(&self, keys: &[usize], blocks: &mut [u8]) {
        in_runs(keys, blocks, self.block_size(), |key, blocks| {
            self.one(key).decrypt_blocks(blocks.into(), None, None);
        });
    }
}

/// Hands out neighbouring blocks of the same key together.
pub(crate) fn in_runs(
    keys: &[usize],
    mut blocks: &mut [u8],
    block: usize,
    mut run: impl FnMut(usize, &mut [u8]),
) {
    assert_eq!(blocks.len(), keys.len() * block, "a block for each number");
    for keys in keys.chunk_by(|a, b| a == b) {
        let (head, rest) = blocks.split_at_mut(keys.len() * block);
        run(keys[0], head);
        blocks = rest;
    }
}
