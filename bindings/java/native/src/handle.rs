//! Objects that Java holds by a number.
//!
//! # Why this is sound
//! A handle is the address of a box that [`give`] leaks; [`free`] takes it back. Only the
//! class `Native` holds such numbers, each in an object whose cleaner frees it once, when
//! nothing can reach the object any more; methods of the object keep it reachable while a
//! native method runs. What changes lies in a lock, so that no thread changes it while another uses
//! it: a mutex, or where calls don't change the object a lock that they share.
#![expect(unsafe_code, reason = "objects that Java owns; argued above")]

use std::sync::{Mutex, RwLock, TryLockError};

use jni_sys::jlong;

use crate::jvm::Trouble;

/// The number of an object.
pub(crate) fn give<T: Sync>(object: T) -> jlong {
    Box::into_raw(Box::new(object)).expose_provenance() as jlong
}

fn share<T: Sync, R>(
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

/// Uses the object of a number beside other threads, unless one puts another in its place.
pub(crate) fn read<T: Send + Sync, R>(
    handle: jlong,
    act: impl FnOnce(&T) -> Result<R, Trouble>,
) -> Result<R, Trouble> {
    share(handle, |object: &RwLock<T>| match object.try_read() {
        Ok(guard) => act(&guard),
        Err(TryLockError::Poisoned(poisoned)) => act(&poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => Err(Trouble::Busy),
    })
}

/// Has an object take the place of the one that a number stands for; with the number 0, or while
/// another thread uses that one, it gets a number of its own. For a key for every message: what
/// is left to the virtual machine to free costs more than a short message, and piles up.
pub(crate) fn renew<T: Send>(handle: jlong, object: T) -> Result<jlong, Trouble> {
    if handle == 0 {
        return Ok(give(Mutex::new(object)));
    }
    share(handle, |place: &Mutex<T>| match place.try_lock() {
        Ok(mut guard) => {
            *guard = object;
            Ok(handle)
        }
        Err(_) => Ok(give(Mutex::new(object))),
    })
}

/// As [`renew`], of what threads share; `change` may have the old object do instead.
pub(crate) fn renew_shared<T: Send + Sync>(
    handle: jlong,
    change: impl FnOnce(&mut T) -> bool,
    make: impl FnOnce() -> Result<T, Trouble>,
) -> Result<jlong, Trouble> {
    if handle == 0 {
        return Ok(give(RwLock::new(make()?)));
    }
    share(handle, |place: &RwLock<T>| match place.try_write() {
        Ok(mut guard) => {
            if !change(&mut guard) {
                *guard = make()?;
            }
            Ok(handle)
        }
        Err(_) => Ok(give(RwLock::new(make()?))),
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
