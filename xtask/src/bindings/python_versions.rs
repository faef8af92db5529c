//! Other versions of Python than the system's: where they are, and the package in the oldest that it
//! promises, which has a build of its own, because the stable interface has buffers from 3.11 on only.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::packages::starts;
use super::python_environment::{FOLDER, python, tested_with};
use super::{fresh, quiet, target};
use crate::outcome::Outcome;
use crate::stage::{skip, stage};
use crate::workspace;

/// Tests that need nothing but pytest: the other packages that tests compare with are too new for an
/// old Python. All published vectors, the MACs of 3GPP, misuse, and what is listed.
const TESTS: [&str; 5] =
    ["test_vectors", "test_air", "test_misuse", "test_misuse_tags", "test_shape"];

/// An interpreter of a version: on the path, or one that pyenv keeps.
pub(crate) fn interpreter(version: &str) -> Option<PathBuf> {
    let starts = |program: &Path| {
        let mut command = Command::new(program);
        let asked = command
            .args(["-c", "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"]);
        quiet(asked).is_ok_and(|said| said.trim() == version)
    };
    let on_path = PathBuf::from(format!("python{version}"));
    if starts(&on_path) {
        return Some(on_path);
    }
    let home = std::env::var_os("PYENV_ROOT").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".pyenv")))?;
    let kept = fs::read_dir(home.join("versions")).ok()?;
    let mut kept: Vec<PathBuf> = kept.filter_map(|entry| Some(entry.ok()?.path())).collect();
    kept.sort();
    kept.into_iter().map(|it| it.join("bin/python3")).find(|program| starts(program))
}

/// The oldest version that the package promises, e.g. `3.9`.
fn promised(project: &str) -> Result<&str, String> {
    let line = project.lines().find_map(|line| line.strip_prefix("requires-python = \">="));
    line.and_then(|rest| rest.strip_suffix('"'))
        .ok_or_else(|| "pyproject.toml has no line `requires-python = \">=…\"`".to_owned())
}

/// Builds the package for that interpreter alone, by the tools of another, and installs it.
fn install(tools: &Path, old: &Path, environment: &Path) -> Outcome {
    let folder = environment.with_extension("wheel");
    fresh(&folder)?;
    let mut maturin = Command::new(tools.join("bin/maturin"));
    maturin.args(["build", "--release", "--locked", "--quiet", "--compatibility", "off"]);
    maturin.args(["--no-default-features", "--interpreter"]).arg(old).arg("--out").arg(&folder);
    maturin.arg("--manifest-path").arg(workspace::root().join(FOLDER).join("Cargo.toml"));
    workspace::run(maturin.env("CARGO_TARGET_DIR", target()))?;
    let mut made =
        fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let wheel = made.find_map(|entry| Some(entry.ok()?.path())).ok_or("maturin made no wheel")?;
    let mut pip = Command::new(python(environment));
    pip.args(["-m", "pip", "--disable-pip-version-check", "install", "--quiet"]);
    workspace::run(pip.args(["--force-reinstall", "--no-deps"]).arg(wheel))
}

/// An environment of the old interpreter with pytest.
fn environment(old: &Path, name: &str) -> Result<PathBuf, String> {
    let folder = workspace::root().join("target").join(name);
    if !starts(&python(&folder).to_string_lossy(), &["-m", "pytest", "--version"]) {
        workspace::run(Command::new(old).args(["-m", "venv", "--clear"]).arg(&folder))?;
        let mut pip = Command::new(python(&folder));
        pip.args(["-m", "pip", "--disable-pip-version-check", "install", "--quiet", "pytest"]);
        workspace::run(&mut pip)?;
    }
    Ok(folder)
}

/// The package in the oldest Python; how many tests passed and failed. `tools` is the environment that
/// has maturin.
pub(super) fn oldest(tools: &Path, lines: &Path) -> Result<[u64; 2], String> {
    let project = workspace::read(&format!("{FOLDER}/pyproject.toml"))?;
    let version = promised(&project)?;
    let Some(old) = interpreter(version) else {
        skip(&format!("the package in Python {version}"), &format!("uv python install {version}"));
        return Ok([0; 2]);
    };
    stage(&format!("the package in Python {version}"), Duration::from_secs(120), || {
        let environment = environment(&old, &format!("python-{version}"))?;
        install(tools, &old, &environment)?;
        tested_with(&environment, lines, &TESTS.map(|name| format!("tests/{name}.py")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_version_is_read() {
        let project = workspace::read("bindings/python/pyproject.toml").unwrap();
        assert_eq!(promised(&project), Ok("3.9"));
        assert!(promised("requires-python = \"3.9\"\n").is_err());
    }

    #[test]
    fn the_tests_for_it_are_there() {
        let folder = workspace::root().join(FOLDER).join("tests");
        assert!(TESTS.iter().all(|name| folder.join(name).with_extension("py").is_file()));
    }
}
