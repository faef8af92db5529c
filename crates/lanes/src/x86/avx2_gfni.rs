//! Level `avx2-gfni`: 256-bit registers with byte maps in one instruction.

use super::arch::*;
use super::avx2_vaes::ymm_vaes_operations;
use super::implies::{Token, implies};
use super::ymm::{pinned, ymm_operations};
use super::{Avx2GfniXmm, UNSHIFT_ROWS, rotate_bytes32, rotate_bytes64};
use crate::door::door;
use crate::isa::{ByteMaps, CarrylessProducts, Numbers, Numbers16, Registers, Rounds, Sealed};

door! {
    /// Proof of level `avx2-gfni`: GFNI, VAES, VPCLMULQDQ and all of `avx2`.
    Avx2Gfni, clears of256: "sse" "sse2" "sse3" "ssse3" "sse4.1" "aes" "pclmulqdq"
        "sse4.2" "avx" "avx2" "bmi2" "gfni" "vaes" "vpclmulqdq"
}

/// One 256-bit register.
#[derive(Clone, Copy, Debug)]
pub struct V(__m256i);

impl Avx2Gfni {
    /// The token, from one that is proof of at least the same features.
    #[cfg_attr(cipherlane_few_levels, expect(dead_code, reason = "the levels above are left out"))]
    #[inline(always)]
    pub(crate) fn implied_by<T: Token>(_: T) -> Self {
        const { assert!(implies(T::DETECTED, Self::FEATURES)) };
        Self(())
    }
}

/// What GFNI adds to VAES and VPCLMULQDQ: byte maps on whole registers.
macro_rules! ymm_gfni_operations {
    (ByteMaps) => {
        const BYTE_MAPS_NATIVE: bool = true;

        #[inline(always)]
        fn affine8<const MATRIX: u64, const CONSTANT: i32>(self, a: V) -> V {
            let matrix = self.splat64(MATRIX).0;
            V(intrinsic!(_mm256_gf2p8affine_epi64_epi8::<CONSTANT>(a.0, matrix)))
        }
        #[inline(always)]
        fn affine8_pair<const EVEN: u64, const ODD: u64>(self, a: V) -> V {
            let matrices = (u128::from(ODD) << 64 | u128::from(EVEN)).to_le_bytes();
            let matrices = self.splat128(&matrices).0;
            V(intrinsic!(_mm256_gf2p8affine_epi64_epi8::<0>(a.0, matrices)))
        }
        #[inline(always)]
        fn affine_inverse8<const MATRIX: u64, const CONSTANT: i32>(self, a: V) -> V {
            let matrix = self.splat64(MATRIX).0;
            V(intrinsic!(_mm256_gf2p8affineinv_epi64_epi8::<CONSTANT>(a.0, matrix)))
        }
    };
}
pub(super) use ymm_gfni_operations;

impl Sealed for Avx2Gfni {}

impl Registers for Avx2Gfni {
    ymm_operations!(Registers);
    ymm_vaes_operations!(Registers);
    type Narrow = Avx2GfniXmm;

    #[inline(always)]
    fn narrow(self) -> Avx2GfniXmm {
        Avx2GfniXmm::of(self)
    }
}

impl Numbers for Avx2Gfni {
    ymm_operations!(Numbers);
}

impl Numbers16 for Avx2Gfni {
    ymm_operations!(Numbers16);
}

impl CarrylessProducts for Avx2Gfni {
    ymm_vaes_operations!(CarrylessProducts);
}

impl ByteMaps for Avx2Gfni {
    ymm_vaes_operations!(ByteMaps);
    ymm_gfni_operations!(ByteMaps);
}

impl Rounds for Avx2Gfni {
    ymm_vaes_operations!(Rounds);
}
