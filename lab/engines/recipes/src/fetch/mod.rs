//! Fetching through the registries' own clients.

mod crates;
mod debian;
mod go;
mod maven;
mod wheel;

use std::fs::File;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use crate::{Pin, RecipeError};

/// The SHA-256 of a file, in hexadecimal.
fn sha256(path: &Path) -> Result<String, RecipeError> {
    struct Sink(Sha256);
    impl std::io::Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.update(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut hash = Sink(Sha256::new());
    let read = File::open(path).and_then(|mut file| std::io::copy(&mut file, &mut hash));
    read.map_err(RecipeError::io("read", path))?;
    Ok(hash.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The pinned SHA-256 of a file, if its name is pinned.
fn pinned(pins: &[Pin], file: &str) -> Option<&'static str> {
    pins.iter().find(|pin| pin.file == file).map(|pin| pin.sha256)
}

/// The name of a file, in text.
fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The files in a folder whose names end so.
fn files(folder: &Path, end: &str) -> Result<Vec<std::path::PathBuf>, RecipeError> {
    let entries = std::fs::read_dir(folder).map_err(RecipeError::io("read", folder))?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    Ok(paths.filter(|path| file_name(path).ends_with(end)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_sha_256_of_its_bytes() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("abc");
        std::fs::write(&file, "abc").expect("written");
        // FIPS 180-2, appendix B.1.
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(&file).expect("read"), expected);
        assert!(sha256(&folder.path().join("none")).is_err());
    }
}
