//! What OpenSSL passes, as what the library takes.
//!
//! # Why it is sound
//! Callers promise that pointers are null or valid for their lengths throughout the call. Input
//! and output are either the same bytes or apart, which is checked before a borrow is made of
//! them.

use std::cell::Cell;
use std::ffi::{CStr, c_void};

use ciphers::InOut;

use crate::host::Host;
use crate::reason::Reason;
use crate::wiped::wipe;
use crate::{Outcome, answer_or};

/// Whether an object of so many bytes can begin there.
#[inline(always)]
fn check(address: usize, length: usize) -> Outcome {
    let possible = length <= isize::MAX as usize && address.checked_add(length).is_some();
    if address != 0 && possible {
        Ok(())
    } else {
        Err(Reason::InvalidData.because("null, or more bytes than there can be"))
    }
}

/// The bytes to be read.
///
/// # Safety
/// `data` is null or valid for reading `length` bytes.
#[inline(always)]
pub(crate) unsafe fn input<'a>(data: *const u8, length: usize) -> Outcome<&'a [u8]> {
    if length == 0 {
        return Ok(&[]);
    }
    check(data.addr(), length)?;
    // SAFETY: the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts(data, length) })
}

/// The bytes to be written.
///
/// # Safety
/// `data` is null or valid for reading and writing `length` bytes, and nothing else refers to
/// them throughout `'a`.
#[inline(always)]
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
    one_length != 0
        && two_length != 0
        && one.addr() < two.addr().saturating_add(two_length)
        && two.addr() < one.addr().saturating_add(one_length)
}

/// Input and output of one length: the same bytes, or apart.
///
/// # Safety
/// As [`input`] and [`output`].
#[inline(always)]
pub(crate) unsafe fn in_out<'a>(from: *const u8, to: *mut u8, length: usize) -> Outcome<InOut<'a>> {
    // SAFETY: the caller's promises.
    unsafe {
        if std::ptr::eq(from, to) {
            return Ok(output(to, length)?.into());
        }
        if overlap(from, length, to, length) {
            return Err(Reason::Overlap.into());
        }
        let io = InOut::disjoint(input(from, length)?, output(to, length)?);
        io.ok_or(Reason::OutputTooSmall.into())
    }
}

/// The pointer that OpenSSL keeps; null for a failure or a panic.
pub(crate) fn hand_out<T>(
    host: Host,
    call: &CStr,
    make: impl FnOnce() -> Outcome<Box<T>>,
) -> *mut c_void {
    let place = Cell::new(std::ptr::null_mut());
    // SAFETY: null, or what was made below.
    let drop_all = || unsafe { free::<T>(place.replace(std::ptr::null_mut())) };
    answer_or(host, call, drop_all, || {
        place.set(Box::into_raw(make()?).cast());
        Ok(())
    });
    place.get()
}

/// Wipes what a call wrote that failed at its end, as memory ran out, and says that it wrote nothing.
///
/// # Safety
/// `output` is null or valid for writing so many bytes; `written` is null or valid.
pub(crate) unsafe fn take_back(output: *mut u8, count: usize, written: *mut usize) {
    // SAFETY: the caller's promises.
    unsafe {
        if let Ok(bytes) = self::output(output, count) {
            wipe(bytes);
        }
        if let Some(written) = written.as_mut() {
            *written = 0;
        }
    }
}

/// Frees a context.
///
/// # Safety
/// It is null, or was made by [`hand_out`] for this type and is not used any more.
pub(crate) unsafe fn free<T>(context: *mut c_void) {
    if !context.is_null() {
        // SAFETY: the caller's promise.
        drop(unsafe { Box::from_raw(context.cast::<T>()) });
    }
}

/// Writes a length where OpenSSL wants it.
///
/// # Safety
/// `place` is null or valid for writing.
pub(crate) unsafe fn put(place: *mut usize, value: usize) -> Outcome {
    // SAFETY: the caller's promise.
    *unsafe { place.as_mut() }.ok_or(Reason::Internal)? = value;
    Ok(())
}
