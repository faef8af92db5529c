//! Which formulation of RC5 runs: by what the level can do and by length, here and
//! nowhere else.
//!
//! Lanes where an instruction rotates each by another. A few blocks are done sooner one
//! after another, of which the CPU overlaps several.

use lanes::{InOut, Isa};

#[cfg(feature = "alloc")]
use super::BLOCK;
use super::Rc5;
use super::key::Keys;
use super::word::Word;
use crate::block::chains::Link;
use crate::block::{serial, side_by_side, tiles};

/// Bytes that the scalar form takes no longer for than a tile.
const fn few<I: Isa, W: Word>() -> usize {
    let blocks = if I::REGISTERS >= 32 { 2 } else { 8 };
    blocks * size_of::<W::Block>()
}

/// The blocks that are done outside the door.
pub(super) const SHORT: usize = 2;

/// `out = cipher(in ⊕ pre) ⊕ post` for whole blocks.
#[inline(always)]
pub(super) fn blocks<I: Isa, W: Word, const BACK: bool>(
    isa: I,
    keys: &Keys<W>,
    io: InOut<'_>,
    pre: Option<&[u8]>,
    post: Option<&[u8]>,
) {
    if const { !I::ROTATE_BY_NATIVE } || io.len() <= const { few::<I, W>() } {
        serial::blocks::<Keys<W>, BACK>(keys, io, pre, post);
    } else if const { I::REGISTERS >= 32 } {
        tiles::blocks::<I, Keys<W>, 3, BACK>(isa, keys, io, pre, post);
    } else {
        tiles::blocks::<I, Keys<W>, 2, BACK>(isa, keys, io, pre, post);
    }
}

/// Xors the data with the encrypted counters, which are moved on.
#[inline(always)]
pub(super) fn ctr<I: Isa, W: Word>(isa: I, keys: &Keys<W>, io: InOut<'_>, counter: &mut u128) {
    if const { !I::ROTATE_BY_NATIVE } || io.len() <= const { few::<I, W>() } {
        serial::ctr(keys, io, counter);
    } else if const { I::REGISTERS >= 32 } {
        tiles::ctr::<I, Keys<W>, 3>(isa, keys, io, counter);
    } else {
        tiles::ctr::<I, Keys<W>, 2>(isa, keys, io, counter);
    }
}

/// Runs chains under one key, of blocks of any length.
#[inline(always)]
pub(super) fn chains_of_one<'d, I: Isa, W: Word, L: Link<'d>, const BLOCK: usize>(
    isa: I,
    keys: &Keys<W>,
    chains: &mut [L],
) {
    if const { I::ROTATE_BY_NATIVE } {
        tiles::chains::<I, Keys<W>, L, BLOCK, 2>(isa, keys, chains);
    } else {
        serial::chains_of_one::<Keys<W>, L, BLOCK>(keys, chains);
    }
}

/// Pieces of two blocks of an expanded key for the usual rounds.
const KEY_PIECES: usize = (super::ROUNDS as usize + 1).div_ceil(2);

/// Up to how many chains are faster scalar, side by side, than in lanes that are mostly idle.
const FEW_CHAINS: usize = 5;

/// Runs chains under keys of a set, all for the usual rounds, or under the only one.
#[inline(always)]
pub(super) fn chains<'d, I: Isa, L: Link<'d>>(isa: I, keys: &[Rc5], chains: &mut [L]) {
    if const { I::ROTATE_BY_NATIVE } && chains.len() > FEW_CHAINS {
        side_by_side::chains::<I, Rc5, L, KEY_PIECES>(isa, keys, chains);
    } else {
        serial::chains::<Rc5, L>(keys, chains);
    }
}

/// Ciphers each block in place under the key whose number stands beside it, where there are lanes.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(super) fn each<I: Isa, const BACK: bool>(
    isa: I,
    keys: &[Rc5],
    numbers: &[usize],
    all: &mut [[u8; BLOCK]],
) {
    if const { I::ROTATE_BY_NATIVE } {
        side_by_side::each::<I, Rc5, BACK, KEY_PIECES>(isa, keys, numbers, all);
    }
}

/// How many blocks under their own keys share a pass.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(super) fn lanes<I: Isa>(_: I) -> usize {
    if const { I::ROTATE_BY_NATIVE } { I::BYTES } else { 1 }
}

/// The blocks from which on a message alone fills lanes better than with others, whose keys
/// have to be put into theirs.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(super) fn alone<I: Isa>(_: I) -> usize {
    match const { (I::ROTATE_BY_NATIVE, I::REGISTERS >= 32) } {
        (true, true) => 8,
        (true, false) => 4,
        _ => 1,
    }
}

/// What runs at a level, in words.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(super) fn describe<I: Isa>(_: I) -> &'static str {
    if const { I::ROTATE_BY_NATIVE } {
        "in lanes, rotated each by another; a few blocks scalar"
    } else {
        "scalar"
    }
}
