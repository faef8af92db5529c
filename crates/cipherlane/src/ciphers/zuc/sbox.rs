//! S: the S-boxes of the nonlinear function (TS 35.222 §3.4.1).
//!
//! A 32-bit word is, from its highest byte down, S0, S1, S0, S1 of its bytes; both
//! words go through in one call. Nothing is looked up in memory.
//! - S0 is a three-round Feistel network of 4-bit functions P1, P2, P3, rotated by 5.
//! - S1 is an affine map of the inverse in a field of 256 elements.
//!
//! Where the lanes map bytes, S0 is five shuffles and S1 a change of basis into the
//! AES field. Where they don't, eight bytes are eight bit planes and both are
//! Boolean circuits. Derivations: `docs/notes/zuc.md`.

use lanes::Isa;

use super::linear::Inputs;

/// The 4-bit functions of S0.
pub(super) const P1: [u8; 16] = [9, 15, 0, 14, 15, 15, 2, 10, 0, 4, 0, 12, 7, 5, 3, 9];
pub(super) const P2: [u8; 16] = [8, 13, 6, 5, 7, 0, 12, 4, 11, 1, 14, 10, 15, 3, 9, 2];
const P3: [u8; 16] = [2, 6, 10, 6, 0, 13, 10, 15, 3, 3, 13, 5, 0, 9, 12, 13];

/// The left half's share of S0: `(a · 16) ⋘ 5`.
pub(super) const LEFT: [u8; 16] = halves(&[0; 16], true);
/// The right half's share of S0, round three included: `(P3(b) · 16 + b) ⋘ 5`.
pub(super) const RIGHT: [u8; 16] = halves(&P3, false);

const fn halves(p: &[u8; 16], left: bool) -> [u8; 16] {
    let mut table = [0; 16];
    let mut x = 0;
    while x < 16 {
        let byte = if left { x << 4 } else { p[x as usize] << 4 | x };
        table[x as usize] = byte.rotate_left(5);
        x += 1;
    }
    table
}

/// S0 of all bytes, by its three rounds.
pub(super) const fn s0_table() -> [u8; 256] {
    let mut table = [0; 256];
    let mut x = 0;
    while x < 256 {
        let left = (x >> 4) as u8 ^ P1[x & 15];
        let right = (x & 15) as u8 ^ P2[left as usize];
        table[x] = LEFT[left as usize] ^ RIGHT[right as usize];
        x += 1;
    }
    table
}

/// From the AES field back, and the matrix of S1.
pub(super) const FROM_AES: u64 = 0x6973_993a_7fb4_5c4d;
/// The constant of S1.
pub(super) const S1_CONSTANT: i32 = 0x55;

/// The bytes of a 64-bit lane that go through S1.
const S1_BYTES: u64 = 0x00ff_00ff_00ff_00ff;

/// S of every byte, as three registers whose xor is the result: each is ready later
/// than the one behind it, so what is added to the last costs no time.
#[inline(always)]
pub(super) fn substitute<I: Isa>(isa: I, x: Inputs<I>) -> [I::V; 3] {
    let s1 = isa.affine_inverse8::<FROM_AES, S1_CONSTANT>(x.aes);
    // A shuffle gives 0 where its index has the top bit set: so S0 leaves out S1's bytes.
    let out = isa.splat64(S1_BYTES & 0x8080_8080_8080_8080);
    let left = isa.xor(x.left, isa.shuffle8(isa.splat128(&P1), x.right));
    let right = isa.xor(isa.or(x.right, out), isa.shuffle8(isa.splat128(&P2), left));
    let right = isa.shuffle8(isa.splat128(&RIGHT), right);
    let left = isa.shuffle8(isa.splat128(&LEFT), isa.or(left, out));
    let s1 = isa.and(s1, isa.splat64(S1_BYTES));
    if const { I::BYTE_MAPS_NATIVE } { [right, left, s1] } else { [s1, right, left] }
}

/// S on both words of `x`, by bitwise operations alone.
///
/// Bit 0 of each byte of plane `i` is bit `i` of that byte of `x`; the other bits of
/// a plane are left as they come, since no operation moves anything between bits.
#[inline(never)] // one copy of some 230 operations serves every clock
pub(super) fn bit_sliced(x: u64) -> u64 {
    const BITS: u64 = 0x0101_0101_0101_0101;
    // What the circuits leave out, S0 above S1.
    const CONSTANTS: u64 = 0x1655_1655_1655_1655;
    let planes = core::array::from_fn(|i| x >> i);
    let (s0, s1) = (s0(planes), s1(planes));
    (0..8).fold(CONSTANTS, |y, i| {
        let bit = s0[i] & (BITS & !S1_BYTES) | s1[i] & (BITS & S1_BYTES);
        y ^ bit << i
    })
}

