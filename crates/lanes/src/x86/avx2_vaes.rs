//! Level `avx2-vaes`: as `avx2`, with rounds of AES and products on whole registers.
//!
//! A Zen 3 has these instructions and no GFNI. Chains and set-ups run in the 128-bit registers of
//! `avx2`.

use super::arch::*;
use super::ymm::{pinned, ymm_operations};
use super::{Aesni, UNSHIFT_ROWS, rotate_bytes32, rotate_bytes64};
use crate::door::door;
use crate::isa::{ByteMaps, CarrylessProducts, Numbers, Numbers16, Registers, Rounds, Sealed};

door! {
    /// Proof of level `avx2-vaes`: VAES, VPCLMULQDQ and all of `avx2`.
    Avx2Vaes, clears of256: "sse" "sse2" "sse3" "ssse3" "sse4.1" "aes" "pclmulqdq"
        "sse4.2" "avx" "avx2" "bmi2" "vaes" "vpclmulqdq"
}

/// One 256-bit register.
#[derive(Clone, Copy, Debug)]
pub struct V(__m256i);

/// What VAES and VPCLMULQDQ do: rounds of AES and products on whole registers.
macro_rules! ymm_vaes_operations {
    (Registers) => {
        const XOR3_NATIVE: bool = false;
    };
    (CarrylessProducts) => {
        const CLMUL_WIDE: bool = true;

        #[inline(always)]
        fn clmul_low(self, a: V, b: V) -> V {
            V(intrinsic!(_mm256_clmulepi64_epi128::<0x00>(a.0, b.0)))
        }
        #[inline(always)]
        fn clmul_high(self, a: V, b: V) -> V {
            V(intrinsic!(_mm256_clmulepi64_epi128::<0x11>(a.0, b.0)))
        }
    };
    (ByteMaps) => {
        const BYTE_MAPS: bool = true;

        #[inline(always)]
        fn aes_sub_bytes(self, a: V) -> V {
            let a = self.shuffle8(a, self.splat128(&UNSHIFT_ROWS));
            V(intrinsic!(_mm256_aesenclast_epi128(a.0, _mm256_setzero_si256())))
        }
    };
    (Rounds) => {
        const AES_BYTES: usize = 32;

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
pub(super) use ymm_vaes_operations;

impl Sealed for Avx2Vaes {}

impl Registers for Avx2Vaes {
    ymm_operations!(Registers);
    ymm_vaes_operations!(Registers);
    type Narrow = Aesni;

    #[inline(always)]
    fn narrow(self) -> Aesni {
        Aesni::implied_by(self)
    }
}

impl Numbers for Avx2Vaes {
    ymm_operations!(Numbers);
}

impl Numbers16 for Avx2Vaes {
    ymm_operations!(Numbers16);
}

impl CarrylessProducts for Avx2Vaes {
    ymm_vaes_operations!(CarrylessProducts);
}

impl ByteMaps for Avx2Vaes {
    ymm_vaes_operations!(ByteMaps);
    const BYTE_MAPS_NATIVE: bool = false;
}

impl Rounds for Avx2Vaes {
    ymm_vaes_operations!(Rounds);
}
