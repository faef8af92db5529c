//! Chains side by side in lanes, and blocks under keys of their own, for ciphers of 8-byte
//! blocks.
//!
//! A chain's value stays in words from one block to the next; a step adds a block of each
//! piece, runs the rounds and stores what they give. Pieces are read and written two blocks
//! at a time: unpacking puts the first blocks of a register's chains into one register, the
//! second ones into another.
//!
//! ```text
//! chains under one key:          keys = that key in every lane, from memory
//! chains under keys of their own: kept = a row of lane keys for each word of the schedule;
//!                                 when a lane gets another chain, its column is written anew
//! schedule (`chains.rs`) calls advance(values, pieces of equal length):
//!     words = transpose(values)
//!     for two blocks of each piece at a time (one, where one is left):
//!         a, b = unpack(first blocks, second blocks)
//!         words = rounds(words ⊕ a);  out a = words
//!         words = rounds(words ⊕ b);  out b = words
//!         store, unpacked the other way
//!     values = transpose back(words)
//! ```

use core::marker::PhantomData;

use lanes::{Isa, Streams};

use super::chains::{self, LaneKeys as Numbers, Link};
use super::lane_keys::{self, BLOCK, GROUP, Kept, Own, Pieces};
use super::serial;
use super::tile_cipher::Under;
use super::tile_cipher::{Common, LaneKeys, TileCipher};
use crate::aligned::Aligned;
use crate::secret::Secret;
use crate::traits::block::ChainData;

/// The most lanes: two groups of 64-byte registers.
const MOST: usize = 64;

/// Where the block of a chain lies among a group's, its registers having `n` groups of 16
/// bytes: the first half of a register's chains is unpacked with the second.
#[inline(always)]
const fn place(chain: usize, n: usize) -> usize {
    let in_register = chain % (2 * n);
    chain - in_register + 2 * (in_register % n) + in_register / n
}

/// Runs chains under keys of a set of `P` pieces each, or under the only one.
#[inline(always)]
pub(crate) fn chains<'d, I: Isa, T: Under, L: Link<'d>, const P: usize>(
    isa: I,
    keys: &[T],
    chains: &mut [L],
) {
    // The narrow levels' groups are small.
    match (const { I::BYTES }, chains.len() <= const { I::BYTES / 2 }) {
        (16, true) => grouped::<I, T, L, P, 1, 8>(isa, keys, chains),
        (16, false) => grouped::<I, T, L, P, 2, 16>(isa, keys, chains),
        (32, true) => grouped::<I, T, L, P, 1, 16>(isa, keys, chains),
        (32, false) => grouped::<I, T, L, P, 2, 32>(isa, keys, chains),
        (_, true) => grouped::<I, T, L, P, 1, 32>(isa, keys, chains),
        (_, false) => grouped::<I, T, L, P, 2, 64>(isa, keys, chains),
    }
}

/// The same in `G` groups of lanes, `LANES` together.
#[inline(always)]
fn grouped<
    'd,
    I: Isa,
    T: Under,
    L: Link<'d>,
    const P: usize,
    const G: usize,
    const LANES: usize,
>(
    isa: I,
    keys: &[T],
    chains: &mut [L],
) {
    let first = chains.first().map_or(0, Link::key);
    let mut common = true;
    for link in &*chains {
        common &= link.key() == first;
    }
    if common {
        let Some(cipher) = keys.get(first) else { return };
        let under = Common::<T::Keys, false>(cipher.keys());
        return chains::schedule::<L, BLOCK, LANES>(
            chains,
            #[inline(always)]
            |values, pieces, _| advance::<I, T::Keys, _, G>(isa, under, values, pieces),
            #[inline(always)]
            |chain, offset, key| serial::one_chain(keys[key].keys(), chain, offset),
        );
    }
    let mut kept = Secret(Kept::<P, G>::EMPTY);
    let mut pieces = [[lane_keys::pieces::<T::Keys, false, P>(keys[first].keys()); GROUP]; G];
    chains::schedule::<L, BLOCK, LANES>(
        chains,
        #[inline(always)]
        |values, data, numbers| {
            update::<I, T, P, G>(isa, &mut kept.0, &mut pieces, keys, numbers);
            let own = Own::<T::Keys, P, G>(&kept.0, PhantomData);
            advance::<I, T::Keys, _, G>(isa, own, values, data);
        },
        #[inline(always)]
        |chain, offset, key| serial::one_chain(keys[key].keys(), chain, offset),
    );
}

