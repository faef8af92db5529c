//! Which formulation of SM4 runs: by what the level can do and by length, here
//! and nowhere else.
//!
//! Where one instruction does four rounds, everything goes that way; else:
//!
//! Lengths are in registers of the level. Up to eight registers the word-sliced
//! form is faster, because a byte-sliced group takes the time of 16 however few
//! it holds; from two groups on they run side by side. Measured in
//! `docs/notes/sm4-gfni.md`.

use lanes::{InOut, Isa};

use super::key::{DECRYPT, ENCRYPT, RoundKeys};
use super::{BLOCK, Sm4, bit_sliced, byte_sliced, instructed, side_by_side, word_sliced};
use crate::block::chains::{self, Link};

/// Registers of one word-sliced group.
const WORD_GROUP: usize = 4;
/// Registers of one byte-sliced group.
const BYTE_GROUP: usize = 16;

/// `out = cipher(in ⊕ pre) ⊕ post` for whole blocks.
#[inline(always)]
pub(super) fn blocks<I: Isa>(
    isa: I,
    keys: &RoundKeys,
    flip: usize,
    mut io: InOut<'_>,
    pre: Option<&[u8]>,
    post: Option<&[u8]>,
) {
    if const { I::SM4_BYTES == 16 } {
        return instructed::blocks(isa.narrow(), &keys.words, flip, io, pre, post);
    } else if const { I::SM4_BYTES > 16 } {
        return instructed::blocks(isa, &keys.words, flip, io, pre, post);
    } else if const { !I::BYTE_MAPS } {
        return bit_sliced::blocks(isa, &keys.words, flip, io, pre, post);
    }
    let pair = const { 2 * BYTE_GROUP * I::BYTES };
    let mut offset = 0;
    while io.len() - offset >= pair {
        let range = offset..offset + pair;
        let (pre, post) = (pre.map(|s| &s[range.clone()]), post.map(|s| &s[range.clone()]));
        let io = io.part(offset, pair);
        byte_sliced::tile::<I, 2, true>(isa, &keys.slices, flip, io, pre, post);
        offset += pair;
    }
    let (_, io) = io.split_at(offset);
    let (pre, post) = (pre.map(|s| &s[offset..]), post.map(|s| &s[offset..]));
    match io.len().div_ceil(I::BYTES) {
        0 => {}
        1..=WORD_GROUP => word_sliced::tile::<I, 1>(isa, &keys.words, flip, io, pre, post),
        n if n <= 2 * WORD_GROUP => {
            word_sliced::tile::<I, 2>(isa, &keys.words, flip, io, pre, post);
        }
        n if n <= BYTE_GROUP => {
            byte_sliced::tile::<I, 1, false>(isa, &keys.slices, flip, io, pre, post);
        }
        _ => byte_sliced::tile::<I, 2, false>(isa, &keys.slices, flip, io, pre, post),
    }
}

/// Xors the data with the encrypted counters, which are moved on.
#[inline(always)]
pub(super) fn ctr<I: Isa>(isa: I, keys: &RoundKeys, mut io: InOut<'_>, counter: &mut u128) {
    if const { I::SM4_BYTES == 16 } {
        return instructed::ctr(isa.narrow(), &keys.words, io, counter);
    } else if const { I::SM4_BYTES > 16 } {
        return instructed::ctr(isa, &keys.words, io, counter);
    } else if const { !I::BYTE_MAPS } {
        return bit_sliced::ctr(isa, &keys.words, io, counter);
    }
    let pair = const { 2 * BYTE_GROUP * I::BYTES };
    let mut offset = 0;
    while io.len() - offset >= pair {
        byte_sliced::ctr_tile::<I, 2, true>(isa, &keys.slices, io.part(offset, pair), *counter);
        *counter = counter.wrapping_add((pair / 16) as u128);
        offset += pair;
    }
    let (_, io) = io.split_at(offset);
    let first = *counter;
    *counter = first.wrapping_add(io.len().div_ceil(16) as u128);
    match io.len().div_ceil(I::BYTES) {
        0 => {}
        1..=WORD_GROUP => word_sliced::ctr_tile::<I, 1>(isa, &keys.words, io, first),
        n if n <= 2 * WORD_GROUP => word_sliced::ctr_tile::<I, 2>(isa, &keys.words, io, first),
        n if n <= BYTE_GROUP => {
            byte_sliced::ctr_tile::<I, 1, false>(isa, &keys.slices, io, first);
        }
        _ => byte_sliced::ctr_tile::<I, 2, false>(isa, &keys.slices, io, first),
    }
}

