//! A bound on what one row may take: a quotation mark that nobody closes makes a row of the rest of a
//! file, however long that is.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The bytes of a row at most: twice the largest value that MySQL sends by default, 64 MiB, in
/// hexadecimal digits.
pub(super) const MOST: usize = 256 << 20;

/// A file of which a reader may take so many bytes until it is told that a row is done.
pub(super) struct Bounded {
    file: File,
    left: Room,
}

/// What is left for the row that is being read.
#[derive(Clone)]
pub(super) struct Room {
    left: Arc<AtomicUsize>,
    most: usize,
}

impl Room {
    /// A new row begins. What lies in buffers was counted for the one before.
    pub(super) fn anew(&self) {
        self.left.store(self.most, Ordering::Relaxed);
    }
}

impl Bounded {
    /// With a bound of [`MOST`] bytes.
    pub(super) fn new(file: File) -> (Self, Room) {
        Self::with(file, MOST)
    }

    fn with(file: File, most: usize) -> (Self, Room) {
        let room = Room { left: Arc::new(AtomicUsize::new(most)), most };
        (Self { file, left: room.clone() }, room)
    }
}

/// What is said of a longer row.
pub(super) fn too_long() -> io::Error {
    let mebibytes = MOST >> 20;
    io::Error::other(format!(
        "a row has more than {mebibytes} MiB; it may lack a quotation mark or a line end"
    ))
}

impl Read for Bounded {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let left = self.left.left.load(Ordering::Relaxed);
        if left == 0 {
            return Err(too_long());
        }
        let read = self.file.read(into)?;
        self.left.left.store(left.saturating_sub(read), Ordering::Relaxed);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn a_row_that_is_too_long_ends_the_reading_and_others_do_not() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&[b'x'; 100]).unwrap();
        let open = || {
            let mut file = file.try_clone().unwrap();
            io::Seek::rewind(&mut file).unwrap();
            Bounded::with(file, 30)
        };
        let (mut reader, room) = open();
        let mut piece = [0; 10];
        for _ in 0..10 {
            room.anew();
            assert_eq!(reader.read(&mut piece).unwrap(), 10);
        }
        let (mut reader, _room) = open();
        let error = reader.read_to_end(&mut Vec::new()).unwrap_err().to_string();
        assert!(error.contains("a row has more than 256 MiB"), "{error}");
    }
}
