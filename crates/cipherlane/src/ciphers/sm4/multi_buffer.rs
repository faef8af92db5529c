//! Chains side by side in word-sliced lanes, and blocks under keys of their own.
//!
//! A chain's value stays in the basis and in words from one block to the next; a step
//! loads a block of each piece, transposes it, adds it and stores the result. What the rounds
//! leave is a value in reverse order (§6.1), so the words are only renamed.

use lanes::{Isa, Streams};

use super::byte_sliced::{part, put_part};
use super::lane_keys::{Kept, MOST, Own};
use super::round_keys::RoundKeys;
use super::word_sliced::{self, Keys, enter, leave, rounds};
use super::{BLOCK, Sm4};
use crate::block::chains::{self, Last};
use crate::secret::Secret;
use crate::traits::block::{Chain, ChainData, KeyedChain};

/// Groups of lanes.
const GROUPS: usize = 4;
/// Blocks of a message from which on it pays to keep the keys of all messages in memory.
const ACROSS: usize = 8;
/// The most lanes of a group: those of 64-byte registers.
const LANES: usize = 16;

/// Runs chains under keys of a set, or under the only one; at most as many lanes as four
/// groups have.
#[inline(always)]
pub(super) fn chains<I: Isa, const COUNT: usize>(
    isa: I,
    keys: &[Sm4],
    chains: &mut [KeyedChain<'_>],
) {
    // Clearing and wiping places for more groups costs as much as ciphering short messages.
    let last = if chains.len() <= const { I::BYTES / 4 } {
        multi_buffer::<I, COUNT, 1>(isa, keys, chains)
    } else {
        multi_buffer::<I, COUNT, GROUPS>(isa, keys, chains)
    };
    if let Some(Last { chain, offset, key }) = last {
        serial(isa, &keys[key].keys.0, chain, offset);
    }
}

/// The same with places for the keys of `K` groups.
#[inline(always)]
fn multi_buffer<'c, 'd, I: Isa, const COUNT: usize, const K: usize>(
    isa: I,
    keys: &[Sm4],
    chains: &'c mut [KeyedChain<'d>],
) -> Option<Last<'c, 'd>> {
    let mut kept = Secret(Kept::<K>::EMPTY);
    let first = chains.first().map_or(0, |link| link.key);
    let mut common = true;
    for link in &*chains {
        common &= link.key == first;
    }
    if common && !keys.is_empty() {
        kept.0.common(isa, &keys[first].keys.0.words);
    }
    chains::together::<KeyedChain<'_>, BLOCK, COUNT, 1>(
        chains,
        #[inline(always)]
        |values, pieces, lanes| {
            if !common && lanes.changed != 0 {
                kept.0.update(isa, keys, lanes.numbers, lanes.changed);
            }
            advance(isa, &kept.0, values, pieces);
        },
    )
}

/// One chain.
#[inline(always)]
pub(super) fn serial<I: Isa>(isa: I, keys: &RoundKeys, chain: &mut Chain<'_>, offset: usize) {
    word_sliced::chain(isa.narrow(), &keys.words, chain, offset);
}

