//! Level `neon-sm4`: as `neon`, with the SM4 instructions.

use core::arch::aarch64::*;
use core::arch::asm;

use super::quad::{V, aesd, aese, aesimc, aesmc, pinned, pmull, pmull2};
use crate::door::door;
use crate::isa::{ByteMaps, CarrylessProducts, Numbers, Numbers16, Registers, Rounds, Sealed};
use crate::shuffles::{UNSHIFT_ROWS, rotate_bytes32, rotate_bytes64};

door! {
    /// Proof of level `neon-sm4`: Advanced SIMD, AES, PMULL and SM4.
    NeonSm4, clears of128: "neon" "aes" "sm4"
}

// The intrinsics of SM4E and SM4EKEY are not in the stable standard library.

#[inline]
#[target_feature(enable = "sm4")]
fn sm4e(mut state: uint8x16_t, keys: uint8x16_t) -> uint8x16_t {
    // SAFETY: works on registers only; the feature is on.
    unsafe {
        asm!("sm4e {:v}.4s, {:v}.4s", inout(vreg) state, in(vreg) keys,
            options(pure, nomem, nostack, preserves_flags));
    }
    state
}

#[inline]
#[target_feature(enable = "sm4")]
fn sm4ekey(keys: uint8x16_t, constants: uint8x16_t) -> uint8x16_t {
    let next;
    // SAFETY: works on registers only; the feature is on.
    unsafe {
        asm!("sm4ekey {:v}.4s, {:v}.4s, {:v}.4s", lateout(vreg) next, in(vreg) keys,
            in(vreg) constants, options(pure, nomem, nostack, preserves_flags));
    }
    next
}

impl Sealed for NeonSm4 {}

impl Registers for NeonSm4 {
    quad_operations!(Registers);
}

impl Numbers for NeonSm4 {
    quad_operations!(Numbers);
}

impl Numbers16 for NeonSm4 {
    quad_operations!(Numbers16);
}

impl CarrylessProducts for NeonSm4 {
    quad_operations!(CarrylessProducts);
}

impl ByteMaps for NeonSm4 {
    quad_operations!(ByteMaps);
}

impl Rounds for NeonSm4 {
    quad_operations!(Rounds);

    const SM4_BYTES: usize = 16;

    #[inline(always)]
    fn sm4_rounds(self, a: V, keys: V) -> V {
        V(intrinsic!(sm4e(a.0, keys.0)))
    }
    #[inline(always)]
    fn sm4_next_keys(self, a: V, constants: V) -> V {
        V(intrinsic!(sm4ekey(a.0, constants.0)))
    }
}
