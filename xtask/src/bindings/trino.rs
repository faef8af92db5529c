//! `cargo xtask trino`: queries on a Trino of one process, with the jar as a plugin of it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::java;
use super::java_program::Program;
use super::java22::Java22;
use super::packages::verdict;
use crate::outcome::Outcome;
use crate::stage::{skip, stage};
use crate::workspace;

const PROGRAM: Program = Program("trino");
/// The last that runs on Java 17, against which the functions are compiled, and the newest, for 25.
const OLDER: &str = "435";
const NEWEST: &str = "483";

/// Runs the queries; how many checks hold.
fn queries(java: &Path, jar: &Path, path: &str) -> Result<u64, String> {
    let work = PROGRAM.work()?;
    let mut test = Command::new(java);
    test.args(["--add-modules=jdk.incubator.vector", "--add-opens=java.base/java.nio=ALL-UNNAMED"]);
    test.args(["-Xmx3g", "-cp", path, "TrinoQueries"]).arg(&work).arg(jar);
    let text = workspace::output(&mut test)?;
    print!("{text}");
    let line = text.lines().find(|line| line.ends_with(" checks hold")).unwrap_or_default();
    let held = line.split_whitespace().nth(1).and_then(|count| count.parse().ok());
    held.ok_or_else(|| "the queries did not run to their end".to_owned())
}

/// The Javas that are here or can be had, each with the Trino for it.
fn javas() -> Vec<(PathBuf, &'static str)> {
    let mut found = Vec::new();
    if Java22::of_system().is_none() {
        found.push((PathBuf::from("java"), OLDER));
    }
    match Java22::find().map(|newer| newer.program()) {
        Ok(java) if has_vectors(&java) => found.push((java, NEWEST)),
        Ok(java) => {
            let what = format!("Trino {NEWEST}: {} lacks jdk.incubator.vector", java.display());
            skip(&what, "JAVA_HOME of a whole JDK 25");
        }
        Err(why) => skip(&format!("Trino {NEWEST}: {why}"), "JAVA_HOME of a whole JDK 25"),
    }
    found
}

/// Whether it is a Java 25 or later with the module that Trino asks for and small runtimes lack.
fn has_vectors(java: &Path) -> bool {
    workspace::output(Command::new(java).arg("--list-modules")).is_ok_and(|list| suffices(&list))
}

/// The same by what `--list-modules` says, `jdk.incubator.vector@25.0.3` among others.
fn suffices(modules: &str) -> bool {
    let mut lines = modules.lines().filter_map(|line| line.split_once('@'));
    let Some((_, version)) = lines.find(|(module, _)| *module == "jdk.incubator.vector") else {
        return false;
    };
    let major = version.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
    major.parse::<u32>().is_ok_and(|major| major >= 25)
}

pub(crate) fn run(_: &[String]) -> Outcome {
    let Some(jar) = java::packaged()? else { return Ok(()) };
    let javas = javas();
    if javas.is_empty() {
        return Ok(());
    }
    // Against the older one, whose classes a compiler of 17 reads.
    let libraries = |version| {
        let title = format!("Trino {version}");
        stage(&title, Duration::from_secs(240), || PROGRAM.libraries(version))
    };
    let older = libraries(OLDER)?;
    let compile = || PROGRAM.compile("17", &older);
    let classes = stage("the queries", Duration::from_secs(30), compile)?;
    let mut held = 0;
    for (java, version) in javas {
        let stands_on = if version == OLDER { older.clone() } else { libraries(version)? };
        let path = format!("{}:{stands_on}", classes.display());
        let title = format!("Trino {version} with the plugin");
        held += stage(&title, Duration::from_secs(240), || queries(&java, &jar, &path))?;
    }
    verdict(held, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_java_for_the_newest_is_known() {
        assert!(suffices("java.base@25.0.3\njdk.incubator.vector@25.0.3\njdk.net@25.0.3"));
        assert!(suffices("jdk.incubator.vector@26-ea"));
        assert!(!suffices("java.base@25.0.2\njdk.net@25.0.2"));
        assert!(!suffices("java.base@24.0.1\njdk.incubator.vector@24.0.1"));
    }
}