/// Moves chains on by equally long pieces.
#[inline(always)]
fn advance<I: Isa, const K: usize>(
    isa: I,
    keys: &Kept<K>,
    values: &mut [[u8; BLOCK]],
    pieces: &mut [ChainData<'_>],
) {
    let mut streams = Streams::<MOST>::new();
    for piece in pieces.iter_mut() {
        match piece {
            ChainData::Encrypt(io) => streams.push(io.reborrow()),
            ChainData::Absorb(data) => streams.push_input(data),
        }
    }
    match values.len().div_ceil(const { I::BYTES / 4 }) {
        _ if K == 1 => steps::<I, 1, K>(isa, keys, values, &mut streams),
        0 | 1 => steps::<I, 1, K>(isa, keys, values, &mut streams),
        2 => steps::<I, 2, K>(isa, keys, values, &mut streams),
        _ => steps::<I, 4, K>(isa, keys, values, &mut streams),
    }
}

/// All blocks of the pieces in `G` groups.
#[inline(always)]
fn steps<I: Isa, const G: usize, const K: usize>(
    isa: I,
    keys: &Kept<K>,
    values: &mut [[u8; BLOCK]],
    streams: &mut Streams<'_, MOST>,
) {
    let blocks = const { I::BYTES / BLOCK };
    let mut bytes = [[0; BLOCK]; MOST];
    bytes[..values.len()].copy_from_slice(values);
    let mut state = [[isa.zero(); 4]; G];
    for g in 0..G {
        let mut rows = [isa.zero(); 4];
        for i in 0..4 {
            rows[i] = isa.load(bytes[(4 * g + i) * blocks..].as_flattened());
        }
        state[g] = enter(isa, rows);
    }
    for offset in (0..streams.len()).step_by(BLOCK) {
        for g in 0..G {
            let mut rows = [isa.zero(); 4];
            for i in 0..4 {
                rows[i] = streams.load_blocks(isa, (4 * g + i) * blocks, offset);
            }
            let input = enter(isa, rows);
            for w in 0..4 {
                state[g][w] = isa.xor(state[g][w], input[w]);
            }
        }
        rounds(isa, &mut state, keys);
        for g in 0..G {
            let rows = leave(isa, state[g]);
            for i in 0..4 {
                streams.store_blocks(isa, (4 * g + i) * blocks, offset, rows[i]);
            }
            state[g].reverse();
        }
    }
    for g in 0..G {
        state[g].reverse();
        let rows = leave(isa, state[g]);
        for i in 0..4 {
            isa.store(rows[i], bytes[(4 * g + i) * blocks..].as_flattened_mut());
        }
    }
    values.copy_from_slice(&bytes[..values.len()]);
}

/// Ciphers blocks from `at` on in place, each under the key whose number stands beside it,
/// until those of one key fill the lanes or are the last: these go the way of one key.
#[inline(always)]
pub(super) fn each<I: Isa>(
    isa: I,
    flip: usize,
    keys: &[Sm4],
    numbers: &[usize],
    blocks: &mut [[u8; BLOCK]],
    from: &mut usize,
) {
    let mut at = *from;
    let lanes = const { I::BYTES };
    while at < blocks.len() {
        let number = numbers[at];
        let mut run = 1;
        while at + run < blocks.len() && numbers[at + run] == number {
            run += 1;
        }
        let messages = alike(&numbers[at..], run).min(lanes / 4);
        let end = if run >= ACROSS && run < lanes && messages > lanes / 8 {
            let end = at + messages * run;
            across(isa, flip, keys, &numbers[at..end], &mut blocks[at..end], run);
            end
        } else if run >= lanes || at + run == blocks.len() {
            break;
        } else {
            let end = blocks.len().min(at + lanes);
            tiles(isa, flip, keys, &numbers[at..end], &mut blocks[at..end]);
            end
        };
        at = end;
    }
    *from = at;
}

/// How many messages of `run` blocks under one key each there are in front.
#[inline(always)]
fn alike(numbers: &[usize], run: usize) -> usize {
    let mut count = 0;
    let mut before = None;
    for numbers in numbers.chunks_exact(run) {
        let first = numbers[0];
        let mut same = before != Some(first);
        for &number in numbers {
            same &= number == first;
        }
        if !same {
            break;
        }
        before = Some(first);
        count += 1;
    }
    count
}

/// The keys of one group of lanes for any number of groups, in the order of a direction.
#[derive(Clone, Copy)]
struct Shared<'k> {
    kept: &'k Kept<1>,
    flip: usize,
}

impl<I: Isa> Keys<I> for Shared<'_> {
    type Quad = usize;

    #[inline(always)]
    fn quad(self, _: I, _: usize, quad: usize) -> usize {
        quad
    }

    #[inline(always)]
    fn key<const R: usize>(self, isa: I, quad: usize) -> I::V {
        self.kept.round(isa, (4 * quad + R) ^ self.flip)
    }
}

