//! AES on blocks in order in registers, by the lanes' AES rounds.
//!
//! A tile is up to [`MOST`] registers that go through the rounds together: the
//! round's instruction has a latency of several cycles but starts anew every
//! cycle or faster. Rounds are outside, registers inside, so that a round key is
//! fetched once for a tile.

use lanes::{InOut, Isa};

use super::round_keys::Keys;

/// Registers of a tile.
pub(super) const MOST: usize = 8;

/// All rounds but the first key's addition; the last key is `last`, one for each
/// register, in which a stream that is added behind may already be contained.
///
/// The rounds stand one after another in the code: a loop over them costs a
/// mispredicted branch where it matters most, at one block.
#[inline(always)]
pub(super) fn rounds<I: Isa, const U: usize, const DECRYPT: bool>(
    isa: I,
    keys: Keys<'_>,
    state: &mut [I::V; U],
    last: &[I::V; U],
) {
    for r in 0..9 {
        round::<I, U, DECRYPT>(isa, &keys.middle[r], state);
    }
    late_rounds::<I, U, DECRYPT>(isa, keys, state);
    for u in 0..U {
        state[u] = if DECRYPT {
            isa.aes_decrypt_last(state[u], last[u])
        } else {
            isa.aes_encrypt_last(state[u], last[u])
        };
    }
}

/// The rounds between the nine that all variants have and the last.
#[inline(always)]
pub(super) fn late_rounds<I: Isa, const U: usize, const DECRYPT: bool>(
    isa: I,
    keys: Keys<'_>,
    state: &mut [I::V; U],
) {
    if keys.rounds > 10 {
        for r in 9..11 {
            round::<I, U, DECRYPT>(isa, &keys.middle[r], state);
        }
        if keys.rounds > 12 {
            for r in 11..13 {
                round::<I, U, DECRYPT>(isa, &keys.middle[r], state);
            }
        }
    }
}

/// One round that is not the last.
#[inline(always)]
pub(super) fn round<I: Isa, const U: usize, const DECRYPT: bool>(
    isa: I,
    key: &[u8; 16],
    state: &mut [I::V; U],
) {
    let key = isa.splat128(key);
    for u in 0..U {
        state[u] = if DECRYPT {
            isa.aes_decrypt_round(state[u], key)
        } else {
            isa.aes_encrypt_round(state[u], key)
        };
    }
}

/// One tile of exactly `U` registers: `out = cipher(in ⊕ pre) ⊕ post`.
#[inline(always)]
fn tile<I: Isa, const U: usize, const DECRYPT: bool>(
    isa: I,
    keys: Keys<'_>,
    io: &mut InOut<'_>,
    offset: usize,
    pre: Option<&[u8]>,
    post: Option<&[u8]>,
) {
    let range = offset..offset + const { U * I::BYTES };
    let mut io = io.part(offset, range.len());
    let first = isa.splat128(keys.first);
    let mut state = [first; U];
    for u in 0..U {
        state[u] = isa.xor(io.load(isa, u * I::BYTES), first);
    }
    if let Some(pre) = pre {
        let pre = &pre[range.clone()];
        for u in 0..U {
            state[u] = isa.xor(state[u], isa.load(&pre[u * I::BYTES..]));
        }
    }
    let mut last = [isa.splat128(keys.last); U];
    if let Some(post) = post {
        let post = &post[range];
        for u in 0..U {
            last[u] = isa.xor(last[u], isa.load(&post[u * I::BYTES..]));
        }
    }
    rounds::<I, U, DECRYPT>(isa, keys, &mut state, &last);
    for u in 0..U {
        io.store(isa, u * I::BYTES, state[u]);
    }
}

/// Any number of whole registers.
#[inline(always)]
pub(super) fn blocks<I: Isa, const DECRYPT: bool>(
    isa: I,
    keys: Keys<'_>,
    mut io: InOut<'_>,
    pre: Option<&[u8]>,
    post: Option<&[u8]>,
) {
    let mut offset = 0;
    while io.len() - offset >= const { MOST * I::BYTES } {
        tile::<I, MOST, DECRYPT>(isa, keys, &mut io, offset, pre, post);
        offset += const { MOST * I::BYTES };
    }
    match (io.len() - offset) / I::BYTES {
        0 => {}
        1 => tile::<I, 1, DECRYPT>(isa, keys, &mut io, offset, pre, post),
        2 => tile::<I, 2, DECRYPT>(isa, keys, &mut io, offset, pre, post),
        3 => tile::<I, 3, DECRYPT>(isa, keys, &mut io, offset, pre, post),
        4 => tile::<I, 4, DECRYPT>(isa, keys, &mut io, offset, pre, post),
        5 => tile::<I, 5, DECRYPT>(isa, keys, &mut io, offset, pre, post),
        6 => tile::<I, 6, DECRYPT>(isa, keys, &mut io, offset, pre, post),
        _ => tile::<I, 7, DECRYPT>(isa, keys, &mut io, offset, pre, post),
    }
}

/// What is left behind whole registers of up to four blocks: none to three.
#[inline(always)]
pub(super) fn fewer_blocks<I: Isa, const DECRYPT: bool>(
    isa: I,
    keys: Keys<'_>,
    mut io: InOut<'_>,
    pre: Option<&[u8]>,
    post: Option<&[u8]>,
) {
    match io.len() / I::BYTES {
        0 => {}
        1 => tile::<I, 1, DECRYPT>(isa, keys, &mut io, 0, pre, post),
        2 => tile::<I, 2, DECRYPT>(isa, keys, &mut io, 0, pre, post),
        _ => tile::<I, 3, DECRYPT>(isa, keys, &mut io, 0, pre, post),
    }
}
