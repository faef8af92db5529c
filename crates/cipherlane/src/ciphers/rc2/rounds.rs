//! Sixteen mixing and two mashing rounds (RFC 2268 §3 and §4), over numbers and lanes.

use lanes::Isa;

use super::key::Keys;
use crate::block::tile_cipher::{LaneKeys, TileCipher};
use crate::block::words16;

/// The mixing rounds before which a mashing round stands, in the order of encryption.
const MASHED: [usize; 2] = [5, 11];

impl TileCipher for Keys {
    type Block = u64;
    type Link = u64;
    const WORDS: usize = 4;
    const USUAL: usize = 64;

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
    fn leave<I: Isa>(isa: I, words: [I::V; 4]) -> [I::V; 4] {
        words16::leave::<I, false>(isa, words)
    }

    #[inline(always)]
    fn rounds<I: Isa, K: LaneKeys<I>, const G: usize, const DECRYPT: bool>(
        isa: I,
        keys: K,
        state: &mut [[I::V; 4]; G],
    ) {
        if DECRYPT {
            for round in (0..16).rev() {
                for g in 0..G {
                    state[g] = unmix(isa, keys, state[g], 4 * round, g);
                }
                if round == MASHED[0] || round == MASHED[1] {
                    for g in 0..G {
                        let [mut a, mut b, mut c, mut d] = state[g];
                        d = isa.sub16(d, keys.chosen(isa, c, g));
                        c = isa.sub16(c, keys.chosen(isa, b, g));
                        b = isa.sub16(b, keys.chosen(isa, a, g));
                        a = isa.sub16(a, keys.chosen(isa, d, g));
                        state[g] = [a, b, c, d];
                    }
                }
            }
        } else {
            for round in 0..16 {
                if round == MASHED[0] || round == MASHED[1] {
                    for g in 0..G {
                        let [mut a, mut b, mut c, mut d] = state[g];
                        a = isa.add16(a, keys.chosen(isa, d, g));
                        b = isa.add16(b, keys.chosen(isa, a, g));
                        c = isa.add16(c, keys.chosen(isa, b, g));
                        d = isa.add16(d, keys.chosen(isa, c, g));
                        state[g] = [a, b, c, d];
                    }
                }
                for g in 0..G {
                    state[g] = mix(isa, keys, state[g], 4 * round, g);
                }
            }
        }
    }

    #[inline(always)]
    fn key_words(&self) -> usize {
        self.words.len()
    }

    #[inline(always)]
    fn key_word<I: Isa, const DECRYPT: bool>(&self, isa: I, number: usize) -> I::V {
        isa.splat16(self.words[number])
    }

    #[inline(always)]
    fn key_bytes<const DECRYPT: bool>(&self) -> &[u8] {
        lanes::plain::little_endian_bytes(&self.words)
    }

    #[inline(always)]
    fn chosen_key_word<I: Isa>(&self, isa: I, index: I::V) -> I::V {
        isa.lookup16(&self.words, index)
    }
}

impl Keys {
    /// Blocks step by step beside each other: a step waits for the one before, and the CPU does
    /// not see far enough ahead to begin the next block by itself.
    #[inline(always)]
    fn beside<const N: usize, const DECRYPT: bool>(&self, mut blocks: [u64; N]) -> [u64; N] {
        let k = &self.words;
        let mut words = [[0; 4]; N];
        for n in 0..N {
            for i in 0..4 {
                words[n][i] = (blocks[n] >> (16 * i)) as u16;
            }
        }
        if DECRYPT {
            for round in (0..16).rev() {
                for i in (0..4).rev() {
                    for n in 0..N {
                        let w = &mut words[n];
                        let r = w[i].rotate_right(TURNS[i]);
                        let (x, y, z) = (w[(i + 3) % 4], w[(i + 2) % 4], w[(i + 1) % 4]);
                        w[i] = unmixed(r, k[4 * round + i], x, y, z);
                    }
                }
                if round == MASHED[0] || round == MASHED[1] {
                    for i in (0..4).rev() {
                        for n in 0..N {
                            let w = &mut words[n];
                            w[i] = w[i].wrapping_sub(mash(k, w[(i + 3) % 4]));
                        }
                    }
                }
            }
        } else {
            for round in 0..16 {
                if round == MASHED[0] || round == MASHED[1] {
                    for i in 0..4 {
                        for n in 0..N {
                            let w = &mut words[n];
                            w[i] = w[i].wrapping_add(mash(k, w[(i + 3) % 4]));
                        }
                    }
                }
                for i in 0..4 {
                    for n in 0..N {
                        let w = &mut words[n];
                        let (x, y, z) = (w[(i + 3) % 4], w[(i + 2) % 4], w[(i + 1) % 4]);
                        let sum = w[i].wrapping_add(mixed(k[4 * round + i], x, y, z));
                        w[i] = sum.rotate_left(TURNS[i]);
                    }
                }
            }
        }
        for n in 0..N {
            blocks[n] = 0;
            for i in 0..4 {
                blocks[n] |= u64::from(words[n][i]) << (16 * i);
            }
        }
        blocks
    }
}

