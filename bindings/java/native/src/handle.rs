//! Objects that Java holds by a number.
//!
//! # Why this is sound
//! A handle is the address of a box that [`give`] leaks; [`free`] takes it back. Only the
//! class `Native` holds such numbers, each in an object whose cleaner frees it once, when
//! nothing can reach the object any more; methods of the object keep it reachable while a
//! native method runs. What changes lies in a mutex, so two threads never use it at once.
#![expect(unsafe_code, reason = "objects that Java owns; argued above")]

use std::sync::{Mutex, TryLockError};

use jni_sys::jlong;

use crate::jvm::Trouble;

/// The number of an object.
pub(crate) fn give<T: Sync>(object: T) -> jlong {
    Box::into_raw(Box::new(object)).expose_provenance() as jlong
}

/// Uses the object of a number, which threads may share.
pub(crate) fn share<T: Sync, R>(
    handle: jlong,
    act: impl FnOnce(&T) -> Result<R, Trouble>,
) -> Result<R, Trouble> {
    let object = std::ptr::with_exposed_provenance::<T>(handle as usize);
    // SAFETY: a number that `give` returned for a `T` and that is not freed; see above.
    act(unsafe { object.as_ref() }.ok_or(Trouble::Bounds)?)
}

/// Uses the object of a number, unless another thread does.
pub(crate) fn hold<T: Send, R>(
    handle: jlong,
    act: impl FnOnce(&mut T) -> Result<R, Trouble>,
) -> Result<R, Trouble> {
    share(handle, |object: &Mutex<T>| match object.try_lock() {
        Ok(mut guard) => act(&mut guard),
        Err(TryLockError::Poisoned(poisoned)) => act(&mut poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => Err(Trouble::Busy),
    })
}

/// Drops the object of a number.
pub(crate) fn free<T>(handle: jlong) {
    let object = std::ptr::with_exposed_provenance_mut::<T>(handle as usize);
    if !object.is_null() {
        // SAFETY: a number that `give` returned for a `T`, freed once; see above.
        drop(unsafe { Box::from_raw(object) });
    }
}
