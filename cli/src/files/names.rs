//! The names of files: of what is encrypted, of what comes out, and `-` for the streams.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::failure::{Exit, Failure};
use crate::files::fault;

/// What the name of an encrypted file ends with.
pub(crate) const SUFFIX: &str = "clane";

/// Standard input or output.
pub(crate) fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
}

/// The name of a file when it is encrypted.
pub(crate) fn encrypted(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(SUFFIX);
    name.into()
}

/// The name of an encrypted file when it is decrypted.
///
/// # Errors
/// A name that does not end with [`SUFFIX`].
pub(crate) fn decrypted(path: &Path) -> Result<PathBuf, Failure> {
    if path.extension() == Some(OsStr::new(SUFFIX)) {
        return Ok(path.with_extension(""));
    }
    Err(Failure::usage(
        format!("{} does not end with .{SUFFIX}", path.display()),
        "name the output with -o",
    ))
}

/// The files named, and with `recursive` those in folders that `wanted` takes.
///
/// # Errors
/// A folder without `recursive`, or one that can't be read.
pub(crate) fn expand(
    named: &[PathBuf],
    recursive: bool,
    wanted: fn(&Path) -> bool,
) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in named {
        if is_stream(path) || !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        if !recursive {
            let error = format!("{} is a folder", path.display());
            return Err(Failure::new(Exit::Usage, error, "give --recursive for all files in it"));
        }
        for entry in walkdir::WalkDir::new(path).sort_by_file_name() {
            let entry = entry.map_err(|error| {
                let io = error.into_io_error().unwrap_or_else(|| std::io::ErrorKind::Other.into());
                fault::io("read the folder", path, &io)
            })?;
            if entry.file_type().is_file() && wanted(entry.path()) {
                files.push(entry.into_path());
            }
        }
    }
    Ok(files)
}
