//! Keys of chains in lanes, kept together while the chains run: a round key of a register is the
//! round keys of its blocks, one after another.

use lanes::Isa;

use super::register_blocks::MOST as REGISTERS;
use super::round_keys::MOST as KEYS;
use super::{Aes, BLOCK};
use crate::secret::Wipe;

/// The encryption keys of a tile of lanes, ready to be loaded: each in one line of the cache, since a
/// register of 64 bytes that lies across two costs as much as two.
#[repr(align(64))]
pub(super) struct Kept {
    keys: [[[u8; 64]; REGISTERS]; KEYS],
    pub(super) rounds: usize,
}

impl Wipe for Kept {
    fn wipe(&mut self) {
        lanes::wipe::wipe_bytes(self.keys.as_flattened_mut().as_flattened_mut());
    }
}

impl Kept {
    /// No keys yet, for so many rounds.
    pub(super) const fn empty(rounds: usize) -> Self {
        Self { keys: [[[0; 64]; REGISTERS]; KEYS], rounds }
    }

    /// The keys of the lanes in use, of which some have changed, a bit of `changed` each.
    #[inline(always)]
    pub(super) fn update<I: Isa>(&mut self, keys: &[Aes], numbers: &[usize], mut changed: u128) {
        let blocks = const { I::BYTES / BLOCK };
        while changed != 0 {
            let lane = changed.trailing_zeros() as usize;
            changed &= changed - 1;
            let (Some(&number), true) = (numbers.get(lane), lane / blocks < REGISTERS) else {
                continue;
            };
            let table = keys[number].keys.0.table::<false>();
            for (places, key) in self.keys.iter_mut().zip(table) {
                places[lane / blocks].as_chunks_mut().0[lane % blocks] = *key;
            }
        }
    }

    /// The key of round `r` of register `u`.
    #[inline(always)]
    pub(super) fn key<I: Isa>(&self, isa: I, r: usize, u: usize) -> I::V {
        isa.load(&self.keys[r][u])
    }
}
