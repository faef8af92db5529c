//! A tweak times a high power of α, without the steps between: what seeking in a data
//! unit, and cutting one for several threads, need.

use super::{Order, TWEAK};

/// A polynomial of degree below 128; bit `i` is the coefficient of xⁱ.
type Polynomial = u128;

/// `high·x¹²⁸ + low`, reduced: x¹²⁸ is x⁷ + x² + x + 1.
const fn reduced(low: Polynomial, high: Polynomial) -> Polynomial {
    // What leaves at the top has degree 6 at most, so once more is enough.
    let out = high >> 127 ^ high >> 126 ^ high >> 121;
    let high = high ^ out;
    low ^ high ^ high << 1 ^ high << 2 ^ high << 7
}

/// The bits of a number with zeros between them: the square of a polynomial.
const fn spread(bits: u64) -> u128 {
    const MASKS: [u128; 6] = [
        u128::MAX / ((1 << 32) + 1),
        u128::MAX / ((1 << 16) + 1),
        u128::MAX / ((1 << 8) + 1),
        u128::MAX / ((1 << 4) + 1),
        u128::MAX / ((1 << 2) + 1),
        u128::MAX / 3,
    ];
    let mut value = bits as u128;
    let (mut i, mut shift) = (0, 32);
    while i < MASKS.len() {
        value = (value | value << shift) & MASKS[i];
        (i, shift) = (i + 1, shift / 2);
    }
    value
}

/// α to the power of `exponent`.
const fn power(exponent: u128) -> Polynomial {
    // The highest bits of the exponent tell a monomial; the others square and multiply.
    let skip = 121_u32.saturating_sub(exponent.leading_zeros());
    let mut result = 1 << (exponent >> skip);
    let mut bit = skip;
    while bit > 0 {
        bit -= 1;
        result = reduced(spread(result as u64), spread((result >> 64) as u64));
        if exponent >> bit & 1 == 1 {
            result = result << 1 ^ (result >> 127).wrapping_neg() & 0x87;
        }
    }
    result
}

impl Order {
    /// A tweak times α to the power of `blocks`; constant-time for the tweak.
    pub(crate) fn leap(self, tweak: [u8; TWEAK], blocks: u128) -> [u8; TWEAK] {
        let factor = power(blocks);
        let mut shifted = match self {
            Self::Little => u128::from_le_bytes(tweak),
            Self::Reflected => u128::from_be_bytes(tweak).reverse_bits(),
        };
        let mut product = 0;
        for bit in 0..128 {
            product ^= shifted & (factor >> bit & 1).wrapping_neg();
            shifted = shifted << 1 ^ (shifted >> 127).wrapping_neg() & 0x87;
        }
        match self {
            Self::Little => product.to_le_bytes(),
            Self::Reflected => product.reverse_bits().to_be_bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leap_is_as_many_steps() {
        let first = 0x9123_4567_89ab_cdef_fedc_ba98_7654_3211_u128.to_be_bytes();
        for order in [Order::Little, Order::Reflected] {
            let mut tweak = first;
            for blocks in 0..5000 {
                assert_eq!(order.leap(first, blocks), tweak, "{order:?}, {blocks}");
                tweak = order.times_alpha(tweak);
            }
        }
    }

    /// Exponents add up, and the order of α divides 2¹²⁸ - 1.
    #[test]
    fn high_powers_follow_from_each_other() {
        let first = [0xa5; TWEAK];
        for order in [Order::Little, Order::Reflected] {
            for exponent in (7..128).map(|bit| (1_u128 << bit) - 3) {
                let near = order.leap(first, exponent - 5);
                assert_eq!(order.leap(near, 5), order.leap(first, exponent), "{exponent}");
                let half = exponent / 2;
                let twice = order.leap(order.leap(first, half), exponent - half);
                assert_eq!(twice, order.leap(first, exponent), "{exponent}");
            }
            assert_eq!(order.leap(first, u128::MAX), first);
        }
    }
}
