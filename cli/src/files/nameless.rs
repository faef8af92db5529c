//! Files without a name, which get theirs when they are whole: `O_TMPFILE` of Linux.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd as _;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, open};
use rustix::io::Errno;

use crate::files::names::folder;

/// A file without a name, if the folder's file system has such.
pub(crate) fn create(folder: &Path, mode: u32) -> io::Result<Option<File>> {
    // Without the list of open files there is no way to name it later.
    if !Path::new("/proc/self/fd").exists() {
        return Ok(None);
    }
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    match open(folder, flags, Mode::from_raw_mode(mode)) {
        Ok(file) => Ok(Some(file.into())),
        Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Gives it a name.
pub(crate) fn link(file: &File, path: &Path, replace: bool) -> io::Result<()> {
    let from = format!("/proc/self/fd/{}", file.as_raw_fd());
    let link = |to: &Path| linkat(CWD, from.as_str(), CWD, to, AtFlags::SYMLINK_FOLLOW);
    match link(path) {
        Err(Errno::EXIST) if replace => {}
        done => return Ok(done?),
    }
    // A link never replaces; a second name does.
    let second = tempfile::Builder::new()
        .prefix(".cipherlane-")
        .make_in(folder(path), |second| Ok(link(second)?))?
        .into_temp_path();
    second.persist(path).map_err(|error| error.error)
}
