//! Which formulation of IDEA runs: by what the level can do and by length, here and
//! nowhere else.
//!
//! Lanes from two blocks on: a tile takes no longer than two blocks one after another.

use lanes::{InOut, Isa};

use super::key::Keys;
use super::passes::GROUPS;
use super::{BLOCK, Idea};
use crate::block::chains::Link;
use crate::block::{serial, side_by_side, tiles};

/// Bytes of the blocks that are done outside the door.
pub(super) const SHORT: usize = 2 * BLOCK;

/// Bytes that four of the shortest registers hold: longer ones would be half empty.
const NARROW: usize = 64;

/// `out = cipher(in ⊕ pre) ⊕ post` for whole blocks.
#[inline(always)]
pub(super) fn blocks<I: Isa, const BACK: bool>(
    isa: I,
    keys: &Keys,
    io: InOut<'_>,
    pre: Option<&[u8]>,
    post: Option<&[u8]>,
) {
    if const { !I::NUMBERS16_NATIVE } {
        serial::blocks::<Keys, BACK>(keys, io, pre, post);
    } else if const { I::BYTES == 32 } && io.len() <= NARROW {
        tiles::blocks::<I::Narrow, Keys, 1, BACK>(isa.narrow(), keys, io, pre, post);
    } else if const { I::REGISTERS >= 32 } {
        tiles::blocks::<I, Keys, GROUPS, BACK>(isa, keys, io, pre, post);
    } else {
        tiles::blocks::<I, Keys, 2, BACK>(isa, keys, io, pre, post);
    }
}

/// Xors the data with the encrypted counters, which are moved on.
#[inline(always)]
pub(super) fn ctr<I: Isa>(isa: I, keys: &Keys, io: InOut<'_>, counter: &mut u128) {
    if const { !I::NUMBERS16_NATIVE } || io.len() <= BLOCK {
        serial::ctr(keys, io, counter);
    } else if const { I::BYTES == 32 } && io.len() <= NARROW {
        tiles::ctr::<I::Narrow, Keys, 1>(isa.narrow(), keys, io, counter);
    } else if const { I::REGISTERS >= 32 } {
        tiles::ctr::<I, Keys, GROUPS>(isa, keys, io, counter);
    } else {
        tiles::ctr::<I, Keys, 2>(isa, keys, io, counter);
    }
}

/// Pieces of two blocks of an expanded key.
const KEY_PIECES: usize = 7;

/// Runs chains under keys of a set, or under the only one.
#[inline(always)]
pub(super) fn chains<'d, I: Isa, L: Link<'d>>(isa: I, keys: &[Idea], chains: &mut [L]) {
    if const { I::NUMBERS16_NATIVE } {
        side_by_side::chains::<I, Idea, L, KEY_PIECES>(isa, keys, chains);
    } else {
        serial::chains::<Idea, L>(keys, chains);
    }
}

/// Ciphers each block in place under the key whose number stands beside it, where there are lanes.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(super) fn each<I: Isa, const BACK: bool>(
    isa: I,
    keys: &[Idea],
    numbers: &[usize],
    all: &mut [[u8; BLOCK]],
) {
    if const { I::NUMBERS16_NATIVE } {
        side_by_side::each::<I, Idea, BACK, KEY_PIECES>(isa, keys, numbers, all);
    }
}

/// How many blocks under their own keys share a pass.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(super) fn lanes<I: Isa>(_: I) -> usize {
    if const { I::NUMBERS16_NATIVE } { I::BYTES } else { 1 }
}

/// The blocks from which on a message alone fills lanes better than with others, whose keys
/// have to be put into theirs.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(super) fn alone<I: Isa>(_: I) -> usize {
    if const { I::NUMBERS16_NATIVE } { const { 5 * I::BYTES / 16 } } else { 1 }
}

/// What runs at a level, in words.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(super) fn describe<I: Isa>(_: I) -> &'static str {
    if const { I::NUMBERS16_NATIVE } { "in 16-bit lanes; a few blocks scalar" } else { "scalar" }
}
