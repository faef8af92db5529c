//! Rounds in which every block of a register has a key of its own.
//!
//! A round key of a register is the round keys of its blocks, one after another. For blocks
//! that are ciphered once they are loaded round by round ([`each`]); for chains they are kept
//! together ([`Kept`](super::kept_keys::Kept)).

use lanes::Isa;

use super::ordered::MOST as REGISTERS;
use super::round_keys::MOST as KEYS;
use super::{Aes, BLOCK, formulation};

/// The most blocks of a tile.
const MOST: usize = REGISTERS * 4;

/// Ciphers each block in place under the key whose number stands beside it.
#[inline(always)]
pub(super) fn each<I: Isa, const BACK: bool>(
    isa: I,
    keys: &[Aes],
    numbers: &[usize],
    all: &mut [[u8; BLOCK]],
) {
    match const { I::AES_BYTES } {
        0 => {}
        16 => return in_registers::<I::Narrow, BACK>(isa.narrow(), keys, numbers, all),
        _ => return in_registers::<I, BACK>(isa, keys, numbers, all),
    }
    let mut rest = all;
    for numbers in numbers.chunk_by(|a, b| a == b) {
        let (run, behind) = rest.split_at_mut(numbers.len());
        let (number, io) = (numbers[0], run.as_flattened_mut().into());
        formulation::blocks::<I, BACK>(isa, &keys[number].keys.0, io, None, None);
        rest = behind;
    }
}

/// The same where a round is an instruction for whole registers: several registers of blocks of
/// one key go the way of one key.
#[inline(always)]
fn in_registers<I: Isa, const BACK: bool>(
    isa: I,
    keys: &[Aes],
    numbers: &[usize],
    blocks: &mut [[u8; BLOCK]],
) {
    let per_register = const { I::BYTES / BLOCK };
    let mut at = 0;
    while at < blocks.len() {
        let number = numbers[at];
        let mut run = 1;
        while at + run < blocks.len() && numbers[at + run] == number {
            run += 1;
        }
        if run >= const { REGISTERS / 2 } * per_register || at + run == blocks.len() {
            let io = blocks[at..at + run].as_flattened_mut().into();
            formulation::blocks::<I, BACK>(isa, &keys[number].keys.0, io, None, None);
            at += run;
            continue;
        }
        let end = blocks.len().min(at + const { REGISTERS * I::BYTES / BLOCK });
        let (numbers, blocks) = (&numbers[at..end], &mut blocks[at..end]);
        match blocks.len().div_ceil(per_register) {
            0..=2 => tile::<I, 2, BACK>(isa, keys, numbers, blocks),
            3..=4 => tile::<I, 4, BACK>(isa, keys, numbers, blocks),
            _ => tile::<I, REGISTERS, BACK>(isa, keys, numbers, blocks),
        }
        at = end;
    }
}

/// At most `U` registers of blocks.
#[inline(always)]
fn tile<I: Isa, const U: usize, const BACK: bool>(
    isa: I,
    keys: &[Aes],
    numbers: &[usize],
    blocks: &mut [[u8; BLOCK]],
) {
    let first = numbers[0];
    let first = &keys[first].keys.0;
    let mut tables = [first.table::<BACK>(); MOST];
    for (table, &number) in tables.iter_mut().zip(numbers) {
        *table = keys[number].keys.0.table::<BACK>();
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
            state[u] = if BACK {
                isa.aes_decrypt_round(state[u], key)
            } else {
                isa.aes_encrypt_round(state[u], key)
            };
        }
    }
    for u in 0..U {
        let key = key(isa, &tables, rounds, u);
        state[u] = if BACK {
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
