//! Level `neon`: 128-bit registers, table look-ups and the AES instructions.

use core::arch::aarch64::*;

use super::quad::{V, aesd, aese, aesimc, aesmc, pinned, pmull, pmull2};
use crate::door::door;
use crate::implies::{Token, implies};
use crate::isa::{ByteMaps, CarrylessProducts, Numbers, Numbers16, Registers, Rounds, Sealed};
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

impl Registers for Neon {
    quad_operations!(Registers);
}

impl Numbers for Neon {
    quad_operations!(Numbers);
}

impl Numbers16 for Neon {
    quad_operations!(Numbers16);
}

impl CarrylessProducts for Neon {
    quad_operations!(CarrylessProducts);
}

impl ByteMaps for Neon {
    quad_operations!(ByteMaps);
}

impl Rounds for Neon {
    quad_operations!(Rounds);
}
