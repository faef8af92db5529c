//! The clock: LFSR, bit reorganisation and nonlinear function F
//! (GM/T 0001.1-2012 §6.2 to §6.5, TS 35.222 §3.2 to §3.6), one stream.
//!
//! The LFSR is ordinary integer arithmetic; cell `t` of the endless sequence lies at
//! index `t mod 16`, and sixteen clocks are written out, so that no cell ever moves.
//! F is the chain that bounds the speed: with byte maps it stays in one register,
//! R1 in its lowest 32-bit lane and R2 in the next. See `docs/notes/zuc.md`.

use lanes::{InOut, Isa};

use super::sbox;

/// The sixteen cells, then R1 and R2.
pub(super) type State = [u32; 18];

/// The modulus of the LFSR; 0 is written as `P`.
const P: u64 = (1 << 31) - 1;

/// The initialisation: after it the next clock gives the first keystream word.
///
/// `rounds` is a multiple of 16.
#[inline(always)]
pub(super) fn initialise<I: Isa>(isa: I, cells: &[u32; 16], rounds: usize) -> State {
    let mut machine = Machine::new(isa, cells, 0);
    for _ in 0..rounds / 16 {
        machine.sixteen::<true>(isa);
    }
    machine.clock::<0, false>(isa);
    machine.turn(1);
    machine.state(isa)
}

/// Xors keystream into the data. Of the last four words what the data doesn't use
/// is left in `rest`, as the end of the array; the number of bytes left is returned.
#[inline(always)]
pub(super) fn apply<I: Isa>(
    isa: I,
    state: &mut State,
    mut io: InOut<'_>,
    rest: &mut [u8; 16],
) -> usize {
    let [cells @ .., r1, r2] = state;
    let mut machine = Machine::new(isa, cells, u64::from(*r2) << 32 | u64::from(*r1));
    let (whole, len) = (io.len() / 64 * 64, io.len());
    for offset in (0..whole).step_by(64) {
        let words = machine.sixteen::<false>(isa);
        let mut mask = [0; 64];
        for (bytes, word) in mask.as_chunks_mut().0.iter_mut().zip(words) {
            *bytes = word.to_be_bytes();
        }
        io.part(offset, 64).xor(&mask);
    }
    let mut left = 0;
    for offset in (whole..len).step_by(16) {
        let words = machine.four(isa);
        for (bytes, word) in rest.as_chunks_mut().0.iter_mut().zip(words) {
            *bytes = word.to_be_bytes();
        }
        let used = (len - offset).min(16);
        io.part(offset, used).xor(&rest[..used]);
        left = 16 - used;
    }
    *state = machine.state(isa);
    left
}

/// The generator between two clocks.
struct Machine<I: Isa> {
    /// Cell `t` at index `t mod 16`.
    cells: [u32; 16],
    /// `Y(t) = s(t+2)L ‖ s(t)H` at index `t mod 16`; one value is X1, then X2, then X3.
    y: [u32; 16],
    /// R1 and R2 are the xor of the two; see [`sbox::substitute`].
    r: [I::V; 2],
}

impl<I: Isa> Machine<I> {
    #[inline(always)]
    fn new(isa: I, cells: &[u32; 16], r: u64) -> Self {
        let mut machine = Self { cells: *cells, y: [0; 16], r: [isa.splat64(r), isa.zero()] };
        for t in 0..9 {
            machine.y[t] = y(cells[t + 2], cells[t]);
        }
        machine
    }

    #[inline(always)]
    fn state(&self, isa: I) -> State {
        let mut state = [0; 18];
        state[..16].copy_from_slice(&self.cells);
        let r = self.registers(isa);
        (state[16], state[17]) = (r as u32, (r >> 32) as u32);
        state
    }

    /// R2 and R1.
    #[inline(always)]
    fn registers(&self, isa: I) -> u64 {
        isa.low64(isa.xor(self.r[0], self.r[1]))
    }

    /// Makes index `clocks` index 0.
    #[inline(always)]
    fn turn(&mut self, clocks: usize) {
        self.cells.rotate_left(clocks);
        self.y.rotate_left(clocks);
    }

    /// Clock `T` of a turn: the keystream word `W ⊕ X3` of §6.5, or in the
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

    #[inline(always)]
    fn sixteen<const INITIALISE: bool>(&mut self, isa: I) -> [u32; 16] {
        [
            self.clock::<0, INITIALISE>(isa),
            self.clock::<1, INITIALISE>(isa),
            self.clock::<2, INITIALISE>(isa),
            self.clock::<3, INITIALISE>(isa),
            self.clock::<4, INITIALISE>(isa),
            self.clock::<5, INITIALISE>(isa),
            self.clock::<6, INITIALISE>(isa),
            self.clock::<7, INITIALISE>(isa),
            self.clock::<8, INITIALISE>(isa),
            self.clock::<9, INITIALISE>(isa),
            self.clock::<10, INITIALISE>(isa),
            self.clock::<11, INITIALISE>(isa),
            self.clock::<12, INITIALISE>(isa),
            self.clock::<13, INITIALISE>(isa),
            self.clock::<14, INITIALISE>(isa),
            self.clock::<15, INITIALISE>(isa),
        ]
    }

