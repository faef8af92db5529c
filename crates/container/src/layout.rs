//! Where the chunks of a file lie.

use crate::Error;
use crate::chunks::TAG;
use crate::header::HEADER;

/// The lengths of a file: of what it holds and of what is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Bytes of plaintext in all chunks but the last.
    chunk: u64,
    /// Bytes of plaintext.
    plain: u64,
}

impl Layout {
    /// The layout of a file that holds `plain` bytes in chunks of so many.
    #[must_use]
    pub const fn of_plain(plain: u64, chunk: u64) -> Self {
        Self { chunk, plain }
    }

    /// The layout of a file of `written` bytes, header and all.
    ///
    /// # Errors
    /// [`Error::CutOff`] for a length that no whole file has.
    pub fn of_file(written: u64, chunk: u64) -> Result<Self, Error> {
        let cut_off = Error::CutOff { got: written };
        let body = written.checked_sub(HEADER as u64).ok_or(cut_off.clone())?;
        let (tag, sealed) = (TAG as u64, chunk + TAG as u64);
        let (whole, rest) = (body / sealed, body % sealed);
        // An empty last chunk is there only where it is the only one.
        let plain = match (whole, rest) {
            (_, 0) if whole > 0 => Some(whole * chunk),
            (0, _) => rest.checked_sub(tag),
            (..) => rest.checked_sub(tag + 1).map(|more| whole * chunk + more + 1),
        };
        plain.map(|plain| Self { chunk, plain }).ok_or(cut_off)
    }

    /// Bytes of plaintext.
    #[must_use]
    pub const fn plain(&self) -> u64 {
        self.plain
    }

    /// How many chunks there are: at least one.
    #[must_use]
    pub const fn chunks(&self) -> u64 {
        let chunks = self.plain.div_ceil(self.chunk);
        if chunks == 0 { 1 } else { chunks }
    }

    /// Bytes of the whole file.
    #[must_use]
    pub const fn written(&self) -> u64 {
        HEADER as u64 + self.plain + self.chunks() * TAG as u64
    }

    /// Where the sealed chunk of that number begins in the file, and its length, tag and all.
    #[must_use]
    pub const fn place(&self, index: u64) -> (u64, u64) {
        let start = index * self.chunk;
        let left = self.plain.saturating_sub(start);
        let len = if left < self.chunk { left } else { self.chunk };
        (HEADER as u64 + index * (self.chunk + TAG as u64), len + TAG as u64)
    }

    /// Whether that chunk is the last.
    #[must_use]
    pub const fn is_last(&self, index: u64) -> bool {
        index + 1 == self.chunks()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every length of a file is that of one plaintext, or of none.
    #[test]
    fn all_small_files_are_laid_out() {
        for chunk in 1..=40 {
            let mut of_plain = std::collections::BTreeMap::new();
            for plain in 0..=400 {
                let layout = Layout::of_plain(plain, chunk);
                let written = layout.written();
                assert_eq!(Layout::of_file(written, chunk), Ok(layout), "{plain} in {chunk}");
                assert!(of_plain.insert(written, plain).is_none(), "{plain} in {chunk}");
                // Chunks follow each other without gaps, and only the last one may be shorter.
                let mut end = HEADER as u64;
                for index in 0..layout.chunks() {
                    let (start, len) = layout.place(index);
                    assert_eq!(start, end, "{plain} in {chunk}: {index}");
                    let last = index + 1 == layout.chunks();
                    assert_eq!(layout.is_last(index), last);
                    assert!(last || len == chunk + TAG as u64, "{plain} in {chunk}: {index}");
                    assert!(len > TAG as u64 || plain == 0, "{plain} in {chunk}: {index}");
                    end = start + len;
                }
                assert_eq!(end, written, "{plain} in {chunk}");
            }
            let longest = *of_plain.keys().last().unwrap();
            for written in 0..=longest {
                let plain = Layout::of_file(written, chunk).ok().map(|it| it.plain());
                assert_eq!(plain, of_plain.get(&written).copied(), "{written} in {chunk}");
            }
        }
    }

    /// As long as numbers are.
    #[test]
    fn no_length_overflows() {
        for bits in 12..=24 {
            let chunk = 1 << bits;
            for less in (0..70).chain([1 << 40, 1 << 63]) {
                let written = u64::MAX - less;
                if let Ok(layout) = Layout::of_file(written, chunk) {
                    assert_eq!(layout.written(), written);
                    let (start, len) = layout.place(layout.chunks() - 1);
                    assert_eq!(start + len, written);
                }
            }
        }
    }
}
