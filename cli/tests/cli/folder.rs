//! A folder for files to be encrypted in.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use crate::cipherlane;

/// A folder with a key file.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        let folder = Self(TempDir::new().unwrap());
        cipherlane(&["keygen", "-o", &folder.text("key")]).assert().success();
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    pub(crate) fn write(&self, name: &str, len: usize) -> Vec<u8> {
        let bytes: Vec<u8> = (0..len).map(|i| (i ^ (i >> 8) ^ (i >> 16)) as u8).collect();
        fs::write(self.path(name), &bytes).unwrap();
        bytes
    }

    pub(crate) fn run(&self, args: &[&str]) -> assert_cmd::assert::Assert {
        cipherlane(args).current_dir(self.0.path()).assert()
    }

    /// All names in it.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}
