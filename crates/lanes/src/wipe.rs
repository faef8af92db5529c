//! Overwriting secrets so that the optimiser can't drop the writes.
//!
//! # Why it is sound
//! [`Plain`] is sealed to arrays of integers, for which all-zero bytes are a
//! valid value and which own nothing; what is written goes through an
//! exclusive borrow. The empty template that is handed the address may read what lies there, for
//! all that the compiler knows, so the zeros are written; where there are no templates the
//! writes are volatile.
//!
//! [`Whole`] writes over the place of a value that was dropped just before. The place is still
//! its own and as large as the type; what is written is not read as that type, as nothing comes
//! after the drop. Bytes have no alignment to keep.
#![expect(unsafe_code, reason = "writes that must happen; argued above")]

use core::sync::atomic::{Ordering, compiler_fence};

use core::mem::{ManuallyDrop, MaybeUninit};
use core::ops::{Deref, DerefMut};

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
    // A volatile write of an array is a copy of as many zeros, a call into the system's library.
    #[cfg(all(
        not(miri),
        any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")
    ))]
    // SAFETY: an exclusive borrow is valid, aligned and writable, and zeros are a value; the
    // template does nothing.
    unsafe {
        let place = core::ptr::from_mut(secret);
        place.write_bytes(0, 1);
        core::arch::asm!("/* {0} */", in(reg) place, options(nostack, preserves_flags));
    }
    #[cfg(any(
        miri,
        not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))
    ))]
    // SAFETY: an exclusive borrow is valid, aligned and writable.
    unsafe {
        core::ptr::write_volatile(secret, T::ZERO);
    }
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

/// A value whose whole place is overwritten when it is dropped, gaps and unused variants
/// included: they may hold copies of what the stack held where the value was made.
#[derive(Clone, Debug)]
pub struct Whole<T>(ManuallyDrop<T>);

impl<T> Whole<T> {
    /// Around a value.
    pub const fn new(value: T) -> Self {
        Self(ManuallyDrop::new(value))
    }
}

impl<T> Deref for Whole<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Whole<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T> Drop for Whole<T> {
    fn drop(&mut self) {
        // SAFETY: nobody else drops it, and it is not used as a `T` from here on.
        unsafe { ManuallyDrop::drop(&mut self.0) };
        let place = (&raw mut self.0).cast::<MaybeUninit<u8>>();
        let whole = size_of::<T>() / 16;
        for i in 0..whole {
            // SAFETY: inside the place, as said above.
            unsafe { place.cast::<[u8; 16]>().add(i).write_volatile([0; 16]) };
        }
        for i in 16 * whole..size_of::<T>() {
            // SAFETY: as above.
            unsafe { place.add(i).write_volatile(MaybeUninit::new(0)) };
        }
        compiler_fence(Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_place_is_overwritten_after_its_value_is_dropped() {
        struct Leaves<'d>(&'d core::cell::Cell<u32>, u64, u8);
        impl Drop for Leaves<'_> {
            fn drop(&mut self) {
                self.0.set(self.0.get() + u32::from(self.2));
            }
        }
        let dropped = core::cell::Cell::new(0);
        let mut place = MaybeUninit::new(Whole::new(Leaves(&dropped, u64::MAX, 7)));
        // SAFETY: it is there, and not used again.
        unsafe { place.assume_init_mut().1 -= 1 };
        // SAFETY: as said.
        unsafe { place.as_mut_ptr().drop_in_place() };
        assert_eq!(dropped.get(), 7);
        let bytes = place.as_ptr().cast::<u8>();
        for i in 0..size_of_val(&place) {
            // SAFETY: inside the place, all of which was written.
            assert_eq!(unsafe { bytes.add(i).read() }, 0, "byte {i}");
        }
    }

    /// Whether a place around this value holds zeros alone after it is dropped.
    fn leaves_zeros<T: Copy>(value: T) -> bool {
        let mut place = MaybeUninit::new(Whole::new(value));
        // SAFETY: it is there, and not used again.
        unsafe { place.as_mut_ptr().drop_in_place() };
        let bytes = place.as_ptr().cast::<u8>();
        // SAFETY: inside the place, all of which was written.
        (0..size_of_val(&place)).all(|i| unsafe { bytes.add(i).read() } == 0)
    }

    #[test]
    fn places_of_all_sizes_are_overwritten() {
        assert!(leaves_zeros([u8::MAX; 1]) && leaves_zeros([u8::MAX; 15]));
        assert!(leaves_zeros([u8::MAX; 16]) && leaves_zeros([u8::MAX; 17]));
        assert!(leaves_zeros([u8::MAX; 33]) && leaves_zeros([u8::MAX; 80]));
        let mut whole = Whole::new([1, 2, 3]);
        whole[1] = 7;
        assert_eq!(*whole, [1, 7, 3]);
    }

    #[test]
    fn secrets_become_zeros_and_nothing_beside_them() {
        let mut words = [[u64::MAX; 3]; 3];
        wipe(&mut words[1]);
        assert_eq!(words, [[u64::MAX; 3], [0; 3], [u64::MAX; 3]]);
        wipe_each(&mut words[1..]);
        assert_eq!(words, [[u64::MAX; 3], [0; 3], [0; 3]]);
        for len in 0..=200 {
            let mut around = std::vec![0xa5; len + 2];
            wipe_bytes(&mut around[1..=len]);
            assert!(around[1..=len].iter().all(|&byte| byte == 0), "{len}");
            assert_eq!((around[0], around[len + 1]), (0xa5, 0xa5), "{len}");
        }
    }
}
