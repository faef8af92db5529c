//! SM4 by the instructions that do four rounds at once.
//!
//! A register holds whole blocks, one in each 128-bit group, their words as numbers:
//! a block comes and goes through one byte shuffle. The instruction takes several
//! cycles but starts anew much sooner, so up to [`MOST`] registers go through the
//! rounds together; eight round keys' registers stay beside them. Whole tiles alone have
//! kernels: what is left behind them is ciphered in a place as long as a tile.

use lanes::{InOut, Isa};

use super::BLOCK;
use super::round_keys::{CK, ENCRYPT, FK, ROUNDS, Words};
use super::task::Task;
use crate::traits::block::{Chain, KeyedChain};

/// Registers of the large tile.
const MOST: usize = 8;
/// Registers of the small one.
const FEW: usize = 2;
/// Bytes of the large tile where registers are longest.
const PLACE: usize = 32 * MOST;
/// Rounds that one instruction does.
const QUAD: usize = 4;
/// Instructions for all rounds.
const QUADS: usize = ROUNDS / QUAD;

/// Round keys in registers, in the order of use.
type Keys<V> = [V; QUADS];

/// Between the bytes of words and numbers; its own inverse.
const SWAP: [u8; 16] = [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12];
/// The bytes of a group in reverse: from numbers to blocks, with the transformation R (§6.1).
const BACK: [u8; 16] = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];
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
    // Words in reverse, too, where the rounds are.
    let order = isa.splat128(if flip == ENCRYPT { &SWAP } else { &BACK });
    let mut keys = [isa.zero(); QUADS];
    for quad in 0..QUADS {
        keys[quad] = isa.shuffle8(isa.splat128(&groups[(quad ^ (flip / QUAD)) % QUADS]), order);
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

/// What stands for bytes that nobody gave.
static ZEROS: [u8; PLACE] = [0; PLACE];

/// `U` registers.
#[inline(always)]
fn tile<I: Isa, const U: usize>(
    isa: I,
    keys: &Keys<I::V>,
    task: Task<'_>,
    counter: Option<u128>,
    mut io: InOut<'_>,
) {
    let len = const { U * I::BYTES };
    let mut io = io.part(0, len);
    let [pre, post] = [task.pre, task.post].map(|bytes| &bytes.unwrap_or(&ZEROS)[..len]);
    let (swap, back) = (isa.splat128(&SWAP), isa.splat128(&BACK));
    let mut state = [isa.zero(); U];
    if let Some(first) = counter {
        state = counters::<I, U>(isa, first);
    } else {
        for u in 0..U {
            let pre = isa.load(&pre[u * I::BYTES..]);
            state[u] = isa.shuffle8(isa.xor(io.load(isa, u * I::BYTES), pre), swap);
        }
    }
    rounds(isa, keys, &mut state);
    for u in 0..U {
        let beside = if counter.is_some() { io.input() } else { post };
        let beside = isa.load(&beside[u * I::BYTES..]);
        io.store(isa, u * I::BYTES, isa.xor(isa.shuffle8(state[u], back), beside));
    }
}

/// Any number of blocks, or of bytes with counters. In a tile the upper words of counters are
/// the same: it ends where the lowest one overflows.
#[inline(always)]
pub(super) fn blocks<I: Isa>(isa: I, words: &Words, task: Task<'_>, mut io: InOut<'_>) {
    let keys = keys(isa, words, task.flip);
    let counter = task.counts();
    let mut data = [0; PLACE];
    let mut offset = 0;
    while offset < io.len() {
        let mut len = (io.len() - offset).min(const { MOST * I::BYTES });
        let counter = counter.map(|first| first.wrapping_add((offset / BLOCK) as u128));
        if let Some(first) = counter {
            len = len.min(BLOCK + BLOCK * (u32::MAX - first as u32) as usize);
        }
        let mut task = task.part(offset, len);
        let mut io = io.part(offset, len);
        offset += len;
        let few = len <= const { FEW * I::BYTES };
        let whole = if few { const { FEW * I::BYTES } } else { const { MOST * I::BYTES } };
        let (mut pre, mut post);
        let mut tiled = io.reborrow();
        if len < whole {
            (pre, post) = ([0; PLACE], [0; PLACE]);
            task.pre = task.pre.map(|bytes| in_place(bytes, &mut pre));
            task.post = task.post.map(|bytes| in_place(bytes, &mut post));
            in_place(tiled.input(), &mut data);
            tiled = data.as_mut_slice().into();
        }
        if few {
            tile::<I, FEW>(isa, &keys, task, counter, tiled);
        } else {
            tile::<I, MOST>(isa, &keys, task, counter, tiled);
        }
        if len < whole {
            io.output().copy_from_slice(&data[..len]);
        }
    }
}
/// The bytes in a place that is longer.
#[inline(always)]
fn in_place<'p>(bytes: &[u8], place: &'p mut [u8; PLACE]) -> &'p [u8] {
    place[..bytes.len()].copy_from_slice(bytes);
    place
}

