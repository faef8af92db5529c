//! The functions for Spark, in the package for Python: what they need, and their example.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::packages::starts;
use crate::outcome::Outcome;
use crate::stage::skip;
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
