//! Tests for architectures that this machine is not: built here, run under an emulator.
//!
//! All published vectors run at every level; properties that go through thousands
//! of cases take a sample of them, because an emulator is many times slower than a
//! CPU. What a test needs and this machine lacks is a line `SKIP: …` each.

use std::process::{Command, Stdio};

use crate::outcome::Outcome;
use crate::stage::skip;
use crate::workspace;

pub(crate) mod aarch64;
pub(crate) mod sm4;
pub(crate) mod wasm;

/// The crates whose machine code differs between architectures, and those they are tested with.
const CRATES: [&str; 8] = [
    "-p",
    "cipherlane-lanes",
    "-p",
    "cipherlane",
    "-p",
    "cipherlane-model",
    "-p",
    "cipherlane-vectors",
];

/// One case in so many of the slow properties: prime, so that remainders by powers of
/// two all come up.
const STRIDE: &str = "31";

/// An architecture, and how its programs are made and run.
struct Target {
    /// Rust's name for it.
    triple: &'static str,
    /// The levels that the emulator must have, lowest first.
    levels: &'static str,
    /// Settings of cargo for this target, `KEY=VALUE` in TOML.
    settings: Vec<String>,
}

impl Target {
    /// Cargo for this target.
    fn cargo(&self, verb: &[&str]) -> Command {
        let mut command = workspace::cargo(verb);
        command.args(["--target", self.triple]);
        for setting in &self.settings {
            command.arg("--config").arg(format!("target.{}.{setting}", self.triple));
        }
        // These would replace the target's own.
        command.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
        command.env("CIPHERLANE_TEST_LEVELS", self.levels).env("CIPHERLANE_TEST_STRIDE", STRIDE);
        command.env_remove("CIPHERLANE_LEVEL");
        command
    }

    /// Clippy on the code that only this target has, with and without `std`.
    fn clippy(&self) -> Outcome {
        for features in [&[][..], &["--no-default-features", "--features", "sm4,aes,zuc"]] {
            let mut clippy = self.cargo(&["clippy", "--quiet"]);
            clippy.args(["-p", "cipherlane-lanes", "-p", "cipherlane"]).args(features);
            workspace::run(clippy.args(["--", "-D", "warnings"]))?;
        }
        Ok(())
    }

    /// The tests of these packages, but for examples in the documentation.
    fn test(&self, packages: &[&str]) -> Outcome {
        let mut test = self.cargo(&["test", "--quiet", "--release", "--lib", "--tests"]);
        // A panic ends a program for WebAssembly, with what it said if that was captured.
        workspace::run(test.args(packages).args(["--", "--nocapture"]))
    }

    /// Whether Rust's standard library for it is here; says so if not.
    fn is_installed(&self) -> bool {
        let installed = workspace::has_target(self.triple);
        if !installed {
            skip(
                &format!("tests on {}", self.triple),
                &format!("rustup target add {}", self.triple),
            );
        }
        installed
    }

    /// Whether a program starts; says so if not, and what would install it.
    fn has_program(&self, program: &str, remedy: &str) -> bool {
        let mut command = Command::new(program);
        command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        let found = command.status().is_ok_and(|status| status.success());
        if !found {
            skip(&format!("tests on {}: no {program}", self.triple), remedy);
        }
        found
    }
}
