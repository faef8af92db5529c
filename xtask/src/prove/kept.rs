//! Figures of what takes hours or other machines and so is kept in files: traces elsewhere, fuzzing, and mutants of the sources.

use std::fmt::Write as _;

use super::{elsewhere, quick_runs};
use crate::{fuzz, mutants, workspace};

/// How they begin.
pub(super) const FIRST: &str = elsewhere::HEADING;

/// The sections of the page.
pub(super) fn sections() -> Result<String, String> {
    let (log, mutants) = (workspace::read(fuzz::LOG)?, workspace::read(mutants::LOG)?);
    let reached = match workspace::read(fuzz::COVERAGE) {
        Ok(text) => reached(&fuzz::rooms(&text)?, fuzz::reached_when(&text)),
        Err(_) if !workspace::root().join(fuzz::COVERAGE).exists() => String::new(),
        Err(error) => return Err(error),
    };
    Ok(elsewhere::section()?
        + &quick_runs::section()?
        + &fuzzed(&fuzz::parse(&log)?)
        + &reached
        + &mutated(&mutants)?)
}

fn fuzzed(rows: &[fuzz::Sums]) -> String {
    let mut text = String::from("\n## Fuzzing\n");
    text.push_str(
        "\nAll runs of `cargo xtask fuzz --write` so far, with overflow checks and \
         debug assertions: without a sanitizer, and with\n`--address` under AddressSanitizer.\n\n\
         | target | CPU minutes | under AddressSanitizer | calls | findings |\n|---|---|---|---|---|\n",
    );
    let minutes = |seconds: u64| seconds as f64 / 60.0;
    for fuzz::Sums { target, seconds, watched, calls, findings } in rows {
        let (all, watched) = (minutes(*seconds), minutes(*watched));
        let _ = writeln!(text, "| {target} | {all:.1} | {watched:.1} | {calls} | {findings} |");
    }
    text
}

fn reached(rooms: &[fuzz::Room], when: Option<&str>) -> String {
    if rooms.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "\nWhat the targets reach of each room from their corpora and from 200 random inputs each, by \
         `cargo xtask fuzz --coverage`{}:\nlines that ran, of those that were compiled into the \
         program of all targets. It counts what is generic once; what only other\nCPUs and other \
         callers run is among the rest, as is what of the laboratory reads no foreign bytes.\n\n| room | lines | reached |\n|---|---|---|\n",
        when.map(|it| format!(" ({it})")).unwrap_or_default()
    );
    for fuzz::Room { name, lines, reached } in rooms {
        let share = 100.0 * *reached as f64 / (*lines).max(1) as f64;
        let _ = writeln!(text, "| {name} | {lines} | {share:.1} % |");
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
         tried again\nwith more features and tests (`--again`), and what is left then, but for what computes the same, with all cases (`--all`).\nEvery nth mutant of a scope is a \
         part. A mutant that does not compile is not viable; one that runs into the\nlimit of time \
         is caught. Some compute the same in another way, say one message after another instead of\nside by side: they \
         are listed below with those that lived on, and the score is of the others. The interval is Wilson's, at 95 %, \
         as if\neach mutant were drawn alone.\n\n\
         | scope | parts run | viable | of these the same | caught | score | interval |\n\
         |---|---|---|---|---|---|---|\n",
    );
    let mut row = |scope: &str, parts: &str, viable: u32, same: u32, caught: u32| {
        let others = viable.saturating_sub(same);
        let score = 100.0 * f64::from(caught) / f64::from(others.max(1));
        let (low, high) = interval(caught.min(others), others);
        let _ = writeln!(
            text,
            "| {scope} | {parts} | {viable} | {same} | {caught} | {score:.1} % | {low:.1} to {high:.1} % |"
        );
    };
    let mut all_same = 0;
    for mutants::Sums { scope, parts, of, viable, caught } in &log.sums {
        let same = mutants::alternatives(&log, scope);
        all_same += same;
        row(scope, &format!("{} of {of}", parts.len()), *viable, same, *caught);
    }
    let all = |of: fn(&mutants::Sums) -> u32| log.sums.iter().map(of).sum();
    row("all", "", all(|sums| sums.viable), all_same, all(|sums| sums.caught));
    let untouched = mutants::untouched(&log);
    if !untouched.is_empty() {
        let _ = writeln!(text, "\nNo part was run of: {}.", untouched.join(", "));
    }
    for (scope, files) in mutants::left_out() {
        let _ = writeln!(
            text,
            "\nLeft out of {scope}, as not compiled on the machine of these runs, or for other CPUs: `{}`.",
            files.join("`, `")
        );
    }
    if !log.alive.is_empty() {
        text += "\nThose that lived on, and why:\n\n";
        for (mutant, reason) in &log.alive {
            let _ = writeln!(text, "- `{mutant}`: {reason}");
        }
    }
    Ok(text)
}

