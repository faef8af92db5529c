//! Folders of runs that nobody named one for: each its own, and a link to the latest.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use lab::report::ReportError;

use crate::failure::{Exit, Failure, print_note};

/// Where reports go unless something else is said.
pub(crate) const REPORTS: &str = "cipherlane-report";

/// The link to the latest run.
const LATEST: &str = "latest";

/// Measures into a folder that no run has had, and lets `latest` lead to it if anything was
/// written there.
///
/// # Errors
/// A folder that can't be made, and those of `measure`.
pub(crate) fn with(
    parent: &Path,
    measure: impl FnOnce(&Path) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    let folder = begin(parent)?;
    let done = measure(&folder);
    if fs::read_dir(&folder).is_ok_and(|mut files| files.next().is_some()) {
        link(&folder);
    } else {
        _ = fs::remove_dir(&folder);
    }
    done
}

/// Makes a folder that no run has had: `20261125-110405`, with `-2` and so on if that is taken.
fn begin(parent: &Path) -> Result<PathBuf, Failure> {
    let failed = |path: &Path, source| ReportError::Write { path: path.to_owned(), source };
    fs::create_dir_all(parent).map_err(|error| failed(parent, error))?;
    let name = stamp(&lab::machine::now());
    let mut number = 1;
    loop {
        let folder = match number {
            1 => parent.join(&name),
            number => parent.join(format!("{name}-{number}")),
        };
        match fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(failed(&folder, error).into()),
        }
    }
}

/// A time of RFC 3339 as the name of a folder.
fn stamp(now: &str) -> String {
    let letter = |c| match c {
        'T' => Some('-'),
        c => c.is_ascii_digit().then_some(c),
    };
    now.chars().filter_map(letter).collect()
}

/// Lets `latest` beside the folder lead to it. What stands there and is no link is left alone.
fn link(folder: &Path) {
    let (Some(parent), Some(name)) = (folder.parent(), folder.file_name()) else { return };
    let link = parent.join(LATEST);
    if fs::symlink_metadata(&link).is_ok_and(|it| !it.file_type().is_symlink()) {
        print_note(&format!("{} is no link, so it was left as it is", link.display()));
        return;
    }
    // Made beside its place, then renamed over the old one: a reader finds either.
    let beside = parent.join(format!(".{LATEST}-{}", std::process::id()));
    let made = symlink(Path::new(name), &beside).and_then(|()| fs::rename(&beside, &link));
    if let Err(error) = made {
        _ = fs::remove_file(&beside);
        print_note(&format!("can't make the link {}: {error}", link.display()));
    }
}

#[cfg(unix)]
fn symlink(target: &Path, link: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

#[cfg(windows)]
fn symlink(target: &Path, link: &Path) -> std::io::Result<()> {
    std::os::windows::fs::symlink_dir(target, link)
}

#[cfg(not(any(unix, windows)))]
fn symlink(_: &Path, _: &Path) -> std::io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_named_after_its_time() {
        assert_eq!(stamp("2026-11-25T11:04:05Z"), "20261125-110405");
    }

    #[test]
    #[cfg(unix)]
    fn every_run_has_its_folder_and_latest_leads_to_the_last() {
        let dir = tempfile::tempdir().unwrap();
        let parent = dir.path().join("reports");
        let mut runs: Vec<PathBuf> = Vec::new();
        let mut run = |write: bool| {
            let done = with(&parent, |folder| {
                if write {
                    fs::write(folder.join("results.json"), "{}").unwrap();
                }
                runs.push(folder.to_owned());
                Ok(Exit::Done)
            });
            assert!(matches!(done, Ok(Exit::Done)));
            (runs.clone(), fs::canonicalize(parent.join(LATEST)).ok())
        };
        for number in 1..=3 {
            let (runs, latest) = run(true);
            assert_eq!(runs.len(), number);
            assert!(runs[..number - 1].iter().all(|earlier| *earlier != runs[number - 1]));
            assert_eq!(latest, fs::canonicalize(&runs[number - 1]).ok());
        }
        // A run that wrote nothing leaves nothing, and `latest` as it was.
        let (runs, latest) = run(false);
        assert!(!runs[3].exists());
        assert_eq!(latest, fs::canonicalize(&runs[2]).ok());
        // What is no link is left alone.
        fs::remove_file(parent.join(LATEST)).unwrap();
        fs::create_dir(parent.join(LATEST)).unwrap();
        link(&runs[0]);
        assert!(parent.join(LATEST).symlink_metadata().unwrap().is_dir());
    }
}
