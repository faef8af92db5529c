//! The clock: LFSR, bit reorganisation and nonlinear function F
//! (TS 35.222 §3.2 to §3.6, the same in GM/T 0001.1-2012), one stream.
//!
//! The LFSR is ordinary integer arithmetic. Four clocks are written out with literal
//! indices, each overwriting the cell it is done with; then all cells move by four.
//! F is the chain that bounds the speed: with byte maps R1 and R2 never leave the
//! lanes on their way round. See `docs/notes/zuc.md`.

use lanes::{InOut, Isa};

use super::{linear, sbox};

/// The sixteen cells, then R1 and R2.
pub(super) type State = [u32; 18];

/// The modulus of the LFSR; 0 is written as `P`.
const P: u64 = (1 << 31) - 1;

/// The initialisation: after it the next clock gives the first keystream word.
///
/// `rounds` is a multiple of 4.
#[inline(always)]
pub(super) fn initialise<I: Isa>(isa: I, cells: &[u32; 16], rounds: usize) -> State {
    let isa = isa.narrow();
    Machine::start(isa, cells, rounds).state(isa)
}

/// Xors keystream into the data. Of the last word what the data doesn't use
/// is left in `rest`, as the end of the array; the number of bytes left is returned.
#[inline(always)]
pub(super) fn apply<I: Isa>(
    isa: I,
    state: &mut State,
    io: &mut InOut<'_>,
    rest: &mut [u8; 16],
) -> usize {
    generate(isa.narrow(), state, io, rest)
}

#[inline(always)]
fn generate<I: Isa>(isa: I, state: &mut State, io: &mut InOut<'_>, rest: &mut [u8; 16]) -> usize {
    let mut machine = Machine::resume(isa, state);
    let (whole, len) = (io.len() / 64 * 64, io.len());
    for offset in (0..whole).step_by(64) {
        let mut mask = [0; 64];
        for block in 0..4 {
            let words = machine.four(isa);
            for i in 0..4 {
                let at = 16 * block + 4 * i;
                mask[at..at + 4].copy_from_slice(&words[i].to_be_bytes());
            }
        }
        io.part(offset, 64).xor(&mask);
    }
    let mut offset = whole;
    while len - offset >= 16 {
        let words = machine.four(isa);
        for (bytes, word) in rest.as_chunks_mut().0.iter_mut().zip(words) {
            *bytes = word.to_be_bytes();
        }
        io.part(offset, 16).xor(rest);
        offset += 16;
    }
    // A word more than the data needs would cost a clock.
    let (used, words) = (len - offset, (len - offset).div_ceil(4));
    let mut end = [0; 16];
    for at in 0..words {
        end[4 * at..4 * at + 4].copy_from_slice(&machine.one(isa).to_be_bytes());
    }
    io.part(offset, used).xor(&end[..used]);
    let left = 4 * words - used;
    rest[16 - left..].copy_from_slice(&end[used..used + left]);
    *state = machine.state(isa);
    left
}

/// The generator between two clocks.
pub(super) struct Machine<I: Isa> {
    /// Cell `t` at index `t mod 16`.
    cells: [u32; 16],
    /// `Y(t) = s(t+2)L ‖ s(t)H` at index `t mod 16`; one value is X1, then X2, then X3.
    y: [u32; 16],
    /// The xor of the three holds R1 in lane 0 and R2 in lane 3; see [`sbox::substitute`].
    r: [I::V; 3],
}

impl<I: Isa> Machine<I> {
    #[inline(always)]
    fn new(isa: I, cells: &[u32; 16], r: u64) -> Self {
        let mut machine =
            Self { cells: *cells, y: [0; 16], r: [isa.splat64(r), isa.zero(), isa.zero()] };
        for t in 0..9 {
            machine.y[t] = y(cells[t + 2], cells[t]);
        }
        machine
    }

    /// Initialised from these cells; the next clock gives the first keystream word.
    #[inline(always)]
    pub(super) fn start(isa: I, cells: &[u32; 16], rounds: usize) -> Self {
        let mut machine = Self::new(isa, cells, 0);
        for _ in 0..rounds / 4 {
            machine.four_clocks::<true>(isa);
        }
        machine.one(isa);
        machine
    }

    /// Where a generator was left.
    #[inline(always)]
    pub(super) fn resume(isa: I, state: &State) -> Self {
        let [cells @ .., r1, r2] = state;
        Self::new(isa, cells, u64::from(*r2) << 32 | u64::from(*r1))
    }

    /// What [`resume`](Self::resume) takes up.
    #[inline(always)]
    pub(super) fn state(&self, isa: I) -> State {
        let mut state = [0; 18];
        state[..16].copy_from_slice(&self.cells);
        let r = self.registers(isa);
        (state[16], state[17]) = (r as u32, (r >> 32) as u32);
        state
    }

    /// R2 and R1.
    #[inline(always)]
    fn registers(&self, isa: I) -> u64 {
        let r = isa.xor3(self.r[0], self.r[1], self.r[2]);
        if const { I::BYTE_MAPS } {
            isa.low64(isa.shuffle8(r, isa.splat128(&linear::TOGETHER)))
        } else {
            isa.low64(r)
        }
    }

