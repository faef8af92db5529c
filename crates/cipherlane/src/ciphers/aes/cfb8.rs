//! CFB with feedback of single bytes or bits, the shift register in a register.
//!
//! Encryption is one chain: the rounds, a shuffle and two sums a byte; for a bit the top one of each
//! byte is taken besides. After as many bytes as a block has, the shift register is what has been
//! written. In decryption the shift registers
//! are the windows of the ciphertext, put together from two blocks by shuffles.

use lanes::{InOut, Isa};

use super::BLOCK;
use super::register_blocks::rounds;
use super::round_keys::Keys;

/// A shuffle that gives a zero.
const NONE: u8 = 128;
/// All bytes one place down; the last is zero.
const DOWN: [u8; BLOCK] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, NONE];
/// The first byte in the last place, zeros elsewhere.
const FIRST_TO_LAST: [u8; BLOCK] = {
    let mut index = [NONE; BLOCK];
    index[15] = 0;
    index
};

/// Encrypts data of any length, fed back by bits if `BITS`, else by bytes; `value` is the shift register.
#[inline(always)]
pub(super) fn encrypt<I: Isa, const BITS: bool>(
    isa: I,
    keys: Keys<'_>,
    io: &mut InOut<'_>,
    value: &mut [u8; BLOCK],
) {
    let (first, last) = (isa.splat128(keys.first), isa.splat128(keys.last));
    let (down, to_last) = (isa.splat128(&DOWN), isa.splat128(&FIRST_TO_LAST));
    // The first byte or bit of a block in the last place, and a block without it.
    let head = |block: I::V| isa.shuffle8(if BITS { isa.shr8::<7>(block) } else { block }, to_last);
    let rest = |block: I::V| {
        if BITS {
            let carries = isa.shuffle8(isa.shr8::<7>(block), down);
            isa.or(isa.add8(block, block), carries)
        } else {
            isa.shuffle8(block, down)
        }
    };
    let mut register = isa.load128(value);
    let mut offset = 0;
    while offset < io.len() {
        let len = BLOCK.min(io.len() - offset);
        let mut data = if len == BLOCK { io.load(isa, offset) } else { io.load_part(isa, offset) };
        for _ in 0..if BITS { 8 * len } else { len } {
            let mut state = [isa.xor(register, first)];
            let beside = isa.xor(rest(register), head(data));
            data = rest(data);
            rounds::<I, 1, false>(isa, keys, &mut state, &[last]);
            register = isa.xor(beside, head(state[0]));
        }
        if len == BLOCK {
            io.store(isa, offset, register);
        } else {
            let mut bytes = [0; BLOCK];
            isa.store128(register, &mut bytes);
            io.output()[offset..].copy_from_slice(&bytes[BLOCK - len..]);
        }
        offset += len;
    }
    isa.store128(register, value);
}

/// For register `u` of windows, with `n` in each: the bytes of two blocks one after another that
/// lie in window `n·u + l`, of the first block or else (`SECOND`) of the second.
const fn window<const SECOND: bool>(u: usize, n: usize) -> [u8; 64] {
    let mut index = [NONE; 64];
    let mut i = 0;
    while i < n * BLOCK {
        let from = n * u + i / BLOCK + i % BLOCK;
        if (from >= BLOCK) == SECOND {
            index[i] = (from % BLOCK) as u8;
        }
        i += 1;
    }
    index
}

/// The shuffle that takes the first byte of each window to its place in a block.
const fn place(u: usize, n: usize) -> [u8; 64] {
    let mut index = [NONE; 64];
    let mut l = 0;
    while l < n {
        index[l * BLOCK + n * u + l] = 0;
        l += 1;
    }
    index
}

/// The shuffles of all registers of windows, each at a line of the cache.
#[repr(align(64))]
struct Shuffles {
    first: [[u8; 64]; BLOCK],
    second: [[u8; 64]; BLOCK],
    place: [[u8; 64]; BLOCK],
}

const fn shuffles(n: usize) -> Shuffles {
    let mut all = Shuffles {
        first: [[NONE; 64]; BLOCK],
        second: [[NONE; 64]; BLOCK],
        place: [[NONE; 64]; BLOCK],
    };
    let mut u = 0;
    while u < BLOCK / n {
        all.first[u] = window::<false>(u, n);
        all.second[u] = window::<true>(u, n);
        all.place[u] = place(u, n);
        u += 1;
    }
    all
}

static ONE: Shuffles = shuffles(1);
static TWO: Shuffles = shuffles(2);
static FOUR: Shuffles = shuffles(4);

/// Decrypts data of any length.
#[inline(always)]
pub(super) fn decrypt<I: Isa>(isa: I, keys: Keys<'_>, io: &mut InOut<'_>, value: &mut [u8; BLOCK]) {
    match const { I::BYTES } {
        16 => windows::<I, 8>(isa, keys, io, value, &ONE),
        32 => windows::<I, 8>(isa, keys, io, value, &TWO),
        _ => windows::<I, 4>(isa, keys, io, value, &FOUR),
    }
}

/// `U` registers of windows at a time, all windows of a block or half of them.
#[inline(always)]
fn windows<I: Isa, const U: usize>(
    isa: I,
    keys: Keys<'_>,
    io: &mut InOut<'_>,
    value: &mut [u8; BLOCK],
    shuffles: &Shuffles,
) {
    let (first, last) = (isa.splat128(keys.first), isa.splat128(keys.last));
    let mut two = [*value, [0; BLOCK]];
    let mut offset = 0;
    while offset < io.len() {
        let len = BLOCK.min(io.len() - offset);
        // A copy of a length that is known is no call, which would clear the wide registers.
        match io.input()[offset..].first_chunk() {
            Some(block) => two[1] = *block,
            None => two[1][..len].copy_from_slice(&io.input()[offset..offset + len]),
        }
        let (before, data) = (isa.splat128(&two[0]), isa.splat128(&two[1]));
        let mut keystream = isa.zero();
        for half in 0..const { BLOCK * BLOCK / (U * I::BYTES) } {
            let mut state = [first; U];
            for u in 0..U {
                let r = (half * U + u) % BLOCK;
                let a = isa.shuffle8(before, isa.load(&shuffles.first[r]));
                let b = isa.shuffle8(data, isa.load(&shuffles.second[r]));
                state[u] = isa.xor3(first, a, b);
            }
            rounds::<I, U, false>(isa, keys, &mut state, &[last; U]);
            for u in 0..U {
                let place = isa.load(&shuffles.place[(half * U + u) % BLOCK]);
                keystream = isa.xor(keystream, isa.shuffle8(state[u], place));
            }
        }
        let sum = isa.xor(isa.xor_groups(keystream), data);
        if let Some(block) = io.output()[offset..].first_chunk_mut() {
            isa.store128(sum, block);
            two[0] = two[1];
        } else {
            let mut bytes = [0; BLOCK];
            isa.store128(sum, &mut bytes);
            io.output()[offset..offset + len].copy_from_slice(&bytes[..len]);
            let bytes = two;
            two[0].copy_from_slice(&bytes.as_flattened()[len..len + BLOCK]);
        }
        offset += len;
    }
    *value = two[0];
}
