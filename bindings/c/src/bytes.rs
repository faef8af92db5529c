//! Bytes that nobody else may see.

use std::ffi::{c_int, c_void};
use std::hint::black_box;

use crate::memory;
use crate::status::guard;

/// Overwrites memory with zeros, which no optimiser leaves out: keys and plaintexts that are
/// not needed any more.
///
/// # Safety
/// `data` is null or valid for writing `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_wipe(data: *mut c_void, length: usize) -> c_int {
    guard(|| {
        // SAFETY: the caller's promise.
        lanes::wipe::wipe_bytes(unsafe { memory::output("data", data.cast(), length) }?);
        Ok(())
    })
}

/// 1 if two byte strings of one length are equal, else 0; 0 as well where one is null beside a
/// length. Only the length may show in the time: for tags, keys and other secrets, where
/// `memcmp` tells how far they agree.
///
/// # Safety
/// The pointers are null or valid for reading `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_equal(
    one: *const c_void,
    other: *const c_void,
    length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    let both = unsafe {
        (memory::input("one", one.cast(), length), memory::input("other", other.cast(), length))
    };
    let (Ok(one), Ok(other)) = both else { return 0 };
    let differs = one.iter().zip(other).fold(0, |sum, (one, other)| sum | (one ^ other));
    // Without the barrier the compiler may turn the loop into one that stops early.
    c_int::from(black_box(differs) == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn equal(one: &[u8], other: &[u8], length: usize) -> c_int {
        assert!(one.len() >= length && other.len() >= length);
        // SAFETY: both are longer.
        unsafe { cipherlane_equal(one.as_ptr().cast(), other.as_ptr().cast(), length) }
    }

    fn wipe(bytes: &mut [u8]) -> c_int {
        // SAFETY: an exclusive borrow of so many bytes.
        unsafe { cipherlane_wipe(bytes.as_mut_ptr().cast(), bytes.len()) }
    }

    #[test]
    fn every_byte_counts() {
        let one: Vec<u8> = (0..70).collect();
        for place in 0..70 {
            let mut other = one.clone();
            assert_eq!(equal(&one, &other, 70), 1);
            other[place] ^= 0x80;
            assert_eq!(equal(&one, &other, 70), 0);
            assert_eq!(equal(&one, &other, place), 1);
        }
        // SAFETY: null is allowed.
        assert_eq!(unsafe { cipherlane_equal(std::ptr::null(), one.as_ptr().cast(), 1) }, 0);
    }

    #[test]
    fn what_is_wiped_is_zeros_and_no_more_than_that() {
        let mut bytes = [7_u8; 200];
        assert_eq!(wipe(&mut bytes[1..199]), 0);
        assert!(bytes[0] == 7 && bytes[199] == 7 && bytes[1..199].iter().all(|it| *it == 0));
        assert_eq!(wipe(&mut []), 0);
        // SAFETY: null is allowed.
        assert_ne!(unsafe { cipherlane_wipe(std::ptr::null_mut(), 1) }, 0);
    }
}
