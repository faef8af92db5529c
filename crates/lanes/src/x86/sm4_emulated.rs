//! VSM4RNDS4 and VSM4KEY4 as the pseudo-code of Intel's manual has them (SDM vol. 2, which refers
//! to GB/T 32907-2016 for the S-box), in integers and by a table: for tests alone.

use super::arch::*;

/// Table 1 of GB/T 32907-2016.
#[rustfmt::skip]
const SBOX: [u8; 256] = [
    0xd6, 0x90, 0xe9, 0xfe, 0xcc, 0xe1, 0x3d, 0xb7, 0x16, 0xb6, 0x14, 0xc2, 0x28, 0xfb, 0x2c, 0x05,
    0x2b, 0x67, 0x9a, 0x76, 0x2a, 0xbe, 0x04, 0xc3, 0xaa, 0x44, 0x13, 0x26, 0x49, 0x86, 0x06, 0x99,
    0x9c, 0x42, 0x50, 0xf4, 0x91, 0xef, 0x98, 0x7a, 0x33, 0x54, 0x0b, 0x43, 0xed, 0xcf, 0xac, 0x62,
    0xe4, 0xb3, 0x1c, 0xa9, 0xc9, 0x08, 0xe8, 0x95, 0x80, 0xdf, 0x94, 0xfa, 0x75, 0x8f, 0x3f, 0xa6,
    0x47, 0x07, 0xa7, 0xfc, 0xf3, 0x73, 0x17, 0xba, 0x83, 0x59, 0x3c, 0x19, 0xe6, 0x85, 0x4f, 0xa8,
    0x68, 0x6b, 0x81, 0xb2, 0x71, 0x64, 0xda, 0x8b, 0xf8, 0xeb, 0x0f, 0x4b, 0x70, 0x56, 0x9d, 0x35,
    0x1e, 0x24, 0x0e, 0x5e, 0x63, 0x58, 0xd1, 0xa2, 0x25, 0x22, 0x7c, 0x3b, 0x01, 0x21, 0x78, 0x87,
    0xd4, 0x00, 0x46, 0x57, 0x9f, 0xd3, 0x27, 0x52, 0x4c, 0x36, 0x02, 0xe7, 0xa0, 0xc4, 0xc8, 0x9e,
    0xea, 0xbf, 0x8a, 0xd2, 0x40, 0xc7, 0x38, 0xb5, 0xa3, 0xf7, 0xf2, 0xce, 0xf9, 0x61, 0x15, 0xa1,
    0xe0, 0xae, 0x5d, 0xa4, 0x9b, 0x34, 0x1a, 0x55, 0xad, 0x93, 0x32, 0x30, 0xf5, 0x8c, 0xb1, 0xe3,
    0x1d, 0xf6, 0xe2, 0x2e, 0x82, 0x66, 0xca, 0x60, 0xc0, 0x29, 0x23, 0xab, 0x0d, 0x53, 0x4e, 0x6f,
    0xd5, 0xdb, 0x37, 0x45, 0xde, 0xfd, 0x8e, 0x2f, 0x03, 0xff, 0x6a, 0x72, 0x6d, 0x6c, 0x5b, 0x51,
    0x8d, 0x1b, 0xaf, 0x92, 0xbb, 0xdd, 0xbc, 0x7f, 0x11, 0xd9, 0x5c, 0x41, 0x1f, 0x10, 0x5a, 0xd8,
    0x0a, 0xc1, 0x31, 0x88, 0xa5, 0xcd, 0x7b, 0xbd, 0x2d, 0x74, 0xd0, 0x12, 0xb8, 0xe5, 0xb4, 0xb0,
    0x89, 0x69, 0x97, 0x4a, 0x0c, 0x96, 0x77, 0x7e, 0x65, 0xb9, 0xf1, 0x09, 0xc5, 0x6e, 0xc6, 0x84,
    0x18, 0xf0, 0x7d, 0xec, 0x3a, 0xdc, 0x4d, 0x20, 0x79, 0xee, 0x5f, 0x3e, 0xd7, 0xcb, 0x39, 0x48,
];

/// The S-box on each byte.
fn lower_t(word: u32) -> u32 {
    u32::from_le_bytes(word.to_le_bytes().map(|byte| SBOX[usize::from(byte)]))
}

fn l_key(word: u32) -> u32 {
    word ^ word.rotate_left(13) ^ word.rotate_left(23)
}

fn l_rnd(word: u32) -> u32 {
    word ^ word.rotate_left(2) ^ word.rotate_left(10) ^ word.rotate_left(18) ^ word.rotate_left(24)
}

