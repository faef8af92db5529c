//! AES on bit planes, for levels without AES instructions: no table, no secret
//! address.
//!
//! In the planes of [`planes`](super::planes) the next row is a rotation of every
//! lane by 16, the next column one of each 16 bits by 4.
//!
//! ShiftRows is never done (A. Adomnicai, T. Peyrin, "Fixslicing AES-like
//! ciphers", 2020): after `n` rounds the planes hold the state before `n` times
//! ShiftRows, so what MixColumns takes from the next row it takes `n` columns
//! further on. ShiftRows⁴ is the identity; what is left at the end, ShiftRows²
//! after 10 or 14 rounds, is done once. Round keys are moved back in the same
//! way. The circuits leave out the S-box's constant, which passes MixColumns
//! unchanged and is contained in every round key but the first: thus it serves
//! decryption, which goes the same way backwards, as well.

use core::ops::{BitAnd, BitXor};

use lanes::{InOut, Isa};

use super::BLOCK;
use super::planes::{BLOCKS, Masks, Planes, masks, slice, swap_bits, unslice};
use super::round_keys::RoundKeys;
use crate::aes_circuit as circuit;
use crate::block::chains::run_all;
use crate::traits::block::KeyedChain;

/// A register as the circuit wants it.
#[derive(Clone, Copy)]
struct Plane<I: Isa>(I, I::V);

impl<I: Isa> BitXor for Plane<I> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0, self.0.xor(self.1, other.1))
    }
}

impl<I: Isa> BitAnd for Plane<I> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0, self.0.and(self.1, other.1))
    }
}

/// A circuit on all planes.
#[inline(always)]
fn substitute<I: Isa, const DECRYPT: bool>(isa: I, x: &mut Planes<I::V>) {
    let mut planes = [Plane(isa, x[0]); 8];
    for j in 0..8 {
        planes[j] = Plane(isa, x[j]);
    }
    let planes =
        if DECRYPT { circuit::inverse_sub_bytes(planes) } else { circuit::sub_bytes(planes) };
    for j in 0..8 {
        x[j] = planes[j].1;
    }
}

/// The bits of every 16, `columns` columns further on, come here.
#[inline(always)]
fn columns_on<I: Isa>(isa: I, a: I::V, columns: usize) -> I::V {
    match columns % 4 {
        0 => a,
        1 => isa.or(
            isa.and(isa.shr64::<4>(a), isa.splat64(0x0fff_0fff_0fff_0fff)),
            isa.and(isa.shl64::<12>(a), isa.splat64(0xf000_f000_f000_f000)),
        ),
        2 => isa.or(
            isa.and(isa.shr64::<8>(a), isa.splat64(0x00ff_00ff_00ff_00ff)),
            isa.and(isa.shl64::<8>(a), isa.splat64(0xff00_ff00_ff00_ff00)),
        ),
        _ => isa.or(
            isa.and(isa.shr64::<12>(a), isa.splat64(0x000f_000f_000f_000f)),
            isa.and(isa.shl64::<4>(a), isa.splat64(0xfff0_fff0_fff0_fff0)),
        ),
    }
}

/// The state's next row, where `owed` times ShiftRows is owed.
#[inline(always)]
fn next_row<I: Isa>(isa: I, a: I::V, owed: usize) -> I::V {
    columns_on(isa, isa.rol64::<48>(a), owed)
}

/// The state's next row but one.
#[inline(always)]
fn opposite_row<I: Isa>(isa: I, a: I::V, owed: usize) -> I::V {
    columns_on(isa, isa.rol64::<32>(a), 2 * owed)
}

/// The double in the AES field.
#[inline(always)]
fn double<I: Isa>(isa: I, [a, b, c, d, e, f, g, h]: Planes<I::V>) -> Planes<I::V> {
    [h, isa.xor(a, h), b, isa.xor(c, h), isa.xor(d, h), e, f, g]
}

/// MixColumns as `2(a + n(a)) + n(a) + n²(a + n(a))`, `n` the next row.
#[inline(always)]
fn mix_columns<I: Isa>(isa: I, a: &mut Planes<I::V>, owed: usize) {
    let (mut next, mut pair) = (*a, *a);
    for j in 0..8 {
        next[j] = next_row(isa, a[j], owed);
        pair[j] = isa.xor(a[j], next[j]);
    }
    let twice = double(isa, pair);
    for j in 0..8 {
        a[j] = isa.xor3(twice[j], next[j], opposite_row(isa, pair[j], owed));
    }
}

