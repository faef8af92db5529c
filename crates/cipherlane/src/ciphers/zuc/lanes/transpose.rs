//! Between streams in lanes, a register a word, and streams one after another.

use lanes::Isa;

use super::BLOCK;

/// Four registers of 32-bit lanes: in each 128-bit group, a square of lanes whose rows
/// become columns.
#[inline(always)]
fn transpose_lanes<I: Isa>(isa: I, [a, b, c, d]: [I::V; 4]) -> [I::V; 4] {
    let (ab, cd) = (isa.unpack_low32(a, b), isa.unpack_low32(c, d));
    let (ab_high, cd_high) = (isa.unpack_high32(a, b), isa.unpack_high32(c, d));
    [
        isa.unpack_low64(ab, cd),
        isa.unpack_high64(ab, cd),
        isa.unpack_low64(ab_high, cd_high),
        isa.unpack_high64(ab_high, cd_high),
    ]
}

/// Sixteen words of each stream, from one row a stream.
#[inline(always)]
pub(super) fn from_rows<I: Isa>(isa: I, rows: &[[u8; 64]]) -> [I::V; 16] {
    let mut words = [isa.zero(); 16];
    let groups = I::BYTES / 16;
    for j in 0..4 {
        let mut quad = [isa.zero(); 4];
        for k in 0..4 {
            let mut blocks = [&[0; 16]; 4];
            for g in 0..groups {
                blocks[g] = &rows[4 * g + k].as_chunks().0[j];
            }
            quad[k] = isa.load_blocks(blocks);
        }
        let quad = transpose_lanes(isa, quad);
        for k in 0..4 {
            words[4 * j + k] = quad[k];
        }
    }
    words
}

/// Writes sixteen words of each stream, the bytes of every 16 in a given order: 64 bytes
/// a stream, one stream after another.
#[inline(always)]
pub(super) fn to_rows<I: Isa>(isa: I, words: &[I::V; 16], order: I::V, out: &mut [u8]) {
    let groups = I::BYTES / 16;
    let mut quads = [[isa.zero(); 4]; 4];
    for j in 0..4 {
        let mut quad = [isa.zero(); 4];
        for k in 0..4 {
            quad[k] = words[4 * j + k];
        }
        quads[j] = transpose_lanes(isa, quad);
    }
    for k in 0..4 {
        let rows = [quads[0][k], quads[1][k], quads[2][k], quads[3][k]];
        let rows = isa.transpose_groups(rows);
        for i in 0..4 {
            let stream = 4 * (i % groups) + k;
            let bytes = isa.shuffle8(rows[i], order);
            isa.store(bytes, &mut out[stream * BLOCK + i / groups * I::BYTES..]);
        }
    }
}
