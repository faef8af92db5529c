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

use super::key::{ENCRYPT, RoundKeys};
use super::{BLOCK, bit_sliced, byte_sliced, instructed, word_sliced};
use crate::block::{Chain, chains};

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

/// The most lanes of any level: two byte-sliced groups of 64-byte registers.
const LANES: usize = 128;

/// Runs chains, as many side by side as the level has lanes for.
#[inline(always)]
pub(super) fn chains<I: Isa>(isa: I, keys: &RoundKeys, chains: &mut [Chain<'_>]) {
    if const { I::SM4_BYTES != 0 || I::BYTE_MAPS } {
        chains::run::<BLOCK, LANES>(
            chains,
            #[inline(always)]
            |values| blocks(isa, keys, ENCRYPT, values.into(), None, None),
            #[inline(always)]
            |chain, offset| {
                if const { I::SM4_BYTES != 0 } {
                    instructed::chain(isa.narrow(), &keys.words, chain, offset);
                } else if const { I::BYTE_MAPS_NATIVE } {
                    word_sliced::chain(isa, &keys.words, chain, offset);
                } else {
                    // One AES round on a wide register is several instructions.
                    word_sliced::chain(isa.narrow(), &keys.words, chain, offset);
                }
            },
        );
    } else {
        let masks = bit_sliced::masks(&keys.words, ENCRYPT);
        chains::run::<BLOCK, LANES>(
            chains,
            #[inline(always)]
            |values| bit_sliced::in_place(isa, &masks, values),
            #[inline(always)]
            |chain, offset| bit_sliced::chain(isa, &masks, chain, offset),
        );
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
