//! Level `neon`: 128-bit registers, table look-ups and the AES instructions.

use core::arch::aarch64::*;

use super::quad::{V, aesd, aese, aesimc, aesmc, pinned, pmull, pmull2};
use crate::door::door;
use crate::implies::{Token, implies};
use crate::isa::{Isa, Sealed};
use crate::shuffles::{UNSHIFT_ROWS, rotate_bytes32, rotate_bytes64};

door! {
    /// Proof of level `neon`: Advanced SIMD, AES and PMULL.
    Neon, clears of128: "neon" "aes"
}

impl Neon {
    /// The token, from one that is proof of at least the same features.
    #[inline(always)]
    pub(crate) fn implied_by<T: Token>(_: T) -> Self {
        const { assert!(implies(T::DETECTED, Self::FEATURES)) };
        Self(())
    }
}

impl Sealed for Neon {}

impl Isa for Neon {
    quad_operations!();
}
