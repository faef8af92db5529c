//! What is behind a name: two names, links, nodes of a device or descriptors may all mean one file.

use std::fs::{self, Metadata};
use std::path::Path;

use crate::failure::{Exit, Failure};
use crate::files::{names, sink};

/// A regular file or a disk, whatever it is called.
#[derive(Debug, PartialEq, Eq)]
enum Identity {
    /// Of a file the device that it lies on, and its number there.
    #[cfg(unix)]
    File(u64, u64),
    /// Of a disk its own number, which all its nodes have.
    #[cfg(unix)]
    Disk(u64),
    #[cfg(not(unix))]
    Path(std::path::PathBuf),
}

impl Identity {
    /// That of whatever a path names; nothing else has one.
    #[cfg(unix)]
    fn of(path: &Path, input: bool) -> Option<Self> {
        use std::os::unix::fs::MetadataExt as _;
        let metadata = if names::is_stream(path) { standard(input) } else { path.metadata().ok() }?;
        if metadata.is_file() {
            return Some(Self::File(metadata.dev(), metadata.ino()));
        }
        sink::is_disk(&metadata).then(|| Self::Disk(metadata.rdev()))
    }

    #[cfg(not(unix))]
    fn of(path: &Path, _: bool) -> Option<Self> {
        let path = path.canonicalize().ok()?;
        path.is_file().then_some(Self::Path(path))
    }
}

/// What standard input or else output is.
#[cfg(unix)]
fn standard(input: bool) -> Option<Metadata> {
    use std::os::fd::AsFd as _;
    let descriptor = if input {
        std::io::stdin().as_fd().try_clone_to_owned()
    } else {
        std::io::stdout().as_fd().try_clone_to_owned()
    };
    fs::File::from(descriptor.ok()?).metadata().ok()
}

/// Refuses to write what is being read.
///
/// # Errors
/// If both are the same file or disk.
pub(crate) fn differ(source: &Path, target: &Path) -> Result<(), Failure> {
    if let Some(source_is) = Identity::of(source, true)
        && Identity::of(target, false) == Some(source_is)
    {
        let name = if names::is_stream(source) { Path::new("standard input") } else { source };
        let error = format!("{} would be written over itself", name.display());
        return Err(Failure::new(Exit::Usage, error, "name another output with -o"));
    }
    Ok(())
}

/// Refuses to write over the file of a key, without which the output could never be read: by its
/// name, or by the number of the descriptor that it was opened under.
///
/// # Errors
/// If the output is that file.
pub(super) fn spare_key(
    file: Option<&Path>,
    descriptor: Option<u32>,
    target: &Path,
) -> Result<(), Failure> {
    // Systems that have no such folder have no way to tell.
    let opened = descriptor.map(|number| format!("/dev/fd/{number}"));
    let Some(key) = file.or_else(|| opened.as_deref().map(Path::new)) else { return Ok(()) };
    if let Some(key_is) = Identity::of(key, true)
        && Identity::of(target, false) == Some(key_is)
    {
        let error = format!("the output {} is the file of the key", target.display());
        let help = "name another output with -o: without the key it could never be read";
        return Err(Failure::new(Exit::Usage, error, help));
    }
    Ok(())
}

/// How many bytes standard input still has, if it is a regular file.
#[cfg(unix)]
pub(super) fn input_left() -> Option<u64> {
    use std::io::Seek as _;
    use std::os::fd::AsFd as _;
    let descriptor = std::io::stdin().as_fd().try_clone_to_owned().ok()?;
    let mut file = fs::File::from(descriptor);
    let metadata = file.metadata().ok()?;
    let at = file.stream_position().ok()?;
    metadata.is_file().then(|| metadata.len().saturating_sub(at))
}

#[cfg(not(unix))]
pub(super) fn input_left() -> Option<u64> {
    None
}
