//! `cargo xtask columns`: the program for columns of tables, built and tested by itself.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::outcome::Outcome;
use crate::stage::stage;
use crate::workspace;

/// Where it is, and where it is compiled: nobody else needs what it is made of.
const MANIFEST: &str = "columns/Cargo.toml";

/// A chore of cargo on it.
fn cargo(verb: &str) -> Command {
    let mut command = workspace::cargo(&[verb, "--locked", "--manifest-path", MANIFEST]);
    command.arg("--target-dir").arg(folder());
    // Two levels of the kernels: all of them are tested elsewhere.
    command.env("RUSTFLAGS", "--cfg=cipherlane_few_levels");
    command
}

fn folder() -> PathBuf {
    workspace::target().join("columns")
}

/// The program as its tests build it, for those of others.
pub(crate) fn program() -> Result<PathBuf, String> {
    workspace::run(cargo("build").arg("--quiet"))?;
    Ok(folder().join("debug").join(format!("cipherlane-columns{}", std::env::consts::EXE_SUFFIX)))
}

pub(crate) fn run(options: &[String]) -> Outcome {
    let long = options.iter().any(|option| option == "--long");
    stage("format", Duration::from_secs(10), || {
        workspace::run(&mut workspace::cargo(&["fmt", "--check", "--manifest-path", MANIFEST]))
    })?;
    stage("tests of cipherlane-columns", Duration::from_secs(300), || {
        let mut test = cargo("test");
        if long {
            // At full speed, or hours.
            test.arg("--release");
            test.args(["--", "--include-ignored", "--nocapture", "--test-threads=1"]);
        }
        workspace::run(&mut test)
    })
}
