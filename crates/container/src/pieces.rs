//! A file in pieces of any length, one after the other: for who gets data as it comes, and has
//! room for a chunk. The program has a pipeline of its own instead, over all cores.

use zeroize::Zeroizing;

use crate::chunks::{Chunks, TAG};
use crate::{Error, HEADER, Header, MasterKey, Unverified};

/// Writes a file.
///
/// ```
/// use container::{Header, Kdf, MasterKey, Opening, Sealing, Suite};
///
/// let key = MasterKey::from_bytes([7; 32]);
/// let header = Header::new(Suite::Sm4Gcm, 12, Kdf::Key, [1; 32])?;
/// let (mut file, mut sealing) = Sealing::new(&header, &key)?;
/// sealing.update(b"a message ", &mut file)?;
/// sealing.update(b"in pieces", &mut file)?;
/// sealing.finish(&mut file)?;
///
/// let (head, rest) = file.split_at(container::HEADER);
/// let mut opening = Opening::new(Header::read(head)?, &key)?;
/// let mut plain = Vec::new();
/// opening.update(rest, &mut plain)?;
/// opening.finish(&mut plain)?;
/// assert_eq!(plain, b"a message in pieces");
/// # Ok::<(), container::Error>(())
/// ```
#[derive(Debug)]
pub struct Sealing {
    chunks: Chunks,
    held: Held,
    index: u64,
}

/// Less than a chunk, or a whole one that may be the last. Wiped on drop.
struct Held(Zeroizing<Vec<u8>>);

impl std::fmt::Debug for Held {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Held({} bytes)", self.0.len())
    }
}

impl Held {
    /// Room for a sealed chunk, so that it never grows: what it held before would stay behind.
    fn new(chunk: usize) -> Self {
        Self(Zeroizing::new(Vec::with_capacity(chunk + TAG)))
    }

    /// Takes what fits of `input`, up to `full` bytes in all.
    fn take<'i>(&mut self, input: &'i [u8], full: usize) -> &'i [u8] {
        let (taken, rest) = input.split_at(input.len().min(full - self.0.len()));
        self.0.extend_from_slice(taken);
        rest
    }

    fn hand_over(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.0);
        self.0.clear();
    }
}

impl Sealing {
    /// The bytes that a file of this header begins with, and what writes the rest.
    ///
    /// # Errors
    /// As [`Header::seal`].
    pub fn new(header: &Header, key: &MasterKey) -> Result<(Vec<u8>, Self), Error> {
        let (written, chunks) = header.seal(key)?;
        let held = Held::new(chunks.size());
        Ok((written.to_vec(), Self { chunks, held, index: 0 }))
    }

    /// Takes more data and puts the chunks that are ready behind `out`.
    ///
    /// # Errors
    /// As [`Chunks::seal`].
    pub fn update(&mut self, mut plain: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        while !plain.is_empty() {
            // Only data behind it shows that a whole chunk is not the last.
            if self.held.0.len() == self.chunks.size() {
                self.seal(false, out)?;
            }
            plain = self.held.take(plain, self.chunks.size());
        }
        Ok(())
    }

    /// Puts the last chunk behind `out`.
    ///
    /// # Errors
    /// As [`Chunks::seal`].
    pub fn finish(mut self, out: &mut Vec<u8>) -> Result<(), Error> {
        self.seal(true, out)
    }

    fn seal(&mut self, last: bool, out: &mut Vec<u8>) -> Result<(), Error> {
        self.chunks.seal(self.index, last, &mut self.held.0)?;
        self.held.hand_over(out);
        self.index += 1;
        Ok(())
    }
}

/// Reads a file. What it gives is as it was written, but only [`finish`](Self::finish) tells
/// that it is all of it: until then nothing may be taken for the file.
#[derive(Debug)]
pub struct Opening {
    header: Header,
    chunks: Chunks,
    held: Held,
    index: u64,
    /// A chunk did not open: nothing behind it is ever given.
    broken: bool,
}

impl Opening {
    /// From the first [`HEADER`] bytes of the file.
    ///
    /// # Errors
    /// As [`Unverified::open`].
    pub fn new(header: Unverified, key: &MasterKey) -> Result<Self, Error> {
        let (header, chunks) = header.open(key)?;
        let held = Held::new(chunks.size());
        Ok(Self { header, chunks, held, index: 0, broken: false })
    }

    /// The header.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Takes what follows in the file and puts the plaintext of the chunks that are whole, and
    /// not the last, behind `out`.
    ///
    /// # Errors
    /// [`Error::Chunk`], then and for ever.
    pub fn update(&mut self, mut file: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        let full = self.chunks.size() + TAG;
        while !file.is_empty() {
            if self.held.0.len() == full {
                self.open(false, out)?;
            }
            file = self.held.take(file, full);
        }
        Ok(())
    }

    /// Puts the plaintext of the last chunk behind `out`.
    ///
    /// # Errors
    /// [`Error::CutOff`] for a file that ends inside a tag, [`Error::Chunk`] for one that ends
    /// elsewhere than it was written to.
    pub fn finish(mut self, out: &mut Vec<u8>) -> Result<(), Error> {
        if self.held.0.len() < TAG && !self.broken {
            let before = self.index * (self.chunks.size() + TAG) as u64;
            return Err(Error::CutOff { got: (HEADER + self.held.0.len()) as u64 + before });
        }
        self.open(true, out)
    }

    fn open(&mut self, last: bool, out: &mut Vec<u8>) -> Result<(), Error> {
        if self.broken {
            return Err(Error::Chunk { index: self.index });
        }
        self.broken = true;
        self.chunks.open(self.index, last, &mut self.held.0)?;
        self.held.hand_over(out);
        self.index += 1;
        self.broken = false;
        Ok(())
    }
}
