//! What is behind a handle, until memory runs out in a call on it.

use crate::status::{Outcome, Status};

/// An object, or nothing any more: one that has got memory of the reserve is dropped at the end of the call, as
/// the reserve is there for the time of a call. The handle stays what it was, for `…_free`.
pub(crate) struct Kept<T>(Option<T>);

impl<T> Kept<T> {
    pub(crate) const fn new(object: T) -> Self {
        Self(Some(object))
    }

    /// # Errors
    /// [`Status::NoMemory`] if it is gone.
    #[inline]
    pub(crate) fn get(&self) -> Outcome<&T> {
        self.0.as_ref().ok_or_else(|| Status::NoMemory.into())
    }

    /// # Errors
    /// [`Status::NoMemory`] if it is gone.
    #[inline]
    pub(crate) fn get_mut(&mut self) -> Outcome<&mut T> {
        self.0.as_mut().ok_or_else(|| Status::NoMemory.into())
    }

    /// Wipes and frees it.
    pub(crate) fn end(&mut self) {
        self.0 = None;
    }
}
