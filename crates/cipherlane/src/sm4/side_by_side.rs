//! Chains side by side in word-sliced lanes, and blocks under keys of their own.
//!
//! A chain's value stays in the basis and in words from one block to the next; a step
//! loads a block of each piece, transposes it, adds it and stores the result. What the rounds
//! leave is a value in reverse order (§6.1), so the words are only renamed.

use lanes::{Isa, Streams};

use super::key::{DECRYPT, ENCRYPT, RoundKeys};
use super::own_keys::{Kept, MOST, Own};
use super::word_sliced::{self, Keys, enter, leave, rounds};
use super::{BLOCK, Sm4, formulation};
use crate::block::ChainData;
use crate::block::chains::{self, Link};
use crate::secret::Secret;

/// Groups of lanes.
const GROUPS: usize = 4;

/// Runs chains under keys of a set, or under the only one; at most as many lanes as four
/// groups have.
#[inline(always)]
pub(super) fn chains<'d, I: Isa, L: Link<'d>, const LANES: usize>(
    isa: I,
    keys: &[Sm4],
    chains: &mut [L],
) {
    if let [only] = chains {
        let key = only.key();
        return serial(isa, &keys[key].keys.0, only.chain(), 0);
    }
    let mut kept = Secret(Kept::<GROUPS>::EMPTY);
    let first = chains.first().map_or(0, Link::key);
    let mut common = true;
    for link in &*chains {
        common &= link.key() == first;
    }
    if common && !keys.is_empty() {
        kept.0.common(isa, &keys[first].keys.0.words);
    }
    chains::schedule::<L, BLOCK, LANES>(
        chains,
        #[inline(always)]
        |values, pieces, lanes| {
            if !common && lanes.changed != 0 {
                kept.0.update(isa, keys, lanes.numbers, lanes.changed);
            }
            advance(isa, &kept.0, values, pieces);
        },
        #[inline(always)]
        |chain, offset, key| serial(isa, &keys[key].keys.0, chain, offset),
    );
}

/// One chain.
#[inline(always)]
pub(super) fn serial<I: Isa>(
    isa: I,
    keys: &RoundKeys,
    chain: &mut crate::block::Chain<'_>,
    offset: usize,
) {
    if const { I::BYTE_MAPS_NATIVE } {
        word_sliced::chain(isa, &keys.words, chain, offset);
    } else {
        // One AES round on a wide register is several instructions.
        word_sliced::chain(isa.narrow(), &keys.words, chain, offset);
    }
}

/// Moves chains on by equally long pieces.
#[inline(always)]
fn advance<I: Isa>(
    isa: I,
    keys: &Kept<GROUPS>,
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
        0 | 1 => steps::<I, 1>(isa, keys, values, &mut streams),
        2 => steps::<I, 2>(isa, keys, values, &mut streams),
        _ => steps::<I, 4>(isa, keys, values, &mut streams),
    }
}

/// All blocks of the pieces in `G` groups.
#[inline(always)]
fn steps<I: Isa, const G: usize>(
    isa: I,
    keys: &Kept<GROUPS>,
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

/// Ciphers each block in place under the key whose number stands beside it. Blocks of one
/// key that fill the lanes go the way of one key.
#[inline(always)]
pub(super) fn each<I: Isa, const BACK: bool>(
    isa: I,
    keys: &[Sm4],
    numbers: &[usize],
    blocks: &mut [[u8; BLOCK]],
) {
    let lanes = const { I::BYTES };
    let mut at = 0;
    while at < blocks.len() {
        let number = numbers[at];
        let mut run = 1;
        while at + run < blocks.len() && numbers[at + run] == number {
            run += 1;
        }
        let end = blocks.len().min(at + lanes);
        if run >= lanes || at + run == blocks.len() {
            let io = blocks[at..at + run].as_flattened_mut().into();
            let flip = if BACK { DECRYPT } else { ENCRYPT };
            formulation::blocks(isa, &keys[number].keys.0, flip, io, None, None);
            at += run;
        } else {
            tiles::<I, BACK>(isa, keys, &numbers[at..end], &mut blocks[at..end]);
            at = end;
        }
    }
}

/// At most four groups of blocks under their own keys.
#[inline(always)]
fn tiles<I: Isa, const BACK: bool>(
    isa: I,
    keys: &[Sm4],
    numbers: &[usize],
    blocks: &mut [[u8; BLOCK]],
) {
    let first = numbers[0];
    let mut words = [&keys[first].keys.0.words; MOST];
    for (words, &number) in words.iter_mut().zip(numbers) {
        *words = &keys[number].keys.0.words;
    }
    let mut by_register = true;
    for numbers in numbers.chunks(const { I::BYTES / BLOCK }) {
        for &number in numbers {
            by_register &= number == numbers[0];
        }
    }
    let groups = blocks.len().div_ceil(const { I::BYTES / 4 });
    let data = blocks.as_flattened_mut();
    if by_register {
        by_groups::<I, _>(isa, Own::<BACK, true>(&words), groups, data);
    } else {
        by_groups::<I, _>(isa, Own::<BACK, false>(&words), groups, data);
    }
}

#[inline(always)]
fn by_groups<I: Isa, K: Keys<I>>(isa: I, keys: K, groups: usize, data: &mut [u8]) {
    match groups {
        1 => in_place::<I, K, 1>(isa, keys, data),
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
                groups[g][i] = isa.load_part(&data[offset..]);
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
                isa.store_part(rows[i], &mut data[offset..]);
            }
        }
    }
}
