//! `cargo xtask sanitize`: the tests of what is unsafe under Miri and AddressSanitizer, and those
//! of threads under ThreadSanitizer. All three are of the nightly compiler; what it lacks here is
//! skipped with a line.

use std::fs;
use std::process::Command;
use std::time::Duration;

use crate::outcome::Outcome;
use crate::stage::{skip, stage};
use crate::workspace;

/// One run of tests under one tool.
struct Run {
    name: &'static str,
    /// A component of the toolchain that must be there.
    component: &'static str,
    budget: u64,
    verb: &'static [&'static str],
    flags: &'static str,
    /// What is tested.
    tests: &'static [&'static str],
    /// In a full run only.
    long: bool,
}

/// The standard library must be built anew where all accesses count.
const SOURCES: &str = "rust-src";

const RUNS: [Run; 5] = [
    Run {
        name: "registers, buffers and wiping under Miri",
        component: "miri",
        budget: 240,
        verb: &["miri", "test"],
        flags: "",
        // Those left out are arithmetic alone, and take hours in an interpreter.
        tests: &[
            "-p",
            "cipherlane-lanes",
            "--lib",
            "--",
            "--skip",
            "clmul",
            "--skip",
            "aes",
            "--skip",
            "sm4",
            "--skip",
            "x86",
        ],
        long: false,
    },
    Run {
        name: "registers at every level under AddressSanitizer",
        component: "rust-std",
        budget: 180,
        verb: &["test"],
        flags: "-Zsanitizer=address",
        tests: &["-p", "cipherlane-lanes", "--lib", "--test", "agree"],
        long: false,
    },
    Run {
        name: "ciphers at levels of x86 under Miri",
        component: "miri",
        budget: 7200,
        verb: &["miri", "test"],
        // It interprets the instructions that it is told to compile for.
        flags: "-Ctarget-feature=+ssse3,+sse4.1,+aes,+pclmulqdq,+avx2,+bmi2",
        tests: &[
            "-p",
            "cipherlane",
            "--no-default-features",
            "--features",
            "std,all",
            "--test",
            "batches",
            "--",
            "interpreted",
            "--nocapture",
        ],
        long: true,
    },
    Run {
        name: "ciphers at every level under AddressSanitizer",
        component: "rust-std",
        budget: 1800,
        verb: &["test", "--release"],
        flags: "-Zsanitizer=address",
        tests: &["-p", "cipherlane", "--test", "levels_agree", "--test", "vectors"],
        long: true,
    },
    Run {
        name: "many threads under ThreadSanitizer",
        component: SOURCES,
        budget: 900,
        verb: &["test", "--release", "-Zbuild-std"],
        flags: "-Zsanitizer=thread",
        tests: &[
            "-p",
            "cipherlane",
            "--features",
            "parallel",
            "--test",
            "parallel",
            "--test",
            "parallel_batches",
        ],
        long: true,
    },
];

/// A program with a fault, and what a tool that is told to find it must say.
struct Seed {
    tool: &'static str,
    /// Of the toolchain, beside the compiler.
    component: &'static str,
    source: &'static str,
    /// For the compiler; none for Miri, which interprets.
    sanitizer: Option<&'static str>,
    says: &'static str,
}

/// A byte behind a buffer, where only the running program knows that it is behind.
const BEHIND: &str = r#"fn main() {
    let bytes = vec![1_u8; 4];
    let place = std::env::args().count() + 3;
    println!("{}", unsafe { *bytes.as_ptr().add(place) });
}
"#;

/// Two threads that write to one place. They wait for each other, without an order between them:
/// of a thread that has ended, ThreadSanitizer may have forgotten what it wrote.
const RACE: &str = r#"use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
static mut PLACE: u64 = 0;
static THERE: AtomicU32 = AtomicU32::new(0);
fn meet(all: u32) {
    THERE.fetch_add(1, Relaxed);
    while THERE.load(Relaxed) < all {
        std::thread::yield_now();
    }
}
fn main() {
    let write = || {
        meet(2);
        for i in 0..1000 { unsafe { (&raw mut PLACE).write_volatile(i) } }
        meet(4);
    };
    let other = std::thread::spawn(write);
    write();
    other.join().unwrap();
}
"#;

const SEEDS: [Seed; 3] = [
    Seed {
        tool: "Miri",
        component: "miri",
        source: BEHIND,
        sanitizer: None,
        says: "Undefined Behavior",
    },
    Seed {
        tool: "AddressSanitizer",
        component: "rust-std",
        source: BEHIND,
        sanitizer: Some("-Zsanitizer=address"),
        says: "heap-buffer-overflow",
    },
    Seed {
        tool: "ThreadSanitizer",
        component: "rust-std",
        source: RACE,
        sanitizer: Some("-Zsanitizer=thread"),
        says: "data race",
    },
];

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
fn other_toolchain(command: &mut Command) {
    for name in ["CARGO", "RUSTC", "RUSTUP_TOOLCHAIN", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"] {
        command.env_remove(name);
    }
}

/// The nightly compiler's host, if it is installed.
fn nightly() -> Option<String> {
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
    command.current_dir(workspace::root()).arg("+nightly").args(run.verb);
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
        let names = RUNS.map(|run| run.name).join("; ");
        return Err(format!("--only={words}: in no name of a run; there are: {names}"));
    }
    Ok(runs)
}

pub(crate) fn run(options: &[String]) -> Outcome {
    let runs = chosen(options)?;
    let Some(host) = nightly() else {
        skip("Miri and the sanitizers", "rustup toolchain install nightly");
        return Ok(());
    };
    for seed in SEEDS.iter().filter(|seed| has(seed.component)) {
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
}
