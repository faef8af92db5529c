//! CBC decryption, CFB and OFB with the chaining values in registers.
//!
//! Decryption adds the ciphertext one block late. Those blocks are loaded from the data
//! themselves, 16 bytes before, as long as they are there: all of a tile is loaded before
//! any of it is stored, and the block in front of a tile is kept. So nothing is copied,
//! in place or not.

use lanes::{InOut, Isa};

use super::BLOCK;
use super::register_blocks::{MOST, rounds};
use super::round_keys::Keys;

/// One register of blocks, each one block late: `before`, then all of the input but the last.
#[inline(always)]
fn late<I: Isa>(isa: I, before: &[u8; BLOCK], input: &[u8]) -> I::V {
    let blocks = input.as_chunks::<BLOCK>().0;
    match const { I::BYTES / BLOCK } {
        1 => isa.load_blocks([before, before, before, before]),
        2 => isa.load_blocks([before, &blocks[0], before, before]),
        _ => isa.load_blocks([before, &blocks[0], &blocks[1], &blocks[2]]),
    }
}

/// Decrypts `U` registers, which `value` comes before; it becomes their last block.
#[inline(always)]
fn tile<I: Isa, const U: usize, const CBC: bool>(
    isa: I,
    keys: Keys<'_>,
    io: &mut InOut<'_>,
    offset: usize,
    value: &mut [u8; BLOCK],
) {
    let mut io = io.part(offset, const { U * I::BYTES });
    let (first, last) = (isa.splat128(keys.first), isa.splat128(keys.last));
    let (mut state, mut add) = ([first; U], [last; U]);
    for u in 0..U {
        let data = io.load(isa, u * I::BYTES);
        let late = if u == 0 {
            late(isa, value, io.input())
        } else {
            isa.load(&io.input()[u * I::BYTES - BLOCK..])
        };
        state[u] = isa.xor(first, if CBC { data } else { late });
        add[u] = isa.xor(last, if CBC { late } else { data });
    }
    *value = *io.input().last_chunk().expect("a whole register");
    rounds::<I, U, CBC>(isa, keys, &mut state, &add);
    for u in 0..U {
        io.store(isa, u * I::BYTES, state[u]);
    }
}

/// Decrypts whole blocks, of CBC or else of CFB; the keys are those of the direction in which
/// the mode runs the cipher.
#[inline(always)]
pub(super) fn decrypt<I: Isa, const CBC: bool>(
    isa: I,
    keys: Keys<'_>,
    io: &mut InOut<'_>,
    value: &mut [u8; BLOCK],
) {
    let mut offset = 0;
    while io.len() - offset >= const { MOST * I::BYTES } {
        tile::<I, MOST, CBC>(isa, keys, io, offset, value);
        offset += const { MOST * I::BYTES };
    }
    let registers = (io.len() - offset) / I::BYTES;
    match registers {
        0 => {}
        1 => tile::<I, 1, CBC>(isa, keys, io, offset, value),
        2 => tile::<I, 2, CBC>(isa, keys, io, offset, value),
        3 => tile::<I, 3, CBC>(isa, keys, io, offset, value),
        4 => tile::<I, 4, CBC>(isa, keys, io, offset, value),
        5 => tile::<I, 5, CBC>(isa, keys, io, offset, value),
        6 => tile::<I, 6, CBC>(isa, keys, io, offset, value),
        _ => tile::<I, 7, CBC>(isa, keys, io, offset, value),
    }
    offset += registers * I::BYTES;
    let narrow = isa.narrow();
    match (io.len() - offset) / BLOCK {
        0 => {}
        1 => tile::<I::Narrow, 1, CBC>(narrow, keys, io, offset, value),
        2 => tile::<I::Narrow, 2, CBC>(narrow, keys, io, offset, value),
        _ => tile::<I::Narrow, 3, CBC>(narrow, keys, io, offset, value),
    }
}

/// Encrypts whole blocks of CFB, or of OFB, whose chain does not take up the data.
///
/// The first key of the next block is contained in the last key of this one, so that from
/// block to block there are the rounds and nothing else; it is taken out beside the chain.
#[inline(always)]
pub(super) fn serial<I: Isa, const OFB: bool>(
    isa: I,
    keys: Keys<'_>,
    io: &mut InOut<'_>,
    value: &mut [u8; BLOCK],
) {
    let first = isa.splat128(keys.first);
    let both = isa.xor(first, isa.splat128(keys.last));
    let mut state = [isa.xor(isa.load128(value), first)];
    for offset in (0..io.len()).step_by(BLOCK) {
        let data = io.load(isa, offset);
        let add = if OFB { both } else { isa.xor(both, data) };
        rounds::<I, 1, false>(isa, keys, &mut state, &[add]);
        let output = isa.xor(state[0], first);
        io.store(isa, offset, if OFB { isa.xor(output, data) } else { output });
    }
    isa.store128(isa.xor(state[0], first), value);
}
