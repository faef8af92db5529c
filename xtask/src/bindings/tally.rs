//! Counting what passed, over many small checks that do not stop each other.

use std::process::Command;

use super::quiet;
use crate::outcome::Outcome;

#[derive(Default)]
pub(super) struct Tally {
    passed: usize,
    failed: usize,
}

impl Tally {
    /// Counts one check and says how it went.
    pub(super) fn check(&mut self, name: &str, outcome: Result<(), String>) -> bool {
        match outcome {
            Ok(()) => {
                self.passed += 1;
                println!("   ok      {name}");
                true
            }
            Err(why) => {
                self.failed += 1;
                println!("   FAILED  {name}: {}", why.trim());
                false
            }
        }
    }

    /// Runs a command of `cargo test` and counts its tests.
    pub(super) fn cargo_test(&mut self, name: &str, command: &mut Command) {
        let (counted, text) = match quiet(command) {
            Ok(text) => (counts(&text), text),
            Err(text) => (counts(&text), text),
        };
        match counted {
            (passed, 0) if passed > 0 => {
                self.passed += passed;
                println!("   ok      {name}: {passed} tests");
            }
            (passed, failed) => {
                self.passed += passed;
                self.failed += failed.max(1);
                println!("   FAILED  {name}:\n{text}");
            }
        }
    }

    /// Takes over what a program has counted and said itself.
    pub(super) fn add(&mut self, passed: usize, failed: usize) {
        self.passed += passed;
        self.failed += failed;
    }

    /// The last line.
    pub(super) fn end(self) -> Outcome {
        let Self { passed, failed } = self;
        println!("{passed} passed, {failed} failed");
        match failed {
            0 if passed > 0 => Ok(()),
            _ => Err("not everything passed; see the lines FAILED above".into()),
        }
    }
}

/// The tests that passed and failed, by the lines that cargo prints.
fn counts(text: &str) -> (usize, usize) {
    let of = |line: &str, what: &str| {
        let mut words = line.split_whitespace().collect::<Vec<_>>().into_iter().rev();
        words.find(|word| word.trim_end_matches(';') == what)?;
        words.next()?.parse::<usize>().ok()
    };
    let lines = text.lines().filter(|line| line.starts_with("test result:"));
    lines.fold((0, 0), |(passed, failed), line| {
        (passed + of(line, "passed").unwrap_or(0), failed + of(line, "failed").unwrap_or(0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_cargo_are_counted() {
        let text = "test result: ok. 3 passed; 0 failed; 1 ignored\nx\n\
                    test result: FAILED. 2 passed; 4 failed; 0 ignored";
        assert_eq!(counts(text), (5, 4));
        assert_eq!(counts("error: could not compile"), (0, 0));
    }

    #[test]
    fn one_failure_is_enough() {
        let mut tally = Tally::default();
        assert!(tally.check("a", Ok(())));
        assert!(!tally.check("b", Err("no".into())));
        assert!(tally.end().is_err());
        assert!(Tally::default().end().is_err(), "nothing ran");
    }
}
