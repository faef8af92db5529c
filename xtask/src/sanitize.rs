//! `cargo xtask sanitize`: the tests of what is unsafe under Miri and AddressSanitizer, and those
//! of threads under ThreadSanitizer. All three are of the nightly compiler; what it lacks here is
//! skipped with a line.

use std::process::Command;
use std::time::Duration;

use crate::stage::{skip, stage};
use crate::{Outcome, workspace};

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

const RUNS: [Run; 4] = [
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
    // Of another toolchain than this program's.
    for name in ["CARGO", "RUSTC", "RUSTUP_TOOLCHAIN", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"] {
        command.env_remove(name);
    }
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

pub(crate) fn run(options: &[String]) -> Outcome {
    let full = options.iter().any(|option| option == "--long");
    let Some(host) = nightly() else {
        skip("Miri and the sanitizers", "rustup toolchain install nightly");
        return Ok(());
    };
    for run in RUNS.iter().filter(|run| full || !run.long) {
        if has(run.component) {
            stage(run.name, Duration::from_secs(run.budget), || one(run, &host))?;
        } else {
            let remedy = format!("rustup component add {} --toolchain nightly", run.component);
            skip(run.name, &remedy);
        }
    }
    Ok(())
}
