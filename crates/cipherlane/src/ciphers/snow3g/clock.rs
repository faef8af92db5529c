//! One stream in a register of 128 bits (TS 35.216 §3 and §4).
//!
//! The shift register goes on four words at once. The state machine goes on two steps at once: R1 of
//! the next step is known before the S-boxes of this one, so that S1 works on R1 of two steps and S2 on
//! R2 of two; more than two would wait for each other. See `docs/notes/snow3g.md`.

use lanes::{InOut, Isa};

use super::linear::next_in_lanes;
use super::nonlinear::{s1, s2};
use super::{INITIALISATION, State};

/// Words as the keystream has them, the highest byte first.
pub(super) const WORDS: [u8; 16] = [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12];

/// The generator between two steps; `t` counts these.
struct Machine<I: Isa> {
    /// s(t) to s(t+15), four a register.
    s: [I::V; 4],
    /// R1(t) and R1(t+1) in the lowest lanes.
    r1: I::V,
    /// R2(t) in the second lane.
    r2: I::V,
    /// R3(t) in the second lane.
    r3: I::V,
}

impl<I: Isa> Machine<I> {
    #[inline(always)]
    fn resume(isa: I, state: &State) -> Self {
        let mut s = [isa.zero(); 4];
        for i in 0..4 {
            s[i] = isa.load128(&state.as_chunks().0[i]);
        }
        let word = |i: usize| u32::from_le_bytes(state.as_chunks().0[i]);
        let (r1, r2, r3) = (word(16), word(17), word(18));
        let next = u64::from(r2.wrapping_add(r3 ^ word(5)));
        Self {
            s,
            r1: isa.splat64(next << 32 | u64::from(r1)),
            r2: isa.splat64(u64::from(r2) << 32),
            r3: isa.splat64(u64::from(r3) << 32),
        }
    }

    #[inline(always)]
    fn store(&self, isa: I, state: &mut State) {
        for i in 0..4 {
            isa.store128(self.s[i], &mut state.as_chunks_mut().0[i]);
        }
        let (r1, r2, r3) = (isa.low64(self.r1), isa.low64(self.r2), isa.low64(self.r3));
        let words = state.as_chunks_mut().0;
        words[16] = (r1 as u32).to_le_bytes();
        words[17] = ((r2 >> 32) as u32).to_le_bytes();
        words[18] = ((r3 >> 32) as u32).to_le_bytes();
    }

    /// §3.4.6: two steps of the state machine, with s(t+6) and s(t+7). Gives R1 and R2 of both.
    #[inline(always)]
    fn two_states(&mut self, isa: I, s6: I::V) -> [I::V; 2] {
        let r1 = self.r1;
        let next = s1(isa, r1);
        let r2 = isa.unpack_low32(isa.shr64::<32>(self.r2), next);
        self.r3 = s2(isa, r2);
        self.r1 = isa.add32(next, isa.xor(self.r3, s6));
        self.r2 = next;
        [r1, r2]
    }

    /// s(t+16) to s(t+19) but for what the initialisation adds.
    #[inline(always)]
    fn next_cells(&self, isa: I) -> I::V {
        let [a, b, c, d] = self.s;
        next_in_lanes(isa, a, halves(isa, a, b), last_and_three(isa, c, d))
    }

    /// Four words of keystream.
    #[inline(always)]
    fn four(&mut self, isa: I) -> I::V {
        let [a, b, c, d] = self.s;
        let next = self.next_cells(isa);
        let s15 = last_and_three(isa, d, next);
        let states = self.two_states(isa, isa.swap64(b));
        let first = output(isa, s15, states);
        let states = self.two_states(isa, c);
        let second = output(isa, isa.swap64(s15), states);
        self.s = [b, c, d, next];
        isa.xor(isa.unpack_low64(first, second), a)
    }