/// Messages of `run` blocks, one a lane: a group has one block of each, so that all groups
/// take the same keys.
#[inline(always)]
fn across<I: Isa>(
    isa: I,
    flip: usize,
    keys: &[Sm4],
    numbers: &[usize],
    blocks: &mut [[u8; BLOCK]],
    run: usize,
) {
    let mut firsts = [0; LANES];
    let mut streams = Streams::<LANES>::new();
    let mut count = 0;
    for (numbers, blocks) in numbers.chunks_exact(run).zip(blocks.chunks_exact_mut(run)) {
        firsts[count] = numbers[0];
        streams.push(blocks.as_flattened_mut().into());
        count += 1;
    }
    let mut kept = Secret(Kept::<1>::EMPTY);
    kept.0.update(isa, keys, &firsts[..count], u128::MAX);
    let keys = Shared { kept: &kept.0, flip };
    let mut block = 0;
    while run - block >= GROUPS {
        groups_across::<I, _, GROUPS>(isa, keys, &mut streams, block);
        block += GROUPS;
    }
    if run - block >= 2 {
        groups_across::<I, _, 2>(isa, keys, &mut streams, block);
        block += 2;
    }
    if run > block {
        groups_across::<I, _, 1>(isa, keys, &mut streams, block);
    }
}

/// `G` blocks of each message from `block` on.
#[inline(always)]
fn groups_across<I: Isa, K: Keys<I>, const G: usize>(
    isa: I,
    keys: K,
    streams: &mut Streams<'_, LANES>,
    block: usize,
) {
    let blocks = const { I::BYTES / BLOCK };
    let mut groups = [[isa.zero(); 4]; G];
    for g in 0..G {
        for i in 0..4 {
            groups[g][i] = streams.load_blocks(isa, i * blocks, (block + g) * BLOCK);
        }
        groups[g] = enter(isa, groups[g]);
    }
    rounds(isa, &mut groups, keys);
    for g in 0..G {
        let rows = leave(isa, groups[g]);
        for i in 0..4 {
            streams.store_blocks(isa, i * blocks, (block + g) * BLOCK, rows[i]);
        }
    }
}

/// At most four groups of blocks under their own keys.
#[inline(always)]
fn tiles<I: Isa>(isa: I, flip: usize, keys: &[Sm4], numbers: &[usize], blocks: &mut [[u8; BLOCK]]) {
    let first = numbers[0];
    let mut words = [&keys[first].keys.0.words; MOST];
    for (words, &number) in words.iter_mut().zip(numbers) {
        *words = &keys[number].keys.0.words;
    }
    // A register of two blocks takes two loads instead of one.
    let mut by_register = const { I::BYTES != 2 * BLOCK };
    for numbers in numbers.chunks(const { I::BYTES / BLOCK }) {
        for &number in numbers {
            by_register &= number == numbers[0];
        }
    }
    let groups = blocks.len().div_ceil(const { I::BYTES / 4 });
    let data = blocks.as_flattened_mut();
    if by_register {
        by_groups::<I, _>(isa, Own::<true> { words: &words, flip }, groups, data);
    } else {
        by_groups::<I, _>(isa, Own::<false> { words: &words, flip }, groups, data);
    }
}

#[inline(always)]
fn by_groups<I: Isa, K: Keys<I>>(isa: I, keys: K, groups: usize, data: &mut [u8]) {
    match groups {
        1 => in_place::<I, K, 1>(isa, keys, data),
        2 => in_place::<I, K, 2>(isa, keys, data),
        _ => in_place::<I, K, 4>(isa, keys, data),
    }
}

/// At most `G` groups, loaded and stored in part.
#[inline(always)]
fn in_place<I: Isa, K: Keys<I>, const G: usize>(isa: I, keys: K, data: &mut [u8]) {
    let mut groups = [[isa.zero(); 4]; G];
    for g in 0..G {
        for i in 0..4 {
            let offset = (4 * g + i) * I::BYTES;
            if offset < data.len() {
                groups[g][i] = part::<I, false>(isa, data, offset);
            }
        }
        groups[g] = enter(isa, groups[g]);
    }
    rounds(isa, &mut groups, keys);
    for g in 0..G {
        let rows = leave(isa, groups[g]);
        for i in 0..4 {
            let offset = (4 * g + i) * I::BYTES;
            if offset < data.len() {
                put_part(isa, data, offset, rows[i]);
            }
        }
    }
}
