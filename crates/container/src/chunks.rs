//! Chunks: each sealed under a nonce that tells its number and whether it is the last.

use std::fmt;

use cipherlane::Aead;

use crate::{Error, Suite};

/// Bytes of a chunk's tag, which stands behind it.
pub const TAG: usize = 16;

/// Chunks of a file at most: GCM allows as many messages under one key.
const MOST: u64 = 1 << 32;

/// Seals and opens the chunks of one file; any thread may do any of them.
pub struct Chunks {
    aead: Box<dyn Aead>,
    suite: Suite,
    chunk: usize,
}

impl Chunks {
    /// Chunks of `chunk` bytes under the key of the file.
    pub(crate) fn new(suite: Suite, key: &[u8], chunk: usize) -> Result<Self, Error> {
        Ok(Self { aead: suite.aead(key)?, suite, chunk })
    }

    /// Bytes of plaintext in every chunk but the last.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.chunk
    }

    /// Encrypts a chunk in place and puts its tag behind it.
    ///
    /// # Errors
    /// [`Error::Field`] for a chunk that is too long, or not the last and too short, and for a
    /// number past the most.
    pub fn seal(&self, index: u64, last: bool, chunk: &mut Vec<u8>) -> Result<(), Error> {
        self.check(index, last, chunk.len())?;
        let mut tag = [0; TAG];
        let nonce = self.nonce(index, last);
        self.aead.seal(&nonce[..self.suite.nonce()], &[], chunk.as_mut_slice().into(), &mut tag)?;
        chunk.extend_from_slice(&tag);
        Ok(())
    }

    /// Decrypts a chunk in place and takes its tag off.
    ///
    /// # Errors
    /// [`Error::Chunk`] if it is not the chunk that was written there; it is empty then.
    pub fn open(&self, index: u64, last: bool, chunk: &mut Vec<u8>) -> Result<(), Error> {
        let opened = self.opened(index, last, chunk);
        if opened.is_none() {
            chunk.clear();
        }
        opened.ok_or(Error::Chunk { index })
    }

    fn opened(&self, index: u64, last: bool, chunk: &mut Vec<u8>) -> Option<()> {
        let len = chunk.len().checked_sub(TAG)?;
        self.check(index, last, len).ok()?;
        let (body, tag) = chunk.split_at_mut(len);
        let nonce = self.nonce(index, last);
        self.aead.open(&nonce[..self.suite.nonce()], &[], body.into(), tag).ok()?;
        chunk.truncate(len);
        Some(())
    }

    fn check(&self, index: u64, last: bool, len: usize) -> Result<(), Error> {
        if index >= MOST {
            return Err(Error::Field {
                field: "chunk number",
                got: index,
                allowed: "0 to 2^32 − 1",
            });
        }
        // A last chunk is empty only in an empty file: a file has one form.
        let fits =
            if last { len <= self.chunk && (len > 0 || index == 0) } else { len == self.chunk };
        let allowed = "that of the header, and 1 byte to that in the last chunk";
        if fits {
            Ok(())
        } else {
            Err(Error::Field { field: "chunk length", got: len as u64, allowed })
        }
    }

    /// Zeros, the number in eight bytes, big endian, and 1 in the last chunk.
    fn nonce(&self, index: u64, last: bool) -> [u8; 16] {
        let mut nonce = [0; 16];
        let end = self.suite.nonce() - 1;
        nonce[end - 8..end].copy_from_slice(&index.to_be_bytes());
        nonce[end] = last.into();
        nonce
    }
}

impl fmt::Debug for Chunks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { suite, chunk, .. } = self;
        f.debug_struct("Chunks").field("suite", suite).field("size", chunk).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Every number that two bytes hold, and those about the edges of all others, each as the
    /// last chunk and as another: no nonce twice, and each tells its number and its end.
    #[test]
    fn no_two_chunks_have_one_nonce() {
        let edges = (2..8).flat_map(|byte| {
            let edge = 1_u64 << (8 * byte);
            edge - 300..edge + 300
        });
        let numbers: Vec<u64> =
            (0..1 << 16).chain(edges.filter(|it| *it >= 1 << 16)).chain([u64::MAX]).collect();
        for suite in Suite::ALL {
            let chunks = Chunks::new(suite, &[7; 32][..suite.key()], 4096).unwrap();
            let mut seen = HashSet::new();
            for &number in &numbers {
                for last in [false, true] {
                    let nonce = chunks.nonce(number, last);
                    let (used, unused) = nonce.split_at(suite.nonce());
                    assert!(unused.iter().all(|byte| *byte == 0));
                    let end = suite.nonce() - 1;
                    assert_eq!(used[end - 8..end], number.to_be_bytes());
                    assert_eq!(used[end], u8::from(last));
                    assert!(seen.insert(nonce), "{suite:?}, chunk {number}, last: {last}");
                }
            }
            assert_eq!(seen.len(), 2 * numbers.len());
        }
    }
}
