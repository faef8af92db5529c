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
}
