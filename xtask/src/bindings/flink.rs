//! `cargo xtask flink`: jobs of SQL on a Flink of one process, with the functions of the jar.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::java_program::Program;
use super::packages::verdict;
use super::{java, jdks};
use crate::outcome::Outcome;
use crate::stage::{skip, stage};
use crate::workspace;

const PROGRAM: Program = Program("flink");
/// One that runs on Java 8, and the newest.
const OLDER: &str = "1.20.3";
const NEWEST: &str = "2.3.0";
/// Rows that are timed.
const ROWS: &str = "2000000";
/// What Flink's reflection asks of Java 9 and later.
const OPENED: [&str; 4] = [
    "--add-opens=java.base/java.lang=ALL-UNNAMED",
    "--add-opens=java.base/java.util=ALL-UNNAMED",
    "--add-opens=java.base/java.time=ALL-UNNAMED",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
];

/// Runs the jobs; how many checks hold.
fn jobs(java: &Path, options: &[&str], path: &str) -> Result<u64, String> {
    let work = PROGRAM.work()?;
    let mut test = Command::new(java);
    test.args(options).args(["-Xmx2g", "-cp", path, "TableJobs"]).arg(&work).arg(ROWS);
    let text = workspace::output(&mut test)?;
    print!("{text}");
    let line = text.lines().find(|line| line.ends_with(" checks hold")).unwrap_or_default();
    let held = line.split_whitespace().nth(1).and_then(|count| count.parse().ok());
    held.ok_or_else(|| "the jobs did not run to their end".to_owned())
}

pub(crate) fn run(_: &[String]) -> Outcome {
    let Some(jar) = java::packaged()? else { return Ok(()) };
    let mut held = 0;
    for (version, old) in [(NEWEST, false), (OLDER, true)] {
        let (java, options, name) = if old {
            match jdks::found(8) {
                Ok(java) => (java, &OPENED[..0], "Java 8"),
                Err(why) => {
                    let remedy = "a network or a mirror of Debian";
                    skip(&format!("Flink {version} on Java 8: {why}"), remedy);
                    continue;
                }
            }
        } else {
            (PathBuf::from("java"), &OPENED[..], "the system's Java")
        };
        let title = format!("Flink {version}");
        let libraries = || PROGRAM.libraries(version);
        let libraries = stage(&title, Duration::from_secs(120), libraries)?;
        let path = format!("{}:{libraries}", jar.display());
        let compile = || PROGRAM.compile("8", &path);
        let classes = stage("the jobs", Duration::from_secs(30), compile)?;
        let path = format!("{}:{path}", classes.display());
        let title = format!("Flink {version} on {name}");
        held += stage(&title, Duration::from_secs(120), || jobs(&java, options, &path))?;
    }
    verdict(held, 0)
}
