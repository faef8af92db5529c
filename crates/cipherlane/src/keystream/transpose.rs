//! From registers that hold a word of every stream to the streams one after another.
//!
//! Register `i` holds word `i`, stream `l` in lane `l`. Stream `l` is written from
//! `l · stride` on, 64 bytes of it.

use lanes::{Isa, transpose};

/// Eight registers of 64-bit lanes.
#[cfg(feature = "_shift_registers")]
#[inline(always)]
pub(crate) fn words64<I: Isa>(isa: I, words: &[I::V; 8], out: &mut [u8], stride: usize) {
    let mut parts = [[isa.zero(); 4]; 2];
    for i in 0..4 {
        parts[0][i] = isa.unpack_low64(words[2 * i], words[2 * i + 1]);
        parts[1][i] = isa.unpack_high64(words[2 * i], words[2 * i + 1]);
    }
    for i in 0..2 {
        store_groups(isa, parts[i], out, stride, [i, 2]);
    }
}

/// Sixteen registers of 32-bit lanes.
#[inline(always)]
pub(crate) fn words32<I: Isa>(isa: I, words: &[I::V; 16], out: &mut [u8], stride: usize) {
    let mut parts = [[isa.zero(); 4]; 4];
    for i in 0..4 {
        let [a, b, c, d] = [words[4 * i], words[4 * i + 1], words[4 * i + 2], words[4 * i + 3]];
        let columns = transpose::words(isa, [a, b, c, d]);
        for k in 0..4 {
            parts[k][i] = columns[k];
        }
    }
    for i in 0..4 {
        store_groups(isa, parts[i], out, stride, [i, 4]);
    }
}

/// Sixty-four registers of bytes.
#[cfg(feature = "_shift_registers")]
#[inline(always)]
pub(crate) fn bytes<I: Isa>(isa: I, rows: &[[u8; 64]; 64], out: &mut [u8], stride: usize) {
    let mut squares = [[isa.zero(); 4]; 16];
    for quarter in 0..4 {
        let mut square = [isa.zero(); 16];
        for i in 0..16 {
            square[i] = isa.load(&rows[16 * quarter + i]);
        }
        let square = transpose::bytes(isa, square);
        for i in 0..16 {
            squares[i][quarter] = square[i];
        }
    }
    for i in 0..16 {
        store_groups(isa, squares[i], out, stride, [i, 16]);
    }
}

/// Four registers, register `i` with bytes `16 i` to `16 i + 15` of one stream in each group:
/// in group `g` of stream `first + step · g`.
#[inline(always)]
fn store_groups<I: Isa>(
    isa: I,
    parts: [I::V; 4],
    out: &mut [u8],
    stride: usize,
    [first, step]: [usize; 2],
) {
    let groups = const { I::BYTES / 16 };
    let rows = isa.transpose_groups(parts);
    for i in 0..4 {
        let (stream, offset) = (first + step * (i % groups), i / groups * I::BYTES);
        isa.store(rows[i], &mut out[stream * stride + offset..]);
    }
}

/// A square of 64 by 64 bits in every 64-bit lane: bit `j` of row `i` and bit `i` of row `j`
/// change places.
#[cfg(feature = "_shift_registers")]
#[inline(always)]
pub(crate) fn bits<I: Isa>(isa: I, rows: &mut [[u8; 64]; 64]) {
    swap::<I, 32>(isa, rows, 0x0000_0000_ffff_ffff);
    swap::<I, 16>(isa, rows, 0x0000_ffff_0000_ffff);
    swap::<I, 8>(isa, rows, 0x00ff_00ff_00ff_00ff);
    swap::<I, 4>(isa, rows, 0x0f0f_0f0f_0f0f_0f0f);
    swap::<I, 2>(isa, rows, 0x3333_3333_3333_3333);
    swap::<I, 1>(isa, rows, 0x5555_5555_5555_5555);
}

/// One stage: the halves of `SIZE` bits off the diagonal, in squares of `2 · SIZE`.
#[cfg(feature = "_shift_registers")]
#[inline(always)]
fn swap<I: Isa, const SIZE: u32>(isa: I, rows: &mut [[u8; 64]; 64], low: u64) {
    let (size, low) = (SIZE as usize, isa.splat64(low));
    for pair in 0..32 {
        let upper = pair / size * (2 * size) + pair % size;
        let (a, b) = (isa.load(&rows[upper]), isa.load(&rows[upper + size]));
        let differs = isa.and(isa.xor(isa.shr64::<SIZE>(a), b), low);
        isa.store(isa.xor(b, differs), &mut rows[upper + size]);
        isa.store(isa.xor(a, isa.shl64::<SIZE>(differs)), &mut rows[upper]);
    }
}
