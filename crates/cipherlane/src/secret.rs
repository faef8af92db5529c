//! Key material: wiped on drop, silent in `Debug`.

use core::fmt;

use lanes::wipe::{Plain, wipe};

/// A value that is overwritten with zeros when it is dropped and never printed.
#[derive(Clone)]
pub(crate) struct Secret<T: Plain>(pub(crate) T);

impl<T: Plain> Drop for Secret<T> {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

impl<T: Plain> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}
