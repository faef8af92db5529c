//! AES under many keys.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use lanes::Level;

use super::{Aes, BLOCK, KEY};
use crate::block::runs;
use crate::error::{Error, check_length};
use crate::first_use::admit;
use crate::secret::Trace;
use crate::sizes::Sizes;
use crate::traits::block::{BlockCipher, KeyedChain, WholeMode};
use crate::traits::keys::KeySet;
use crate::traits::mode::Direction;
use crate::traits::whole::GcmMessages;

/// AES under many keys, for many messages at once.
#[derive(Clone)]
pub struct AesKeys {
    level: Level,
    key: Sizes,
    keys: Vec<Aes>,
}

impl fmt::Debug for AesKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (keys, level) = (self.keys.len(), self.level.name());
        f.debug_struct("AesKeys").field("keys", &keys).field("level", &level).finish()
    }
}

impl AesKeys {
    /// Expands keys of 16, 24 or 32 bytes, all of one length, at a given level.
    ///
    /// # Errors
    /// [`Error::Length`] for a key that has another length or not that of the first.
    pub fn with_level(keys: &[&[u8]], level: Level) -> Result<Self, Error> {
        let key = keys.first().map_or(KEY, |key| Sizes::exactly(key.len()));
        check(keys, key)?;
        admit(level, &super::ANSWER)?;
        let places = keys.iter().map(|_| Aes::unset(level, Trace::none())).collect();
        let mut set = Self { level, key, keys: places };
        set.set(keys)?;
        Ok(set)
    }

    /// The same, as the registry has it.
    pub(super) fn boxed(keys: &[&[u8]], level: Level) -> Result<Box<dyn KeySet>, Error> {
        Ok(Box::new(Self::with_level(keys, level)?))
    }
}

impl AesKeys {
    /// Which blocks go in lanes: where a round is an instruction, but for several registers of one
    /// key.
    fn parts(&self, keys: &[usize]) -> impl Iterator<Item = (Option<usize>, Range<usize>)> {
        let lanes = super::lanes(self.level);
        let alone_from = if super::single_from(self.level) == 0 { lanes / 2 } else { 0 };
        runs::parts(keys, (lanes, alone_from))
    }

    /// Panics where chains break the contract of [`KeySet::encrypt_chains`].
    fn check_chains(&self, chains: &[KeyedChain<'_>]) {
        for KeyedChain { key, chain } in chains {
            assert!(*key < self.keys.len(), "a key of the set");
            assert_eq!(chain.value.len(), BLOCK, "a chaining value of one block");
            assert_eq!(chain.data.len() % BLOCK, 0, "whole blocks");
        }
    }

    /// Panics where numbers and blocks break the contract of [`KeySet::encrypt_each`].
    fn check_each<'b>(&self, keys: &[usize], blocks: &'b mut [u8]) -> &'b mut [[u8; BLOCK]] {
        assert_eq!(blocks.len(), keys.len() * BLOCK, "a block for each number");
        assert!(keys.iter().all(|&key| key < self.keys.len()), "keys of the set");
        blocks.as_chunks_mut().0
    }
}

/// Checks the lengths of keys.
fn check(keys: &[&[u8]], allowed: Sizes) -> Result<(), Error> {
    keys.iter().try_for_each(|key| check_length("key", key.len(), allowed))
}

impl KeySet for AesKeys {
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

    fn single_from(&self) -> usize {
        super::single_from(self.level)
    }

    fn set(&mut self, keys: &[&[u8]]) -> Result<(), Error> {
        check(keys, self.key)?;
        for (place, key) in self.keys[..keys.len()].iter_mut().zip(keys) {
            place.set(key);
        }
        Ok(())
    }

    fn one(&self, key: usize) -> &dyn BlockCipher {
        &self.keys[key]
    }

    fn encrypt_chains(&self, chains: &mut [KeyedChain<'_>]) {
        self.check_chains(chains);
        super::encrypt_keyed_chains(self.level, &self.keys, WholeMode::CbcEncrypt, chains);
    }

    fn keystream_chains(&self, mode: WholeMode, chains: &mut [KeyedChain<'_>]) -> bool {
        self.check_chains(chains);
        super::encrypt_keyed_chains(self.level, &self.keys, mode, chains)
    }

    fn gcm(&self, direction: Direction, messages: &mut GcmMessages<'_, '_>) -> usize {
        match direction {
            Direction::Encrypt => super::seal_each(self.level, &self.keys, messages),
            Direction::Decrypt => super::open_each(self.level, &self.keys, messages),
        }
    }

    fn encrypt_each(&self, keys: &[usize], blocks: &mut [u8]) {
        let blocks = self.check_each(keys, blocks);
        for (number, range) in self.parts(keys) {
            let part = &mut blocks[range.clone()];
            match number {
                None => super::encrypt_each(self.level, &self.keys, &keys[range], part),
                Some(key) => {
                    self.keys[key].encrypt_blocks(part.as_flattened_mut().into(), None, None);
                }
            }
        }
    }

    fn decrypt_each(&self, keys: &[usize], blocks: &mut [u8]) {
        let blocks = self.check_each(keys, blocks);
        for (number, range) in self.parts(keys) {
            let part = &mut blocks[range.clone()];
            match number {
                None => super::decrypt_each(self.level, &self.keys, &keys[range], part),
                Some(key) => {
                    self.keys[key].decrypt_blocks(part.as_flattened_mut().into(), None, None);
                }
            }
        }
    }
}
