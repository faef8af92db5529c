//! One stream: key set-up, IV set-up and the next-state function (RFC 4503 §2.3 to §2.7).

use lanes::{InOut, hide};

/// X0 to X7, then C0 to C7, then the counter carry b.
pub(super) type State = [u32; 17];

/// RFC 4503 §2.5: the counter system as one 256-bit addition, low word first.
pub(super) const A: [u32; 8] = [
    0x4d34_d34d,
    0xd34d_34d3,
    0x34d3_4d34,
    0x4d34_d34d,
    0xd34d_34d3,
    0x34d3_4d34,
    0x4d34_d34d,
    0xd34d_34d3,
];

/// The generator in registers.
struct Machine {
    x: [u32; 8],
    /// The counters, two to a word.
    c: [u64; 4],
    carry: bool,
}

impl Machine {
    #[inline(always)]
    fn resume(state: &State) -> Self {
        let mut machine = Self { x: [0; 8], c: [0; 4], carry: state[16] != 0 };
        machine.x.copy_from_slice(&state[..8]);
        for i in 0..4 {
            machine.c[i] = u64::from(state[9 + 2 * i]) << 32 | u64::from(state[8 + 2 * i]);
        }
        machine
    }

    #[inline(always)]
    fn state(&self) -> State {
        let mut state = [0; 17];
        state[..8].copy_from_slice(&self.x);
        for i in 0..4 {
            state[8 + 2 * i] = self.c[i] as u32;
            state[9 + 2 * i] = (self.c[i] >> 32) as u32;
        }
        state[16] = self.carry.into();
        state
    }

    /// §2.5 and §2.6: the carry of each counter goes on to the next, that of the last to the
    /// first of the next iteration, which makes them one number of 256 bits.
    #[inline(always)]
    fn next(&mut self) {
        let mut carry = self.carry;
        let mut g = [0; 8];
        for i in 0..4 {
            let a = u64::from(A[2 * i + 1]) << 32 | u64::from(A[2 * i]);
            let (sum, over) = self.c[i].overflowing_add(a);
            // Hidden, so that no compiler makes a branch of it.
            let (sum, again) = sum.overflowing_add(hide(carry.into()));
            self.c[i] = sum;
            carry = over | again;
            g[2 * i] = square(self.x[2 * i], sum as u32);
            g[2 * i + 1] = square(self.x[2 * i + 1], (sum >> 32) as u32);
        }
        self.carry = carry;
        for j in (0..8).step_by(2) {
            let (g1, g2) = (g[(j + 7) % 8], g[(j + 6) % 8]);
            let sum = g1.rotate_left(16).wrapping_add(g2.rotate_left(16));
            self.x[j] = g[j].wrapping_add(sum);
            self.x[j + 1] = g[j + 1].wrapping_add(g[j].rotate_left(8)).wrapping_add(g1);
        }
    }

    /// §2.7: 16 bytes of keystream.
    #[inline(always)]
    fn block(&self) -> [u8; 16] {
        let x = &self.x;
        let mut out = [0; 16];
        for i in 0..4 {
            let (low, high) = (x[(2 * i + 5) % 8] >> 16, x[(2 * i + 3) % 8] << 16);
            let word = x[2 * i] ^ low ^ high;
            out[4 * i..4 * i + 4].copy_from_slice(&word.to_le_bytes());
        }
        out
    }
}

/// §2.6: the upper half of the square xored to the lower.
#[inline(always)]
fn square(x: u32, c: u32) -> u32 {
    let sum = u64::from(x.wrapping_add(c));
    let square = sum * sum;
    square as u32 ^ (square >> 32) as u32
}

/// §2.3: the X and C that a key's words start from, before the four iterations.
#[inline(always)]
pub(super) fn expand(key: &[u32; 4]) -> [u32; 16] {
    // Word j of 16 bits, with the next one above it.
    let k = |j: usize| u32::from((key[j / 2 % 4] >> (16 * (j % 2))) as u16);
    let mut state = [0; 16];
    for j in 0..8 {
        let (near, far) = (k(j + 1) << 16 | k(j), k(j + 5) << 16 | k(j + 4));
        let swapped = k(j + 4) << 16 | k(j + 5);
        (state[j], state[8 + j]) = match j % 2 {
            0 => (near, swapped),
            _ => (far, k(j) << 16 | k(j + 1)),
        };
    }
    state
}

/// §2.4: the four words that are xored into C0 to C3, and again into C4 to C7.
#[inline(always)]
pub(super) fn spread(low: u32, high: u32) -> [u32; 4] {
    [low, high & 0xffff_0000 | low >> 16, high, high << 16 | low & 0xffff]
}

/// Key set-up: the master state.
pub(super) fn key_setup(key: &[u32; 4]) -> State {
    let mut state = [0; 17];
    state[..16].copy_from_slice(&expand(key));
    let mut machine = Machine::resume(&state);
    for _ in 0..4 {
        machine.next();
    }
    let x = machine.x;
    for i in 0..4 {
        machine.c[i] ^= u64::from(x[(2 * i + 5) % 8]) << 32 | u64::from(x[(2 * i + 4) % 8]);
    }
    machine.state()
}

/// IV set-up: a state from the master state.
pub(super) fn iv_setup(master: &State, iv: [u32; 2]) -> State {
    let mut machine = Machine::resume(master);
    let words = spread(iv[0], iv[1]);
    let pairs = [
        u64::from(words[1]) << 32 | u64::from(words[0]),
        u64::from(words[3]) << 32 | u64::from(words[2]),
    ];
    for i in 0..4 {
        machine.c[i] ^= pairs[i % 2];
    }
    for _ in 0..4 {
        machine.next();
    }
    machine.state()
}

/// Xors keystream into data. Of data that ends within a block of 16 bytes that block is left in
/// `last`.
pub(super) fn apply(state: &mut State, io: &mut InOut<'_>, last: &mut [u8; 16]) {
    let mut machine = Machine::resume(state);
    let (len, mut offset) = (io.len(), 0);
    while len - offset >= 16 {
        machine.next();
        io.part(offset, 16).xor(&machine.block());
        offset += 16;
    }
    if offset < len {
        machine.next();
        *last = machine.block();
        io.part(offset, len - offset).xor(&last[..len - offset]);
    }
    *state = machine.state();
}
