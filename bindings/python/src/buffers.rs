//! Memory of Python's objects, through the buffer protocol.
//!
//! # Why the slices are sound
//! While a buffer is held its memory stays where it is and as long as it is: that is the
//! protocol's promise, and an exporter such as `bytearray` refuses to be resized meanwhile.
//! Slices are made for one call, for bytes that are contiguous, and an output only for memory
//! that the exporter lets be written to. Input and output of one call are compared: they are
//! the same bytes, which makes one exclusive slice, or they share none. What the protocol
//! can't rule out is another thread that writes to a buffer during a call that has released
//! the interpreter's lock; as with every extension, that caller gets what he mixed up, and
//! nothing here reads a length, an index or an address from such memory.
#![expect(unsafe_code, reason = "slices of memory that Python's objects own; argued above")]

use std::slice;

use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyBufferError, PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Below so many bytes a call keeps the interpreter's lock: to give it away and take it again
/// costs about 100 ns, about 2 percent of the work then (see `benchmarks/gil.py`).
const KEEPS_LOCK: usize = 32 * 1024;

/// Does work on so many bytes, without the interpreter's lock if they are many.
pub(crate) fn work<T: Send>(py: Python<'_>, bytes: usize, work: impl Send + FnOnce() -> T) -> T {
    if bytes < KEEPS_LOCK { work() } else { py.detach(work) }
}

/// Bytes that are read.
pub(crate) enum Input<'a, 'py> {
    Bytes(Borrowed<'a, 'py, PyBytes>),
    Buffer(PyUntypedBuffer),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Input<'a, 'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self::Bytes(bytes));
        }
        let buffer = PyUntypedBuffer::get(&object)?;
        contiguous(&buffer)?;
        Ok(Self::Buffer(buffer))
    }
}

impl Input<'_, '_> {
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes.as_bytes(),
            // SAFETY: contiguous, held while `self` is; see above.
            Self::Buffer(buffer) if buffer.len_bytes() > 0 => unsafe {
                slice::from_raw_parts(buffer.buf_ptr().cast(), buffer.len_bytes())
            },
            Self::Buffer(_) => &[],
        }
    }

    /// Integers of 4 or 8 bytes, as they lie there.
    pub(crate) fn integers(&self, what: &str) -> PyResult<Integers<'_>> {
        let bytes = self.bytes();
        match self {
            Self::Buffer(buffer) if buffer.item_size() == 4 => {
                Ok(Integers::Four(bytes.as_chunks().0))
            }
            Self::Buffer(buffer) if buffer.item_size() == 8 => {
                Ok(Integers::Eight(bytes.as_chunks().0))
            }
            _ => Err(PyValueError::new_err(format!(
                "{what}: allowed: an array of 4-byte or 8-byte integers"
            ))),
        }
    }
}

/// An array of integers that are not negative.
#[derive(Clone, Copy)]
pub(crate) enum Integers<'a> {
    Four(&'a [[u8; 4]]),
    Eight(&'a [[u8; 8]]),
}

impl Integers<'_> {
    pub(crate) fn len(self) -> usize {
        match self {
            Self::Four(array) => array.len(),
            Self::Eight(array) => array.len(),
        }
    }

    /// The integer at a place, `None` if it is negative or there is none.
    pub(crate) fn at(self, place: usize) -> Option<usize> {
        let value = match self {
            Self::Four(array) => i64::from(i32::from_ne_bytes(*array.get(place)?)),
            Self::Eight(array) => i64::from_ne_bytes(*array.get(place)?),
        };
        usize::try_from(value).ok()
    }
}

/// Bytes that are written.
pub(crate) struct Output(PyUntypedBuffer);

impl<'a, 'py> FromPyObject<'a, 'py> for Output {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let buffer = PyUntypedBuffer::get(&object)?;
        contiguous(&buffer)?;
        if buffer.readonly() {
            return Err(PyBufferError::new_err("the output is read-only"));
        }
        Ok(Self(buffer))
    }
}

impl Output {
    pub(crate) fn len(&self) -> usize {
        self.0.len_bytes()
    }

    /// All of it, where nothing else of the call lies in it.
    pub(crate) fn apart<'o>(&'o mut self, others: &[&Input<'_, '_>]) -> PyResult<&'o mut [u8]> {
        let (start, length) = (self.0.buf_ptr().cast::<u8>(), self.len());
        if length == 0 {
            return Ok(&mut []);
        }
        for other in others {
            if overlap(other.bytes(), start, length) {
                return Err(overlaps());
            }
        }
        // SAFETY: contiguous, writable, held while `self` is, and apart from all that is read.
        Ok(unsafe { slice::from_raw_parts_mut(start, length) })
    }

    /// Fails unless this and another output share no byte.
    pub(crate) fn check_apart(&self, other: &Self) -> PyResult<()> {
        let (from, start) = (self.0.buf_ptr().addr(), other.0.buf_ptr().addr());
        let apart = from + self.len() <= start || start + other.len() <= from;
        if apart || self.len() == 0 || other.len() == 0 { Ok(()) } else { Err(overlaps()) }
    }

    /// Input and output of one call; `others` are what else is read.
    pub(crate) fn with<'o>(
        &'o mut self,
        input: &'o Input<'_, '_>,
        others: &[&Input<'_, '_>],
    ) -> PyResult<Pair<'o>> {
        let start = self.0.buf_ptr().cast::<u8>();
        let data = input.bytes();
        if data.is_empty() || data.as_ptr() != start.cast_const() {
            let mut read = others.to_vec();
            read.push(input);
            return Ok(Pair::Apart(data, self.apart(&read)?));
        }
        if data.len() > self.len() {
            return Err(overlaps());
        }
        Ok(Pair::Same(data.len(), self.apart(others)?))
    }
}

/// Input and output of one call.
pub(crate) enum Pair<'o> {
    /// An input and an output that share no byte.
    Apart(&'o [u8], &'o mut [u8]),
    /// The output, whose first bytes, so many, are the input.
    Same(usize, &'o mut [u8]),
}

fn overlap(data: &[u8], start: *const u8, length: usize) -> bool {
    let (from, to) = (data.as_ptr().addr(), data.as_ptr().addr() + data.len());
    !data.is_empty() && from < start.addr() + length && start.addr() < to
}

fn overlaps() -> PyErr {
    PyValueError::new_err(
        "input and output overlap; allowed: the same start, or buffers that share no byte",
    )
}

fn contiguous(buffer: &PyUntypedBuffer) -> PyResult<()> {
    if !buffer.is_c_contiguous() {
        return Err(PyBufferError::new_err("the buffer is not contiguous"));
    }
    if buffer.len_bytes() > isize::MAX as usize {
        return Err(PyOverflowError::new_err("the buffer is too long"));
    }
    Ok(())
}
