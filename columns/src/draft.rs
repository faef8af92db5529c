//! A file that has its name only when it is whole: it is written beside, synced and renamed. What a
//! program that is killed leaves is called `.cipherlane-columns-….part`.

use std::fs::File;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::{Exit, Failure};

/// A file that is being written.
pub(crate) struct Draft {
    path: PathBuf,
    file: NamedTempFile,
    force: bool,
}

/// Who may read a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Those who may read every input, as far as the user's umask lets them: other columns stay as readable
    /// as they were, and no more.
    As(u32),
    /// Its owner alone: it holds plaintexts.
    Owner,
}

impl Access {
    /// Those who may read all of these files.
    pub(crate) fn of(files: &[PathBuf]) -> Self {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let modes = files.iter().filter_map(|path| path.metadata().ok());
            Self::As(modes.fold(0o666, |all, it| all & it.permissions().mode()))
        }
        #[cfg(not(unix))]
        {
            let _ = files;
            Self::As(0o666)
        }
    }
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// What must outlast a command: the files that it reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Read<'a> {
    pub(crate) inputs: &'a [PathBuf],
    /// Files of keys.
    pub(crate) keys: &'a [PathBuf],
}

/// Whether what is there is replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Force {
    /// `--force` was given.
    Given,
    /// It was not.
    Absent,
    /// The verb has no such option.
    Unknown,
}

/// Refuses an output that is no place for a file.
///
/// # Errors
/// What is no regular file, what is there and not to be replaced, and all that is read.
pub(crate) fn admit(path: &Path, read: Read<'_>, force: Force) -> Result<(), Failure> {
    let shown = path.display();
    if path == Path::new("-") {
        let help = "name a file with -o: a table is renamed when it is whole";
        return Err(Failure::usage("-o is `-`, which is no file", help));
    }
    for input in read.inputs {
        if same(input, path) {
            let error = format!("{} would be written over itself", input.display());
            return Err(Failure::usage(error, "name another output with -o"));
        }
    }
    for key in read.keys {
        if same(key, path) {
            let error = format!("{shown} holds the key, and would be written over");
            return Err(Failure::usage(error, "name another output with -o"));
        }
    }
    // A new file takes the place of the link, not of what it leads to; of /dev/stdout for everybody.
    if path.symlink_metadata().is_ok_and(|it| it.is_symlink()) {
        let help = "name the file itself with -o: a table is renamed when it is whole";
        return Err(Failure::usage(format!("{shown} is a link"), help));
    }
    let Ok(metadata) = path.metadata() else { return Ok(()) };
    if metadata.is_dir() {
        return Err(Failure::usage(format!("{shown} is a folder"), "name a file with -o"));
    }
    if !metadata.is_file() {
        let help = "name a regular file with -o: a table is renamed when it is whole";
        return Err(Failure::usage(format!("{shown} is a device, a pipe or a socket"), help));
    }
    let help = match force {
        Force::Given => return Ok(()),
        Force::Absent => "give --force to replace it, or another name",
        Force::Unknown => "name another file, or move that one away",
    };
    Err(Failure::new(Exit::Environment, format!("{shown} is there already"), help))
}

/// Whether two outputs would have one place, whatever they are called.
pub(crate) fn one_place(a: &Path, b: &Path) -> bool {
    let whole =
        |path: &Path| Some((folder(path).canonicalize().ok()?, path.file_name()?.to_owned()));
    a == b || whole(a).is_some_and(|it| Some(it) == whole(b)) || same(a, b)
}

/// Whether both names are one file, by whatever link.
fn same(a: &Path, b: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let id = |path: &Path| path.metadata().ok().map(|it| (it.dev(), it.ino()));
        id(a).is_some() && id(a) == id(b)
    }
    #[cfg(not(unix))]
    {
        matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
    }
}

impl Draft {
    /// Begins a file.
    ///
    /// # Errors
    /// That of the system.
    pub(crate) fn begin(path: &Path, access: Access, force: bool) -> Result<Self, Failure> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".cipherlane-columns-").suffix(".part");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = match access {
                Access::Owner => 0o600,
                Access::As(mode) => mode & 0o666 | 0o600,
            };
            builder.permissions(std::fs::Permissions::from_mode(mode));
        }
        #[cfg(not(unix))]
        let _ = access;
        let file = builder.tempfile_in(folder(path));
        let file = file.map_err(|error| Failure::io("write", path, &error))?;
        Ok(Self { path: path.to_owned(), file, force })
    }

    /// What is written into.
    ///
    /// # Errors
    /// That of the system.
    pub(crate) fn file(&self) -> Result<File, Failure> {
        self.file.as_file().try_clone().map_err(|error| Failure::io("write", &self.path, &error))
    }

    /// Where it will be.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// All is written: it is on the disk then, under the name of a draft still.
    ///
    /// # Errors
    /// That of the system.
    pub(crate) fn ready(self) -> Result<Ready, Failure> {
        let synced = self.file.as_file().sync_all();
        synced.map_err(|error| Failure::io("write", &self.path, &error))?;
        Ok(Ready(self))
    }
}

/// A draft that is whole and on the disk, and needs but its name.
pub(crate) struct Ready(Draft);

impl Ready {
    /// The file gets its name; if it can't, the draft is given back.
    fn name(self) -> Result<PathBuf, (Self, Failure)> {
        let Draft { path, file, force } = self.0;
        let named = if force { file.persist(&path) } else { file.persist_noclobber(&path) };
        match named {
            Ok(_) => Ok(path),
            Err(error) => {
                let failure = Failure::io("write", &path, &error.error);
                Err((Self(Draft { path, file: error.file, force }), failure))
            }
        }
    }
}

/// The output and the file of its bad cells get their names, one behind the other: no signal ends the
/// program between them, and without its output no file of bad cells appears or is replaced.
///
/// # Errors
/// That of the system. Where only the bad cells could not get their name, their draft stays and is named:
/// they are nowhere else any more.
pub(crate) fn settle(output: Option<Ready>, bad: Option<Ready>) -> Result<(), Failure> {
    crate::stop::check()?;
    let mut named = Vec::new();
    if let Some(output) = output {
        named.push(output.name().map_err(|(_, failure)| failure)?);
    }
    if let Some(bad) = bad {
        match bad.name() {
            Ok(path) => named.push(path),
            Err((_, failure)) if named.is_empty() => return Err(failure),
            Err((Ready(draft), failure)) => {
                let kept = draft.file.keep().map_or_else(
                    |error| format!("nor could they be kept: {}", error.error),
                    |(_, path)| format!("they are in {}", path.display()),
                );
                let error = format!(
                    "{} is written, but its bad cells have no name: {failure}; {kept}",
                    named[0].display()
                );
                return Err(Failure::new(Exit::Environment, error, "rename that file by hand"));
            }
        }
    }
    if cfg!(unix) {
        for path in &named {
            let synced = File::open(folder(path)).and_then(|it| it.sync_all());
            synced.map_err(|error| Failure::io("write", path, &error))?;
        }
    }
    Ok(())
}
