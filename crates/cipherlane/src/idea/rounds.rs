//! The eight rounds and the output transformation, over numbers and over lanes.

use lanes::Isa;

use super::key::Keys;
use super::multiply::{multiply, multiply_lanes};
use crate::block::quarters;
use crate::block::tiles::TileCipher;

impl TileCipher for Keys {
    type Block = u64;

    #[inline(always)]
    fn one<const BACK: bool>(&self, block: u64) -> u64 {
        let k = &self.0[const { BACK as usize }];
        let block = block.swap_bytes();
        let mut x =
            [(block >> 48) as u16, (block >> 32) as u16, (block >> 16) as u16, block as u16];
        for r in 0..8 {
            x[0] = multiply(x[0], k[6 * r]);
            x[1] = x[1].wrapping_add(k[6 * r + 1]);
            x[2] = x[2].wrapping_add(k[6 * r + 2]);
            x[3] = multiply(x[3], k[6 * r + 3]);
            let p = multiply(x[0] ^ x[2], k[6 * r + 4]);
            let q = multiply((x[1] ^ x[3]).wrapping_add(p), k[6 * r + 5]);
            let p = p.wrapping_add(q);
            // The middle words change places.
            x = [x[0] ^ q, x[2] ^ q, x[1] ^ p, x[3] ^ p];
        }
        let a = multiply(x[0], k[48]);
        // They change back.
        let b = x[2].wrapping_add(k[49]);
        let c = x[1].wrapping_add(k[50]);
        let d = multiply(x[3], k[51]);
        let high = u64::from(a) << 48 | u64::from(b) << 32;
        (high | u64::from(c) << 16 | u64::from(d)).swap_bytes()
    }

    #[inline(always)]
    fn many<I: Isa, const G: usize, const BACK: bool>(&self, isa: I, state: &mut [[I::V; 4]; G]) {
        let k = &self.0[const { BACK as usize }];
        for g in 0..G {
            state[g] = quarters::enter::<I, true>(isa, state[g]);
        }
        for r in 0..8 {
            keyed(isa, state, [k[6 * r], k[6 * r + 1], k[6 * r + 2], k[6 * r + 3]]);
            let (k4, k5) = (Factor::new(isa, k[6 * r + 4]), Factor::new(isa, k[6 * r + 5]));
            let mut p = [isa.zero(); G];
            for g in 0..G {
                p[g] = k4.times(isa, isa.xor(state[g][0], state[g][2]));
            }
            let mut q = [isa.zero(); G];
            for g in 0..G {
                let sum = isa.add16(isa.xor(state[g][1], state[g][3]), p[g]);
                q[g] = k5.times(isa, sum);
            }
            for g in 0..G {
                p[g] = isa.add16(p[g], q[g]);
                let [a, b, c, d] = state[g];
                state[g] = [isa.xor(a, q[g]), isa.xor(c, q[g]), isa.xor(b, p[g]), isa.xor(d, p[g])];
            }
        }
        keyed(isa, state, [k[48], k[50], k[49], k[51]]);
        for g in 0..G {
            let [a, b, c, d] = state[g];
            state[g] = quarters::leave::<I, true>(isa, [a, c, b, d]);
        }
    }
}

/// The four sub-keys at the start of a round or at the end, one for each word.
#[inline(always)]
fn keyed<I: Isa, const G: usize>(isa: I, state: &mut [[I::V; 4]; G], [a, b, c, d]: [u16; 4]) {
    let (first, last) = (Factor::new(isa, a), Factor::new(isa, d));
    let (second, third) = (isa.splat16(b), isa.splat16(c));
    for g in 0..G {
        state[g][0] = first.times(isa, state[g][0]);
        state[g][3] = last.times(isa, state[g][3]);
        state[g][1] = isa.add16(state[g][1], second);
        state[g][2] = isa.add16(state[g][2], third);
    }
}

/// A sub-key to multiply with, and 1 less it.
struct Factor<I: Isa>(I::V, I::V);

impl<I: Isa> Factor<I> {
    #[inline(always)]
    fn new(isa: I, k: u16) -> Self {
        let key = isa.splat16(k);
        Self(key, isa.sub16(isa.splat16(1), key))
    }

    #[inline(always)]
    fn times(&self, isa: I, x: I::V) -> I::V {
        multiply_lanes(isa, x, self.0, self.1)
    }
}
