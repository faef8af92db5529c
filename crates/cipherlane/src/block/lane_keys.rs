//! Keys of lanes: each lane of a group has the key of its block.
//!
//! As many words of a key as a block has are a block themselves: what takes blocks to
//! registers of words takes keys to the lanes of the blocks they are for. They are read from
//! where the keys lie, two such blocks of each key at a time, as chains read their data.

use core::marker::PhantomData;

use lanes::Isa;

use super::tile_cipher::{LaneKeys, TileCipher};
use crate::secret::Wipe;

/// The length of a block in bytes.
pub(crate) const BLOCK: usize = 8;
/// The most blocks of a group: four registers of 64 bytes.
pub(crate) const GROUP: usize = 32;

/// A key as `P` pieces of two blocks; what lies behind the key is not used.
pub(crate) type Pieces<const P: usize> = [[u8; 2 * BLOCK]; P];

/// A key in pieces.
#[inline(always)]
pub(crate) fn pieces<C: TileCipher, const DECRYPT: bool, const P: usize>(key: &C) -> &Pieces<P> {
    let (pieces, _) = key.key_bytes::<DECRYPT>().as_chunks();
    pieces.first_chunk().expect("as many pieces as the cipher says")
}

/// The keys of `G` groups of lanes, two blocks of words in a piece.
#[repr(align(64))]
pub(crate) struct Kept<const P: usize, const G: usize>([[[[[u8; 64]; 4]; G]; 2]; P]);

impl<const P: usize, const G: usize> Wipe for Kept<P, G> {
    fn wipe(&mut self) {
        let words = self.0.as_flattened_mut().as_flattened_mut().as_flattened_mut();
        lanes::wipe::wipe_bytes(words.as_flattened_mut());
    }
}

impl<const P: usize, const G: usize> Kept<P, G> {
    /// No keys yet.
    pub(crate) const EMPTY: Self = Self([[[[[0; 64]; 4]; G]; 2]; P]);

    /// The keys of a group, in the order of the blocks in memory.
    #[inline(always)]
    pub(crate) fn enter<I: Isa, C: TileCipher>(
        &mut self,
        isa: I,
        g: usize,
        keys: &[&Pieces<P>; GROUP],
    ) {
        let n = const { I::BYTES / 16 };
        for p in 0..P {
            let mut rows = [[isa.zero(); 4]; 2];
            for i in 0..4 {
                // Unpacking takes every other block from the second register.
                let (mut even, mut odd) = ([&keys[0][p]; 4], [&keys[0][p]; 4]);
                for q in 0..4 {
                    let at = 2 * n * i + 2 * if q < n { q } else { 0 };
                    even[q] = &keys[at][p];
                    odd[q] = &keys[at + 1][p];
                }
                let (even, odd) = (isa.load_blocks(even), isa.load_blocks(odd));
                rows[0][i] = isa.unpack_low64(even, odd);
                rows[1][i] = isa.unpack_high64(even, odd);
            }
            for half in 0..2 {
                let words = C::words(isa, rows[half]);
                for i in 0..4 {
                    isa.store(words[i], &mut self.0[p][half][g][i]);
                }
            }
        }
    }
}

/// The keys of lanes for a cipher's rounds.
pub(crate) struct Own<'k, C, const P: usize, const G: usize>(
    pub(crate) &'k Kept<P, G>,
    pub(crate) PhantomData<C>,
);

impl<C, const P: usize, const G: usize> Copy for Own<'_, C, P, G> {}

impl<C, const P: usize, const G: usize> Clone for Own<'_, C, P, G> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<I: Isa, C: TileCipher, const P: usize, const G: usize> LaneKeys<I> for Own<'_, C, P, G> {
    #[inline(always)]
    fn count(self) -> usize {
        C::USUAL
    }

    #[inline(always)]
    fn word(self, isa: I, number: usize, group: usize, other: bool) -> I::V {
        let register = number % C::WORDS + if other { 2 } else { 0 };
        let block = number / C::WORDS;
        isa.load(&self.0.0[block / 2][block % 2][group][register])
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
