//! Where bytes go: a file that has its name only when it is whole, or what is written into as
//! bytes come.
//!
//! The file has no name while it is written, where the system can do that (`O_TMPFILE`): a
//! program that is killed leaves nothing. Elsewhere it has a temporary name in the same folder.

use std::fs::{File, FileTimes, Permissions};
use std::io::{self, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::{Exit, Failure};
#[cfg(target_os = "linux")]
use crate::files::nameless;
use crate::files::names::folder;
use crate::files::sink::Sink;
use crate::files::source::Source;
use crate::files::{fault, stop};

/// A file that is being written, or a stream.
pub(crate) struct Target {
    path: PathBuf,
    draft: Draft,
    wish: Wish,
    written: bool,
}

/// How a target is to be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wish {
    /// What becomes of a file that is there.
    pub(crate) there: There,
    /// Whether it is nothing for a terminal.
    pub(crate) binary: bool,
    /// Whether nothing goes into a stream before all is right.
    pub(crate) held_back: bool,
    /// Who may read the file.
    pub(crate) access: Access,
}

/// What becomes of a file that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum There {
    /// It gives way in the end.
    Replaced,
    /// It stays; `--force` would replace it.
    Kept,
    /// It stays, whatever one says.
    KeptAlways,
}

impl There {
    /// As `--force` says.
    pub(crate) const fn forced(force: bool) -> Self {
        if force { Self::Replaced } else { Self::Kept }
    }
}

/// Who may read a file, and what else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// As the user's umask says.
    Usual,
    /// Only its owner.
    Owner,
    /// This mode.
    Mode(u32),
}

impl Access {
    /// The mode that a file is made with. One that was asked for comes only in the end, so that
    /// nobody reads a file before it is whole.
    const fn first(self) -> u32 {
        match self {
            Self::Usual => 0o666,
            Self::Owner | Self::Mode(_) => 0o600,
        }
    }
}

enum Draft {
    Stream(Sink),
    /// Kept back from a stream until all is right.
    Spool(File, Sink),
    #[cfg(target_os = "linux")]
    Nameless(File),
    Named(NamedTempFile),
}

impl Target {
    /// Begins a file, or a stream where the path is `-` or names anything that is no regular
    /// file.
    ///
    /// # Errors
    /// A file that is there already, a folder that can't be written, and a terminal as the
    /// output of binary bytes.
    pub(crate) fn begin(path: &Path, wish: Wish) -> Result<Self, Failure> {
        if let Some(sink) = Sink::of(path)? {
            if wish.binary && sink.is_terminal() {
                let error = "encrypted bytes on a terminal";
                let help = "redirect standard output, or name a file with -o";
                return Err(Failure::usage(error, help));
            }
            let path = sink.path().to_owned();
            let draft = if wish.held_back {
                let file = tempfile::tempfile();
                let kept = Path::new("a temporary file");
                Draft::Spool(file.map_err(|error| fault::io("make", kept, &error))?, sink)
            } else {
                Draft::Stream(sink)
            };
            return Ok(Self { path, draft, wish, written: false });
        }
        if path.is_dir() {
            let error = format!("{} is a folder", path.display());
            return Err(Failure::usage(error, "name a file with -o"));
        }
        if wish.there != There::Replaced && is_there(path) {
            return Err(already(path, wish.there));
        }
        let draft = draft(folder(path), wish.access.first());
        let draft = draft.map_err(|error| fault::write(path, &error))?;
        Ok(Self { path: path.to_owned(), draft, wish, written: false })
    }

