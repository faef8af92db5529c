//! AES rounds on bit planes, for levels without byte maps: no table, no secret address.
//!
//! R1 and R2 are eight words of 32 bits; their bits of one weight are put into one word, and the
//! S-box is a circuit on those words.

use lanes::Isa;

use crate::aes_circuit;

/// A column of the AES state, its first row in the lowest byte.
type Word = u32;

#[inline(always)]
fn words<I: Isa>(isa: I, a: I::V) -> [Word; 4] {
    let (mut bytes, mut words) = ([0; 64], [0; 4]);
    isa.store(a, &mut bytes);
    for i in 0..4 {
        words[i] = u32::from_le_bytes(bytes.as_chunks().0[i]);
    }
    words
}

#[inline(always)]
fn register<I: Isa>(isa: I, words: [Word; 4]) -> I::V {
    let mut bytes = [0; 16];
    for i in 0..4 {
        bytes[4 * i..4 * i + 4].copy_from_slice(&words[i].to_le_bytes());
    }
    isa.splat128(&bytes)
}

/// The bits of `a` that `mask`, moved left by `by`, tells, and those of `b` that `mask` tells change
/// places.
#[inline(always)]
fn swap(a: &mut Word, b: &mut Word, by: u32, mask: Word) {
    let differs = (*a >> by ^ *b) & mask;
    *b ^= differs;
    *a ^= differs << by;
}

/// Bits of one weight into one word; and back, as it undoes itself.
#[inline(always)]
fn slice(w: &mut [Word; 8]) {
    macro_rules! swaps {
        ($by:literal $mask:literal: $($i:literal $j:literal,)+) => { $({
            let (mut a, mut b) = (w[$i], w[$j]);
            swap(&mut a, &mut b, $by, $mask);
            (w[$i], w[$j]) = (a, b);
        })+ };
    }
    swaps!(1 0x5555_5555: 0 1, 2 3, 4 5, 6 7,);
    swaps!(2 0x3333_3333: 0 2, 1 3, 4 6, 5 7,);
    swaps!(4 0x0f0f_0f0f: 0 4, 1 5, 2 6, 3 7,);
}

/// Every byte times x in the AES field.
#[inline(always)]
fn double(a: Word) -> Word {
    ((a & 0x7f7f_7f7f) << 1) ^ ((a >> 7 & 0x0101_0101) * 0x1b)
}

/// ShiftRows and MixColumns: column `j` of what SubBytes gave, whose columns these are.
#[inline(always)]
fn mixed(s: [Word; 4], j: usize) -> Word {
    let a = s[j] & 0xff
        | s[(j + 1) % 4] & 0xff00
        | s[(j + 2) % 4] & 0x00ff_0000
        | s[(j + 3) % 4] & 0xff00_0000;
    let next = a.rotate_right(8);
    let pair = a ^ next;
    double(pair) ^ next ^ pair.rotate_right(16)
}

/// What the circuit leaves out; it passes ShiftRows and MixColumns unchanged.
const CONSTANT: Word = Word::from_ne_bytes([aes_circuit::CONSTANT; 4]);

/// An AES round without a key on the lowest group of both registers.
#[inline(always)]
pub(super) fn rounds<I: Isa>(isa: I, [a, b]: [I::V; 2]) -> [I::V; 2] {
    let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (words(isa, a), words(isa, b));
    let mut w = [a0, a1, a2, a3, b0, b1, b2, b3];
    slice(&mut w);
    let mut s = aes_circuit::sub_bytes(w);
    slice(&mut s);
    let (first, second) = ([s[0], s[1], s[2], s[3]], [s[4], s[5], s[6], s[7]]);
    let mut out = [[0; 4]; 2];
    for j in 0..4 {
        out[0][j] = mixed(first, j) ^ CONSTANT;
        out[1][j] = mixed(second, j) ^ CONSTANT;
    }
    [register(isa, out[0]), register(isa, out[1])]
}

/// The lowest group as four words of four bytes: rows become columns.
#[inline(always)]
pub(super) fn transposed<I: Isa>(isa: I, a: I::V) -> I::V {
    let [mut a, mut b, mut c, mut d] = words(isa, a);
    swap(&mut a, &mut b, 8, 0x00ff_00ff);
    swap(&mut c, &mut d, 8, 0x00ff_00ff);
    swap(&mut a, &mut c, 16, 0xffff);
    swap(&mut b, &mut d, 16, 0xffff);
    register(isa, [a, b, c, d])
}
