//! Blocks of four 16-bit words: four registers of blocks to four registers of words, and
//! back. The order of lanes does not matter to anyone, only that it is undone.

use lanes::{Isa, transpose};

/// The words of a group's two blocks side by side, each word's bytes in the order of memory.
const GATHER: [u8; 16] = [0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15];
/// The same with the bytes of each word exchanged.
const GATHER_SWAPPED: [u8; 16] = [1, 0, 9, 8, 3, 2, 11, 10, 5, 4, 13, 12, 7, 6, 15, 14];

/// The order that undoes another.
const fn undo(order: [u8; 16]) -> [u8; 16] {
    let mut back = [0; 16];
    let mut i = 0;
    while i < 16 {
        back[order[i] as usize] = i as u8;
        i += 1;
    }
    back
}

/// From blocks to words; `SWAP` where words are big-endian.
#[inline(always)]
pub(crate) fn enter<I: Isa, const SWAP: bool>(isa: I, blocks: [I::V; 4]) -> [I::V; 4] {
    let order = isa.splat128(const { if SWAP { &GATHER_SWAPPED } else { &GATHER } });
    let mut pairs = blocks;
    for i in 0..4 {
        pairs[i] = isa.shuffle8(blocks[i], order);
    }
    transpose::words(isa, pairs)
}

/// From words to blocks.
#[inline(always)]
pub(crate) fn leave<I: Isa, const SWAP: bool>(isa: I, words: [I::V; 4]) -> [I::V; 4] {
    let order = const { if SWAP { &undo(GATHER_SWAPPED) } else { &undo(GATHER) } };
    let order = isa.splat128(order);
    let mut blocks = transpose::words(isa, words);
    for i in 0..4 {
        blocks[i] = isa.shuffle8(blocks[i], order);
    }
    blocks
}
