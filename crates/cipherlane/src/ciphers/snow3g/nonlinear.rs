//! S1 and S2 of the finite state machine (TS 35.216 §3.3).
//!
//! Both are an S-box on every byte of a word and then a matrix, whose first row is that of the
//! lowest byte: the order of a column of AES in a little-endian lane. S1 is a round of AES without its
//! ShiftRows. The S-box of S2 is a Dickson polynomial, and as 49 = 7 · 7 it is that of degree 7 twice.
//! Derivations: `docs/notes/snow3g.md`.

use lanes::Isa;

/// InvShiftRows (FIPS 197 §5.3.1): a round of AES after it leaves every column where it is.
const INVERSE_SHIFT_ROWS: [u8; 16] = [0, 13, 10, 7, 4, 1, 14, 11, 8, 5, 2, 15, 12, 9, 6, 3];

/// `x⁸ + x⁶ + x⁵ + x³ + 1` without its highest power: the field of S2.
pub(super) const FIELD: u8 = 0x69;

/// What S2's S-box adds to the polynomial.
pub(super) const CONSTANT: u8 = 0x25;

/// S2's S-box with [`FIELD`] added to every entry: see [`s2`].
static SQ: [u8; 256] = {
    let mut table = [0; 256];
    let mut x = 0;
    while x < 256 {
        table[x] = dickson7(dickson7(x as u8)) ^ CONSTANT ^ FIELD;
        x += 1;
    }
    table
};

const fn multiply(a: u8, b: u8) -> u8 {
    let mut product = 0u8;
    let mut i = 8;
    while i > 0 {
        i -= 1;
        product = product << 1 ^ (FIELD * (product >> 7)) ^ (a * (b >> i & 1));
    }
    product
}

/// `x⁷ + x⁵ + x = x (x³ + x² + 1)²`.
const fn dickson7(x: u8) -> u8 {
    let square = multiply(x, x);
    let root = multiply(square, x) ^ square ^ 1;
    multiply(multiply(root, root), x)
}

/// S1 of every 32-bit lane.
#[inline(always)]
pub(super) fn s1<I: Isa>(isa: I, x: I::V) -> I::V {
    if const { I::AES_BYTES > 0 } {
        let x = isa.shuffle8(x, isa.splat128(&INVERSE_SHIFT_ROWS));
        return isa.aes_encrypt_round(x, isa.zero());
    }
    // The tables' entries have no constant to give: see `s2`.
    let mixed = mix::<I, 0x1b>(isa, isa.aes_sub_bytes(x));
    isa.xor(mixed, isa.splat8(0x1b))
}

/// S2 of every 32-bit lane.
#[inline(always)]
pub(super) fn s2<I: Isa>(isa: I, x: I::V) -> I::V {
    mix::<I, FIELD>(isa, isa.lookup8(&SQ, x))
}

/// With `n` the byte of the next row, `2(a + n(a)) + n(a) + n²(a + n(a))`, and `R` added to every byte:
/// a shuffle that adds `R` where no bit falls out takes one operation, and one that adds it where a bit
/// falls out more. A constant in all bytes of `a` goes through the matrix as it is, so who adds `R` there,
/// too, has it away again.
#[inline(always)]
fn mix<I: Isa, const R: u8>(isa: I, a: I::V) -> I::V {
    let next = isa.rol32::<24>(a);
    let pair = isa.xor(a, next);
    let double = isa.xor(isa.add8(pair, pair), isa.shuffle8(isa.splat8(R), pair));
    isa.xor(isa.xor(next, isa.rol32::<16>(pair)), double)
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use lanes::{Level, dispatch};

    use super::*;

    fn words() -> impl Iterator<Item = u32> {
        let mut state = 1u64;
        (0..256u32).map(|x| x * 0x0101_0101).chain((0..500).map(move |_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 32) as u32
        }))
    }

    #[test]
    fn the_table_is_the_polynomial_of_the_standard() {
        let power = |x: u8, n: usize| (0..n).fold(1, |product, _| multiply(product, x));
        for x in 0..=255u8 {
            // §3.3.2: the powers, and 0x25.
            let terms = [1, 9, 13, 15, 33, 41, 45, 47, 49];
            let sum = terms.iter().fold(CONSTANT, |sum, &n| sum ^ power(x, n));
            assert_eq!(SQ[usize::from(x)], sum ^ FIELD, "{x}");
        }
    }

    /// §3.3.1 and §3.3.2, a word at a time.
    fn by_the_standard(w: u32, sbox: impl Fn(u8) -> u8, field: u8) -> u32 {
        let [a, b, c, d] = w.to_be_bytes().map(sbox);
        let twice = |x: u8| (x << 1) ^ (field * (x >> 7));
        let row = |a, b, c, d: u8| twice(a) ^ b ^ c ^ d ^ twice(d);
        u32::from_be_bytes([row(a, b, c, d), row(b, c, d, a), row(c, d, a, b), row(d, a, b, c)])
    }

    #[test]
    fn both_are_those_of_the_standard_at_every_level() {
        #[inline(always)]
        fn both<I: Isa>(isa: I, w: u32) -> [u32; 2] {
            let w = isa.splat32(w);
            [isa.low32(s1(isa, w)), isa.low32(s2(isa, w))]
        }
        #[inline(always)]
        fn sub_byte<I: Isa>(isa: I, x: u8) -> u8 {
            isa.low64(isa.aes_sub_bytes(isa.splat8(x))) as u8
        }
        let aes: Vec<u8> =
            (0..=255u8).map(|x| sub_byte(lanes::Portable::detect().expect("always"), x)).collect();
        for level in Level::available() {
            for w in words() {
                let wanted = [
                    by_the_standard(w, |x| aes[usize::from(x)], 0x1b),
                    by_the_standard(w, |x| SQ[usize::from(x)] ^ FIELD, FIELD),
                ];
                assert_eq!(dispatch!(level, isa => both(isa, w)), wanted, "{w:08x} at {level}");
            }
        }
    }
}
