//! Level `avx2`: 256-bit registers; the AES instructions still take 128 bits.

use super::arch::*;
use super::ymm::{pinned, ymm_operations};
use super::{UNSHIFT_ROWS, rotate_bytes32, rotate_bytes64};
use crate::door::door;
use crate::isa::{Isa, Sealed};

door! {
    /// Proof of level `avx2`: AVX2, AES, PCLMULQDQ, BMI2 and all of `aesni`.
    Avx2: "ssse3" "sse4.1" "aes" "pclmulqdq" "avx2" "bmi2"
}

/// One 256-bit register.
#[derive(Clone, Copy, Debug)]
pub struct V(__m256i);

impl Sealed for Avx2 {}

impl Isa for Avx2 {
    ymm_operations!();
    const BYTE_MAPS: bool = true;
    const BYTE_MAPS_NATIVE: bool = false;
    const XOR3_NATIVE: bool = false;

    #[inline(always)]
    fn aes_sub_bytes(self, a: V) -> V {
        let a = self.shuffle8(a, self.splat128(&UNSHIFT_ROWS));
        let zero = intrinsic!(_mm_setzero_si128());
        let low = intrinsic!(_mm_aesenclast_si128(_mm256_castsi256_si128(a.0), zero));
        let high = intrinsic!(_mm_aesenclast_si128(_mm256_extracti128_si256::<1>(a.0), zero));
        V(intrinsic!(_mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high)))
    }
}
