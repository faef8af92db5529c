//! Figures of what takes hours and so is kept in files: fuzzing, and mutants of the sources.

use std::fmt::Write as _;

use crate::{fuzz, workspace};

/// What became of mutants: a row a scope, and a row for each that lived on, with the reason.
const MUTANTS: &str = "prove/mutants.tsv";

/// The sections of the page.
pub(super) fn sections() -> Result<String, String> {
    let (log, mutants) = (workspace::read(fuzz::LOG)?, workspace::read(MUTANTS)?);
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
    if file.lines().nth(1).is_none() {
        return Ok("\n## Mutants\n\nNone were run so far: there is no score yet.\n".into());
    }
    let mut text = String::from(
        "\n## Mutants\n\nBy cargo-mutants: code changed at random, one place at a time, and the tests \
         run again. A mutant that does not\ncompile is not viable; one that runs into the limit of time \
         is caught. Only these scopes were run.\n\n\
         | scope | tests | viable | caught | score |\n|---|---|---|---|---|\n",
    );
    let mut alive = String::new();
    for line in file.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        match fields[..] {
            ["scope", scope, tests, viable, caught] => {
                let number = |text: &str| {
                    text.parse::<u32>().map_err(|_| format!("{MUTANTS}: `{text}` in `{line}`"))
                };
                let (viable, caught) = (number(viable)?, number(caught)?);
                let score = 100.0 * f64::from(caught) / f64::from(viable.max(1));
                let row = format!("| {scope} | {tests} | {viable} | {caught} | {score:.1} % |");
                let _ = writeln!(text, "{row}");
            }
            ["alive", mutant, reason] => {
                let _ = writeln!(alive, "- `{mutant}`: {reason}");
            }
            _ => return Err(format!("{MUTANTS}: `{line}`")),
        }
    }
    if !alive.is_empty() {
        text += "\nThose that lived on, and why:\n\n";
        text += &alive;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_and_those_that_lived_on_are_told() {
        let file = "kind\t…\nscope\tcontainer\tits own\t40\t38\nalive\tsrc/a.rs:1 x\tno use\n";
        let text = mutated(file).unwrap();
        assert!(text.contains("| container | its own | 40 | 38 | 95.0 % |"), "{text}");
        assert!(text.contains("- `src/a.rs:1 x`: no use"), "{text}");
        assert!(mutated("head\n").unwrap().contains("no score yet"));
        assert!(mutated("head\nscope\tcontainer\n").is_err());
        assert!(mutated("head\nscope\ta\tb\tmany\t1\n").is_err());
        let row = fuzz::Sums { target: "pieces".into(), seconds: 90, calls: 7, findings: 0 };
        assert!(fuzzed(&[row]).contains("| pieces | 1.5 | 7 | 0 |"));
    }

    #[test]
    fn the_files_can_be_read() {
        sections().unwrap();
    }
}
