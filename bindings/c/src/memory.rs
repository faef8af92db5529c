//! What C passes, as what the library takes.
//!
//! # Why it is sound
//! The callers' contracts: a pointer is null or valid for its length throughout the call.
//! Null stands for no bytes, and is refused beside a length; a length no object can have is
//! refused. Input and output are either the same bytes or apart, which is checked before a
//! borrow is made of them. The lifetimes are the callers' to choose; every caller ends them
//! with its own call.

use std::ffi::{CStr, c_char};

use ciphers::InOut;

use crate::status::{Outcome, Status};

/// Whether an object of so many bytes can begin there.
fn check(address: usize, length: usize) -> Outcome {
    if address == 0 {
        return Err(Status::Null.into());
    }
    let end = address.checked_add(length);
    if length > isize::MAX as usize || end.is_none() { Err(Status::Length.into()) } else { Ok(()) }
}

/// The bytes to be read.
///
/// # Safety
/// `data` is null or valid for reading `length` bytes.
#[inline]
pub(crate) unsafe fn input<'a>(data: *const u8, length: usize) -> Outcome<&'a [u8]> {
    if length == 0 {
        return Ok(&[]);
    }
    check(data.addr(), length)?;
    // SAFETY: the caller's promise; the length is one that an object can have.
    Ok(unsafe { std::slice::from_raw_parts(data, length) })
}

/// The bytes to be written.
///
/// # Safety
/// `data` is null or valid for reading and writing `length` bytes, and nothing else refers to
/// them throughout `'a`.
#[inline]
pub(crate) unsafe fn output<'a>(data: *mut u8, length: usize) -> Outcome<&'a mut [u8]> {
    if length == 0 {
        return Ok(&mut []);
    }
    check(data.addr(), length)?;
    // SAFETY: as above, exclusively.
    Ok(unsafe { std::slice::from_raw_parts_mut(data, length) })
}

/// Whether two ranges have bytes in common.
pub(crate) fn overlap(
    one: *const u8,
    one_length: usize,
    two: *const u8,
    two_length: usize,
) -> bool {
    one.addr() < two.addr().saturating_add(two_length)
        && two.addr() < one.addr().saturating_add(one_length)
}

/// Refuses what is written where it has bytes in common with what else the call reads or writes.
/// Lengths beyond an address space are left to [`input`] and [`output`].
#[inline]
pub(crate) fn apart(written: (*const u8, usize), others: &[(*const u8, usize)]) -> Outcome {
    let (to, length) = written;
    let meets = |&(from, other): &(*const u8, usize)| {
        let real = |length| length != 0 && length <= isize::MAX as usize;
        real(length) && real(other) && overlap(to, length, from, other)
    };
    if others.iter().any(meets) { Err(Status::Overlap.into()) } else { Ok(()) }
}

/// Input and output of one length: the same bytes, or apart.
///
/// # Safety
/// As [`input`] and [`output`].
#[inline]
pub(crate) unsafe fn in_out<'a>(from: *const u8, to: *mut u8, length: usize) -> Outcome<InOut<'a>> {
    // SAFETY: the caller's promises. Input and output are both borrowed only where they are
    // apart.
    unsafe {
        if std::ptr::eq(from, to) {
            return Ok(output(to, length)?.into());
        }
        if length != 0 && overlap(from, length, to, length) {
            return Err(Status::Overlap.into());
        }
        let io = InOut::disjoint(input(from, length)?, output(to, length)?);
        io.ok_or_else(|| Status::Internal.into())
    }
}

/// A text.
///
/// # Safety
/// `text` is null or ends with a zero byte.
pub(crate) unsafe fn text<'a>(text: *const c_char) -> Outcome<&'a str> {
    if text.is_null() {
        return Err(Status::Null.into());
    }
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(text) }.to_str().map_err(|_| Status::Text.into())
}

/// The object behind a handle, exclusively.
///
/// # Safety
/// `handle` is null, or was made by `…_new`, was not freed, and is not used by another call.
#[inline]
pub(crate) unsafe fn object<'a, T>(handle: *mut T) -> Outcome<&'a mut T> {
    // SAFETY: the caller's promise.
    unsafe { handle.as_mut() }.ok_or_else(|| Status::Null.into())
}

/// The object behind a handle, shared.
///
/// # Safety
/// `handle` is null, or was made by `…_new` and was not freed.
#[inline]
pub(crate) unsafe fn shared<'a, T>(handle: *const T) -> Outcome<&'a T> {
    // SAFETY: the caller's promise.
    unsafe { handle.as_ref() }.ok_or_else(|| Status::Null.into())
}

/// Hands an object out; null if it could not be made.
///
/// # Safety
/// `place` is null or valid for writing a pointer.
pub(crate) unsafe fn hand_out<T>(place: *mut *mut T, make: impl FnOnce() -> Outcome<T>) -> Outcome {
    // SAFETY: the caller's promise.
    let place = unsafe { place.as_mut() }.ok_or(Status::Null)?;
    *place = std::ptr::null_mut();
    *place = Box::into_raw(Box::new(make()?));
    Ok(())
}

/// Takes an object back.
///
/// # Safety
/// `handle` is null, or was handed out, was not taken back, and is not used any more.
pub(crate) unsafe fn take_back<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: the caller's promise: it is the pointer of a `Box`.
        drop(unsafe { Box::from_raw(handle) });
    }
}

/// Writes a number where the caller wants it.
///
/// # Safety
/// `place` is null or valid for writing.
pub(crate) unsafe fn put<T>(place: *mut T, value: T) -> Outcome {
    // SAFETY: the caller's promise.
    *unsafe { place.as_mut() }.ok_or(Status::Null)? = value;
    Ok(())
}
