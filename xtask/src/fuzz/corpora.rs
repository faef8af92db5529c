//! Corpora that stay small: of all inputs that were found, as few as reach the same places. Seeds that
//! somebody wrote stay; what a fuzzer found has the SHA-1 of its bytes for a name.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::outcome::Outcome;
use crate::workspace;

/// What the corpus of a target may weigh in git, in bytes.
const MOST: u64 = 256 << 10;

/// Whether a fuzzer gave a file its name.
fn is_found(name: &str) -> bool {
    name.len() == 40 && name.bytes().all(|it| it.is_ascii_digit() || (b'a'..=b'f').contains(&it))
}

fn names(folder: &Path) -> Result<BTreeSet<String>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        names.insert(entry.map_err(failed)?.file_name().to_string_lossy().into_owned());
    }
    Ok(names)
}

/// The bytes of all files of a corpus.
fn weight(folder: &Path) -> Result<u64, String> {
    let of = |name: &String| fs::metadata(folder.join(name)).map_or(0, |it| it.len());
    Ok(names(folder)?.iter().map(of).sum())
}

/// Chooses anew what of a target's corpus and of the inputs found since is kept.
pub(super) fn minimise(program: &PathBuf, target: &str, found: &Path) -> Outcome {
    let failed = |error: std::io::Error| format!("{target}: {error}");
    let corpus = workspace::root().join("fuzz/corpus").join(target);
    let chosen = workspace::scratch("fuzz-chosen").join(target);
    let _ = fs::remove_dir_all(&chosen);
    for folder in [&chosen, &found.to_path_buf()] {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    // Seeds come first, so that what they reach needs no other input. Places alone: how often each was
    // reached would keep many times as many.
    let old = names(&corpus)?;
    for name in old.iter().filter(|name| !is_found(name)) {
        fs::copy(corpus.join(name), chosen.join(name)).map_err(failed)?;
    }
    let mut command = Command::new(program);
    command.args([
        "-set_cover_merge=1",
        "-use_counters=0",
        "-use_cmp=0",
        "-max_len=4096",
        "-timeout=60",
        "-verbosity=0",
    ]);
    command.arg(&chosen).arg(&corpus).arg(found);
    let output = command.output().map_err(failed)?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{target}: {}", said.lines().last().unwrap_or("no reason given")));
    }
    let weight = weight(&chosen)?;
    if weight > MOST {
        return Err(format!("{target}: {weight} bytes; a corpus may have {MOST}"));
    }
    for name in old.iter().filter(|name| is_found(name)) {
        fs::remove_file(corpus.join(name)).map_err(failed)?;
    }
    let new = names(&chosen)?;
    for name in new.iter().filter(|name| is_found(name)) {
        fs::copy(chosen.join(name), corpus.join(name)).map_err(failed)?;
    }
    println!("   {target}: {} inputs of {weight} bytes, {} before", new.len(), old.len());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_found_inputs_are_hashes() {
        assert!(is_found("0123456789abcdef0123456789abcdef01234567"));
        assert!(!is_found("seed-00") && !is_found("0123456789ABCDEF0123456789abcdef01234567"));
    }

    #[test]
    fn corpora_are_small() {
        for folder in fs::read_dir(workspace::root().join("fuzz/corpus")).unwrap() {
            let folder = folder.unwrap().path();
            let weight = weight(&folder).unwrap();
            assert!(weight <= MOST, "{}: {weight} bytes", folder.display());
        }
    }
}