/// Runs chains under one key or under keys of a set, as many side by side as the level has
/// lanes for.
#[inline(always)]
pub(super) fn chains<'d, I: Isa, L: Link<'d>>(isa: I, keys: &[Sm4], chains: &mut [L]) {
    if const { I::SM4_BYTES != 0 } {
        instructed_chains(isa, keys, chains);
    } else if const { !I::BYTE_MAPS } {
        bit_sliced::chains(isa, keys, chains);
    } else {
        match const { I::BYTES } {
            16 => side_by_side::chains::<I, L, 16>(isa, keys, chains),
            32 => side_by_side::chains::<I, L, 32>(isa, keys, chains),
            _ => side_by_side::chains::<I, L, 64>(isa, keys, chains),
        }
    }
}

/// Chains that the instructions for rounds take side by side.
const INSTRUCTED: usize = 32;

/// Side by side where neighbours have one key, else one after another.
#[inline(always)]
fn instructed_chains<'d, I: Isa, L: Link<'d>>(isa: I, keys: &[Sm4], chains: &mut [L]) {
    for chains in chains.chunk_by_mut(|a, b| a.key() == b.key()) {
        let key = chains[0].key();
        let keys = &keys[key].keys.0;
        chains::run::<L, BLOCK, INSTRUCTED>(
            chains,
            #[inline(always)]
            |values, _| blocks(isa, keys, ENCRYPT, values.into(), None, None),
            #[inline(always)]
            |chain, offset, _| instructed::chain(isa.narrow(), &keys.words, chain, offset),
        );
    }
}

/// Ciphers each block in place under the key whose number stands beside it.
#[inline(always)]
pub(super) fn each<I: Isa, const BACK: bool>(
    isa: I,
    keys: &[Sm4],
    numbers: &[usize],
    all: &mut [[u8; BLOCK]],
) {
    if const { I::SM4_BYTES == 0 && I::BYTE_MAPS } {
        return side_by_side::each::<I, BACK>(isa, keys, numbers, all);
    }
    let flip = if BACK { DECRYPT } else { ENCRYPT };
    let mut rest = all;
    for numbers in numbers.chunk_by(|a, b| a == b) {
        let (run, behind) = rest.split_at_mut(numbers.len());
        let (number, io) = (numbers[0], run.as_flattened_mut().into());
        blocks(isa, &keys[number].keys.0, flip, io, None, None);
        rest = behind;
    }
}

/// How many blocks under their own keys share a pass.
#[inline(always)]
pub(super) fn lanes<I: Isa>(_: I) -> usize {
    if const { I::SM4_BYTES != 0 } {
        INSTRUCTED
    } else if const { I::BYTE_MAPS } {
        I::BYTES
    } else {
        bit_sliced::lanes::<I>()
    }
}

/// What runs at a level, in words.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(super) fn describe<I: Isa>(_: I) -> &'static str {
    if const { I::SM4_BYTES != 0 } {
        "SM4 instructions, four rounds each"
    } else if const { I::BYTE_MAPS_NATIVE } {
        "word- and byte-sliced, S-box by one affine inverse"
    } else if const { I::BYTE_MAPS } {
        "word- and byte-sliced, S-box by an AES round and nibble look-ups"
    } else {
        "bit-sliced"
    }
}
