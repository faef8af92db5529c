//! `cargo xtask fuzz`: every target of `fuzz/` for a minute, an hour, or as long as is said, from its
//! corpus on; what was run is added to a file that `docs/PROOF.md` reads. The build is what
//! `cargo fuzz` makes without a sanitizer, for which the stable compiler will do. `--minimise` takes of what was
//! found into the corpora what reaches new places.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

mod corpora;

use crate::outcome::Outcome;
use crate::stage::{skip, stage};
use crate::workspace;

pub(crate) const OPTIONS: &[&str] = &["--write", "--long", "--minutes=", "--only=", "--minimise"];

const FOLDER: &str = "fuzz";

/// What was run so far: target, CPU seconds, calls, findings.
pub(crate) const LOG: &str = "fuzz/log.tsv";

/// As cargo-fuzz sets them.
const FLAGS: [&str; 8] = [
    "--cfg=fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=4",
    "-Cstrip=none",
];

/// A target's sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sums {
    pub(crate) target: String,
    pub(crate) seconds: u64,
    pub(crate) calls: u64,
    pub(crate) findings: u64,
}

/// The log's rows.
pub(crate) fn parse(log: &str) -> Result<Vec<Sums>, String> {
    let row = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [target, seconds, calls, findings] = fields[..] else {
            return Err(format!("{LOG}: `{line}` has no four fields"));
        };
        let number = |text: &str| text.parse().map_err(|_| format!("{LOG}: `{text}` in `{line}`"));
        let (seconds, calls, findings) = (number(seconds)?, number(calls)?, number(findings)?);
        Ok(Sums { target: target.into(), seconds, calls, findings })
    };
    log.lines().skip(1).map(row).collect()
}

fn write(rows: &[Sums]) -> Outcome {
    let mut text = String::from("target\tcpu_seconds\tcalls\tfindings\n");
    for Sums { target, seconds, calls, findings } in rows {
        text += &format!("{target}\t{seconds}\t{calls}\t{findings}\n");
    }
    fs::write(workspace::root().join(LOG), text).map_err(|error| format!("{LOG}: {error}"))
}

/// The targets are the files that call them.
fn targets() -> Result<Vec<String>, String> {
    let files = workspace::files("fuzz/fuzz_targets", "rs")?;
    let name = |path: &String| Some(path.rsplit('/').next()?.strip_suffix(".rs")?.to_owned());
    Ok(files.iter().filter_map(name).collect())
}

fn triple() -> Result<String, String> {
    let text = workspace::output(Command::new("rustc").arg("-vV"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    line.map(str::to_owned).ok_or_else(|| "rustc does not say its host".to_owned())
}

/// Where the built targets are.
fn build() -> Result<PathBuf, String> {
    let triple = triple()?;
    let mut command = workspace::cargo(&["build", "--release", "--locked", "--bins", "--target"]);
    command.arg(&triple).current_dir(workspace::root().join(FOLDER)).env_remove("RUSTFLAGS");
    command.env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}"));
    let folder = workspace::scratch("fuzz-build");
    workspace::run(command.env("CARGO_TARGET_DIR", &folder))?;
    Ok(folder.join(triple).join("release"))
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

/// Runs a target and returns its CPU seconds and calls; an error is a finding.
fn one(program: &PathBuf, target: &str, seconds: u64) -> Result<(u64, u64), String> {
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
    if !output.status.success() {
        let lines: Vec<&str> = said.lines().rev().take(15).collect();
        let lines: Vec<&str> = lines.into_iter().rev().collect();
        return Err(format!("{target} ended with {}:\n{}", output.status, lines.join("\n")));
    }
    let calls = said.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    let calls = calls.and_then(|text| text.trim().parse().ok());
    let cpu = cpu_seconds(&String::from_utf8_lossy(&output.stdout));
    match (calls, cpu) {
        (Some(calls), Some(cpu)) => Ok((cpu as u64, calls)),
        _ => Err(format!("{target} said nothing of its calls")),
    }
}

pub(crate) fn run(options: &[String]) -> Outcome {
    let given = |name: &str| options.iter().any(|option| option == name);
    let minutes = options.iter().find_map(|option| option.strip_prefix("--minutes="));
    let seconds = match minutes {
        Some(minutes) => {
            let wrong = || format!("--minutes={minutes}: a number from 1 on");
            let minutes = minutes.parse::<u64>().ok().filter(|&minutes| minutes > 0);
            60 * minutes.ok_or_else(wrong)?
        }
        None if given("--long") => 3600,
        None => 60,
    };
    if !cfg!(unix) {
        skip("fuzzing", "run it on a Unix");
        return Ok(());
    }
    let only = options.iter().find_map(|option| option.strip_prefix("--only="));
    let mut all = targets()?;
    all.retain(|target| only.is_none_or(|names| names.split(',').any(|name| name == target)));
    if all.is_empty() {
        return Err(format!("--only={}; targets: {}", only.unwrap_or(""), targets()?.join(", ")));
    }
    let folder = stage("build with instruments", Duration::from_secs(600), build)?;
    if given("--minimise") {
        return stage("corpora", Duration::from_secs(600), || {
            all.iter().try_for_each(|it| corpora::minimise(&folder.join(it), it, &found(it)))
        });
    }
    let log = workspace::read(LOG).unwrap_or_default();
    let (mut rows, mut bad) = (parse(&log)?, Vec::new());
    for target in all {
        let program = folder.join(&target);
        let name = format!("{target}, {seconds} s");
        let row = match rows.iter().position(|row| row.target == target) {
            Some(place) => &mut rows[place],
            None => {
                let new = Sums { target: target.clone(), seconds: 0, calls: 0, findings: 0 };
                rows.push(new);
                rows.last_mut().ok_or("no row")?
            }
        };
        match stage(&name, Duration::from_secs(seconds + 30), || one(&program, &target, seconds)) {
            Ok((cpu, calls)) => {
                row.seconds += cpu;
                row.calls += calls;
                println!("   {calls} calls in {cpu} CPU seconds");
            }
            Err(error) => {
                row.findings += 1;
                println!("   FAILED {error}");
                bad.push(target.clone());
            }
        }
        // After each, so that a run of hours that is ended early is not lost.
        if given("--write") {
            write(&rows)?;
        }
    }
    if bad.is_empty() { Ok(()) } else { Err(format!("findings: {}", bad.join(", "))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_rows_are_read() {
        assert_eq!(cpu_seconds("0m0.00s 0m0.00s\n1m2.50s 0m0.50s\n"), Some(63.0));
        assert_eq!(cpu_seconds("nothing"), None);
        let rows = parse("target\tcpu_seconds\tcalls\tfindings\npieces\t60\t1000\t0\n").unwrap();
        let row = Sums { target: "pieces".into(), seconds: 60, calls: 1000, findings: 0 };
        assert_eq!(rows, [row]);
        assert!(parse("head\npieces\t60\n").is_err());
        assert!(parse("head\npieces\tmany\t1\t0\n").is_err());
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
