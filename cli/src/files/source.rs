//! Where bytes come from: a file or standard input, in pieces of one length.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::failure::{Failure, print_note};
use crate::files::{fault, identity, names};

/// A file or standard input.
pub(crate) struct Source {
    path: PathBuf,
    reader: Box<dyn Read + Send>,
    file: Option<File>,
    /// What it was like when it was opened, if it is a regular file.
    begun: Option<State>,
}

/// What shows that a file was written to.
#[derive(PartialEq, Eq)]
struct State {
    len: u64,
    modified: Option<SystemTime>,
}

impl State {
    fn of(metadata: &Metadata) -> Option<Self> {
        let of = || Self { len: metadata.len(), modified: metadata.modified().ok() };
        metadata.is_file().then(of)
    }
}

impl Source {
    /// Opens a file; `-` is standard input.
    ///
    /// # Errors
    /// A file that can't be read.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        if names::is_stream(path) {
            let (path, reader) = (PathBuf::from("standard input"), Box::new(io::stdin()));
            return Ok(Self { path, reader, file: None, begun: None });
        }
        let file = File::open(path).map_err(|error| fault::io("open", path, &error))?;
        let reader = file.try_clone().map_err(|error| fault::io("open", path, &error))?;
        let begun = file.metadata().ok().as_ref().and_then(State::of);
        Ok(Self { path: path.to_owned(), reader: Box::new(reader), file: Some(file), begun })
    }

    /// Its name, for messages.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The file, if it is one.
    pub(crate) const fn file(&self) -> Option<&File> {
        self.file.as_ref()
    }

    /// Whether the file was written to since it was opened: what was read is then a mixture that
    /// nobody wrote.
    pub(crate) fn changed(&self) -> bool {
        let now = self.file.as_ref().and_then(|file| file.metadata().ok());
        self.begun.is_some() && now.as_ref().and_then(State::of) != self.begun
    }

    /// Says so, if it was.
    pub(crate) fn note_changes(&self) -> bool {
        let changed = self.changed();
        if changed {
            let path = self.path.display();
            print_note(&format!(
                "{path} changed while it was read; take it again when it is quiet"
            ));
        }
        changed
    }

    /// Its length in bytes, if it is a file that has one.
    pub(crate) fn len(&self) -> Option<u64> {
        let metadata = self.file.as_ref()?.metadata().ok()?;
        metadata.is_file().then_some(metadata.len())
    }

    /// How many bytes are still to come, if it is known: of a regular file, as standard input, too.
    pub(crate) fn left(&self) -> Option<u64> {
        if self.file.is_some() { self.len() } else { identity::input_left() }
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
