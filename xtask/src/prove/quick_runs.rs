//! The last quick run of each CPU: what `cargo xtask prove-quick --keep` counted. The figures of the page are of
//! one run, on the CPU with the most levels; others are told beside.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::time::Duration;

use crate::here;
use crate::outcome::Outcome;
use crate::workspace;

const KEPT: &str = "prove/quick.tsv";
const HEAD: &str = "CPU\tdate\tsources\tlevels\tpassed\tfailed\tseconds\tverdicts\n";
/// What begins its section of the page.
const HEADING: &str = "\n## The quick run on each CPU\n";

/// CPUs, and the levels that they have.
pub(super) type Levels = BTreeMap<String, BTreeSet<String>>;

/// The quick run of a CPU.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    cpu: String,
    date: String,
    sources: String,
    levels: String,
    passed: usize,
    failed: usize,
    seconds: u64,
    /// The line that tells how many verdicts there are, and of which code.
    verdicts: String,
}

fn parse(text: &str) -> Result<Vec<Row>, String> {
    let row = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [cpu, date, sources, levels, passed, failed, seconds, verdicts] = fields[..] else {
            return Err(format!("{KEPT}: `{line}` has no eight fields"));
        };
        let wrong = |text: &str| format!("{KEPT}: `{text}` in `{line}`");
        let [cpu, date, sources, levels, verdicts] =
            [cpu, date, sources, levels, verdicts].map(str::to_owned);
        let passed = passed.parse().map_err(|_| wrong(passed))?;
        let failed = failed.parse().map_err(|_| wrong(failed))?;
        let seconds = seconds.parse().map_err(|_| wrong(seconds))?;
        Ok(Row { cpu, date, sources, levels, passed, failed, seconds, verdicts })
    };
    text.lines().skip(1).map(row).collect()
}

fn written(rows: &[Row]) -> String {
    let mut text = HEAD.to_owned();
    for Row { cpu, date, sources, levels, passed, failed, seconds, verdicts } in rows {
        let _ = writeln!(
            text,
            "{cpu}\t{date}\t{sources}\t{levels}\t{passed}\t{failed}\t{seconds}\t{verdicts}"
        );
    }
    text
}

fn kept() -> Result<Vec<Row>, String> {
    if workspace::root().join(KEPT).exists() {
        parse(&workspace::read(KEPT)?)
    } else {
        Ok(Vec::new())
    }
}

/// The levels that each CPU has, by its quick run: of x86-64, as others are emulated.
pub(super) fn levels() -> Result<Levels, String> {
    let of = |row: Row| (row.cpu, row.levels.split(", ").map(str::to_owned).collect());
    Ok(kept()?.into_iter().map(of).collect())
}

/// A row instead of the last one of its CPU.
fn with(mut rows: Vec<Row>, new: Row) -> Vec<Row> {
    rows.retain(|row| row.cpu != new.cpu);
    rows.push(new);
    rows.sort_by(|a, b| a.cpu.cmp(&b.cpu));
    rows
}

/// Keeps a run of all checks of now and here.
pub(super) fn keep(
    levels: &[String],
    (passed, failed): (usize, usize),
    took: Duration,
    verdicts: String,
) -> Outcome {
    let new = Row {
        cpu: here::cpu(),
        date: here::today()?,
        sources: here::sources(),
        levels: levels.join(", "),
        passed,
        failed,
        seconds: took.as_secs().max(1),
        verdicts,
    };
    let text = written(&with(kept()?, new));
    fs::write(workspace::root().join(KEPT), text).map_err(|error| format!("{KEPT}: {error}"))
}

/// The section of the page; nothing where nothing is kept.
pub(super) fn section() -> Result<String, String> {
    Ok(told(&kept()?))
}

fn told(rows: &[Row]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut text = String::from(HEADING);
    text += "\nThe last `cargo xtask prove-quick --keep` on each: its last line, and what it said of the verdicts. Code that has a verdict \
             is not\nstepped through again.\n\n\
             | CPU | levels | run | sources | passed | failed | minutes | |\n|---|---|---|---|---|---|---|---|\n";
    for Row { cpu, date, sources, levels, passed, failed, seconds, verdicts } in rows {
        let minutes = *seconds as f64 / 60.0;
        let _ = writeln!(
            text,
            "| {cpu} | {levels} | {date} | {sources} | {passed} | {failed} | {minutes:.1} | {verdicts} |"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cpu: &str, failed: usize) -> Row {
        Row {
            cpu: cpu.into(),
            date: "2026-01-02".into(),
            sources: "0123456789".into(),
            levels: "portable, avx2".into(),
            passed: 17,
            failed,
            seconds: 90,
            verdicts: "verdicts: 150".into(),
        }
    }

    #[test]
    fn one_run_of_each_cpu_is_kept_and_read_again() {
        let rows = with(with(with(Vec::new(), row("b", 0)), row("a", 0)), row("b", 1));
        assert_eq!(rows, [row("a", 0), row("b", 1)]);
        assert_eq!(parse(&written(&rows)), Ok(rows));
        assert!(parse("head\na\tb\n").unwrap_err().contains("eight fields"));
        assert!(parse(&written(&[row("a", 0)]).replace("\t17\t", "\tmany\t")).is_err());
    }

    #[test]
    fn failures_stand_in_the_page() {
        let line =
            "| a | portable, avx2 | 2026-01-02 | 0123456789 | 17 | 3 | 1.5 | verdicts: 150 |";
        assert!(told(&[row("a", 3)]).contains(line));
        assert_eq!(told(&[]), "");
    }
}
