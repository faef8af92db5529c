//! Buffers against pages that can't be read: a byte touched before the one or behind the other
//! ends the process.
//!
//! # Why it is sound
//! A [`Guarded`] owns a mapping of whole pages, of which all but the first and the last can be
//! read and written. [`Guarded::at`] hands out a slice of the inner ones, checks its length, and
//! borrows the mapping exclusively. The mapping is given back once, when its owner is dropped.
//! Zeroed by the system, it holds initialised bytes from the start.
#![expect(unsafe_code, reason = "mapping and protecting pages; argued above")]

use std::io;

/// A page, or a multiple of one on systems with smaller pages.
const PAGE: usize = 1 << 16;

/// On which side of the buffer the page that can't be read lies next to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The buffer begins behind such a page.
    Front,
    /// The buffer ends before such a page.
    Back,
}

impl Side {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Front, Self::Back];
}

/// Pages between two that can't be read.
#[derive(Debug)]
pub struct Guarded {
    base: *mut u8,
}

impl Guarded {
    /// The longest buffer there is room for, in bytes.
    pub const ROOM: usize = PAGE;

    /// Maps pages.
    ///
    /// # Errors
    /// What the system says.
    pub fn new() -> io::Result<Self> {
        let (none, anonymous) = (libc::PROT_NONE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping at an address of the system's choice touches nothing of ours.
        let base = unsafe { libc::mmap(std::ptr::null_mut(), 3 * PAGE, none, anonymous, -1, 0) };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let guarded = Self { base: base.cast() };
        let both = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: the middle third of the mapping.
        let failed = unsafe { libc::mprotect(guarded.base.add(PAGE).cast(), PAGE, both) } != 0;
        if failed { Err(io::Error::last_os_error()) } else { Ok(guarded) }
    }

    /// The buffer of so many bytes against the page on that side.
    ///
    /// # Panics
    /// If it is longer than [`ROOM`](Self::ROOM).
    pub fn at(&mut self, side: Side, len: usize) -> &mut [u8] {
        assert!(len <= Self::ROOM, "{len} bytes are too many");
        let offset = if side == Side::Front { PAGE } else { 2 * PAGE - len };
        // SAFETY: inside the middle third, which can be read and written, and exclusively
        // borrowed with `self`.
        unsafe { core::slice::from_raw_parts_mut(self.base.add(offset), len) }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and no borrow of it lives.
        unsafe { libc::munmap(self.base.cast(), 3 * PAGE) };
    }
}

/// Reads or writes one byte beside a buffer, as a faulty kernel would: for tests of the checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slip {
    /// Reads the byte before.
    ReadBefore,
    /// Reads the byte behind.
    ReadBehind,
    /// Writes the byte before.
    WriteBefore,
    /// Writes the byte behind.
    WriteBehind,
}

impl Slip {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::ReadBefore, Self::ReadBehind, Self::WriteBefore, Self::WriteBehind];

    /// On which side it slips.
    #[must_use]
    pub const fn side(self) -> Side {
        match self {
            Self::ReadBefore | Self::WriteBefore => Side::Front,
            Self::ReadBehind | Self::WriteBehind => Side::Back,
        }
    }

    /// Slips beside a buffer of `len` bytes; ends the process.
    pub fn slip(self, buffer: &mut Guarded, len: usize) {
        let start = buffer.at(self.side(), len).as_mut_ptr();
        let before = matches!(self, Self::ReadBefore | Self::WriteBefore);
        let place = if before { start.wrapping_sub(1) } else { start.wrapping_add(len) };
        // SAFETY: the address lies in the mapping of `buffer`, which holds nothing there; the
        // system refuses the access.
        unsafe {
            if matches!(self, Self::ReadBefore | Self::ReadBehind) {
                std::hint::black_box(place.read_volatile());
            } else {
                place.write_volatile(1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_end_where_the_pages_do() {
        let mut guarded = Guarded::new().unwrap();
        for len in [0, 1, 300, Guarded::ROOM] {
            let front = guarded.at(Side::Front, len);
            front.fill(1);
            assert_eq!((front.as_ptr().addr() % 4096, front.len()), (0, len));
            let back = guarded.at(Side::Back, len);
            back.fill(2);
            assert_eq!((back.as_ptr().addr() + len) % 4096, 0);
        }
    }
}
