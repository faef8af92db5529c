//! T and T' of every formulation, alone.

use lanes::{Isa, Level, dispatch, dispatch_sm4};

use super::{basis, bit_sliced, byte_rounds, circuit, schedule, word_sliced};
use crate::equivalence::{Word, compare, each};

fn t(word: Word) -> Word {
    model::sm4::t(u32::from_be_bytes(word)).to_be_bytes()
}

fn t_prime(word: Word) -> Word {
    model::sm4::t_prime(u32::from_be_bytes(word)).to_be_bytes()
}

/// What the formulations over registers of words and of bytes are given and leave.
#[inline(always)]
fn into<I: Isa>(isa: I, x: I::V) -> I::V {
    isa.affine8::<{ basis::INTO }, { basis::INPUT }>(x)
}

#[inline(always)]
fn out_of<I: Isa>(isa: I, x: I::V) -> I::V {
    isa.affine8::<{ basis::OUT_OF }, 0>(x)
}

#[inline(always)]
fn by_words<I: Isa>(isa: I, words: &mut [Word]) {
    each(
        isa,
        words,
        #[inline(always)]
        |isa, x| out_of(isa, word_sliced::update(isa, isa.zero(), into(isa, x))),
    );
}

#[inline(always)]
fn by_bytes<I: Isa>(isa: I, words: &mut [Word]) {
    for words in words.chunks_exact_mut(I::BYTES) {
        let mut u = [isa.zero(); 4];
        for place in 0..4 {
            let mut bytes = [0; 64];
            for (byte, word) in bytes.iter_mut().zip(words.iter()) {
                *byte = word[place];
            }
            u[place] = into(isa, isa.load(&bytes));
        }
        // Words are kept as sums of three bytes of four; twice is as they were.
        let zero = [isa.zero(); 4];
        let mut z = zero;
        byte_rounds::round(isa, &mut z, byte_rounds::mix(isa, u), zero, zero);
        for (place, z) in byte_rounds::mix(isa, z).into_iter().enumerate() {
            let mut bytes = [0; 64];
            isa.store(out_of(isa, z), &mut bytes);
            for (byte, word) in bytes.iter().zip(words.iter_mut()) {
                word[place] = *byte;
            }
        }
    }
}

#[inline(always)]
fn by_bits<I: Isa>(isa: I, words: &mut [Word]) {
    for words in words.chunks_exact_mut(const { I::BYTES / 8 } * bit_sliced::BLOCKS) {
        let lanes = words.chunks_exact(bit_sliced::BLOCKS);
        let mut planes = [[[0u64; 8]; 8]; 2];
        for (lane, words) in lanes.enumerate() {
            for (block, word) in words.iter().enumerate() {
                for (place, byte) in word.iter().enumerate() {
                    let byte = byte ^ circuit::INPUT_CONSTANT;
                    for plane in 0..8 {
                        planes[0][plane][lane] |=
                            u64::from(byte >> plane & 1) << (16 * place + block);
                    }
                }
            }
        }
        let mut x = [isa.zero(); 8];
        for (x, lanes) in x.iter_mut().zip(&planes[0]) {
            *x = isa.load(lanes.map(u64::to_le_bytes).as_flattened());
        }
        let zero = [isa.zero(); 8];
        let mut y = zero;
        bit_sliced::round(isa, &mut y, &x, &zero, &zero, &[0; 8]);
        for (y, lanes) in y.into_iter().zip(&mut planes[1]) {
            let mut bytes = [0; 64];
            isa.store(y, &mut bytes);
            *lanes = core::array::from_fn(|i| u64::from_le_bytes(bytes.as_chunks().0[i]));
        }
        // What the rounds settle with their keys: the S-box's output constant, after L.
        let owed = circuit::OUTPUT_CONSTANT.rotate_left(2);
        for (lane, words) in words.chunks_exact_mut(bit_sliced::BLOCKS).enumerate() {
            for (block, word) in words.iter_mut().enumerate() {
                for (place, byte) in word.iter_mut().enumerate() {
                    let bit = |plane: usize| planes[1][plane][lane] >> (16 * place + block) & 1;
                    *byte = (0..8).fold(owed, |byte, plane| byte ^ (bit(plane) as u8) << plane);
                }
            }
        }
    }
}

/// The first of four rounds: the others see what it gave.
#[inline(always)]
fn by_instructions<I: Isa>(isa: I, words: &mut [Word]) {
    for words in words.chunks_exact_mut(const { I::BYTES / 16 }) {
        let mut bytes = [0; 64];
        for (group, word) in bytes.as_chunks_mut::<16>().0.iter_mut().zip(words.iter()) {
            group[..4].copy_from_slice(&u32::from_be_bytes(*word).to_le_bytes());
        }
        let x4 = isa.sm4_rounds(isa.zero(), isa.load(&bytes));
        isa.store(x4, &mut bytes);
        for (group, word) in bytes.as_chunks::<16>().0.iter().zip(words.iter_mut()) {
            *word = [group[3], group[2], group[1], group[0]];
        }
    }
}

#[inline(always)]
fn keys_by_words<I: Isa>(isa: I, words: &mut [Word]) {
    each(
        isa,
        words,
        #[inline(always)]
        |isa, x| out_of(isa, schedule::t_prime(isa, into(isa, x))),
    );
}

#[inline(always)]
fn maps<I: Isa>(_: I) -> bool {
    I::BYTE_MAPS
}

fn has_maps(level: Level) -> bool {
    dispatch!(level, isa => maps(isa))
}

#[test]
fn equivalence_of_words() {
    let run = |level, words: &mut [Word]| dispatch!(level, isa => by_words(isa, words));
    compare("SM4 T, registers of words", has_maps, t, run);
}

#[test]
fn equivalence_of_byte_slices() {
    let run = |level, words: &mut [Word]| dispatch!(level, isa => by_bytes(isa, words));
    compare("SM4 T, registers of bytes", has_maps, t, run);
}

#[test]
fn equivalence_of_bit_slices() {
    let run = |level, words: &mut [Word]| dispatch!(level, isa => by_bits(isa, words));
    compare("SM4 T, bit planes", |_| true, t, run);
}

#[test]
fn equivalence_of_sm4_instructions() {
    let run = |level, words: &mut [Word]| dispatch_sm4!(level, isa => by_instructions(isa, words));
    compare("SM4 T, sm4_rounds", has_maps, t, run);
}

#[test]
fn equivalence_of_the_key_schedule() {
    let run = |level, words: &mut [Word]| dispatch!(level, isa => keys_by_words(isa, words));
    compare("SM4 T', registers of words", has_maps, t_prime, run);
}