/// InvMixColumns: MixColumns after `a + 4(a + n²(a))`.
#[inline(always)]
fn inverse_mix_columns<I: Isa>(isa: I, a: &mut Planes<I::V>, owed: usize) {
    let mut sum = *a;
    for j in 0..8 {
        sum[j] = isa.xor(a[j], opposite_row(isa, a[j], owed));
    }
    let fourfold = double(isa, double(isa, sum));
    for j in 0..8 {
        a[j] = isa.xor(a[j], fourfold[j]);
    }
    mix_columns(isa, a, owed);
}

/// ShiftRows twice, its own inverse: the odd rows' columns exchange by pairs.
#[inline(always)]
fn shift_rows_twice<I: Isa>(isa: I, a: &mut Planes<I::V>) {
    let mask = isa.splat64(0x00ff_0000_00ff_0000);
    for j in 0..8 {
        a[j] = swap_bits::<I, 8>(isa, a[j], mask);
    }
}

/// Adds a round key.
#[inline(always)]
fn add_key<I: Isa>(isa: I, a: &mut Planes<I::V>, key: &[u64; 8]) {
    for j in 0..8 {
        a[j] = isa.xor(a[j], isa.splat64(key[j]));
    }
}

/// All rounds forwards.
#[inline(always)]
fn encrypt<I: Isa>(isa: I, x: &mut Planes<I::V>, keys: &Masks, rounds: usize) {
    add_key(isa, x, &keys[0]);
    let mut round = 1;
    loop {
        substitute::<I, false>(isa, x);
        mix_columns(isa, x, 1);
        add_key(isa, x, &keys[round]);
        substitute::<I, false>(isa, x);
        if round + 1 == rounds {
            break;
        }
        mix_columns(isa, x, 2);
        add_key(isa, x, &keys[round + 1]);
        substitute::<I, false>(isa, x);
        mix_columns(isa, x, 3);
        add_key(isa, x, &keys[round + 2]);
        substitute::<I, false>(isa, x);
        if round + 3 == rounds {
            break;
        }
        mix_columns(isa, x, 0);
        add_key(isa, x, &keys[round + 3]);
        round += 4;
    }
    add_key(isa, x, &keys[rounds]);
}

/// All rounds backwards.
#[inline(always)]
fn decrypt<I: Isa>(isa: I, x: &mut Planes<I::V>, keys: &Masks, rounds: usize) {
    add_key(isa, x, &keys[rounds]);
    let mut round = rounds - 1;
    // With 10 and 14 rounds two are left over four, and round 9 or 13 owes one.
    if rounds % 4 == 2 {
        inverse_round(isa, x, &keys[round], 1);
        substitute::<I, true>(isa, x);
        add_key(isa, x, &keys[round - 1]);
        inverse_mix_columns(isa, x, 0);
        round -= 2;
    }
    loop {
        inverse_round(isa, x, &keys[round], 3);
        inverse_round(isa, x, &keys[round - 1], 2);
        inverse_round(isa, x, &keys[round - 2], 1);
        substitute::<I, true>(isa, x);
        if round == 3 {
            break;
        }
        add_key(isa, x, &keys[round - 3]);
        inverse_mix_columns(isa, x, 0);
        round -= 4;
    }
    add_key(isa, x, &keys[0]);
}

/// InvSubBytes, a round key, InvMixColumns.
#[inline(always)]
fn inverse_round<I: Isa>(isa: I, x: &mut Planes<I::V>, key: &[u64; 8], owed: usize) {
    substitute::<I, true>(isa, x);
    add_key(isa, x, key);
    inverse_mix_columns(isa, x, owed);
}

/// Bytes of a tile at a register of `N` bytes.
const fn tile_bytes(register: usize) -> usize {
    register / 8 * BLOCKS * 16
}

/// The largest tile: a register of 64 bytes.
const MAX_TILE: usize = tile_bytes(64);

