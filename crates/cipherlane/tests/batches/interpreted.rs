//! Little enough for an interpreter that finds undefined behaviour (Miri takes a second for a few
//! blocks): the standards' answers, and two short messages of every operation, alone and at once.

use cipherlane::Level;
use cipherlane::registry::{self, ALGORITHMS};
use model::random::SplitMix64;

use super::{fresh, messages};

/// Of these pairs alone, `sm4@avx2,zuc-128@aesni`, if the environment names some: a run of hours can go in parts.
fn asked(algorithm: &str, level: Level) -> bool {
    let Ok(pairs) = std::env::var("CIPHERLANE_TEST_PAIRS") else { return true };
    pairs.split(',').any(|it| it.split_once('@') == Some((algorithm, level.name())))
}

#[test]
fn short_messages_alone_and_two_at_once() {
    let mut random = SplitMix64::new(11);
    // The quickest first.
    for level in Level::available().collect::<Vec<_>>().into_iter().rev() {
        for algorithm in ALGORITHMS.iter().filter(|it| asked(it.name, level)) {
            assert_eq!(registry::self_test(algorithm, level), Ok(()), "{} {level}", algorithm.name);
            // Modes and batches are the same everywhere; portable kernels take ten times as long.
            if !cfg!(miri) || level != Level::portable() {
                for batch in registry::operations(algorithm) {
                    let what = (algorithm, &batch);
                    fresh(what, level, &messages(&mut random, what, 2, 17));
                }
            }
            // Seen in long runs alone.
            println!("interpreted {} {level}", algorithm.name);
        }
    }
}