/// Consecutive counters as numbers, the most significant word in the lowest lane.
#[inline(always)]
fn counters<I: Isa, const U: usize>(isa: I, first: u128) -> [I::V; U] {
    let groups = const { I::BYTES / BLOCK };
    let mut bytes = [0; 64];
    for g in 0..groups {
        bytes[16 * g + 12] = g as u8;
    }
    let start = isa.shuffle8(isa.splat128(&first.to_be_bytes()), isa.splat128(&SWAP));
    let start = isa.add32(start, isa.load(&bytes));
    let mut state = [isa.zero(); U];
    for u in 0..U {
        let ahead = ((u * groups) as u128) << 96;
        state[u] = isa.add32(start, isa.splat128(&ahead.to_le_bytes()));
    }
    state
}

/// How many chains go side by side.
#[inline(always)]
pub(super) const fn lanes<I: Isa>() -> usize {
    MOST * I::BYTES / BLOCK
}

/// Runs chains under one key, side by side and the last that is left alone.
#[inline(always)]
pub(super) fn chains<I: Isa>(isa: I, words: &Words, chains: &mut [KeyedChain<'_>]) {
    let last = if chains.len() == 1 { Some((0, 0)) } else { side_by_side(isa, words, chains) };
    if let Some((number, offset)) = last {
        chain(isa.narrow(), words, &mut chains[number].chain, offset);
    }
}

/// Runs chains, each in a lane of the large tile, until one is left at most: its number, and
/// what of it is done. A lane whose chain has ended takes the next that waits.
#[inline(always)]
fn side_by_side<I: Isa>(
    isa: I,
    words: &Words,
    chains: &mut [KeyedChain<'_>],
) -> Option<(usize, usize)> {
    let keys = keys(isa, words, ENCRYPT);
    let task = Task { flip: ENCRYPT, pre: None, post: None, counter: None };
    let mut values = [0; PLACE];
    // The number of each lane's chain, and what of it is done.
    let mut at = [(usize::MAX, 0); PLACE / BLOCK];
    let (mut waiting, count) = (0, chains.len());
    loop {
        let mut busy = 0;
        let mut last = 0;
        let (values_of, _) = values.as_chunks_mut::<BLOCK>();
        for i in 0..const { lanes::<I>() } {
            loop {
                match chains.get_mut(at[i].0) {
                    Some(it) if at[i].1 < it.chain.data.len() => {
                        (busy, last) = (busy + 1, i);
                        break;
                    }
                    Some(it) => it.chain.value.copy_from_slice(&values_of[i]),
                    None if waiting >= count => break,
                    None => {}
                }
                at[i] = (waiting, 0);
                if let Some(it) = chains.get(waiting) {
                    values_of[i].copy_from_slice(it.chain.value);
                }
                waiting += 1;
            }
        }
        if busy < 2 {
            let it = chains.get_mut(at[last].0).filter(|_| busy == 1)?;
            it.chain.value.copy_from_slice(&values_of[last]);
            return Some(at[last]);
        }
        for (value, &(number, offset)) in values_of.iter_mut().zip(&at) {
            if let Some(it) = chains.get(number) {
                let block = it.chain.data.block::<BLOCK>(offset);
                for i in 0..BLOCK {
                    value[i] ^= block[i];
                }
            }
        }
        tile::<I, MOST>(isa, &keys, task, None, values.as_mut_slice().into());
        let (values_of, _) = values.as_chunks::<BLOCK>();
        for (value, (number, offset)) in values_of.iter().zip(&mut at) {
            if let Some(it) = chains.get_mut(*number) {
                it.chain.data.put(*offset, value);
                *offset += BLOCK;
            }
        }
    }
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