/// S0 on bit planes, less its constant: adding a constant to what enters P2 and P3 and
/// again to what P1 gives changes nothing, and makes the circuits smaller.
#[inline(always)]
fn s0([x0, x1, x2, x3, x4, x5, x6, x7]: [u64; 8]) -> [u64; 8] {
    let right = [x0, x1, x2, x3];
    let left = xor4([x4, x5, x6, x7], p1(right));
    let right = xor4(right, p2([left[0], left[1], !left[2], !left[3]]));
    let left = xor4(left, p3(right));
    // Rotated by 5.
    [right[3], left[0], left[1], left[2], left[3], right[0], right[1], right[2]]
}

#[inline(always)]
fn xor4(a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
    core::array::from_fn(|i| a[i] ^ b[i])
}

/// P1(x) ⊕ 9.
#[inline(always)]
fn p1([x0, x1, x2, x3]: [u64; 4]) -> [u64; 4] {
    let a = x0 | x2;
    let b = x1 | x3;
    [x2 & x3 ^ b, x0 & x3 ^ a, x1 & x2 ^ a, x0 & x1 ^ b]
}

/// P2(x ⊕ 12 ⊕ 9).
#[inline(always)]
fn p2([x0, x1, x2, x3]: [u64; 4]) -> [u64; 4] {
    let a = x0 ^ x2;
    let b = x1 ^ a;
    let c = x2 | b;
    let d = x0 ^ c;
    let e = (x1 | a) ^ x3 & d;
    let f = x3 | b;
    let g = x1 & c ^ f;
    [g, d ^ (e | g), e, x3 ^ f ^ (x0 | x1 & (x3 ^ b))]
}

/// P3(x) ⊕ 9 ⊕ 11.
#[inline(always)]
fn p3([x0, x1, x2, x3]: [u64; 4]) -> [u64; 4] {
    let a = x1 ^ x2;
    let b = x0 ^ x3;
    let c = x1 & x3;
    [x3 ^ x2 & b, x2 & a ^ c, x0 & b ^ c, x1 ^ x0 & a]
}

/// S1 on bit planes, less its constant: the inverse in a tower of fields of 2, 4, 16
/// and 256 elements, between two changes of basis.
#[inline(always)]
fn s1([x0, x1, x2, x3, x4, x5, x6, x7]: [u64; 8]) -> [u64; 8] {
    // Into the tower.
    let a = x0 ^ x5;
    let b = x1 ^ a;
    let c = x4 ^ b;
    let d = x2 ^ x7;
    let e = x3 ^ c;
    let f = x0 ^ d;
    let [y0, y1, y2, y3] = [c, x6 ^ b ^ d, x7 ^ e, d ^ e];
    let [y4, y5, y6, y7] = [a, x2 ^ e, f, x4 ^ f];
    // The inverse.
    let [[z0, z1, z2, z3], [z4, z5, z6, z7]] = inverse256([y0, y1, y2, y3], [y4, y5, y6, y7]);
    // Back, and the matrix of S1.
    let a = z1 ^ z4;
    let b = z7 ^ a;
    let c = z2 ^ z3;
    let d = z0 ^ z5;
    let e = z7 ^ d;
    let f = z6 ^ b;
    let g = z5 ^ f;
    let h = c ^ e;
    [c ^ g, b ^ z0 ^ z2, z2 ^ d, z1 ^ e, z1 ^ c, f, z4 ^ h, z3 ^ a]
}

// The tower. Each field has a normal basis over the one below; ω + ω² = 1.

/// In GF(4), basis (ω, ω²).
#[inline(always)]
fn multiply4([a0, a1]: [u64; 2], [b0, b1]: [u64; 2]) -> [u64; 2] {
    let cross = (a0 ^ a1) & (b0 ^ b1);
    [cross ^ a0 & b0, cross ^ a1 & b1]
}

/// In GF(16) = GF(4)\[ζ\]/(ζ² + ζ + ω), basis (ζ, ζ⁴).
#[inline(always)]
fn multiply16([a0, a1, a2, a3]: [u64; 4], [b0, b1, b2, b3]: [u64; 4]) -> [u64; 4] {
    let [c0, c1] = multiply4([a0 ^ a2, a1 ^ a3], [b0 ^ b2, b1 ^ b3]);
    let cross = [c1, c0 ^ c1]; // times ω
    let [l0, l1] = multiply4([a0, a1], [b0, b1]);
    let [h0, h1] = multiply4([a2, a3], [b2, b3]);
    [l0 ^ cross[0], l1 ^ cross[1], h0 ^ cross[0], h1 ^ cross[1]]
}

/// The inverse in GF(16), 0⁻¹ = 0: the conjugate divided by the norm.
#[inline(always)]
fn inverse16([a0, a1, a2, a3]: [u64; 4]) -> [u64; 4] {
    let [n0, n1] = multiply4([a0, a1], [a2, a3]);
    // ω (a + b)²; squaring swaps the coordinates.
    let [s0, s1] = [a1 ^ a3, a0 ^ a2];
    let [n0, n1] = [n0 ^ s1, n1 ^ s0 ^ s1];
    let inverse = [n1, n0]; // in GF(4) the square
    let [l0, l1] = multiply4(inverse, [a2, a3]);
    let [h0, h1] = multiply4(inverse, [a0, a1]);
    [l0, l1, h0, h1]
}

