//! The steps of an AES round (FIPS 197 §5) from the other operations, for levels
//! without the instructions; at the others this is what they are compared with.

use crate::affine;
use crate::isa::ByteMaps;

/// ShiftRows as a byte shuffle (§5.1.2).
pub(crate) const SHIFT_ROWS: [u8; 16] = shift_rows(5);
/// InvShiftRows as a byte shuffle (§5.3.1).
pub(crate) const INVERSE_SHIFT_ROWS: [u8; 16] = shift_rows(13);

/// Byte `i` comes from byte `factor·i mod 16`: a row's number moves it by as many
/// columns of four bytes, and 4·(i mod 4) ≡ 4i.
const fn shift_rows(factor: u8) -> [u8; 16] {
    let mut index = [0; 16];
    let mut i = 0;
    while i < 16 {
        index[i as usize] = factor * i % 16;
        i += 1;
    }
    index
}

/// The matrix of the identity.
const IDENTITY: u64 = 0x0102_0408_1020_4080;
/// What the inverse of the S-box's affine map adds.
const INVERSE_CONSTANT: i32 =
    affine::apply(affine::AES_LINEAR_INVERSE, affine::AES_CONSTANT) as i32;

/// InvSubBytes (§5.3.2).
#[inline(always)]
pub(crate) fn inverse_sub_bytes<I: ByteMaps>(isa: I, a: I::V) -> I::V {
    let inner = isa.affine8::<{ affine::AES_LINEAR_INVERSE }, INVERSE_CONSTANT>(a);
    isa.affine_inverse8::<IDENTITY, 0>(inner)
}

/// Every byte times x in the AES field (§4.2.1).
#[inline(always)]
fn double<I: ByteMaps>(isa: I, a: I::V) -> I::V {
    let carry = isa.less8(isa.splat8(127), a);
    isa.xor(isa.add8(a, a), isa.and(carry, isa.splat8(0x1b)))
}

/// MixColumns (§5.1.3): with `n` the next row's byte, `2(a + n(a)) + n(a) + n²(a + n(a))`.
#[inline(always)]
pub(crate) fn mix_columns<I: ByteMaps>(isa: I, a: I::V) -> I::V {
    let next = isa.rol32::<24>(a);
    let pair = isa.xor(a, next);
    isa.xor3(double(isa, pair), next, isa.rol32::<16>(pair))
}

/// InvMixColumns (§5.3.3): MixColumns after `a + 4(a + n²(a))`.
#[inline(always)]
pub(crate) fn inverse_mix_columns<I: ByteMaps>(isa: I, a: I::V) -> I::V {
    let opposite = isa.xor(a, isa.rol32::<16>(a));
    mix_columns(isa, isa.xor(a, double(isa, double(isa, opposite))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Portable, Registers, Rounds};

    fn run(
        f: impl Fn(Portable, <Portable as Registers>::V) -> <Portable as Registers>::V,
        a: u128,
    ) -> u128 {
        let mut out = [0; 16];
        Portable.store(f(Portable, Portable.load(&a.to_be_bytes())), &mut out);
        u128::from_be_bytes(out)
    }

    /// FIPS 197 Appendix B, round 1: start, after SubBytes, ShiftRows, MixColumns.
    const START: u128 = 0x193d_e3be_a0f4_e22b_9ac6_8d2a_e9f8_4808;
    const SHIFTED: u128 = 0xd4bf_5d30_e0b4_52ae_b841_11f1_1e27_98e5;
    const MIXED: u128 = 0x0466_81e5_e0cb_199a_48f8_d37a_2806_264c;
    const KEY: u128 = 0xa0fa_fe17_8854_2cb1_23a3_3939_2a6c_7605;

    #[test]
    fn the_example_of_the_standard_forwards() {
        assert_eq!(run(|isa, a| isa.aes_encrypt_last(a, isa.zero()), START), SHIFTED);
        assert_eq!(run(mix_columns, SHIFTED), MIXED);
        let key = Portable.load(&KEY.to_be_bytes());
        assert_eq!(run(|isa, a| isa.aes_encrypt_round(a, key), START), MIXED ^ KEY);
    }

    #[test]
    fn the_example_of_the_standard_backwards() {
        assert_eq!(run(|isa, a| isa.aes_decrypt_last(a, isa.zero()), SHIFTED), START);
        assert_eq!(run(|isa, a| isa.aes_inverse_mix_columns(a), MIXED), SHIFTED);
    }

    #[test]
    fn the_inverse_s_box_undoes_the_s_box_for_all_256_bytes() {
        for first in (0..=255u8).step_by(16) {
            let bytes: [u8; 16] = core::array::from_fn(|i| first + i as u8);
            let mut out = [0; 16];
            let substituted = Portable.aes_sub_bytes(Portable.load(&bytes));
            Portable.store(inverse_sub_bytes(Portable, substituted), &mut out);
            assert_eq!(out, bytes);
        }
    }
}
