//! The tweaks of a data unit: `T·αʲ` in GF(2)[x]/(x¹²⁸ + x⁷ + x² + x + 1).
//!
//! A tweak is an integer whose shift by one place is the multiplication by α.
//! One shift after the other would be a chain of about six cycles a block; eight
//! chains that start apart run side by side, in about one and a half.

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
    /// `value·αᵏ` for `k` of 1 to 120.
    #[doc(hidden)]
    fn times_alpha_to(value: u128, k: u32) -> u128;
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
    #[inline(always)]
    fn times_alpha_to(value: u128, k: u32) -> u128 {
        let out = value >> (128 - k);
        value << k ^ out ^ out << 1 ^ out << 2 ^ out << 7
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
    #[inline(always)]
    fn times_alpha_to(value: u128, k: u32) -> u128 {
        let out = value << (128 - k);
        value >> k ^ out ^ out >> 1 ^ out >> 2 ^ out >> 7
    }
}

/// Chains of tweaks that run side by side.
const CHAINS: usize = 8;
/// The longest chain: the last one starts at α to the power of seven times this.
const LONGEST: usize = 16;

/// Fills `tweaks` with `first`, `first·α`, `first·α²`, …; returns what comes next.
#[inline(always)]
pub(super) fn fill<S: Order>(tweaks: &mut [[u8; BLOCK]], first: u128) -> u128 {
    let mut next = first;
    for tweaks in tweaks.chunks_mut(CHAINS * LONGEST) {
        next = fill_some::<S>(tweaks, next);
    }
    next
}

#[inline(always)]
fn fill_some<S: Order>(tweaks: &mut [[u8; BLOCK]], first: u128) -> u128 {
    let len = tweaks.len() / CHAINS;
    let (chained, rest) = tweaks.split_at_mut(CHAINS * len);
    let mut next = first;
    if len > 0 {
        let mut chains = [first; CHAINS];
        for c in 1..CHAINS {
            chains[c] = S::times_alpha_to(first, (c * len) as u32);
        }
        for i in 0..len {
            for c in 0..CHAINS {
                chained[c * len + i] = S::write(chains[c]);
                chains[c] = S::times_alpha(chains[c]);
            }
        }
        next = chains[CHAINS - 1];
    }
    for tweak in rest {
        *tweak = S::write(next);
        next = S::times_alpha(next);
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum of an element's coefficients times powers, one bit after the other.
    fn one_by_one<S: Order>(first: u128, count: usize) -> std::vec::Vec<[u8; BLOCK]> {
        let step = |value: &u128| Some(S::times_alpha(*value));
        core::iter::successors(Some(first), step).take(count).map(S::write).collect()
    }

    fn bulk_equals_one_by_one<S: Order>() {
        let first = 0x9123_4567_89ab_cdef_fedc_ba98_7654_3211_u128;
        for count in (0..300).chain([1000, 1024]) {
            let mut tweaks = std::vec![[0; BLOCK]; count];
            let next = fill::<S>(&mut tweaks, first);
            let expected = one_by_one::<S>(first, count + 1);
            assert_eq!(tweaks, expected[..count], "{count} tweaks");
            assert_eq!(S::write(next), expected[count], "behind {count} tweaks");
        }
        let mut value = first;
        for k in 1..=120 {
            value = S::times_alpha(value);
            assert_eq!(S::times_alpha_to(first, k), value, "α to the power of {k}");
        }
    }

    #[test]
    fn tweaks_in_bulk_are_those_one_by_one() {
        bulk_equals_one_by_one::<Ieee1619>();
        bulk_equals_one_by_one::<Gb17964>();
    }
}
