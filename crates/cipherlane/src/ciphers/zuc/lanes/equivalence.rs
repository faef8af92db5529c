//! S after L1 and S after L2, a stream in each lane.

use lanes::{Isa, dispatch_aes};

use super::super::equivalence::{Half, s};
use super::nonlinear::next;
use crate::equivalence::{Word, compare};

#[inline(always)]
fn in_lanes<I: Isa>(isa: I, words: &mut [Word], half: &Half) {
    for words in words.chunks_exact_mut(const { I::BYTES / 4 }) {
        let mut w = [[[0; 4]; 16]; 2];
        for (lane, &word) in words.iter().enumerate() {
            let both = half.words(word).map(u32::to_le_bytes);
            (w[0][lane], w[1][lane]) = (both[0], both[1]);
        }
        let (r1, r2) = next(isa, isa.load(w[0].as_flattened()), isa.load(w[1].as_flattened()));
        let r = if half.second { r2 } else { r1 };
        isa.store(r, words.as_flattened_mut());
    }
}

#[test]
fn equivalence_of_s_after_l1_in_lanes() {
    let half = Half::of(false);
    let run = |level, words: &mut [Word]| dispatch_aes!(level, isa => in_lanes(isa, words, &half));
    compare("ZUC S after L1, a stream a lane", |_| true, s, run);
}

#[test]
fn equivalence_of_s_after_l2_in_lanes() {
    let half = Half::of(true);
    let run = |level, words: &mut [Word]| dispatch_aes!(level, isa => in_lanes(isa, words, &half));
    compare("ZUC S after L2, a stream a lane", |_| true, s, run);
}
