//! The functions for Spark: those in the package for Python, what they need and their example; and
//! `cargo xtask spark`, those of Spark SQL in the jar and the recipe that ends in them.

use std::path::{Path, PathBuf};
use std::process::Command;

use std::time::Duration;

use super::packages::{starts, verdict};
use super::{java, python_environment};
use crate::columns;
use crate::outcome::Outcome;
use crate::stage::{skip, stage};
use crate::workspace;

/// What they need besides the package's own tools; Spark does not know pandas 3.
const TOOLS: &[&str] = &["pyspark>=4.1", "pandas<3"];

/// Rows of the example in a short run.
const ROWS: &str = "200000";

/// Brings Spark into an environment; says what is missing.
pub(super) fn tools(python: &Path) -> bool {
    if !starts("java", &["-version"]) {
        skip("Spark: no Java", "apt-get install openjdk-17-jdk-headless");
        return false;
    }
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "--disable-pip-version-check", "install", "--quiet"]).args(TOOLS);
    let there = workspace::run(&mut pip).is_ok();
    if !there {
        skip(
            "Spark: pyspark can't be installed",
            "pip install pyspark, from a network or a mirror",
        );
    }
    there
}

/// Bouncy Castle where `cipherlane engines build bouncycastle` has put it.
fn bouncycastle() -> Option<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")))?;
    let entries = std::fs::read_dir(cache.join("cipherlane")).ok()?.filter_map(Result::ok);
    let jars = entries.map(|entry| entry.path().join("bcprov.jar"));
    jars.filter(|jar| jar.is_file()).max()
}

/// The worked example with fewer rows: it asserts the round trip.
pub(super) fn example(python: &Path) -> Outcome {
    let script = workspace::root().join("bindings/python/examples/spark_column.py");
    let mut example = Command::new(python);
    example.arg(script).args(["--rows", ROWS, "--passes", "1"]);
    match bouncycastle() {
        Some(jar) => {
            example.arg("--bouncycastle").arg(jar);
        }
        None => skip(
            "Bouncy Castle in the example of Spark",
            "cargo run --release -- engines build bouncycastle",
        ),
    }
    let text = workspace::output(&mut example)?;
    print!("{text}");
    let right = text.contains("all 200,000 rows are right") && text.contains("cipherlane.spark");
    if right { Ok(()) } else { Err("the example did not read back what it wrote".to_owned()) }
}

/// Rows that `cargo xtask spark` times each function with.
const SQL_ROWS: &str = "1000000";

/// Runs the checks of the functions of Spark SQL and their times; how many checks hold.
fn sql(python: &Path, jar: &Path) -> Result<u64, String> {
    let mut script = Command::new(python);
    script.arg(workspace::root().join("bindings/java/examples/spark_sql.py"));
    script.arg("--jar").arg(jar).args(["--rows", SQL_ROWS]);
    if let Some(jar) = bouncycastle() {
        script.arg("--bouncycastle").arg(jar);
    } else {
        skip("Bouncy Castle beside Spark", "cargo run --release -- engines build bouncycastle");
    }
    let text = workspace::output(&mut script)?;
    print!("{text}");
    let line = text.lines().find(|line| line.ends_with(" checks hold")).unwrap_or_default();
    let held = line.split_whitespace().nth(2).and_then(|count| count.parse().ok());
    held.ok_or_else(|| "the checks did not run to their end".to_owned())
}

/// The recipe that carries dumps of two engines to Parquet and reads them in DuckDB and Spark; how many of
/// these read every cell.
fn dumps(environment: &Path, jar: &Path) -> Result<u64, String> {
    if !stage("DuckDB", Duration::from_secs(60), || Ok(python_environment::duckdb(environment)))? {
        return Ok(0);
    }
    stage("the package for Python", Duration::from_secs(300), || {
        python_environment::install(environment)
    })?;
    let program = stage("cipherlane-columns", Duration::from_secs(300), columns::program)?;
    let mut recipe = Command::new(python_environment::python(environment));
    recipe.arg(workspace::root().join("docs/recipes/dumps_to_parquet.py"));
    recipe.arg("--columns").arg(program).arg("--jar").arg(jar);
    let text =
        stage("dumps to Parquet", Duration::from_secs(120), || workspace::output(&mut recipe))?;
    print!("{text}");
    let read = |engine: &str| {
        let mut lines = text.lines().filter(|line| line.starts_with(engine));
        lines.any(|line| line.ends_with("what they were") || line.ends_with("joined"))
    };
    let engines = ["cryptography", "DuckDB", "Spark"];
    if engines.iter().all(|engine| read(engine)) {
        Ok(engines.len() as u64)
    } else {
        Err("the recipe did not run to its end".to_owned())
    }
}

pub(crate) fn run(_: &[String]) -> Outcome {
    let Some(jar) = java::packaged()? else { return Ok(()) };
    let environment = || python_environment::environment("python3", "python");
    let environment = stage("tools of Python", Duration::from_secs(120), environment)?;
    let interpreter = python_environment::python(&environment);
    if !stage("Spark", Duration::from_secs(240), || Ok(tools(&interpreter)))? {
        return Ok(());
    }
    let held = stage("Spark SQL", Duration::from_secs(300), || sql(&interpreter, &jar))?;
    let read = dumps(&environment, &jar)?;
    verdict(held + read, 0)
}
