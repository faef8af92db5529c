//! The key schedule (GB/T 32907-2016 §7.3) in lanes: a key in each 32-bit lane of four
//! registers, in the basis of [`basis`].
//!
//! The schedule's `L'` works byte by byte as the cipher's `L` does: with bytes `y₀` (most
//! significant) to `y₃`, `L'(y)ᵢ = yᵢ + (yᵢ₊₁ ≪ 5) + (yᵢ₊₂ ≫ 3 + yᵢ₊₂ ≪ 7) + (yᵢ₊₃ ≫ 1)`.
//! Each term is one affine inverse and a rotation by bytes, so a step is as short a chain
//! as a round of the cipher.

use lanes::{Isa, transpose};

use super::round_keys::{CK, FK, ROUNDS};
use super::word_sliced::{Group, into_basis};
use super::{BLOCK, Sm4, basis};

/// `CK` in memory order and in the basis, with what the S-box's input adds.
const CONSTANTS: [u32; ROUNDS] = {
    let mut constants = [0; ROUNDS];
    let mut i = 0;
    while i < 4 * ROUNDS {
        let byte = basis::into(CK[i / 4].to_be_bytes()[i % 4]) ^ basis::INPUT as u8;
        constants[i / 4] |= (byte as u32) << (8 * (i % 4));
        i += 1;
    }
    constants
};

/// Expands keys, one for each place; `LOW` where there are at most two.
#[inline(always)]
pub(super) fn expand<I: Isa, const LOW: bool>(isa: I, keys: &[&[u8]], places: &mut [Sm4]) {
    let lanes = const { I::BYTES / 4 };
    for (keys, places) in keys.chunks(lanes).zip(places.chunks_mut(lanes)) {
        let mut k = [isa.zero(); 4];
        for i in 0..4 {
            let from = i * const { I::BYTES / BLOCK };
            let blocks =
                [key(keys, from), key(keys, from + 1), key(keys, from + 2), key(keys, from + 3)];
            k[i] = isa.load_blocks(blocks);
        }
        let mut k = transpose::words(isa, k);
        for i in 0..4 {
            k[i] = isa.xor(k[i], isa.splat32(FK[i].swap_bytes()));
        }
        let mut k = into_basis(isa, k);
        let mut t = isa.xor(isa.xor3(k[1], k[2], k[3]), isa.splat32(CONSTANTS[0]));
        for quad in 0..ROUNDS / 4 {
            t = step::<I, LOW>(isa, t, &mut k, [0, 2, 3], CONSTANTS[4 * quad + 1]);
            t = step::<I, LOW>(isa, t, &mut k, [1, 3, 0], CONSTANTS[4 * quad + 2]);
            t = step::<I, LOW>(isa, t, &mut k, [2, 0, 1], CONSTANTS[4 * quad + 3]);
            // After the last step the next constant is any: it cancels.
            t = step::<I, LOW>(isa, t, &mut k, [3, 1, 2], CONSTANTS[(4 * quad + 4) % ROUNDS]);
            put(isa, quad, k, places);
        }
    }
}

/// The key of that number; any where there is none.
#[inline(always)]
fn key<'k>(keys: &[&'k [u8]], number: usize) -> &'k [u8; BLOCK] {
    let key = if number < keys.len() { keys[number] } else { keys[0] };
    key.first_chunk().expect("a key of 16 bytes")
}

