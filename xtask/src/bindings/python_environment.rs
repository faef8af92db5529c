//! An environment of Python with the package in it: what the stages of the package, of other versions and
//! of Spark share.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::packages::{count, starts, tested};
use super::target;
use crate::outcome::Outcome;
use crate::stage::skip;
use crate::workspace;

pub(super) const FOLDER: &str = "bindings/python";

/// What the tests need besides the package; Spark does not know pandas 3.
const TOOLS: &[&str] = &[
    "pip",
    "maturin",
    "pytest",
    "hypothesis",
    "numpy",
    "pandas<3",
    "pyarrow",
    "cryptography",
    "gmssl",
    "mypy",
];

/// The interpreter of an environment.
pub(super) fn python(environment: &Path) -> PathBuf {
    let folder = if cfg!(windows) { "Scripts" } else { "bin" };
    environment.join(folder).join("python")
}

/// An environment of an interpreter with the tools, made once and brought up to date.
pub(super) fn environment(interpreter: &str, name: &str) -> Result<PathBuf, String> {
    let folder = workspace::root().join("target").join(name);
    if !starts(&python(&folder).to_string_lossy(), &["-m", "pip", "--version"]) {
        let mut make = Command::new(interpreter);
        workspace::run(make.args(["-m", "venv", "--clear"]).arg(&folder))?;
    }
    let mut install = pip(&folder);
    workspace::run(install.args(["install", "--quiet", "--upgrade"]).args(TOOLS))?;
    Ok(folder)
}

fn pip(environment: &Path) -> Command {
    let mut pip = Command::new(python(environment));
    pip.args(["-m", "pip", "--disable-pip-version-check"]);
    pip
}

/// Brings DuckDB into an environment, for the recipes that are tested with it; says where it is not to
/// be had.
pub(super) fn duckdb(environment: &Path) -> bool {
    let mut install = pip(environment);
    let there = workspace::run(install.args(["install", "--quiet", "duckdb"])).is_ok();
    if !there {
        skip(
            "the recipes for DuckDB: duckdb can't be installed",
            "pip install duckdb, from a network or a mirror",
        );
    }
    there
}

/// Installs the package as a user does, and not what an earlier run made.
pub(super) fn install(environment: &Path) -> Outcome {
    let mut install = pip(environment);
    install.args(["install", "--quiet", "--force-reinstall", "--no-deps", "."]);
    install.current_dir(workspace::root().join(FOLDER)).env("CARGO_TARGET_DIR", target());
    workspace::run(&mut install)
}

/// How many tests of some files passed and failed, or of all where none are named.
pub(super) fn tested_with(
    environment: &Path,
    lines: &Path,
    files: &[String],
) -> Result<[u64; 2], String> {
    let mut pytest = Command::new(python(environment));
    pytest.args(["-m", "pytest", "--color=no", "-p", "no:cacheprovider"]).args(files);
    pytest.current_dir(workspace::root().join(FOLDER)).env("CIPHERLANE_VECTORS", lines);
    let (_, text) = tested(&mut pytest)?;
    let last = text.lines().rev().find(|line| line.contains(" in ")).unwrap_or_default();
    let failed = count(last, "failed") + count(last, "error") + count(last, "errors");
    Ok([count(last, "passed"), failed])
}
