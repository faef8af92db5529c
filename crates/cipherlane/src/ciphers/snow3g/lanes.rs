//! Many streams, each in a 32-bit lane (TS 35.216 §3 and §4), four steps at a time: their cells need
//! nothing of each other.

use lanes::Isa;

use super::INITIALISATION;
use super::clock::WORDS;
use super::linear::next_four;
use super::nonlinear::{s1, s2};
use crate::keystream::lane_rows::{Row, STREAMS, from_rows, store_rows};
use crate::keystream::scheduler::Keystream;

/// Sixteen cells, R1, R2 and R3 of all streams.
pub(super) type Rows = [Row; 19];

/// A register of streams.
struct Machine<I: Isa> {
    s: [I::V; 16],
    r: [I::V; 3],
}

impl<I: Isa> Machine<I> {
    #[inline(always)]
    fn resume(isa: I, rows: &Rows) -> Self {
        let mut s = [isa.zero(); 16];
        for i in 0..16 {
            s[i] = isa.load(&rows[i]);
        }
        Self { s, r: [isa.load(&rows[16]), isa.load(&rows[17]), isa.load(&rows[18])] }
    }

    #[inline(always)]
    fn store(&self, isa: I, rows: &mut Rows) {
        for i in 0..16 {
            isa.store(self.s[i], &mut rows[i]);
        }
        for i in 0..3 {
            isa.store(self.r[i], &mut rows[16 + i]);
        }
    }

    /// §3.4.6: the output of the state machine, which goes a step on.
    #[inline(always)]
    fn state(&mut self, isa: I, s5: I::V, s15: I::V) -> I::V {
        let [r1, r2, r3] = self.r;
        self.r = [isa.add32(r2, isa.xor(r3, s5)), s1(isa, r1), s2(isa, r2)];
        isa.xor(isa.add32(s15, r1), r2)
    }

    /// The next cells of four steps, but for what the initialisation adds.
    #[inline(always)]
    fn next_cells(&self, isa: I) -> [I::V; 4] {
        let s = &self.s;
        let (after, later) = ([s[2], s[3], s[4], s[5]], [s[11], s[12], s[13], s[14]]);
        next_four(isa, [s[0], s[1], s[2], s[3]], after, later)
    }

    /// Four words of keystream of each stream; in the initialisation (§4.1) nothing of use, with the
    /// outputs of the state machine fed back.
    #[inline(always)]
    fn four<const INITIALISE: bool>(&mut self, isa: I) -> [I::V; 4] {
        let mut next = self.next_cells(isa);
        let mut words = [isa.zero(); 4];
        for t in 0..4 {
            let s15 = if t == 0 { self.s[15] } else { next[t - 1] };
            let f = self.state(isa, self.s[5 + t], s15);
            words[t] = isa.xor(f, self.s[t]);
            if INITIALISE {
                next[t] = isa.xor(next[t], f);
            }
        }
        for i in 0..12 {
            self.s[i] = self.s[i + 4];
        }
        for t in 0..4 {
            self.s[12 + t] = next[t];
        }
        words
    }

    /// One step, whose word is thrown away (§4.2).
    #[inline(always)]
    fn one(&mut self, isa: I) {
        let next = self.next_cells(isa)[0];
        self.state(isa, self.s[5], self.s[15]);
        for i in 0..15 {
            self.s[i] = self.s[i + 1];
        }
        self.s[15] = next;
    }
}

/// §4.1 and the first step of §4.2 of all streams, from their cells.
#[inline(always)]
pub(super) fn initialise<I: Isa>(isa: I, loads: &[Row; STREAMS], rows: &mut Rows) {
    let mut machine = Machine { s: from_rows(isa, loads), r: [isa.zero(); 3] };
    for _ in 0..INITIALISATION / 4 {
        machine.four::<true>(isa);
    }
    machine.one(isa);
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
    let order = isa.splat128(&WORDS);
    for block in out.as_chunks_mut::<{ STREAMS * 64 }>().0.iter_mut().take(blocks) {
        let mut words = [isa.zero(); 16];
        for quad in words.as_chunks_mut::<4>().0.iter_mut().take(quads) {
            *quad = machine.four::<false>(isa);
        }
        store_rows(isa, &words, Some(order), block);
    }
    machine.store(isa, rows);
}
