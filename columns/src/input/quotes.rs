//! Whether a file of CSV ends within quotation marks, which the crate `csv` does not tell.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom};
use std::path::Path;

/// Where in a row a byte stands, by the rules of the crate `csv-core`: a mark opens a cell only as its first
/// byte, and within marks two of them are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Begin,
    Cell,
    Within,
    /// Behind a mark that closes, or is the first of two.
    Behind,
}

impl At {
    const fn next(self, byte: u8, delimiter: u8) -> Self {
        match (self, byte) {
            (Self::Within, b'"') => Self::Behind,
            (Self::Within, _) | (Self::Begin | Self::Behind, b'"') => Self::Within,
            (_, b'\n' | b'\r') => Self::Begin,
            (_, byte) if byte == delimiter => Self::Begin,
            _ => Self::Cell,
        }
    }
}

/// Whether the row that begins there, the last one of the file, ends within marks.
///
/// # Errors
/// That of the system.
pub(super) fn ends_within(path: &Path, row: u64, delimiter: u8) -> io::Result<bool> {
    let mut file = BufReader::new(File::open(path)?);
    file.seek(SeekFrom::Start(row))?;
    if row == 0 && file.fill_buf()?.starts_with(b"\xef\xbb\xbf") {
        file.consume(3);
    }
    let mut at = At::Begin;
    loop {
        let piece = file.fill_buf()?;
        if piece.is_empty() {
            return Ok(at == At::Within);
        }
        at = piece.iter().fold(at, |at, byte| at.next(*byte, delimiter));
        let len = piece.len();
        file.consume(len);
    }
}
