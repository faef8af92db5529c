//! A short GCM message in one pass: counters, rounds, hash and tag without a detour
//! through memory.
//!
//! What a short message costs otherwise is not work but waiting: each step would store
//! bytes that the next loads in another width, which the CPU forwards late or not at all.
//! The block that masks the tag is a register of its own, so that data need not be moved
//! by a block; the hash's sum is reduced once.

use lanes::Isa;

use super::counter::pair;
use super::key::Keys;
use super::ordered::rounds;
use crate::aead::gcm::ShortMessage;
use crate::mac::ghash::{Factor, Sum};

/// The longest register in bytes.
const WIDEST: usize = 64;
/// The byte shuffle that reverses a block.
const REVERSE: [u8; 16] = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];

/// For every block of a message how far its counter is from that of the tag's mask, in the
/// low 32 bits of the block.
const BEHIND: [u8; 16 * WIDEST / 4] = {
    let mut behind = [0; 16 * WIDEST / 4];
    let mut block = 0;
    while block < behind.len() / 16 {
        behind[16 * block] = block as u8 + 1;
        block += 1;
    }
    behind
};

/// As many bytes set as a register has, in front of as many that are not.
const SET: [u8; 2 * WIDEST] = {
    let mut set = [0; 2 * WIDEST];
    let mut i = 0;
    while i < WIDEST {
        set[i] = 0xff;
        i += 1;
    }
    set
};

/// One message of at most `U - 1` registers, whose blocks, those of the associated data and
/// one more are no more than there are powers of the hash key. `WHOLE` tells that the
/// data fill their registers, which then need no care at the end.
#[inline(always)]
pub(super) fn message<I: Isa, const U: usize, const WHOLE: bool, const OPEN: bool>(
    isa: I,
    keys: Keys<'_>,
    message: &mut ShortMessage<'_, '_>,
) {
    let ShortMessage { hash, counter, aad, io, tag } = message;
    let len = io.len();
    // Bytes reversed, a counter's last 32 bits are the first lane, which wraps by itself.
    let mask = pair(isa, *counter as u64, (*counter >> 64) as u64);
    let (first, reverse) = (isa.splat128(keys.first), isa.splat128(&REVERSE));
    let mut state = [isa.xor(isa.shuffle8(mask, reverse), first); U];
    let mut last = [isa.splat128(keys.last); U];
    let mut data = [isa.zero(); U];
    for u in 0..U - 1 {
        let counters = isa.add32(mask, isa.load(&BEHIND[u * I::BYTES..]));
        state[u] = isa.xor(isa.shuffle8(counters, reverse), first);
        let at = u * I::BYTES;
        data[u] = if WHOLE { io.load(isa, at) } else { io.load_part(isa, at) };
        last[u] = isa.xor(last[u], data[u]);
    }
    rounds::<I, U, false>(isa, keys, &mut state, &last);
    for u in 0..U - 1 {
        if WHOLE {
            io.store(isa, u * I::BYTES, state[u]);
        } else {
            io.store_part(isa, u * I::BYTES, state[u]);
        }
    }

    let mut sum = Sum::zero(isa);
    let mut next = aad.len().div_ceil(16) + len.div_ceil(16) + 1;
    for u in 0..aad.len().div_ceil(I::BYTES) {
        let blocks = isa.load_part(&aad[u * I::BYTES..]);
        sum.add(isa, isa.reverse8(blocks), hash.factor(isa, next - u * const { I::BYTES / 16 }));
    }
    next -= aad.len().div_ceil(16);
    for u in 0..U - 1 {
        let left = len.saturating_sub(u * I::BYTES).min(I::BYTES);
        if WHOLE || left > 0 {
            // Behind the end of what was encrypted there is keystream.
            let whole = isa.load(&SET[WIDEST - left..]);
            let blocks = if OPEN {
                data[u]
            } else if WHOLE {
                state[u]
            } else {
                isa.and(state[u], whole)
            };
            let power = hash.factor(isa, next - u * const { I::BYTES / 16 });
            sum.add(isa, isa.reverse8(blocks), power);
        }
    }
    let lengths = pair(isa, 8 * len as u64, 8 * aad.len() as u64);
    let power: Factor<I::V> = hash.factor(isa, 1);
    sum.add(isa, lengths, power);
    let hash = isa.reverse8(isa.xor_groups(sum.reduce(isa)));
    isa.store128(isa.xor(hash, state[U - 1]), tag);
}
