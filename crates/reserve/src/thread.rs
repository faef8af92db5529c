//! Which thread this is, without thread-local storage of our own.
//!
//! # Why it is sound
//! The functions take nothing, and any thread may call them. A number may come again when its thread is gone;
//! nothing but a count of blocks depends on it.

#[cfg(unix)]
unsafe extern "C" {
    /// `pthread_t` is a pointer or an integer as large on all these systems.
    safe fn pthread_self() -> usize;
}

/// A number that no other thread has at this time; never 0.
#[cfg(unix)]
pub(crate) fn number() -> usize {
    pthread_self().max(1)
}

#[cfg(windows)]
#[link(name = "kernel32")]
unsafe extern "system" {
    safe fn GetCurrentThreadId() -> u32;
}

/// A number that no other thread has at this time; never 0.
#[cfg(windows)]
pub(crate) fn number() -> usize {
    GetCurrentThreadId().max(1) as usize
}

/// One number for all: where memory runs out in one thread, calls of others fail, too.
#[cfg(not(any(unix, windows)))]
pub(crate) fn number() -> usize {
    1
}
