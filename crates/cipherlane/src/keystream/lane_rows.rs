//! Between streams in 32-bit lanes, a register a word, and streams one after another.

use lanes::{Isa, transpose};

/// The most streams side by side: the 32-bit lanes of the widest register.
pub(crate) const STREAMS: usize = 16;

/// Sixteen words of a stream, little-endian.
pub(crate) type Row = [u8; 64];

/// Sixteen words of each stream, from one row a stream.
#[inline(always)]
pub(crate) fn from_rows<I: Isa>(isa: I, rows: &[Row]) -> [I::V; 16] {
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
        let quad = transpose::words(isa, quad);
        for k in 0..4 {
            words[4 * j + k] = quad[k];
        }
    }
    words
}

/// Sixteen words of each stream as registers of consecutive bytes: register `m` holds the
/// [`BYTES`](lanes::Registers::BYTES) of all streams' 64 that [`place`] tells.
#[inline(always)]
pub(crate) fn to_rows<I: Isa>(isa: I, words: &[I::V; 16]) -> [I::V; 16] {
    let mut quads = [[isa.zero(); 4]; 4];
    for j in 0..4 {
        let mut quad = [isa.zero(); 4];
        for k in 0..4 {
            quad[k] = words[4 * j + k];
        }
        quads[j] = transpose::words(isa, quad);
    }
    let mut out = [isa.zero(); 16];
    for k in 0..4 {
        let rows = [quads[0][k], quads[1][k], quads[2][k], quads[3][k]];
        let rows = isa.transpose_groups(rows);
        for i in 0..4 {
            out[4 * k + i] = rows[i];
        }
    }
    out
}

/// Where register `m` of [`to_rows`] belongs, in bytes, if each stream has 64 of them.
#[inline(always)]
pub(crate) const fn place<I: Isa>(m: usize) -> usize {
    let groups = I::BYTES / 16;
    let (k, i) = (m / 4, m % 4);
    (4 * (i % groups) + k) * 64 + i / groups * I::BYTES
}

/// Writes sixteen words of each stream, the bytes of every 16 in that order, if one is given: 64
/// bytes a stream, one stream after another.
#[inline(always)]
pub(crate) fn store_rows<I: Isa>(isa: I, words: &[I::V; 16], order: Option<I::V>, out: &mut [u8]) {
    let rows = to_rows(isa, words);
    for m in 0..16 {
        let bytes = match order {
            Some(order) => isa.shuffle8(rows[m], order),
            None => rows[m],
        };
        isa.store(bytes, &mut out[place::<I>(m)..]);
    }
}
