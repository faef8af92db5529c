//! Rounds in which every block of a register has a key of its own.
//!
//! A round key of a register is the round keys of its blocks, one after another. For blocks
//! that are ciphered once they are loaded round by round ([`each`]); for chains they are kept
//! together ([`Kept`](super::kept_keys::Kept)).

use lanes::Isa;

use super::register_blocks::MOST as REGISTERS;
use super::round_keys::MOST as KEYS;
use super::{Aes, BLOCK};

/// The most blocks of a tile.
const MOST: usize = REGISTERS * 4;

/// Ciphers each block in place under the key whose number stands beside it, where a round is an
/// instruction.
#[inline(always)]
pub(super) fn each<I: Isa, const DECRYPT: bool>(
    isa: I,
    keys: &[Aes],
    numbers: &[usize],
    blocks: &mut [[u8; BLOCK]],
) {
    match const { I::AES_BYTES } {
        0 => {}
        16 => in_registers::<I::Narrow, DECRYPT>(isa.narrow(), keys, numbers, blocks),
        _ => in_registers::<I, DECRYPT>(isa, keys, numbers, blocks),
    }
}

/// The same, whole tiles of registers and what is left.
#[inline(always)]
fn in_registers<I: Isa, const DECRYPT: bool>(
    isa: I,
    keys: &[Aes],
    numbers: &[usize],
    blocks: &mut [[u8; BLOCK]],
) {
    let (per_register, per_tile) = const { (I::BYTES / BLOCK, REGISTERS * I::BYTES / BLOCK) };
    for (numbers, blocks) in numbers.chunks(per_tile).zip(blocks.chunks_mut(per_tile)) {
        match blocks.len().div_ceil(per_register) {
            0..=2 => tile::<I, 2, DECRYPT>(isa, keys, numbers, blocks),
            3..=4 => tile::<I, 4, DECRYPT>(isa, keys, numbers, blocks),
            _ => tile::<I, REGISTERS, DECRYPT>(isa, keys, numbers, blocks),
        }
    }
}

/// At most `U` registers of blocks.
#[inline(always)]
fn tile<I: Isa, const U: usize, const DECRYPT: bool>(
    isa: I,
    keys: &[Aes],
    numbers: &[usize],
    blocks: &mut [[u8; BLOCK]],
) {
    let first = numbers[0];
    let first = &keys[first].keys.0;
    let mut tables = [first.table::<DECRYPT>(); MOST];
    for (table, &number) in tables.iter_mut().zip(numbers) {
        *table = keys[number].keys.0.table::<DECRYPT>();
    }
    let rounds = first.rounds();
    let data = blocks.as_flattened_mut();
    let mut state = [isa.zero(); U];
    for u in 0..U {
        if u * I::BYTES < data.len() {
            state[u] = isa.load_part(&data[u * I::BYTES..]);
        }
        state[u] = isa.xor(state[u], key(isa, &tables, 0, u));
    }
    for r in 1..rounds {
        for u in 0..U {
            let key = key(isa, &tables, r, u);
            state[u] = if DECRYPT {
                isa.aes_decrypt_round(state[u], key)
            } else {
                isa.aes_encrypt_round(state[u], key)
            };
        }
    }
    for u in 0..U {
        let key = key(isa, &tables, rounds, u);
        state[u] = if DECRYPT {
            isa.aes_decrypt_last(state[u], key)
        } else {
            isa.aes_encrypt_last(state[u], key)
        };
        if u * I::BYTES < data.len() {
            isa.store_part(state[u], &mut data[u * I::BYTES..]);
        }
    }
}

/// The key of round `r` of register `u`.
#[inline(always)]
fn key<I: Isa>(isa: I, tables: &[&[[u8; BLOCK]; KEYS]; MOST], r: usize, u: usize) -> I::V {
    let blocks = const { I::BYTES / BLOCK };
    let at = u * blocks;
    if blocks == 1 {
        isa.load(&tables[at][r])
    } else if blocks == 2 {
        let (a, b) = (&tables[at][r], &tables[at + 1][r]);
        isa.load_blocks([a, b, a, b])
    } else {
        isa.load_blocks([
            &tables[at][r],
            &tables[at + 1][r],
            &tables[at + 2][r],
            &tables[at + 3][r],
        ])
    }
}
