//! Multiplication modulo 2^16 + 1, where 0 stands for 2^16, without branch or table.
//!
//! With the product `p = hi·2^16 + lo`, `p ≡ lo − hi`, plus 1 where that borrows, as
//! `2^16 + 1 ≡ 1` in 16 bits. `p` is 0 exactly where a factor stands for 2^16 ≡ −1; the
//! result is then `1 − a − b` (docs/notes/idea.md).

use lanes::Isa;

/// `a ⊙ b`.
#[inline(always)]
pub(super) fn multiply(a: u16, b: u16) -> u16 {
    let product = u32::from(a) * u32::from(b);
    // Known while the product is still on its way; both halves of that are then 0.
    let special = 1_u16.wrapping_sub(b).wrapping_sub(a) & (if_zero(a) | if_zero(b));
    let (difference, borrow) = (product as u16 | special).overflowing_sub((product >> 16) as u16);
    difference.wrapping_add(u16::from(borrow))
}

/// All ones for 0, else 0.
#[inline(always)]
fn if_zero(x: u16) -> u16 {
    (u32::from(x).wrapping_sub(1) >> 16) as u16
}

/// The inverse for `⊙`: the power 2^16 − 1, the group having 2^16 elements.
#[inline(always)]
fn invert_one(x: u16) -> u16 {
    // The product of the powers 2^0 to 2^15: each is taken in while the next one is squared.
    let (mut power, mut product) = (x, x);
    for _ in 0..15 {
        power = multiply(power, power);
        product = multiply(product, power);
    }
    product
}

/// From the inverse of the product of three elements the inverse of each.
#[inline(always)]
fn of_three(inverse: u16, [a, b, c]: [u16; 3]) -> [u16; 3] {
    // Products of two are known before the inverse.
    [
        multiply(inverse, multiply(b, c)),
        multiply(inverse, multiply(a, c)),
        multiply(inverse, multiply(a, b)),
    ]
}

/// The product of three elements.
#[inline(always)]
fn product([a, b, c]: [u16; 3]) -> u16 {
    multiply(multiply(a, b), c)
}

/// The inverse of each for `⊙`, from one inverse, that of the product of all: pairs, three of
/// them together, and three of these. All elements have inverses, 0 as well.
#[inline(always)]
pub(super) fn invert(x: &mut [u16; 18]) {
    let mut pairs = [[0; 3]; 3];
    let mut threes = [0; 3];
    for i in 0..3 {
        for k in 0..3 {
            pairs[i][k] = multiply(x[6 * i + 2 * k], x[6 * i + 2 * k + 1]);
        }
        threes[i] = product(pairs[i]);
    }
    threes = of_three(invert_one(product(threes)), threes);
    for i in 0..3 {
        pairs[i] = of_three(threes[i], pairs[i]);
        for k in 0..3 {
            let [a, b] = [x[6 * i + 2 * k], x[6 * i + 2 * k + 1]];
            x[6 * i + 2 * k] = multiply(pairs[i][k], b);
            x[6 * i + 2 * k + 1] = multiply(pairs[i][k], a);
        }
    }
    lanes::wipe::wipe(&mut pairs);
    lanes::wipe::wipe(&mut threes);
}

/// `a ⊙ b` in 16-bit lanes, given lanes of 1 that the compiler does not know to be so: told,
/// it would compare where a minimum is sooner done.
#[inline(always)]
pub(super) fn multiply_lanes<I: Isa>(isa: I, a: I::V, b: I::V, one: I::V) -> I::V {
    let (low, high) = (isa.mullo16(a, b), isa.mulhi16(a, b));
    let borrow = isa.min_u16(isa.sub_saturated16(high, low), one);
    let plain = isa.add16(isa.sub16(low, high), borrow);
    // As in `multiply`, known while the product is on its way, which is 0 then.
    let special = isa.sub16(isa.sub16(one, b), a);
    let if_zero = isa.sub16(isa.min_u16(isa.min_u16(a, b), one), one);
    isa.or(plain, isa.and(special, if_zero))
}

