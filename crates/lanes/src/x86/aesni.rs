//! Level `aesni`: 128-bit registers, byte shuffles and the AES instructions.

use super::arch::*;
use super::implies::{Token, implies};
use super::xmm::{pinned, xmm_operations, xmm_without_evex};
use super::{UNSHIFT_ROWS, rotate_bytes32, rotate_bytes64};
use crate::door::door;
use crate::isa::{ByteMaps, CarrylessProducts, Numbers, Numbers16, Registers, Rounds, Sealed};

door! {
    /// Proof of level `aesni`: SSSE3, SSE4.1, AES, PCLMULQDQ.
    Aesni, clears of128: "sse" "sse2" "sse3" "ssse3" "sse4.1" "aes" "pclmulqdq"
}

/// One 128-bit register.
#[derive(Clone, Copy, Debug)]
pub struct V(__m128i);

impl Aesni {
    /// The token, from one that is proof of at least the same features; where one
    /// is lacking this doesn't compile.
    #[inline(always)]
    pub(crate) fn implied_by<T: Token>(_: T) -> Self {
        const { assert!(implies(T::DETECTED, Self::FEATURES)) };
        Self(())
    }
}

impl Sealed for Aesni {}

impl Registers for Aesni {
    xmm_operations!(Registers);
    xmm_without_evex!(Registers);
}

impl Numbers for Aesni {
    xmm_operations!(Numbers);
    xmm_without_evex!(Numbers);
}

impl Numbers16 for Aesni {
    xmm_operations!(Numbers16);
    xmm_without_evex!(Numbers16);
}

impl CarrylessProducts for Aesni {
    xmm_operations!(CarrylessProducts);
}

impl ByteMaps for Aesni {
    xmm_operations!(ByteMaps);
    const BYTE_MAPS_NATIVE: bool = false;
}

impl Rounds for Aesni {
    xmm_operations!(Rounds);
}