    /// Makes index `CLOCKS` index 0.
    #[inline(always)]
    fn turn<const CLOCKS: usize>(&mut self) {
        // Not `rotate_left`, which would take the arrays' address and with it keep all
        // of the state in memory.
        let (cells, y) = (self.cells, self.y);
        for i in 0..16 {
            self.cells[i] = cells[(i + CLOCKS) % 16];
            self.y[i] = y[(i + CLOCKS) % 16];
        }
    }

    /// Clock `T` of a turn: the keystream word `W ⊕ X3` of §3.6.2, or in the
    /// initialisation 0, with `W` fed back.
    #[inline(always)]
    fn clock<const T: usize, const INITIALISE: bool>(&mut self, isa: I) -> u32 {
        let s: [u32; 16] = core::array::from_fn(|i| self.cells[(T + i) % 16]);
        let x0 = (s[15] & 0x7fff_8000) << 1 | s[14] & 0xffff;
        let x1 = y(s[11], s[9]);
        let (x2, x3) = (self.y[(T + 5) % 16], self.y[T % 16]);
        self.y[(T + 9) % 16] = x1;

        let r = self.registers(isa);
        let w = (x0 ^ r as u32).wrapping_add((r >> 32) as u32);
        self.r = next(isa, self.r, x1, x2);

        // At most 2^54, and at least 1: no cell is 0. So neither sum below is 0, and
        // a feedback of 0 comes out as P, as the standard wants.
        let mut sum = (u64::from(s[0]) * 257 + (u64::from(s[4]) << 20))
            + ((u64::from(s[10]) << 21) + (u64::from(s[13]) << 17));
        sum += u64::from(s[15]) << 15;
        if INITIALISE {
            sum += u64::from(w >> 1);
        }
        let sum = (sum & P) + (sum >> 31);
        self.cells[T % 16] = ((sum & P) + (sum >> 31)) as u32;
        if INITIALISE { 0 } else { w ^ x3 }
    }

    /// Four keystream words.
    #[inline(always)]
    pub(super) fn four(&mut self, isa: I) -> [u32; 4] {
        self.four_clocks::<false>(isa)
    }

    /// Four clocks written out: enough for literal indices, and code that stays small.
    #[inline(always)]
    fn four_clocks<const INITIALISE: bool>(&mut self, isa: I) -> [u32; 4] {
        let words = [
            self.clock::<0, INITIALISE>(isa),
            self.clock::<1, INITIALISE>(isa),
            self.clock::<2, INITIALISE>(isa),
            self.clock::<3, INITIALISE>(isa),
        ];
        self.turn::<4>();
        words
    }

    /// One keystream word.
    #[inline(always)]
    pub(super) fn one(&mut self, isa: I) -> u32 {
        let word = self.clock::<0, false>(isa);
        self.turn::<1>();
        word
    }
}

/// Four keystream words of two generators, or as many clocks of their initialisation,
/// taken in turn: each fills the gaps of the other's chain.
#[inline(always)]
pub(super) fn four_of_both<I: Isa, const INITIALISE: bool>(
    isa: I,
    a: &mut Machine<I>,
    b: &mut Machine<I>,
) -> [[u32; 4]; 2] {
    let mut words = [[0; 4]; 2];
    macro_rules! clocks {
        ($($t:literal)*) => { $(
            words[0][$t] = a.clock::<$t, INITIALISE>(isa);
            words[1][$t] = b.clock::<$t, INITIALISE>(isa);
        )* };
    }
    clocks!(0 1 2 3);
    a.turn::<4>();
    b.turn::<4>();
    words
}

/// Both initialised.
#[inline(always)]
pub(super) fn start_both<I: Isa>(isa: I, cells: &[[u32; 16]; 2], rounds: usize) -> [Machine<I>; 2] {
    let (mut a, mut b) = (Machine::new(isa, &cells[0], 0), Machine::new(isa, &cells[1], 0));
    for _ in 0..rounds / 4 {
        four_of_both::<I, true>(isa, &mut a, &mut b);
    }
    a.one(isa);
    b.one(isa);
    [a, b]
}

/// `later L ‖ earlier H`: the low half of one cell above the high half of another.
#[inline(always)]
fn y(later: u32, earlier: u32) -> u32 {
    later << 16 | earlier >> 15
}

/// R1 and R2 of the next clock: `S(L1(W1L ‖ W2H))` and `S(L2(W2L ‖ W1H))`, where
/// `W1 = R1 + X1` and `W2 = R2 ⊕ X2`.
#[inline(always)]
fn next<I: Isa>(isa: I, [late, early, earlier]: [I::V; 3], x1: u32, x2: u32) -> [I::V; 3] {
    // X1 also adds to lane 2 and X2 to lane 1, which nobody looks at.
    let earlier = isa.pin(isa.xor(earlier, isa.splat64(u64::from(x2) << 32)));
    let early = isa.pin(isa.xor(early, earlier));
    let w = isa.add32(isa.xor(late, early), isa.splat64(x1.into()));
    if const { I::BYTE_MAPS } {
        sbox::substitute(isa, linear::diffuse(isa, w))
    } else {
        let r = sbox::bit_sliced(linear::by_rotations(isa.low64(w)));
        [isa.splat64(r), isa.zero(), isa.zero()]
    }
}
