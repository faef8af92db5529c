//! The key schedule (FIPS 197 §5.2).

use core::ops::{BitAnd, BitXor};

use lanes::Isa;

use super::planes;
use super::round_keys::{MOST, RoundKeys};
use crate::aes_circuit as circuit;

/// The number of rounds under a key.
#[inline(always)]
pub(super) const fn rounds(key: &[u8]) -> usize {
    key.len() / 4 + 6
}

/// Expands a key of 16, 24 or 32 bytes into its place.
#[inline(always)]
pub(super) fn expand<I: Isa>(isa: I, key: &[u8], keys: &mut RoundKeys) {
    let rounds = rounds(key);
    keys.rounds = rounds;
    if const { I::AES_BYTES == 0 } {
        by_words(key, &mut keys.encrypt, rounds);
        for (round, key) in keys.encrypt[..=rounds].iter_mut().enumerate() {
            *key = planes::key(isa, key, round);
        }
        return;
    }
    let isa = isa.narrow();
    match key.len() {
        16 => expand_128(isa, key, keys),
        24 => expand_192(isa, key, keys),
        _ => expand_256(isa, key, keys),
    }
}

/// Stores the round key of that number where both directions have it. A chain of rounds leaves
/// room for InvMixColumns, and no round key is loaded again.
#[inline(always)]
fn put<I: Isa, const ROUNDS: usize>(isa: I, keys: &mut RoundKeys, number: usize, key: I::V) {
    isa.store(key, &mut keys.encrypt[number]);
    let inner = number != 0 && number != ROUNDS;
    let back = if inner { isa.aes_inverse_mix_columns(key) } else { key };
    isa.store(back, &mut keys.decrypt[ROUNDS - number]);
}

/// Rcon\[i\] of §5.2, counted from 1: powers of x.
const fn rcon(i: usize) -> u8 {
    if i <= 8 { 1 << (i - 1) } else { 0x1b << (i - 9) }
}

/// Row by row, the bytes of a group that [`sub_word`] takes from the last word,
/// rotated by RotWord.
const ROTATED: [u8; 16] = [13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12];
/// The same without RotWord.
const LAST: [u8; 16] = [12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15];
/// The second word, rotated by RotWord.
const SECOND_ROTATED: [u8; 16] = [5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7, 4];

/// SubWord of the word that `index` picks, plus a constant, in every word: where
/// all columns are equal, ShiftRows changes nothing.
#[inline(always)]
fn sub_word<I: Isa>(isa: I, from: I::V, index: &[u8; 16], rcon: u8) -> I::V {
    isa.aes_encrypt_last(isa.shuffle8(from, isa.splat128(index)), isa.splat32(u32::from(rcon)))
}

/// Word `i` becomes the sum of the words 0 to `i`.
#[inline(always)]
fn sums<I: Isa>(isa: I, a: I::V) -> I::V {
    const UP_1: [u8; 16] = [128, 128, 128, 128, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
    const UP_2: [u8; 16] = [128, 128, 128, 128, 128, 128, 128, 128, 0, 1, 2, 3, 4, 5, 6, 7];
    let a = isa.xor(a, isa.shuffle8(a, isa.splat128(&UP_1)));
    isa.xor(a, isa.shuffle8(a, isa.splat128(&UP_2)))
}

/// AES-128: every round key is made of the one before.
#[inline(always)]
fn expand_128<I: Isa>(isa: I, key: &[u8], keys: &mut RoundKeys) {
    let mut a = isa.load(key);
    put::<I, 10>(isa, keys, 0, a);
    for i in 1..=10 {
        a = isa.xor(sums(isa, a), sub_word(isa, a, &ROTATED, rcon(i)));
        put::<I, 10>(isa, keys, i, a);
    }
}

/// AES-192: six words a step, so that three round keys take two steps.
#[inline(always)]
fn expand_192<I: Isa>(isa: I, key: &[u8], keys: &mut RoundKeys) {
    // Words 0 to 3; words 4 and 5 with whatever behind, by a whole register: a part of one may
    // be slow to load.
    let (mut a, mut b) = (isa.load(key), isa.swap64(isa.load(&key[8..24])));
    for two in 0..4 {
        put::<I, 12>(isa, keys, 3 * two, a);
        let before = b;
        a = isa.xor(sums(isa, a), sub_word(isa, b, &SECOND_ROTATED, rcon(2 * two + 1)));
        b = isa.xor(sums(isa, b), isa.shuffle8(a, isa.splat128(&LAST)));
        put::<I, 12>(isa, keys, 3 * two + 1, isa.unpack_low64(before, a));
        put::<I, 12>(isa, keys, 3 * two + 2, isa.unpack_high64(a, isa.swap64(b)));
        a = isa.xor(sums(isa, a), sub_word(isa, b, &SECOND_ROTATED, rcon(2 * two + 2)));
        b = isa.xor(sums(isa, b), isa.shuffle8(a, isa.splat128(&LAST)));
    }
    put::<I, 12>(isa, keys, 12, a);
}

/// AES-256: two round keys a step, the second without RotWord and Rcon.
#[inline(always)]
fn expand_256<I: Isa>(isa: I, key: &[u8], keys: &mut RoundKeys) {
    let (mut a, mut b) = (isa.load(key), isa.load(&key[16..]));
    for i in 1..=7 {
        put::<I, 14>(isa, keys, 2 * i - 2, a);
        put::<I, 14>(isa, keys, 2 * i - 1, b);
        a = isa.xor(sums(isa, a), sub_word(isa, b, &ROTATED, rcon(i)));
        b = isa.xor(sums(isa, b), sub_word(isa, a, &LAST, 0));
    }
    put::<I, 14>(isa, keys, 14, a);
}

/// §5.2 word by word, the S-box by its circuit.
#[inline(always)]
fn by_words(key: &[u8], keys: &mut [[u8; 16]; MOST], rounds: usize) {
    let (words, _) = keys.as_flattened_mut().as_chunks_mut::<4>();
    let length = key.len() / 4;
    for (word, key) in words.iter_mut().zip(key.as_chunks().0) {
        *word = *key;
    }
    for i in length..4 * (rounds + 1) {
        let mut t = u32::from_le_bytes(words[i - 1]);
        if i % length == 0 {
            t = substitute(t.rotate_right(8)) ^ u32::from(rcon(i / length));
        } else if length == 8 && i % 8 == 4 {
            t = substitute(t);
        }
        words[i] = (u32::from_le_bytes(words[i - length]) ^ t).to_le_bytes();
    }
}

/// The S-box on the four bytes of a word; plane `j` keeps bit `j` of each byte at
/// that byte's lowest bit.
#[inline(always)]
fn substitute(x: u32) -> u32 {
    let mut planes = [Plane(0); 8];
    for j in 0..8 {
        planes[j] = Plane(x >> j & 0x0101_0101);
    }
    let bits = circuit::sub_bytes(planes);
    let mut y = u32::from_ne_bytes([circuit::CONSTANT; 4]);
    for j in 0..8 {
        y ^= bits[j].0 << j;
    }
    y
}

#[derive(Clone, Copy)]
struct Plane(u32);

impl BitXor for Plane {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl BitAnd for Plane {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}
