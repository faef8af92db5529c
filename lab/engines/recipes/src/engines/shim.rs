//! The interface of `shim.h`, behind which stand libraries that can't be opened as they are.

use std::fs;
use std::path::PathBuf;

use crate::{RecipeError, Workshop};

/// The library that the engine opens.
pub(super) const INTERFACE: &str = "libcipherlane-shim.so";

const HEADER: &str = include_str!("../../../shim.h");

/// Writes the interface and its implementation over a library beside each other; the second's path.
pub(super) fn write(shop: &Workshop<'_>, name: &str, source: &str) -> Result<PathBuf, RecipeError> {
    let file = |name: &str, text: &str| {
        let path = shop.work().join(name);
        fs::write(&path, text).map_err(RecipeError::io("write", &path))?;
        Ok(path)
    };
    file("shim.h", HEADER)?;
    file(name, source)
}
