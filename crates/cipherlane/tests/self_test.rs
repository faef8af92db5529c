//! Known answers: there is one for every operation, all levels give it.

use cipherlane::registry::{self, ALGORITHMS};
use cipherlane::{Error, Level, self_test};

#[test]
fn every_operation_has_the_answer_that_the_portable_level_gives() {
    for algorithm in ALGORITHMS {
        let (name, portable) = (algorithm.name, Level::by_name("portable").unwrap());
        let answers = self_test::answers(algorithm, portable).unwrap();
        let line = |(operation, sum)| format!("{name}/{operation} {sum:016x}\n");
        let table: String = answers.into_iter().map(line).collect();
        let own = algorithm.answer.sums.split_inclusive('\n');
        let known: String = own.filter(|line| line.split('/').next() == Some(name)).collect();
        assert!(table == known, "the answers of the portable level, for known.txt, are\n{table}");
    }
}

/// Entries are made of one another: what one forgot would be another's.
#[test]
fn entries_have_names_and_titles_of_their_own() {
    let own = |texts: Vec<&str>| {
        let mut sorted = texts.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), texts.len(), "{texts:?}");
        assert!(texts.iter().all(|text| !text.is_empty()), "{texts:?}");
    };
    own(ALGORITHMS.iter().map(|it| it.name).collect());
    own(ALGORITHMS.iter().map(|it| it.title).collect());
    // The three lengths of keys of AES share one.
    let one_each = ALGORITHMS.iter().filter(|it| !it.name.starts_with("aes-"));
    for algorithm in one_each.clone().filter(|it| it.name.starts_with("zuc")) {
        let same = one_each.clone().filter(|it| it.standard == algorithm.standard);
        assert_eq!(same.count(), 1, "{}: {}", algorithm.name, algorithm.standard);
    }
}

#[test]
fn every_level_passes() {
    for level in Level::available() {
        let operations: usize =
            ALGORITHMS.iter().map(|it| self_test::algorithm(it, level).unwrap()).sum();
        assert_eq!(self_test::all(level), Ok(operations), "{level}");
        // `cargo xtask bochs` reads it.
        println!("answers at {level}: {operations} operations");
    }
}

/// The standard's answer is asked for at each level, and a wrong one is refused there.
#[test]
fn every_algorithm_gives_its_answer_at_every_level_and_no_other() {
    for algorithm in ALGORITHMS {
        let output = if algorithm.answer.output.starts_with('0') { "1" } else { "0" };
        let mut wrong = *algorithm;
        wrong.answer.output = format!("{output}{}", &algorithm.answer.output[1..]).leak();
        let refused =
            Error::SelfTest { algorithm: algorithm.name, operation: "(answer of the standard)" };
        for level in Level::available() {
            let place = format!("{} {level}", algorithm.name);
            assert_eq!(registry::self_test(algorithm, level), Ok(()), "{place}");
            assert_eq!(registry::self_test(&wrong, level), Err(refused), "{place}");
        }
    }
}
