//! The names of files: of what is encrypted, of what comes out, and `-` for the streams.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// What the name of an encrypted file ends with.
pub(crate) const SUFFIX: &str = "clane";

/// The folder of a file.
pub(crate) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

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
