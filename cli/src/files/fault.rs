//! What can go wrong with files, as the user sees it.

use std::io;
use std::path::Path;

use crate::failure::{Exit, Failure};
use crate::files::names::folder;

/// A system's error over a file.
pub(crate) fn io(what: &str, path: &Path, error: &io::Error) -> Failure {
    let help = match error.kind() {
        io::ErrorKind::NotFound => "name a file that is there",
        io::ErrorKind::PermissionDenied => "check the permissions of the file and its folder",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "free some space, or name another place with -o; nothing was left half-written"
        }
        _ => "check the file and its folder",
    };
    Failure::new(Exit::Environment, format!("can't {what} {}: {error}", path.display()), help)
}

/// A system's error over a file that is being made.
pub(crate) fn write(path: &Path, error: &io::Error) -> Failure {
    let folder = folder(path);
    if error.kind() == io::ErrorKind::NotFound && !folder.exists() {
        let error = format!("the folder {} does not exist", folder.display());
        return Failure::new(Exit::Environment, error, "make it, or name another place with -o");
    }
    io("write", path, error)
}

/// A system's error over the folder of a file that is whole and has its name.
pub(crate) fn name(path: &Path, error: &io::Error) -> Failure {
    let error = format!("can't sync the folder of {}: {error}", path.display());
    let help = "the file is whole; until the folder is synced, a power cut may take its name away";
    Failure::new(Exit::Environment, error, help)
}

/// A file, a key or a chunk that is not what it must be.
pub(crate) fn format(path: &Path, error: &container::Error) -> Failure {
    use container::Error;
    let (exit, help) = match error {
        Error::Signature => (
            Exit::Usage,
            "only files written by `cipherlane encrypt` open; `cipherlane doctor` tries others",
        ),
        Error::WrongKey => (Exit::Failed, "give the key or the passphrase it was made with"),
        Error::KeyKind { .. } => (Exit::Usage, "see -k, --key-env and --passphrase"),
        Error::Chunk { .. } | Error::CutOff { .. } | Error::ShortHeader { .. } => {
            (Exit::Failed, "take an undamaged copy")
        }
        Error::Field { .. } => {
            (Exit::Usage, "its header is damaged, or a newer version of the program made it")
        }
        Error::Derivation(_) => (Exit::Environment, "free some memory"),
        _ => (Exit::Usage, "see `cipherlane encrypt --help`"),
    };
    Failure::new(exit, format!("{}: {error}", path.display()), help)
}
