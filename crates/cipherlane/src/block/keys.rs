//! Many keys of one block cipher, under which blocks and chains run side by side: [`KeySet`], and
//! the set for a cipher without lanes.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use lanes::Level;

use crate::error::Error;
pub use crate::traits::block::KeyedChain;
use crate::traits::block::{BlockCipher, Chain, MAX_BLOCK};
use crate::traits::keys::NewBlock;
pub use crate::traits::keys::{KeySet, NewKeys};

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
        self.ciphers.first().map_or(MAX_BLOCK, |cipher| cipher.block_size())
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
    use crate::ciphers::sm4::{Sm4, Sm4Keys};
    use crate::traits::block::ChainData;

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
