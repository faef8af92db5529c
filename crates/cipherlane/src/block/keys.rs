//! Many keys of one block cipher, under which blocks and chains run side by side.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use lanes::{Level, Streams};

pub use super::KeyedChain;
use super::in_step::{IN_STEP, InStep};
use super::{BlockCipher, Chain};
use crate::Error;
use crate::registry::NewBlock;

/// Makes a set from keys that all have the cipher's length.
pub type NewKeys = fn(&[&[u8]], Level) -> Result<Box<dyn KeySet>, Error>;

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
    fn alone(&self) -> usize {
        // With one block in front for the mask of a tag.
        self.lanes().max(8) + 2
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

    /// Makes ready what [`in_step`](Self::in_step) takes, where the cipher has a kernel for that:
    /// for keys that stay. [`set`](Self::set) undoes it.
    #[doc(hidden)]
    fn settle(&mut self) {}

    /// Whether [`in_step`](Self::in_step) can be used.
    #[doc(hidden)]
    fn settled(&self) -> bool {
        self.in_step_below() > 0
    }

    /// The blocks of a message from which on its own key's kernel is faster than keys in step,
    /// where blocks do not wait for each other; 0 where the set is not settled.
    #[doc(hidden)]
    fn in_step_below(&self) -> usize {
        0
    }

    /// Runs messages of one length, whole blocks, in step: message `i` under key `first + i`,
    /// `first` being a multiple of [`IN_STEP`]. Values of parallel modes stay what they were, but
    /// for XTS.
    ///
    /// # Panics
    /// If the set is not [`settled`](Self::settled), there are no such keys, or the messages are
    /// not whole blocks.
    #[doc(hidden)]
    fn in_step(
        &self,
        mode: InStep,
        first: usize,
        values: &mut [[u8; 16]; IN_STEP],
        messages: &mut Streams<'_, IN_STEP>,
    ) {
        let _ = (mode, first, values, messages);
        unreachable!("a set that is not settled");
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

/// A set for a cipher that has no lanes for own keys: one object a key.
pub struct Separate {
    new: NewBlock,
    level: Level,
    ciphers: Vec<Box<dyn BlockCipher>>,
}

impl fmt::Debug for Separate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Separate").field("keys", &self.ciphers.len()).finish_non_exhaustive()
    }
}

impl Separate {
    /// A set from the constructor of one object.
    ///
    /// # Errors
    /// What the constructor refuses.
    pub fn boxed(new: NewBlock, keys: &[&[u8]], level: Level) -> Result<Box<dyn KeySet>, Error> {
        let ciphers = keys.iter().map(|key| one(new, key, level)).collect::<Result<_, _>>()?;
        Ok(Box::new(Self { new, level, ciphers }))
    }
}

/// A cipher among others, which all leave one trace.
fn one(new: NewBlock, key: &[u8], level: Level) -> Result<Box<dyn BlockCipher>, Error> {
    let mut cipher = new(key, level)?;
    cipher.leave_trace();
    Ok(cipher)
}

impl KeySet for Separate {
    fn len(&self) -> usize {
        self.ciphers.len()
    }

    fn block_size(&self) -> usize {
        self.ciphers.first().map_or(crate::modes::MAX_BLOCK, |cipher| cipher.block_size())
    }

    fn level(&self) -> Level {
        self.level
    }

    fn lanes(&self) -> usize {
        1
    }

    fn set(&mut self, keys: &[&[u8]]) -> Result<(), Error> {
        let fresh: Vec<_> =
            keys.iter().map(|key| one(self.new, key, self.level)).collect::<Result<_, _>>()?;
        self.ciphers.splice(..keys.len(), fresh);
        Ok(())
    }

    fn one(&self, key: usize) -> &dyn BlockCipher {
        &*self.ciphers[key]
    }

    /// Neighbours under one key go together.
    fn encrypt_chains(&self, chains: &mut [KeyedChain<'_>]) {
        for run in chains.chunk_by_mut(|a, b| a.key == b.key) {
            let key = run[0].key;
            let mut together: Vec<Chain<'_>> = run
                .iter_mut()
                .map(|KeyedChain { chain, .. }| {
                    let len = chain.data.len();
                    Chain { value: &mut *chain.value, data: chain.data.part(0, len) }
                })
                .collect();
            self.one(key).encrypt_chains(&mut together);
        }
    }
}

#[cfg(all(test, feature = "sm4"))]
mod tests {
    use super::*;
    use crate::block::ChainData;
    use crate::sm4::{Sm4, Sm4Keys};

    #[test]
    fn separate_objects_and_lanes_agree() {
        let new: NewBlock = |key, level| Ok(Box::new(Sm4::with_level(key, level)?));
        let level = Level::best();
        let keys: Vec<[u8; 16]> = (0..5).map(|i| [i; 16]).collect();
        let keys: Vec<&[u8]> = keys.iter().map(<[u8; 16]>::as_slice).collect();
        let mut separate = Separate::boxed(new, &keys[..3], level).unwrap();
        let mut lanes = Sm4Keys::with_level(&keys[..3], level).unwrap();
        separate.set(&keys[3..]).unwrap();
        lanes.set(&keys[3..]).unwrap();
        assert!(separate.set(&[&[0; 15]]).is_err() && lanes.set(&[&[0; 15]]).is_err());
        let numbers: Vec<usize> = (0..75).map(|i| i * i % 3).collect();
        let start: Vec<u8> = (0..75 * 16).map(|i| (i * 7 % 251) as u8).collect();
        let through = |set: &dyn KeySet| {
            let mut data = start.clone();
            set.encrypt_each(&numbers, &mut data);
            assert_ne!(data, start);
            let encrypted = data.clone();
            let mut values = [[3; 16]; 25];
            let mut chains: Vec<KeyedChain<'_>> = data
                .chunks_mut(48)
                .zip(&mut values)
                .zip(&numbers)
                .map(|((data, value), &key)| {
                    let data = ChainData::Encrypt(data.into());
                    KeyedChain { key, chain: Chain { value, data } }
                })
                .collect();
            set.encrypt_chains(&mut chains);
            drop(chains);
            let chained = data.clone();
            data.clone_from(&encrypted);
            set.decrypt_each(&numbers, &mut data);
            assert_eq!(data, start);
            (encrypted, chained, values)
        };
        assert_eq!(through(&*separate), through(&lanes));
    }
}
