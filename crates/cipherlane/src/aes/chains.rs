//! Chains `v ← E(v ⊕ block)`: one, bound by the latency of the rounds, or many
//! side by side.

use lanes::Isa;

use super::BLOCK;
use super::key::Keys;
use super::ordered::{MOST, rounds};
use crate::block::{Chain, ChainData};

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

/// Moves several chains on by equally long pieces; at most a tile of them. `wide`
/// has the level's registers, few chains do without.
#[inline(always)]
pub(super) fn advance<I: Isa>(
    wide: I,
    keys: Keys<'_>,
    values: &mut [[u8; BLOCK]],
    pieces: &mut [ChainData<'_>],
) {
    let narrow = wide.narrow();
    match values.len() {
        0..=2 => registers::<_, 2>(narrow, keys, values, pieces),
        3..=4 => registers::<_, 4>(narrow, keys, values, pieces),
        5..=MOST => registers::<_, MOST>(narrow, keys, values, pieces),
        n if n <= const { MOST / 2 * I::BYTES / BLOCK } => {
            registers::<I, { MOST / 2 }>(wide, keys, values, pieces);
        }
        _ => registers::<I, MOST>(wide, keys, values, pieces),
    }
}

/// The input block of a piece; any block where there is no piece.
#[inline(always)]
fn block<'p>(pieces: &'p [ChainData<'_>], piece: usize, offset: usize) -> &'p [u8; BLOCK] {
    pieces.get(piece).map_or(&[0; BLOCK], |piece| piece.block::<BLOCK>(offset))
}

/// As many chains as `U` registers hold, or fewer.
#[inline(always)]
fn registers<I: Isa, const U: usize>(
    isa: I,
    keys: Keys<'_>,
    values: &mut [[u8; BLOCK]],
    pieces: &mut [ChainData<'_>],
) {
    let blocks = const { I::BYTES / BLOCK };
    let len = pieces.iter().map(ChainData::len).min().unwrap_or(0);
    let (first, last) = (isa.splat128(keys.first), [isa.splat128(keys.last); U]);
    let mut state = [first; U];
    for u in 0..U {
        let at = |i| values.get(u * blocks + i).unwrap_or(&[0; BLOCK]);
        state[u] = isa.load_blocks([at(0), at(1), at(2), at(3)]);
    }
    let mut bytes = [0; 64];
    for offset in (0..len).step_by(BLOCK) {
        for u in 0..U {
            let at = |i| block(pieces, u * blocks + i, offset);
            let input = isa.load_blocks([at(0), at(1), at(2), at(3)]);
            state[u] = isa.xor3(state[u], input, first);
        }
        rounds::<I, U, false>(isa, keys, &mut state, &last);
        for u in 0..U {
            isa.store(state[u], &mut bytes);
            for i in 0..blocks {
                if let Some(piece) = pieces.get_mut(u * blocks + i) {
                    piece.put::<BLOCK>(offset, &bytes.as_chunks().0[i]);
                }
            }
        }
    }
    for u in 0..U {
        isa.store(state[u], &mut bytes);
        for i in 0..blocks {
            if let Some(value) = values.get_mut(u * blocks + i) {
                *value = bytes.as_chunks().0[i];
            }
        }
    }
}
