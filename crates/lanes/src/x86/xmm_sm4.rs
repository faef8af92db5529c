//! The 128-bit registers of level `avx2-sm4`: byte maps, and four rounds of SM4, in one instruction.

use super::arch::*;
#[cfg(cipherlane_emulated_sm4)]
use super::sm4_emulated::{_mm_sm4key4_epi32, _mm_sm4rnds4_epi32};
use super::xmm::{narrow_token, pinned, xmm_byte_maps, xmm_operations, xmm_without_evex};
use super::{Avx2Sm4, UNSHIFT_ROWS, rotate_bytes32, rotate_bytes64};
use crate::isa::{ByteMaps, CarrylessProducts, Numbers, Numbers16, Registers, Rounds, Sealed};

narrow_token! {
    /// Follows from `avx2-sm4`.
    Avx2Sm4Xmm of Avx2Sm4
}

/// One 128-bit register.
#[derive(Clone, Copy, Debug)]
pub struct V(__m128i);

impl Sealed for Avx2Sm4Xmm {}

impl Registers for Avx2Sm4Xmm {
    xmm_operations!(Registers);
    xmm_without_evex!(Registers);
}

impl Numbers for Avx2Sm4Xmm {
    xmm_operations!(Numbers);
    xmm_without_evex!(Numbers);
}

impl Numbers16 for Avx2Sm4Xmm {
    xmm_operations!(Numbers16);
    xmm_without_evex!(Numbers16);
}

impl CarrylessProducts for Avx2Sm4Xmm {
    xmm_operations!(CarrylessProducts);
}

impl ByteMaps for Avx2Sm4Xmm {
    xmm_operations!(ByteMaps);
    xmm_byte_maps!(ByteMaps);
}

impl Rounds for Avx2Sm4Xmm {
    xmm_operations!(Rounds);

    const SM4_BYTES: usize = 16;

    #[inline(always)]
    fn sm4_rounds(self, a: V, keys: V) -> V {
        V(intrinsic!(_mm_sm4rnds4_epi32(a.0, keys.0)))
    }
    #[inline(always)]
    fn sm4_next_keys(self, a: V, constants: V) -> V {
        V(intrinsic!(_mm_sm4key4_epi32(a.0, constants.0)))
    }
}
