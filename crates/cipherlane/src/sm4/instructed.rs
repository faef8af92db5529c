//! SM4 by the instructions that do four rounds at once.
//!
//! A register holds whole blocks, one in each 128-bit group, their words as numbers:
//! a block comes and goes through one byte shuffle. The instruction takes several
//! cycles but starts anew much sooner, so up to [`MOST`] registers go through the
//! rounds together; eight round keys' registers stay beside them.

use lanes::{InOut, Isa};

use super::byte_sliced::part;
use super::key::{CK, ENCRYPT, FK, ROUNDS, Words};
use super::task::Task;
use crate::block::Chain;

/// Registers of the largest tile.
const MOST: usize = 8;
/// Rounds that one instruction does.
const QUAD: usize = 4;
/// Instructions for all rounds.
const QUADS: usize = ROUNDS / QUAD;

/// Round keys in registers, in the order of use.
type Keys<V> = [V; QUADS];

/// Between the bytes of words and numbers; its own inverse.
const SWAP: [u8; 16] = [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12];
/// The words of a group in reverse.
const REVERSE: [u8; 16] = [12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3];

/// Four words as a group takes them.
#[inline(always)]
fn group(words: &[u32], quad: usize) -> [u8; 16] {
    let mut bytes = [[0; 4]; QUAD];
    for i in 0..QUAD {
        bytes[i] = words[QUAD * quad + i].to_le_bytes();
    }
    let mut group = [0; 16];
    group.copy_from_slice(bytes.as_flattened());
    group
}

/// The key schedule (GB/T 32907-2016 §7.3).
#[inline(always)]
pub(super) fn expand<I: Isa>(isa: I, key: &[u8], round_keys: &mut Words) {
    let k = isa.shuffle8(isa.load_part(key), isa.splat128(&SWAP));
    let mut k = isa.xor(k, isa.splat128(&group(&FK, 0)));
    let mut bytes = [0; 16];
    for quad in 0..QUADS {
        k = isa.sm4_next_keys(k, isa.splat128(&group(&CK, quad)));
        isa.store128(isa.shuffle8(k, isa.splat128(&SWAP)), &mut bytes);
        for i in 0..QUAD {
            round_keys[QUAD * quad + i] = bytes.as_chunks().0[i];
        }
    }
    lanes::wipe::wipe(&mut bytes);
}

/// The round keys for a direction.
#[inline(always)]
fn keys<I: Isa>(isa: I, words: &Words, flip: usize) -> Keys<I::V> {
    let (groups, _) = words.as_flattened().as_chunks::<16>();
    let mut keys = [isa.zero(); QUADS];
    for quad in 0..QUADS {
        keys[quad] = if flip == ENCRYPT {
            isa.shuffle8(isa.splat128(&groups[quad]), isa.splat128(&SWAP))
        } else {
            isa.reverse8(isa.splat128(&groups[QUADS - 1 - quad]))
        };
    }
    keys
}

/// All rounds on `U` registers of numbers.
#[inline(always)]
fn rounds<I: Isa, const U: usize>(isa: I, keys: &Keys<I::V>, state: &mut [I::V; U]) {
    for quad in 0..QUADS {
        for u in 0..U {
            state[u] = isa.sm4_rounds(state[u], keys[quad]);
        }
    }
}

