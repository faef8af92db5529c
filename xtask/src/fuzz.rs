//! `cargo xtask fuzz`: every target of `fuzz/` for a minute, an hour, as long as is said, or until each has
//! so many seconds (`--until=`), from its corpus on; what was run is added to a file that `docs/PROOF.md`
//! reads. The build is what `cargo fuzz` makes: without a sanitizer, for which the stable compiler will do, or
//! under AddressSanitizer (`--address`) by the nightly one. `--minimise` takes of what was found into the
//! corpora what reaches new places, `--coverage` tells what of each room the corpora reach.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

mod build;
mod corpora;
mod coverage;
mod log;

use build::build;
pub(crate) use coverage::{KEPT as COVERAGE, Room, parse as rooms, when as reached_when};
pub(crate) use log::{LOG, Sums, parse};

use crate::outcome::Outcome;
use crate::stage::{skip, stage};
use crate::workspace;

pub(crate) const OPTIONS: &[&str] = &[
    "--write",
    "--address",
    "--long",
    "--minutes=",
    "--until=",
    "--only=",
    "--minimise",
    "--coverage",
];

const FOLDER: &str = "fuzz";

/// The targets are the files that call them.
fn targets() -> Result<Vec<String>, String> {
    let files = workspace::files("fuzz/fuzz_targets", "rs")?;
    let name = |path: &String| Some(path.rsplit('/').next()?.strip_suffix(".rs")?.to_owned());
    Ok(files.iter().filter_map(name).collect())
}

/// The CPU seconds of what a shell ran, from the second line of `times`: `1m2.3s 0m0.4s`.
fn cpu_seconds(times: &str) -> Option<f64> {
    let last = times.lines().rev().find(|line| !line.trim().is_empty())?;
    let one = |text: &str| {
        let (minutes, seconds) = text.strip_suffix('s')?.split_once('m')?;
        Some(60.0 * minutes.parse::<f64>().ok()? + seconds.parse::<f64>().ok()?)
    };
    last.split_whitespace().map(one).sum()
}

/// Where a target keeps what it finds, from one run to the next.
fn found(target: &str) -> PathBuf {
    workspace::scratch("fuzz").join(target)
}

/// Whether a run ended at the limit of time of one input, and that input, alone, ends well: the limit is of the
/// clock, and what runs beside others, or is stopped while somebody measures, meets it without a fault.
fn stood_still(program: &PathBuf, said: &str) -> bool {
    let written = |line: &str| line.split_once("Test unit written to ").map(|it| it.1.to_owned());
    let Some(input) = said.lines().find_map(written) else { return false };
    if !said.contains("SUMMARY: libFuzzer: timeout") {
        return false;
    }
    let alone = Command::new(program).args(["-timeout=60", &input]).output();
    let well = alone.is_ok_and(|output| output.status.success());
    if well {
        let _ = fs::remove_file(&input);
    }
    well
}

/// What a target lacks here, as it said itself: it did nothing then.
fn lacks(said: &str) -> Option<&str> {
    said.lines().find_map(|line| line.strip_prefix("SKIP: "))
}

