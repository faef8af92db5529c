//! The commands of docs/PROOF.md.

use super::beside::BESIDE;
use super::promises::{Line, PROMISES};

/// All commands of the page, each once, in its order.
pub(super) fn commands() -> Vec<&'static str> {
    let shown = PROMISES.iter().flat_map(|promise| promise.lines).filter_map(|line| match line {
        Line::Shown(_, _, command) => Some(*command),
        Line::Open(..) => None,
    });
    let mut all: Vec<&str> = Vec::new();
    for command in shown.chain(BESIDE.iter().map(|(_, command)| *command)) {
        if !all.contains(&command) {
            all.push(command);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::promises::TRACES;
    use super::*;

    #[test]
    fn every_command_is_there_once() {
        let all = commands();
        assert!(all.iter().all(|it| it.contains("cargo ")));
        assert_eq!(all.iter().filter(|it| **it == TRACES).count(), 1);
        assert!(all.contains(&"cargo xtask supply"));
    }

    /// The default features are three ciphers of many.
    #[test]
    fn tests_of_the_library_name_its_ciphers() {
        let of_library = |command: &&str| command.contains("-p cipherlane ");
        let whole = |command: &str| {
            let words: Vec<&str> = command.split_whitespace().collect();
            let named =
                |pair: &[&str]| pair[0] == "--features" && pair[1].split(',').any(|it| it == "all");
            words.contains(&"--all-features") || words.windows(2).any(named)
        };
        assert!(!whole("test -p cipherlane --features parallel --test parallel"));
        assert!(whole("test -p cipherlane --features all,parallel --test parallel"));
        let all = commands();
        assert!(all.iter().filter(|it| of_library(it)).count() > 10);
        for command in all.iter().filter(|it| of_library(it)) {
            assert!(whole(command), "{command}: the default features");
        }
        for run in crate::sanitize::tests_run() {
            let command = run.join(" ") + " ";
            let default = of_library(&command.as_str()) && !whole(&command);
            assert!(!default, "{command}: the default features");
        }
    }
}
