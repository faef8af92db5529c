//! What every level has: a register, and moving it, its bits and its bytes.

use super::{Isa, Sealed};

/// A token with its one register type, whatever the register holds.
pub trait Registers: Sealed + Copy + Send + Sync + 'static {
    /// One register.
    type V: Copy + Send + Sync + 'static;

    /// The length of a register in bytes: a multiple of 16, at most 64.
    const BYTES: usize;

    /// How many registers there are.
    const REGISTERS: usize;

    /// Whether streams side by side, a lane each, are faster than one after another.
    const LANES_NATIVE: bool;

    /// Whether a chain of operations on a register takes about as long as one on integers.
    const SHORT_CHAINS: bool = false;

    /// Whether [`xor3`](Self::xor3) is one instruction.
    const XOR3_NATIVE: bool;

    /// Whether [`load_at`](Self::load_at) is an instruction; where not, it goes through memory.
    const LOAD_AT_NATIVE: bool = false;

    /// Whether [`shuffle8`](Self::shuffle8) takes an instruction or two.
    const SHUFFLE8_NATIVE: bool = true;

    /// The operations on single 128-bit groups, under the same features.
    type Narrow: Isa;

    /// The token for [`Narrow`](Self::Narrow).
    fn narrow(self) -> Self::Narrow;

    // Moving.

    /// The first [`BYTES`](Self::BYTES) bytes.
    ///
    /// # Panics
    /// If there are fewer.
    fn load(self, bytes: &[u8]) -> Self::V;

    /// Writes the register to the first [`BYTES`](Self::BYTES) bytes.
    ///
    /// # Panics
    /// If there are fewer.
    fn store(self, v: Self::V, bytes: &mut [u8]);

    /// As many bytes as there are, at most a register, with zeros behind.
    fn load_part(self, bytes: &[u8]) -> Self::V;

    /// Writes as much of the register as there is room for.
    fn store_part(self, v: Self::V, bytes: &mut [u8]);

    /// The bytes from `from` on, with zeros where there are none: before the first one, if
    /// `from` is negative, and behind the last one.
    #[inline(always)]
    fn load_at(self, bytes: &[u8], from: isize) -> Self::V {
        if from >= 0 {
            return self.load_part(bytes.get(from.unsigned_abs()..).unwrap_or(&[]));
        }
        let mut whole = [0; 64];
        let before = from.unsigned_abs().min(Self::BYTES);
        let count = bytes.len().min(Self::BYTES - before);
        whole[before..before + count].copy_from_slice(&bytes[..count]);
        self.load(&whole)
    }

    /// These bytes in the lowest group, zeros in the others.
    #[inline(always)]
    fn load128(self, bytes: &[u8; 16]) -> Self::V {
        self.load_part(bytes)
    }

    /// Writes the lowest group.
    #[inline(always)]
    fn store128(self, v: Self::V, bytes: &mut [u8; 16]) {
        self.store_part(v, bytes);
    }

    /// The blocks one after another, one for each 128-bit group; those behind stay unused.
    #[inline(always)]
    fn load_blocks(self, blocks: [&[u8; 16]; 4]) -> Self::V {
        let mut bytes = [0; 64];
        for i in 0..4 {
            bytes[16 * i..16 * i + 16].copy_from_slice(blocks[i]);
        }
        self.load(&bytes)
    }

    /// Writes each 128-bit group to its block, where there is one; those behind stay unused.
    #[inline(always)]
    fn store_blocks(self, v: Self::V, blocks: [Option<&mut [u8; 16]>; 4]) {
        let mut bytes = [0; 64];
        self.store(v, &mut bytes);
        let mut groups = bytes.as_chunks().0.iter().take(const { Self::BYTES / 16 });
        for block in blocks {
            if let (Some(block), Some(group)) = (block, groups.next()) {
                *block = *group;
            }
        }
    }

    /// All bytes zero.
    #[inline(always)]
    fn zero(self) -> Self::V {
        self.splat64(0)
    }

    /// Every byte `x`.
    #[inline(always)]
    fn splat8(self, x: u8) -> Self::V {
        self.splat64(u64::from_le_bytes([x; 8]))
    }

    /// Every 16-bit lane `x`, little-endian.
    #[inline(always)]
    fn splat16(self, x: u16) -> Self::V {
        self.splat64(u64::from(x) * 0x0001_0001_0001_0001)
    }

    /// Every 32-bit lane `x`, little-endian.
    #[inline(always)]
    fn splat32(self, x: u32) -> Self::V {
        self.splat64(u64::from(x) << 32 | u64::from(x))
    }

    /// Every 64-bit lane `x`, little-endian.
    fn splat64(self, x: u64) -> Self::V;

    /// Every 128-bit group these bytes.
    fn splat128(self, bytes: &[u8; 16]) -> Self::V;

    /// The lowest 64-bit lane.
    fn low64(self, a: Self::V) -> u64;

    /// The lowest 32-bit lane.
    #[inline(always)]
    fn low32(self, a: Self::V) -> u32 {
        self.low64(a) as u32
    }

    // Bits.

    /// `a ⊕ b`.
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;

    /// `a ⊕ b ⊕ c`.
    #[inline(always)]
    fn xor3(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.xor(self.xor(a, b), c)
    }

    /// `a ∧ b`.
    fn and(self, a: Self::V, b: Self::V) -> Self::V;

    /// `a ∨ b`.
    fn or(self, a: Self::V, b: Self::V) -> Self::V;

    /// Bit by bit: `a` where `mask` is 1, else `b`.
    #[inline(always)]
    fn select(self, mask: Self::V, a: Self::V, b: Self::V) -> Self::V {
        self.xor(b, self.and(mask, self.xor(a, b)))
    }

    // Moving bytes inside 128-bit groups.

    /// Byte `i` of a group becomes byte `index[i] mod 16` of the same group of
    /// `a`, or 0 where `index[i] ≥ 128`.
    fn shuffle8(self, a: Self::V, index: Self::V) -> Self::V;

    /// Bytes of the low halves of each group, `a` and `b` in turn.
    fn unpack_low8(self, a: Self::V, b: Self::V) -> Self::V;

    /// Bytes of the high halves of each group, `a` and `b` in turn.
    fn unpack_high8(self, a: Self::V, b: Self::V) -> Self::V;

    /// 32-bit lanes of the low halves of each group, `a` and `b` in turn.
    fn unpack_low32(self, a: Self::V, b: Self::V) -> Self::V;

    /// 32-bit lanes of the high halves of each group, `a` and `b` in turn.
    fn unpack_high32(self, a: Self::V, b: Self::V) -> Self::V;

    /// The low 64-bit lane of each group of `a`, then of `b`.
    fn unpack_low64(self, a: Self::V, b: Self::V) -> Self::V;

    /// The high 64-bit lane of each group of `a`, then of `b`.
    fn unpack_high64(self, a: Self::V, b: Self::V) -> Self::V;

    /// The two 64-bit lanes of each group, exchanged.
    #[inline(always)]
    fn swap64(self, a: Self::V) -> Self::V {
        self.shuffle8(a, self.splat128(&[8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7]))
    }

    /// The bytes of each group in reverse order.
    #[inline(always)]
    fn reverse8(self, a: Self::V) -> Self::V {
        self.shuffle8(a, self.splat128(&[15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]))
    }

    /// Sixteen bytes of each group from byte `N`, 1 to 15, of `low` on; those of `high` follow.
    #[inline(always)]
    fn align8<const N: i32>(self, high: Self::V, low: Self::V) -> Self::V {
        let [of_low, of_high] = const { &align_bytes(N) };
        let low = self.shuffle8(low, self.splat128(of_low));
        self.or(low, self.shuffle8(high, self.splat128(of_high)))
    }

    // Between 128-bit groups.

    /// Transposes groups: with `n` groups in a register, each run of `n` registers (or
    /// of all four, where `n` is 4) is a square of groups, whose rows become columns.
    #[inline(always)]
    fn transpose_groups(self, a: [Self::V; 4]) -> [Self::V; 4] {
        const { assert!(Self::BYTES == 16, "several groups need a body of their own") };
        a
    }

    /// The xor of all groups in the lowest group, zeros in the others.
    #[inline(always)]
    fn xor_groups(self, a: Self::V) -> Self::V {
        const { assert!(Self::BYTES == 16, "several groups need a body of their own") };
        a
    }

    /// `a`, which the compiler can't see through: keeps it from rearranging a
    /// short chain of operations into a long one.
    #[inline(always)]
    fn pin(self, a: Self::V) -> Self::V {
        a
    }
}

/// Which bytes of the low and of the high group come where, 128 for none; see [`Registers::align8`].
const fn align_bytes(n: i32) -> [[u8; 16]; 2] {
    assert!(n > 0 && n < 16, "1 to 15");
    let mut index = [[128; 16]; 2];
    let mut i = 0;
    while i < 16 {
        let from = i + n as usize;
        index[from / 16][i] = (from % 16) as u8;
        i += 1;
    }
    index
}

#[cfg(test)]
mod tests {
    use super::align_bytes;

    #[test]
    fn each_byte_comes_from_one_of_the_groups_and_from_its_place() {
        for n in 1..16 {
            let [low, high] = align_bytes(n);
            for (from, (low, high)) in (n as u8..).zip(low.into_iter().zip(high)) {
                let expected = if from < 16 { (from, 128) } else { (128, from - 16) };
                assert_eq!((low, high), expected, "from byte {n} on");
            }
        }
    }
}
