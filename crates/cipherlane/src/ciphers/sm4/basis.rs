//! The byte basis in which SM4's S-box is one inversion in the AES field.
//!
//! With `S(x) = M2·(M1·x + C1)⁻¹ + C2` every state byte is kept as `x' = M1·x`.
//! What a round needs of an S-box output `y` is `P' = M1·(I + A)·y` and
//! `Q' = M1·(I + B)·y`, `A` a shift left by 2 and `B` a shift right by 6: each is
//! one affine map after the same inversion. The derivation is in
//! `docs/notes/sm4-gfni.md`; the tests recompute every constant.
//!
//! Matrices are written as the GFNI instructions take them.

use lanes::affine;

/// Into the basis; also the S-box's input matrix.
pub(super) const INTO: u64 = 0x4c28_7db9_1a22_505d;
/// The S-box's input constant.
pub(super) const INPUT: i32 = 0x3e;
/// Out of the basis.
pub(super) const OUT_OF: u64 = 0xb3a4_f586_3284_728b;
/// The S-box's output matrix and constant, out of the basis at once.
pub(super) const SBOX: (u64, i32) = (0xf3ab_34a9_74a6_b589, 0xd3);
/// `P'` from an inverse.
pub(super) const P: (u64, i32) = (0x040d_b891_e9a4_81b7, 0x72);
/// `Q'` from an inverse.
pub(super) const Q: (u64, i32) = (0x280f_bcb4_ff84_c11a, 0x11);
/// `R' = P' + Q'` from an inverse.
pub(super) const R: (u64, i32) = (P.0 ^ Q.0, P.1 ^ Q.1);

/// The terms of the key schedule's `L'(y) = y ⊕ y⋘13 ⊕ y⋘23` from an inverse: the one at
/// index `n` is turned left by `n` bytes.
pub(super) const SCHEDULE: [(u64, i32); 4] = [
    after_sbox(affine::shift(0)),
    after_sbox(affine::shift(5)),
    after_sbox(affine::shift(-3) ^ affine::shift(7)),
    after_sbox(affine::shift(-1)),
];

/// A matrix applied to what the S-box gives, in the basis, from an inverse.
const fn after_sbox(matrix: u64) -> (u64, i32) {
    let map = affine::compose(INTO, matrix);
    (affine::compose(map, SBOX.0), affine::apply(map, SBOX.1 as u8) as i32)
}

/// A byte in the basis.
pub(super) const fn into(x: u8) -> u8 {
    affine::apply(INTO, x)
}

#[cfg(test)]
pub(super) mod tests {
    use lanes::{Isa, Level, dispatch};
    use std::vec::Vec;

    use super::*;

    /// GB/T 32907-2016 §6.2, the table of the S-box.
    #[rustfmt::skip]
    pub(in crate::ciphers::sm4) const SBOX: [u8; 256] = [
        0xd6, 0x90, 0xe9, 0xfe, 0xcc, 0xe1, 0x3d, 0xb7, 0x16, 0xb6, 0x14, 0xc2,
        0x28, 0xfb, 0x2c, 0x05, 0x2b, 0x67, 0x9a, 0x76, 0x2a, 0xbe, 0x04, 0xc3,
        0xaa, 0x44, 0x13, 0x26, 0x49, 0x86, 0x06, 0x99, 0x9c, 0x42, 0x50, 0xf4,
        0x91, 0xef, 0x98, 0x7a, 0x33, 0x54, 0x0b, 0x43, 0xed, 0xcf, 0xac, 0x62,
        0xe4, 0xb3, 0x1c, 0xa9, 0xc9, 0x08, 0xe8, 0x95, 0x80, 0xdf, 0x94, 0xfa,
        0x75, 0x8f, 0x3f, 0xa6, 0x47, 0x07, 0xa7, 0xfc, 0xf3, 0x73, 0x17, 0xba,
        0x83, 0x59, 0x3c, 0x19, 0xe6, 0x85, 0x4f, 0xa8, 0x68, 0x6b, 0x81, 0xb2,
        0x71, 0x64, 0xda, 0x8b, 0xf8, 0xeb, 0x0f, 0x4b, 0x70, 0x56, 0x9d, 0x35,
        0x1e, 0x24, 0x0e, 0x5e, 0x63, 0x58, 0xd1, 0xa2, 0x25, 0x22, 0x7c, 0x3b,
        0x01, 0x21, 0x78, 0x87, 0xd4, 0x00, 0x46, 0x57, 0x9f, 0xd3, 0x27, 0x52,
        0x4c, 0x36, 0x02, 0xe7, 0xa0, 0xc4, 0xc8, 0x9e, 0xea, 0xbf, 0x8a, 0xd2,
        0x40, 0xc7, 0x38, 0xb5, 0xa3, 0xf7, 0xf2, 0xce, 0xf9, 0x61, 0x15, 0xa1,
        0xe0, 0xae, 0x5d, 0xa4, 0x9b, 0x34, 0x1a, 0x55, 0xad, 0x93, 0x32, 0x30,
        0xf5, 0x8c, 0xb1, 0xe3, 0x1d, 0xf6, 0xe2, 0x2e, 0x82, 0x66, 0xca, 0x60,
        0xc0, 0x29, 0x23, 0xab, 0x0d, 0x53, 0x4e, 0x6f, 0xd5, 0xdb, 0x37, 0x45,
        0xde, 0xfd, 0x8e, 0x2f, 0x03, 0xff, 0x6a, 0x72, 0x6d, 0x6c, 0x5b, 0x51,
        0x8d, 0x1b, 0xaf, 0x92, 0xbb, 0xdd, 0xbc, 0x7f, 0x11, 0xd9, 0x5c, 0x41,
        0x1f, 0x10, 0x5a, 0xd8, 0x0a, 0xc1, 0x31, 0x88, 0xa5, 0xcd, 0x7b, 0xbd,
        0x2d, 0x74, 0xd0, 0x12, 0xb8, 0xe5, 0xb4, 0xb0, 0x89, 0x69, 0x97, 0x4a,
        0x0c, 0x96, 0x77, 0x7e, 0x65, 0xb9, 0xf1, 0x09, 0xc5, 0x6e, 0xc6, 0x84,
        0x18, 0xf0, 0x7d, 0xec, 0x3a, 0xdc, 0x4d, 0x20, 0x79, 0xee, 0x5f, 0x3e,
        0xd7, 0xcb, 0x39, 0x48,
    ];

