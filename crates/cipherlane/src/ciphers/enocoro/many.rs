//! Many streams, one in each byte of a register.
//!
//! What goes through the buffer between two of its sums is a queue, kept as rows of memory
//! from the byte that leaves first to the one that came last: a round appends a row to each
//! queue, and nothing is moved.

use lanes::Isa;

use super::one::{COUNTER, State};
use super::sbox;
use crate::keystream::transpose;

/// A row of lanes for each byte of the state.
pub(super) type Many = [[u8; 64]; 34];

/// Keystream bytes of a stream at a time.
pub(super) const BLOCK: usize = 64;

/// Rounds between two times that the queues are moved to their start.
const RUN: usize = 32;

/// The first and the last cell of the buffer in each queue, b₀ to b₂ the first.
const CELLS: [[usize; 2]; 4] = [[0, 2], [3, 7], [8, 16], [17, 31]];

/// The longest queue and what a run appends.
type Queue = [[u8; 64]; 15 + RUN];

/// Streams side by side.
#[inline(always)]
pub(super) fn lanes<I: Isa>(_: I) -> usize {
    I::BYTES
}

pub(super) fn put(many: &mut Many, lane: usize, state: &State) {
    for (row, byte) in many.iter_mut().zip(state) {
        row[lane] = *byte;
    }
}

pub(super) fn take(many: &Many, lane: usize) -> State {
    let mut state = [0; 34];
    for (byte, row) in state.iter_mut().zip(many) {
        *byte = row[lane];
    }
    state
}

/// [`RUN`] rounds; the keystream goes to `out`, and `counters` are added to what enters the
/// buffer.
#[inline(always)]
fn run<I: Isa>(isa: I, many: &mut Many, counters: &[u8; RUN], out: &mut [[u8; 64]; RUN]) {
    let mut queues: [Queue; 4] = [[[0; 64]; 15 + RUN]; 4];
    for (queue, [first, last]) in queues.iter_mut().zip(CELLS) {
        for cell in first..last + 1 {
            queue[last - cell] = many[cell];
        }
    }
    let [p, q, r, u] = &mut queues;
    let (mut a0, mut a1) = (isa.load(&many[32]), isa.load(&many[33]));
    for i in 0..RUN {
        let (b2, b7) = (isa.load(&p[i]), isa.load(&q[i]));
        let (b16, b31) = (isa.load(&r[i]), isa.load(&u[i]));
        isa.store(a1, &mut out[i]);

        let entering = isa.xor3(b31, a0, isa.splat8(counters[i]));
        isa.store(entering, &mut p[i + 3]);
        isa.store(isa.xor(b2, isa.load(&q[i + 1])), &mut q[i + 5]);
        isa.store(isa.xor(b7, isa.load(&r[i + 1])), &mut r[i + 9]);
        isa.store(isa.xor(b16, isa.load(&u[i + 3])), &mut u[i + 15]);

        let u0 = isa.xor(a0, sbox::substitute(isa, b2));
        let u1 = isa.xor(a1, sbox::substitute(isa, b7));
        a0 = isa.xor3(u0, u1, sbox::substitute(isa, b16));
        let b29 = isa.load(&u[i + 2]);
        a1 = isa.xor3(u0, sbox::times2(isa, u1), sbox::substitute(isa, b29));
    }
    isa.store(a0, &mut many[32]);
    isa.store(a1, &mut many[33]);
    for (queue, [first, last]) in queues.iter().zip(CELLS) {
        for cell in first..last + 1 {
            many[cell] = queue[RUN + last - cell];
        }
    }
}

#[inline(always)]
pub(super) fn initialise<I: Isa>(isa: I, many: &mut Many) {
    for counters in COUNTER.as_chunks().0 {
        run(isa, many, counters, &mut [[0; 64]; RUN]);
    }
}

#[inline(always)]
pub(super) fn generate<I: Isa>(isa: I, many: &mut Many, out: &mut [u8]) {
    let mut rows = [[0; 64]; BLOCK];
    for rows in rows.as_chunks_mut().0 {
        run(isa, many, &[0; RUN], rows);
    }
    transpose::bytes(isa, &rows, out, BLOCK);
}
