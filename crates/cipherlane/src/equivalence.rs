//! Functions of words compared with the models' for every byte in every place and lane, or, where
//! the environment asks, for all 2^32 words. What follows from it is in `docs/notes/equivalence.md`;
//! `cargo xtask equivalence` runs the tests and lists what they print.

use std::time::Instant;
use std::vec::Vec;
use std::{env, println};

use lanes::{Isa, Level};
use model::effort::stride;

/// Four bytes as they lie in memory.
pub(crate) type Word = [u8; 4];

/// Words that a door is entered with: whole tiles of every formulation.
const TILE: usize = 1 << 12;
/// The lanes of the widest tile: bit planes in a register of 64 bytes.
const LANES: usize = 128;
/// Asks for all words.
const VARIABLE: &str = "CIPHERLANE_EQUIVALENCE";

/// A function of words as sums of functions of bytes, which all that is compared here is by its
/// standard: S-boxes, and a linear map of what they give. So it takes four look-ups.
pub(crate) struct Wanted {
    zero: u32,
    tables: [[u32; 256]; 4],
}

impl Wanted {
    /// The tables of a model's function, compared with it on words of four bytes besides.
    pub(crate) fn of(model: impl Fn(Word) -> Word) -> Self {
        let number = |word| u32::from_le_bytes(model(word));
        let mut tables = [[0; 256]; 4];
        for (place, table) in tables.iter_mut().enumerate() {
            for (value, entry) in table.iter_mut().enumerate() {
                let mut word = [0; 4];
                word[place] = value as u8;
                *entry = number(word) ^ number([0; 4]);
            }
        }
        let wanted = Self { zero: number([0; 4]), tables };
        for i in 0..1u32 << 12 {
            let word = i.wrapping_mul(0x9e37_79b9).to_le_bytes();
            assert_eq!(wanted.at(word), model(word), "the model is not a sum over bytes");
        }
        wanted
    }

    /// What the function gives.
    pub(crate) fn at(&self, word: Word) -> Word {
        let [a, b, c, d] = word.map(usize::from);
        let t = &self.tables;
        (self.zero ^ t[0][a] ^ t[1][b] ^ t[2][c] ^ t[3][d]).to_le_bytes()
    }
}

/// Every value of every byte, the others being zeros, ones or mixed.
fn bytes() -> Vec<Word> {
    let mut words = Vec::new();
    for others in [[0; 4], [0xff; 4], [0x1b, 0xd6, 0x5a, 0x93]] {
        for place in 0..4 {
            for value in 0..=255 {
                let mut word = others;
                word[place] = value;
                words.push(word);
            }
        }
    }
    words
}

/// A formulation against the standard's function, at the levels that have it; prints what was shown.
pub(crate) fn compare(
    part: &str,
    has: impl Fn(Level) -> bool,
    model: impl Fn(Word) -> Word,
    formulation: impl Fn(Level, &mut [Word]),
) {
    let wanted = Wanted::of(model);
    let all = env::var(VARIABLE).is_ok_and(|it| it == "all");
    // In all words `portable` would take hours, but where it has a formulation of its own.
    let others = Level::available().any(|level| level != Level::portable() && has(level));
    let apart = |level| all && others && level == Level::portable();
    for level in Level::available().filter(|&level| has(level) && !apart(level)) {
        let begin = Instant::now();
        let mut cases = 0u64;
        let mut check = |words: &[Word]| {
            let mut got = words.to_vec();
            formulation(level, &mut got);
            cases += words.len() as u64;
            for (got, &word) in got.iter().zip(words) {
                assert_eq!(*got, wanted.at(word), "{part} of {word:02x?} at {level}");
            }
        };
        if all {
            let mut words = std::vec![[0; 4]; TILE];
            for first in (0..=u32::MAX).step_by(TILE) {
                for (i, word) in words.iter_mut().enumerate() {
                    *word = (first + i as u32).to_le_bytes();
                }
                check(&words);
            }
        } else {
            let mut words = bytes();
            for _ in 0..LANES.div_ceil(stride()) {
                words.rotate_left(1);
                check(&words);
            }
        }
        shown(part, level, cases, begin);
    }
}

/// The line that `cargo xtask equivalence` reads.
pub(crate) fn shown(part: &str, level: Level, cases: u64, begin: Instant) {
    println!("equivalence\t{part}\t{level}\t{cases}\t{:.2}", begin.elapsed().as_secs_f64());
}

/// A function of registers on all words.
#[inline(always)]
pub(crate) fn each<I: Isa>(isa: I, words: &mut [Word], f: impl Fn(I, I::V) -> I::V) {
    for bytes in words.as_flattened_mut().chunks_exact_mut(I::BYTES) {
        let v = isa.load(bytes);
        isa.store(f(isa, v), bytes);
    }
}