/// Where the share of all mutants lies that would be caught, in percent, by those that were drawn: the
/// interval of Wilson, J. Am. Stat. Assoc. 22 (1927), pp. 209–212, at 95 %.
fn interval(caught: u32, viable: u32) -> (f64, f64) {
    if viable == 0 {
        return (0.0, 100.0);
    }
    let (z, n) = (1.959_964_f64, f64::from(viable));
    let share = f64::from(caught) / n;
    let middle = share + z * z / (2.0 * n);
    let half = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 100.0 / (1.0 + z * z / n);
    (scale * (middle - half).max(0.0), (scale * (middle + half)).min(100.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_and_those_that_lived_on_are_told() {
        let file = "kind\t…\nscope\tcontainer\t0,1/40\t42\t38\nalive\tsrc/a.rs:1 x\tno use\n\
                    alive\tcrates/container/src/a.rs:1 y\tthe same\n\
                    alive\tcrates/container/src/a.rs:2 y\tthe same bytes\n";
        let text = mutated(file).unwrap();
        assert!(
            text.contains("| container | 2 of 40 | 42 | 2 | 38 | 95.0 % | 83.5 to 98.6 % |"),
            "{text}"
        );
        assert!(text.contains("- `src/a.rs:1 x`: no use"), "{text}");
        assert!(text.contains("No part was run of: sm4, aes"), "{text}");
        assert!(mutated("head\n").unwrap().contains("no score yet"));
        assert!(mutated("head\nscope\tcontainer\n").is_err());
        let target = "pieces".into();
        let row = fuzz::Sums { target, seconds: 90, watched: 30, calls: 7, findings: 0 };
        assert!(fuzzed(&[row]).contains("| pieces | 1.5 | 0.5 | 7 | 0 |"));
        let room = fuzz::Room { name: "cipher sm4".into(), lines: 200, reached: 150 };
        let text = reached(&[room], Some("a day, a CPU"));
        assert!(text.ends_with("\n| cipher sm4 | 200 | 75.0 % |\n"), "{text}");
        assert!(text.contains("--coverage` (a day, a CPU):\n"), "{text}");
        assert_eq!(reached(&[], None), "");
    }

    #[test]
    fn intervals_are_wilsons() {
        // Of Newcombe, Statistics in Medicine 17 (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
        for (caught, viable, low, high) in [
            (81, 263, 25.53, 36.62),
            (15, 148, 6.24, 16.05),
            (0, 20, 0.0, 16.11),
            (1, 29, 0.61, 17.18),
        ] {
            let (a, b) = interval(caught, viable);
            assert!((a - low).abs() < 0.01 && (b - high).abs() < 0.01, "{caught}: {a} {b}");
        }
        assert_eq!(interval(0, 0), (0.0, 100.0));
    }

    #[test]
    fn the_files_can_be_read() {
        sections().unwrap();
    }
}
