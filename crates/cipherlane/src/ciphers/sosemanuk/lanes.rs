//! Many streams, each in a 32-bit lane.

use lanes::Isa;

use super::clock::MULTIPLIER;
use super::field::{ALPHA_MATRICES, INVERSE_MATRICES};
use super::serpent::{self, SUBKEYS};
use super::word::Many;
use crate::keystream::lane_rows::{Row, STREAMS, from_rows, store_rows};
use crate::keystream::scheduler::Keystream;

/// Ten cells, R1 and R2 of all streams.
pub(super) type Rows = [Row; 12];

/// A register of streams.
struct Machine<I: Isa> {
    s: [I::V; 10],
    r: [I::V; 2],
}

impl<I: Isa> Machine<I> {
    #[inline(always)]
    fn resume(isa: I, rows: &Rows) -> Self {
        let mut s = [isa.zero(); 10];
        for i in 0..10 {
            s[i] = isa.load(&rows[i]);
        }
        Self { s, r: [isa.load(&rows[10]), isa.load(&rows[11])] }
    }

    #[inline(always)]
    fn store(&self, isa: I, rows: &mut Rows) {
        for i in 0..10 {
            isa.store(self.s[i], &mut rows[i]);
        }
        isa.store(self.r[0], &mut rows[10]);
        isa.store(self.r[1], &mut rows[11]);
    }

    /// "Sosemanuk" §3: four steps and four words of keystream of each stream.
    #[inline(always)]
    fn four(&mut self, isa: I) -> [I::V; 4] {
        let s = self.s;
        // The new cells follow those there are; none is needed before it is made.
        let mut all = [isa.zero(); 14];
        all[..10].copy_from_slice(&s);
        let mut f = [isa.zero(); 4];
        for t in 0..4 {
            let [r1, r2] = self.r;
            let odd = isa.sub32(isa.zero(), isa.and(r1, isa.splat32(1)));
            let mux = isa.xor(all[t + 1], isa.and(odd, all[t + 8]));
            self.r = [isa.add32(r2, mux), trans(isa, r1)];
            f[t] = isa.xor(isa.add32(all[t + 9], self.r[0]), self.r[1]);
            let sum = isa.xor(by_alpha(isa, all[t]), by_inverse(isa, all[t + 3]));
            all[t + 10] = isa.xor(all[t + 9], sum);
        }
        self.s.copy_from_slice(&all[4..]);
        let mut z = serpent::serpent1(Many(isa), f);
        for i in 0..4 {
            z[i] = isa.xor(z[i], s[i]);
        }
        z
    }
}

/// §3.3: the product with the multiplier modulo 2³², rotated left by 7.
#[inline(always)]
fn trans<I: Isa>(isa: I, r1: I::V) -> I::V {
    let multiplier = isa.splat32(MULTIPLIER);
    let even = isa.mul_low_halves(r1, multiplier);
    let odd = isa.shl64::<32>(isa.mul_low_halves(isa.shr64::<32>(r1), multiplier));
    isa.rol32::<7>(isa.select(isa.splat64(0xffff_ffff), even, odd))
}

/// §3.2: the byte that falls out, in all four places of its lane, each multiplied by its own
/// constant.
#[inline(always)]
fn by_alpha<I: Isa>(isa: I, x: I::V) -> I::V {
    let top = [3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15];
    let c = isa.shuffle8(x, isa.splat128(&top));
    let products = [
        isa.affine8::<{ ALPHA_MATRICES[0] }, 0>(c),
        isa.affine8::<{ ALPHA_MATRICES[1] }, 0>(c),
        isa.affine8::<{ ALPHA_MATRICES[2] }, 0>(c),
        isa.affine8::<{ ALPHA_MATRICES[3] }, 0>(c),
    ];
    isa.xor(isa.shl32::<8>(x), places(isa, products))
}

/// The same of the inverse.
#[inline(always)]
fn by_inverse<I: Isa>(isa: I, x: I::V) -> I::V {
    let low = [0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12];
    let c = isa.shuffle8(x, isa.splat128(&low));
    let products = [
        isa.affine8::<{ INVERSE_MATRICES[0] }, 0>(c),
        isa.affine8::<{ INVERSE_MATRICES[1] }, 0>(c),
        isa.affine8::<{ INVERSE_MATRICES[2] }, 0>(c),
        isa.affine8::<{ INVERSE_MATRICES[3] }, 0>(c),
    ];
    isa.xor(isa.shr32::<8>(x), places(isa, products))
}

/// Of each of the four registers the byte of that number of every lane.
#[inline(always)]
fn places<I: Isa>(isa: I, [a, b, c, d]: [I::V; 4]) -> I::V {
    let low = isa.select(isa.splat32(0x00ff_00ff), a, b);
    let high = isa.select(isa.splat32(0x00ff_00ff), c, d);
    isa.select(isa.splat32(0x0000_ffff), low, high)
}

/// §4 of all streams: a row holds the eight words of a padded key and the four of an IV.
#[inline(always)]
pub(super) fn initialise<I: Isa>(isa: I, loads: &[Row; STREAMS], rows: &mut Rows) {
    let start = from_rows(isa, loads);
    let (mut key, mut iv) = ([isa.zero(); 8], [isa.zero(); 4]);
    key.copy_from_slice(&start[..8]);
    iv.copy_from_slice(&start[8..12]);
    let mut subkeys = [isa.zero(); SUBKEYS];
    serpent::schedule(Many(isa), &key, &mut subkeys);
    let [s @ .., r1, r2] = serpent::start(Many(isa), &subkeys, &iv);
    Machine { s, r: [r1, r2] }.store(isa, rows);
}

/// See [`LaneCipher::generate`](crate::keystream::scheduler::LaneCipher::generate).
#[inline(always)]
pub(super) fn generate<I: Isa>(
    isa: I,
    rows: &mut Rows,
    blocks: usize,
    quads: usize,
    out: &mut Keystream,
) {
    let mut machine = Machine::resume(isa, rows);
    for block in out.as_chunks_mut::<{ STREAMS * 64 }>().0.iter_mut().take(blocks) {
        let mut words = [isa.zero(); 16];
        for q in 0..4 {
            if q < quads {
                let quad = machine.four(isa);
                for i in 0..4 {
                    words[4 * q + i] = quad[i];
                }
            }
        }
        store_rows(isa, &words, None, block);
    }
    machine.store(isa, rows);
}
