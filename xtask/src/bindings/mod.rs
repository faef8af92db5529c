//! The bindings to other languages: each is built, tested and tried as its users would.

pub(crate) mod c;
mod evp_test;
pub(crate) mod flink;
pub(crate) mod hadoop;
pub(crate) mod java;
mod java22;
mod java_build;
mod java_console;
mod java_program;
mod jdk8;
mod jdks;
mod memory;
pub(crate) mod openssl;
mod openssl4;
mod packages;
pub(crate) mod python;
mod python_environment;
pub(crate) mod python_versions;
pub(crate) mod readme;
mod sequences;
pub(crate) mod spark;
mod supercop;
mod tally;
pub(crate) mod tls;
pub(crate) mod trino;
pub(crate) mod web;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What programs in C are compiled with.
const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];

use tally::Tally;

use crate::workspace;

/// Where all bindings are compiled: the library they stand on is, once.
fn target() -> PathBuf {
    workspace::target().join("bindings")
}

/// Cargo's verb on the crate of a binding.
fn cargo(verb: &str, binding: &str) -> Command {
    let manifest = format!("bindings/{binding}/Cargo.toml");
    let mut command = workspace::cargo(&[verb, "--release", "--locked", "--manifest-path"]);
    command.arg(manifest).arg("--target-dir").arg(target());
    command
}

/// Whether a program is there.
fn has(program: &str) -> bool {
    let mut command = Command::new(program);
    let silent = command.arg("--version").stdin(Stdio::null());
    silent.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|it| it.success())
}

/// Runs a command; what it said, if it fails.
fn quiet(command: &mut Command) -> Result<String, String> {
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("{:?}: {error}", command.get_program()))?;
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() {
        return Ok(said(&output.stdout));
    }
    Err(format!("{}: {}{}", output.status, said(&output.stdout), said(&output.stderr)))
}

/// A folder of its own, empty.
fn fresh(folder: &Path) -> Result<(), String> {
    let fault = |error: std::io::Error| format!("{}: {error}", folder.display());
    if folder.exists() {
        std::fs::remove_dir_all(folder).map_err(fault)?;
    }
    std::fs::create_dir_all(folder).map_err(fault)
}

/// Writes a file.
fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
