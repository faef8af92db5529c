//! The clock over as many streams as a register has 32-bit lanes
//! (TS 35.222 §3.2 to §3.6, the same in GM/T 0001.1-2012).
//!
//! Cell `t` of the endless sequence lies at index `t mod 16`, and sixteen clocks are
//! written out, so that no cell ever moves. See `docs/notes/zuc-lanes.md`.

use lanes::{Isa, begin_at_line};

use super::feedback::{add_mod, feedback};
use super::nonlinear::next;
use super::{BLOCK, Cells, Rows};
use crate::keystream::lane_rows::{from_rows, store_rows};

/// One register of streams between two clocks.
#[derive(Clone, Copy)]
struct Machine<I: Isa> {
    /// The cells, cell `t` at index `t mod 16`.
    s: [I::V; 16],
    /// Twice the cells.
    d: [I::V; 16],
    /// `Y(t) = s(t+2)L ‖ s(t)H` at index `t mod 16`; one value is X1, then X2, then X3.
    y: [I::V; 16],
    r1: I::V,
    r2: I::V,
}

impl<I: Isa> Machine<I> {
    #[inline(always)]
    fn new(isa: I, s: [I::V; 16], r1: I::V, r2: I::V) -> Self {
        let mut machine = Self { s, d: [isa.zero(); 16], y: [isa.zero(); 16], r1, r2 };
        for t in 0..16 {
            machine.d[t] = isa.add32(s[t], s[t]);
        }
        for t in 0..9 {
            machine.y[t] = isa.across16(s[t + 2], machine.d[t]);
        }
        machine
    }

    /// Clock `T` of a turn: the keystream word `W ⊕ X3` of §3.6.2; in the initialisation
    /// nothing of use, with `W` fed back.
    #[inline(always)]
    fn clock<const T: usize, const INITIALISE: bool>(&mut self, isa: I) -> I::V {
        let (s, d) = (&self.s, &self.d);
        let x0 = isa.join16(d[(T + 15) % 16], s[(T + 14) % 16]);
        let x1 = isa.across16(s[(T + 11) % 16], d[(T + 9) % 16]);
        let (x2, x3) = (self.y[(T + 5) % 16], self.y[T % 16]);
        self.y[(T + 9) % 16] = x1;

        let w = isa.add32(isa.xor(x0, self.r1), self.r2);
        let w1 = isa.add32(self.r1, x1);
        let w2 = isa.xor(self.r2, x2);
        (self.r1, self.r2) = next(isa, w1, w2);

        let cells =
            [s[T % 16], s[(T + 4) % 16], s[(T + 10) % 16], s[(T + 13) % 16], s[(T + 15) % 16]];
        let doubled =
            [d[T % 16], d[(T + 4) % 16], d[(T + 10) % 16], d[(T + 13) % 16], d[(T + 15) % 16]];
        let mut sum = feedback(isa, cells, doubled);
        if INITIALISE {
            sum = add_mod(isa, sum, isa.shr32::<1>(w));
        }
        self.s[T % 16] = sum;
        self.d[T % 16] = isa.add32(sum, sum);
        isa.xor(w, x3)
    }

    /// Makes index `CLOCKS` index 0.
    #[inline(always)]
    fn turn<const CLOCKS: usize>(&mut self) {
        let (s, d, y) = (self.s, self.d, self.y);
        for i in 0..16 {
            self.s[i] = s[(i + CLOCKS) % 16];
            self.d[i] = d[(i + CLOCKS) % 16];
            self.y[i] = y[(i + CLOCKS) % 16];
        }
    }
}

/// Clocks `T` to `T + 3` of every machine, side by side: one waits while another works.
#[inline(always)]
fn four<I: Isa, const G: usize, const INITIALISE: bool>(
    isa: I,
    machines: &mut [Machine<I>; G],
    words: &mut [[I::V; 16]; G],
    quarter: Quarter,
) {
    macro_rules! clocks {
        ($($t:literal)+) => {{ $(
            for g in 0..G {
                words[g][$t] = machines[g].clock::<$t, INITIALISE>(isa);
            }
        )+ }};
    }
    match quarter {
        Quarter::First => clocks!(0 1 2 3),
        Quarter::Second => clocks!(4 5 6 7),
        Quarter::Third => clocks!(8 9 10 11),
        Quarter::Fourth => clocks!(12 13 14 15),
    }
}

/// Which four of sixteen clocks; always a literal, so that all indices are.
enum Quarter {
    First,
    Second,
    Third,
    Fourth,
}

