//! Many streams, each in a 32-bit lane.

use lanes::Isa;

use super::clock::A;
use crate::keystream::lane_rows::{Row, STREAMS, from_rows, store_rows};
use crate::keystream::scheduler::Keystream;

/// X0 to X7, C0 to C7 and the carry of all streams.
pub(super) type Rows = [Row; 17];

/// A register of streams.
struct Machine<I: Isa> {
    x: [I::V; 8],
    c: [I::V; 8],
    /// 0 or 1.
    carry: I::V,
}

impl<I: Isa> Machine<I> {
    #[inline(always)]
    fn resume(isa: I, rows: &Rows) -> Self {
        let mut machine =
            Self { x: [isa.zero(); 8], c: [isa.zero(); 8], carry: isa.load(&rows[16]) };
        for i in 0..8 {
            machine.x[i] = isa.load(&rows[i]);
            machine.c[i] = isa.load(&rows[8 + i]);
        }
        machine
    }

    #[inline(always)]
    fn store(&self, isa: I, rows: &mut Rows) {
        for i in 0..8 {
            isa.store(self.x[i], &mut rows[i]);
            isa.store(self.c[i], &mut rows[8 + i]);
        }
        isa.store(self.carry, &mut rows[16]);
    }

    /// RFC 4503 §2.5 and §2.6.
    #[inline(always)]
    fn next(&mut self, isa: I) {
        let mut carry = self.carry;
        let mut g = [isa.zero(); 8];
        for i in 0..8 {
            let (old, a) = (self.c[i], isa.splat32(A[i]));
            let sum = isa.add32(isa.add32(old, a), carry);
            self.c[i] = sum;
            // The top bits tell: with a 1 in the sum there was a carry out if both summands
            // have a 1 there, else if either has.
            let both = isa.and(old, a);
            let either = isa.or(old, a);
            carry = isa.shr32::<31>(isa.select(sum, both, either));
            g[i] = square(isa, isa.add32(self.x[i], sum));
        }
        self.carry = carry;
        for i in 0..4 {
            let j = 2 * i;
            let (g1, g2) = (g[(j + 7) % 8], g[(j + 6) % 8]);
            let sum = isa.add32(isa.rol32::<16>(g1), isa.rol32::<16>(g2));
            self.x[j] = isa.add32(g[j], sum);
            self.x[j + 1] = isa.add32(g[j + 1], isa.add32(isa.rol32::<8>(g[j]), g1));
        }
    }

    /// §2.7: four words of keystream.
    #[inline(always)]
    fn words(&self, isa: I) -> [I::V; 4] {
        let x = &self.x;
        let mut words = [isa.zero(); 4];
        for i in 0..4 {
            let low = isa.shr32::<16>(x[(2 * i + 5) % 8]);
            let high = isa.shl32::<16>(x[(2 * i + 3) % 8]);
            words[i] = isa.xor3(x[2 * i], low, high);
        }
        words
    }
}

/// §2.6: the upper half of each lane's square xored to the lower; the squares of even
/// lanes and of odd ones fill two registers.
#[inline(always)]
fn square<I: Isa>(isa: I, sum: I::V) -> I::V {
    let odd = isa.shr64::<32>(sum);
    let (even, odd) = (isa.mul_low_halves(sum, sum), isa.mul_low_halves(odd, odd));
    let mask = isa.splat64(0xffff_ffff);
    let low = isa.select(mask, even, isa.shl64::<32>(odd));
    let high = isa.select(mask, isa.shr64::<32>(even), odd);
    isa.xor(low, high)
}

/// §2.3 and §2.4 of all streams, from X and C as the keys give them, a row a stream. `ivs`
/// are rows of lanes: the four words that each IV adds, and 0 or all bits set where there is
/// an IV.
#[inline(always)]
pub(super) fn initialise<I: Isa>(isa: I, loads: &[Row; STREAMS], ivs: &[Row; 5], rows: &mut Rows) {
    let start = from_rows(isa, loads);
    let mut machine = Machine::<I> { x: [isa.zero(); 8], c: [isa.zero(); 8], carry: isa.zero() };
    machine.x.copy_from_slice(&start[..8]);
    machine.c.copy_from_slice(&start[8..]);
    for _ in 0..4 {
        machine.next(isa);
    }
    for i in 0..8 {
        machine.c[i] = isa.xor(machine.c[i], machine.x[(i + 4) % 8]);
    }
    let (x, c, carry) = (machine.x, machine.c, machine.carry);
    for i in 0..8 {
        machine.c[i] = isa.xor(machine.c[i], isa.load(&ivs[i % 4]));
    }
    for _ in 0..4 {
        machine.next(isa);
    }
    let with_iv = isa.load(&ivs[4]);
    for i in 0..8 {
        machine.x[i] = isa.select(with_iv, machine.x[i], x[i]);
        machine.c[i] = isa.select(with_iv, machine.c[i], c[i]);
    }
    machine.carry = isa.select(with_iv, machine.carry, carry);
    machine.store(isa, rows);
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
                machine.next(isa);
                let quad = machine.words(isa);
                for i in 0..4 {
                    words[4 * q + i] = quad[i];
                }
            }
        }
        store_rows(isa, &words, None, block);
    }
    machine.store(isa, rows);
}
