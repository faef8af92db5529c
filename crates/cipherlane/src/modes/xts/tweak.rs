//! The tweaks of a data unit: `T·αʲ` in GF(2)\[x\]/(x¹²⁸ + x⁷ + x² + x + 1).
//!
//! A tweak is an integer whose shift by one place is the multiplication by α.

use super::BLOCK;

/// How a standard reads the bytes of a tweak. Only this module's two types do.
pub trait Order: sealed::Sealed {
    /// The tweak as an integer that [`times_alpha`](Self::times_alpha) shifts.
    #[doc(hidden)]
    fn read(bytes: [u8; BLOCK]) -> u128;
    /// The bytes again.
    #[doc(hidden)]
    fn write(value: u128) -> [u8; BLOCK];
    /// `value·α`.
    #[doc(hidden)]
    fn times_alpha(value: u128) -> u128;
}

mod sealed {
    pub trait Sealed {}
}

/// IEEE 1619: little-endian, the least significant bit is the coefficient of x⁰.
#[derive(Clone, Copy, Debug)]
pub struct Ieee1619;

/// GB/T 17964-2021: as in GHASH, the most significant bit of the first byte is the
/// coefficient of x⁰.
#[derive(Clone, Copy, Debug)]
pub struct Gb17964;

impl sealed::Sealed for Ieee1619 {}
impl Order for Ieee1619 {
    #[inline(always)]
    fn read(bytes: [u8; BLOCK]) -> u128 {
        u128::from_le_bytes(bytes)
    }
    #[inline(always)]
    fn write(value: u128) -> [u8; BLOCK] {
        value.to_le_bytes()
    }
    #[inline(always)]
    fn times_alpha(value: u128) -> u128 {
        value << 1 ^ (value >> 127).wrapping_neg() & 0x87
    }
}

impl sealed::Sealed for Gb17964 {}
impl Order for Gb17964 {
    #[inline(always)]
    fn read(bytes: [u8; BLOCK]) -> u128 {
        u128::from_be_bytes(bytes)
    }
    #[inline(always)]
    fn write(value: u128) -> [u8; BLOCK] {
        value.to_be_bytes()
    }
    #[inline(always)]
    fn times_alpha(value: u128) -> u128 {
        value >> 1 ^ (value & 1).wrapping_neg() & 0xe1 << 120
    }
}

/// Fills `tweaks` with `first`, `first·α`, `first·α²`, …; returns what comes next.
///
/// One after the other: chains that start apart and run side by side were no faster.
#[inline(always)]
pub(super) fn fill<S: Order>(tweaks: &mut [[u8; BLOCK]], first: u128) -> u128 {
    let mut next = first;
    for tweak in tweaks {
        *tweak = S::write(next);
        next = S::times_alpha(next);
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    /// α¹²⁸ is x⁷ + x² + x + 1, and α²⁵⁶ its square; `bit` is the bit of a byte for a power.
    fn reduces<S: Order>(bit: fn(usize) -> u8) {
        let element = |powers: &[usize]| {
            let mut bytes = [0; BLOCK];
            powers.iter().for_each(|power| bytes[power / 8] |= bit(power % 8));
            bytes
        };
        let mut tweaks = [[0; BLOCK]; 256];
        let next = fill::<S>(&mut tweaks, S::read(element(&[0])));
        for (power, tweak) in tweaks.iter().enumerate().take(128) {
            assert_eq!(*tweak, element(&[power]), "α to the power of {power}");
        }
        assert_eq!(tweaks[128], element(&[7, 2, 1, 0]));
        assert_eq!(S::write(next), element(&[14, 4, 2, 0]));
    }

    #[test]
    fn the_polynomial_is_that_of_the_standards() {
        reduces::<Ieee1619>(|power| 1 << power);
        reduces::<Gb17964>(|power| 0x80 >> power);
    }
}
