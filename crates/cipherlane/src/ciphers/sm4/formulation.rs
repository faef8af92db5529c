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

use super::round_keys::RoundKeys;
use super::task::Task;
use super::{BLOCK, Sm4, bit_sliced, byte_sliced, multi_buffer, sm4_instructions, word_sliced};
use crate::traits::block::{Chain, KeyedChain};

/// Registers of one word-sliced group.
const WORD_GROUP: usize = 4;
/// Registers of one byte-sliced group.
const BYTE_GROUP: usize = 16;

/// A task on whole blocks, or on any bytes with counters.
#[inline(always)]
pub(super) fn blocks<I: Isa>(isa: I, keys: &RoundKeys, task: Task<'_>, mut io: InOut<'_>) {
    if const { I::SM4_BYTES == 16 } {
        return sm4_instructions::blocks(isa.narrow(), &keys.words, task, io);
    } else if const { I::SM4_BYTES > 16 } {
        return sm4_instructions::blocks(isa, &keys.words, task, io);
    } else if const { !I::BYTE_MAPS } {
        return bit_sliced::blocks(isa, &keys.words, task, io);
    }
    let pair = const { 2 * BYTE_GROUP * I::BYTES };
    let mut offset = 0;
    while io.len() - offset >= pair {
        let (task, io) = (task.part(offset, pair), io.part(offset, pair));
        byte_sliced::tile::<I, 2, true>(isa, &keys.slices, task, io);
        offset += pair;
    }
    let task = task.part(offset, io.len() - offset);
    let (_, io) = io.split_at(offset);
    match io.len().div_ceil(I::BYTES) {
        0 => {}
        1..=WORD_GROUP => word_sliced::tile::<I, 1, false>(isa, &keys.words, task, io),
        n if n <= 2 * WORD_GROUP => word_sliced::tile::<I, 2, false>(isa, &keys.words, task, io),
        n if n <= BYTE_GROUP => byte_sliced::tile::<I, 1, false>(isa, &keys.slices, task, io),
        _ => byte_sliced::tile::<I, 2, false>(isa, &keys.slices, task, io),
    }
}

/// Bytes that [`few`] takes.
pub(super) const FEW: usize = 4 * BLOCK;

/// The same of at most [`FEW`] bytes in the level's narrow registers, whose instructions answer
/// sooner; or false where the level has no others. Apart from [`blocks`], whose frame on the
/// stack is that of its largest tile.
#[inline(always)]
pub(super) fn few<I: Isa>(isa: I, keys: &RoundKeys, task: Task<'_>, io: InOut<'_>) -> bool {
    if const { I::SM4_BYTES != 0 || !I::BYTE_MAPS || I::BYTES == 16 } {
        return false;
    }
    // A byte map of one instruction leaves the rotations in the longest path: that by 16 is
    // shorter where only the lowest two lanes count.
    if const { I::BYTE_MAPS_NATIVE } && io.len() <= 2 * BLOCK {
        word_sliced::tile::<I::Narrow, 1, true>(isa.narrow(), &keys.words, task, io);
    } else {
        word_sliced::tile::<I::Narrow, 1, false>(isa.narrow(), &keys.words, task, io);
    }
    true
}

/// Runs chains under one key or under keys of a set, as many side by side as the level has
/// lanes for.
#[inline(always)]
pub(super) fn chains<I: Isa>(isa: I, keys: &[Sm4], chains: &mut [KeyedChain<'_>]) {
    if const { I::SM4_BYTES != 0 } {
        // Side by side where neighbours have one key.
        for chains in chains.chunk_by_mut(|a, b| a.key == b.key) {
            let key = chains[0].key;
            sm4_instructions::chains(isa, &keys[key].keys.0.words, chains);
        }
    } else if const { !I::BYTE_MAPS } {
        bit_sliced::chains(isa, keys, chains);
    } else {
        match const { I::BYTES } {
            16 => multi_buffer::chains::<I, 16>(isa, keys, chains),
            32 => multi_buffer::chains::<I, 32>(isa, keys, chains),
            _ => multi_buffer::chains::<I, 64>(isa, keys, chains),
        }
    }
}

/// Ciphers blocks from `at` on in place, each under the key whose number stands beside it,
/// until blocks come that their own key's cipher does as fast.
#[inline(always)]
pub(super) fn each<I: Isa>(
    isa: I,
    flip: usize,
    keys: &[Sm4],
    numbers: &[usize],
    all: &mut [[u8; BLOCK]],
    at: &mut usize,
) {
    if const { I::SM4_BYTES == 0 && I::BYTE_MAPS } {
        multi_buffer::each(isa, flip, keys, numbers, all, at);
    }
}

/// One chain, or false where that is no other kernel than that of several.
#[inline(always)]
pub(super) fn chain<I: Isa>(isa: I, keys: &RoundKeys, chain: &mut Chain<'_>) -> bool {
    if const { I::SM4_BYTES != 0 || !I::BYTE_MAPS } {
        return false;
    }
    multi_buffer::serial(isa, keys, chain, 0);
    true
}

/// How many blocks under their own keys share a pass.
#[inline(always)]
pub(super) fn lanes<I: Isa>(_: I) -> usize {
    if const { I::SM4_BYTES != 0 } {
        sm4_instructions::lanes::<I>()
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
