//! Chains `v ← E(v ⊕ block)`: one, bound by the latency of the rounds, or many
//! side by side, which can go as those of CFB and OFB do, too.

use lanes::{Isa, Streams};

use super::kept_keys::Kept;
use super::register_blocks::{MOST, rounds};
use super::round_keys::Keys;
use super::{BLOCK, feedback};
use crate::traits::block::{Chain, ChainData, WholeMode};

/// Runs one chain from `offset` to its end. What follows a block's last round, up
/// to the next block's first, is contained in the last round's key: a step takes
/// the rounds' latency and no more.
#[inline(always)]
pub(super) fn serial<I: Isa>(isa: I, keys: Keys<'_>, chain: &mut Chain<'_>, offset: usize) {
    let len = chain.data.len();
    if offset == len {
        return;
    }
    let (first, last) = (isa.splat128(keys.first), isa.splat128(keys.last));
    let mut value = [0; BLOCK];
    let input = isa.load(chain.data.block::<BLOCK>(offset));
    let mut state = [isa.xor3(isa.load(chain.value), input, first)];
    for at in (offset..len - BLOCK).step_by(BLOCK) {
        let next = isa.xor(isa.load(chain.data.block::<BLOCK>(at + BLOCK)), first);
        rounds::<I, 1, false>(isa, keys, &mut state, &[isa.xor(last, next)]);
        isa.store(isa.xor(state[0], next), &mut value);
        chain.data.put(at, &value);
    }
    rounds::<I, 1, false>(isa, keys, &mut state, &[last]);
    isa.store(state[0], &mut value);
    chain.data.put(len - BLOCK, &value);
    chain.value.copy_from_slice(&value);
}

/// The same of any mode whose blocks wait for each other.
#[inline(always)]
pub(super) fn last<I: Isa>(
    isa: I,
    keys: Keys<'_>,
    mode: WholeMode,
    chain: &mut Chain<'_>,
    offset: usize,
) {
    let len = chain.data.len();
    match (mode, chain.data.part(offset, len - offset), chain.value.first_chunk_mut()) {
        (WholeMode::CfbEncrypt, ChainData::Encrypt(mut io), Some(value)) => {
            feedback::serial::<I, false>(isa, keys, &mut io, value);
        }
        (WholeMode::Ofb, ChainData::Encrypt(mut io), Some(value)) => {
            feedback::serial::<I, true>(isa, keys, &mut io, value);
        }
        _ => serial(isa, keys, chain, offset),
    }
}

/// Where chains side by side take their round keys from.
trait Rounds<I: Isa>: Copy {
    /// The first key of register `u`.
    fn first(self, isa: I, u: usize) -> I::V;

    /// All rounds but the first key's addition.
    fn run<const U: usize>(self, isa: I, state: &mut [I::V; U]);
}

impl<I: Isa> Rounds<I> for Keys<'_> {
    #[inline(always)]
    fn first(self, isa: I, _: usize) -> I::V {
        isa.splat128(self.first)
    }

    #[inline(always)]
    fn run<const U: usize>(self, isa: I, state: &mut [I::V; U]) {
        rounds::<I, U, false>(isa, self, state, &[isa.splat128(self.last); U]);
    }
}

impl<I: Isa> Rounds<I> for &Kept {
    #[inline(always)]
    fn first(self, isa: I, u: usize) -> I::V {
        self.key(isa, 0, u)
    }

    #[inline(always)]
    fn run<const U: usize>(self, isa: I, state: &mut [I::V; U]) {
        for r in 1..self.rounds {
            for u in 0..U {
                state[u] = isa.aes_encrypt_round(state[u], self.key(isa, r, u));
            }
        }
        for u in 0..U {
            state[u] = isa.aes_encrypt_last(state[u], self.key(isa, self.rounds, u));
        }
    }
}

/// The most chains side by side: in [`MOST`] registers of 32 bytes, or half as many of 64, since with
/// all of them squares of blocks leave none of 32 registers for states and keys
/// (docs/notes/lanes-by-number.md).
pub(super) const LANES: usize = MOST * 2;

/// Whether they take half of the registers.
const fn half_the_registers<I: Isa>() -> bool {
    I::BYTES / BLOCK * (MOST / 2) == LANES
}

