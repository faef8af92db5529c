//! Rounds in which every block has a key of its own.
//!
//! One block a register at every level: its round keys are read from where they lie. A longer register
//! would have to be put together for each round, three insertions for four blocks, which costs more
//! than the rounds that it saves; for chains, which go through their keys again and again, they are
//! kept together ([`Kept`](super::kept_keys::Kept)).

use lanes::Isa;

use super::register_blocks::MOST;
use super::{Aes, BLOCK};

/// Ciphers each block in place under the key whose number stands beside it, where a round is an
/// instruction.
#[inline(always)]
pub(super) fn each<I: Isa, const DECRYPT: bool>(
    isa: I,
    keys: &[Aes],
    numbers: &[usize],
    blocks: &mut [[u8; BLOCK]],
) {
    if const { I::AES_BYTES == 0 } {
        return;
    }
    let isa = isa.narrow();
    for (numbers, blocks) in numbers.chunks(MOST).zip(blocks.chunks_mut(MOST)) {
        match blocks.len() {
            0..=2 => tile::<I::Narrow, 2, DECRYPT>(isa, keys, numbers, blocks),
            3..=4 => tile::<I::Narrow, 4, DECRYPT>(isa, keys, numbers, blocks),
            _ => tile::<I::Narrow, MOST, DECRYPT>(isa, keys, numbers, blocks),
        }
    }
}

/// At most `U` blocks.
#[inline(always)]
fn tile<I: Isa, const U: usize, const DECRYPT: bool>(
    isa: I,
    keys: &[Aes],
    numbers: &[usize],
    blocks: &mut [[u8; BLOCK]],
) {
    let first = numbers[0];
    let first = &keys[first].keys.0;
    let mut tables = [first.table::<DECRYPT>(); U];
    for (table, &number) in tables.iter_mut().zip(numbers) {
        *table = keys[number].keys.0.table::<DECRYPT>();
    }
    let rounds = first.rounds();
    let mut state = [isa.zero(); U];
    for u in 0..U {
        if let Some(block) = blocks.get(u) {
            state[u] = isa.load(block);
        }
        state[u] = isa.xor(state[u], isa.load(&tables[u][0]));
    }
    for r in 1..rounds {
        for u in 0..U {
            let key = isa.load(&tables[u][r]);
            state[u] = if DECRYPT {
                isa.aes_decrypt_round(state[u], key)
            } else {
                isa.aes_encrypt_round(state[u], key)
            };
        }
    }
    for u in 0..U {
        let key = isa.load(&tables[u][rounds]);
        state[u] = if DECRYPT {
            isa.aes_decrypt_last(state[u], key)
        } else {
            isa.aes_encrypt_last(state[u], key)
        };
        if let Some(block) = blocks.get_mut(u) {
            isa.store(state[u], block);
        }
    }
}