/// Sixteen clocks, or as many as `quads` times four if those are fewer: then nothing can
/// go on from there, since index 0 is not where the next clock begins.
#[inline(always)]
fn up_to_sixteen<I: Isa, const G: usize>(
    isa: I,
    machines: &mut [Machine<I>; G],
    quads: usize,
) -> [[I::V; 16]; G] {
    let mut words = [[isa.zero(); 16]; G];
    four::<I, G, false>(isa, machines, &mut words, Quarter::First);
    if quads == 1 {
        return words;
    }
    four::<I, G, false>(isa, machines, &mut words, Quarter::Second);
    if quads == 2 {
        return words;
    }
    four::<I, G, false>(isa, machines, &mut words, Quarter::Third);
    if quads == 3 {
        return words;
    }
    four::<I, G, false>(isa, machines, &mut words, Quarter::Fourth);
    words
}

/// Sixteen clocks of the initialisation.
#[inline(always)]
fn initialise_sixteen<I: Isa>(isa: I, machines: &mut [Machine<I>; 1]) {
    let mut words = [[isa.zero(); 16]; 1];
    four::<I, 1, true>(isa, machines, &mut words, Quarter::First);
    four::<I, 1, true>(isa, machines, &mut words, Quarter::Second);
    four::<I, 1, true>(isa, machines, &mut words, Quarter::Third);
    four::<I, 1, true>(isa, machines, &mut words, Quarter::Fourth);
}

/// Loads registers of streams and runs the initialisation of one after another: `rounds`
/// clocks, a multiple of 16, and the one whose word is discarded. Side by side they would
/// take longer; see the ledger of `docs/notes/zuc-lanes.md`.
#[inline(always)]
pub(super) fn initialise<I: Isa>(
    isa: I,
    registers: usize,
    cells: &Cells,
    rounds: usize,
    state: &mut Rows,
) {
    for g in 0..registers {
        let s = from_rows(isa, &cells[g * (I::BYTES / 4)..]);
        let mut machines = [Machine::new(isa, s, isa.zero(), isa.zero())];
        for _ in 0..rounds / 16 {
            initialise_sixteen(isa, &mut machines);
        }
        machines[0].clock::<0, false>(isa);
        machines[0].turn::<1>();
        save(isa, &machines[0], g, state);
    }
}

/// Makes the next `quads` times 16 keystream bytes of `G` registers of streams; where those
/// are not whole blocks, the streams end there. Stream
/// `i` of block `b` is at `(b · streams + i) · 64`; the bytes of each word are in the
/// order that `order`, a shuffle of 16 bytes, gives them.
#[inline(always)]
pub(super) fn generate<I: Isa, const G: usize>(
    isa: I,
    state: &mut Rows,
    quads: usize,
    order: &[u8; 16],
    out: &mut [u8],
) {
    let stride = I::BYTES / 4 * BLOCK;
    let empty = [isa.zero(); 16];
    let mut machines = [Machine::new(isa, empty, isa.zero(), isa.zero()); G];
    for g in 0..G {
        machines[g] = restore(isa, g, state);
    }
    let order = isa.splat128(order);
    let mut left = quads;
    for block in out.chunks_exact_mut(G * stride).take(quads.div_ceil(4)) {
        let words = up_to_sixteen(isa, &mut machines, left);
        for g in 0..G {
            store_rows(isa, &words[g], Some(order), &mut block[g * stride..]);
        }
        left = left.saturating_sub(4);
    }
    for g in 0..G {
        save(isa, &machines[g], g, state);
    }
    begin_at_line();
}

#[inline(always)]
fn restore<I: Isa>(isa: I, g: usize, state: &Rows) -> Machine<I> {
    let mut s = [isa.zero(); 16];
    for t in 0..16 {
        s[t] = isa.load(&state[t][g * I::BYTES..]);
    }
    let r1 = isa.load(&state[16][g * I::BYTES..]);
    let r2 = isa.load(&state[17][g * I::BYTES..]);
    Machine::new(isa, s, r1, r2)
}

#[inline(always)]
fn save<I: Isa>(isa: I, machine: &Machine<I>, g: usize, state: &mut Rows) {
    for t in 0..16 {
        isa.store(machine.s[t], &mut state[t][g * I::BYTES..]);
    }
    isa.store(machine.r1, &mut state[16][g * I::BYTES..]);
    isa.store(machine.r2, &mut state[17][g * I::BYTES..]);
}
