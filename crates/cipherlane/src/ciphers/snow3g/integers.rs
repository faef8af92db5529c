//! One stream by integers of 64 bits, where bytes can't be shuffled (TS 35.216 §3 and §4).
//!
//! As in `clock.rs` the state machine goes on two steps at once. The S-box of S1 is a circuit on bit
//! planes, that of S2 arithmetic with eight elements of a field in an integer: no table, no look-up.

use lanes::InOut;

use super::linear;
use super::nonlinear::{CONSTANT, FIELD};
use super::{INITIALISATION, State};
use crate::aes_circuit;

/// A byte of 1 in all eight places.
const ONES: u64 = 0x0101_0101_0101_0101;

/// The field of AES, likewise without its highest power.
const AES_FIELD: u8 = 0x1b;

/// Every byte times x.
#[inline(always)]
const fn double<const R: u8>(x: u64) -> u64 {
    ((x & (0x7f * ONES)) << 1) ^ ((x >> 7 & ONES) * R as u64)
}

/// Every byte of `a` times that of `b`.
#[inline(always)]
const fn multiply<const R: u8>(a: u64, b: u64) -> u64 {
    let (mut product, mut i) = (0, 8);
    while i > 0 {
        i -= 1;
        // All ones in every byte whose bit is 1: times 255, by a shift.
        let bits = b >> i & ONES;
        product = double::<R>(product) ^ ((bits << 8).wrapping_sub(bits) & a);
    }
    product
}

/// The images of the eight bits under `x ↦ x²`, which is linear.
const fn squares<const R: u8>() -> [u8; 8] {
    let (mut images, mut i) = ([0; 8], 0);
    while i < 8 {
        images[i] = multiply::<R>(1 << i, 1 << i) as u8;
        i += 1;
    }
    images
}

/// The linear map with these images of the eight bits, of every byte.
#[inline(always)]
fn linear(images: &[u8; 8], x: u64) -> u64 {
    let mut sum = 0;
    for i in 0..8 {
        sum ^= (x >> i & ONES) * u64::from(images[i]);
    }
    sum
}

/// S1 of both words, the S-box on bit planes: bit 0 of each byte of plane `i` is bit `i` of that byte of
/// `x`, and the other bits are left as they come, since no operation moves anything between bits.
#[inline(never)] // one copy serves every step
fn s1(x: u64) -> u64 {
    let planes = aes_circuit::sub_bytes(core::array::from_fn(|i| x >> i));
    let mut out = u64::from(aes_circuit::CONSTANT) * ONES;
    for i in 0..8 {
        out ^= (planes[i] & ONES) << i;
    }
    mix::<AES_FIELD>(out)
}

/// S2 of both words.
#[inline(never)] // likewise
fn s2(x: u64) -> u64 {
    mix::<FIELD>(dickson7(dickson7(x)) ^ (u64::from(CONSTANT) * ONES))
}

/// `x⁷ + x⁵ + x = x (x³ + x² + 1)²`.
#[inline(always)]
fn dickson7(x: u64) -> u64 {
    let square = |x| linear(const { &squares::<FIELD>() }, x);
    let x2 = square(x);
    multiply::<FIELD>(square(multiply::<FIELD>(x, x2) ^ x2 ^ ONES), x)
}

/// The matrix behind an S-box, with `n` the byte of the next row: `2(a + n(a)) + n(a) + n²(a + n(a))`.
#[inline(always)]
const fn mix<const R: u8>(a: u64) -> u64 {
    const LOW: u64 = 0x0000_ffff_0000_ffff;
    let next = a >> 8 & 0x00ff_ffff_00ff_ffff | (a & 0x0000_00ff_0000_00ff) << 24;
    let pair = a ^ next;
    double::<R>(pair) ^ next ^ (pair >> 16 & LOW | (pair & LOW) << 16)
}

/// The generator between two steps.
struct Machine {
    s: [u32; 16],
    r: [u32; 3],
}

impl Machine {
    fn resume(state: &State) -> Self {
        let word = |i: usize| u32::from_le_bytes(state.as_chunks().0[i]);
        Self { s: core::array::from_fn(word), r: [word(16), word(17), word(18)] }
    }

    fn store(&self, state: &mut State) {
        let words = self.s.iter().chain(&self.r);
        for (bytes, word) in state.as_chunks_mut().0.iter_mut().zip(words) {
            *bytes = word.to_le_bytes();
        }
    }

    /// Two steps: two words of keystream, or in the initialisation nothing of use.
    #[inline(always)]
    fn two<const INITIALISE: bool>(&mut self) -> [u32; 2] {
        let (s, [r1, r2, r3]) = (self.s, self.r);
        let next = r2.wrapping_add(r3 ^ s[5]);
        let after_s1 = s1(u64::from(next) << 32 | u64::from(r1));
        let (next_r2, r2_after) = (after_s1 as u32, (after_s1 >> 32) as u32);
        let after_s2 = s2(u64::from(next_r2) << 32 | u64::from(r2));
        let (next_r3, r3_after) = (after_s2 as u32, (after_s2 >> 32) as u32);
        self.r = [next_r2.wrapping_add(next_r3 ^ s[6]), r2_after, r3_after];

        let first = s[15].wrapping_add(r1) ^ r2;
        let s16 = linear::next(s[0], s[2], s[11]) ^ if INITIALISE { first } else { 0 };
        let second = s16.wrapping_add(next) ^ next_r2;
        let s17 = linear::next(s[1], s[3], s[12]) ^ if INITIALISE { second } else { 0 };
        for i in 0..14 {
            self.s[i] = s[i + 2];
        }
        (self.s[14], self.s[15]) = (s16, s17);
        [first ^ s[0], second ^ s[1]]
    }

    /// One step, whose word is thrown away (§4.2).
    fn one(&mut self) {
        let (s, [r1, r2, r3]) = (self.s, self.r);
        let both = [s1(u64::from(r1)) as u32, s2(u64::from(r2)) as u32];
        self.r = [r2.wrapping_add(r3 ^ s[5]), both[0], both[1]];
        for i in 0..15 {
            self.s[i] = s[i + 1];
        }
        self.s[15] = linear::next(s[0], s[2], s[11]);
    }
}

/// From the loaded cells to the first word of keystream.
pub(super) fn initialise(state: &mut State) {
    let mut machine = Machine::resume(state);
    for _ in 0..INITIALISATION / 2 {
        machine.two::<true>();
    }
    machine.one();
    machine.store(state);
}

/// Xors keystream into the data, as that of `clock.rs` does.
pub(super) fn apply(state: &mut State, io: &mut InOut<'_>, rest: &mut [u8; 16]) -> usize {
    let mut machine = Machine::resume(state);
    let (len, mut offset, mut left) = (io.len(), 0, 0);
    while offset < len {
        let used = (len - offset).min(8);
        let mut mask = [0; 8];
        for (bytes, word) in mask.as_chunks_mut().0.iter_mut().zip(machine.two::<false>()) {
            *bytes = word.to_be_bytes();
        }
        io.part(offset, used).xor(&mask[..used]);
        left = 8 - used;
        rest[16 - left..].copy_from_slice(&mask[used..]);
        offset += used;
    }
    machine.store(state);
    left
}
