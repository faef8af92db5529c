//! Which formulation of a cipher of small blocks runs: by what the level can do and by length, as
//! the cipher says in its `formulation.rs`.

use lanes::{InOut, Isa};

use super::chains::Link;
#[cfg(feature = "alloc")]
use super::lane_keys::BLOCK;
use super::tile_cipher::{TileCipher, Under};
use super::{multi_buffer, serial, tiles};

/// What a cipher knows of a level.
pub(crate) trait Formulation<I: Isa>: TileCipher {
    /// Whether there are lanes; everything is scalar where not.
    const LANES: bool;

    /// Groups of a tile where there are 32 registers, 3 or 4; where there are fewer, 2 are a tile.
    const GROUPS: usize;

    /// Bytes for which the scalar form takes no longer than a tile.
    const SCALAR_BYTES: usize;

    /// Bytes of four registers of 16 bytes where they go through those: of 32 bytes, half of each
    /// would be empty. 0 where there is no need.
    const NARROW: usize = 0;

    /// Up to how many chains are faster scalar, overlapped by the CPU, than in lanes of which most
    /// are idle.
    const FEW_CHAINS: usize = 0;

    /// The blocks from which on a message alone fills lanes better than with others, whose keys
    /// have to be put into theirs.
    #[cfg_attr(not(feature = "alloc"), expect(dead_code, reason = "only key sets ask"))]
    const SINGLE_BLOCKS: usize;
}

/// Blocks that are done outside the door.
pub(crate) const SHORT: usize = 2;

/// `out = cipher(in ⊕ pre) ⊕ post` for whole blocks.
#[inline(always)]
pub(crate) fn blocks<I: Isa, C: Formulation<I>, const DECRYPT: bool>(
    isa: I,
    keys: &C,
    io: InOut<'_>,
    pre: Option<&[u8]>,
    post: Option<&[u8]>,
) {
    if const { !C::LANES } || io.len() <= C::SCALAR_BYTES {
        serial::blocks::<C, DECRYPT>(keys, io, pre, post);
    } else if const { I::BYTES == 32 && C::NARROW > 0 } && io.len() <= C::NARROW {
        tiles::blocks::<I::Narrow, C, 1, DECRYPT>(isa.narrow(), keys, io, pre, post);
    } else if const { I::REGISTERS < 32 } {
        tiles::blocks::<I, C, 2, DECRYPT>(isa, keys, io, pre, post);
    } else if const { C::GROUPS == 3 } {
        tiles::blocks::<I, C, 3, DECRYPT>(isa, keys, io, pre, post);
    } else {
        const { assert!(C::GROUPS == 4 || C::GROUPS == 3) };
        tiles::blocks::<I, C, 4, DECRYPT>(isa, keys, io, pre, post);
    }
}

/// Xors the data with the encrypted counters, which are moved on.
#[inline(always)]
pub(crate) fn ctr<I: Isa, C: Formulation<I>>(isa: I, keys: &C, io: InOut<'_>, counter: &mut u128) {
    if const { !C::LANES } || io.len() <= C::SCALAR_BYTES {
        serial::ctr(keys, io, counter);
    } else if const { I::BYTES == 32 && C::NARROW > 0 } && io.len() <= C::NARROW {
        tiles::ctr::<I::Narrow, C, 1>(isa.narrow(), keys, io, counter);
    } else if const { I::REGISTERS < 32 } {
        tiles::ctr::<I, C, 2>(isa, keys, io, counter);
    } else if const { C::GROUPS == 3 } {
        tiles::ctr::<I, C, 3>(isa, keys, io, counter);
    } else {
        tiles::ctr::<I, C, 4>(isa, keys, io, counter);
    }
}

/// Runs chains under one key, of blocks of any length.
#[cfg(feature = "rc5")]
#[inline(always)]
pub(crate) fn chains_of_one<'d, I, C, L, const BLOCK: usize>(isa: I, keys: &C, chains: &mut [L])
where
    I: Isa,
    C: Formulation<I>,
    L: Link<'d>,
{
    if const { C::LANES } {
        tiles::chains::<I, C, L, BLOCK, 2>(isa, keys, chains);
    } else {
        serial::chains_of_one::<C, L, BLOCK>(keys, chains);
    }
}

/// Runs chains under keys of a set, all of `P` pieces, or under the only one.
#[inline(always)]
pub(crate) fn chains<'d, I, T, L, const P: usize>(isa: I, keys: &[T], chains: &mut [L])
where
    I: Isa,
    T: Under<Keys: Formulation<I>>,
    L: Link<'d>,
{
    if const { T::Keys::LANES } && chains.len() > T::Keys::FEW_CHAINS {
        multi_buffer::chains::<I, T, L, P>(isa, keys, chains);
    } else {
        serial::chains::<T, L>(keys, chains);
    }
}

/// Ciphers each block in place under the key whose number stands beside it, where there are lanes.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn each<I: Isa, T: Under<Keys: Formulation<I>>, const DECRYPT: bool, const P: usize>(
    isa: I,
    keys: &[T],
    numbers: &[usize],
    all: &mut [[u8; BLOCK]],
) {
    if const { T::Keys::LANES } {
        multi_buffer::each::<I, T, DECRYPT, P>(isa, keys, numbers, all);
    }
}

/// How many blocks under their own keys share a pass.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn lanes<I: Isa, C: Formulation<I>>(_: I) -> usize {
    if const { C::LANES } { I::BYTES } else { 1 }
}

/// The blocks of a message from which on it goes alone.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn single_from<I: Isa, C: Formulation<I>>(_: I) -> usize {
    if const { C::LANES } { C::SINGLE_BLOCKS } else { 1 }
}
