//! Where bytes go: a file that has its name only when it is whole, or standard output.
//!
//! The file has no name while it is written, where the system can do that (`O_TMPFILE`): a
//! program that is killed leaves nothing. Elsewhere it has a temporary name in the same folder.

use std::fs::{File, FileTimes};
use std::io::{self, IsTerminal as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::{Exit, Failure};
use crate::files::source::Source;
use crate::files::{fault, names};

/// A file that is being written, or standard output.
pub(crate) struct Target {
    path: PathBuf,
    draft: Draft,
    replace: bool,
}

enum Draft {
    Stream(io::Stdout),
    /// Kept back from standard output until all is right.
    Spool(File),
    #[cfg(target_os = "linux")]
    Nameless(File),
    Named(NamedTempFile),
}

impl Target {
    /// Begins a file, or standard output if the path is `-`. With `replace`, a file that is
    /// there gives way in the end.
    ///
    /// # Errors
    /// A file that is there already, a folder that can't be written, and a terminal as the
    /// output of `binary` bytes.
    pub(crate) fn begin(path: &Path, replace: bool, binary: bool) -> Result<Self, Failure> {
        if names::is_stream(path) {
            let stdout = io::stdout();
            if binary && stdout.is_terminal() {
                let error = "encrypted bytes on a terminal";
                let help = "redirect standard output, or name a file with -o";
                return Err(Failure::usage(error, help));
            }
            let path = PathBuf::from("standard output");
            return Ok(Self { path, draft: Draft::Stream(stdout), replace });
        }
        if path.is_dir() {
            let error = format!("{} is a folder", path.display());
            return Err(Failure::usage(error, "name a file with -o"));
        }
        if !replace && path.symlink_metadata().is_ok() {
            let there = io::ErrorKind::AlreadyExists.into();
            return Err(fault::io("write", path, &there));
        }
        let draft = draft(folder(path)).map_err(|error| fault::io("write", path, &error))?;
        Ok(Self { path: path.to_owned(), draft, replace })
    }

    /// Begins standard output, on which nothing appears before the end.
    ///
    /// # Errors
    /// That of the system.
    pub(crate) fn spool() -> Result<Self, Failure> {
        let path = PathBuf::from("standard output");
        let file = tempfile::tempfile();
        let file = file.map_err(|error| fault::io("keep back", &path, &error))?;
        Ok(Self { path, draft: Draft::Spool(file), replace: false })
    }

    /// Writes.
    ///
    /// # Errors
    /// That of the system.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        match &mut self.draft {
            Draft::Stream(stdout) => Ok(stdout.write_all(bytes)?),
            Draft::Spool(file) => {
                file.write_all(bytes).map_err(|error| fault::io("write", &self.path, &error))
            }
            #[cfg(target_os = "linux")]
            Draft::Nameless(file) => {
                file.write_all(bytes).map_err(|error| fault::io("write", &self.path, &error))
            }
            Draft::Named(file) => {
                file.write_all(bytes).map_err(|error| fault::io("write", &self.path, &error))
            }
        }
    }

    /// Gives it the permissions and times of the source.
    ///
    /// # Errors
    /// That of the system.
    pub(crate) fn take_after(&self, source: &Source) -> Result<(), Failure> {
        let (Some(from), Some(to)) = (source.file(), self.file()) else { return Ok(()) };
        let copy = || {
            let metadata = from.metadata()?;
            to.set_permissions(metadata.permissions())?;
            let times = FileTimes::new().set_modified(metadata.modified()?);
            to.set_times(times.set_accessed(metadata.accessed()?))
        };
        copy().map_err(|error| fault::io("set mode and times of", &self.path, &error))
    }

    /// Takes the permissions of group and others away.
    ///
    /// # Errors
    /// That of the system.
    pub(crate) fn only_for_its_owner(&self) -> Result<(), Failure> {
        #[cfg(unix)]
        if let Some(file) = self.file() {
            use std::os::unix::fs::PermissionsExt as _;
            let owner = std::fs::Permissions::from_mode(0o600);
            let done = file.set_permissions(owner);
            done.map_err(|error| fault::io("set the mode of", &self.path, &error))?;
        }
        Ok(())
    }

    fn file(&self) -> Option<&File> {
        match &self.draft {
            Draft::Stream(_) | Draft::Spool(_) => None,
            #[cfg(target_os = "linux")]
            Draft::Nameless(file) => Some(file),
            Draft::Named(file) => Some(file.as_file()),
        }
    }

    /// All is written and right: the file gets its name. It is on the disk then.
    ///
    /// # Errors
    /// That of the system; there is no file then, or the old one.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let Self { path, draft, replace } = self;
        let named = match draft {
            Draft::Stream(mut stdout) => return Ok(stdout.flush()?),
            Draft::Spool(mut file) => {
                file.rewind().map_err(|error| fault::io("read", &path, &error))?;
                io::copy(&mut file, &mut io::stdout())?;
                return Ok(io::stdout().flush()?);
            }
            #[cfg(target_os = "linux")]
            Draft::Nameless(file) => {
                file.sync_all().and_then(|()| nameless::link(&file, &path, replace))
            }
            Draft::Named(file) => file.as_file().sync_all().and_then(|()| {
                let done =
                    if replace { file.persist(&path) } else { file.persist_noclobber(&path) };
                done.map(drop).map_err(|error| error.error)
            }),
        };
        let synced = named.and_then(|()| sync_folder(folder(&path)));
        synced.map_err(|error| fault::io("write", &path, &error))
    }
}

