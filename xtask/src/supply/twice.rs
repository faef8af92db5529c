//! Two builds from two folders must be the same, byte for byte: whoever has the sources can
//! then tell that a file was made of them. Built is the library of the national ciphers, whose
//! kernels are most of the code.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::outcome::Outcome;
use crate::size::{self, LIBRARY, NATIONAL};
use crate::workspace;

fn failed(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// Copies the sources that git knows to a folder; fails where there is no git.
fn copy(to: &Path) -> Outcome {
    let root = workspace::root();
    let mut git = std::process::Command::new("git");
    git.current_dir(&root).args(["ls-files", "--cached", "--others", "--exclude-standard"]);
    for name in workspace::output(&mut git)?.lines() {
        // Names that git quotes, and files that are gone, are no sources.
        let from = root.join(name);
        if !from.is_file() {
            continue;
        }
        let into = to.join(name);
        if let Some(folder) = into.parent() {
            fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
        }
        fs::copy(&from, &into).map_err(|error| failed(&from, &error))?;
    }
    Ok(())
}

/// Builds the sources in `folder`, into a target folder of their own. Folders are taken out of
/// what the compiler writes: those of the sources, of the registry and of the standard library.
fn build(folder: &Path) -> Result<PathBuf, String> {
    let target = folder.join("target").join("twice");
    if target.exists() {
        fs::remove_dir_all(&target).map_err(|error| failed(&target, &error))?;
    }
    let flags = format!("--remap-path-prefix={}=/cipherlane", folder.display());
    let mut command = workspace::cargo(&["build", "--release", "--quiet"]);
    command.current_dir(folder).args(NATIONAL).arg("--locked").arg("--target-dir").arg(&target);
    command.env("CARGO_ENCODED_RUSTFLAGS", flags).env_remove("RUSTFLAGS");
    workspace::run(&mut command)?;
    Ok(target.join("release"))
}

/// Where two files differ first; none where they are equal.
fn difference(one: &[u8], other: &[u8]) -> Option<usize> {
    let first = one.iter().zip(other).position(|(a, b)| a != b);
    first.or_else(|| (one.len() != other.len()).then(|| one.len().min(other.len())))
}

/// Builds here and elsewhere and compares.
pub(super) fn run() -> Outcome {
    let elsewhere = workspace::scratch("supply").join("elsewhere");
    if elsewhere.exists() {
        fs::remove_dir_all(&elsewhere).map_err(|error| failed(&elsewhere, &error))?;
    }
    copy(&elsewhere)?;
    let began = Instant::now();
    let here = build(&workspace::root())?;
    size::of_national(&here, began.elapsed())?;
    let builds = [here, build(&elsewhere)?];
    for file in LIBRARY {
        let [one, other] = [0, 1].map(|i| {
            let path = builds[i].join(file);
            fs::read(&path).map_err(|error| failed(&path, &error))
        });
        let (one, other) = (one?, other?);
        if let Some(at) = difference(&one, &other) {
            let lengths = format!("{} and {} bytes", one.len(), other.len());
            return Err(format!("{file}: two builds part at byte {at} of {lengths}"));
        }
        println!("   {file}: {} bytes, twice the same", one.len());
    }
    for build in builds {
        let _ = fs::remove_dir_all(build);
    }
    fs::remove_dir_all(&elsewhere).map_err(|error| failed(&elsewhere, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_found() {
        assert_eq!(difference(b"abc", b"abc"), None);
        assert_eq!(difference(b"abc", b"abd"), Some(2));
        assert_eq!(difference(b"abc", b"ab"), Some(2));
    }
}
