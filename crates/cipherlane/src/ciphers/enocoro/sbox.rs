//! The S-box s8 on every byte of a register, without a look-up in memory: two layers of the
//! 4-bit S-box s4 with a linear map of pairs of nibbles between them.
//!
//! With u and v what s4 makes of the high and the low nibble, the second layer takes
//! u + 4v + a and v + 4u + 5 in GF(2⁴) modulo x⁴ + x + 1; at the end the byte is rotated left
//! by one bit. A layer with the linear map behind it is a look-up for each nibble, where
//! bytes can be shuffled; else the bits of s4 are sums of products.

use lanes::Isa;

/// s4.
const S4: [u8; 16] = [1, 3, 9, 10, 5, 14, 7, 2, 13, 0, 12, 15, 4, 8, 6, 11];

/// 4x in GF(2⁴).
const fn times4(x: u8) -> u8 {
    let x = x << 2;
    (x & 15) ^ (x >> 4) ^ (x >> 4 << 1)
}

/// For low and high nibbles: s4, then the linear map, its constant in the first table.
const FIRST: [[u8; 16]; 2] = {
    let mut tables = [[0; 16]; 2];
    let mut x = 0;
    while x < 16 {
        let (s, four) = (S4[x], times4(S4[x]));
        tables[0][x] = (s | four << 4) ^ 0xa5;
        tables[1][x] = s << 4 | four;
        x += 1;
    }
    tables
};

/// For low and high nibbles: s4, then the rotation.
const SECOND: [[u8; 16]; 2] = {
    let mut tables = [[0; 16]; 2];
    let mut x = 0;
    while x < 16 {
        tables[0][x] = S4[x].rotate_left(1);
        tables[1][x] = (S4[x] << 4).rotate_left(1);
        x += 1;
    }
    tables
};

/// s8 on every byte.
#[inline(always)]
pub(super) fn substitute<I: Isa>(isa: I, x: I::V) -> I::V {
    if const { I::BYTE_MAPS } {
        by_nibbles(isa, by_nibbles(isa, x, &FIRST), &SECOND)
    } else {
        by_products(isa, x)
    }
}

#[inline(always)]
fn by_nibbles<I: Isa>(isa: I, x: I::V, [low, high]: &[[u8; 16]; 2]) -> I::V {
    let low = isa.shuffle8(isa.splat128(low), isa.and(x, isa.splat8(15)));
    let high = isa.shuffle8(isa.splat128(high), isa.shr8::<4>(x));
    isa.xor(low, high)
}

#[inline(always)]
fn by_products<I: Isa>(isa: I, x: I::V) -> I::V {
    let [y0, y1, y2, y3] = s4(isa, x);
    let y = join(isa, [y0, y1, y2, y3]);
    // 4y, its nibbles exchanged.
    let four = join(isa, [y2, isa.xor(y2, y3), isa.xor(y0, y3), y1]);
    let low = isa.shr8::<4>(four);
    let high = isa.shl64::<4>(isa.and(four, isa.splat8(15)));
    let y = isa.xor(isa.xor3(y, low, high), isa.splat8(0xa5));
    let y = join(isa, s4(isa, y));
    isa.or(isa.add8(y, y), isa.shr8::<7>(y))
}

/// The bits of s4, each in the lowest bit of its nibble.
#[inline(always)]
fn s4<I: Isa>(isa: I, x: I::V) -> [I::V; 4] {
    let lowest = isa.splat8(0x11);
    let x0 = isa.and(x, lowest);
    let x1 = isa.and(isa.shr8::<1>(x), lowest);
    let x2 = isa.and(isa.shr8::<2>(x), lowest);
    let x3 = isa.and(isa.shr8::<3>(x), lowest);
    let (x01, x02, x03) = (isa.and(x0, x1), isa.and(x0, x2), isa.and(x0, x3));
    let (x12, x13, x23) = (isa.and(x1, x2), isa.and(x1, x3), isa.and(x2, x3));
    let (x012, x013) = (isa.and(x01, x2), isa.and(x01, x3));
    let (x023, x123) = (isa.and(x02, x3), isa.and(x12, x3));
    // In all four.
    let common = isa.xor(isa.xor(x012, x013), x03);
    let y0 = isa.xor3(isa.xor3(common, lowest, x01), isa.xor3(x02, x13, x23), x123);
    let y1 = isa.xor3(common, x0, x12);
    let y2 = isa.xor(isa.xor3(common, x2, x3), x23);
    let y3 = isa.xor3(isa.xor3(common, x1, x02), isa.xor3(x12, x3, x13), isa.xor3(x23, x023, x123));
    [y0, y1, y2, y3]
}

/// Nibbles of the bits in the lowest bit of each.
#[inline(always)]
fn join<I: Isa>(isa: I, [y0, y1, y2, y3]: [I::V; 4]) -> I::V {
    let low = isa.or(y0, isa.shl64::<1>(y1));
    isa.or(low, isa.shl64::<2>(isa.or(y2, isa.shl64::<1>(y3))))
}

/// 2x in GF(2⁸) modulo x⁸ + x⁴ + x³ + x² + 1, on every byte.
#[inline(always)]
pub(super) fn times2<I: Isa>(isa: I, x: I::V) -> I::V {
    if const { I::BYTE_MAPS_NATIVE } {
        isa.affine8::<TIMES_2, 0>(x)
    } else {
        let carry = isa.less8(isa.splat8(0x7f), x);
        isa.xor(isa.add8(x, x), isa.and(carry, isa.splat8(0x1d)))
    }
}

/// The matrix of [`times2`]: the byte that gives bit i of the result is byte 7 − i.
pub(super) const TIMES_2: u64 = 0x8001_8284_8810_2040;

#[cfg(test)]
mod tests {
    use lanes::{Level, Registers as _, dispatch};
    use std::vec::Vec;

    use super::*;

    fn on_all_bytes(level: Level, times_two: bool) -> Vec<u8> {
        let bytes: Vec<u8> = (0..=255).collect();
        let mut out = Vec::new();
        for chunk in bytes.chunks(16) {
            let mut block = [0; 16];
            block.copy_from_slice(chunk);
            let result = &mut block;
            dispatch!(level, isa => {
                let x = isa.load128(result);
                let y = if times_two { times2(isa, x) } else { substitute(isa, x) };
                isa.store128(y, result);
            });
            out.extend(block);
        }
        out
    }

    #[test]
    fn both_maps_are_those_of_the_model() {
        for level in Level::available() {
            assert_eq!(on_all_bytes(level, false), model::enocoro::S8, "{level}");
            let doubled: Vec<u8> = (0..=255).map(model::enocoro::times2).collect();
            assert_eq!(on_all_bytes(level, true), doubled, "{level}");
        }
    }
}
