//! Level `avx2-sm4`: as `avx2-gfni`, with the SM4 instructions.
//!
//! Built with `--cfg cipherlane_emulated_sm4` it needs no more than `avx2-gfni`, and what the
//! instructions are documented to do stands in for them: for tests on a CPU without them.

use super::arch::*;
use super::avx2_gfni::ymm_gfni_operations;
use super::avx2_vaes::ymm_vaes_operations;
#[cfg(cipherlane_emulated_sm4)]
use super::sm4_emulated::{_mm256_sm4key4_epi32, _mm256_sm4rnds4_epi32};
use super::ymm::{pinned, ymm_operations};
use super::{Avx2Sm4Xmm, UNSHIFT_ROWS, rotate_bytes32, rotate_bytes64};
use crate::door::door;
use crate::isa::{ByteMaps, CarrylessProducts, Numbers, Numbers16, Registers, Rounds, Sealed};

#[cfg(not(cipherlane_emulated_sm4))]
door! {
    /// Proof of level `avx2-sm4`: SM4 and all of `avx2-gfni`.
    Avx2Sm4, clears of256: "sse" "sse2" "sse3" "ssse3" "sse4.1" "aes" "pclmulqdq"
        "sse4.2" "avx" "avx2" "bmi2" "gfni" "vaes" "vpclmulqdq" "sm4"
}

#[cfg(cipherlane_emulated_sm4)]
door! {
    /// Proof of all of `avx2-gfni`.
    Avx2Sm4, clears of256: "sse" "sse2" "sse3" "ssse3" "sse4.1" "aes" "pclmulqdq"
        "sse4.2" "avx" "avx2" "bmi2" "gfni" "vaes" "vpclmulqdq"
}

/// One 256-bit register.
#[derive(Clone, Copy, Debug)]
pub struct V(__m256i);

impl Sealed for Avx2Sm4 {}

impl Registers for Avx2Sm4 {
    ymm_operations!(Registers);
    ymm_vaes_operations!(Registers);
    type Narrow = Avx2Sm4Xmm;

    #[inline(always)]
    fn narrow(self) -> Avx2Sm4Xmm {
        Avx2Sm4Xmm::of(self)
    }
}

impl Numbers for Avx2Sm4 {
    ymm_operations!(Numbers);
}

impl Numbers16 for Avx2Sm4 {
    ymm_operations!(Numbers16);
}

impl CarrylessProducts for Avx2Sm4 {
    ymm_vaes_operations!(CarrylessProducts);
}

impl ByteMaps for Avx2Sm4 {
    ymm_vaes_operations!(ByteMaps);
    ymm_gfni_operations!(ByteMaps);
}

impl Rounds for Avx2Sm4 {
    ymm_vaes_operations!(Rounds);

    const SM4_BYTES: usize = 32;

    // The state first, then the round keys, X₀ and the first key in the lowest lanes.
    #[inline(always)]
    fn sm4_rounds(self, a: V, keys: V) -> V {
        V(intrinsic!(_mm256_sm4rnds4_epi32(a.0, keys.0)))
    }
    #[inline(always)]
    fn sm4_next_keys(self, a: V, constants: V) -> V {
        V(intrinsic!(_mm256_sm4key4_epi32(a.0, constants.0)))
    }
}
