//! The built-in engines: `cipherlane` itself and its peers, one file each.

use std::path::Path;

use lab::LabError;

pub mod catalogue;

/// Serves the engine of that name on standard input and output until the input ends.
/// `lib` is the shared library to open instead of the system's, for engines that open one.
///
/// # Errors
/// [`LabError::EngineMissing`] if there is no such engine or its library can't be opened;
/// [`LabError::Io`] if a pipe breaks.
pub fn serve(name: &str, lib: Option<&Path>) -> Result<(), LabError> {
    let _ = lib;
    Err(LabError::EngineMissing {
        engine: name.to_owned(),
        how_to_get: "the engines are being written".to_owned(),
    })
}