/// Runs a target and returns its CPU seconds and calls, none if it lacks what it needs here; an error is a
/// finding.
fn one(program: &PathBuf, target: &str, seconds: u64) -> Result<Option<(u64, u64)>, String> {
    let failed = |path: &PathBuf, error: std::io::Error| format!("{}: {error}", path.display());
    let found = found(target);
    let artifacts = workspace::root().join("fuzz").join("artifacts").join(target);
    for folder in [&found, &artifacts] {
        fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    }
    let mut command = Command::new("sh");
    command.current_dir(workspace::root()).args(["-c", "\"$@\"; code=$?; times; exit $code", "sh"]);
    command.arg(program).arg(format!("-max_total_time={seconds}"));
    command.arg(format!("-artifact_prefix={}/", artifacts.display()));
    command.args(["-print_final_stats=1", "-verbosity=0", "-timeout=20", "-max_len=4096"]);
    command.arg(found).arg(format!("fuzz/corpus/{target}"));
    let output = command.output().map_err(|error| format!("{target}: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() && !stood_still(program, &said) {
        let lines: Vec<&str> = said.lines().rev().take(15).collect();
        let lines: Vec<&str> = lines.into_iter().rev().collect();
        return Err(format!("{target} ended with {}:\n{}", output.status, lines.join("\n")));
    }
    if let Some(what) = lacks(&said) {
        println!("SKIP: {what}");
        return Ok(None);
    }
    let calls = said.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    let calls = calls.and_then(|text| text.trim().parse().ok());
    let cpu = cpu_seconds(&String::from_utf8_lossy(&output.stdout));
    match (calls, cpu) {
        (Some(calls), Some(cpu)) => Ok(Some((cpu as u64, calls))),
        _ => Err(format!("{target} said nothing of its calls")),
    }
}

/// A number from 1 on that an option has.
fn number(options: &[String], name: &str) -> Result<Option<u64>, String> {
    let Some(text) = options.iter().find_map(|option| option.strip_prefix(name)) else {
        return Ok(None);
    };
    let number = text.parse::<u64>().ok().filter(|&number| number > 0);
    number.map(Some).ok_or_else(|| format!("{name}{text}: a number from 1 on"))
}

/// Runs a target for so long and adds what came of it to the log, to the file if `write`; whether it found
/// nothing.
fn add(
    rows: &mut Vec<Sums>,
    (folder, address, write): (&Path, bool, bool),
    target: &str,
    seconds: u64,
) -> Result<bool, String> {
    let name = format!("{target}, {seconds} s");
    let work = || one(&folder.join(target), target, seconds);
    let ran = stage(&name, Duration::from_secs(seconds + 30), work);
    // Read again: other targets may run beside this one.
    if write {
        *rows = parse(&workspace::read(LOG).unwrap_or_default())?;
    }
    if matches!(ran, Ok(None)) {
        return Ok(true);
    }
    let row = log::row(rows, target);
    match &ran {
        Ok(ran) => {
            let (cpu, calls) = ran.unwrap_or_default();
            row.seconds += cpu;
            row.watched += if address { cpu } else { 0 };
            row.calls += calls;
            println!("   {calls} calls in {cpu} CPU seconds");
        }
        Err(error) => {
            row.findings += 1;
            println!("   FAILED {error}");
        }
    }
    // After each, so that a run of hours that is ended early is not lost.
    if write {
        log::write(rows)?;
    }
    Ok(ran.is_ok())
}

pub(crate) fn run(options: &[String]) -> Outcome {
    let given = |name: &str| options.iter().any(|option| option == name);
    let usual = if given("--long") { 3600 } else { 60 };
    let seconds = number(options, "--minutes=")?.map_or(usual, |minutes| 60 * minutes);
    let until = number(options, "--until=")?;
    if !cfg!(unix) {
        skip("fuzzing", "run it on a Unix");
        return Ok(());
    }
    let (address, write) = (given("--address"), given("--write"));
    if address && crate::sanitize::nightly().is_none() {
        skip("fuzzing under AddressSanitizer", "rustup toolchain install nightly");
        return Ok(());
    }
    if given("--coverage") {
        return stage("what of each room the corpora reach", Duration::from_secs(900), || {
            coverage::run(write)
        });
    }
    let only = options.iter().find_map(|option| option.strip_prefix("--only="));
    let mut all = targets()?;
    all.retain(|target| only.is_none_or(|names| names.split(',').any(|name| name == target)));
    if all.is_empty() {
        return Err(format!("--only={}; targets: {}", only.unwrap_or(""), targets()?.join(", ")));
    }
    let folder = stage("build with instruments", Duration::from_secs(600), || build(address))?;
    if given("--minimise") {
        return stage("corpora", Duration::from_secs(600), || {
            all.iter().try_for_each(|it| corpora::minimise(&folder.join(it), it, &found(it)))
        });
    }
    let mut rows = parse(&workspace::read(LOG).unwrap_or_default())?;
    let mut bad = Vec::new();
    let place = (folder.as_path(), address, write);
    let mut each = |target: &str, seconds: u64, rows: &mut Vec<Sums>| {
        if !add(rows, place, target, seconds)? {
            bad.push(target.to_owned());
        }
        Ok::<_, String>(())
    };
    match until {
        None => all.iter().try_for_each(|target| each(target, seconds, &mut rows))?,
        Some(until) => {
            while let Some((target, seconds)) = log::next(&rows, &all, until, address) {
                let of = |rows: &[Sums]| rows.iter().find(|row| row.target == target).cloned();
                let before = of(&rows);
                each(&target, seconds, &mut rows)?;
                let after = of(&rows);
                let findings = |row: &Option<Sums>| row.as_ref().map_or(0, |row| row.findings);
                // It would end at the same input again, or lack the same.
                if findings(&after) > findings(&before) || after == before {
                    all.retain(|it| *it != target);
                }
            }
        }
    }
    if bad.is_empty() { Ok(()) } else { Err(format!("findings: {}", bad.join(", "))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_numbers_are_read() {
        assert_eq!(cpu_seconds("0m0.00s 0m0.00s\n1m2.50s 0m0.50s\n"), Some(63.0));
        assert_eq!(cpu_seconds("nothing"), None);
        let options = ["--until=1800".to_owned(), "--minutes=0".to_owned()];
        assert_eq!(number(&options, "--until="), Ok(Some(1800)));
        assert_eq!(number(&options, "--other="), Ok(None));
        assert!(number(&options, "--minutes=").unwrap_err().contains("--minutes=0"));
    }

    #[cfg(unix)]
    #[test]
    fn a_limit_of_time_counts_if_it_is_met_again() {
        let (well, badly) = (PathBuf::from("true"), PathBuf::from("false"));
        let said = |what: &str| format!("; Test unit written to no/such/input\nSUMMARY: {what}\n");
        assert!(stood_still(&well, &said("libFuzzer: timeout")));
        assert!(!stood_still(&badly, &said("libFuzzer: timeout")));
        assert!(!stood_still(&well, &said("libFuzzer: deadly signal")));
        assert!(!stood_still(&well, "SUMMARY: libFuzzer: timeout"));
    }

    #[test]
    fn what_a_target_lacks_is_told() {
        let said = "INFO: seed corpus\nSKIP: the second reader (python3)\n#2 INITED\n";
        assert_eq!(lacks(said), Some("the second reader (python3)"));
        assert_eq!(lacks("INFO: seed corpus, SKIP: none\n"), None);
    }

    #[test]
    fn every_target_is_built_and_has_a_corpus() {
        let manifest = workspace::read("fuzz/Cargo.toml").unwrap();
        let targets = targets().unwrap();
        assert!(!targets.is_empty());
        for target in targets {
            assert!(manifest.contains(&format!("name = \"{target}\"")), "{target}");
            let corpus = workspace::root().join("fuzz/corpus").join(&target);
            assert!(corpus.read_dir().unwrap().next().is_some(), "{target} has no corpus");
        }
    }
}