/// By how many bits each word is rotated in a mixing round.
const TURNS: [u32; 4] = [1, 2, 3, 5];

/// What is added to a word: the key and, bit by bit, `y` where `x` is 1, else `z`.
#[inline(always)]
fn mixed(k: u16, x: u16, y: u16, z: u16) -> u16 {
    k.wrapping_add(z ^ (x & (y ^ z)))
}

/// Takes back what a mixing step added. `z`, which the step before gave, comes last: all else is
/// there sooner.
#[inline(always)]
fn unmixed(r: u16, k: u16, x: u16, y: u16, z: u16) -> u16 {
    r.wrapping_sub(k).wrapping_sub(x & y).wrapping_sub(!x & z)
}

/// The key word that another word chooses.
#[inline(always)]
fn mash(k: &[u16; 64], x: u16) -> u16 {
    let chosen = usize::from(x & 63);
    k[chosen]
}

/// A mixing round in lanes of a group.
#[inline(always)]
fn mix<I: Isa, K: LaneKeys<I>>(
    isa: I,
    keys: K,
    [a, b, c, d]: [I::V; 4],
    j: usize,
    g: usize,
) -> [I::V; 4] {
    let key = four(isa, keys, j, g);
    let a = isa.rol16::<1>(isa.add16(isa.add16(a, key[0]), isa.select(d, c, b)));
    let b = isa.rol16::<2>(isa.add16(isa.add16(b, key[1]), isa.select(a, d, c)));
    let c = isa.rol16::<3>(isa.add16(isa.add16(c, key[2]), isa.select(b, a, d)));
    let d = isa.rol16::<5>(isa.add16(isa.add16(d, key[3]), isa.select(c, b, a)));
    [a, b, c, d]
}

/// Undoes a mixing round in lanes of a group.
#[inline(always)]
fn unmix<I: Isa, K: LaneKeys<I>>(
    isa: I,
    keys: K,
    [a, b, c, d]: [I::V; 4],
    j: usize,
    g: usize,
) -> [I::V; 4] {
    let key = four(isa, keys, j, g);
    let d = isa.sub16(isa.sub16(isa.rol16::<11>(d), key[3]), isa.select(c, b, a));
    let c = isa.sub16(isa.sub16(isa.rol16::<13>(c), key[2]), isa.select(b, a, d));
    let b = isa.sub16(isa.sub16(isa.rol16::<14>(b), key[1]), isa.select(a, d, c));
    let a = isa.sub16(isa.sub16(isa.rol16::<15>(a), key[0]), isa.select(d, c, b));
    [a, b, c, d]
}

/// The key words of a mixing round.
#[inline(always)]
fn four<I: Isa, K: LaneKeys<I>>(isa: I, keys: K, j: usize, g: usize) -> [I::V; 4] {
    [
        keys.word(isa, j, g, false),
        keys.word(isa, j + 1, g, false),
        keys.word(isa, j + 2, g, false),
        keys.word(isa, j + 3, g, false),
    ]
}
