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

/// The inverse of each for `⊙`: its power 2^16 − 1, the group having 2^16 elements.
#[inline(always)]
pub(super) fn invert<const N: usize>(x: &mut [u16; N]) {
    // Powers 2^n − 1 for n = 1, 2, 4, 8, 16.
    for doubled in [1, 2, 4, 8] {
        let before = *x;
        for _ in 0..doubled {
            for i in 0..N {
                x[i] = multiply(x[i], x[i]);
            }
        }
        for i in 0..N {
            x[i] = multiply(x[i], before[i]);
        }
    }
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

/// The inverse of each for `⊙`, as [`invert`] does it, in lanes.
#[inline(always)]
pub(super) fn invert_lanes<I: Isa, const N: usize>(isa: I, x: &mut [I::V; N]) {
    let one = isa.pin(isa.splat16(1));
    for doubled in [1, 2, 4, 8] {
        let before = *x;
        for _ in 0..doubled {
            for i in 0..N {
                x[i] = multiply_lanes(isa, x[i], x[i], one);
            }
        }
        for i in 0..N {
            x[i] = multiply_lanes(isa, x[i], before[i], one);
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

    #[test]
    fn every_element_has_its_inverse() {
        for first in (0..=u16::MAX).step_by(16) {
            let mut inverses: [u16; 16] = core::array::from_fn(|i| first + i as u16);
            let elements = inverses;
            invert(&mut inverses);
            for (x, inverse) in elements.into_iter().zip(inverses) {
                assert_eq!(defined(x, inverse), 1, "{x}");
            }
        }
    }
}
