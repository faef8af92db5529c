//! What a kernel leaves in registers, overwritten: the feature `clear-registers`.
//!
//! Whatever was in a register that a call may change is gone when the door is left, so that it
//! is neither in a core dump nor in what another function spills. Registers that a call must
//! keep hold the caller's values by then; the stack is not touched. Where no function is made
//! for an architecture, the compiler says so.

#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
pub(crate) use crate::aarch64::clear::{of_portable, of128};
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) use crate::x86::clear::{of_portable, of128, of256, of512};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use no_registers as of128;
#[cfg(target_arch = "wasm32")]
pub(crate) use no_registers as of_portable;

#[cfg(not(any(
    target_arch = "x86",
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"),
    target_arch = "wasm32"
)))]
compile_error!("`clear-registers` is not made for this architecture; build without it");

/// A WebAssembly module has no registers: the engine that runs it has, out of its reach.
#[cfg(target_arch = "wasm32")]
#[inline(always)]
pub(crate) fn no_registers() {}
