//! The files in folders, and what is left out of them: whoever deletes or sends a folder
//! afterwards must know.

use std::collections::BTreeMap;
use std::fs::{self, FileType};
use std::path::{Path, PathBuf};

use crate::failure::{Exit, Failure, print_note};
use crate::files::{fault, names};

/// The files that were named or found.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) files: Vec<PathBuf>,
    /// What is neither a file nor a folder with something in it.
    left: Vec<(PathBuf, Kind)>,
    /// Files whose names say that there is nothing to do.
    unwanted: usize,
    /// Folders that can't be read.
    pub(crate) failures: Vec<Failure>,
}

/// What is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Link,
    Fifo,
    Socket,
    Device,
    Empty,
    Other,
}

impl Kind {
    fn of(kind: FileType) -> Self {
        #[cfg(unix)]
        {
            use std::os::unix::fs::FileTypeExt as _;
            if kind.is_fifo() {
                return Self::Fifo;
            }
            if kind.is_socket() {
                return Self::Socket;
            }
            if kind.is_block_device() || kind.is_char_device() {
                return Self::Device;
            }
        }
        if kind.is_symlink() { Self::Link } else { Self::Other }
    }

    /// One and many of it.
    const fn names(self) -> [&'static str; 2] {
        match self {
            Self::Link => ["link", "links"],
            Self::Fifo => ["FIFO", "FIFOs"],
            Self::Socket => ["socket", "sockets"],
            Self::Device => ["device", "devices"],
            Self::Empty => ["empty folder", "empty folders"],
            Self::Other => ["thing of another kind", "things of another kind"],
        }
    }
}

impl Found {
    /// The files named, and with `recursive` those in folders that `wanted` takes.
    ///
    /// # Errors
    /// A folder without `recursive`.
    pub(crate) fn new(
        named: &[PathBuf],
        recursive: bool,
        wanted: fn(&Path) -> bool,
    ) -> Result<Self, Failure> {
        let mut found = Self::default();
        for path in named {
            if names::is_stream(path) || !path.is_dir() {
                found.files.push(path.clone());
            } else if recursive {
                found.walk(path, wanted);
            } else {
                let error = format!("{} is a folder", path.display());
                let help = "give --recursive for all files in it";
                return Err(Failure::new(Exit::Usage, error, help));
            }
        }
        Ok(found)
    }

    fn walk(&mut self, root: &Path, wanted: fn(&Path) -> bool) {
        for entry in walkdir::WalkDir::new(root).sort_by_file_name() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let path = error.path().unwrap_or(root).to_owned();
                    let other = || std::io::ErrorKind::Other.into();
                    let io = error.into_io_error().unwrap_or_else(other);
                    self.failures.push(fault::io("read the folder", &path, &io));
                    continue;
                }
            };
            let kind = entry.file_type();
            let path = entry.into_path();
            if kind.is_file() {
                if wanted(&path) {
                    self.files.push(path);
                } else {
                    self.unwanted += 1;
                }
            } else if !kind.is_dir() {
                self.left.push((path, Kind::of(kind)));
            } else if fs::read_dir(&path).is_ok_and(|mut entries| entries.next().is_none()) {
                self.left.push((path, Kind::Empty));
            }
        }
    }

    /// Tells what was left out, one by one, and then how many of each: `done` of the files were
    /// `what`, others `failed`, and those that are not wanted are `unwanted`.
    pub(crate) fn report(&self, done: usize, failed: usize, what: &str, unwanted: &str) {
        let mut counts = BTreeMap::<Kind, usize>::new();
        for (path, kind) in &self.left {
            print_note(&format!("left out: {} ({})", path.display(), kind.names()[0]));
            *counts.entry(*kind).or_default() += 1;
        }
        let counted = |(kind, count): (Kind, usize)| {
            format!("{count} {}", kind.names()[usize::from(count != 1)])
        };
        let mut parts: Vec<String> = counts.into_iter().map(counted).collect();
        match self.failures.len() {
            0 => {}
            1 => parts.push("1 folder that can't be read".to_owned()),
            many => parts.push(format!("{many} folders that can't be read")),
        }
        if self.unwanted > 0 {
            parts.push(format!("{} {unwanted}", self.unwanted));
        }
        let left = if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") };
        let failed = if failed > 0 { format!(", {failed} failed") } else { String::new() };
        print_note(&format!("{} {what}{failed}; left out: {left}", files(done)));
    }
}

/// So many files, in words.
pub(crate) fn files(count: usize) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}
