//! Folders: copies of the sources, and what lies in them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::outcome::Outcome;
use crate::workspace;

/// An error of input or output, with its place.
pub(super) fn fault(path: &Path) -> impl Fn(std::io::Error) -> String {
    move |error| format!("{}: {error}", path.display())
}

/// A folder, empty.
pub(super) fn fresh(folder: &Path) -> Outcome {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(fault(folder))?;
    }
    fs::create_dir_all(folder).map_err(fault(folder))
}

/// Writes a file and the folders it lies in.
pub(super) fn write(path: &Path, text: impl AsRef<[u8]>) -> Outcome {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(fault(folder))?;
    }
    fs::write(path, text).map_err(fault(path))
}

/// Copies a file, with its permissions, and makes the folders it will lie in.
pub(super) fn copy(from: &Path, to: &Path) -> Outcome {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(fault(folder))?;
    }
    fs::copy(from, to).map(drop).map_err(fault(from))
}

/// All files under a folder, as paths from it, in order.
pub(super) fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).map_err(fault(&next))? {
            let path = entry.map_err(fault(&next))?.path();
            if path.is_dir() && !path.is_symlink() {
                open.push(path);
            } else {
                found.push(path.strip_prefix(folder).unwrap_or(&path).to_path_buf());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The sources that git knows, as names from the root; names that git quotes, and files that are
/// gone, are no sources.
pub(super) fn sources() -> Result<Vec<String>, String> {
    let root = workspace::root();
    let mut git = Command::new("git");
    git.current_dir(&root).args(["ls-files", "--cached", "--others", "--exclude-standard"]);
    let names = workspace::output(&mut git)?;
    Ok(names.lines().filter(|name| root.join(name).is_file()).map(str::to_owned).collect())
}

/// Brings a copy of the sources up to date: a file that is the same keeps its time, so that nothing
/// is compiled again for it; what has no source any more goes.
pub(super) fn refresh(to: &Path) -> Outcome {
    let root = workspace::root();
    let names = sources()?;
    for name in &names {
        let (from, to) = (root.join(name), to.join(name));
        let same = fs::read(&to).is_ok_and(|old| fs::read(&from).is_ok_and(|new| new == old));
        if !same {
            copy(&from, &to)?;
        }
    }
    let known: BTreeSet<PathBuf> = names.iter().map(PathBuf::from).collect();
    for file in files(to)?.into_iter().filter(|file| !known.contains(file)) {
        let gone = to.join(file);
        fs::remove_file(&gone).map_err(fault(&gone))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_in_order_from_their_folder() {
        let folder = workspace::scratch("tree-test");
        fresh(&folder).unwrap();
        write(&folder.join("b/two"), "2").unwrap();
        write(&folder.join("a"), "1").unwrap();
        assert_eq!(files(&folder).unwrap(), [PathBuf::from("a"), PathBuf::from("b/two")]);
        fs::remove_dir_all(folder).unwrap();
    }
}
