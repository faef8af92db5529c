//! Figures of what takes hours and so is kept in files: fuzzing, and mutants of the sources.

use std::fmt::Write as _;

use crate::{fuzz, mutants, workspace};

/// The sections of the page.
pub(super) fn sections() -> Result<String, String> {
    let (log, mutants) = (workspace::read(fuzz::LOG)?, workspace::read(mutants::LOG)?);
    Ok(fuzzed(&fuzz::parse(&log)?) + &mutated(&mutants)?)
}

fn fuzzed(rows: &[fuzz::Sums]) -> String {
    let mut text = String::from(
        "\n## Fuzzing\n\nAll runs of `cargo xtask fuzz --write` so far, with overflow checks and \
         debug assertions, without a sanitizer.\n\n\
         | target | CPU minutes | calls | findings |\n|---|---|---|---|\n",
    );
    for fuzz::Sums { target, seconds, calls, findings } in rows {
        let _ =
            writeln!(text, "| {target} | {:.1} | {calls} | {findings} |", *seconds as f64 / 60.0);
    }
    text
}

fn mutated(file: &str) -> Result<String, String> {
    let log = mutants::parse(file)?;
    if log.sums.is_empty() {
        return Ok("\n## Mutants\n\nNone were run so far: there is no score yet.\n".into());
    }
    let mut text = String::from(
        "\n## Mutants\n\n`cargo xtask mutants --write`, by cargo-mutants: the code is changed in one \
         place at a time, and tests run\nagain with a sample of their cases, at the levels `portable` and `avx2`. Those that live on are \
         tried with all\ncases and the tests in the sources (`--again`).\nEvery nth mutant of a scope is a \
         part. A mutant that does not compile is not viable; one that runs into the\nlimit of time \
         is caught.\n\n\
         | scope | parts run | viable | caught | score |\n|---|---|---|---|---|\n",
    );
    let mut row = |scope: &str, parts: &str, viable: u32, caught: u32| {
        let score = 100.0 * f64::from(caught) / f64::from(viable.max(1));
        let _ = writeln!(text, "| {scope} | {parts} | {viable} | {caught} | {score:.1} % |");
    };
    for mutants::Sums { scope, parts, of, viable, caught } in &log.sums {
        row(scope, &format!("{} of {of}", parts.len()), *viable, *caught);
    }
    let all = |of: fn(&mutants::Sums) -> u32| log.sums.iter().map(of).sum();
    row("all", "", all(|sums| sums.viable), all(|sums| sums.caught));
    let untouched = mutants::untouched(&log);
    if !untouched.is_empty() {
        let _ = writeln!(text, "\nNo part was run of: {}.", untouched.join(", "));
    }
    if !log.alive.is_empty() {
        text += "\nThose that lived on, and why:\n\n";
        for (mutant, reason) in &log.alive {
            let _ = writeln!(text, "- `{mutant}`: {reason}");
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_and_those_that_lived_on_are_told() {
        let file = "kind\t…\nscope\tcontainer\t0,1/40\t40\t38\nalive\tsrc/a.rs:1 x\tno use\n";
        let text = mutated(file).unwrap();
        assert!(text.contains("| container | 2 of 40 | 40 | 38 | 95.0 % |"), "{text}");
        assert!(text.contains("- `src/a.rs:1 x`: no use"), "{text}");
        assert!(text.contains("No part was run of: sm4, aes"), "{text}");
        assert!(mutated("head\n").unwrap().contains("no score yet"));
        assert!(mutated("head\nscope\tcontainer\n").is_err());
        let row = fuzz::Sums { target: "pieces".into(), seconds: 90, calls: 7, findings: 0 };
        assert!(fuzzed(&[row]).contains("| pieces | 1.5 | 7 | 0 |"));
    }

    #[test]
    fn the_files_can_be_read() {
        sections().unwrap();
    }
}
