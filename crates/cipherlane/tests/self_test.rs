//! Known answers: there is one for every operation, all levels give it.

use cipherlane::registry::ALGORITHMS;
use cipherlane::{Level, self_test};

#[test]
fn every_operation_has_the_answer_that_the_portable_level_gives() {
    let mut table = String::new();
    for algorithm in ALGORITHMS {
        for (operation, sum) in
            self_test::answers(algorithm, Level::by_name("portable").unwrap()).unwrap()
        {
            table += &format!("{}/{operation} {sum:016x}\n", algorithm.name);
        }
    }
    // Without some feature there are fewer algorithms than answers.
    let mut known = String::new();
    for line in self_test::KNOWN.lines() {
        let name = line.split('/').next().unwrap();
        if ALGORITHMS.iter().any(|it| it.name == name) {
            known += &format!("{line}\n");
        }
    }
    assert!(table == known, "the answers of the portable level are\n{table}");
}

#[test]
fn every_level_passes() {
    for level in Level::available() {
        let operations: usize =
            ALGORITHMS.iter().map(|it| self_test::algorithm(it, level).unwrap()).sum();
        assert_eq!(self_test::all(level), Ok(operations), "{level}");
    }
}