/// The pieces, to be read and written side by side.
#[inline(always)]
fn streams<'p>(pieces: &'p mut [ChainData<'_>]) -> Streams<'p, LANES> {
    let mut streams = Streams::new();
    for piece in pieces.iter_mut() {
        match piece {
            ChainData::Encrypt(io) => streams.push(io.reborrow()),
            ChainData::Absorb(data) => streams.push_input(data),
        }
    }
    streams
}

/// Moves several chains under one key on by equally long pieces; at most a tile of them.
/// `wide` has the level's registers, few chains do without.
#[inline(always)]
pub(super) fn advance<I: Isa>(
    wide: I,
    keys: Keys<'_>,
    mode: WholeMode,
    values: &mut [[u8; BLOCK]],
    pieces: &mut [ChainData<'_>],
) {
    let narrow = wide.narrow();
    let mut streams = streams(pieces);
    match values.len() {
        0..=2 => registers::<_, _, 2>(narrow, keys, mode, values, &mut streams),
        3..=4 => registers::<_, _, 4>(narrow, keys, mode, values, &mut streams),
        5..=MOST => registers::<_, _, MOST>(narrow, keys, mode, values, &mut streams),
        n if n <= const { MOST / 2 * I::BYTES / BLOCK } || const { half_the_registers::<I>() } => {
            registers::<I, _, { MOST / 2 }>(wide, keys, mode, values, &mut streams);
        }
        _ => registers::<I, _, MOST>(wide, keys, mode, values, &mut streams),
    }
}

/// The same, each chain under its own key.
#[inline(always)]
pub(super) fn advance_own<I: Isa>(
    isa: I,
    keys: &Kept,
    mode: WholeMode,
    values: &mut [[u8; BLOCK]],
    pieces: &mut [ChainData<'_>],
) {
    let mut streams = streams(pieces);
    match values.len().div_ceil(const { I::BYTES / BLOCK }) {
        0..=2 => registers::<I, _, 2>(isa, keys, mode, values, &mut streams),
        n if n <= MOST / 2 || const { half_the_registers::<I>() } => {
            registers::<I, _, { MOST / 2 }>(isa, keys, mode, values, &mut streams);
        }
        _ => registers::<I, _, MOST>(isa, keys, mode, values, &mut streams),
    }
}

/// The blocks of a chain in a register of 64 bytes, and the chains beside each other in one.
const SQUARE: usize = 4;

/// Four blocks of every chain. A register is read from one chain, and four such registers are a square
/// of blocks whose columns are the steps: two shuffles a step instead of three insertions and three
/// extractions, which cost more than the rounds' latency hides (docs/notes/lanes-by-number.md).
#[inline(always)]
fn square<I: Isa, R: Rounds<I>, const U: usize>(
    isa: I,
    keys: R,
    mode: WholeMode,
    state: &mut [I::V; U],
    streams: &mut Streams<'_, LANES>,
    offset: usize,
) {
    let mut blocks = [[isa.zero(); SQUARE]; U];
    for u in 0..U {
        blocks[u] = isa.transpose_groups(streams.load_each(isa, SQUARE * u, offset));
    }
    for step in 0..SQUARE {
        for u in 0..U {
            let first = keys.first(isa, u);
            state[u] = if mode == WholeMode::CbcEncrypt {
                isa.xor3(state[u], blocks[u][step], first)
            } else {
                isa.xor(state[u], first)
            };
        }
        keys.run(isa, state);
        for u in 0..U {
            if mode == WholeMode::CbcEncrypt {
                blocks[u][step] = state[u];
            } else {
                blocks[u][step] = isa.xor(state[u], blocks[u][step]);
                if mode != WholeMode::Ofb {
                    state[u] = blocks[u][step];
                }
            }
        }
    }
    for u in 0..U {
        streams.store_each(isa, SQUARE * u, offset, isa.transpose_groups(blocks[u]));
    }
}

/// As many chains as `U` registers hold, or fewer.
#[inline(always)]
fn registers<I: Isa, R: Rounds<I>, const U: usize>(
    isa: I,
    keys: R,
    mode: WholeMode,
    values: &mut [[u8; BLOCK]],
    streams: &mut Streams<'_, LANES>,
) {
    let blocks = const { I::BYTES / BLOCK };
    let mut bytes = [[0; BLOCK]; LANES];
    bytes[..values.len()].copy_from_slice(values);
    let mut state = [isa.zero(); U];
    for u in 0..U {
        state[u] = isa.load(bytes[u * blocks..].as_flattened());
    }
    let mut begin = 0;
    if const { I::BYTES / BLOCK == SQUARE } {
        while streams.len() - begin >= SQUARE * BLOCK {
            square(isa, keys, mode, &mut state, streams, begin);
            begin += SQUARE * BLOCK;
        }
    }
    for offset in (begin..streams.len()).step_by(BLOCK) {
        if mode == WholeMode::CbcEncrypt {
            for u in 0..U {
                let input = streams.load_blocks(isa, u * blocks, offset);
                state[u] = isa.xor3(state[u], input, keys.first(isa, u));
            }
            keys.run(isa, &mut state);
            for u in 0..U {
                streams.store_blocks(isa, u * blocks, offset, state[u]);
            }
            continue;
        }
        for u in 0..U {
            state[u] = isa.xor(state[u], keys.first(isa, u));
        }
        keys.run(isa, &mut state);
        for u in 0..U {
            let input = streams.load_blocks(isa, u * blocks, offset);
            let output = isa.xor(state[u], input);
            streams.store_blocks(isa, u * blocks, offset, output);
            if mode != WholeMode::Ofb {
                state[u] = output;
            }
        }
    }
    for u in 0..U {
        isa.store(state[u], bytes[u * blocks..].as_flattened_mut());
    }
    values.copy_from_slice(&bytes[..values.len()]);
}
