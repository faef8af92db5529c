//! SM4 under many keys.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use lanes::{Level, Streams};

use super::lockstep_keys::LockstepKeys;
use super::round_keys::{DECRYPT, ENCRYPT};
use super::{BLOCK, KEY, Sm4};
use crate::error::{Error, check_length};
use crate::first_use::admit;
use crate::secret::{Secret, Trace};
use crate::sizes::Sizes;
use crate::traits::block::{BlockCipher, KeyedChain};
use crate::traits::keys::KeySet;
use crate::traits::lockstep::{LOCKSTEP, Lockstep};

/// SM4 under many keys, for many messages at once.
#[derive(Clone)]
pub struct Sm4Keys {
    level: Level,
    keys: Vec<Sm4>,
    /// Of keys that stay, those of a group side by side.
    precomputed: Vec<Secret<LockstepKeys>>,
    /// See [`KeySet::lockstep_below`]; kept because asking the level costs a call.
    lockstep_below: usize,
}

impl fmt::Debug for Sm4Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (keys, level) = (self.keys.len(), self.level.name());
        f.debug_struct("Sm4Keys").field("keys", &keys).field("level", &level).finish()
    }
}

impl Sm4Keys {
    /// Expands keys of 16 bytes each, at a given level.
    ///
    /// # Errors
    /// [`Error::Length`] for a key that is not 16 bytes.
    pub fn with_level(keys: &[&[u8]], level: Level) -> Result<Self, Error> {
        admit(level, &super::ANSWER)?;
        let empty = Sm4::unset(level, Trace::none());
        let places = alloc::vec![empty; keys.len()];
        let mut set = Self { level, keys: places, precomputed: Vec::new(), lockstep_below: 0 };
        set.set(keys)?;
        Ok(set)
    }

    /// The same, as the registry has it.
    pub(super) fn boxed(keys: &[&[u8]], level: Level) -> Result<Box<dyn KeySet>, Error> {
        Ok(Box::new(Self::with_level(keys, level)?))
    }
}

impl Sm4Keys {
    /// Panics where numbers and blocks break the contract of [`KeySet::encrypt_each`].
    fn check_each<'b>(&self, keys: &[usize], blocks: &'b mut [u8]) -> &'b mut [[u8; BLOCK]] {
        assert_eq!(blocks.len(), keys.len() * BLOCK, "a block for each number");
        assert!(keys.iter().all(|&key| key < self.keys.len()), "keys of the set");
        blocks.as_chunks_mut().0
    }
}

/// Checks the lengths of keys.
fn check(keys: &[&[u8]]) -> Result<(), Error> {
    keys.iter().try_for_each(|key| check_length("key", key.len(), Sizes::exactly(KEY)))
}

impl KeySet for Sm4Keys {
    fn len(&self) -> usize {
        self.keys.len()
    }

    fn block_size(&self) -> usize {
        BLOCK
    }

    fn level(&self) -> Level {
        self.level
    }

    fn lanes(&self) -> usize {
        super::lanes(self.level)
    }

    fn set(&mut self, keys: &[&[u8]]) -> Result<(), Error> {
        check(keys)?;
        self.precomputed.clear();
        self.lockstep_below = 0;
        super::expand(self.level, keys, &mut self.keys[..keys.len()]);
        Ok(())
    }

    fn precompute(&mut self) {
        super::precompute(self.level, &self.keys, &mut self.precomputed);
        if !self.precomputed.is_empty() {
            // Three quarters of a pair of byte-sliced groups, which alone would be as slow.
            self.lockstep_below = super::lanes(self.level) * 3 / 2;
        }
    }

    fn lockstep_below(&self) -> usize {
        self.lockstep_below
    }

    fn lockstep(
        &self,
        mode: Lockstep,
        first: usize,
        values: &mut [[u8; BLOCK]; LOCKSTEP],
        messages: &mut Streams<'_, LOCKSTEP>,
    ) {
        assert!(first.is_multiple_of(LOCKSTEP), "the first key of a group");
        assert!(messages.len().is_multiple_of(BLOCK), "whole blocks");
        let keys = &self.precomputed[first / LOCKSTEP].0;
        if messages.is_empty() {
        } else if mode.serial() {
            super::serial_in_lockstep(self.level, keys, mode, values, messages);
        } else {
            super::parallel_in_lockstep(self.level, keys, mode, values, messages);
        }
    }

    fn one(&self, key: usize) -> &dyn BlockCipher {
        &self.keys[key]
    }

    fn encrypt_chains(&self, chains: &mut [KeyedChain<'_>]) {
        for KeyedChain { key, chain } in chains.iter() {
            assert!(*key < self.keys.len(), "a key of the set");
            assert_eq!(chain.value.len(), BLOCK, "a chaining value of one block");
            assert_eq!(chain.data.len() % BLOCK, 0, "whole blocks");
        }
        if let [KeyedChain { key, chain }] = chains {
            return self.keys[*key].encrypt_chain(chain);
        }
        super::encrypt_keyed_chains(self.level, &self.keys, chains);
    }

    fn encrypt_each(&self, keys: &[usize], blocks: &mut [u8]) {
        super::each(self.level, ENCRYPT, &self.keys, keys, self.check_each(keys, blocks));
    }

    fn decrypt_each(&self, keys: &[usize], blocks: &mut [u8]) {
        super::each(self.level, DECRYPT, &self.keys, keys, self.check_each(keys, blocks));
    }
}