/// The keys of the lanes in use, of which some have changed.
#[inline(always)]
fn update<'k, I: Isa, T: Under, const P: usize, const G: usize>(
    isa: I,
    kept: &mut Kept<P, G>,
    pieces: &mut [[&'k Pieces<P>; GROUP]; G],
    keys: &'k [T],
    numbers: Numbers<'_>,
) {
    if numbers.changed == 0 {
        return;
    }
    let (n, lanes) = const { (I::BYTES / 16, I::BYTES / 2) };
    for (lane, &number) in numbers.numbers.iter().enumerate() {
        if numbers.changed >> lane & 1 != 0 {
            let place = place(lane, n);
            pieces[place / lanes][place % lanes] =
                lane_keys::pieces::<_, false, P>(keys[number].keys());
        }
    }
    for g in 0..G {
        if numbers.changed >> (g * lanes) & ((1 << lanes) - 1) != 0 {
            kept.enter::<I, T::Keys>(isa, g, &pieces[g]);
        }
    }
}

/// The data of the lanes.
#[expect(clippy::large_enum_variant, reason = "it stays where it is made, for one call")]
enum Data<'p, 'd> {
    /// One block of each lane.
    Single(&'p mut [ChainData<'d>]),
    /// Two blocks or more of each lane.
    Streams(Streams<'p, MOST>),
}

/// Registers in memory, of two steps.
type Stage<const G: usize> = [[[[u8; 64]; 4]; G]; 2];

/// Moves chains on by equally long pieces.
#[inline(always)]
fn advance<I: Isa, C: TileCipher<Block = u64>, K: LaneKeys<I>, const G: usize>(
    isa: I,
    keys: K,
    values: &mut [[u8; BLOCK]],
    pieces: &mut [ChainData<'_>],
) {
    let n = const { I::BYTES / 16 };
    let len = pieces.first().map_or(0, ChainData::len);
    let mut pieces = if len < 2 * BLOCK {
        Data::Single(pieces)
    } else {
        let mut streams = Streams::new();
        for piece in pieces {
            match piece {
                ChainData::Encrypt(io) => streams.push(io.reborrow()),
                ChainData::Absorb(data) => streams.push_input(data),
            }
        }
        Data::Streams(streams)
    };
    let mut blocks = [[0; BLOCK]; MOST];
    for (i, value) in values.iter().enumerate() {
        let at = place(i, n);
        blocks[at] = *value;
    }
    let mut state = [[isa.zero(); 4]; G];
    for g in 0..G {
        for i in 0..4 {
            state[g][i] =
                isa.load(blocks[(4 * g + i) * const { I::BYTES / BLOCK }..].as_flattened());
        }
        state[g] = C::enter(isa, state[g]);
    }
    let mut stage: Aligned<Stage<G>> = Aligned([[[[0; 64]; 4]; G]; 2]);
    let stage = &mut stage.0;
    let mut offset = 0;
    while offset < len {
        // A last block without another goes with the one before, which is written again.
        let again = len - offset < 2 * BLOCK && len >= 2 * BLOCK;
        match &mut pieces {
            Data::Single(pieces) => {
                for (i, piece) in pieces.iter().enumerate() {
                    let (group, place) = (i / (8 * n), place(i, n) % (8 * n));
                    let register = &mut stage[0][group][place / (2 * n)];
                    register.as_chunks_mut().0[place % (2 * n)] = *piece.block::<BLOCK>(0);
                }
            }
            Data::Streams(streams) => {
                if again {
                    stage[0] = stage[1];
                }
                let at = if again { offset - BLOCK } else { offset };
                load::<I, G>(isa, streams, (at, values.len(), again), stage);
            }
        }
        let (from, to) = if again { (1, 2) } else { (0, if len < 2 * BLOCK { 1 } else { 2 }) };
        for step in from..to {
            let stage = &mut stage[step];
            for g in 0..G {
                let mut input = [isa.zero(); 4];
                for i in 0..4 {
                    input[i] = isa.load(&stage[g][i]);
                }
                let input = C::enter(isa, input);
                for i in 0..4 {
                    state[g][i] = isa.xor(state[g][i], input[i]);
                }
            }
            C::rounds::<I, K, G, false>(isa, keys, &mut state);
            for g in 0..G {
                let output = C::leave(isa, state[g]);
                for i in 0..4 {
                    isa.store(output[i], &mut stage[g][i]);
                }
            }
        }
        match &mut pieces {
            Data::Single(pieces) => {
                for (i, piece) in pieces.iter_mut().enumerate() {
                    let (group, place) = (i / (8 * n), place(i, n) % (8 * n));
                    let register = &stage[0][group][place / (2 * n)];
                    piece.put(0, &register.as_chunks::<BLOCK>().0[place % (2 * n)]);
                }
            }
            Data::Streams(streams) => {
                let at = if again { offset - BLOCK } else { offset };
                store::<I, G>(isa, streams, (at, values.len()), stage);
            }
        }
        offset += (to - from) * BLOCK;
    }
    for g in 0..G {
        let output = C::leave(isa, state[g]);
        for i in 0..4 {
            let at = (4 * g + i) * const { I::BYTES / BLOCK };
            isa.store(output[i], blocks[at..].as_flattened_mut());
        }
    }
    for (i, value) in values.iter_mut().enumerate() {
        let at = place(i, n);
        *value = blocks[at];
    }
}

/// How many registers of two blocks hold `count` pieces. Of two groups those at work, by a loop that
/// stays one, as bytes go from memory to memory; of one group all.
#[inline(always)]
fn registers<I: Isa, const G: usize>(count: usize) -> usize {
    if G == 1 { 4 } else { count.div_ceil(const { I::BYTES / 8 }) }
}

/// Two blocks of each of `count` pieces; `last` keeps the second ones only.
#[inline(always)]
fn load<I: Isa, const G: usize>(
    isa: I,
    streams: &Streams<'_, MOST>,
    (offset, count, last): (usize, usize, bool),
    stage: &mut Stage<G>,
) {
    let n = const { I::BYTES / 16 };
    let [first, second] = stage;
    let registers = first.as_flattened_mut().iter_mut().zip(second.as_flattened_mut());
    for (r, (first, second)) in registers.enumerate().take(self::registers::<I, G>(count)) {
        let a = streams.load_blocks(isa, 2 * n * r, offset);
        let b = streams.load_blocks(isa, 2 * n * r + n, offset);
        if !last {
            isa.store(isa.unpack_low64(a, b), first);
        }
        isa.store(isa.unpack_high64(a, b), second);
    }
}

/// Writes two blocks of each of `count` pieces.
#[inline(always)]
fn store<I: Isa, const G: usize>(
    isa: I,
    streams: &mut Streams<'_, MOST>,
    (offset, count): (usize, usize),
    [first, second]: &Stage<G>,
) {
    let n = const { I::BYTES / 16 };
    let registers = first.as_flattened().iter().zip(second.as_flattened());
    for (r, (first, second)) in registers.enumerate().take(self::registers::<I, G>(count)) {
        let (a, b) = (isa.load(first), isa.load(second));
        streams.store_blocks(isa, 2 * n * r, offset, isa.unpack_low64(a, b));
        streams.store_blocks(isa, 2 * n * r + n, offset, isa.unpack_high64(a, b));
    }
}

/// Ciphers each block in place under the key whose number stands beside it, a group of lanes after
/// the other.
#[inline(always)]
pub(crate) fn each<I: Isa, T: Under, const DECRYPT: bool, const P: usize>(
    isa: I,
    keys: &[T],
    numbers: &[usize],
    blocks: &mut [[u8; BLOCK]],
) {
    let lanes = const { I::BYTES / 2 };
    let mut kept = Secret(Kept::<P, 1>::EMPTY);
    for (numbers, blocks) in numbers.chunks(lanes).zip(blocks.chunks_mut(lanes)) {
        let first = numbers[0];
        let first = lane_keys::pieces::<T::Keys, DECRYPT, P>(keys[first].keys());
        let mut pieces = [first; GROUP];
        for (pieces, &number) in pieces.iter_mut().zip(numbers) {
            *pieces = lane_keys::pieces::<T::Keys, DECRYPT, P>(keys[number].keys());
        }
        kept.0.enter::<I, T::Keys>(isa, 0, &pieces);
        let own = Own::<T::Keys, P, 1>(&kept.0, PhantomData);
        tile::<I, T::Keys, _, DECRYPT>(isa, own, blocks);
    }
}

/// At most one group of blocks.
#[inline(always)]
fn tile<I: Isa, C: TileCipher<Block = u64>, K: LaneKeys<I>, const DECRYPT: bool>(
    isa: I,
    keys: K,
    blocks: &mut [[u8; BLOCK]],
) {
    let data = blocks.as_flattened_mut();
    let mut state = [isa.zero(); 4];
    for i in 0..4 {
        if i * I::BYTES < data.len() {
            state[i] = isa.load_part(&data[i * I::BYTES..]);
        }
    }
    let mut state = [C::enter(isa, state)];
    C::rounds::<I, _, 1, DECRYPT>(isa, keys, &mut state);
    let state = C::leave(isa, state[0]);
    for i in 0..4 {
        if i * I::BYTES < data.len() {
            isa.store_part(state[i], &mut data[i * I::BYTES..]);
        }
    }
}
