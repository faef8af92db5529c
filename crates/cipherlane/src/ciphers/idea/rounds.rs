//! The eight rounds and the output transformation, over numbers and over lanes.

use lanes::Isa;

use super::key::{Keys, SUBKEYS};
use super::multiply::{multiply, multiply_lanes};
use crate::block::tile_cipher::{LaneKeys, TileCipher};
use crate::block::words16;

impl TileCipher for Keys {
    type Block = u64;
    type Link = u64;
    const WORDS: usize = 4;
    const USUAL: usize = SUBKEYS;

    #[inline(always)]
    fn one<const DECRYPT: bool>(&self, block: u64) -> u64 {
        let [block] = self.beside::<1, DECRYPT>([block]);
        block
    }

    #[inline(always)]
    fn link(&self, block: u64) -> u64 {
        self.one::<false>(block)
    }

    #[inline(always)]
    fn two<const DECRYPT: bool>(&self, blocks: [u64; 2]) -> [u64; 2] {
        self.beside::<2, DECRYPT>(blocks)
    }

    #[inline(always)]
    fn words<I: Isa>(isa: I, blocks: [I::V; 4]) -> [I::V; 4] {
        words16::enter::<I, false>(isa, blocks)
    }

    #[inline(always)]
    fn enter<I: Isa>(isa: I, blocks: [I::V; 4]) -> [I::V; 4] {
        words16::enter::<I, true>(isa, blocks)
    }

    #[inline(always)]
    fn leave<I: Isa>(isa: I, words: [I::V; 4]) -> [I::V; 4] {
        words16::leave::<I, true>(isa, words)
    }

    #[inline(always)]
    fn rounds<I: Isa, K: LaneKeys<I>, const G: usize, const DECRYPT: bool>(
        isa: I,
        keys: K,
        state: &mut [[I::V; 4]; G],
    ) {
        let one = isa.pin(isa.splat16(1));
        for r in 0..8 {
            keyed(isa, keys, one, state, [6 * r, 6 * r + 1, 6 * r + 2, 6 * r + 3]);
            let mut p = [isa.zero(); G];
            for g in 0..G {
                p[g] = multiply_lanes(
                    isa,
                    isa.xor(state[g][0], state[g][2]),
                    keys.word(isa, 6 * r + 4, g, false),
                    one,
                );
            }
            let mut q = [isa.zero(); G];
            for g in 0..G {
                let sum = isa.add16(isa.xor(state[g][1], state[g][3]), p[g]);
                q[g] = multiply_lanes(isa, sum, keys.word(isa, 6 * r + 5, g, false), one);
            }
            for g in 0..G {
                p[g] = isa.add16(p[g], q[g]);
                let [a, b, c, d] = state[g];
                state[g] = [isa.xor(a, q[g]), isa.xor(c, q[g]), isa.xor(b, p[g]), isa.xor(d, p[g])];
            }
        }
        keyed(isa, keys, one, state, [48, 50, 49, 51]);
        for g in 0..G {
            let [a, b, c, d] = state[g];
            state[g] = [a, c, b, d];
        }
    }

    #[inline(always)]
    fn key_words(&self) -> usize {
        SUBKEYS
    }

    #[inline(always)]
    fn key_word<I: Isa, const DECRYPT: bool>(&self, isa: I, number: usize) -> I::V {
        isa.splat16(self.words::<DECRYPT>()[number])
    }

    #[inline(always)]
    fn key_bytes<const DECRYPT: bool>(&self) -> &[u8] {
        lanes::plain::little_endian_bytes(self.words::<DECRYPT>())
    }
}

impl Keys {
    /// Blocks step by step beside each other: a step waits for the one before, and the CPU does
    /// not see far enough ahead to begin the next block by itself.
    #[inline(always)]
    fn beside<const N: usize, const DECRYPT: bool>(&self, mut blocks: [u64; N]) -> [u64; N] {
        let k = self.words::<DECRYPT>();
        let mut words = [[0; 4]; N];
        for n in 0..N {
            let block = blocks[n].swap_bytes();
            words[n] =
                [(block >> 48) as u16, (block >> 32) as u16, (block >> 16) as u16, block as u16];
        }
        for r in 0..8 {
            for n in 0..N {
                let x = &mut words[n];
                x[0] = multiply(x[0], k[6 * r]);
                x[1] = x[1].wrapping_add(k[6 * r + 1]);
                x[2] = x[2].wrapping_add(k[6 * r + 2]);
                x[3] = multiply(x[3], k[6 * r + 3]);
                let p = multiply(x[0] ^ x[2], k[6 * r + 4]);
                let q = multiply((x[1] ^ x[3]).wrapping_add(p), k[6 * r + 5]);
                let p = p.wrapping_add(q);
                // The middle words change places.
                *x = [x[0] ^ q, x[2] ^ q, x[1] ^ p, x[3] ^ p];
            }
        }
        for n in 0..N {
            let x = words[n];
            let a = multiply(x[0], k[48]);
            // They change back.
            let b = x[2].wrapping_add(k[49]);
            let c = x[1].wrapping_add(k[50]);
            let d = multiply(x[3], k[51]);
            let high = u64::from(a) << 48 | u64::from(b) << 32;
            blocks[n] = (high | u64::from(c) << 16 | u64::from(d)).swap_bytes();
        }
        blocks
    }
}

/// The four sub-keys at the start of a round or at the end, one for each word.
#[inline(always)]
fn keyed<I: Isa, K: LaneKeys<I>, const G: usize>(
    isa: I,
    keys: K,
    one: I::V,
    state: &mut [[I::V; 4]; G],
    [a, b, c, d]: [usize; 4],
) {
    for g in 0..G {
        state[g][0] = multiply_lanes(isa, state[g][0], keys.word(isa, a, g, false), one);
        state[g][3] = multiply_lanes(isa, state[g][3], keys.word(isa, d, g, false), one);
        state[g][1] = isa.add16(state[g][1], keys.word(isa, b, g, false));
        state[g][2] = isa.add16(state[g][2], keys.word(isa, c, g, false));
    }
}