/// The inverse of each for `⊙`, as [`invert_one`] makes it, in lanes.
#[inline(always)]
pub(super) fn invert_lanes<I: Isa, const N: usize>(isa: I, x: &mut [I::V; N]) {
    let one = isa.pin(isa.splat16(1));
    let mut power = *x;
    for _ in 0..15 {
        for i in 0..N {
            power[i] = multiply_lanes(isa, power[i], power[i], one);
        }
        for i in 0..N {
            x[i] = multiply_lanes(isa, x[i], power[i], one);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the definition.
    fn defined(a: u16, b: u16) -> u16 {
        let full = |x: u16| if x == 0 { 1 << 16 } else { u64::from(x) };
        (full(a) * full(b) % 65537) as u16
    }

    #[test]
    fn products_are_those_of_the_definition() {
        for a in (0..=u16::MAX).step_by(11).chain([0, 1, 2, 0x7fff, 0x8000, 0xfffe, 0xffff]) {
            for b in [0, 1, 2, 3, 0x7fff, 0x8000, 0x8001, 0xabcd, 0xfffe, 0xffff, a] {
                assert_eq!(multiply(a, b), defined(a, b), "{a} {b}");
            }
        }
    }

    fn inverses_are_right(elements: [u16; 18]) {
        let mut inverses = elements;
        invert(&mut inverses);
        for (x, inverse) in elements.into_iter().zip(inverses) {
            assert_eq!(defined(x, inverse), 1, "{x} of {elements:?}");
        }
    }

    #[test]
    fn inverses_of_equal_elements_and_of_zeros_are_found_together() {
        inverses_are_right([0; 18]);
        inverses_are_right([0xffff; 18]);
        inverses_are_right(core::array::from_fn(|i| [0, 1, 0xffff, 2, 0x8000][i % 5]));
    }

    #[test]
    fn every_element_has_its_inverse() {
        for first in (0..=u16::MAX).step_by(16) {
            inverses_are_right(core::array::from_fn(|i| first.wrapping_add(i as u16)));
        }
    }

    /// The products of `a` with 0, 1, 2 and so on.
    #[inline(always)]
    fn row<I: Isa>(isa: I, a: u16, products: &mut [u8]) {
        let one = isa.pin(isa.splat16(1));
        for (i, out) in products.chunks_exact_mut(I::BYTES).enumerate() {
            let mut factors = [0_u8; 64];
            for (k, factor) in factors[..I::BYTES].chunks_exact_mut(2).enumerate() {
                let b = (i * I::BYTES / 2 + k) as u16;
                factor.copy_from_slice(&b.to_le_bytes());
            }
            let b = isa.load(&factors);
            isa.store(multiply_lanes(isa, isa.splat16(a), b, one), out);
        }
    }

    /// All 2^32 pairs with `CIPHERLANE_TEST_INPUTS=65536`, which takes minutes; else some rows.
    #[test]
    fn products_with_every_factor_are_those_of_the_definition_at_every_level() {
        let rows = model::effort::inputs(41).min(1 << 16) as usize;
        let mut products = std::vec![0; 1 << 17];
        for i in 0..rows {
            let a = (i * (1 << 16) / rows) as u16;
            let expected: std::vec::Vec<u16> = (0..=u16::MAX).map(|b| defined(a, b)).collect();
            assert!((0..=u16::MAX).all(|b| multiply(a, b) == expected[usize::from(b)]), "{a}");
            for level in lanes::Level::available() {
                lanes::dispatch_plain!(level, isa => row(isa, a, &mut products));
                let got = products.as_chunks().0.iter().map(|&bytes| u16::from_le_bytes(bytes));
                assert!(got.eq(expected.iter().copied()), "{a} at {level}");
            }
        }
    }
}
