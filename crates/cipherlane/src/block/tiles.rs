//! Loops over blocks of a few words each, in tiles of registers that hold many blocks.
//!
//! A cipher gives its rounds twice, over lanes and over numbers; the rest is here and, for
//! numbers, in `serial.rs`.

use lanes::{InOut, Isa, Level};

use super::chains::{self, Link};
use super::number::Number;
use super::serial;
use super::tile_cipher::{Common, TileCipher, block_bytes};

/// Groups of blocks as they lie in memory, under one key.
#[inline(always)]
fn many<I: Isa, C: TileCipher, const G: usize, const DECRYPT: bool>(
    isa: I,
    cipher: &C,
    state: &mut [[I::V; 4]; G],
) {
    for g in 0..G {
        state[g] = C::enter(isa, state[g]);
    }
    C::rounds::<I, _, G, DECRYPT>(isa, Common::<C, DECRYPT>(cipher), state);
    for g in 0..G {
        state[g] = C::leave(isa, state[g]);
    }
}

/// Bytes of blocks that a group of registers of a level holds.
pub(crate) fn bytes_of_group(level: Level) -> usize {
    4 * level.register_bytes()
}

/// `out = cipher(in ⊕ pre) ⊕ post` in tiles of `G` groups; more than one block.
#[inline(always)]
pub(crate) fn blocks<I: Isa, C: TileCipher, const G: usize, const DECRYPT: bool>(
    isa: I,
    cipher: &C,
    mut io: InOut<'_>,
    pre: Option<&[u8]>,
    post: Option<&[u8]>,
) {
    let tile = const { 4 * G * I::BYTES };
    let mut offset = 0;
    while io.len() - offset >= tile {
        let range = offset..offset + tile;
        let (pre, post) = (pre.map(|s| &s[range.clone()]), post.map(|s| &s[range.clone()]));
        cross::<I, C, G, DECRYPT, true>(isa, cipher, io.part(offset, tile), pre, post);
        offset += tile;
    }
    let (_, io) = io.split_at(offset);
    let (pre, post) = (pre.map(|s| &s[offset..]), post.map(|s| &s[offset..]));
    match io.len().div_ceil(const { 4 * I::BYTES }) {
        0 => {}
        1 => cross::<I, C, 1, DECRYPT, false>(isa, cipher, io, pre, post),
        _ => cross::<I, C, G, DECRYPT, false>(isa, cipher, io, pre, post),
    }
}

/// One tile, whole or in part.
#[inline(always)]
fn cross<I: Isa, C: TileCipher, const G: usize, const DECRYPT: bool, const WHOLE: bool>(
    isa: I,
    cipher: &C,
    mut io: InOut<'_>,
    pre: Option<&[u8]>,
    post: Option<&[u8]>,
) {
    let mut state = [[isa.zero(); 4]; G];
    for g in 0..G {
        for i in 0..4 {
            let offset = (4 * g + i) * I::BYTES;
            if WHOLE {
                state[g][i] = io.load(isa, offset);
                if let Some(pre) = pre {
                    state[g][i] = isa.xor(state[g][i], isa.load(&pre[offset..]));
                }
            } else if offset < io.len() {
                state[g][i] = io.load_part(isa, offset);
                if let Some(pre) = pre {
                    state[g][i] = isa.xor(state[g][i], isa.load_part(&pre[offset..]));
                }
            }
        }
    }
    many::<I, C, G, DECRYPT>(isa, cipher, &mut state);
    for g in 0..G {
        for i in 0..4 {
            let offset = (4 * g + i) * I::BYTES;
            if WHOLE {
                if let Some(post) = post {
                    state[g][i] = isa.xor(state[g][i], isa.load(&post[offset..]));
                }
                io.store(isa, offset, state[g][i]);
            } else if offset < io.len() {
                if let Some(post) = post {
                    state[g][i] = isa.xor(state[g][i], isa.load_part(&post[offset..]));
                }
                io.store_part(isa, offset, state[g][i]);
            }
        }
    }
}

/// Xors the data with the encrypted counters in tiles of `G` groups; the counter is moved
/// on and wraps at the block's width.
#[inline(always)]
pub(crate) fn ctr<I: Isa, C: TileCipher, const G: usize>(
    isa: I,
    cipher: &C,
    mut io: InOut<'_>,
    counter: &mut u128,
) {
    let tile = const { 4 * G * I::BYTES };
    let mut offset = 0;
    while io.len() - offset >= tile {
        ctr_tile::<I, C, G, true>(isa, cipher, io.part(offset, tile), *counter);
        *counter = counter.wrapping_add(const { 4 * G * I::BYTES / block_bytes::<C>() } as u128);
        offset += tile;
    }
    let (_, io) = io.split_at(offset);
    let first = *counter;
    *counter = first.wrapping_add(io.len().div_ceil(block_bytes::<C>()) as u128);
    match io.len().div_ceil(const { 4 * I::BYTES }) {
        0 => {}
        1 => ctr_tile::<I, C, 1, false>(isa, cipher, io, first),
        _ => ctr_tile::<I, C, G, false>(isa, cipher, io, first),
    }
}

/// One tile of counter mode, whole or in part.
#[inline(always)]
fn ctr_tile<I: Isa, C: TileCipher, const G: usize, const WHOLE: bool>(
    isa: I,
    cipher: &C,
    mut io: InOut<'_>,
    first: u128,
) {
    let mut state = [[isa.zero(); 4]; G];
    for g in 0..G {
        for i in 0..4 {
            let before = (4 * g + i) * const { I::BYTES / block_bytes::<C>() };
            state[g][i] = C::Block::counters(isa, first.wrapping_add(before as u128));
        }
    }
    many::<I, C, G, false>(isa, cipher, &mut state);
    for g in 0..G {
        for i in 0..4 {
            let offset = (4 * g + i) * I::BYTES;
            if WHOLE {
                io.store(isa, offset, isa.xor(state[g][i], io.load(isa, offset)));
            } else if offset < io.len() {
                io.store_part(isa, offset, isa.xor(state[g][i], io.load_part(isa, offset)));
            }
        }
    }
}

/// Chains side by side in lanes.
#[inline(always)]
pub(crate) fn chains<'d, I: Isa, C: TileCipher, L: Link<'d>, const BLOCK: usize, const G: usize>(
    isa: I,
    cipher: &C,
    all: &mut [L],
) {
    chains::run::<L, BLOCK, 64>(
        all,
        #[inline(always)]
        |values, _| few::<I, C, G>(isa, cipher, values.into()),
        #[inline(always)]
        |chain, offset, _| serial::one_chain(cipher, chain, offset),
    );
}

/// Blocks in place, in tiles of any fill.
#[inline(always)]
fn few<I: Isa, C: TileCipher, const G: usize>(isa: I, cipher: &C, mut io: InOut<'_>) {
    let mut offset = 0;
    while offset < io.len() {
        let n = const { 4 * G * I::BYTES }.min(io.len() - offset);
        let part = io.part(offset, n);
        if n <= const { 4 * I::BYTES } {
            cross::<I, C, 1, false, false>(isa, cipher, part, None, None);
        } else {
            cross::<I, C, G, false, false>(isa, cipher, part, None, None);
        }
        offset += n;
    }
}
