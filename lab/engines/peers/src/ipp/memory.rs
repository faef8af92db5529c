//! The memory of one object of the library.

use std::ffi::c_int;

use lab::work::Fault;

use super::{Ipp, Status, done};

/// `ippsXGetSize`.
pub(super) type GetSize = unsafe extern "C" fn(*mut c_int) -> Status;

/// What an object of the library may ask of its address.
const LINE: usize = 64;

/// Memory of the size that an object has, which begins on a cache line.
pub(super) struct Memory {
    bytes: Vec<u8>,
    start: usize,
    size: c_int,
}

impl Memory {
    /// As much as `get_size` of the library asks for.
    pub(super) fn new(ipp: &Ipp, get_size: &'static str) -> Result<Self, Fault> {
        let function: GetSize = ipp.function(get_size).map_err(|_| get_size)?;
        let mut size = 0;
        // SAFETY: the function writes one integer.
        done(unsafe { function(&raw mut size) }, get_size)?;
        let bytes = usize::try_from(size).map_err(|_| get_size)?;
        let bytes = vec![0; bytes + LINE];
        let start = bytes.as_ptr().align_offset(LINE).min(LINE);
        Ok(Self { bytes, start, size })
    }

    /// Where it begins.
    #[inline]
    pub(super) fn pointer(&mut self) -> *mut u8 {
        self.bytes[self.start..].as_mut_ptr()
    }

    /// Its length in bytes, as the library takes it.
    #[inline]
    pub(super) fn size(&self) -> c_int {
        self.size
    }
}
