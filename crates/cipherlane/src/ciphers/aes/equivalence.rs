//! The rounds of AES on registers, on one column: the four of a block are given alike, so that
//! ShiftRows leaves them as they are.

use lanes::{Isa, Level, dispatch_aes};

use crate::equivalence::{Word, compare};

fn column(round: impl Fn(&[u8; 16]) -> [u8; 16], word: Word) -> Word {
    let block = core::array::from_fn(|i| word[i % 4]);
    let [a, b, c, d, ..] = round(&block);
    [a, b, c, d]
}

/// What a round makes of blocks of four equal columns, each column of the result being looked at.
#[inline(always)]
fn on_columns<I: Isa>(isa: I, words: &mut [Word], round: impl Fn(I::V) -> I::V) {
    for words in words.chunks_exact_mut(const { I::BYTES / 16 }) {
        let mut bytes = [0; 64];
        for (group, word) in bytes.as_chunks_mut::<16>().0.iter_mut().zip(words.iter()) {
            *group = core::array::from_fn(|i| word[i % 4]);
        }
        let v = round(isa.load(&bytes));
        isa.store(v, &mut bytes);
        for (group, word) in bytes.as_chunks::<16>().0.iter().zip(words.iter_mut()) {
            let (columns, _) = group.as_chunks::<4>();
            assert!(columns.iter().all(|it| it == &columns[0]), "columns of {word:02x?} differ");
            *word = columns[0];
        }
    }
}

macro_rules! rounds {
    ($($test:ident: $name:literal = $model:expr, |$isa:ident, $v:ident| $round:expr;)*) => { $(
        #[test]
        fn $test() {
            #[inline(always)]
            fn run<I: Isa>($isa: I, words: &mut [Word]) {
                on_columns($isa, words, #[inline(always)] |$v| $round);
            }
            let run = |level: Level, words: &mut [Word]| dispatch_aes!(level, isa => run(isa, words));
            compare($name, |_| true, $model, run);
        }
    )* };
}

rounds! {
    equivalence_of_encrypting_rounds: "AES round" =
        |word| column(model::aes::round, word),
        |isa, v| isa.aes_encrypt_round(v, isa.zero());
    equivalence_of_decrypting_rounds: "AES inverse round" =
        |word| column(model::aes::inverse_round, word),
        |isa, v| isa.aes_decrypt_round(v, isa.zero());
    equivalence_of_the_last_rounds: "AES last round" =
        |word| column(model::aes::last_round, word),
        |isa, v| isa.aes_encrypt_last(v, isa.zero());
    equivalence_of_the_last_inverse_rounds: "AES last inverse round" =
        |word| column(model::aes::last_inverse_round, word),
        |isa, v| isa.aes_decrypt_last(v, isa.zero());
    // After the last inverse round, which gives every column, it makes a whole one.
    equivalence_of_inverse_mix_columns: "AES InvMixColumns" =
        |word| column(model::aes::inverse_round, word),
        |isa, v| isa.aes_inverse_mix_columns(isa.aes_decrypt_last(v, isa.zero()));
}

/// A byte in one place alone, which tells where ShiftRows takes it.
#[test]
fn equivalence_of_shift_rows() {
    #[inline(always)]
    fn run<I: Isa>(isa: I, block: &[u8; 16]) -> [[u8; 16]; 4] {
        let mut out = [[0; 16]; 4];
        let v = isa.splat128(block);
        isa.store128(isa.aes_encrypt_round(v, isa.zero()), &mut out[0]);
        isa.store128(isa.aes_decrypt_round(v, isa.zero()), &mut out[1]);
        isa.store128(isa.aes_encrypt_last(v, isa.zero()), &mut out[2]);
        isa.store128(isa.aes_decrypt_last(v, isa.zero()), &mut out[3]);
        out
    }
    for level in Level::available() {
        let begin = std::time::Instant::now();
        for place in 0..16 {
            for value in 0..=255 {
                let mut block = [0; 16];
                block[place] = value;
                use model::aes::{inverse_round, last_inverse_round, last_round, round};
                let wanted = [round, inverse_round, last_round, last_inverse_round]
                    .map(|it: fn(&_) -> _| it(&block));
                let got = dispatch_aes!(level, isa => run(isa, &block));
                assert_eq!(got, wanted, "{value:#04x} in place {place} at {level}");
            }
        }
        crate::equivalence::shown("AES rounds, a byte in every place", level, 4 * 16 * 256, begin);
    }
}
