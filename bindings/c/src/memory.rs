//! What C passes, as what the library takes.
//!
//! # Why it is sound
//! The callers' contracts: a pointer is null or valid for its length throughout the call.
//! Null stands for no bytes, and is refused beside a length; a length no object can have is
//! refused. Input and output are either the same bytes or apart, which is checked before a
//! borrow is made of them. The lifetimes are the callers' to choose; every caller ends them
//! with its own call.
//!
//! Every function takes the name that the header gives what it looks at, for its refusal.

use std::ffi::{CStr, c_char, c_int};

use ciphers::InOut;

use crate::status::{Failure, Outcome, Status, guard_or, quiet, said};

/// What is refused where something must be.
#[cold]
fn null(name: &str) -> Failure {
    said(Status::Null, format!("{name} is null; allowed: an address"))
}

/// What is refused of a length that no object has.
#[cold]
pub(crate) fn too_long(name: &str, length: usize) -> Failure {
    let text = format!("{name} of {length} bytes; allowed: what an address space holds");
    said(Status::Length, text)
}

/// What is refused of buffers that have bytes in common.
#[cold]
fn meet(one: &str, other: &str) -> Failure {
    let both = ["input", "output"].contains(&one) && ["input", "output"].contains(&other);
    let allowed = if both { "the same address, or apart" } else { "apart" };
    said(Status::Overlap, format!("{one} overlaps {other}; allowed: {allowed}"))
}

/// Whether an object of so many bytes can begin there.
fn check(name: &str, address: usize, length: usize) -> Outcome {
    if address == 0 {
        return Err(null(name));
    }
    let end = address.checked_add(length);
    if length > isize::MAX as usize || end.is_none() { Err(too_long(name, length)) } else { Ok(()) }
}

/// The bytes to be read.
///
/// # Safety
/// `data` is null or valid for reading `length` bytes.
#[inline]
pub(crate) unsafe fn input<'a>(name: &str, data: *const u8, length: usize) -> Outcome<&'a [u8]> {
    if length == 0 {
        return Ok(&[]);
    }
    check(name, data.addr(), length)?;
    // SAFETY: the caller's promise; the length is one that an object can have.
    Ok(unsafe { std::slice::from_raw_parts(data, length) })
}

/// The bytes to be written.
///
/// # Safety
/// `data` is null or valid for reading and writing `length` bytes, and nothing else refers to
/// them throughout `'a`.
#[inline]
pub(crate) unsafe fn output<'a>(name: &str, data: *mut u8, length: usize) -> Outcome<&'a mut [u8]> {
    if length == 0 {
        return Ok(&mut []);
    }
    check(name, data.addr(), length)?;
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

/// A buffer of the caller's: its name, where it begins, how long it is.
pub(crate) type Part = (&'static str, *const u8, usize);

/// Refuses what is written where it has bytes in common with what else the call reads or writes.
/// Lengths beyond an address space are left to [`input`] and [`output`].
#[inline]
pub(crate) fn apart(written: Part, others: &[Part]) -> Outcome {
    let (name, to, length) = written;
    let meets = |&&(_, from, other): &&Part| {
        let real = |length| length != 0 && length <= isize::MAX as usize;
        real(length) && real(other) && overlap(to, length, from, other)
    };
    others.iter().find(meets).map_or(Ok(()), |(other, ..)| Err(meet(name, other)))
}

/// What is said of an output that begins elsewhere in its input.
#[cold]
pub(crate) fn shifted() -> Failure {
    meet("output", "input")
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
            return Ok(output("output", to, length)?.into());
        }
        if length != 0 && overlap(from, length, to, length) {
            return Err(shifted());
        }
        let io = InOut::disjoint(input("input", from, length)?, output("output", to, length)?);
        io.ok_or_else(|| Status::Internal.into())
    }
}

/// That there is memory for what grows with the caller's lengths and numbers: the library makes it where nothing
/// can fail.
#[inline]
pub(crate) fn enough(bytes: usize) -> Outcome {
    if reserve::there_is(bytes) { Ok(()) } else { Err(Status::NoMemory.into()) }
}

/// The bytes of a nonce or IV, which objects keep a copy of.
///
/// # Safety
/// As [`input`].
pub(crate) unsafe fn kept<'a>(name: &str, data: *const u8, length: usize) -> Outcome<&'a [u8]> {
    // SAFETY: the caller's promise.
    let bytes = unsafe { input(name, data, length) }?;
    enough(length)?;
    Ok(bytes)
}