/// One 128-bit lane: P of the first source, the second source's words one a round, C.
fn lane(p: [u32; 4], second: [u32; 4], l: fn(u32) -> u32) -> [u32; 4] {
    let [p0, p1, p2, p3] = p;
    let f = |x0, x1, x2, x3, key| x0 ^ l(lower_t(x1 ^ x2 ^ x3 ^ key));
    let c0 = f(p0, p1, p2, p3, second[0]);
    let c1 = f(p1, p2, p3, c0, second[1]);
    let c2 = f(p2, p3, c0, c1, second[2]);
    let c3 = f(p3, c0, c1, c2, second[3]);
    [c0, c1, c2, c3]
}

/// VSM4RNDS4 on one 128-bit lane: the state, the round keys.
pub(super) fn rnds4(state: [u32; 4], keys: [u32; 4]) -> [u32; 4] {
    lane(state, keys, l_rnd)
}

/// VSM4KEY4 on one 128-bit lane: the round keys, the constants.
pub(super) fn key4(keys: [u32; 4], constants: [u32; 4]) -> [u32; 4] {
    lane(keys, constants, l_key)
}

macro_rules! instructions {
    ($($name:ident: $lane:ident on $V:ty, $load:ident, $store:ident, $LANES:literal;)+) => { $(
        #[target_feature(enable = "avx")]
        pub(super) fn $name(a: $V, b: $V) -> $V {
            let (mut first, mut second) = ([[0; 4]; $LANES], [[0; 4]; $LANES]);
            // SAFETY: the arrays are as long as the registers.
            unsafe {
                $store(first.as_mut_ptr().cast(), a);
                $store(second.as_mut_ptr().cast(), b);
            }
            for i in 0..$LANES {
                first[i] = $lane(first[i], second[i]);
            }
            // SAFETY: the array is as long as the register.
            unsafe { $load(first.as_ptr().cast()) }
        }
    )+ };
}
instructions! {
    _mm_sm4rnds4_epi32: rnds4 on __m128i, _mm_loadu_si128, _mm_storeu_si128, 1;
    _mm_sm4key4_epi32: key4 on __m128i, _mm_loadu_si128, _mm_storeu_si128, 1;
    _mm256_sm4rnds4_epi32: rnds4 on __m256i, _mm256_loadu_si256, _mm256_storeu_si256, 2;
    _mm256_sm4key4_epi32: key4 on __m256i, _mm256_loadu_si256, _mm256_storeu_si256, 2;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Portable;
    use crate::isa::{Registers, Rounds};

    fn register(words: [u32; 4]) -> <Portable as Registers>::V {
        let bytes = words.map(u32::to_le_bytes);
        Portable.load(bytes.as_flattened())
    }

    fn words(register: <Portable as Registers>::V) -> [u32; 4] {
        let mut bytes = [[0; 4]; 4];
        Portable.store(register, bytes.as_flattened_mut());
        bytes.map(u32::from_le_bytes)
    }

    /// The operations of [`Rounds`] that the instructions stand for, in the same order of operands
    /// and of words.
    #[test]
    fn they_are_the_operations_of_the_portable_level() {
        let mut x = 1_u32;
        let mut four = || {
            [0; 4].map(|_: u32| {
                x = x.wrapping_mul(0x9e37_79b9).rotate_left(15) ^ 0x2545_f491;
                x
            })
        };
        for _ in 0..1000 {
            let (a, b) = (four(), four());
            assert_eq!(rnds4(a, b), words(Portable.sm4_rounds(register(a), register(b))));
            assert_eq!(key4(a, b), words(Portable.sm4_next_keys(register(a), register(b))));
        }
    }

    /// GB/T 32907-2016, example 1 of Appendix A.
    #[test]
    fn eight_of_each_are_the_example_of_the_standard() {
        const KEY: [u32; 4] = [0x0123_4567, 0x89ab_cdef, 0xfedc_ba98, 0x7654_3210];
        const FK: [u32; 4] = [0xa3b1_bac6, 0x56aa_3350, 0x677d_9197, 0xb270_22dc];
        let (mut keys, mut state) = ([0, 1, 2, 3].map(|i| KEY[i] ^ FK[i]), KEY);
        for quad in 0..8 {
            let byte = |i: u32, j: u32| ((4 * (4 * quad + i) + j) * 7) as u8;
            let constants =
                [0, 1, 2, 3].map(|i| u32::from_be_bytes([0, 1, 2, 3].map(|j| byte(i, j))));
            keys = key4(keys, constants);
            state = rnds4(state, keys);
        }
        assert_eq!(keys[3], 0x9124_a012);
        state.reverse();
        assert_eq!(state, [0x681e_df34, 0xd206_965e, 0x86b3_e94f, 0x536e_4246]);
    }
}
