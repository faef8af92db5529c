//! Exceptions: those that users of `cryptography` know, and Python's own.

use std::sync::{Mutex, MutexGuard, TryLockError};

use objects::{Failure, Kind};
use pyo3::exceptions::{PyException, PyRuntimeError, PyValueError};
use pyo3::{PyErr, PyResult, create_exception};

create_exception!(cipherlane, CipherlaneError, PyException, "Anything that this package raises.");
create_exception!(cipherlane, InvalidTag, CipherlaneError, "The tag of an AEAD is wrong.");
create_exception!(cipherlane, InvalidSignature, CipherlaneError, "The tag of a MAC is wrong.");
create_exception!(cipherlane, AlreadyFinalized, CipherlaneError, "The context has ended.");
create_exception!(cipherlane, NotYetFinalized, CipherlaneError, "The context has not ended.");
create_exception!(
    cipherlane,
    AlreadyUpdated,
    CipherlaneError,
    "The call has to come before the data, or only once."
);
create_exception!(
    cipherlane,
    UnsupportedAlgorithm,
    CipherlaneError,
    "There is no such algorithm, mode or padding."
);

/// The exception that tells a failure.
pub(crate) fn raise(failure: &Failure) -> PyErr {
    let text = failure.to_string();
    match failure.kind() {
        Kind::Tag => InvalidTag::new_err(text),
        Kind::State => AlreadyUpdated::new_err(text),
        Kind::Unknown => UnsupportedAlgorithm::new_err(text),
        Kind::Value | Kind::Key | Kind::Block | Kind::Output | Kind::Padding => {
            PyValueError::new_err(text)
        }
    }
}

/// The exception that tells an error of the library.
pub(crate) fn raise_error(error: cipherlane::Error) -> PyErr {
    raise(&error.into())
}

pub(crate) fn finalized() -> PyErr {
    AlreadyFinalized::new_err("the context is finalized")
}

/// The state behind a lock that another thread may hold: then this call is refused.
pub(crate) fn hold<T>(state: &Mutex<T>) -> PyResult<MutexGuard<'_, T>> {
    match state.try_lock() {
        Ok(guard) => Ok(guard),
        Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => {
            Err(PyRuntimeError::new_err("the object is in use by another thread"))
        }
    }
}
