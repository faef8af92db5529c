//! Tests of the jar outside of Maven, on any Java: by JUnit's program for that.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use super::java_build::{build, maven_at};
use super::packages::{DIALECTS, count, tested};
use crate::workspace;

/// The compiler of Eclipse, which runs on the Java that it compiles for, and what runs tests.
const TOOLS: [&str; 2] =
    ["org.eclipse.jdt:ecj:3.46.100", "org.junit.platform:junit-platform-console-standalone:1.13.4"];
/// Their places in the list.
pub(super) const ECLIPSE: usize = 0;
const JUNIT: usize = 1;
const DEPENDENCY: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1";

/// The tools, fetched.
pub(super) struct Console(PathBuf);

fn maven(goal: &str) -> Command {
    maven_at(&["--quiet", goal])
}

impl Console {
    /// Fetches them.
    ///
    /// # Errors
    /// What Maven says.
    pub(super) fn fetch() -> Result<Self, String> {
        let tools = Self(workspace::scratch("java22"));
        for (number, tool) in TOOLS.iter().enumerate() {
            // Each start of Maven takes seconds, and a version never changes.
            if tools.tool(number).is_file() {
                continue;
            }
            let mut copy = maven(&format!("{DEPENDENCY}:copy"));
            copy.arg(format!("-Dartifact={tool}")).arg("-Dmdep.useBaseVersion=true");
            workspace::run(copy.arg(format!("-DoutputDirectory={}", tools.0.display())))?;
        }
        Ok(tools)
    }

    /// The file of a tool.
    pub(super) fn tool(&self, number: usize) -> PathBuf {
        let mut parts = TOOLS[number].split(':').skip(1);
        let (name, version) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        self.0.join(format!("{name}-{version}.jar"))
    }

    /// The jar that Maven has made, and all that it and its tests stand on.
    ///
    /// # Errors
    /// What Maven says.
    pub(super) fn libraries(&self) -> Result<String, String> {
        static ASKED: OnceLock<String> = OnceLock::new();
        if let Some(known) = ASKED.get() {
            return Ok(known.clone());
        }
        let list = self.0.join("class-path.txt");
        let mut ask = maven(&format!("{DEPENDENCY}:build-classpath"));
        workspace::run(ask.arg(format!("-Dmdep.outputFile={}", list.display())))?;
        let libraries = fs::read_to_string(&list).map_err(|error| error.to_string())?;
        let jar = build().join("maven").join("cipherlane-0.1.0.jar");
        Ok(ASKED.get_or_init(|| format!("{}:{}", jar.display(), libraries.trim())).clone())
    }

    /// Runs the tests of a folder of classes on a Java; how many passed and failed.
    ///
    /// # Errors
    /// That they did not run to their end.
    pub(super) fn run(
        &self,
        java: &Path,
        lines: &Path,
        tests: &Path,
        options: &[&str],
    ) -> Result<[u64; 2], String> {
        let path = format!("{}:{}", tests.display(), self.libraries()?);
        let mut run = Command::new(java);
        run.arg("-Xcheck:jni").args(options);
        run.arg(format!("-Dorg.cipherlane.vectors={}", lines.display()));
        run.arg(format!("-Dorg.cipherlane.dialects={}", lines.with_file_name(DIALECTS).display()));
        let data = workspace::root().join("crates/vectors/data");
        run.arg(format!("-Dorg.cipherlane.data={}", data.display()));
        run.arg("-jar").arg(self.tool(JUNIT)).args(["execute", "--details=summary", "-cp", &path]);
        let (success, text) = tested(run.arg(format!("--scan-classpath={}", tests.display())))?;
        let sum = |what: &str| {
            let line = text.lines().find(|line| line.contains(what));
            line.map(|line| count(line, "tests"))
        };
        match (sum("tests successful"), sum("tests failed")) {
            (Some(passed), Some(failed)) if success || failed > 0 => Ok([passed, failed]),
            _ => Err("the tests did not run to their end".to_owned()),
        }
    }
}
