//! Where bytes come from: a file or standard input, in pieces of one length.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::files::{fault, names};

/// A file or standard input.
pub(crate) struct Source {
    path: PathBuf,
    reader: Box<dyn Read + Send>,
    file: Option<File>,
}

impl Source {
    /// Opens a file; `-` is standard input.
    ///
    /// # Errors
    /// A file that can't be read.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        if names::is_stream(path) {
            let (path, reader) = (PathBuf::from("standard input"), Box::new(io::stdin()));
            return Ok(Self { path, reader, file: None });
        }
        let file = File::open(path).map_err(|error| fault::io("open", path, &error))?;
        let reader = file.try_clone().map_err(|error| fault::io("open", path, &error))?;
        Ok(Self { path: path.to_owned(), reader: Box::new(reader), file: Some(file) })
    }

    /// Its name, for messages.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The file, if it is one.
    pub(crate) const fn file(&self) -> Option<&File> {
        self.file.as_ref()
    }

    /// Its length in bytes, if it is a file that has one.
    pub(crate) fn len(&self) -> Option<u64> {
        let metadata = self.file.as_ref()?.metadata().ok()?;
        metadata.is_file().then_some(metadata.len())
    }

    /// Fills a buffer as far as there is anything, and returns how far.
    ///
    /// # Errors
    /// That of the system.
    pub(crate) fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, Failure> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.reader.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(more) => filled += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(fault::io("read", &self.path, &error)),
            }
        }
        Ok(filled)
    }
}
