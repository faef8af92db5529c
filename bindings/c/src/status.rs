//! What calls return.

use std::ffi::{c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

use ciphers::Error;
use objects::Query;
use reserve::Watch;

use crate::last_error;

/// What a call returns: 0 for success, else what was wrong.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It was done.
    Ok = 0,
    /// A pointer that must not be null is.
    Null = 1,
    /// There is no algorithm of that name.
    UnknownAlgorithm = 2,
    /// The algorithm has no operation of that name, or it is one for another kind of object.
    UnknownOperation = 3,
    /// The level's name is unknown, or this CPU lacks it.
    UnknownLevel = 4,
    /// A key, IV, nonce, tag or message has a length that is not allowed.
    Length = 5,
    /// Data that must be whole blocks is not.
    PartialBlock = 6,
    /// The output buffer is too short.
    OutputLength = 7,
    /// A value is outside its range.
    Value = 8,
    /// The standard's limit for one key and IV would be exceeded.
    Limit = 9,
    /// Two keys that must differ are equal.
    EqualKeys = 10,
    /// The tag is wrong; the output is wiped.
    Authentication = 11,
    /// The padding is not valid.
    Padding = 12,
    /// The call does not fit what was called before, e.g. data after the end.
    State = 13,
    /// Input and output overlap without being the same, or what is written lies in what else is
    /// read.
    Overlap = 14,
    /// A text is not UTF-8.
    Text = 15,
    /// A self-test gave a wrong answer: this process should not be trusted.
    SelfTest = 16,
    /// The nonce is the one that the message before was encrypted with.
    NonceReused = 17,
    /// An error of the library itself.
    Internal = 18,
    /// The system gave no memory. Nothing was made; what was written is wiped; an object that the
    /// call could not go on with is wiped, too, and returns this status until it is freed.
    NoMemory = 19,
}

/// A failure of this interface, or of what it stands on.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    Status(Status),
    /// The same with a line that says more.
    Said(Status, String),
    Object(objects::Failure),
}

/// A failure with its line: what was given, and what is allowed.
#[cold]
pub(crate) fn said(status: Status, line: String) -> Failure {
    Failure::Said(status, line)
}

pub(crate) type Outcome<T = ()> = Result<T, Failure>;

impl From<Status> for Failure {
    fn from(status: Status) -> Self {
        Self::Status(status)
    }
}

impl From<objects::Failure> for Failure {
    fn from(failure: objects::Failure) -> Self {
        Self::Object(failure)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Object(error.into())
    }
}

impl Failure {
    fn status(&self) -> Status {
        use objects::Failure::{Library, NoAead, NoParameters, NonceReused, Unknown};
        match self {
            Self::Status(status) | Self::Said(status, _) => *status,
            Self::Object(Unknown { what: Query::Algorithm, .. }) => Status::UnknownAlgorithm,
            Self::Object(
                Unknown { what: Query::Operation(_) | Query::Pieces(_), .. } | NoAead(_),
            ) => Status::UnknownOperation,
            Self::Object(Unknown { what: Query::Padding(_), .. } | NoParameters) => Status::Value,
            Self::Object(NonceReused) => Status::NonceReused,
            Self::Object(Library(error)) => match error {
                Error::Length { .. } => Status::Length,
                Error::PartialBlock { .. } => Status::PartialBlock,
                Error::OutputLength { .. } => Status::OutputLength,
                Error::Value { .. } => Status::Value,
                Error::Limit { .. } => Status::Limit,
                Error::EqualKeys => Status::EqualKeys,
                Error::Authentication => Status::Authentication,
                Error::Padding => Status::Padding,
                Error::State(_) => Status::State,
                Error::Level(_) => Status::UnknownLevel,
                Error::SelfTest { .. } => Status::SelfTest,
                _ => Status::Internal,
            },
        }
    }
}

/// Runs the work of a call: a failure is kept for [`last_error`], a panic becomes
/// [`Status::Internal`].
#[inline]
pub(crate) fn guard(work: impl FnOnce() -> Outcome) -> c_int {
    guard_or(|| {}, work)
}

/// The same of a call that makes something, or works on it: `drop_all` drops that if memory ran out, so
/// that nothing is left in the reserve.
#[inline]
pub(crate) fn guard_or(drop_all: impl FnOnce(), work: impl FnOnce() -> Outcome) -> c_int {
    let watch = Watch::begin();
    let status = caught(work);
    if watch.holds() { short(drop_all) } else { status }
}

#[inline]
fn caught(work: impl FnOnce() -> Outcome) -> c_int {
    // A failure is large: what crosses the border of the catch is its number.
    let status = || work().map_or_else(failed, |()| Status::Ok as c_int);
    // What a panic leaves half done is an object of the caller's, who is told.
    catch_unwind(AssertUnwindSafe(status)).unwrap_or_else(|_| failed(Status::Internal.into()))
}

/// The status of a call at whose end something of the reserve is in use.
#[cold]
fn short(drop_all: impl FnOnce()) -> c_int {
    quiet((), drop_all);
    failed(Status::NoMemory.into())
}

/// Runs the work of a call that has no status; `otherwise` if it panics.
pub(crate) fn quiet<T>(otherwise: T, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(otherwise)
}

#[cold]
fn failed(failure: Failure) -> c_int {
    let status = failure.status();
    last_error::keep(&failure);
    status as c_int
}

/// What any other number means.
static UNKNOWN: &std::ffi::CStr = c"unknown status";

/// Status and text, in the order of the numbers. Static, as a constant may have a place for each use.
pub(crate) static TEXTS: [&std::ffi::CStr; 20] = [
    c"done",
    c"a pointer is null",
    c"unknown algorithm",
    c"unknown operation of this algorithm, or one for another kind of object",
    c"unknown level, or one that this CPU lacks",
    c"a length that is not allowed",
    c"data that is not whole blocks",
    c"the output buffer is too short",
    c"a value outside its range",
    c"the standard's limit for one key and IV is reached",
    c"the two keys are equal",
    c"the tag is wrong",
    c"the padding is not valid",
    c"a call in the wrong order",
    c"input and output overlap in part",
    c"a text is not UTF-8",
    c"a self-test failed",
    c"the nonce of the message before, once more",
    c"an internal error",
    c"no memory: free some and make the object again",
];

/// The meaning of a status in words; never null. The text is static.
#[unsafe(no_mangle)]
pub extern "C" fn cipherlane_strerror(status: c_int) -> *const c_char {
    let known = usize::try_from(status).ok().and_then(|status| TEXTS.get(status));
    known.map_or(UNKNOWN, |text| text).as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_does_not_cross() {
        assert_eq!(guard(|| panic!("on purpose")), Status::Internal as c_int);
    }

    #[test]
    fn a_call_without_a_status_is_guarded_too() {
        assert_eq!(quiet(7, || panic!("on purpose")), 7);
    }

    #[test]
    fn every_status_has_a_text() {
        assert_eq!(TEXTS.len(), Status::NoMemory as usize + 1);
        for (status, text) in TEXTS.iter().enumerate() {
            assert_eq!(cipherlane_strerror(status as c_int), text.as_ptr());
        }
        for status in [-1, TEXTS.len() as c_int, c_int::MAX, c_int::MIN] {
            assert_eq!(cipherlane_strerror(status), UNKNOWN.as_ptr());
        }
    }
}