    /// A linear map of bytes as its eight columns.
    type Columns = [u8; 8];

    fn apply(map: &Columns, x: u8) -> u8 {
        (0..8).filter(|j| x >> j & 1 == 1).fold(0, |y, j| y ^ map[j])
    }

    fn columns(f: impl Fn(u8) -> u8) -> Columns {
        core::array::from_fn(|j| f(1 << j))
    }

    fn invert(map: &Columns) -> Columns {
        columns(|x| (0..=255).find(|&y| apply(map, y) == x).expect("a bijection"))
    }

    /// The matrix as the GFNI instructions take it: byte 7 - i gives bit i.
    fn matrix(map: &Columns) -> u64 {
        (0..8).fold(0, |m, i| {
            let row = (0..8).fold(0u64, |row, j| row | u64::from(map[j] >> i & 1) << j);
            m | row << (8 * (7 - i))
        })
    }

    fn multiply(a: u8, b: u8, field: u16) -> u8 {
        let mut product = 0u16;
        for i in (0..8).rev() {
            product <<= 1;
            if product & 0x100 != 0 {
                product ^= field;
            }
            if b >> i & 1 == 1 {
                product ^= u16::from(a);
            }
        }
        product as u8
    }

    fn inverse(x: u8, field: u16) -> u8 {
        (0..=255).find(|&y| multiply(x, y, field) == 1).unwrap_or(0)
    }

    /// The two forms of the S-box: over the SM4 field with the circulant matrix
    /// `A` and constant 0xd3 on both sides, and after an isomorphism over the AES
    /// field. The isomorphism is the one that sends `x` to the least root.
    #[test]
    fn every_constant_follows_from_the_fields() {
        const SM4_FIELD: u16 = 0x1f5;
        const AES_FIELD: u16 = 0x11b;
        let a = columns(|x| {
            (0..8u32)
                .fold(0, |y, i| y | (((0xa7u8.rotate_left(i) & x).count_ones() & 1) as u8) << i)
        });
        for x in 0..=255 {
            let inner = inverse(apply(&a, x) ^ 0xd3, SM4_FIELD);
            assert_eq!(apply(&a, inner) ^ 0xd3, SBOX[usize::from(x)]);
        }

        let power = |root: u8, k: u32| (0..k).fold(1, |y, _| multiply(y, root, AES_FIELD));
        let root = (2..=255)
            .find(|&g| {
                (0..9).filter(|k| SM4_FIELD >> k & 1 == 1).fold(0, |y, k| y ^ power(g, k)) == 0
            })
            .expect("the fields are isomorphic");
        let phi: Columns = core::array::from_fn(|k| power(root, k as u32));
        let into = columns(|x| apply(&phi, apply(&a, x)));
        let back = invert(&phi);
        let out = columns(|x| apply(&a, apply(&back, x)));
        assert_eq!(matrix(&into), INTO);
        assert_eq!(i32::from(apply(&phi, 0xd3)), INPUT);
        assert_eq!(matrix(&invert(&into)), OUT_OF);
        assert_eq!((matrix(&out), 0xd3), super::SBOX);

        let p = columns(|x| apply(&into, x ^ x << 2));
        let q = columns(|x| apply(&into, x ^ x >> 6));
        let after = |map: &Columns| {
            (matrix(&columns(|x| apply(map, apply(&out, x)))), i32::from(apply(map, 0xd3)))
        };
        assert_eq!(after(&p), P);
        assert_eq!(after(&q), Q);
    }

    #[inline(always)]
    fn substitute<I: Isa>(isa: I, bytes: &[u8]) -> Vec<u8> {
        let x = isa.affine8::<INTO, INPUT>(isa.load(bytes));
        let y = isa.affine_inverse8::<{ super::SBOX.0 }, { super::SBOX.1 }>(x);
        let mut out = std::vec![0; I::BYTES];
        isa.store(y, &mut out);
        out
    }

    #[test]
    fn the_maps_give_the_s_box_for_all_256_bytes_at_every_level() {
        for level in Level::available() {
            let n = level.register_bytes();
            for first in (0..256).step_by(n) {
                let bytes: Vec<u8> = (0..n).map(|i| (first + i) as u8).collect();
                let expected: Vec<u8> = bytes.iter().map(|&x| SBOX[usize::from(x)]).collect();
                assert_eq!(dispatch!(level, isa => substitute(isa, &bytes)), expected, "{level}");
            }
        }
    }
}
