//! Sixteen mixing and two mashing rounds (RFC 2268 §3 and §4), over numbers and lanes.

use lanes::Isa;

use super::key::Keys;
use crate::block::quarters;
use crate::block::tiles::TileCipher;

/// The mixing rounds before which a mashing round stands, in the order of encryption.
const MASHED: [usize; 2] = [5, 11];

impl TileCipher for Keys {
    type Block = u64;

    #[inline(always)]
    fn one<const BACK: bool>(&self, block: u64) -> u64 {
        let k = &self.0;
        let words =
            [block as u16, (block >> 16) as u16, (block >> 32) as u16, (block >> 48) as u16];
        let [mut a, mut b, mut c, mut d] = words;
        if BACK {
            for round in (0..16).rev() {
                let j = 4 * round;
                d = d.rotate_right(5).wrapping_sub(mixed(k[j + 3], c, b, a));
                c = c.rotate_right(3).wrapping_sub(mixed(k[j + 2], b, a, d));
                b = b.rotate_right(2).wrapping_sub(mixed(k[j + 1], a, d, c));
                a = a.rotate_right(1).wrapping_sub(mixed(k[j], d, c, b));
                if round == MASHED[0] || round == MASHED[1] {
                    d = d.wrapping_sub(mash(k, c));
                    c = c.wrapping_sub(mash(k, b));
                    b = b.wrapping_sub(mash(k, a));
                    a = a.wrapping_sub(mash(k, d));
                }
            }
        } else {
            for round in 0..16 {
                if round == MASHED[0] || round == MASHED[1] {
                    a = a.wrapping_add(mash(k, d));
                    b = b.wrapping_add(mash(k, a));
                    c = c.wrapping_add(mash(k, b));
                    d = d.wrapping_add(mash(k, c));
                }
                let j = 4 * round;
                a = a.wrapping_add(mixed(k[j], d, c, b)).rotate_left(1);
                b = b.wrapping_add(mixed(k[j + 1], a, d, c)).rotate_left(2);
                c = c.wrapping_add(mixed(k[j + 2], b, a, d)).rotate_left(3);
                d = d.wrapping_add(mixed(k[j + 3], c, b, a)).rotate_left(5);
            }
        }
        u64::from(a) | u64::from(b) << 16 | u64::from(c) << 32 | u64::from(d) << 48
    }

    #[inline(always)]
    fn many<I: Isa, const G: usize, const BACK: bool>(&self, isa: I, state: &mut [[I::V; 4]; G]) {
        let k = &self.0;
        for g in 0..G {
            state[g] = quarters::enter::<I, false>(isa, state[g]);
        }
        if BACK {
            for round in (0..16).rev() {
                for g in 0..G {
                    state[g] = unmix(isa, state[g], k, 4 * round);
                }
                if round == MASHED[0] || round == MASHED[1] {
                    for g in 0..G {
                        let [mut a, mut b, mut c, mut d] = state[g];
                        d = isa.sub16(d, isa.lookup16(k, c));
                        c = isa.sub16(c, isa.lookup16(k, b));
                        b = isa.sub16(b, isa.lookup16(k, a));
                        a = isa.sub16(a, isa.lookup16(k, d));
                        state[g] = [a, b, c, d];
                    }
                }
            }
        } else {
            for round in 0..16 {
                if round == MASHED[0] || round == MASHED[1] {
                    for g in 0..G {
                        let [mut a, mut b, mut c, mut d] = state[g];
                        a = isa.add16(a, isa.lookup16(k, d));
                        b = isa.add16(b, isa.lookup16(k, a));
                        c = isa.add16(c, isa.lookup16(k, b));
                        d = isa.add16(d, isa.lookup16(k, c));
                        state[g] = [a, b, c, d];
                    }
                }
                for g in 0..G {
                    state[g] = mix(isa, state[g], k, 4 * round);
                }
            }
        }
        for g in 0..G {
            state[g] = quarters::leave::<I, false>(isa, state[g]);
        }
    }
}

/// What is added to a word: the key and, bit by bit, `y` where `x` is 1, else `z`.
#[inline(always)]
fn mixed(k: u16, x: u16, y: u16, z: u16) -> u16 {
    k.wrapping_add(z ^ (x & (y ^ z)))
}

/// The key word that another word chooses.
#[inline(always)]
fn mash(k: &[u16; 64], x: u16) -> u16 {
    let chosen = usize::from(x & 63);
    k[chosen]
}

/// A mixing round in lanes.
#[inline(always)]
fn mix<I: Isa>(isa: I, [a, b, c, d]: [I::V; 4], k: &[u16; 64], j: usize) -> [I::V; 4] {
    let a = isa.rol16::<1>(with(isa, a, k[j], isa.select(d, c, b)));
    let b = isa.rol16::<2>(with(isa, b, k[j + 1], isa.select(a, d, c)));
    let c = isa.rol16::<3>(with(isa, c, k[j + 2], isa.select(b, a, d)));
    let d = isa.rol16::<5>(with(isa, d, k[j + 3], isa.select(c, b, a)));
    [a, b, c, d]
}

/// Undoes a mixing round in lanes.
#[inline(always)]
fn unmix<I: Isa>(isa: I, [a, b, c, d]: [I::V; 4], k: &[u16; 64], j: usize) -> [I::V; 4] {
    let d = without(isa, isa.rol16::<11>(d), k[j + 3], isa.select(c, b, a));
    let c = without(isa, isa.rol16::<13>(c), k[j + 2], isa.select(b, a, d));
    let b = without(isa, isa.rol16::<14>(b), k[j + 1], isa.select(a, d, c));
    let a = without(isa, isa.rol16::<15>(a), k[j], isa.select(d, c, b));
    [a, b, c, d]
}

/// `x − key − chosen`.
#[inline(always)]
fn without<I: Isa>(isa: I, x: I::V, key: u16, chosen: I::V) -> I::V {
    isa.sub16(isa.sub16(x, isa.splat16(key)), chosen)
}

/// `x + key + chosen`.
#[inline(always)]
fn with<I: Isa>(isa: I, x: I::V, key: u16, chosen: I::V) -> I::V {
    isa.add16(isa.add16(x, isa.splat16(key)), chosen)
}
