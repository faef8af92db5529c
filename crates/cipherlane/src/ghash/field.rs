//! The field of GHASH and POLYVAL in lanes: one element a 128-bit group.
//!
//! Elements are little-endian polynomials of GF(2)\[x\]/(x^128 + x^127 + x^126 +
//! x^121 + 1), and the product of `a` and `b` is `a·b·x^-128`, the `dot` of RFC
//! 8452 §3. GHASH is the same field read backwards (RFC 8452 appendix A): bytes
//! reversed, the key multiplied by x. Derivation: `docs/notes/ghash.md`.

use lanes::Isa;

/// Terms x^127 + x^126 + x^121 of the modulus, less 64 in the exponent, in the
/// low lane of each group; the high lane is never used.
const FOLD: u64 = 1 << 63 | 1 << 62 | 1 << 57;

/// A power of the key in each group, as multiplication wants it.
#[derive(Clone, Copy)]
pub(crate) struct Factor<V> {
    /// The power.
    pub(crate) power: V,
    /// The sum of its halves, in both halves.
    pub(crate) halves: V,
}

impl<V: Copy> Factor<V> {
    #[inline(always)]
    pub(crate) fn new<I: Isa<V = V>>(isa: I, power: V) -> Self {
        Self { power, halves: isa.xor(power, isa.swap64(power)) }
    }
}

/// A sum of unreduced products: `low + middle·x^64 + high·x^128`, where `middle`
/// still holds `low + high` too (Karatsuba).
#[derive(Clone, Copy)]
pub(crate) struct Sum<V> {
    low: V,
    middle: V,
    high: V,
}

impl<V: Copy> Sum<V> {
    #[inline(always)]
    pub(crate) fn zero<I: Isa<V = V>>(isa: I) -> Self {
        Self { low: isa.zero(), middle: isa.zero(), high: isa.zero() }
    }

    /// Adds `x` times the factor: three multiplications.
    #[inline(always)]
    pub(crate) fn add<I: Isa<V = V>>(&mut self, isa: I, x: V, by: Factor<V>) {
        let halves = isa.xor(x, isa.swap64(x));
        self.low = isa.xor(self.low, isa.clmul_low(x, by.power));
        self.high = isa.xor(self.high, isa.clmul_high(x, by.power));
        self.middle = isa.xor(self.middle, isa.clmul_low(halves, by.halves));
    }

    /// The sum times x^-128, reduced: two multiplications.
    ///
    /// Adding `low₀` times the modulus clears the lowest 64 bits; what is left
    /// moves down by 64, and once more.
    #[inline(always)]
    pub(crate) fn reduce<I: Isa<V = V>>(self, isa: I) -> V {
        let fold = isa.splat64(FOLD);
        let middle = isa.xor3(self.middle, self.low, self.high);
        let once = isa.xor3(middle, isa.swap64(self.low), isa.clmul_low(self.low, fold));
        isa.xor3(self.high, isa.swap64(once), isa.clmul_low(once, fold))
    }
}

/// `a²·x^-128`: the middle of a square is zero.
#[inline(always)]
pub(super) fn square<I: Isa>(isa: I, a: I::V) -> I::V {
    let (low, high) = (isa.clmul_low(a, a), isa.clmul_high(a, a));
    Sum { low, middle: isa.xor(low, high), high }.reduce(isa)
}

/// `a·b·x^-128`.
#[inline(always)]
pub(super) fn multiply<I: Isa>(isa: I, a: I::V, b: Factor<I::V>) -> I::V {
    let mut sum = Sum::zero(isa);
    sum.add(isa, a, b);
    sum.reduce(isa)
}

/// `a·x`, of a little-endian element; constant-time.
pub(super) const fn times_x(a: u128) -> u128 {
    const MODULUS: u128 = (FOLD as u128) << 64 | 1;
    a << 1 ^ MODULUS & (a >> 127).wrapping_neg()
}

/// Blocks as field elements.
#[inline(always)]
pub(super) fn element<I: Isa, const REVERSED: bool>(isa: I, blocks: I::V) -> I::V {
    if REVERSED { isa.reverse8(blocks) } else { blocks }
}
