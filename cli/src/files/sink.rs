//! What bytes are written into as they come: standard output, and whatever has a name and is no
//! regular file, such as a device or a FIFO. Such a thing is never replaced by a file.

use std::fs::{self, File};
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use crate::failure::{Exit, Failure};
use crate::files::{fault, names};

/// Something that takes bytes and gives none back.
pub(crate) enum Sink {
    Output(io::Stdout),
    Other(File, PathBuf),
}

impl Sink {
    /// Whether a path names something that is to be written into as bytes come.
    pub(crate) fn is(path: &Path) -> bool {
        let other = |it: fs::Metadata| !it.is_dir() && !it.is_file();
        names::is_stream(path) || descriptor(path).is_some() || path.metadata().is_ok_and(other)
    }

    /// What a path names, if it is to be written into as bytes come: `-`, an open descriptor
    /// such as `/dev/stdout`, a device, a FIFO, or a link to one of them.
    ///
    /// # Errors
    /// One that can't be opened; a socket, which has no way to be.
    pub(crate) fn of(path: &Path) -> Result<Option<Self>, Failure> {
        let number = descriptor(path);
        if names::is_stream(path) || number == Some(1) {
            return Ok(Some(Self::Output(io::stdout())));
        }
        let Ok(metadata) = path.metadata() else { return Ok(None) };
        if metadata.is_dir() || (metadata.is_file() && number.is_none()) {
            return Ok(None);
        }
        if is_socket(&metadata) {
            let error =
                format!("{} is a socket, which can't be opened by its name", path.display());
            let help = "send standard output there, e.g. with `-o - | nc -U SOCKET`";
            return Err(Failure::new(Exit::Environment, error, help));
        }
        // A file behind a descriptor goes on where it ends.
        let file = File::options().write(true).append(metadata.is_file()).open(path);
        let file = file.map_err(|error| fault::io("write to", path, &error))?;
        Ok(Some(Self::Other(file, path.to_owned())))
    }

    /// Whether somebody reads it on a screen.
    pub(crate) fn is_terminal(&self) -> bool {
        match self {
            Self::Output(stdout) => stdout.is_terminal(),
            Self::Other(file, _) => file.is_terminal(),
        }
    }

    /// Its name, for messages.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Output(_) => Path::new("standard output"),
            Self::Other(_, path) => path,
        }
    }

    /// Writes.
    ///
    /// # Errors
    /// That of the system; one that says nothing where the reader has left.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.tried(|to| to.write_all(bytes))
    }

    /// Sees that everything has gone out, and that a disk has it.
    ///
    /// # Errors
    /// Those of [`write`](Self::write).
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        self.tried(|to| to.flush())?;
        let synced = match self {
            Self::Other(file, _) if file.metadata().is_ok_and(|it| is_disk(&it)) => file.sync_all(),
            _ => Ok(()),
        };
        synced.map_err(|error| self.failed(error))
    }

    /// Writes all that a file holds from its place on.
    ///
    /// # Errors
    /// Those of [`write`](Self::write).
    pub(crate) fn copy(&mut self, file: &mut File) -> Result<(), Failure> {
        self.tried(|to| io::copy(file, to).map(drop))?;
        self.flush()
    }

    fn tried(
        &mut self,
        work: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let done = match self {
            Self::Output(stdout) => work(stdout),
            Self::Other(file, _) => work(file),
        };
        done.map_err(|error| self.failed(error))
    }

    fn failed(&self, error: io::Error) -> Failure {
        match self {
            Self::Other(_, path) if error.kind() != io::ErrorKind::BrokenPipe => {
                let error = format!("can't write to {}: {error}", path.display());
                Failure::new(Exit::Environment, error, "check where the output goes")
            }
            _ => error.into(),
        }
    }
}

/// The number of the open descriptor that a path names, directly or by links.
fn descriptor(path: &Path) -> Option<u32> {
    let own = ["/proc/self/fd", "/dev/fd"].map(|folder| Path::new(folder).canonicalize().ok());
    let mut path = path.to_owned();
    // As many links as systems follow.
    for _ in 0..40 {
        let folder = names::folder(&path).canonicalize().ok()?;
        if own.iter().flatten().any(|own| *own == folder) {
            return path.file_name()?.to_str()?.parse().ok();
        }
        path = folder.join(fs::read_link(&path).ok()?);
    }
    None
}

#[cfg(unix)]
fn is_socket(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    metadata.file_type().is_socket()
}

#[cfg(not(unix))]
fn is_socket(_: &fs::Metadata) -> bool {
    false
}

/// Whether it is a device of blocks: a disk, or a part of one.
#[cfg(unix)]
pub(crate) fn is_disk(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    metadata.file_type().is_block_device()
}

#[cfg(not(unix))]
pub(crate) fn is_disk(_: &fs::Metadata) -> bool {
    false
}
