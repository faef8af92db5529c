//! The 128-bit registers of level `avx2-gfni`: byte maps in one instruction.

use super::arch::*;
use super::xmm::{narrow_token, pinned, xmm_byte_maps, xmm_operations, xmm_without_evex};
use super::{Avx2Gfni, UNSHIFT_ROWS, rotate_bytes32, rotate_bytes64};
use crate::isa::{ByteMaps, CarrylessProducts, Numbers, Numbers16, Registers, Rounds, Sealed};

narrow_token! {
    /// Follows from `avx2-gfni`.
    Avx2GfniXmm of Avx2Gfni
}

/// One 128-bit register.
#[derive(Clone, Copy, Debug)]
pub struct V(__m128i);

impl Sealed for Avx2GfniXmm {}

impl Registers for Avx2GfniXmm {
    xmm_operations!(Registers);
    xmm_without_evex!(Registers);
}

impl Numbers for Avx2GfniXmm {
    xmm_operations!(Numbers);
    xmm_without_evex!(Numbers);

    const ROTATE_BY_NATIVE: bool = true;

    #[inline(always)]
    fn rol32_by(self, a: V, by: V) -> V {
        let by = self.and(by, self.splat32(31));
        // A shift by 32 gives 0.
        let back = self.sub32(self.splat32(32), by);
        let left = intrinsic!(_mm_sllv_epi32(a.0, by.0));
        let right = intrinsic!(_mm_srlv_epi32(a.0, back.0));
        V(intrinsic!(_mm_or_si128(left, right)))
    }
    #[inline(always)]
    fn rol64_by(self, a: V, by: V) -> V {
        let by = self.and(by, self.splat64(63));
        let back = self.sub64(self.splat64(64), by);
        let left = intrinsic!(_mm_sllv_epi64(a.0, by.0));
        let right = intrinsic!(_mm_srlv_epi64(a.0, back.0));
        V(intrinsic!(_mm_or_si128(left, right)))
    }
}

impl Numbers16 for Avx2GfniXmm {
    xmm_operations!(Numbers16);
    xmm_without_evex!(Numbers16);
}

impl CarrylessProducts for Avx2GfniXmm {
    xmm_operations!(CarrylessProducts);
}

impl ByteMaps for Avx2GfniXmm {
    xmm_operations!(ByteMaps);
    xmm_byte_maps!(ByteMaps);
}

impl Rounds for Avx2GfniXmm {
    xmm_operations!(Rounds);
}
