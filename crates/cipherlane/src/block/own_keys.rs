//! Keys of lanes: each lane of a group has the key of its block.
//!
//! As many words of a key as a block has are a block themselves: what takes blocks to
//! registers of words takes keys to the lanes of the blocks they are for.

use core::marker::PhantomData;

use lanes::Isa;

use super::tiles::{LaneKeys, TileCipher};
use crate::secret::Wipe;

/// The length of a block in bytes.
pub(crate) const BLOCK: usize = 8;
/// The most blocks of a group: four registers of 64 bytes.
const GROUP: usize = 32;

/// The keys, of `B` blocks each, of `G` groups of lanes.
pub(crate) struct Kept<const B: usize, const G: usize> {
    /// In the order of the blocks.
    blocks: [[[[u8; BLOCK]; GROUP]; G]; B],
    /// In that of the lanes.
    words: [[[[u8; 64]; 4]; G]; B],
}

impl<const B: usize, const G: usize> Wipe for Kept<B, G> {
    fn wipe(&mut self) {
        let blocks = self.blocks.as_flattened_mut().as_flattened_mut().as_flattened_mut();
        lanes::wipe::wipe_bytes(blocks);
        let words = self.words.as_flattened_mut().as_flattened_mut().as_flattened_mut();
        lanes::wipe::wipe_bytes(words);
    }
}

impl<const B: usize, const G: usize> Kept<B, G> {
    /// No keys yet.
    pub(crate) const EMPTY: Self =
        Self { blocks: [[[[0; BLOCK]; GROUP]; G]; B], words: [[[[0; 64]; 4]; G]; B] };

    /// The key of one block, counted through all groups in the order of memory.
    #[inline(always)]
    pub(crate) fn put<I: Isa, C: TileCipher<Block = u64>, const BACK: bool>(
        &mut self,
        key: &C,
        block: usize,
    ) {
        let blocks = const { 4 * I::BYTES / BLOCK };
        let (g, place) = (block / blocks, block % blocks);
        for (j, blocks) in self.blocks.iter_mut().enumerate() {
            blocks[g][place] = key.key_block::<BACK>(j).to_le_bytes();
        }
    }

    /// The keys of a group, after some have been put there.
    #[inline(always)]
    pub(crate) fn enter<I: Isa, C: TileCipher>(&mut self, isa: I, g: usize) {
        for j in 0..B {
            let blocks = self.blocks[j][g].as_flattened();
            let mut rows = [isa.zero(); 4];
            for i in 0..4 {
                rows[i] = isa.load(&blocks[i * I::BYTES..]);
            }
            let words = C::words(isa, rows);
            for i in 0..4 {
                isa.store(words[i], &mut self.words[j][g][i]);
            }
        }
    }
}

/// The keys of lanes for a cipher's rounds.
pub(crate) struct Own<'k, C, const B: usize, const G: usize>(
    pub(crate) &'k Kept<B, G>,
    pub(crate) PhantomData<C>,
);

impl<C, const B: usize, const G: usize> Copy for Own<'_, C, B, G> {}

impl<C, const B: usize, const G: usize> Clone for Own<'_, C, B, G> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<I: Isa, C: TileCipher, const B: usize, const G: usize> LaneKeys<I> for Own<'_, C, B, G> {
    #[inline(always)]
    fn count(self) -> usize {
        const { C::WORDS * B }
    }

    #[inline(always)]
    fn word(self, isa: I, number: usize, group: usize, other: bool) -> I::V {
        let register = number % C::WORDS + if other { 2 } else { 0 };
        isa.load(&self.0.words[number / C::WORDS][group][register])
    }

    /// Word by word of the key, eight at a time: which one is wanted decides what is kept
    /// of all.
    #[inline(always)]
    fn chosen(self, isa: I, index: I::V, group: usize) -> I::V {
        let one = isa.splat16(1);
        let first = isa.equal16(isa.and(index, one), one);
        let second = isa.equal16(isa.and(isa.shr64::<1>(index), one), one);
        let third = isa.equal16(isa.and(isa.shr64::<2>(index), one), one);
        let eight = isa.and(isa.shr64::<3>(index), isa.splat16(7));
        let mut found = isa.zero();
        for i in 0..8 {
            let mut words = [isa.zero(); 8];
            for w in 0..8 {
                words[w] = self.word(isa, 8 * i + w, group, false);
            }
            let (a, b) =
                (isa.select(first, words[1], words[0]), isa.select(first, words[3], words[2]));
            let (c, d) =
                (isa.select(first, words[5], words[4]), isa.select(first, words[7], words[6]));
            let (a, c) = (isa.select(second, b, a), isa.select(second, d, c));
            let wanted = isa.equal16(eight, isa.splat16(i as u16));
            found = isa.or(found, isa.and(wanted, isa.select(third, c, a)));
        }
        found
    }
}
