//! Between blocks and bit planes, for data and for round keys.
//!
//! Plane `j` is one register with the bits of weight 2^j; each 64-bit lane holds
//! four blocks, the bit of row `r`, column `c` and block `k` at `16·r + 4·c + k`.

use lanes::Isa;

use super::round_keys::{Keys, MOST};
use crate::aes_circuit as circuit;

/// Blocks in one 64-bit lane.
pub(super) const BLOCKS: usize = 4;

/// The planes of a tile, least significant first.
pub(super) type Planes<V> = [V; 8];

/// Exchanges the bits under `mask` with those `N` places higher.
#[inline(always)]
pub(super) fn swap_bits<I: Isa, const N: u32>(isa: I, a: I::V, mask: I::V) -> I::V {
    let t = isa.and(isa.xor(isa.shr64::<N>(a), a), mask);
    isa.xor3(a, t, isa.shl64::<N>(t))
}

/// The round keys as masks of planes.
pub(super) type Masks = [[u64; 8]; MOST];

/// Four planes of a key, nibble by nibble, as masks: every bit four times.
#[inline(always)]
fn spread(nibbles: u64, j: usize) -> u64 {
    (nibbles >> j & 0x1111_1111_1111_1111) * 15
}

#[inline(always)]
/// Spreads the round keys that [`key`] has made; also how many rounds there are.
pub(super) fn masks(keys: Keys<'_>) -> (Masks, usize) {
    let mut masks = [[0; 8]; MOST];
    let rounds = keys.rounds;
    let middle = &keys.middle[..rounds - 1];
    let all = core::iter::once(keys.first).chain(middle).chain([keys.last]);
    for (mask, key) in masks.iter_mut().zip(all) {
        let (words, _) = key.as_chunks::<8>();
        let (low, high) = (u64::from_le_bytes(words[0]), u64::from_le_bytes(words[1]));
        for j in 0..4 {
            mask[j] = spread(low, j);
            mask[j + 4] = spread(high, j);
        }
    }
    (masks, rounds)
}

/// A round key as the planes 0 to 3 and 4 to 7, plane by plane in each nibble:
/// with the S-box's constant, but for the first, and back by as many ShiftRows as
/// are owed at its round.
#[inline(always)]
pub(super) fn key<I: Isa>(isa: I, key: &[u8; 16], round: usize) -> [u8; 16] {
    let constant = if round == 0 { 0 } else { circuit::CONSTANT };
    let mut moved = [0; 16];
    for i in 0..16 {
        // Row i mod 4, as many columns on as it is owed.
        moved[(i + 4 * (i % 4) * round) % 16] = key[i] ^ constant;
    }
    let (words, _) = moved.as_chunks::<8>();
    let mut planes = [isa.zero(); 8];
    planes[0] = isa.splat64(u64::from_le_bytes(words[0]));
    planes[1] = isa.splat64(u64::from_le_bytes(words[1]));
    slice(isa, &mut planes);
    let mut nibbles = [0; 2];
    for j in 0..8 {
        nibbles[j / 4] |= isa.low64(planes[j]) << (j % 4);
    }
    let mut out = [0; 16];
    out[..8].copy_from_slice(&nibbles[0].to_le_bytes());
    out[8..].copy_from_slice(&nibbles[1].to_le_bytes());
    lanes::wipe::wipe(&mut moved);
    out
}

/// Exchanges the bits of `a` under `mask << N` with those of `b` under `mask`.
#[inline(always)]
fn swap<I: Isa, const N: u32>(isa: I, a: I::V, b: I::V, mask: u64) -> (I::V, I::V) {
    let t = isa.and(isa.xor(isa.shr64::<N>(a), b), isa.splat64(mask));
    (isa.xor(a, isa.shl64::<N>(t)), isa.xor(b, t))
}

/// Exchanges bit `i` of byte `j` with bit `j` of byte `i` in every eight bytes
/// that stand one above the other; its own inverse.
#[inline(always)]
fn transpose_bits<I: Isa>(isa: I, q: &mut Planes<I::V>) {
    for i in 0..4 {
        let (a, b) = (2 * i, 2 * i + 1);
        (q[a], q[b]) = swap::<I, 1>(isa, q[a], q[b], 0x5555_5555_5555_5555);
    }
    for i in 0..4 {
        let a = i % 2 + i / 2 * 4;
        (q[a], q[a + 2]) = swap::<I, 2>(isa, q[a], q[a + 2], 0x3333_3333_3333_3333);
    }
    for i in 0..4 {
        (q[i], q[i + 4]) = swap::<I, 4>(isa, q[i], q[i + 4], 0x0f0f_0f0f_0f0f_0f0f);
    }
}

/// From halves of blocks, `q[2k]` and `q[2k + 1]` those of the lanes' block `k`, to planes.
#[inline(always)]
pub(super) fn slice<I: Isa>(isa: I, q: &mut Planes<I::V>) {
    let halves = *q;
    for k in 0..BLOCKS {
        let (low, high) = (halves[2 * k], halves[2 * k + 1]);
        // Even columns 0 and 2 to register k, odd ones to k + 4; row by row.
        let mask = isa.splat64(0xffff_ffff);
        let even = isa.or(isa.and(low, mask), isa.shl64::<32>(high));
        let odd = isa.select(mask, isa.shr64::<32>(low), high);
        q[k] = swap_bits::<I, 8>(isa, middle(isa, even), isa.splat64(0x0000_ff00_0000_ff00));
        q[k + 4] = swap_bits::<I, 8>(isa, middle(isa, odd), isa.splat64(0x0000_ff00_0000_ff00));
    }
    transpose_bits(isa, q);
}

/// Exchanges the two middle 16-bit parts of every lane.
#[inline(always)]
fn middle<I: Isa>(isa: I, a: I::V) -> I::V {
    swap_bits::<I, 16>(isa, a, isa.splat64(0xffff_0000))
}

/// The reverse of [`slice()`].
#[inline(always)]
pub(super) fn unslice<I: Isa>(isa: I, q: &mut Planes<I::V>) {
    transpose_bits(isa, q);
    let columns = *q;
    for k in 0..BLOCKS {
        let bytes = isa.splat64(0x0000_ff00_0000_ff00);
        let even = middle(isa, swap_bits::<I, 8>(isa, columns[k], bytes));
        let odd = middle(isa, swap_bits::<I, 8>(isa, columns[k + 4], bytes));
        let mask = isa.splat64(0xffff_ffff);
        q[2 * k] = isa.or(isa.and(even, mask), isa.shl64::<32>(odd));
        q[2 * k + 1] = isa.select(mask, isa.shr64::<32>(even), odd);
    }
}