    /// Two words of keystream in the lowest lanes; in the initialisation (§4.1) nothing of use, with the
    /// outputs of the state machine fed back.
    #[inline(always)]
    fn two<const INITIALISE: bool>(&mut self, isa: I) -> I::V {
        let [a, b, c, d] = self.s;
        let mut next = self.next_cells(isa);
        let s15 = last_and_three(isa, d, next);
        let states = self.two_states(isa, isa.swap64(b));
        let mut f = output(isa, s15, states);
        if INITIALISE {
            // s(t+16) has to be known before the second output.
            let first = isa.xor(next, f);
            f = output(isa, isa.shl64::<32>(first), states);
            next = isa.select(isa.splat64(0xffff_ffff), first, isa.xor(next, f));
        }
        self.s = [halves(isa, a, b), halves(isa, b, c), halves(isa, c, d), halves(isa, d, next)];
        isa.xor(f, a)
    }

    /// One step, whose word is thrown away (§4.2).
    #[inline(always)]
    fn one(&mut self, isa: I) {
        let [a, b, c, d] = self.s;
        let next = self.next_cells(isa);
        let [r1, _] = self.two_states(isa, isa.swap64(b));
        // Of the two steps that were made, the second one is still to come.
        self.r1 = isa.unpack_low32(isa.shr64::<32>(r1), self.r1);
        self.r2 = isa.shl64::<32>(self.r2);
        self.r3 = isa.shl64::<32>(self.r3);
        self.s = [
            three_and_first(isa, a, b),
            three_and_first(isa, b, c),
            three_and_first(isa, c, d),
            three_and_first(isa, d, next),
        ];
    }
}

/// `(s(t+15) + R1) ⊕ R2` of two steps.
#[inline(always)]
fn output<I: Isa>(isa: I, s15: I::V, [r1, r2]: [I::V; 2]) -> I::V {
    isa.xor(isa.add32(s15, r1), r2)
}

/// The high half of `a`, then the low half of `b`.
#[inline(always)]
fn halves<I: Isa>(isa: I, a: I::V, b: I::V) -> I::V {
    isa.unpack_low64(isa.swap64(a), b)
}

/// The last word of `a`, then three of `b`.
#[inline(always)]
fn last_and_three<I: Isa>(isa: I, a: I::V, b: I::V) -> I::V {
    const NONE: u8 = 0x80;
    let last =
        [12, 13, 14, 15, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE];
    let three = [NONE, NONE, NONE, NONE, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
    isa.or(isa.shuffle8(a, isa.splat128(&last)), isa.shuffle8(b, isa.splat128(&three)))
}

/// Three words of `a`, then the first one of `b`.
#[inline(always)]
fn three_and_first<I: Isa>(isa: I, a: I::V, b: I::V) -> I::V {
    const NONE: u8 = 0x80;
    let three = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, NONE, NONE, NONE, NONE];
    let first =
        [NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 0, 1, 2, 3];
    isa.or(isa.shuffle8(a, isa.splat128(&three)), isa.shuffle8(b, isa.splat128(&first)))
}

/// From the loaded cells to the first word of keystream.
#[inline(always)]
pub(super) fn initialise<I: Isa>(isa: I, state: &mut State) {
    let mut machine = Machine::resume(isa, state);
    for _ in 0..INITIALISATION / 2 {
        machine.two::<true>(isa);
    }
    machine.one(isa);
    machine.store(isa, state);
}

/// Xors keystream into the data. Of the last words what the data doesn't use is left in `rest`, as the
/// end of the array; the number of bytes left is returned.
#[inline(always)]
pub(super) fn apply<I: Isa>(
    isa: I,
    state: &mut State,
    io: &mut InOut<'_>,
    rest: &mut [u8; 16],
) -> usize {
    let mut machine = Machine::resume(isa, state);
    let words = isa.splat128(&WORDS);
    let (len, mut offset) = (io.len(), 0);
    while len - offset >= 16 {
        let mask = isa.shuffle8(machine.four(isa), words);
        io.store(isa, offset, isa.xor(io.load(isa, offset), mask));
        offset += 16;
    }
    let used = len - offset;
    let mut left = 0;
    if used > 0 {
        let mut end = [0; 16];
        let made = if used <= 8 { 8 } else { 16 };
        let mask = if used <= 8 { machine.two::<false>(isa) } else { machine.four(isa) };
        isa.store128(isa.shuffle8(mask, words), &mut end);
        io.part(offset, used).xor(&end[..used]);
        left = made - used;
        rest[16 - left..].copy_from_slice(&end[used..made]);
    }
    machine.store(isa, state);
    left
}
