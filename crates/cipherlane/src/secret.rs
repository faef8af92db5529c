//! Key material: wiped on drop, silent in `Debug`.

use core::fmt;

/// What can be overwritten with zeros.
pub(crate) trait Wipe {
    /// Overwrites everything secret with zeros.
    fn wipe(&mut self);
}

/// A value that is wiped when it is dropped and never printed.
#[derive(Clone)]
pub(crate) struct Secret<T: Wipe>(pub(crate) T);

impl<T: Wipe> Drop for Secret<T> {
    // In line, because key material may be dropped inside the door.
    #[inline(always)]
    fn drop(&mut self) {
        self.0.wipe();
    }
}

impl<T: Wipe> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}

impl<T: lanes::wipe::Plain, const N: usize> Wipe for [T; N] {
    fn wipe(&mut self) {
        lanes::wipe::wipe(self);
    }
}
