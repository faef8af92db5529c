//! What the packages for Python and Java have in common: they are built and tested by the tools
//! of their languages. What a machine lacks is a line `SKIP: …`.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::target;
use crate::outcome::Outcome;
use crate::workspace;

/// Clippy and formatting of a binding's crate.
pub(super) fn lint(folder: &str) -> Outcome {
    let manifest = workspace::root().join(folder).join("Cargo.toml");
    let mut format = workspace::cargo(&["fmt", "--check", "--manifest-path"]);
    workspace::run(format.arg(&manifest))?;
    let mut clippy = workspace::cargo(&["clippy", "--release", "--quiet", "--locked"]);
    clippy.arg("--manifest-path").arg(&manifest).env("CARGO_TARGET_DIR", target());
    workspace::run(clippy.args(["--", "-D", "warnings"]))
}

/// Writes the published vectors and those of the dialects as lines, which every language can read;
/// where the first lie.
pub(super) fn vectors() -> Result<PathBuf, String> {
    // A workspace of its own: the library that it stands on is the one of the bindings.
    workspace::run(&mut super::cargo("build", "vectors"))?;
    let program = format!("lines{}", std::env::consts::EXE_SUFFIX);
    let program = target().join("release").join(program);
    let folder = workspace::scratch("bindings");
    let write = |name: &str, text: String| {
        let path = folder.join(name);
        let made = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, text));
        made.map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        Ok::<_, String>(path)
    };
    write(DIALECTS, workspace::output(Command::new(&program).arg("dialects"))?)?;
    write("vectors.tsv", workspace::output(&mut Command::new(&program))?)
}

/// The file of the dialects' vectors, beside that of the others.
pub(super) const DIALECTS: &str = "dialects.tsv";

/// Whether a program starts with these arguments.
pub(super) fn starts(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Runs a command that tests something, shows its output and returns it.
pub(super) fn tested(command: &mut Command) -> Result<(bool, String), String> {
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("{command:?} does not start: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    print!("{text}");
    Ok((output.status.success(), text))
}

/// The last line of a verb.
pub(super) fn verdict(passed: u64, failed: u64) -> Outcome {
    println!("{passed} passed, {failed} failed");
    match (passed, failed) {
        (0, 0) => Err("no test ran".to_owned()),
        (_, 0) => Ok(()),
        _ => Err(format!("{failed} tests failed")),
    }
}

/// The number before a word, e.g. that of `3 passed`.
pub(super) fn count(line: &str, word: &str) -> u64 {
    let words: Vec<&str> =
        line.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty()).collect();
    let pair = words.windows(2).find(|pair| pair[1] == word);
    pair.and_then(|pair| pair[0].parse().ok()).unwrap_or(0)
}

/// The code of a language in a page, between its fences.
pub(super) fn example(page: &str, language: &str) -> Result<String, String> {
    let text = workspace::read(page)?;
    let fence = format!("```{language}\n");
    let code = text.split(&fence).nth(1).and_then(|rest| rest.split("\n```").next());
    code.map(str::to_owned).ok_or_else(|| format!("{page} has no example in {language}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read() {
        assert_eq!(count("== 2 failed, 5031 passed, 1 warning in 20.01s ==", "passed"), 5031);
        assert_eq!(count("== 2 failed, 5031 passed in 20.01s ==", "failed"), 2);
        assert_eq!(count("5 passed in 1s", "failed"), 0);
    }

    #[test]
    fn nothing_tested_is_a_failure() {
        assert!(verdict(0, 0).is_err());
        assert!(verdict(5, 1).is_err());
        assert!(verdict(5, 0).is_ok());
    }

    #[test]
    fn every_readme_has_its_example() {
        assert!(example("bindings/python/README.md", "python").unwrap().contains("SM4GCM"));
        assert!(example("bindings/java/README.md", "java").unwrap().contains("class Example"));
    }
}