/// One step: the sum `t` under the S-box in, the next one's out.
#[inline(always)]
fn step<I: Isa, const LOW: bool>(
    isa: I,
    t: I::V,
    k: &mut Group<I::V>,
    [a, c, d]: [usize; 3],
    next_constant: u32,
) -> I::V {
    const MAPS: [(u64, i32); 4] = basis::SCHEDULE;
    let others = isa.pin(isa.xor3(k[c], k[d], isa.splat32(next_constant)));
    let ready = isa.pin(isa.xor(others, k[a]));
    // What is turned comes first: there are two units for byte maps.
    let turned_1 = isa.affine_inverse8::<{ MAPS[1].0 }, { MAPS[1].1 }>(t);
    let turned_3 = isa.affine_inverse8::<{ MAPS[3].0 }, { MAPS[3].1 }>(t);
    let turned_2 = isa.affine_inverse8::<{ MAPS[2].0 }, { MAPS[2].1 }>(t);
    let y = isa.affine_inverse8::<{ MAPS[0].0 }, { MAPS[0].1 }>(t);
    // To the left of a big-endian word is to the right of a lane.
    let turned_1 = isa.rol32::<24>(turned_1);
    let turned_2 = if LOW { isa.rol32_lowest::<16>(turned_2) } else { isa.rol32::<16>(turned_2) };
    let turned_3 = isa.rol32::<8>(turned_3);
    let next = if LOW {
        isa.xor3(turned_1, turned_3, isa.pin(isa.xor3(ready, y, turned_2)))
    } else if const { I::XOR3_NATIVE } {
        isa.xor3(isa.xor3(turned_1, turned_2, turned_3), ready, y)
    } else {
        isa.xor3(turned_1, turned_2, isa.pin(isa.xor3(ready, y, turned_3)))
    };
    k[a] = isa.xor(next, others);
    next
}

/// L' after the S-box alone, in the basis and with what its input adds.
#[cfg(test)]
#[inline(always)]
pub(super) fn t_prime<I: Isa>(isa: I, t: I::V) -> I::V {
    let mut k = [isa.zero(); 4];
    step::<I, false>(isa, t, &mut k, [0, 2, 3], 0);
    k[0]
}

/// Stores four round keys of each key, as words and sliced.
#[inline(always)]
fn put<I: Isa>(isa: I, quad: usize, k: Group<I::V>, places: &mut [Sm4]) {
    let blocks = transpose::words(isa, k);
    for i in 0..4 {
        let from = i * const { I::BYTES / BLOCK };
        if from >= places.len() {
            break;
        }
        let words = isa.xor(blocks[i], isa.splat8(basis::INPUT as u8));
        // The byte-sliced state is Z = (I + J)·X; so is its key.
        let pairs = isa.xor(words, isa.rol32::<16>(words));
        let z = isa.xor3(words, pairs, isa.rol32::<8>(pairs));
        let mut rows = [z; 4];
        for r in 0..4 {
            rows[r] = isa.shuffle8(z, isa.splat128(&ROWS[r]));
        }
        let mut four = places[from..].iter_mut();
        let mut to = [four.next(), four.next(), four.next(), four.next()];
        let [a, b, c, d] = &mut to;
        let words_to = [words_of(a, quad), words_of(b, quad), words_of(c, quad), words_of(d, quad)];
        isa.store_blocks(words, words_to);
        for r in 0..4 {
            let [a, b, c, d] = &mut to;
            let n = 4 * quad + r;
            isa.store_blocks(
                rows[r],
                [slice_of(a, n), slice_of(b, n), slice_of(c, n), slice_of(d, n)],
            );
        }
    }
}

/// Four round keys of a place, as words.
#[inline(always)]
fn words_of<'p>(place: &'p mut Option<&mut Sm4>, quad: usize) -> Option<&'p mut [u8; 16]> {
    match place {
        Some(sm4) => Some(&mut sm4.keys.0.words.as_flattened_mut().as_chunks_mut().0[quad]),
        None => None,
    }
}

/// A round key of a place, sliced.
#[inline(always)]
fn slice_of<'p>(place: &'p mut Option<&mut Sm4>, round: usize) -> Option<&'p mut [u8; 16]> {
    match place {
        Some(sm4) => sm4.keys.0.slices[round].as_flattened_mut().first_chunk_mut(),
        None => None,
    }
}

/// The shuffle that takes word `i`, each of its bytes four times.
const ROWS: [[u8; 16]; 4] = {
    let mut rows = [[0; 16]; 4];
    let mut i = 0;
    while i < 64 {
        rows[i / 16][i % 16] = (i / 16 * 4 + i % 16 / 4) as u8;
        i += 1;
    }
    rows
};
