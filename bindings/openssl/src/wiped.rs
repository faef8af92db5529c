//! Bytes that are wiped when they are dropped.

use std::sync::atomic::{Ordering, compiler_fence};

use crate::Outcome;
use crate::reason::Reason;

/// Key material of this provider's own contexts.
#[derive(Clone, Default)]
pub(crate) struct Wiped(Vec<u8>);

impl Wiped {
    pub(crate) fn new(bytes: &[u8]) -> Self {
        Self(bytes.to_vec())
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for Wiped {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

/// Writes zeros, which no optimiser leaves out.
pub(crate) fn wipe(bytes: &mut [u8]) {
    for byte in bytes {
        // SAFETY: an exclusive borrow of the byte.
        unsafe { std::ptr::write_volatile(byte, 0) };
    }
    compiler_fence(Ordering::SeqCst);
}

/// Puts more data behind what is kept of it, as long as there is memory for as much as the program has.
///
/// # Errors
/// [`Reason::NoMemory`]; nothing is added then.
pub(crate) fn append(kept: &mut Vec<u8>, more: &[u8]) -> Outcome {
    kept.try_reserve(more.len()).map_err(|_| Reason::NoMemory)?;
    kept.extend_from_slice(more);
    Ok(())
}

/// A few bytes of plaintext or keystream.
#[derive(Clone)]
pub(crate) struct Bytes<const N: usize>(pub(crate) [u8; N]);

impl<const N: usize> Default for Bytes<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

impl<const N: usize> Drop for Bytes<N> {
    fn drop(&mut self) {
        // SAFETY: the bytes are this object's own.
        unsafe { std::ptr::write_volatile(&raw mut self.0, [0; N]) };
        compiler_fence(Ordering::SeqCst);
    }
}
