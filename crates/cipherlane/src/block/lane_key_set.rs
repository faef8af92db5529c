//! Many keys of a cipher of 8-byte blocks, under which chains and blocks run in lanes.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use lanes::Level;

use super::lane_keys::BLOCK;
use super::passes::{chains_of_group, of_chains};
use super::runs;
use crate::error::{Error, check_length};
use crate::secret::{Depth, Trace};
use crate::sizes::Sizes;
use crate::traits::block::{BlockCipher, KeyedChain};
use crate::traits::keys::{Few, KeySet};

/// A cipher that has lanes for keys of their own.
pub(crate) trait InLanes: BlockCipher + Sized + 'static {
    /// The key lengths in bytes.
    const KEY: Sizes;

    /// How deep operations go on the stack.
    const STACK: Depth;

    /// Whether there is a kernel for lanes in 16-byte registers.
    const SHORT: bool;

    /// Whether objects may be made at a level.
    fn admit(level: Level) -> Result<(), Error>;

    /// What clears it.
    fn trace(&mut self) -> &mut Trace;

    /// A place for a key, whose trace another object clears.
    fn empty(level: Level) -> Self;

    /// Expands a key of such a length into its place.
    fn set(&mut self, key: &[u8]);

    /// How many blocks under their own keys share a pass.
    fn lanes(level: Level) -> usize;

    /// The blocks of a message from which on it goes alone.
    fn single_from(level: Level) -> usize;

    /// Runs chains, each under its key.
    fn chains(level: Level, keys: &[Self], chains: &mut [KeyedChain<'_>]);

    /// Encrypts, or (`back`) decrypts, each block in place under the key whose number stands
    /// beside it; asked for only where there are [`lanes`](Self::lanes).
    fn each(level: Level, back: bool, keys: &[Self], numbers: &[usize], blocks: &mut [[u8; BLOCK]]);
}

/// A set of keys.
pub(crate) struct LaneKeySet<C> {
    level: Level,
    keys: Vec<C>,
}

/// One object, its key expanded where it stays: what was just written is slow to move.
pub(crate) fn boxed<C: InLanes>(key: &[u8], level: Level) -> Result<Box<dyn BlockCipher>, Error> {
    C::admit(level)?;
    check_length("key", key.len(), C::KEY)?;
    let mut cipher = Box::new(C::empty(level));
    *cipher.trace() = Trace::of(level, C::STACK);
    cipher.set(key);
    Ok(cipher)
}

/// The same for several owners.
pub(crate) fn shared<C: InLanes>(key: &[u8], level: Level) -> Result<Arc<dyn BlockCipher>, Error> {
    C::admit(level)?;
    check_length("key", key.len(), C::KEY)?;
    let mut cipher = Arc::new(C::empty(level));
    let place = Arc::get_mut(&mut cipher).expect("one owner");
    *place.trace() = Trace::of(level, C::STACK);
    place.set(key);
    Ok(cipher)
}

/// Checks the lengths of keys.
fn check<C: InLanes>(keys: &[&[u8]]) -> Result<(), Error> {
    keys.iter().try_for_each(|key| check_length("key", key.len(), C::KEY))
}

impl<C: InLanes> LaneKeySet<C> {
    /// The set, as the registry has it.
    pub(crate) fn boxed(keys: &[&[u8]], level: Level) -> Result<Box<dyn KeySet>, Error> {
        C::admit(level)?;
        check::<C>(keys)?;
        let places = keys.iter().map(|_| C::empty(level)).collect();
        let mut set = Self { level, keys: places };
        set.set(keys)?;
        Ok(Box::new(set))
    }

    /// Ciphers each block under its key: those of one key that fill the lanes, or are the last, by
    /// that key alone, what is between them in lanes.
    fn each(&self, back: bool, numbers: &[usize], blocks: &mut [[u8; BLOCK]]) {
        let level = of_chains(self.level, blocks.len(), C::SHORT);
        let lanes = chains_of_group(level);
        let alone_from = if C::lanes(level) == 1 { 0 } else { lanes };
        for (number, range) in runs::parts(numbers, (lanes, alone_from)) {
            let part = &mut blocks[range.clone()];
            match number.map(|number| &self.keys[number]) {
                None => C::each(level, back, &self.keys, &numbers[range], part),
                Some(key) if back => key.decrypt_blocks(part.as_flattened_mut().into(), None, None),
                Some(key) => key.encrypt_blocks(part.as_flattened_mut().into(), None, None),
            }
        }
    }

    /// Panics where numbers and blocks break the contract of [`KeySet::encrypt_each`].
    fn check_each<'b>(&self, keys: &[usize], blocks: &'b mut [u8]) -> &'b mut [[u8; BLOCK]] {
        assert_eq!(blocks.len(), keys.len() * BLOCK, "a block for each number");
        assert!(keys.iter().all(|&key| key < self.keys.len()), "keys of the set");
        blocks.as_chunks_mut().0
    }
}

impl<C: InLanes> KeySet for LaneKeySet<C> {
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
        C::lanes(self.level)
    }

    fn single_from(&self) -> usize {
        C::single_from(self.level)
    }

    fn few(&self) -> Few {
        // Room for the keys of lanes, cleared and wiped, takes what one such message takes; measured,
        // `docs/notes/lanes-by-number.md`.
        let blocks = match (self.level.halved(), self.level.split()) {
            (None, _) => 48,
            (Some(_), Some(_)) => 32,
            (Some(_), None) => 24,
        };
        Few { blocks, single_from: chains_of_group(Level::portable()) }
    }

    fn set(&mut self, keys: &[&[u8]]) -> Result<(), Error> {
        check::<C>(keys)?;
        for (place, key) in self.keys[..keys.len()].iter_mut().zip(keys) {
            place.set(key);
        }
        Ok(())
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
        C::chains(self.level, &self.keys, chains);
    }

    fn encrypt_each(&self, keys: &[usize], blocks: &mut [u8]) {
        self.each(false, keys, self.check_each(keys, blocks));
    }

    fn decrypt_each(&self, keys: &[usize], blocks: &mut [u8]) {
        self.each(true, keys, self.check_each(keys, blocks));
    }
}
