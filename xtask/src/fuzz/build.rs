//! The targets as programs: as `cargo fuzz` builds them, under AddressSanitizer by the nightly compiler or
//! without a sanitizer by the one that builds everything else.

use std::path::PathBuf;
use std::process::Command;

use super::FOLDER;
use crate::sanitize::{nightly, other_toolchain};
use crate::workspace;

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

/// Every access of what Rust code compiles to, and every block of memory given back.
const ADDRESS: &str = "-Zsanitizer=address";

pub(super) fn triple() -> Result<String, String> {
    let text = workspace::output(Command::new("rustc").arg("-vV"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    line.map(str::to_owned).ok_or_else(|| "rustc does not say its host".to_owned())
}

/// Where the built targets are.
pub(super) fn build(address: bool) -> Result<PathBuf, String> {
    let mut flags = FLAGS.to_vec();
    let (mut command, triple, folder) = if address {
        let host = nightly().ok_or("no nightly compiler: rustup toolchain install nightly")?;
        let mut command = Command::new("cargo");
        other_toolchain(&mut command);
        command.arg("+nightly");
        flags.push(ADDRESS);
        (command, host, "fuzz-address")
    } else {
        (workspace::cargo(&[]), triple()?, "fuzz-build")
    };
    let folder = workspace::scratch(folder);
    command.args(["build", "--release", "--locked", "--bins", "--target", &triple]);
    command.current_dir(workspace::root().join(FOLDER)).env_remove("RUSTFLAGS");
    command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    workspace::run(command.env("CARGO_TARGET_DIR", &folder))?;
    Ok(folder.join(triple).join("release"))
}
