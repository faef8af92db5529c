//! The 128-bit registers of level `avx512`: three-way logic, rotations and funnel shifts in one
//! instruction, 32 registers.

use super::arch::*;
use super::xmm::{narrow_token, pinned, xmm_byte_maps, xmm_operations};
use super::{Avx512, UNSHIFT_ROWS, rotate_bytes32};
use crate::isa::{ByteMaps, CarrylessProducts, Numbers, Numbers16, Registers, Rounds, Sealed};

narrow_token! {
    /// Follows from `avx512`.
    Avx512Xmm of Avx512
}

/// One 128-bit register.
#[derive(Clone, Copy, Debug)]
pub struct V(__m128i);

impl Sealed for Avx512Xmm {}

impl Registers for Avx512Xmm {
    xmm_operations!(Registers);

    const REGISTERS: usize = if cfg!(target_arch = "x86") { 8 } else { 32 };
    const XOR3_NATIVE: bool = true;

    #[inline(always)]
    fn xor3(self, a: V, b: V, c: V) -> V {
        V(intrinsic!(_mm_ternarylogic_epi64::<0x96>(a.0, b.0, c.0)))
    }
    #[inline(always)]
    fn select(self, mask: V, a: V, b: V) -> V {
        V(intrinsic!(_mm_ternarylogic_epi64::<0xca>(mask.0, a.0, b.0)))
    }
}

impl Numbers for Avx512Xmm {
    xmm_operations!(Numbers);

    const FUNNEL_NATIVE: bool = true;
    const ROTATE_BY_NATIVE: bool = true;

    #[inline(always)]
    fn less8(self, a: V, b: V) -> V {
        V(intrinsic!(_mm_movm_epi8(_mm_cmplt_epu8_mask(a.0, b.0))))
    }
    #[inline(always)]
    fn rol32<const N: u32>(self, a: V) -> V {
        if const { N.is_multiple_of(8) } {
            self.shuffle8(a, self.splat128(const { &rotate_bytes32(N) }))
        } else {
            V(intrinsic!(_mm_rolv_epi32(a.0, _mm_set1_epi32(N.cast_signed()))))
        }
    }
    #[inline(always)]
    fn rol64<const N: u32>(self, a: V) -> V {
        V(intrinsic!(_mm_rolv_epi64(a.0, _mm_set1_epi64x(i64::from(N)))))
    }
    #[inline(always)]
    fn rol32_by(self, a: V, by: V) -> V {
        V(intrinsic!(_mm_rolv_epi32(a.0, by.0)))
    }
    #[inline(always)]
    fn rol64_by(self, a: V, by: V) -> V {
        V(intrinsic!(_mm_rolv_epi64(a.0, by.0)))
    }
    #[inline(always)]
    fn shld32<const N: u32>(self, high: V, low: V) -> V {
        V(intrinsic!(_mm_shldv_epi32(high.0, low.0, _mm_set1_epi32(N.cast_signed()))))
    }
}

impl Numbers16 for Avx512Xmm {
    xmm_operations!(Numbers16);

    #[inline(always)]
    fn less16(self, a: V, b: V) -> V {
        V(intrinsic!(_mm_movm_epi16(_mm_cmplt_epu16_mask(a.0, b.0))))
    }
    #[inline(always)]
    fn equal16(self, a: V, b: V) -> V {
        V(intrinsic!(_mm_movm_epi16(_mm_cmpeq_epi16_mask(a.0, b.0))))
    }
    #[inline(always)]
    fn rol16<const N: u32>(self, a: V) -> V {
        let by = intrinsic!(_mm_set1_epi16(N as i16));
        V(intrinsic!(_mm_shldv_epi16(a.0, a.0, by)))
    }
    #[inline(always)]
    fn rol16_by(self, a: V, by: V) -> V {
        V(intrinsic!(_mm_shldv_epi16(a.0, a.0, by.0)))
    }
}

impl CarrylessProducts for Avx512Xmm {
    xmm_operations!(CarrylessProducts);
}

impl ByteMaps for Avx512Xmm {
    xmm_operations!(ByteMaps);
    xmm_byte_maps!(ByteMaps);
}

impl Rounds for Avx512Xmm {
    xmm_operations!(Rounds);
}
