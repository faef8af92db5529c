//! Squares of lanes in every 16-byte group of registers: rows become columns. Each is its own inverse.

use crate::Isa;

/// Four registers of 32-bit lanes: lane `j` of register `i` becomes lane `i` of register `j`.
#[inline(always)]
pub fn words<I: Isa>(isa: I, [a, b, c, d]: [I::V; 4]) -> [I::V; 4] {
    let (ab_low, ab_high) = (isa.unpack_low32(a, b), isa.unpack_high32(a, b));
    let (cd_low, cd_high) = (isa.unpack_low32(c, d), isa.unpack_high32(c, d));
    [
        isa.unpack_low64(ab_low, cd_low),
        isa.unpack_high64(ab_low, cd_low),
        isa.unpack_low64(ab_high, cd_high),
        isa.unpack_high64(ab_high, cd_high),
    ]
}

/// Sixteen registers of bytes: byte `j` of register `i` becomes byte `i` of register `j`. Each of four
/// steps turns the eight bits of both numbers by one place.
#[inline(always)]
pub fn bytes<I: Isa>(isa: I, mut square: [I::V; 16]) -> [I::V; 16] {
    for _ in 0..4 {
        let from = square;
        for k in 0..8 {
            square[2 * k] = isa.unpack_low8(from[k], from[k + 8]);
            square[2 * k + 1] = isa.unpack_high8(from[k], from[k + 8]);
        }
    }
    square
}
