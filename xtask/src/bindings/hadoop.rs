//! `cargo xtask hadoop`: encryption zones of a small HDFS with the provider for Java, and with
//! Bouncy Castle beside it.

use std::fs;
use std::process::Command;
use std::time::Duration;

use super::packages::verdict;
use super::{fresh, java};
use crate::outcome::Outcome;
use crate::stage::stage;
use crate::workspace;

const FOLDER: &str = "bindings/java/hadoop";
const CLASS_PATH: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath";
const SUITES: [&str; 2] = ["SM4/CTR/NoPadding", "AES/CTR/NoPadding"];
const PROVIDERS: [&str; 2] = ["Cipherlane", "BC"];
const MEBIBYTES: &str = "256";
/// What Hadoop's reflection asks of Java 17 and later.
const OPENED: &str = "--add-opens=java.base/java.lang=ALL-UNNAMED";

/// What Hadoop stands on, by Maven: about 100 MB the first time.
fn libraries() -> Result<String, String> {
    let folder = workspace::scratch("hadoop");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let list = folder.join("class-path.txt");
    let mut maven = Command::new("mvn");
    maven.args(["--batch-mode", "--no-transfer-progress", "--quiet", CLASS_PATH]);
    maven.arg(format!("-Dmdep.outputFile={}", list.display()));
    workspace::run(maven.current_dir(workspace::root().join(FOLDER)))?;
    let text = fs::read_to_string(&list).map_err(|error| error.to_string())?;
    Ok(text.trim().to_owned())
}

pub(crate) fn run(_: &[String]) -> Outcome {
    let Some(jar) = java::packaged()? else { return Ok(()) };
    let libraries = stage("Hadoop", Duration::from_secs(120), libraries)?;
    let path = format!("{}:{libraries}", jar.display());
    let classes = workspace::scratch("hadoop").join("classes");
    fresh(&classes)?;
    let source = workspace::root().join(FOLDER).join("src/EncryptionZone.java");
    let mut javac = Command::new("javac");
    javac.args(["-cp", &path, "-d"]).arg(&classes).arg(source);
    stage("the test", Duration::from_secs(30), || workspace::run(&mut javac))?;
    let mut passed = 0;
    for suite in SUITES {
        for provider in PROVIDERS {
            let work = workspace::scratch("hadoop").join("work");
            fresh(&work)?;
            let mut test = Command::new("java");
            test.args([OPENED, "-Xmx2g", "-cp", &format!("{}:{path}", classes.display())]);
            test.arg("EncryptionZone").arg(&work).args([provider, suite, MEBIBYTES]);
            let name = format!("{suite} by {provider}");
            let text = stage(&name, Duration::from_secs(60), || workspace::output(&mut test))?;
            let line = text.lines().find(|line| line.starts_with(&name));
            println!("{}", line.ok_or("the test did not run to its end")?);
            passed += 1;
        }
    }
    verdict(passed, 0)
}
