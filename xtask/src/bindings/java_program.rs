//! Programs that try the jar inside a platform, `bindings/java/hadoop` and its like: what they stand
//! on is in a `pom.xml`, for one version or another of the platform.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::fresh;
use super::java_build::FOLDER;
use crate::workspace;

const CLASS_PATH: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath";

/// A program, by the name of its folder.
pub(super) struct Program(pub(super) &'static str);

impl Program {
    fn folder(&self) -> PathBuf {
        workspace::root().join(FOLDER).join(self.0)
    }

    /// A folder of its own to work in, empty.
    ///
    /// # Errors
    /// That it can't be made.
    pub(super) fn work(&self) -> Result<PathBuf, String> {
        let work = workspace::scratch(self.0).join("work");
        fresh(&work)?;
        Ok(work)
    }

    /// What a version of the platform stands on, by Maven, as a class path.
    ///
    /// # Errors
    /// What Maven says.
    pub(super) fn libraries(&self, version: &str) -> Result<String, String> {
        let folder = workspace::scratch(self.0);
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let list = folder.join(format!("class-path-{version}.txt"));
        let mut maven = Command::new("mvn");
        maven.args(["--batch-mode", "--no-transfer-progress", "--quiet", CLASS_PATH]);
        maven.arg(format!("-D{}.version={version}", self.0));
        maven.arg(format!("-Dmdep.outputFile={}", list.display()));
        workspace::run(maven.current_dir(self.folder()))?;
        let text = fs::read_to_string(&list).map_err(|error| error.to_string())?;
        Ok(text.trim().to_owned())
    }

    /// Compiles it for a version of Java; where its classes lie.
    ///
    /// # Errors
    /// What the compiler says.
    pub(super) fn compile(&self, release: &str, path: &str) -> Result<PathBuf, String> {
        let classes = workspace::scratch(self.0).join("classes");
        fresh(&classes)?;
        let mut javac = Command::new("javac");
        javac.args(["--release", release, "-Xlint:-options", "-encoding", "UTF-8", "-cp", path]);
        javac.arg("-d").arg(&classes).args(self.sources()?);
        workspace::run(&mut javac)?;
        Ok(classes)
    }

    fn sources(&self) -> Result<Vec<PathBuf>, String> {
        let folder = self.folder().join("src");
        let fault = |error: std::io::Error| format!("{}: {error}", folder.display());
        let entries = fs::read_dir(&folder).map_err(fault)?;
        let mut sources = Vec::new();
        for entry in entries {
            sources.push(entry.map_err(fault)?.path());
        }
        sources.retain(|path| is_java(path));
        sources.sort();
        Ok(sources)
    }
}

fn is_java(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "java")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_has_its_sources() {
        for name in ["flink", "hadoop", "trino"] {
            let program = Program(name);
            assert!(program.folder().join("pom.xml").is_file(), "{name}");
            assert!(!program.sources().unwrap().is_empty(), "{name}");
        }
    }
}
