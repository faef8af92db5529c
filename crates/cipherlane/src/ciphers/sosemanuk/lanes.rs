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
}

/// The cells of four groups of four steps: the ten that there are and those that follow.
type Cells<V> = [V; 10 + 16];

/// "Sosemanuk" §3: four steps from the cell `from` on, and four words of keystream of each stream.
#[inline(always)]
fn four<I: Isa>(
    isa: I,
    cells: &mut Cells<I::V>,
    from: usize,
    [r1, r2]: &mut [I::V; 2],
) -> [I::V; 4] {
    let (before, after) = cells.split_at_mut(from + 10);
    let s: [I::V; 10] = *before.last_chunk().expect("ten cells");
    let new: &mut [I::V; 4] = after.first_chunk_mut().expect("room for four");
    // What the field's products are of is there before the first step.
    let products = by_alpha(isa, [s[0], s[1], s[2], s[3]]);
    let quotients = by_inverse(isa, [s[3], s[4], s[5], s[6]]);
    let (mut f, mut last) = ([isa.zero(); 4], s[9]);
    for t in 0..4 {
        let odd = isa.sub32(isa.zero(), isa.and(*r1, isa.splat32(1)));
        let chosen = if t < 2 { s[t + 8] } else { new[t - 2] };
        let mux = isa.xor(s[t + 1], isa.and(odd, chosen));
        (*r1, *r2) = (isa.add32(*r2, mux), trans(isa, *r1));
        f[t] = isa.xor(isa.add32(last, *r1), *r2);
        last = isa.xor3(last, products[t], quotients[t]);
        new[t] = last;
    }
    let mut z = serpent::serpent1(Many(isa), f);
    for i in 0..4 {
        z[i] = isa.xor(z[i], s[i]);
    }
    z
}

/// §3.3: the product with the multiplier modulo 2³², rotated left by 7.
#[inline(always)]
fn trans<I: Isa>(isa: I, r1: I::V) -> I::V {
    let multiplier = isa.splat32(MULTIPLIER);
    let even = isa.mul_low_halves(r1, multiplier);
    let odd = isa.shl64::<32>(isa.mul_low_halves(isa.shr64::<32>(r1), multiplier));
    isa.rol32::<7>(isa.select(isa.splat64(0xffff_ffff), even, odd))
}

/// §3.2: four registers of cells times α.
#[inline(always)]
fn by_alpha<I: Isa>(isa: I, x: [I::V; 4]) -> [I::V; 4] {
    let out = fallen::<_, 3>(isa, &x);
    let mut sums = spread(
        isa,
        [
            isa.affine8::<{ ALPHA_MATRICES[0] }, 0>(out),
            isa.affine8::<{ ALPHA_MATRICES[1] }, 0>(out),
            isa.affine8::<{ ALPHA_MATRICES[2] }, 0>(out),
            isa.affine8::<{ ALPHA_MATRICES[3] }, 0>(out),
        ],
    );
    for t in 0..4 {
        sums[t] = isa.xor(isa.shl32::<8>(x[t]), sums[t]);
    }
    sums
}

/// The same of the inverse.
#[inline(always)]
fn by_inverse<I: Isa>(isa: I, x: [I::V; 4]) -> [I::V; 4] {
    let out = fallen::<_, 0>(isa, &x);
    let mut sums = spread(
        isa,
        [
            isa.affine8::<{ INVERSE_MATRICES[0] }, 0>(out),
            isa.affine8::<{ INVERSE_MATRICES[1] }, 0>(out),
            isa.affine8::<{ INVERSE_MATRICES[2] }, 0>(out),
            isa.affine8::<{ INVERSE_MATRICES[3] }, 0>(out),
        ],
    );
    for t in 0..4 {
        sums[t] = isa.xor(isa.shr32::<8>(x[t]), sums[t]);
    }
    sums
}

/// The bytes `PLACE` of all cells in one register, so that a byte map does sixteen in each group:
/// those of a step side by side.
#[inline(always)]
fn fallen<I: Isa, const PLACE: u8>(isa: I, x: &[I::V; 4]) -> I::V {
    let mut all = isa.zero();
    for t in 0..4 {
        let mut index = [128; 16];
        for lane in 0..4 {
            index[4 * t + lane] = 4 * lane as u8 + PLACE;
        }
        all = isa.xor(all, isa.shuffle8(x[t], isa.splat128(&index)));
    }
    all
}

/// Of each step the four bytes of each lane, one of each of the four registers.
#[inline(always)]
fn spread<I: Isa>(isa: I, [a, b, c, d]: [I::V; 4]) -> [I::V; 4] {
    let (even, odd) = (isa.unpack_low8(a, c), isa.unpack_low8(b, d));
    let (even_high, odd_high) = (isa.unpack_high8(a, c), isa.unpack_high8(b, d));
    [
        isa.unpack_low8(even, odd),
        isa.unpack_high8(even, odd),
        isa.unpack_low8(even_high, odd_high),
        isa.unpack_high8(even_high, odd_high),
    ]
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
    let Machine { s, mut r } = Machine::resume(isa, rows);
    let mut cells = [isa.zero(); 26];
    cells[..10].copy_from_slice(&s);
    for block in out.as_chunks_mut::<{ STREAMS * 64 }>().0.iter_mut().take(blocks) {
        let mut words = [isa.zero(); 16];
        for q in 0..quads.min(4) {
            let quad = four(isa, &mut cells, 4 * q, &mut r);
            words[4 * q..4 * q + 4].copy_from_slice(&quad);
        }
        cells.copy_within(4 * quads.min(4)..4 * quads.min(4) + 10, 0);
        store_rows(isa, &words, None, block);
    }
    let mut s = [isa.zero(); 10];
    s.copy_from_slice(&cells[..10]);
    Machine { s, r }.store(isa, rows);
}
