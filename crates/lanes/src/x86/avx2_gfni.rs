//! Level `avx2-gfni`: 256-bit registers with byte maps in one instruction.

use super::arch::*;
use super::implies::{Token, implies};
use super::ymm::{pinned, ymm_operations};
use super::{Avx2GfniXmm, UNSHIFT_ROWS, rotate_bytes32, rotate_bytes64};
use crate::door::door;
use crate::isa::{Isa, Sealed};

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
    #[inline(always)]
    pub(crate) fn implied_by<T: Token>(_: T) -> Self {
        const { assert!(implies(T::DETECTED, Self::FEATURES)) };
        Self(())
    }
}

/// What GFNI, VAES and VPCLMULQDQ do: byte maps, rounds of AES and products, on whole registers.
macro_rules! ymm_gfni_operations {
    () => {
        const BYTE_MAPS: bool = true;
        const BYTE_MAPS_NATIVE: bool = true;
        const XOR3_NATIVE: bool = false;
        const CLMUL_WIDE: bool = true;
        const AES_BYTES: usize = 32;

        #[inline(always)]
        fn clmul_low(self, a: V, b: V) -> V {
            V(intrinsic!(_mm256_clmulepi64_epi128::<0x00>(a.0, b.0)))
        }
        #[inline(always)]
        fn clmul_high(self, a: V, b: V) -> V {
            V(intrinsic!(_mm256_clmulepi64_epi128::<0x11>(a.0, b.0)))
        }
        #[inline(always)]
        fn aes_sub_bytes(self, a: V) -> V {
            let a = self.shuffle8(a, self.splat128(&UNSHIFT_ROWS));
            V(intrinsic!(_mm256_aesenclast_epi128(a.0, _mm256_setzero_si256())))
        }
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
        #[inline(always)]
        fn aes_encrypt_round(self, a: V, key: V) -> V {
            V(intrinsic!(_mm256_aesenc_epi128(a.0, key.0)))
        }
        #[inline(always)]
        fn aes_encrypt_last(self, a: V, key: V) -> V {
            V(intrinsic!(_mm256_aesenclast_epi128(a.0, key.0)))
        }
        #[inline(always)]
        fn aes_decrypt_round(self, a: V, key: V) -> V {
            V(intrinsic!(_mm256_aesdec_epi128(a.0, key.0)))
        }
        #[inline(always)]
        fn aes_decrypt_last(self, a: V, key: V) -> V {
            V(intrinsic!(_mm256_aesdeclast_epi128(a.0, key.0)))
        }
    };
}
pub(super) use ymm_gfni_operations;

impl Sealed for Avx2Gfni {}

impl Isa for Avx2Gfni {
    ymm_operations!();
    type Narrow = Avx2GfniXmm;
    #[inline(always)]
    fn narrow(self) -> Avx2GfniXmm {
        Avx2GfniXmm::of(self)
    }
    ymm_gfni_operations!();
}
