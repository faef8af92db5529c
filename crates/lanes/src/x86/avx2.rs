//! Level `avx2`: 256-bit registers; the AES instructions still take 128 bits.

use super::arch::*;
use super::implies::{Token, implies};
use super::ymm::{pinned, ymm_operations};
use super::{Aesni, UNSHIFT_ROWS, rotate_bytes32, rotate_bytes64};
use crate::door::door;
use crate::isa::{ByteMaps, CarrylessProducts, Numbers, Numbers16, Registers, Rounds, Sealed};

door! {
    /// Proof of level `avx2`: AVX2, AES, PCLMULQDQ, BMI2 and all of `aesni`.
    Avx2, clears of256: "sse" "sse2" "sse3" "ssse3" "sse4.1" "aes" "pclmulqdq"
        "sse4.2" "avx" "avx2" "bmi2"
}

impl Avx2 {
    /// The token, from one that is proof of at least the same features.
    #[inline(always)]
    pub(crate) fn implied_by<T: Token>(_: T) -> Self {
        const { assert!(implies(T::DETECTED, Self::FEATURES)) };
        Self(())
    }
}

/// One 256-bit register.
#[derive(Clone, Copy, Debug)]
pub struct V(__m256i);

/// One instruction of 128 bits on both halves of two registers.
macro_rules! halves {
    ($instruction:expr, $a:expr, $b:expr) => {{
        let (a, b) = ($a.0, $b.0);
        let low = intrinsic!((_mm256_castsi256_si128(a), _mm256_castsi256_si128(b)));
        let high = intrinsic!((_mm256_extracti128_si256::<1>(a), _mm256_extracti128_si256::<1>(b)));
        let low = intrinsic!($instruction(low.0, low.1));
        let high = intrinsic!($instruction(high.0, high.1));
        V(intrinsic!(_mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high)))
    }};
}

impl Sealed for Avx2 {}

impl Registers for Avx2 {
    ymm_operations!(Registers);
    const XOR3_NATIVE: bool = false;
    type Narrow = Aesni;

    #[inline(always)]
    fn narrow(self) -> Aesni {
        Aesni::implied_by(self)
    }
}

impl Numbers for Avx2 {
    ymm_operations!(Numbers);
}

impl Numbers16 for Avx2 {
    ymm_operations!(Numbers16);
}

impl CarrylessProducts for Avx2 {
    #[inline(always)]
    fn clmul_low(self, a: V, b: V) -> V {
        halves!(_mm_clmulepi64_si128::<0x00>, a, b)
    }
    #[inline(always)]
    fn clmul_high(self, a: V, b: V) -> V {
        halves!(_mm_clmulepi64_si128::<0x11>, a, b)
    }
}

impl ByteMaps for Avx2 {
    const BYTE_MAPS: bool = true;
    const BYTE_MAPS_NATIVE: bool = false;

    #[inline(always)]
    fn aes_sub_bytes(self, a: V) -> V {
        let a = self.shuffle8(a, self.splat128(&UNSHIFT_ROWS));
        halves!(_mm_aesenclast_si128, a, self.zero())
    }
}

impl Rounds for Avx2 {
    const AES_BYTES: usize = 16;

    #[inline(always)]
    fn aes_encrypt_round(self, a: V, key: V) -> V {
        halves!(_mm_aesenc_si128, a, key)
    }
    #[inline(always)]
    fn aes_encrypt_last(self, a: V, key: V) -> V {
        halves!(_mm_aesenclast_si128, a, key)
    }
    #[inline(always)]
    fn aes_decrypt_round(self, a: V, key: V) -> V {
        halves!(_mm_aesdec_si128, a, key)
    }
    #[inline(always)]
    fn aes_decrypt_last(self, a: V, key: V) -> V {
        halves!(_mm_aesdeclast_si128, a, key)
    }
}
