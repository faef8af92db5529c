//! For tests: allocations of a thread that fail when they are told to, and how many blocks it has.

use std::cell::Cell;

thread_local! {
    /// How many more succeed, and whether all behind the next one do, too.
    static LEFT: Cell<Option<(usize, bool)>> = const { Cell::new(None) };
    static BLOCKS: Cell<isize> = const { Cell::new(0) };
    static ASKED: Cell<usize> = const { Cell::new(0) };
    static BYTES: Cell<usize> = const { Cell::new(0) };
}

/// Lets so many of this thread's allocations succeed, and then one fail, or all.
pub fn begin(succeed: usize, once: bool) {
    LEFT.set(Some((succeed, once)));
}

/// Lets all succeed again.
pub fn end() {
    LEFT.set(None);
}

/// How many allocations this thread has asked for.
#[must_use]
pub fn asked() -> usize {
    ASKED.get()
}

/// How many bytes this thread has asked for.
#[must_use]
pub fn bytes() -> usize {
    BYTES.get()
}

/// How many blocks this thread has, but for those that others have taken or given back.
#[must_use]
pub fn blocks() -> isize {
    BLOCKS.get()
}

pub(crate) fn freed() {
    BLOCKS.set(BLOCKS.get() - 1);
}

pub(crate) fn refuses(bytes: usize) -> bool {
    ASKED.set(ASKED.get() + 1);
    BYTES.set(BYTES.get() + bytes);
    BLOCKS.set(BLOCKS.get() + 1);
    match LEFT.get() {
        None => false,
        Some((0, once)) => {
            LEFT.set((!once).then_some((0, false)));
            true
        }
        Some((left, once)) => {
            LEFT.set(Some((left - 1, once)));
            false
        }
    }
}
