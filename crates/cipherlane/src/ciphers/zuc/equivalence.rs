//! S after L1 and S after L2, of one stream.

use lanes::{Isa, Level, dispatch_aes};

use super::linear::{TOGETHER, by_rotations, diffuse};
use super::sbox::{bit_sliced, substitute};
use crate::equivalence::{Wanted, Word, compare};

/// S of the model.
pub(super) fn s(x: Word) -> Word {
    model::zuc::s_box(u32::from_le_bytes(x)).to_le_bytes()
}

/// Which of the two words is looked at, and what its linear map takes back: S comes after it, so it is
/// what S is to be given that goes through all values.
pub(super) struct Half {
    pub(super) second: bool,
    back: Wanted,
}

impl Half {
    pub(super) fn of(second: bool) -> Self {
        let map = if second { model::zuc::l2 } else { model::zuc::l1 };
        // A sum of five rotations, squared five times, is one of five rotations by 32 times as much: the
        // word as it is. So 31 times the map is the way back.
        let back = Wanted::of(|word| {
            (0..31).fold(u32::from_le_bytes(word), |word, _| map(word)).to_le_bytes()
        });
        Self { second, back }
    }

    /// `W1` and `W2` with `u = W1L ‖ W2H` and `v = W2L ‖ W1H` such that S is given `x`; the word that is
    /// not looked at has the complement, so that nothing of it shows unnoticed.
    pub(super) fn words(&self, x: Word) -> [u32; 2] {
        let own = u32::from_le_bytes(self.back.at(x));
        let (u, v) = if self.second { (!own, own) } else { (own, !own) };
        [u >> 16 | v << 16, v >> 16 | u << 16]
    }
}

/// One of both results for every word.
#[inline(always)]
fn in_groups<I: Isa>(isa: I, words: &mut [Word], half: &Half) {
    let together = isa.splat128(&TOGETHER);
    for words in words.chunks_exact_mut(const { I::BYTES / 16 }) {
        let mut bytes = [0; 64];
        for (group, &word) in bytes.as_chunks_mut::<16>().0.iter_mut().zip(words.iter()) {
            let [w1, w2] = half.words(word).map(u32::to_le_bytes);
            group[..4].copy_from_slice(&w1);
            group[12..].copy_from_slice(&w2);
        }
        let [a, b, c] = substitute(isa, diffuse(isa, isa.load(&bytes)));
        isa.store(isa.shuffle8(isa.xor3(a, b, c), together), &mut bytes);
        for (group, word) in bytes.as_chunks::<16>().0.iter().zip(words.iter_mut()) {
            let (first, second) = (&group[..4], &group[4..8]);
            word.copy_from_slice(if half.second { second } else { first });
        }
    }
}

fn in_integers(words: &mut [Word], half: &Half) {
    for word in words {
        let [w1, w2] = half.words(*word).map(u64::from);
        let out = bit_sliced(by_rotations(w2 << 32 | w1)).to_le_bytes();
        *word = out.as_chunks().0[usize::from(half.second)];
    }
}

#[test]
fn equivalence_of_s_after_l1() {
    let half = Half::of(false);
    let run = |level, words: &mut [Word]| dispatch_aes!(level, isa => in_groups(isa, words, &half));
    compare("ZUC S after L1, one stream", |_| true, s, run);
}

#[test]
fn equivalence_of_s_after_l2() {
    let half = Half::of(true);
    let run = |level, words: &mut [Word]| dispatch_aes!(level, isa => in_groups(isa, words, &half));
    compare("ZUC S after L2, one stream", |_| true, s, run);
}

#[test]
fn equivalence_of_the_circuits() {
    let portable = |level| level == Level::portable();
    for (half, part) in [
        (Half::of(false), "ZUC S after L1, circuits in integers"),
        (Half::of(true), "ZUC S after L2, circuits in integers"),
    ] {
        compare(part, portable, s, |_, words| in_integers(words, &half));
    }
}
