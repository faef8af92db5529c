//! Lanes of 8, 32 and 64 bits as numbers.

use super::Registers;
use crate::numbers;

/// Arithmetic, shifts and rotations of lanes of 8, 32 and 64 bits.
pub trait Numbers: Registers {
    /// Whether [`shld32`](Self::shld32) and [`rol32`](Self::rol32) are one instruction
    /// for every count.
    const FUNNEL_NATIVE: bool = false;

    /// Whether [`rol32_by`](Self::rol32_by) and [`rol64_by`](Self::rol64_by) take a few
    /// instructions.
    const ROTATE_BY_NATIVE: bool = false;

    /// Whether [`pick32`](Self::pick32) reads the rows of all lanes by one instruction.
    const PICK_NATIVE: bool = false;

    /// The high 16 bits of each 32-bit lane of `high` above the low 16 bits of `low`.
    #[inline(always)]
    fn join16(self, high: Self::V, low: Self::V) -> Self::V {
        self.select(self.splat32(0xffff_0000), high, low)
    }

    /// Adds bytes, modulo 2^8.
    fn add8(self, a: Self::V, b: Self::V) -> Self::V;

    /// 255 in every byte where `a < b` as unsigned numbers, else 0.
    fn less8(self, a: Self::V, b: Self::V) -> Self::V;

    /// Shifts bytes right by `N`, 0 to 7.
    #[inline(always)]
    fn shr8<const N: u32>(self, a: Self::V) -> Self::V {
        self.and(self.shr64::<N>(a), self.splat8(const { 0xff >> N }))
    }

    /// For each 32-bit lane its lane of a row, of which the low byte of `row` says which: a
    /// look-up in memory at a place that depends on it.
    #[inline(always)]
    fn pick32(self, rows: &[[u8; 64]; 256], row: Self::V) -> Self::V {
        numbers::pick32(self, rows, row)
    }

    /// Adds 32-bit lanes, modulo 2^32.
    fn add32(self, a: Self::V, b: Self::V) -> Self::V;

    /// Subtracts 32-bit lanes, modulo 2^32.
    #[inline(always)]
    fn sub32(self, a: Self::V, b: Self::V) -> Self::V {
        // a + (2^32 − 1 − b) + 1
        let ones = self.splat64(u64::MAX);
        self.add32(self.add32(a, self.xor(b, ones)), self.splat32(1))
    }

    /// The greater one of 32-bit lanes, as signed numbers.
    #[inline(always)]
    fn max_i32(self, a: Self::V, b: Self::V) -> Self::V {
        // The sign of a − b, right where the difference overflows, too.
        let difference = self.sub32(a, b);
        let overflow = self.and(self.xor(a, b), self.xor(difference, a));
        let less = self.shr32::<31>(self.xor(difference, overflow));
        self.select(self.sub32(self.zero(), less), b, a)
    }

    /// Adds 64-bit lanes, modulo 2^64.
    fn add64(self, a: Self::V, b: Self::V) -> Self::V;

    /// The products of the low halves of 64-bit lanes, as 64-bit lanes.
    #[inline(always)]
    fn mul_low_halves(self, a: Self::V, b: Self::V) -> Self::V {
        let (mut a_bytes, mut b_bytes) = ([0; 64], [0; 64]);
        self.store(a, &mut a_bytes);
        self.store(b, &mut b_bytes);
        for (a, b) in a_bytes.as_chunks_mut::<8>().0.iter_mut().zip(b_bytes.as_chunks::<8>().0) {
            let low = |x: &[u8; 8]| u64::from_le_bytes(*x) & 0xffff_ffff;
            *a = (low(a) * low(b)).to_le_bytes();
        }
        self.load(&a_bytes)
    }

    /// Subtracts 64-bit lanes, modulo 2^64.
    #[inline(always)]
    fn sub64(self, a: Self::V, b: Self::V) -> Self::V {
        // a + (2^64 − 1 − b) + 1
        let not = self.xor(b, self.splat64(u64::MAX));
        self.add64(self.add64(a, not), self.splat64(1))
    }

    /// Rotates each 32-bit lane left by the lane of `by`, modulo 32.
    #[inline(always)]
    fn rol32_by(self, a: Self::V, by: Self::V) -> Self::V {
        numbers::rol32_by(self, a, by)
    }

    /// Rotates each 64-bit lane left by the lane of `by`, modulo 64.
    #[inline(always)]
    fn rol64_by(self, a: Self::V, by: Self::V) -> Self::V {
        numbers::rol64_by(self, a, by)
    }

    /// Rotates 32-bit lanes left by `N`, 1 to 31.
    fn rol32<const N: u32>(self, a: Self::V) -> Self::V;

    /// [`rol32`](Self::rol32) in the lowest two lanes; what the others come to hold is left
    /// open. For chains, which fill no more than the lowest one.
    #[inline(always)]
    fn rol32_lowest<const N: u32>(self, a: Self::V) -> Self::V {
        self.rol32::<N>(a)
    }

    /// Shifts 32-bit lanes left by `N`, 0 to 31.
    #[inline(always)]
    fn shl32<const N: u32>(self, a: Self::V) -> Self::V {
        self.and(self.shl64::<N>(a), self.splat32(u32::MAX << N))
    }

    /// Shifts 32-bit lanes right by `N`, 0 to 31.
    #[inline(always)]
    fn shr32<const N: u32>(self, a: Self::V) -> Self::V {
        self.and(self.shr64::<N>(a), self.splat32(u32::MAX >> N))
    }

    /// The high half of `high ‖ low` shifted left by 16, lane by 32-bit lane: the low
    /// 16 bits of `high` above the high 16 bits of `low`.
    #[inline(always)]
    fn across16(self, high: Self::V, low: Self::V) -> Self::V {
        if const { Self::FUNNEL_NATIVE } {
            self.shld32::<16>(high, low)
        } else {
            self.rol32::<16>(self.join16(low, high))
        }
    }

    /// The high half of `high ‖ low` shifted left by `N`, 1 to 31, lane by 32-bit lane.
    #[inline(always)]
    fn shld32<const N: u32>(self, high: Self::V, low: Self::V) -> Self::V {
        let mask = self.splat32(u32::MAX << N);
        self.select(mask, self.rol32::<N>(high), self.rol32::<N>(low))
    }

    /// Shifts 64-bit lanes left by `N`, 0 to 63.
    fn shl64<const N: u32>(self, a: Self::V) -> Self::V;

    /// Shifts 64-bit lanes right by `N`, 0 to 63.
    fn shr64<const N: u32>(self, a: Self::V) -> Self::V;

    /// Rotates 64-bit lanes left by `N`, 1 to 63.
    fn rol64<const N: u32>(self, a: Self::V) -> Self::V;
}