    /// Four keystream words: what a short message needs should cost no sixteen clocks.
    #[inline(always)]
    fn four(&mut self, isa: I) -> [u32; 4] {
        let words = [
            self.clock::<0, false>(isa),
            self.clock::<1, false>(isa),
            self.clock::<2, false>(isa),
            self.clock::<3, false>(isa),
        ];
        self.turn(4);
        words
    }
}

/// `later L ‖ earlier H`: the low half of one cell above the high half of another.
#[inline(always)]
fn y(later: u32, earlier: u32) -> u32 {
    later << 16 | earlier >> 15
}

/// R1 and R2 of the next clock: `S(L1(W1L ‖ W2H))` and `S(L2(W2L ‖ W1H))`, where
/// `W1 = R1 + X1` and `W2 = R2 ⊕ X2`.
#[inline(always)]
fn next<I: Isa>(isa: I, [late, early]: [I::V; 2], x1: u32, x2: u32) -> [I::V; 2] {
    let early = isa.xor(early, isa.splat64(u64::from(x2) << 32));
    let w = isa.add32(isa.xor(late, early), isa.splat64(x1.into()));
    if const { I::BYTE_MAPS } {
        return sbox::substitute(isa, linear(isa, w));
    }
    let uv = isa.low64(w).rotate_left(16);
    let (u, v) = (uv as u32, (uv >> 32) as u32);
    let u = u ^ u.rotate_left(2) ^ u.rotate_left(10) ^ u.rotate_left(18) ^ u.rotate_left(24);
    let v = v ^ v.rotate_left(8) ^ v.rotate_left(14) ^ v.rotate_left(22) ^ v.rotate_left(30);
    [isa.splat64(sbox::bit_sliced(u64::from(v) << 32 | u64::from(u))), isa.zero()]
}

/// `L1(u)` and `L2(v)`. Of the five rotations of each, two are by whole bytes, and the
/// other three are by whole bytes once `u` is rotated by 2 and `v` by 6.
#[inline(always)]
fn linear<I: Isa>(isa: I, w: I::V) -> I::V {
    let shuffle = |a, index: &[u8; 16]| isa.shuffle8(a, isa.splat128(index));
    let whole =
        isa.xor(shuffle(w, const { &from_words(0, 0) }), shuffle(w, const { &from_words(3, 1) }));
    // The upper half of a doubled word, shifted, is the word rotated.
    let u = isa.shl64::<2>(shuffle(w, const { &DOUBLED[0] }));
    let v = isa.shl64::<6>(shuffle(w, const { &DOUBLED[1] }));
    let part = isa.or(u, v);
    let a = isa.xor(shuffle(part, const { &from_parts(0, 1) }), whole);
    let b = isa.xor(
        shuffle(part, const { &from_parts(1, 2) }),
        shuffle(part, const { &from_parts(2, 3) }),
    );
    isa.xor(a, b)
}

/// Where the bytes of `u` and of `v` lie in `W1 ‖ W2`, little-endian.
const U: [u8; 4] = [6, 7, 0, 1];
const V: [u8; 4] = [2, 3, 4, 5];

/// Takes `u` twice into the lower half of a group, or `v` twice into the upper half.
const DOUBLED: [[u8; 16]; 2] = {
    const NONE: u8 = 0x80;
    let mut index = [[NONE; 16]; 2];
    let mut i = 0;
    while i < 8 {
        index[0][i] = U[i % 4];
        index[1][8 + i] = V[i % 4];
        i += 1;
    }
    index
};

/// Takes `u ⋘ 8·by_u` and `v ⋘ 8·by_v` from `W1 ‖ W2`.
const fn from_words(by_u: usize, by_v: usize) -> [u8; 16] {
    rotated(U, V, by_u, by_v)
}

/// Takes `u ⋘ 2 + 8·by_u` and `v ⋘ 6 + 8·by_v` from the shifted doubles.
const fn from_parts(by_u: usize, by_v: usize) -> [u8; 16] {
    rotated([4, 5, 6, 7], [12, 13, 14, 15], by_u, by_v)
}

const fn rotated(u: [u8; 4], v: [u8; 4], by_u: usize, by_v: usize) -> [u8; 16] {
    let mut index = [0x80; 16];
    let mut i = 0;
    while i < 4 {
        index[i] = u[(i + 4 - by_u) % 4];
        index[4 + i] = v[(i + 4 - by_v) % 4];
        i += 1;
    }
    index
}
