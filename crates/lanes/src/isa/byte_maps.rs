//! Maps of bytes.
//!
//! A matrix is written as the GFNI instructions take it: the byte that gives bit i of the result is
//! byte 7 - i of the matrix. A constant is a byte, 0 to 255.

use super::Numbers;
use crate::affine;

/// A byte for every byte: by a table, by the S-box of AES, by affine maps over GF(2).
pub trait ByteMaps: Numbers {
    /// Whether byte maps ([`affine8`](Self::affine8), [`affine_inverse8`](Self::affine_inverse8))
    /// take a few instructions and constant time; where not, kernels are bit-sliced.
    const BYTE_MAPS: bool;

    /// Whether [`affine_inverse8`](Self::affine_inverse8) is one instruction.
    const BYTE_MAPS_NATIVE: bool;

    /// Whether [`lookup8`](Self::lookup8) takes a few instructions.
    const LOOKUP8_NATIVE: bool = false;

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
}

/// The even 64-bit lanes of a group.
const EVEN_LANES: [u8; 16] = (u64::MAX as u128).to_le_bytes();

/// A byte map as two look-ups of 16 entries, one a nibble.
#[inline(always)]
fn nibble_map<I: ByteMaps>(isa: I, a: I::V, [low, high]: &[[u8; 16]; 2]) -> I::V {
    let nibble = isa.splat8(15);
    let low = isa.shuffle8(isa.splat128(low), isa.and(a, nibble));
    let high = isa.shuffle8(isa.splat128(high), isa.shr8::<4>(a));
    isa.xor(low, high)
}
