//! The lane operations: what a kernel may ask of an instruction set.
//!
//! One register type per level. An operation is named by the lane it works on
//! (`add8`, `rol32`, `unpack_low64`); nothing is tied to a lane type, because
//! ciphers look at one register in several ways. Operations that move bytes work
//! inside each 128-bit group, as they do on every CPU of interest.
//!
//! Every method is safe: a token proves the features, and a register can only
//! come from a token. Calling one outside a door is sound, only slow.

use crate::clmul::clmul;
use crate::{aes, affine, numbers, sm4};

mod sealed {
    pub trait Sealed {}
}
pub(crate) use sealed::Sealed;

/// An instruction set: a token with operations on its one register type.
///
/// Default bodies are built from the other operations; a level overrides what it
/// does better. `tests/agree/` compares every operation at every level with
/// `portable`.
pub trait Isa: Sealed + Copy + Send + Sync + 'static {
    /// One register.
    type V: Copy + Send + Sync + 'static;

    /// The length of a register in bytes: a multiple of 16, at most 64.
    const BYTES: usize;

    /// How many registers there are.
    const REGISTERS: usize;

    /// Whether byte maps ([`affine8`](Self::affine8), [`affine_inverse8`](Self::affine_inverse8))
    /// take a few instructions and constant time; where not, kernels are bit-sliced.
    const BYTE_MAPS: bool;

    /// Whether [`affine_inverse8`](Self::affine_inverse8) is one instruction.
    const BYTE_MAPS_NATIVE: bool;

    /// Whether streams side by side, a lane each, are faster than one after another: where registers
    /// are vectors that have byte maps, too.
    const LANES_NATIVE: bool = Self::BYTE_MAPS;

    /// Whether [`xor3`](Self::xor3) is one instruction.
    const XOR3_NATIVE: bool;

    /// Whether [`shld32`](Self::shld32) and [`rol32`](Self::rol32) are one instruction
    /// for every count.
    const FUNNEL_NATIVE: bool = false;

    /// Whether [`lookup8`](Self::lookup8) takes a few instructions.
    const LOOKUP8_NATIVE: bool = false;

    /// On how many bytes of a register one instruction does an AES round:
    /// [`BYTES`](Self::BYTES), or 16 where wider registers are taken apart, or 0
    /// where there is no such instruction.
    const AES_BYTES: usize = 0;

    /// On how many bytes of a register one instruction does four rounds of SM4, and of
    /// its key schedule: [`BYTES`](Self::BYTES), or 16 where wider registers are taken
    /// apart, or 0 where there is no such instruction.
    const SM4_BYTES: usize = 0;

    /// Whether operations on 16-bit lanes, [`mulhi16`](Self::mulhi16) among them, are one
    /// instruction or two each.
    const NUMBERS16_NATIVE: bool = false;

    /// Whether [`rol32_by`](Self::rol32_by) and [`rol64_by`](Self::rol64_by) take a few
    /// instructions.
    const ROTATE_BY_NATIVE: bool = false;

    /// Whether [`pick32`](Self::pick32) reads the rows of all lanes by one instruction.
    const PICK_NATIVE: bool = false;

    /// Whether [`lookup16`](Self::lookup16) takes a few instructions.
    const LOOKUP16_NATIVE: bool = false;

    /// Whether [`load_at`](Self::load_at) is an instruction; where not, it goes through memory.
    const LOAD_AT_NATIVE: bool = false;

    /// Whether [`shuffle8`](Self::shuffle8) takes an instruction or two.
    const SHUFFLE8_NATIVE: bool = true;

    /// Whether carry-less multiplication is an instruction.
    const CLMUL_NATIVE: bool = true;

    /// Whether carry-less multiplication is one instruction for a whole register;
    /// where it is not, kernels made of it run on [`narrow`](Self::narrow) registers.
    const CLMUL_WIDE: bool = Self::BYTES == 16;

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

    /// The high 16 bits of each 32-bit lane of `high` above the low 16 bits of `low`.
    #[inline(always)]
    fn join16(self, high: Self::V, low: Self::V) -> Self::V {
        self.select(self.splat32(0xffff_0000), high, low)
    }

    // Lanes as numbers.

    /// Adds bytes, modulo 2^8.
    fn add8(self, a: Self::V, b: Self::V) -> Self::V;

    /// 255 in every byte where `a < b` as unsigned numbers, else 0.
    fn less8(self, a: Self::V, b: Self::V) -> Self::V;

    /// Shifts bytes right by `N`, 0 to 7.
    #[inline(always)]
    fn shr8<const N: u32>(self, a: Self::V) -> Self::V {
        self.and(self.shr64::<N>(a), self.splat8(const { 0xff >> N }))
    }

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
    #[inline(always)]
    fn rol64<const N: u32>(self, a: Self::V) -> Self::V {
        const { assert!(N == 16 || N == 32 || N == 48, "by whole 16-bit lanes") };
        match N {
            16 => self.or(self.shl64::<16>(a), self.shr64::<48>(a)),
            32 => self.or(self.shl64::<32>(a), self.shr64::<32>(a)),
            _ => self.or(self.shl64::<48>(a), self.shr64::<16>(a)),
        }
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

    /// Entry `a` of the table for every byte, without a look-up in memory that depends
    /// on it.
    ///
    /// By default a half of the table is eight rows of 16, and every row is held as what it differs
    /// from the row behind it. The index grows by a row from step to step, and past the end its top bit
    /// makes a shuffle give 0: so the sum is of the last row back to the one that is wanted.
    #[inline(always)]
    fn lookup8(self, table: &[u8; 256], a: Self::V) -> Self::V {
        let mut found = self.zero();
        let rows = table.as_chunks::<16>().0;
        for half in 0..2 {
            let mut index = if half == 0 { a } else { self.xor(a, self.splat8(0x80)) };
            // Of the other half nothing but the column, which leaves room to grow.
            let own = self.shuffle8(self.splat8(0x70), index);
            index = self.and(index, self.or(own, self.splat8(0x8f)));
            for back in 0..8 {
                let mut row = self.splat128(&rows[8 * half + 7 - back]);
                if back > 0 {
                    row = self.xor(row, self.splat128(&rows[8 * half + 8 - back]));
                    index = self.add8(index, self.splat8(16));
                }
                found = self.xor(found, self.shuffle8(row, index));
            }
        }
        found
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

    // Polynomials over GF(2), the lowest coefficient in the lowest bit.

    /// The product of the low 64-bit lanes of each group.
    #[inline(always)]
    fn clmul_low(self, a: Self::V, b: Self::V) -> Self::V {
        clmul_words(self, a, b, 0)
    }

    /// The product of the high 64-bit lanes of each group.
    #[inline(always)]
    fn clmul_high(self, a: Self::V, b: Self::V) -> Self::V {
        clmul_words(self, a, b, 8)
    }

    // Maps of bytes. A matrix is written as the GFNI instructions take it: the
    // byte that gives bit i of the result is byte 7 - i of the matrix. A constant
    // is a byte, 0 to 255.

    /// The AES S-box on every byte (FIPS 197 §5.1.1).
    fn aes_sub_bytes(self, a: Self::V) -> Self::V;

    /// `MATRIX · x + CONSTANT` on every byte.
    #[inline(always)]
    fn affine8<const MATRIX: u64, const CONSTANT: i32>(self, a: Self::V) -> Self::V {
        nibble_map(self, a, const { &affine::nibbles(MATRIX, CONSTANT as u8) })
    }

    /// `EVEN · x` on the bytes of even 64-bit lanes, `ODD · x` on those of odd ones.
    #[inline(always)]
    fn affine8_pair<const EVEN: u64, const ODD: u64>(self, a: Self::V) -> Self::V {
        let even = self.splat128(&EVEN_LANES);
        self.select(even, self.affine8::<EVEN, 0>(a), self.affine8::<ODD, 0>(a))
    }

    /// `MATRIX · x⁻¹ + CONSTANT` on every byte, the inverse in the AES field, 0⁻¹ = 0.
    ///
    /// By default through [`aes_sub_bytes`](Self::aes_sub_bytes), whose own affine
    /// map is undone in the same tables.
    #[inline(always)]
    fn affine_inverse8<const MATRIX: u64, const CONSTANT: i32>(self, a: Self::V) -> Self::V {
        let tables = const {
            let matrix = affine::compose(MATRIX, affine::AES_LINEAR_INVERSE);
            &affine::nibbles(matrix, CONSTANT as u8 ^ affine::apply(matrix, affine::AES_CONSTANT))
        };
        nibble_map(self, self.aes_sub_bytes(a), tables)
    }

    // Rounds of AES on every 128-bit group, byte `i` the state's row `i mod 4` and
    // column `i / 4` (FIPS 197 §3.4).

    /// `MixColumns(ShiftRows(SubBytes(a))) ⊕ key`.
    #[inline(always)]
    fn aes_encrypt_round(self, a: Self::V, key: Self::V) -> Self::V {
        let a = self.shuffle8(a, self.splat128(&aes::SHIFT_ROWS));
        self.xor(aes::mix_columns(self, self.aes_sub_bytes(a)), key)
    }

    /// `ShiftRows(SubBytes(a)) ⊕ key`.
    #[inline(always)]
    fn aes_encrypt_last(self, a: Self::V, key: Self::V) -> Self::V {
        let a = self.shuffle8(a, self.splat128(&aes::SHIFT_ROWS));
        self.xor(self.aes_sub_bytes(a), key)
    }

    /// `InvMixColumns(InvSubBytes(InvShiftRows(a))) ⊕ key`: a round of the
    /// equivalent inverse cipher (FIPS 197 §5.3.5).
    #[inline(always)]
    fn aes_decrypt_round(self, a: Self::V, key: Self::V) -> Self::V {
        let a = self.aes_decrypt_last(a, self.zero());
        self.xor(aes::inverse_mix_columns(self, a), key)
    }

    /// `InvSubBytes(InvShiftRows(a)) ⊕ key`.
    #[inline(always)]
    fn aes_decrypt_last(self, a: Self::V, key: Self::V) -> Self::V {
        let a = self.shuffle8(a, self.splat128(&aes::INVERSE_SHIFT_ROWS));
        self.xor(aes::inverse_sub_bytes(self, a), key)
    }

    /// `InvMixColumns(a)`.
    #[inline(always)]
    fn aes_inverse_mix_columns(self, a: Self::V) -> Self::V {
        if const { Self::AES_BYTES == 0 } {
            return aes::inverse_mix_columns(self, a);
        }
        self.aes_decrypt_round(self.aes_encrypt_last(a, self.zero()), self.zero())
    }

    // SM4 on every 128-bit group: four words X₀ to X₃ in the 32-bit lanes, X₀ in the
    // lowest, as numbers and not in the byte order of blocks.

    /// Four rounds (GB/T 32907-2016 §7.1): X₄ to X₇, the keys in the order of use.
    #[inline(always)]
    fn sm4_rounds(self, a: Self::V, keys: Self::V) -> Self::V {
        sm4::rounds(self, a, keys)
    }

    /// Four rounds of the key schedule (§7.3): K₄ to K₇ of K₀ to K₃ and four of the CK.
    #[inline(always)]
    fn sm4_next_keys(self, a: Self::V, constants: Self::V) -> Self::V {
        sm4::next_keys(self, a, constants)
    }

    /// `a`, which the compiler can't see through: keeps it from rearranging a
    /// short chain of operations into a long one.
    #[inline(always)]
    fn pin(self, a: Self::V) -> Self::V {
        a
    }
}

/// The even 64-bit lanes of a group.
const EVEN_LANES: [u8; 16] = (u64::MAX as u128).to_le_bytes();

/// Which bytes of the low and of the high group come where, 128 for none; see [`Isa::align8`].
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

/// The product of the 64-bit lanes at byte `offset` of each group, by words.
#[inline(always)]
fn clmul_words<I: Isa>(isa: I, a: I::V, b: I::V, offset: usize) -> I::V {
    let (mut a_bytes, mut b_bytes) = ([0; 64], [0; 64]);
    isa.store(a, &mut a_bytes);
    isa.store(b, &mut b_bytes);
    for group in (0..I::BYTES).step_by(16) {
        let word = |bytes: &[u8; 64]| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[group + offset..group + offset + 8]);
            u64::from_le_bytes(word)
        };
        let product = clmul(word(&a_bytes), word(&b_bytes));
        a_bytes[group..group + 16].copy_from_slice(&product.to_le_bytes());
    }
    isa.load(&a_bytes)
}

/// A byte map as two look-ups of 16 entries, one a nibble.
#[inline(always)]
fn nibble_map<I: Isa>(isa: I, a: I::V, [low, high]: &[[u8; 16]; 2]) -> I::V {
    let nibble = isa.splat8(15);
    let low = isa.shuffle8(isa.splat128(low), isa.and(a, nibble));
    let high = isa.shuffle8(isa.splat128(high), isa.shr8::<4>(a));
    isa.xor(low, high)
}
