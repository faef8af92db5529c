//! Memory that begins at a line of the cache.
//!
//! A register of 64 bytes that is stored across two lines takes twice the time, and where an
//! allocator or the stack happens to begin is chance: rows of registers are put on lines.

/// A value whose first byte is the first of a line of 64.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Aligned<T>(pub(crate) T);
