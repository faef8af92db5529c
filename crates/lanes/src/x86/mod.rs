//! The levels of x86 and x86-64, one file each, which `levels!` names.
//!
//! # Why the intrinsics are sound
//! Each is called from a method of a level's token. A token exists only where
//! [`door!`](crate::door::door) detected every feature of the level (its field is
//! private; see there for its constructors), and each file calls only intrinsics
//! of its own list. Register-only intrinsics have no other condition. Loads and
//! stores go through arrays or slices whose length is checked first, and use the
//! unaligned forms. `intrinsic!` states this once for all of them.
#![expect(unsafe_code, reason = "intrinsics; argued above")]

/// Calls intrinsics of the level whose token `self` is.
macro_rules! intrinsic {
    ($call:expr) => {
        // SAFETY: the caller holds a token of its level; see the head of `x86/mod.rs`.
        unsafe { $call }
    };
}
#[cfg(target_arch = "x86")]
use core::arch::x86 as arch;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64 as arch;

use crate::implies;
use crate::level::modules;
use crate::levels;
use crate::shuffles::{UNSHIFT_ROWS, rotate_bytes32, rotate_bytes64};

levels!([modules] X86:);
pub(crate) mod clear;
mod cpuid;
#[cfg(any(test, cipherlane_emulated_sm4))]
mod sm4_emulated;
mod xmm;
mod xmm_evex;
mod xmm_gfni;
mod xmm_sm4;
mod ymm;

pub(crate) use cpuid::{detected, in_halves, take_for_in_halves};
use xmm_evex::Avx512Xmm;
use xmm_gfni::Avx2GfniXmm;
use xmm_sm4::Avx2Sm4Xmm;
