//! The repository: its root, its files, its cargo.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Where everything is built: `target/`, or what `CARGO_TARGET_DIR` names instead, from the
/// folder that this program was started in.
pub(crate) fn target() -> PathBuf {
    named_target().unwrap_or_else(|| root().join("target"))
}

fn named_target() -> Option<PathBuf> {
    let named = std::env::var_os("CARGO_TARGET_DIR").filter(|name| !name.is_empty())?;
    std::path::absolute(named).ok()
}

/// A folder of this program's own where everything is built; not made yet.
pub(crate) fn scratch(name: &str) -> PathBuf {
    target().join("xtask").join(name)
}

/// Cargo, in the root, of the toolchain that runs this program.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root()).args(arguments);
    if let Some(folder) = named_target() {
        // A relative name meant the folder that this program was started in.
        command.env("CARGO_TARGET_DIR", folder);
    }
    command
}

/// Set by `.ci/run` when the tests of the whole workspace have been built.
const TESTED: &str = "CIPHERLANE_TESTED";

/// Builds packages in the release profile; returns the folder of the programs and libraries.
///
/// Features of crates from outside unify over what is built together, with those that only tests
/// want. So where the tests are built, everything is asked for and nothing compiled; asking for
/// less would compile the library and all above it once more.
pub(crate) fn release(packages: &[&str]) -> Result<PathBuf, String> {
    let mut build = cargo(&["build", "--quiet", "--release"]);
    if std::env::var_os(TESTED).is_some() {
        build.args(["--workspace", "--lib", "--bins", "--tests", "--examples"]);
    } else {
        build.args(packages.iter().flat_map(|name| ["-p", name]));
    }
    // Flags of the environment would replace those of `.cargo/config.toml`.
    build.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    run(&mut build)?;
    Ok(target().join("release"))
}

/// Runs a command whose output goes where ours goes.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let line = describe(command);
    println!("   {line}");
    let status = command.status().map_err(|error| format!("`{line}` does not start: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("`{line}` ended with {status}")) }
}

/// Runs a command and returns what it printed.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let line = describe(command);
    let output = command.output().map_err(|error| format!("`{line}` does not start: {error}"))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(format!("`{line}` ended with {}: {}", output.status, stderr.trim()));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("`{line}` printed no UTF-8"))
}

/// Whether the standard library of a target is installed.
pub(crate) fn has_target(target: &str) -> bool {
    let mut rustc = Command::new("rustc");
    rustc.current_dir(root()).args(["--print", "target-libdir", "--target", target]);
    output(&mut rustc).is_ok_and(|folder| Path::new(folder.trim()).is_dir())
}

pub(crate) fn describe(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(OsStr::new("?"));
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

/// Every file under `folder` with this extension, as paths from the root with
/// forward slashes, in order. Build output and version control are left out.
pub(crate) fn files(folder: &str, extension: &str) -> Result<Vec<String>, String> {
    files_in(&root(), folder, extension)
}

/// The same of a copy of the repository.
pub(crate) fn files_in(root: &Path, folder: &str, extension: &str) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let mut folders = vec![root.join(folder)];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder)
            .map_err(|error| format!("cannot list {}: {error}", folder.display()))?;
        for entry in entries {
            let path = entry.map_err(|error| format!("{}: {error}", folder.display()))?.path();
            let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
            if path.is_dir() {
                let hidden = name.starts_with('.') && name != ".ci";
                let made = ["target", "cipherlane-report", "node_modules", "dist"].contains(&name);
                if !hidden && !made {
                    folders.push(path);
                }
            } else if path.extension().and_then(OsStr::to_str) == Some(extension) {
                let relative = path.strip_prefix(root).unwrap_or(&path);
                let parts = relative.components().map(|part| part.as_os_str().to_string_lossy());
                found.push(parts.collect::<Vec<_>>().join("/"));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The text of a file named from the root.
pub(crate) fn read(path: &str) -> Result<String, String> {
    fs::read_to_string(root().join(path)).map_err(|error| format!("cannot read {path}: {error}"))
}