/// Enciphers one whole tile in place.
#[inline(always)]
fn tile<I: Isa, const DECRYPT: bool>(isa: I, keys: &Masks, rounds: usize, tile: &mut [u8]) {
    let mut x = [isa.zero(); 8];
    // One register: the same half of the same block of every lane.
    let mut bytes = [0; 64];
    let (halves, _) = tile.as_chunks_mut::<8>();
    for (i, x) in x.iter_mut().enumerate() {
        for lane in 0..I::BYTES / 8 {
            bytes[8 * lane..8 * lane + 8].copy_from_slice(&halves[8 * lane + i]);
        }
        *x = isa.load(&bytes);
    }
    slice(isa, &mut x);
    let twice = rounds % 4 == 2;
    if DECRYPT {
        if twice {
            shift_rows_twice(isa, &mut x);
        }
        decrypt(isa, &mut x, keys, rounds);
    } else {
        encrypt(isa, &mut x, keys, rounds);
        if twice {
            shift_rows_twice(isa, &mut x);
        }
    }
    unslice(isa, &mut x);
    for (i, x) in x.iter().enumerate() {
        isa.store(*x, &mut bytes);
        for lane in 0..I::BYTES / 8 {
            halves[8 * lane + i].copy_from_slice(&bytes[8 * lane..8 * lane + 8]);
        }
    }
}

/// Any number of blocks: `out = cipher(in ⊕ pre) ⊕ post`, through a tile on the stack.
#[inline(always)]
pub(super) fn blocks<I: Isa, const DECRYPT: bool>(
    isa: I,
    keys: &RoundKeys,
    mut io: InOut<'_>,
    pre: Option<&[u8]>,
    post: Option<&[u8]>,
) {
    let (keys, rounds) = masks(keys.encryption());
    let tile_bytes = const { tile_bytes(I::BYTES) };
    let mut buffer = [0; MAX_TILE];
    let mut offset = 0;
    while offset < io.len() {
        let n = tile_bytes.min(io.len() - offset);
        let mut part = io.part(offset, n);
        let buffer = &mut buffer[..tile_bytes];
        buffer[..n].copy_from_slice(part.input());
        xor(&mut buffer[..n], pre.map(|pre| &pre[offset..offset + n]));
        tile::<I, DECRYPT>(isa, &keys, rounds, buffer);
        xor(&mut buffer[..n], post.map(|post| &post[offset..offset + n]));
        part.output().copy_from_slice(&buffer[..n]);
        offset += n;
    }
}

#[inline(always)]
fn xor(data: &mut [u8], with: Option<&[u8]>) {
    for (byte, with) in data.iter_mut().zip(with.unwrap_or(&[])) {
        *byte ^= with;
    }
}

/// Xors the data with the encrypted counters, which are moved on.
#[inline(always)]
pub(super) fn ctr<I: Isa>(isa: I, keys: &RoundKeys, mut io: InOut<'_>, counter: &mut [u8; 16]) {
    let (keys, rounds) = masks(keys.encryption());
    let tile_bytes = const { tile_bytes(I::BYTES) };
    let mut buffer = [0; MAX_TILE];
    let mut next = u128::from_be_bytes(*counter);
    let mut offset = 0;
    while offset < io.len() {
        let n = tile_bytes.min(io.len() - offset);
        let keystream = &mut buffer[..tile_bytes];
        for block in keystream.as_chunks_mut::<16>().0.iter_mut().take(n.div_ceil(16)) {
            *block = next.to_be_bytes();
            next = next.wrapping_add(1);
        }
        tile::<I, false>(isa, &keys, rounds, keystream);
        io.part(offset, n).xor(&keystream[..n]);
        offset += n;
    }
    *counter = next.to_be_bytes();
}

/// Runs chains under one key, at most `LANES` side by side.
#[inline(always)]
pub(super) fn chains<I: Isa, const LANES: usize>(
    isa: I,
    keys: &RoundKeys,
    chains: &mut [KeyedChain<'_>],
) {
    let (keys, rounds) = masks(keys.encryption());
    let tile_bytes = const { tile_bytes(I::BYTES) };
    let mut buffer = [0; MAX_TILE];
    run_all::<KeyedChain<'_>, BLOCK, LANES>(
        chains,
        #[inline(always)]
        |values, _| {
            for values in values.chunks_mut(tile_bytes) {
                buffer[..values.len()].copy_from_slice(values);
                tile::<I, false>(isa, &keys, rounds, &mut buffer[..tile_bytes]);
                values.copy_from_slice(&buffer[..values.len()]);
            }
        },
    );
}