/// The inverse in GF(256) = GF(16)\[η\]/(η² + η + ω²ζ), basis (η, η¹⁶), 0⁻¹ = 0.
#[inline(always)]
fn inverse256(a: [u64; 4], b: [u64; 4]) -> [[u64; 4]; 2] {
    let product = multiply16(a, b);
    let s: [u64; 4] = core::array::from_fn(|i| a[i] ^ b[i]);
    // ω²ζ s²
    let square = [s[0] ^ s[1], s[1], s[1] ^ s[3], s[0] ^ s[2]];
    let norm = core::array::from_fn(|i| product[i] ^ square[i]);
    let inverse = inverse16(norm);
    [multiply16(inverse, b), multiply16(inverse, a)]
}

#[cfg(test)]
mod tests {
    use super::super::{
        linear::{INTO_AES, inputs},
        tables,
    };
    use super::*;
    use lanes::affine::apply;
    use lanes::{Level, dispatch_aes};
    use std::vec;

    /// S of both words, from the tables.
    fn s(x: u64) -> u64 {
        let mut bytes = x.to_le_bytes();
        for (i, byte) in bytes.iter_mut().enumerate() {
            let table = if i % 2 == 0 { &tables::S1 } else { &tables::S0 };
            *byte = table[usize::from(*byte)];
        }
        u64::from_le_bytes(bytes)
    }

    /// Every byte value in every place, the places differing.
    fn words() -> impl Iterator<Item = u64> {
        (0..256u64).map(|x| {
            (0..8).fold(0, |word, i| word << 8 | (x.wrapping_mul(2 * i + 1) + 29 * i) & 0xff)
        })
    }

    #[test]
    fn bit_planes_give_the_tables() {
        for x in words() {
            assert_eq!(bit_sliced(x), s(x), "{x:016x}");
        }
    }

    #[test]
    fn byte_maps_give_the_tables_at_every_level() {
        #[inline(always)]
        fn both<I: Isa>(isa: I, x: u64) -> u64 {
            let [late, left, s1] = substitute(isa, inputs(isa, isa.splat64(x)));
            isa.low64(isa.xor3(late, left, s1))
        }
        for level in Level::available() {
            for x in words() {
                assert_eq!(dispatch_aes!(level, isa => both(isa, x)), s(x), "{x:016x} at {level}");
            }
        }
    }

    #[test]
    fn the_4_bit_functions_make_s0() {
        for x in 0..=255u8 {
            let (left, right) = (x >> 4, x & 15);
            let left = left ^ P1[usize::from(right)];
            let right = right ^ P2[usize::from(left)];
            let left = left ^ P3[usize::from(right)];
            assert_eq!((left << 4 | right).rotate_left(5), tables::S0[usize::from(x)]);
        }
    }

    fn multiply(a: u8, b: u8, modulus: u8) -> u8 {
        (0..8).rev().fold(0, |sum: u8, i| {
            let doubled = (sum << 1) ^ (modulus * (sum >> 7));
            doubled ^ (a * (b >> i & 1))
        })
    }

    #[test]
    fn the_matrices_are_an_isomorphism_and_the_map_of_s1() {
        // The field of S1 is modulo x⁸ + x⁷ + x³ + x + 1, that of AES modulo
        // x⁸ + x⁴ + x³ + x + 1.
        let (own, aes) = (0x8b, 0x1b);
        let inverse = |x: u8| (0..253).fold(x, |power, _| multiply(power, x, own));
        let mut seen = vec![false; 256];
        for a in 0..=255u8 {
            let image = apply(INTO_AES, a);
            assert!(!core::mem::replace(&mut seen[usize::from(image)], true));
            for b in 0..=255u8 {
                let product = apply(INTO_AES, multiply(a, b, own));
                assert_eq!(product, multiply(image, apply(INTO_AES, b), aes));
            }
            let s1 = apply(FROM_AES, apply(INTO_AES, inverse(a))) ^ S1_CONSTANT as u8;
            assert_eq!(s1, tables::S1[usize::from(a)]);
        }
    }

    #[test]
    fn the_tower_inverts() {
        let mut images = vec![0; 256];
        for x in 0..16u8 {
            for y in 0..16u8 {
                let z = inverse256(lanes4(x), lanes4(y));
                let value = (0..8).fold(0, |v, i| v | (z[i / 4][i % 4] as u8) << i);
                images[usize::from(x | y << 4)] = value;
            }
        }
        for (x, &y) in images.iter().enumerate() {
            assert_eq!(usize::from(images[usize::from(y)]), x, "an involution");
        }
        assert_eq!(images[0], 0);
        assert_eq!(images[255], 255, "1 is its own inverse");
    }

    fn lanes4(x: u8) -> [u64; 4] {
        core::array::from_fn(|i| u64::from(x >> i & 1))
    }
}
