//! Four rounds of SM4 and of its key schedule (GB/T 32907-2016 §6 and §7) from the
//! other operations, for levels without the instructions; at the others this is what
//! they are compared with.

use crate::isa::ByteMaps;

/// The S-box's first affine map and the way into the AES field, as one matrix.
const INTO: u64 = 0x4c28_7db9_1a22_505d;
/// What goes with [`INTO`].
const INPUT: i32 = 0x3e;
/// The way back out of the AES field and the S-box's second affine map.
const OUT_OF: u64 = 0xf3ab_34a9_74a6_b589;
/// What goes with [`OUT_OF`].
const OUTPUT: i32 = 0xd3;

/// The shuffle that turns the 32-bit lanes of a group down by one.
const DOWN: [u8; 16] = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3];
/// The lowest 32-bit lane of a group.
const LOWEST: [u8; 16] = (u32::MAX as u128).to_le_bytes();

/// τ (§6.2.1): the S-box on every byte.
#[inline(always)]
fn substitute<I: ByteMaps>(isa: I, a: I::V) -> I::V {
    isa.affine_inverse8::<OUT_OF, OUTPUT>(isa.affine8::<INTO, INPUT>(a))
}

/// L (§6.2.2) after τ.
#[inline(always)]
fn mix<I: ByteMaps>(isa: I, a: I::V) -> I::V {
    let b = substitute(isa, a);
    let inner = isa.xor3(b, isa.rol32::<2>(b), isa.rol32::<10>(b));
    isa.xor3(inner, isa.rol32::<18>(b), isa.rol32::<24>(b))
}

/// L' (§7.3) after τ.
#[inline(always)]
fn mix_key<I: ByteMaps>(isa: I, a: I::V) -> I::V {
    let b = substitute(isa, a);
    isa.xor3(b, isa.rol32::<13>(b), isa.rol32::<23>(b))
}

/// Four rounds; `mixed` is what each does with its input, in all lanes although
/// only the lowest counts.
#[inline(always)]
fn four<I: ByteMaps>(isa: I, mut a: I::V, mut keys: I::V, mixed: impl Fn(I, I::V) -> I::V) -> I::V {
    let down = isa.splat128(&DOWN);
    for _ in 0..4 {
        let one = isa.shuffle8(a, down);
        let two = isa.shuffle8(one, down);
        let three = isa.shuffle8(two, down);
        let input = isa.xor(isa.xor3(one, two, three), keys);
        let change = isa.and(mixed(isa, input), isa.splat128(&LOWEST));
        a = isa.shuffle8(isa.xor(a, change), down);
        keys = isa.shuffle8(keys, down);
    }
    a
}

/// X₄ to X₇ of X₀ to X₃ (§7.1).
#[inline(always)]
pub(crate) fn rounds<I: ByteMaps>(isa: I, a: I::V, keys: I::V) -> I::V {
    four(isa, a, keys, mix)
}

/// K₄ to K₇ of K₀ to K₃ (§7.3).
#[inline(always)]
pub(crate) fn next_keys<I: ByteMaps>(isa: I, a: I::V, constants: I::V) -> I::V {
    four(isa, a, constants, mix_key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Portable, Registers};

    type V = <Portable as Registers>::V;

    fn words(words: [u32; 4]) -> V {
        let bytes = words.map(u32::to_le_bytes);
        Portable.load(bytes.as_flattened())
    }

    fn numbers(v: V) -> [u32; 4] {
        let mut bytes = [[0; 4]; 4];
        Portable.store(v, bytes.as_flattened_mut());
        bytes.map(u32::from_le_bytes)
    }

    /// The field of the S-box: x⁸ + x⁷ + x⁶ + x⁵ + x⁴ + x² + 1.
    fn multiply(a: u8, b: u8) -> u8 {
        let mut product = 0;
        for i in (0..8).rev() {
            product = product << 1 ^ (0xf5 & (product >> 7 & 1u8).wrapping_neg());
            product ^= a & (b >> i & 1).wrapping_neg();
        }
        product
    }

    /// The circulant matrix and the constant on both sides of the inversion.
    fn affine(x: u8) -> u8 {
        let bit = |i| ((0xa7u8.rotate_left(i) & x).count_ones() as u8 & 1) << i;
        (0..8).fold(0xd3, |y, i| y ^ bit(i))
    }

    #[test]
    fn the_s_box_is_an_inversion_between_two_affine_maps() {
        for x in 0..=255u8 {
            let a = affine(x);
            let inverse = (0..=255).find(|&b| multiply(a, b) == 1).unwrap_or(0);
            let mut out = [0; 16];
            Portable.store(substitute(Portable, Portable.splat8(x)), &mut out);
            assert_eq!(out, [affine(inverse); 16], "{x:#x}");
        }
    }

    /// Example 1 of Appendix A: the first four and the last round keys, the first four
    /// and the last words of the state.
    #[test]
    fn the_example_of_the_standard() {
        const KEY: [u32; 4] = [0x0123_4567, 0x89ab_cdef, 0xfedc_ba98, 0x7654_3210];
        const FK: [u32; 4] = [0xa3b1_bac6, 0x56aa_3350, 0x677d_9197, 0xb270_22dc];
        let mut keys = Portable.xor(words(KEY), words(FK));
        let mut state = words(KEY);
        for quad in 0..8u32 {
            let constant = |i: u32| {
                let byte = |j: u32| ((16 * quad + 4 * i + j) * 7) as u8;
                u32::from_be_bytes([byte(0), byte(1), byte(2), byte(3)])
            };
            keys = next_keys(Portable, keys, words([0, 1, 2, 3].map(constant)));
            state = rounds(Portable, state, keys);
            if quad == 0 {
                let first = [0xf121_86f9, 0x4166_2b61, 0x5a6a_b19a, 0x7ba9_2077];
                assert_eq!(numbers(keys), first);
                let first = [0x27fa_d345, 0xa18b_4cb2, 0x11c1_e22a, 0xcc13_e2ee];
                assert_eq!(numbers(state), first);
            }
        }
        assert_eq!(numbers(keys)[3], 0x9124_a012);
        assert_eq!(numbers(state), [0x536e_4246, 0x86b3_e94f, 0xd206_965e, 0x681e_df34]);
    }
}