    /// Writes.
    ///
    /// # Errors
    /// That of the system.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.written |= !bytes.is_empty();
        let written = match &mut self.draft {
            Draft::Stream(sink) => return sink.write(bytes),
            Draft::Spool(file, _) => file.write_all(bytes),
            #[cfg(target_os = "linux")]
            Draft::Nameless(file) => file.write_all(bytes),
            Draft::Named(file) => file.write_all(bytes),
        };
        written.map_err(|error| fault::write(&self.path, &error))
    }

    /// Whether something has gone where it can't be taken back from.
    pub(crate) const fn gone_out(&self) -> bool {
        self.written && matches!(self.draft, Draft::Stream(_))
    }

    /// Says of a failure what it means for the output.
    pub(crate) fn spoilt(&self, failure: Failure) -> Failure {
        if self.gone_out() {
            failure.adding("what came out is incomplete: do not use it")
        } else if failure.exit() == Exit::Failed {
            failure.adding("nothing was written")
        } else {
            failure
        }
    }

    /// Gives it the permissions and times of the source. The bits that let a program run as its
    /// owner do not go along: the new file's owner is another one.
    ///
    /// # Errors
    /// That of the system.
    pub(crate) fn take_after(&self, source: &Source) -> Result<(), Failure> {
        let (Some(from), Some(to)) = (source.file(), self.file()) else { return Ok(()) };
        let copy = || {
            let metadata = from.metadata()?;
            to.set_permissions(plain(metadata.permissions()))?;
            let times = FileTimes::new().set_modified(metadata.modified()?);
            to.set_times(times.set_accessed(metadata.accessed()?))
        };
        copy().map_err(|error| fault::io("set mode and times of", &self.path, &error))
    }

    fn file(&self) -> Option<&File> {
        match &self.draft {
            Draft::Stream(_) | Draft::Spool(..) => None,
            #[cfg(target_os = "linux")]
            Draft::Nameless(file) => Some(file),
            Draft::Named(file) => Some(file.as_file()),
        }
    }

    /// All is written and right: the file gets its name. It is on the disk then.
    ///
    /// # Errors
    /// That of the system; there is no file then, or the old one, unless it is said that the name alone
    /// may not be on the disk yet.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        #[cfg(unix)]
        if let (Access::Mode(mode), Some(file)) = (self.wish.access, self.file()) {
            use std::os::unix::fs::PermissionsExt as _;
            let done = file.set_permissions(Permissions::from_mode(mode));
            done.map_err(|error| fault::io("set the mode of", &self.path, &error))?;
        }
        let Self { path, draft, wish, .. } = self;
        let replace = wish.there == There::Replaced;
        let named = match draft {
            Draft::Stream(mut sink) => return sink.flush(),
            Draft::Spool(mut file, mut sink) => {
                let kept = Path::new("the temporary file");
                file.rewind().map_err(|error| fault::io("read", kept, &error))?;
                return sink.copy(&mut file);
            }
            #[cfg(target_os = "linux")]
            Draft::Nameless(file) => {
                file.sync_all().and_then(|()| stop::whole(|| nameless::link(&file, &path, replace)))
            }
            Draft::Named(file) => file.as_file().sync_all().and_then(|()| {
                let temporary = file.path().to_owned();
                let done =
                    if replace { file.persist(&path) } else { file.persist_noclobber(&path) };
                stop::settled(&temporary);
                done.map(drop).map_err(|error| error.error)
            }),
        };
        named.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => already(&path, wish.there),
            _ => fault::write(&path, &error),
        })?;
        sync_folder(folder(&path)).map_err(|error| fault::name(&path, &error))
    }
}

/// Whether there is anything under that name which a new file would replace.
pub(crate) fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// What is there stays.
fn already(path: &Path, there: There) -> Failure {
    let help = match there {
        There::KeptAlways => {
            "name another file with -o; what was encrypted with the old key needs the old key"
        }
        There::Kept | There::Replaced => "give --force to replace it, or another name with -o",
    };
    Failure::new(Exit::Environment, format!("{} is there already", path.display()), help)
}

/// Permissions without the bits that make a program run as somebody else.
fn plain(permissions: Permissions) -> Permissions {
    #[cfg(unix)]
    let permissions = {
        use std::os::unix::fs::PermissionsExt as _;
        Permissions::from_mode(permissions.mode() & 0o777)
    };
    permissions
}

fn draft(folder: &Path, mode: u32) -> io::Result<Draft> {
    #[cfg(target_os = "linux")]
    if let Some(file) = nameless::create(folder, mode)? {
        return Ok(Draft::Nameless(file));
    }
    named(folder, mode)
}

/// A file with a temporary name.
fn named(folder: &Path, mode: u32) -> io::Result<Draft> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".cipherlane-");
    #[cfg(unix)]
    builder.permissions(<Permissions as std::os::unix::fs::PermissionsExt>::from_mode(mode));
    #[cfg(not(unix))]
    let _ = mode;
    Ok(Draft::Named(stop::drafted(|| builder.tempfile_in(folder), NamedTempFile::path)?))
}

/// A name is on the disk only when its folder is.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    /// Both ways of making a file heed the same mode.
    #[test]
    fn files_with_a_temporary_name_are_as_public_as_those_without() {
        let folder = tempfile::tempdir().unwrap();
        for mode in [0o600, 0o666] {
            let mode_of = |draft: Draft| {
                let wish = Wish {
                    there: There::Kept,
                    binary: false,
                    held_back: false,
                    access: Access::Usual,
                };
                let target = Target { path: PathBuf::new(), draft, wish, written: false };
                target.file().unwrap().metadata().unwrap().permissions().mode() & 0o777
            };
            let named = mode_of(named(folder.path(), mode).unwrap());
            assert_eq!(mode_of(draft(folder.path(), mode).unwrap()), named);
            assert_eq!(named & !mode, 0);
            assert_eq!(named & 0o600, 0o600);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
