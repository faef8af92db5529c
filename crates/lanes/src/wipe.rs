//! Overwriting secrets so that the optimiser can't drop the writes.
//!
//! # Why it is sound
//! [`Plain`] is sealed to arrays of integers, for which all-zero bytes are a
//! valid value and which own nothing; the volatile write goes through an
//! exclusive borrow.
#![expect(unsafe_code, reason = "volatile writes; argued above")]

use core::sync::atomic::{Ordering, compiler_fence};

mod sealed {
    pub trait Sealed {}
}

/// Integers and arrays of them: zero is a value, and dropping does nothing.
pub trait Plain: Copy + sealed::Sealed {
    /// The value that replaces a secret.
    const ZERO: Self;
}

macro_rules! plain { ($($int:ty),*) => { $(
    impl sealed::Sealed for $int {}
    impl Plain for $int { const ZERO: Self = 0; }
)* } }
plain!(u8, u16, u32, u64, u128, usize);

impl<T: Plain, const N: usize> sealed::Sealed for [T; N] {}
impl<T: Plain, const N: usize> Plain for [T; N] {
    const ZERO: Self = [T::ZERO; N];
}

/// Overwrites `secret` with zeros.
#[inline]
pub fn wipe<T: Plain>(secret: &mut T) {
    // SAFETY: an exclusive borrow is valid, aligned and writable.
    unsafe { core::ptr::write_volatile(secret, T::ZERO) };
    compiler_fence(Ordering::SeqCst);
}

/// Overwrites each with zeros.
#[inline]
pub fn wipe_each<T: Plain>(secrets: &mut [T]) {
    secrets.iter_mut().for_each(wipe);
}

/// Overwrites bytes with zeros.
#[inline]
pub fn wipe_bytes(secret: &mut [u8]) {
    // Of a length that the compiler does not know, so that each call is a short loop: unrolled,
    // the wiping of key material is longer than the kernels that use it.
    let (lines, rest) = core::hint::black_box(secret).as_chunks_mut::<64>();
    for line in lines {
        // SAFETY: an exclusive borrow is valid, aligned and writable.
        unsafe { core::ptr::write_volatile(line, [0; 64]) };
    }
    for byte in rest {
        // SAFETY: as above.
        unsafe { core::ptr::write_volatile(byte, 0) };
    }
    compiler_fence(Ordering::SeqCst);
}
