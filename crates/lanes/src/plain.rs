//! Integers as the bytes that they are in memory.
//!
//! # Why it is sound
//! [`Plain`] is sealed to integers and arrays of them, which have no padding: each of their
//! bytes is a value of `u8`. The bytes are borrowed as long as the integers, shared.
#![expect(unsafe_code, reason = "a view as bytes; argued above")]

use crate::wipe::Plain;

/// The bytes of integers, each integer's lowest first.
///
/// # Panics
/// Where integers lie in memory the other way round.
#[inline(always)]
#[must_use]
pub fn little_endian_bytes<T: Plain>(integers: &[T]) -> &[u8] {
    if cfg!(target_endian = "big") {
        unreachable!("no level with lanes is for such a machine");
    }
    // SAFETY: a shared borrow is valid for as many bytes as it has, all initialised.
    unsafe { core::slice::from_raw_parts(integers.as_ptr().cast(), size_of_val(integers)) }
}

#[cfg(all(test, target_endian = "little"))]
mod tests {
    use super::*;

    #[test]
    fn integers_are_their_bytes() {
        assert_eq!(little_endian_bytes(&[0x0201_u16, 0x0403]), [1, 2, 3, 4]);
        assert_eq!(little_endian_bytes(&[[0x0403_0201_u32]; 2]), [1, 2, 3, 4, 1, 2, 3, 4]);
        assert_eq!(little_endian_bytes::<u64>(&[]), []);
    }
}