/// A text.
///
/// # Safety
/// `text` is null or ends with a zero byte.
pub(crate) unsafe fn text<'a>(name: &str, text: *const c_char) -> Outcome<&'a str> {
    if text.is_null() {
        return Err(null(name));
    }
    // SAFETY: the caller's promise.
    let text = unsafe { CStr::from_ptr(text) };
    // A failure repeats it, among other words.
    enough(text.count_bytes().saturating_mul(4))?;
    text.to_str().map_err(|_| {
        said(Status::Text, format!("{name} is not UTF-8; allowed: the names that are listed"))
    })
}

/// What is behind a handle.
pub(crate) trait Handle {
    /// Wipes and frees what a call could not go on with, as memory ran out; the handle stays.
    fn end(&mut self);
}

/// What a call writes: where it begins, and the most that it has.
pub(crate) type Written = (*mut u8, usize);

/// Does the work of a call on an object. If memory ran out, the object is at its end, and what was
/// written is wiped.
///
/// # Safety
/// `handle` is null, or was made by `…_new`, was not freed, and is not used by another call. What is
/// written is null or valid for writing.
#[inline]
pub(crate) unsafe fn with<H: Handle>(
    name: &str,
    handle: *mut H,
    written: &[Written],
    work: impl FnOnce(&mut H) -> Outcome,
) -> c_int {
    // SAFETY: the caller's promises; the borrows follow each other.
    unsafe { guard_or(|| end(handle, written), || work(object(name, handle)?)) }
}

/// Ends an object, and wipes what was written.
///
/// # Safety
/// As [`with`].
pub(crate) unsafe fn end<H: Handle>(handle: *mut H, written: &[Written]) {
    // SAFETY: the caller's promises.
    unsafe {
        if let Some(object) = handle.as_mut() {
            object.end();
        }
        wipe(written);
    }
}

/// The object behind a handle, exclusively.
///
/// # Safety
/// `handle` is null, or was made by `…_new`, was not freed, and is not used by another call.
#[inline]
pub(crate) unsafe fn object<'a, T>(name: &str, handle: *mut T) -> Outcome<&'a mut T> {
    // SAFETY: the caller's promise.
    unsafe { handle.as_mut() }.ok_or_else(|| null(name))
}

/// Wipes what was written.
///
/// # Safety
/// It is null or valid for writing.
pub(crate) unsafe fn wipe(written: &[Written]) {
    for (to, length) in written {
        // SAFETY: the caller's promise.
        if let Ok(bytes) = unsafe { output("output", *to, *length) } {
            lanes::wipe::wipe_bytes(bytes);
        }
    }
}

/// The object behind a handle, shared.
///
/// # Safety
/// `handle` is null, or was made by `…_new` and was not freed.
#[inline]
pub(crate) unsafe fn shared<'a, T>(name: &str, handle: *const T) -> Outcome<&'a T> {
    // SAFETY: the caller's promise.
    unsafe { handle.as_ref() }.ok_or_else(|| null(name))
}

/// Hands an object out; null if it could not be made.
///
/// # Safety
/// `place` is null or valid for writing a pointer.
pub(crate) unsafe fn hand_out<T>(
    name: &str,
    place: *mut *mut T,
    make: impl FnOnce() -> Outcome<T>,
) -> c_int {
    // SAFETY: the caller's promise; the borrows follow each other. What stands there was made here.
    unsafe {
        let take_it_back = || {
            if let Some(place) = place.as_mut() {
                take_back(std::mem::replace(place, std::ptr::null_mut()));
            }
        };
        guard_or(take_it_back, || {
            let place = place.as_mut().ok_or_else(|| null(name))?;
            *place = std::ptr::null_mut();
            *place = Box::into_raw(Box::new(make()?));
            Ok(())
        })
    }
}

/// Takes an object back.
///
/// # Safety
/// `handle` is null, or was handed out, was not taken back, and is not used any more.
pub(crate) unsafe fn take_back<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: the caller's promise: it is the pointer of a `Box`.
        quiet((), || drop(unsafe { Box::from_raw(handle) }));
        // The object cleared what its operations left below itself; here goes what the doors
        // above them left.
        ciphers::clear_stack(STACK);
    }
}

/// How deep the calls of this interface go before they are the library's, and then some.
const STACK: usize = 4096;

/// Writes a number where the caller wants it.
///
/// # Safety
/// `place` is null or valid for writing.
pub(crate) unsafe fn put<T>(name: &str, place: *mut T, value: T) -> Outcome {
    // SAFETY: the caller's promise.
    *unsafe { place.as_mut() }.ok_or_else(|| null(name))? = value;
    Ok(())
}