/// The folder of a file.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn draft(folder: &Path) -> io::Result<Draft> {
    #[cfg(target_os = "linux")]
    if let Some(file) = nameless::create(folder)? {
        return Ok(Draft::Nameless(file));
    }
    Ok(Draft::Named(NamedTempFile::with_prefix_in(".cipherlane-", folder)?))
}

/// A name is on the disk only when its folder is.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Files without a name.
#[cfg(target_os = "linux")]
mod nameless {
    use std::fs::File;
    use std::io;
    use std::os::fd::AsRawFd as _;
    use std::path::Path;

    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, open};
    use rustix::io::Errno;

    /// A file without a name, if the folder's file system has such.
    pub(super) fn create(folder: &Path) -> io::Result<Option<File>> {
        // Without the list of open files there is no way to name it later.
        if !Path::new("/proc/self/fd").exists() {
            return Ok(None);
        }
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        let mode = Mode::RUSR | Mode::WUSR | Mode::RGRP | Mode::WGRP | Mode::ROTH | Mode::WOTH;
        match open(folder, flags, mode) {
            Ok(file) => Ok(Some(file.into())),
            Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Gives it a name.
    pub(super) fn link(file: &File, path: &Path, replace: bool) -> io::Result<()> {
        let from = format!("/proc/self/fd/{}", file.as_raw_fd());
        let link = |to: &Path| linkat(CWD, from.as_str(), CWD, to, AtFlags::SYMLINK_FOLLOW);
        match link(path) {
            Err(Errno::EXIST) if replace => {}
            done => return Ok(done?),
        }
        // A link never replaces; a second name does.
        let second = tempfile::Builder::new()
            .prefix(".cipherlane-")
            .make_in(super::folder(path), |second| Ok(link(second)?))?
            .into_temp_path();
        second.persist(path).map_err(|error| error.error)
    }
}

/// Refuses to write what is being read.
///
/// # Errors
/// If both are the same file.
pub(crate) fn differ(source: &Path, target: &Path) -> Result<(), Failure> {
    let same = match (source.canonicalize(), target.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    };
    if same && !names::is_stream(source) {
        let error = format!("{} would be written over itself", source.display());
        return Err(Failure::new(Exit::Usage, error, "name another output with -o"));
    }
    Ok(())
}
