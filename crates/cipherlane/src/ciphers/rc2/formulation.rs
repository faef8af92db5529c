//! Which formulation of RC2 runs: by what the level can do and by length, here and
//! nowhere else.
//!
//! Lanes where the table of 64 words is looked up in registers: by one instruction, or by
//! byte shuffles of its quarters.

use lanes::{InOut, Isa};

use super::key::Keys;
use super::{BLOCK, Rc2};
use crate::block::chains::Link;
use crate::block::{serial, side_by_side, tiles};

/// Whether there are lanes, and the table of 64 words can be looked up in registers.
const fn in_lanes<I: Isa>() -> bool {
    I::LOOKUP16_NATIVE || (I::NUMBERS16_NATIVE && I::BYTE_MAPS)
}

/// Bytes that the scalar form takes no longer for than a tile.
const fn few<I: Isa>() -> usize {
    if I::LOOKUP16_NATIVE { BLOCK } else { 3 * BLOCK }
}

/// Bytes of the blocks that are done outside the door.
pub(super) const SHORT: usize = 2 * BLOCK;

/// `out = cipher(in ⊕ pre) ⊕ post` for whole blocks.
#[inline(always)]
pub(super) fn blocks<I: Isa, const BACK: bool>(
    isa: I,
    keys: &Keys,
    io: InOut<'_>,
    pre: Option<&[u8]>,
    post: Option<&[u8]>,
) {
    if const { !in_lanes::<I>() } || io.len() <= const { few::<I>() } {
        serial::blocks::<Keys, BACK>(keys, io, pre, post);
    } else if const { I::REGISTERS >= 32 } {
        tiles::blocks::<I, Keys, 4, BACK>(isa, keys, io, pre, post);
    } else {
        tiles::blocks::<I, Keys, 2, BACK>(isa, keys, io, pre, post);
    }
}

/// Xors the data with the encrypted counters, which are moved on.
#[inline(always)]
pub(super) fn ctr<I: Isa>(isa: I, keys: &Keys, io: InOut<'_>, counter: &mut u128) {
    if const { !in_lanes::<I>() } || io.len() <= const { few::<I>() } {
        serial::ctr(keys, io, counter);
    } else if const { I::REGISTERS >= 32 } {
        tiles::ctr::<I, Keys, 4>(isa, keys, io, counter);
    } else {
        tiles::ctr::<I, Keys, 2>(isa, keys, io, counter);
    }
}

/// Pieces of two blocks of an expanded key.
const KEY_PIECES: usize = 8;

/// Runs chains under keys of a set, or under the only one.
#[inline(always)]
pub(super) fn chains<'d, I: Isa, L: Link<'d>>(isa: I, keys: &[Rc2], chains: &mut [L]) {
    if const { in_lanes::<I>() } {
        side_by_side::chains::<I, Rc2, L, KEY_PIECES>(isa, keys, chains);
    } else {
        serial::chains::<Rc2, L>(keys, chains);
    }
}

/// Ciphers each block in place under the key whose number stands beside it, where there are lanes.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(super) fn each<I: Isa, const BACK: bool>(
    isa: I,
    keys: &[Rc2],
    numbers: &[usize],
    all: &mut [[u8; BLOCK]],
) {
    if const { in_lanes::<I>() } {
        side_by_side::each::<I, Rc2, BACK, KEY_PIECES>(isa, keys, numbers, all);
    }
}

/// How many blocks under their own keys share a pass.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(super) fn lanes<I: Isa>(_: I) -> usize {
    if const { in_lanes::<I>() } { I::BYTES } else { 1 }
}

/// The blocks from which on a message alone fills lanes better than with others, whose keys
/// have to be put into theirs.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(super) fn alone<I: Isa>(_: I) -> usize {
    if const { in_lanes::<I>() } { 10 } else { 1 }
}

/// What runs at a level, in words.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(super) fn describe<I: Isa>(_: I) -> &'static str {
    if const { in_lanes::<I>() } {
        "in 16-bit lanes, mashing by a table in registers; a few blocks scalar"
    } else {
        "scalar, mashing by a table in memory"
    }
}
