//! Known answers: there is one for every operation, all levels give it.

use cipherlane::registry::ALGORITHMS;
use cipherlane::{Level, self_test};

#[test]
fn every_operation_has_the_answer_that_the_portable_level_gives() {
    let mut table = String::new();
    let mut same = true;
    for algorithm in ALGORITHMS {
        for (operation, sum) in
            self_test::answers(algorithm, Level::by_name("portable").unwrap()).unwrap()
        {
            let name = algorithm.name;
            let known = |it: &self_test::Known| {
                it.algorithm == name && it.operation == operation && it.sum == sum
            };
            same &= self_test::KNOWN.iter().any(known);
            let groups: Vec<String> =
                (0..4).rev().map(|i| format!("{:04x}", (sum >> (16 * i)) & 0xffff)).collect();
            let sum = groups.join("_");
            table += &format!("    known(\"{name}\", \"{operation}\", 0x{sum}),\n");
        }
    }
    assert!(same, "the answers of the portable level are\n{table}");
}

#[test]
fn every_level_passes() {
    for level in Level::available() {
        let operations: usize =
            ALGORITHMS.iter().map(|it| self_test::algorithm(it, level).unwrap()).sum();
        assert_eq!(self_test::all(level), Ok(operations), "{level}");
    }
}
