//! `cargo xtask sanitize`: the tests of what is unsafe under Miri and AddressSanitizer, and those
//! of threads under ThreadSanitizer. All three are of the nightly compiler; what it lacks here is
//! skipped with a line. `--long` is all of them, `--only=Miri` those whose names have the word.

use std::fs;
use std::process::Command;
use std::time::Duration;

mod runs;
mod seeds;

use runs::{RUNS, Run};
use seeds::{SEEDS, Seed};

use crate::outcome::Outcome;
use crate::stage::{skip, stage};
use crate::workspace;

/// Checks the checker: runs its program, which must end with the fault.
fn seeded(seed: &Seed, host: &str) -> Outcome {
    let folder = workspace::scratch("seeds").join(seed.tool);
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(folder.join("src")).map_err(failed)?;
    fs::write(folder.join("src/main.rs"), seed.source).map_err(failed)?;
    let manifest = "[package]\nname = \"seed\"\nedition = \"2024\"\n[workspace]\n";
    fs::write(folder.join("Cargo.toml"), manifest).map_err(failed)?;
    let mut command = Command::new("cargo");
    other_toolchain(&mut command);
    command.current_dir(&folder).arg("+nightly");
    match seed.sanitizer {
        None => command.args(["miri", "run", "--quiet"]),
        // A part of the standard library is not instrumented; the race is not there.
        Some(flag) => command
            .args(["run", "--quiet"])
            .env("RUSTFLAGS", format!("{flag} -Cunsafe-allow-abi-mismatch=sanitizer")),
    };
    let output = command.args(["--target", host]).output();
    let output = output.map_err(|error| format!("cargo does not start: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() && said.contains(seed.says) {
        return Ok(());
    }
    Err(format!("{} did not find `{}`; it said: {}", seed.tool, seed.says, said.trim()))
}

/// Of another toolchain than this program's.
pub(crate) fn other_toolchain(command: &mut Command) {
    for name in ["CARGO", "RUSTC", "RUSTUP_TOOLCHAIN", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"] {
        command.env_remove(name);
    }
}

/// The nightly compiler's host, if it is installed.
pub(crate) fn nightly() -> Option<String> {
    let text = workspace::output(Command::new("rustc").args(["+nightly", "-vV"])).ok()?;
    text.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned)
}

fn has(component: &str) -> bool {
    let mut rustup = Command::new("rustup");
    rustup.args(["+nightly", "component", "list", "--installed"]);
    workspace::output(&mut rustup)
        .is_ok_and(|list| list.lines().any(|line| line.starts_with(component)))
}

fn one(run: &Run, host: &str) -> Outcome {
    let mut command = Command::new("cargo");
    other_toolchain(&mut command);
    command.current_dir(workspace::root().join(run.folder)).arg("+nightly").args(run.verb);
    command.args(["--target", host]).arg("--target-dir").arg(workspace::scratch("sanitize"));
    command.args(run.tests);
    if !run.flags.is_empty() {
        command.env("RUSTFLAGS", run.flags);
    }
    // A sample of what takes many times longer.
    command.env("CIPHERLANE_TEST_STRIDE", "17").env("CIPHERLANE_TEST_INPUTS", "3");
    workspace::run(&mut command)
}

/// The runs whose names have the words of `--only=`; without it the short ones, or all if asked.
fn chosen(options: &[String]) -> Result<Vec<&'static Run>, String> {
    let full = options.iter().any(|option| option == "--long");
    let Some(words) = options.iter().find_map(|it| it.strip_prefix("--only=")) else {
        return Ok(RUNS.iter().filter(|run| full || !run.long).collect());
    };
    let runs: Vec<_> = RUNS.iter().filter(|run| run.name.contains(words)).collect();
    if runs.is_empty() {
        let names = RUNS.iter().map(|run| run.name).collect::<Vec<_>>().join("; ");
        return Err(format!("--only={words}: in no name of a run; there are: {names}"));
    }
    Ok(runs)
}

/// What the runs test.
#[cfg(test)]
pub(crate) fn tests_run() -> impl Iterator<Item = &'static [&'static str]> {
    RUNS.iter().map(|run| run.tests)
}

pub(crate) fn run(options: &[String]) -> Outcome {
    let runs = chosen(options)?;
    let Some(host) = nightly() else {
        skip("Miri and the sanitizers", "rustup toolchain install nightly");
        return Ok(());
    };
    let some = options.iter().any(|option| option.starts_with("--only="));
    let wanted = |seed: &&Seed| !some || runs.iter().any(|run| run.name.contains(seed.tool));
    for seed in SEEDS.iter().filter(wanted).filter(|seed| has(seed.component)) {
        let name = format!("a fault that {} must find", seed.tool);
        stage(&name, Duration::from_secs(30), || seeded(seed, &host))?;
    }
    for run in runs {
        if has(run.component) {
            stage(run.name, Duration::from_secs(run.budget), || one(run, &host))?;
        } else {
            let remedy = format!("rustup component add {} --toolchain nightly", run.component);
            skip(run.name, &remedy);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(options: &[&str]) -> Result<Vec<&'static str>, String> {
        let options: Vec<_> = options.iter().map(|&option| option.into()).collect();
        Ok(chosen(&options)?.iter().map(|run| run.name).collect())
    }

    #[test]
    fn runs_are_chosen() {
        assert_eq!(
            names(&["--only=many threads"]).unwrap(),
            ["many threads under ThreadSanitizer"]
        );
        assert!(names(&["--only=thread sanitizer"]).unwrap_err().contains("many threads under"));
        assert_eq!(names(&["--long"]).unwrap().len(), RUNS.len());
        assert!(names(&[]).unwrap().len() < RUNS.len());
    }

    #[test]
    fn every_run_is_of_one_tool_and_has_a_workspace() {
        for run in RUNS {
            let tools = SEEDS.iter().filter(|seed| run.name.ends_with(seed.tool)).count();
            assert_eq!(tools, 1, "{}", run.name);
            assert!(workspace::root().join(run.folder).join("Cargo.lock").exists(), "{}", run.name);
        }
    }
}
