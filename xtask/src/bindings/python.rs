//! `cargo xtask python`: the package for Python, installed from here and tested.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::packages::{lint, starts, vectors, verdict};
use super::python_environment::{FOLDER, duckdb, environment, install, python, tested_with};
use super::{python_versions, spark};
use crate::outcome::Outcome;
use crate::stage::{skip, stage};
use crate::workspace;

/// Asks for what is needed; its exit status answers.
const NEEDED: &str = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))";

/// Interpreters without the global lock, the newest first.
const FREE_THREADED: &[&str] = &["python3.14t", "python3.13t"];

/// How many tests passed and failed.
fn test(environment: &Path, lines: &Path) -> Result<[u64; 2], String> {
    tested_with(environment, lines, &[])
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
