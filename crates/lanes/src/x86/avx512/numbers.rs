//! Lanes of level `avx512` as numbers.

use super::super::arch::*;
use super::super::rotate_bytes32;
use super::{Avx512, V};
use crate::isa::{Numbers, Numbers16, Registers};

impl Numbers for Avx512 {
    const FUNNEL_NATIVE: bool = true;
    const ROTATE_BY_NATIVE: bool = true;
    const PICK_NATIVE: bool = true;

    #[inline(always)]
    fn add8(self, a: V, b: V) -> V {
        V(intrinsic!(_mm512_add_epi8(a.0, b.0)))
    }
    #[inline(always)]
    fn less8(self, a: V, b: V) -> V {
        V(intrinsic!(_mm512_movm_epi8(_mm512_cmplt_epu8_mask(a.0, b.0))))
    }
    #[inline(always)]
    fn add32(self, a: V, b: V) -> V {
        V(intrinsic!(_mm512_add_epi32(a.0, b.0)))
    }
    #[inline(always)]
    fn pick32(self, rows: &[[u8; 64]; 256], row: V) -> V {
        let lanes =
            intrinsic!(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
        // Sixteen words a row: at most word 255 · 16 + 15, the last one of the rows.
        let row = intrinsic!(_mm512_and_si512(row.0, _mm512_set1_epi32(0xff)));
        let word = intrinsic!(_mm512_add_epi32(_mm512_slli_epi32::<4>(row), lanes));
        V(intrinsic!(_mm512_i32gather_epi32::<4>(word, rows.as_ptr().cast())))
    }
    #[inline(always)]
    fn rol32_by(self, a: V, by: V) -> V {
        V(intrinsic!(_mm512_rolv_epi32(a.0, by.0)))
    }
    #[inline(always)]
    fn rol64_by(self, a: V, by: V) -> V {
        V(intrinsic!(_mm512_rolv_epi64(a.0, by.0)))
    }
    #[inline(always)]
    fn sub64(self, a: V, b: V) -> V {
        V(intrinsic!(_mm512_sub_epi64(a.0, b.0)))
    }
    #[inline(always)]
    fn sub32(self, a: V, b: V) -> V {
        V(intrinsic!(_mm512_sub_epi32(a.0, b.0)))
    }
    #[inline(always)]
    fn max_i32(self, a: V, b: V) -> V {
        V(intrinsic!(_mm512_max_epi32(a.0, b.0)))
    }
    #[inline(always)]
    fn add64(self, a: V, b: V) -> V {
        V(intrinsic!(_mm512_add_epi64(a.0, b.0)))
    }
    #[inline(always)]
    fn mul_low_halves(self, a: V, b: V) -> V {
        V(intrinsic!(_mm512_mul_epu32(a.0, b.0)))
    }
    // Rotations by whole bytes go to the shuffle unit, the others to the shifter:
    // on Intel's cores these are different ports.
    #[inline(always)]
    fn rol32<const N: u32>(self, a: V) -> V {
        if const { N.is_multiple_of(8) } {
            self.shuffle8(a, self.splat128(const { &rotate_bytes32(N) }))
        } else {
            let by = intrinsic!(_mm512_set1_epi32(N.cast_signed()));
            V(intrinsic!(_mm512_rolv_epi32(a.0, by)))
        }
    }
    #[inline(always)]
    fn shl32<const N: u32>(self, a: V) -> V {
        V(intrinsic!(_mm512_slli_epi32::<N>(a.0)))
    }
    #[inline(always)]
    fn shr32<const N: u32>(self, a: V) -> V {
        V(intrinsic!(_mm512_srli_epi32::<N>(a.0)))
    }
    #[inline(always)]
    fn shld32<const N: u32>(self, high: V, low: V) -> V {
        let by = intrinsic!(_mm512_set1_epi32(N.cast_signed()));
        V(intrinsic!(_mm512_shldv_epi32(high.0, low.0, by)))
    }
    #[inline(always)]
    fn shl64<const N: u32>(self, a: V) -> V {
        V(intrinsic!(_mm512_slli_epi64::<N>(a.0)))
    }
    #[inline(always)]
    fn shr64<const N: u32>(self, a: V) -> V {
        V(intrinsic!(_mm512_srli_epi64::<N>(a.0)))
    }
    #[inline(always)]
    fn rol64<const N: u32>(self, a: V) -> V {
        V(intrinsic!(_mm512_rolv_epi64(a.0, _mm512_set1_epi64(i64::from(N)))))
    }
}

impl Numbers16 for Avx512 {
    const NUMBERS16_NATIVE: bool = true;
    const LOOKUP16_NATIVE: bool = true;

    #[inline(always)]
    fn add16(self, a: V, b: V) -> V {
        V(intrinsic!(_mm512_add_epi16(a.0, b.0)))
    }
    #[inline(always)]
    fn sub16(self, a: V, b: V) -> V {
        V(intrinsic!(_mm512_sub_epi16(a.0, b.0)))
    }
    #[inline(always)]
    fn mullo16(self, a: V, b: V) -> V {
        V(intrinsic!(_mm512_mullo_epi16(a.0, b.0)))
    }
    #[inline(always)]
    fn mulhi16(self, a: V, b: V) -> V {
        V(intrinsic!(_mm512_mulhi_epu16(a.0, b.0)))
    }
    #[inline(always)]
    fn min_u16(self, a: V, b: V) -> V {
        V(intrinsic!(_mm512_min_epu16(a.0, b.0)))
    }
    #[inline(always)]
    fn shr16<const N: u32>(self, a: V) -> V {
        V(intrinsic!(_mm512_srl_epi16(a.0, _mm_cvtsi32_si128(N.cast_signed()))))
    }
    #[inline(always)]
    fn sign16(self, a: V) -> V {
        V(intrinsic!(_mm512_srai_epi16::<15>(a.0)))
    }
    #[inline(always)]
    fn sub_saturated16(self, a: V, b: V) -> V {
        V(intrinsic!(_mm512_subs_epu16(a.0, b.0)))
    }
    #[inline(always)]
    fn less16(self, a: V, b: V) -> V {
        V(intrinsic!(_mm512_movm_epi16(_mm512_cmplt_epu16_mask(a.0, b.0))))
    }
    #[inline(always)]
    fn equal16(self, a: V, b: V) -> V {
        V(intrinsic!(_mm512_movm_epi16(_mm512_cmpeq_epi16_mask(a.0, b.0))))
    }
    #[inline(always)]
    fn rol16<const N: u32>(self, a: V) -> V {
        let by = intrinsic!(_mm512_set1_epi16(N as i16));
        V(intrinsic!(_mm512_shldv_epi16(a.0, a.0, by)))
    }
    #[inline(always)]
    fn rol16_by(self, a: V, by: V) -> V {
        V(intrinsic!(_mm512_shldv_epi16(a.0, a.0, by.0)))
    }
    // The index takes six bits, five in a register and one between the two.
    #[inline(always)]
    fn lookup16(self, table: &[u16; 64], a: V) -> V {
        let (low, high) = (table[..32].as_ptr(), table[32..].as_ptr());
        let low = intrinsic!(_mm512_loadu_si512(low.cast()));
        let high = intrinsic!(_mm512_loadu_si512(high.cast()));
        V(intrinsic!(_mm512_permutex2var_epi16(low, a.0, high)))
    }
}
