//! `cargo xtask python`: the package for Python, installed from here and tested.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::packages::{count, lint, starts, tested, vectors, verdict};
use super::{python_versions, spark, target};
use crate::outcome::Outcome;
use crate::stage::{skip, stage};
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

/// Asks for what is needed; its exit status answers.
const NEEDED: &str = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))";

/// The interpreter of an environment.
pub(super) fn python(environment: &Path) -> PathBuf {
    let folder = if cfg!(windows) { "Scripts" } else { "bin" };
    environment.join(folder).join("python")
}

/// Interpreters without the global lock, the newest first.
const FREE_THREADED: &[&str] = &["python3.14t", "python3.13t"];

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

/// How many tests passed and failed.
fn test(environment: &Path, lines: &Path) -> Result<[u64; 2], String> {
    tested_with(environment, lines, &[])
}

/// The same of some files, or of all where none are named.
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

/// The type annotations, of the package as it is installed.
fn types(environment: &Path) -> Outcome {
    let mut mypy = Command::new(python(environment));
    mypy.args(["-m", "mypy", "--cache-dir"]).arg(environment.join("mypy"));
    workspace::run(mypy.current_dir(workspace::root().join(FOLDER)))
}

pub(crate) fn run(_: &[String]) -> Outcome {
    if !starts("python3", &["-c", NEEDED]) {
        skip(
            "the package for Python: no Python 3.11 or later with venv and pip",
            "apt-get install python3-venv python3-pip",
        );
        return Ok(());
    }
    stage("clippy", Duration::from_secs(240), || lint(FOLDER))?;
    let tools = || environment("python3", "python");
    let environment = stage("tools of Python", Duration::from_secs(120), tools)?;
    stage("DuckDB", Duration::from_secs(60), || Ok(duckdb(&environment)))?;
    stage("pip install", Duration::from_secs(300), || install(&environment))?;
    stage("types", Duration::from_secs(60), || types(&environment))?;
    let interpreter = python(&environment);
    let has_spark = stage("Spark", Duration::from_secs(240), || Ok(spark::tools(&interpreter)))?;
    let lines = stage("vectors", Duration::from_secs(180), vectors)?;
    let test = || test(&environment, &lines);
    let [passed, failed] =
        stage("tests of the package for Python", Duration::from_secs(240), test)?;
    let mut examples = 0;
    if has_spark {
        let example = || spark::example(&interpreter);
        stage("the example of Spark, 200 000 rows", Duration::from_secs(120), example)?;
        examples = 1;
    }
    let old = python_versions::oldest(&environment, &lines)?;
    let free = free_threaded(&lines)?;
    verdict(passed + examples + old[0] + free[0], failed + old[1] + free[1])
}

/// The same in an interpreter without the global lock, where there is one: it takes a build of
/// its own version, which the tools of Python make of the same sources.
fn free_threaded(lines: &Path) -> Result<[u64; 2], String> {
    let Some(interpreter) = FREE_THREADED.iter().find(|it| starts(it, &["-c", NEEDED])) else {
        skip("the package in a free-threaded Python", "uv python install 3.14t");
        return Ok([0; 2]);
    };
    let tools = || environment(interpreter, "python-free-threaded");
    let environment = stage("tools of the free-threaded Python", Duration::from_secs(240), tools)?;
    stage("pip install, free-threaded", Duration::from_secs(300), || install(&environment))?;
    stage("tests, free-threaded", Duration::from_secs(240), || test(&environment, lines))
}
