//! The levels of x86 and x86-64, one file each.
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

mod aesni;
mod avx2;
mod avx2_gfni;
mod avx512;
mod ymm;

pub use aesni::Aesni;
pub use avx2::Avx2;
pub use avx2_gfni::Avx2Gfni;
pub use avx512::Avx512;

/// Turns the index of ShiftRows around, so that AESENCLAST leaves every byte in
/// its place: byte `i` of its input must be the byte that belongs at `5i mod 16`.
const UNSHIFT_ROWS: [u8; 16] = [0, 13, 10, 7, 4, 1, 14, 11, 8, 5, 2, 15, 12, 9, 6, 3];

/// The byte shuffle that rotates 32-bit lanes left by 8, 16 or 24 bits.
const fn rotate_bytes32(bits: u32) -> [u8; 16] {
    let mut index = [0; 16];
    let mut i = 0;
    while i < 16 {
        index[i as usize] = (i & 12 | (i + 4 - bits / 8) & 3) as u8;
        i += 1;
    }
    index
}

/// The byte shuffle that rotates 64-bit lanes left by whole bytes.
const fn rotate_bytes64(bits: u32) -> [u8; 16] {
    let mut index = [0; 16];
    let mut i = 0;
    while i < 16 {
        index[i as usize] = (i & 8 | (i + 8 - bits / 8) & 7) as u8;
        i += 1;
    }
    index
}
