//! Lanes of 16 bits as numbers, which few ciphers compute with.

use super::Numbers;
use crate::numbers;

/// Arithmetic, shifts and rotations of 16-bit lanes. By default all are made of operations on wider
/// lanes, or go through memory.
pub trait Numbers16: Numbers {
    /// Whether operations on 16-bit lanes, [`mulhi16`](Self::mulhi16) among them, are one
    /// instruction or two each.
    const NUMBERS16_NATIVE: bool = false;

    /// Whether [`lookup16`](Self::lookup16) takes a few instructions.
    const LOOKUP16_NATIVE: bool = false;

    /// Adds 16-bit lanes, modulo 2^16.
    #[inline(always)]
    fn add16(self, a: Self::V, b: Self::V) -> Self::V {
        numbers::add16(self, a, b)
    }

    /// Subtracts 16-bit lanes, modulo 2^16.
    #[inline(always)]
    fn sub16(self, a: Self::V, b: Self::V) -> Self::V {
        numbers::sub16(self, a, b)
    }

    /// The low halves of the products of 16-bit lanes.
    #[inline(always)]
    fn mullo16(self, a: Self::V, b: Self::V) -> Self::V {
        numbers::multiply16::<Self, 0>(self, a, b)
    }

    /// The high halves of the products of 16-bit lanes as unsigned numbers.
    #[inline(always)]
    fn mulhi16(self, a: Self::V, b: Self::V) -> Self::V {
        numbers::multiply16::<Self, 16>(self, a, b)
    }

    /// All ones in every 16-bit lane where `a < b` as unsigned numbers, else 0.
    #[inline(always)]
    fn less16(self, a: Self::V, b: Self::V) -> Self::V {
        numbers::less16(self, a, b)
    }

    /// All ones in every 16-bit lane where `a = b`, else 0.
    #[inline(always)]
    fn equal16(self, a: Self::V, b: Self::V) -> Self::V {
        self.less16(self.xor(a, b), self.splat16(1))
    }

    /// The smaller of 16-bit lanes as unsigned numbers.
    #[inline(always)]
    fn min_u16(self, a: Self::V, b: Self::V) -> Self::V {
        self.select(self.less16(a, b), a, b)
    }

    /// Subtracts 16-bit lanes as unsigned numbers; 0 where `a < b`.
    #[inline(always)]
    fn sub_saturated16(self, a: Self::V, b: Self::V) -> Self::V {
        self.sub16(a, self.min_u16(a, b))
    }

    /// Shifts 16-bit lanes right by `N`, 0 to 15.
    #[inline(always)]
    fn shr16<const N: u32>(self, a: Self::V) -> Self::V {
        self.and(self.shr64::<N>(a), self.splat16(const { u16::MAX >> N }))
    }

    /// All ones in every 16-bit lane whose highest bit is 1, else 0.
    #[inline(always)]
    fn sign16(self, a: Self::V) -> Self::V {
        self.sub16(self.zero(), self.shr16::<15>(a))
    }

    /// Rotates 16-bit lanes left by `N`, 1 to 15.
    #[inline(always)]
    fn rol16<const N: u32>(self, a: Self::V) -> Self::V {
        numbers::rol16::<Self, N>(self, a)
    }

    /// Rotates each 16-bit lane left by the lane of `by`, modulo 16.
    #[inline(always)]
    fn rol16_by(self, a: Self::V, by: Self::V) -> Self::V {
        numbers::rol16_by(self, a, by)
    }

    /// Entry `a mod 64` of the table for every 16-bit lane, without a look-up in memory
    /// that depends on it.
    #[inline(always)]
    fn lookup16(self, table: &[u16; 64], a: Self::V) -> Self::V {
        numbers::lookup16(self, table, a)
    }
}
