//! The promises of SECURITY.md, by their words in bold: what backs each, at which levels, by which
//! command, and what nobody has shown.

use memory::MEMORY;
use results::RIGHT_RESULTS;
use secrets::{ERRORS, ONE_TAG, OVERWRITTEN, TAGS};
use times::TIMES;

mod memory;
mod results;
mod secrets;
mod times;

/// A promise and its lines of the table.
pub(super) struct Promise {
    pub(super) words: &'static str,
    pub(super) lines: &'static [Line],
}

pub(super) enum Line {
    /// At these levels: what is checked, and the command that does it again.
    Shown(&'static str, &'static str, &'static str),
    /// At these levels: what nobody has shown.
    Open(&'static str, &'static str),
}

/// Each level of x86-64 that the CPU of the run has.
pub(super) const X86: &str = "x86-64";
const ARM: &str = "neon, neon-sm4";
const WASM: &str = "simd128";
/// What no level has a part in.
const NONE: &str = "–";

/// The command whose records are of machine code and outlive the sources.
pub(super) const TRACES: &str = "cargo xtask prove-quick";

pub(super) const PROMISES: [Promise; 7] =
    [RIGHT_RESULTS, TIMES, OVERWRITTEN, TAGS, ONE_TAG, ERRORS, MEMORY];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;

    #[test]
    fn every_promise_of_the_page_on_security_is_backed() {
        let text = workspace::read("SECURITY.md").unwrap();
        let section = text.split("## What the library promises").nth(1).unwrap();
        let section = section.split("\n## ").next().unwrap();
        let promises: Vec<&str> = section
            .split("\n\n")
            .filter_map(|paragraph| paragraph.trim().strip_prefix("**")?.split("**").next())
            .collect();
        let backed: Vec<&str> = PROMISES.iter().map(|it| it.words.trim_end_matches(',')).collect();
        assert_eq!(promises, backed);
    }
}
