//! What a kernel leaves in registers, overwritten: when an object ends
//! ([`clear_stack`](crate::clear_stack)), and by the feature `clear-registers`
//! whenever a door is left.
//!
//! Whatever was in a register that a call may change is gone when the door is left, so that it
//! is neither in a core dump nor in what another function spills. Registers that a call must
//! keep hold the caller's values by then. Where no function is made for an architecture, the
//! feature is an error, and the end of an object clears the stack alone.

#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
pub(crate) use crate::aarch64::clear::of_portable as all;
#[cfg(all(
    target_arch = "aarch64",
    target_endian = "little",
    target_feature = "neon",
    feature = "clear-registers"
))]
pub(crate) use crate::aarch64::clear::{of_portable, of128};
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) use crate::x86::clear::all;
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), feature = "clear-registers"))]
pub(crate) use crate::x86::clear::{of_portable, of128, of256, of512};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128", feature = "clear-registers"))]
pub(crate) use no_registers as of128;
#[cfg(not(any(
    target_arch = "x86",
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"),
)))]
pub(crate) use no_registers as all;
#[cfg(all(
    feature = "clear-registers",
    not(any(
        target_arch = "x86",
        target_arch = "x86_64",
        all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"),
    ))
))]
pub(crate) use no_registers as of_portable;

#[cfg(all(
    feature = "clear-registers",
    not(any(
        target_arch = "x86",
        target_arch = "x86_64",
        all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"),
        target_arch = "wasm32"
    ))
))]
compile_error!("`clear-registers` is not made for this architecture; build without it");

/// A WebAssembly module has no registers: the engine that runs it has, out of its reach.
#[cfg(not(any(
    target_arch = "x86",
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"),
)))]
#[inline(always)]
pub(crate) const fn no_registers() {}
