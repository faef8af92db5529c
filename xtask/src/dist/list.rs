//! The list of what was made: sizes, and SHA-256 in the form that `sha256sum --check` reads.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::pack::quiet;
use super::tree::fault;
use super::{Fault, Shop, tree};

/// The file of checksums.
const SUMS: &str = "SHA256SUMS";

/// The SHA-256 of a file in hexadecimal digits.
pub(super) fn sha256(file: &Path) -> Result<String, String> {
    let said = quiet(Command::new("sha256sum").arg("--binary").arg(file))?;
    let digest = said.trim_start_matches('\\').split_whitespace().next().unwrap_or_default();
    if digest.len() == 64 { Ok(digest.to_owned()) } else { Err(format!("sha256sum said `{said}`")) }
}

/// That two files are the same.
pub(super) fn same(one: &Path, other: &Path) -> Result<(), Fault> {
    let [first, second] = [one, other].map(|file| fs::read(file).map_err(fault(file)));
    let (first, second) = (first?, second?);
    if first == second {
        return Ok(());
    }
    let at = first.iter().zip(&second).position(|(a, b)| a != b);
    let at = at.unwrap_or(first.len().min(second.len()));
    Err(Fault::Failed(format!(
        "{}: two makings part at byte {at} of {} and {} ({} and {})",
        one.file_name().unwrap_or_default().display(),
        first.len(),
        second.len(),
        one.display(),
        other.display()
    )))
}

/// A file that two artefacts made, the later one over the earlier.
fn lost(made: &[(&'static str, Vec<PathBuf>)]) -> Option<String> {
    let mut seen: Vec<(&str, &Path)> = Vec::new();
    for (name, files) in made {
        for file in files {
            if let Some((first, _)) = seen.iter().find(|(_, it)| it == file) {
                return Some(format!("{} is of {first} and of {name}", file.display()));
            }
            seen.push((name, file));
        }
    }
    None
}

/// Writes the checksums of everything that lies in the folder of artefacts, and returns a line for
/// each file that was made now.
pub(super) fn write(
    shop: &Shop,
    made: &[(&'static str, Vec<PathBuf>)],
) -> Result<Vec<String>, String> {
    if let Some(lost) = lost(made) {
        return Err(lost);
    }
    let mut sums = String::new();
    for file in tree::files(&shop.out)?.into_iter().filter(|file| file != Path::new(SUMS)) {
        sums += &format!("{} *{}\n", sha256(&shop.out.join(&file))?, file.display());
    }
    tree::write(&shop.out.join(SUMS), &sums)?;
    let mut lines = Vec::new();
    for (name, files) in made {
        for file in files {
            let size = fs::metadata(file).map_err(fault(file))?.len();
            let shown = file.file_name().unwrap_or_default().display();
            lines.push(format!("{size:>11} B  {}  {name:<8} {shown}", sha256(file)?));
        }
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;

    #[test]
    fn a_file_of_two_artefacts_is_named() {
        let files = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        let sources = files(&["lanes.crate", "cipherlane.tar.gz"]);
        let mut made = vec![("crates", sources), ("c", files(&["c.tar.gz"]))];
        assert_eq!(lost(&made), None);
        made.push(("wheels", files(&["cipherlane.whl", "cipherlane.tar.gz"])));
        assert_eq!(lost(&made).unwrap(), "cipherlane.tar.gz is of crates and of wheels");
    }

    #[test]
    fn digests_and_differences_are_found() {
        let folder = workspace::scratch("list-test");
        tree::fresh(&folder).unwrap();
        let [one, other] = ["one", "other"].map(|name| folder.join(name));
        tree::write(&one, "abc").unwrap();
        tree::write(&other, "abd").unwrap();
        // FIPS 180-4's example of one block.
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(&one).unwrap(), known);
        assert!(same(&one, &one).is_ok());
        match same(&one, &other) {
            Err(Fault::Failed(why)) => assert!(why.contains("byte 2 of 3"), "{why}"),
            other => panic!("{other:?}"),
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
