//! The levels of AArch64, one file each, which `levels!` names.
//!
//! # Why the intrinsics are sound
//! Each is called from a method of a level's token. A token exists only where
//! [`door!`](crate::door::door) detected every feature of the level, and each file
//! calls only intrinsics of its own list. Register-only intrinsics have no other
//! condition. Loads and stores go through arrays or slices whose length is checked
//! first, and need no alignment. `intrinsic!` states this once for all of them.
//!
//! The levels are there for little-endian systems whose calls pass registers of
//! Advanced SIMD; others have level `portable`.
#![expect(unsafe_code, reason = "intrinsics; argued above")]

/// Calls intrinsics of the level whose token `self` is.
macro_rules! intrinsic {
    ($call:expr) => {
        // SAFETY: the caller holds a token of its level; see the head of `aarch64/mod.rs`.
        unsafe { $call }
    };
}

pub(crate) mod clear;
mod detection;
#[macro_use]
mod quad;
levels!([modules] Aarch64:);

use crate::level::modules;
use crate::levels;
pub(crate) use detection::detected;
