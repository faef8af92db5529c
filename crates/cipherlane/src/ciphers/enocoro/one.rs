//! One stream, three rounds at once.
//!
//! A byte that enters the buffer reaches an S-box two rounds later at the soonest, so the
//! twelve look-ups of three rounds are independent: one register takes them. What goes
//! through the buffer between two of its sums is a queue; each queue is an integer whose
//! lowest byte leaves it next.

use lanes::{InOut, Isa};

use super::sbox;
use crate::keystream::generator::xor_words;

/// The buffer b₀ … b₃₁, then the state a₀, a₁.
pub(super) type State = [u8; 34];

/// Rounds of the initialisation.
pub(super) const ROUNDS: usize = 96;

/// The counter of the initialisation: the powers of 2 in GF(2⁸).
pub(super) const COUNTER: [u8; ROUNDS] = {
    let mut counter = [1; ROUNDS];
    let mut i = 1;
    while i < ROUNDS {
        counter[i] = double(counter[i - 1]);
        i += 1;
    }
    counter
};

#[inline(always)]
const fn double(x: u8) -> u8 {
    x << 1 ^ (0x1d & (x >> 7).wrapping_neg())
}

/// Key, IV and constants.
pub(super) fn load(key: &[u8], iv: &[u8]) -> State {
    let mut state = [0; 34];
    state[..16].copy_from_slice(key);
    state[16..24].copy_from_slice(iv);
    state[24..].copy_from_slice(&[0x66, 0xe9, 0x4b, 0xd4, 0xef, 0x8a, 0x2c, 0x3b, 0x88, 0x4c]);
    state
}

/// The queues, and the state.
struct Queues {
    /// b₂, b₁, b₀.
    p: u64,
    /// b₇ … b₃.
    q: u64,
    /// b₁₆ … b₈.
    r: u128,
    /// b₃₁ … b₁₇.
    u: u128,
    a: [u8; 2],
}

/// The lowest three bytes.
const THREE: u64 = 0xff_ffff;

impl Queues {
    #[inline(always)]
    fn new(state: &State) -> Self {
        let queue = |from: usize, to: usize| {
            let mut queue = 0;
            for i in from..to {
                queue = queue << 8 | u128::from(state[i]);
            }
            queue
        };
        let (p, q) = (queue(0, 3) as u64, queue(3, 8) as u64);
        Self { p, q, r: queue(8, 17), u: queue(17, 32), a: [state[32], state[33]] }
    }

    #[inline(always)]
    fn state(&self) -> State {
        let mut state = [0; 34];
        let mut put = |from: usize, to: usize, queue: u128| {
            for i in from..to {
                state[i] = (queue >> (8 * (to - 1 - i))) as u8;
            }
        };
        put(0, 3, self.p.into());
        put(3, 8, self.q.into());
        put(8, 17, self.r);
        put(17, 32, self.u);
        [state[32], state[33]] = self.a;
        state
    }

    /// Three rounds and their keystream; `counters` are added to what enters the buffer.
    #[inline(always)]
    fn rounds<I: Isa>(&mut self, isa: I, counters: u64) -> [u8; 3] {
        let Self { p, q, r, u, .. } = *self;
        let (low_q, low_r) = (q & THREE, r as u64 & THREE);
        let low = isa.splat64(p | low_q << 32);
        let high = isa.splat64(low_r | ((u >> 16) as u64 & THREE) << 32);
        let s = sbox::substitute(isa, isa.unpack_low64(low, high));
        let (s2_s7, s16_s29) = (isa.low64(s), isa.low64(isa.swap64(s)));

        let (mut out, mut entering) = ([0; 3], counters);
        let [mut a0, mut a1] = self.a;
        for i in 0..3 {
            out[i] = a1;
            entering ^= u64::from(a0) << (8 * i);
            let u0 = a0 ^ (s2_s7 >> (8 * i)) as u8;
            let u1 = a1 ^ (s2_s7 >> (32 + 8 * i)) as u8;
            a0 = u0 ^ u1 ^ (s16_s29 >> (8 * i)) as u8;
            a1 = u0 ^ double(u1) ^ (s16_s29 >> (32 + 8 * i)) as u8;
        }
        self.a = [a0, a1];
        self.p = (u as u64 & THREE) ^ entering;
        self.q = q >> 24 | (p ^ (q >> 8 & THREE)) << 16;
        self.r = r >> 24 | u128::from(low_q ^ ((r >> 8) as u64 & THREE)) << 48;
        self.u = u >> 24 | u128::from(low_r ^ ((u >> 24) as u64 & THREE)) << 96;
        out
    }
}

#[inline(always)]
pub(super) fn initialise<I: Isa>(isa: I, state: &mut State) {
    let mut queues = Queues::new(state);
    for counter in COUNTER.as_chunks::<3>().0 {
        let counters = u64::from_le_bytes([counter[0], counter[1], counter[2], 0, 0, 0, 0, 0]);
        queues.rounds(isa.narrow(), counters);
    }
    *state = queues.state();
}

#[inline(always)]
pub(super) fn apply<I: Isa>(
    isa: I,
    state: &mut State,
    io: &mut InOut<'_>,
    rest: &mut [u8; 16],
) -> usize {
    let mut queues = Queues::new(state);
    let left = xor_words(
        io,
        rest,
        #[inline(always)]
        || queues.rounds(isa.narrow(), 0),
    );
    *state = queues.state();
    left
}