/// At most `U` registers, all of them where `WHOLE`.
#[inline(always)]
fn tile<I: Isa, const U: usize, const WHOLE: bool>(
    isa: I,
    keys: &Keys<I::V>,
    task: Task<'_>,
    mut io: InOut<'_>,
) {
    let swap = isa.splat128(&SWAP);
    let mut state = [isa.zero(); U];
    if let Some(counter) = task.counts() {
        state = counters::<I, U>(isa, counter);
    } else {
        for u in 0..U {
            let offset = u * I::BYTES;
            if !WHOLE && offset >= io.len() {
                break;
            }
            let mut block = if WHOLE { io.load(isa, offset) } else { io.load_part(isa, offset) };
            if let Some(pre) = task.pre {
                block = isa.xor(block, part::<I, WHOLE>(isa, pre, offset));
            }
            state[u] = isa.shuffle8(block, swap);
        }
    }
    rounds(isa, keys, &mut state);
    for u in 0..U {
        let offset = u * I::BYTES;
        if !WHOLE && offset >= io.len() {
            break;
        }
        // The reverse transformation R (§6.1) and back to bytes.
        let mut block = isa.reverse8(state[u]);
        if task.counts().is_some() {
            let data = if WHOLE { io.load(isa, offset) } else { io.load_part(isa, offset) };
            block = isa.xor(block, data);
        } else if let Some(post) = task.post {
            block = isa.xor(block, part::<I, WHOLE>(isa, post, offset));
        }
        if WHOLE { io.store(isa, offset, block) } else { io.store_part(isa, offset, block) }
    }
}

/// Any number of blocks.
#[inline(always)]
pub(super) fn blocks<I: Isa>(isa: I, words: &Words, task: Task<'_>, mut io: InOut<'_>) {
    let keys = keys(isa, words, task.flip);
    let most = const { MOST * I::BYTES };
    let mut offset = 0;
    while io.len() - offset >= most {
        tile::<I, MOST, true>(isa, &keys, task.part(offset, most), io.part(offset, most));
        offset += most;
    }
    let task = task.part(offset, io.len() - offset);
    let (_, io) = io.split_at(offset);
    match io.len().div_ceil(I::BYTES) {
        0 => {}
        1 => tile::<I, 1, false>(isa, &keys, task, io),
        2 => tile::<I, 2, false>(isa, &keys, task, io),
        3..=4 => tile::<I, 4, false>(isa, &keys, task, io),
        _ => tile::<I, MOST, false>(isa, &keys, task, io),
    }
}

/// Consecutive counters as numbers, the most significant word in the lowest lane. The
/// upper words are the same in every block unless the lowest overflows inside the tile.
#[inline(always)]
fn counters<I: Isa, const U: usize>(isa: I, first: u128) -> [I::V; U] {
    let mut state = [isa.zero(); U];
    let groups = const { I::BYTES / 16 };
    let mut bytes = [0; 64];
    if (first as u32).checked_add((U * groups - 1) as u32).is_none() {
        let swap = isa.splat128(&SWAP);
        for u in 0..U {
            let (blocks, _) = bytes.as_chunks_mut::<16>();
            for g in 0..groups {
                blocks[g] = first.wrapping_add((u * groups + g) as u128).to_be_bytes();
            }
            state[u] = isa.shuffle8(isa.load(&bytes), swap);
        }
        return state;
    }
    for g in 0..groups {
        bytes[16 * g + 12] = g as u8;
    }
    let start = isa.shuffle8(isa.splat128(&first.to_be_bytes()), isa.splat128(&SWAP));
    let start = isa.add32(start, isa.load(&bytes));
    for u in 0..U {
        let ahead = ((u * groups) as u128) << 96;
        state[u] = isa.add32(start, isa.splat128(&ahead.to_le_bytes()));
    }
    state
}

/// Runs one chain from `offset` to its end, the value staying in a register: what the
/// rounds leave is the next input's words in reverse.
#[inline(always)]
pub(super) fn chain<I: Isa>(isa: I, words: &Words, chain: &mut Chain<'_>, offset: usize) {
    let keys = keys(isa, words, ENCRYPT);
    let (swap, reverse) = (isa.splat128(&SWAP), isa.splat128(&REVERSE));
    let mut value = isa.shuffle8(isa.load_part(chain.value), swap);
    let mut block = [0; 16];
    for offset in (offset..chain.data.len()).step_by(16) {
        let data = isa.shuffle8(isa.load128(chain.data.block::<16>(offset)), swap);
        let mut state = [isa.xor(value, data)];
        rounds(isa, &keys, &mut state);
        value = isa.shuffle8(state[0], reverse);
        isa.store128(isa.reverse8(state[0]), &mut block);
        chain.data.put(offset, &block);
    }
    isa.store_part(isa.shuffle8(value, swap), chain.value);
}
