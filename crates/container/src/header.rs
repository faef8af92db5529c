//! The header: what the file is, how its key was made, and a MAC that commits to the key.

use std::ops::RangeInclusive;

use crate::chunks::Chunks;
use crate::key::{Kdf, MAC, MasterKey};
use crate::{Error, Layout, Suite};

/// The first eight bytes. They hold a byte that is no text and both line ends, so that a file
/// that went through a conversion of text is told at once.
pub const MAGIC: [u8; 8] = *b"\x89CLANE\r\n";

/// The version of the format.
pub const VERSION: u8 = 1;

/// Bytes of a header.
pub const HEADER: usize = MACED + MAC;

/// Bytes of it that the MAC is over.
const MACED: usize = 8 + 4 + 12 + SALT;

const SALT: usize = 32;

/// Binary logarithms of the bytes of a chunk that are allowed.
pub const CHUNK_BITS: RangeInclusive<u8> = 12..=24;

/// That of the usual chunk, 1 MiB.
pub const DEFAULT_CHUNK_BITS: u8 = 20;

/// The header of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    suite: Suite,
    chunk_bits: u8,
    kdf: Kdf,
    salt: [u8; SALT],
}

/// A header that was read and whose MAC has not been checked.
#[derive(Clone, Copy, Debug)]
pub struct Unverified {
    header: Header,
    mac: [u8; MAC],
}

impl Header {
    /// The header of a new file. `salt` must be drawn at random for each file.
    ///
    /// # Errors
    /// [`Error::Field`] for a chunk size or a KDF parameter outside its range.
    pub fn new(suite: Suite, chunk_bits: u8, kdf: Kdf, salt: [u8; SALT]) -> Result<Self, Error> {
        if !CHUNK_BITS.contains(&chunk_bits) {
            let (field, allowed) = ("binary logarithm of the chunk's bytes", "12 to 24");
            return Err(Error::Field { field, got: chunk_bits.into(), allowed });
        }
        let kdf = Kdf::from_numbers(kdf.code(), kdf.numbers())?;
        Ok(Self { suite, chunk_bits, kdf, salt })
    }

    /// Reads the header at the beginning of a file.
    ///
    /// # Errors
    /// [`Error::Signature`], [`Error::ShortHeader`], [`Error::Field`].
    pub fn read(file: &[u8]) -> Result<Unverified, Error> {
        let signature = &file[..file.len().min(MAGIC.len())];
        if signature != &MAGIC[..signature.len()] || signature.is_empty() {
            return Err(Error::Signature);
        }
        let short = Error::ShortHeader { got: file.len(), needed: HEADER };
        let (bytes, _) = file.split_first_chunk::<HEADER>().ok_or(short)?;
        let [version, suite, chunk_bits, kdf] = [bytes[8], bytes[9], bytes[10], bytes[11]];
        if version != VERSION {
            let allowed = "1; a newer program may read others";
            return Err(Error::Field { field: "version", got: version.into(), allowed });
        }
        let number = |i: usize| {
            let place = 12 + 4 * i;
            u32::from_be_bytes([bytes[place], bytes[place + 1], bytes[place + 2], bytes[place + 3]])
        };
        let kdf = Kdf::from_numbers(kdf, [number(0), number(1), number(2)])?;
        let (mut salt, mut mac) = ([0; SALT], [0; MAC]);
        salt.copy_from_slice(&bytes[24..MACED]);
        mac.copy_from_slice(&bytes[MACED..]);
        let header = Self::new(Suite::from_code(suite)?, chunk_bits, kdf, salt)?;
        Ok(Unverified { header, mac })
    }

    /// Writes the header and makes what seals the chunks.
    ///
    /// # Errors
    /// [`Error::Cipher`] if the level that the environment asks for can't be had.
    pub fn seal(&self, key: &MasterKey) -> Result<([u8; HEADER], Chunks), Error> {
        let maced = self.maced();
        let keys = key.derive(self.suite, &self.salt, &maced);
        let mut written = [0; HEADER];
        written[..MACED].copy_from_slice(&maced);
        written[MACED..].copy_from_slice(&keys.mac(&maced));
        Ok((written, Chunks::new(self.suite, keys.chunks(), self.chunk())?))
    }

    /// The suite.
    #[must_use]
    pub const fn suite(&self) -> Suite {
        self.suite
    }

    /// How the master key was made.
    #[must_use]
    pub const fn kdf(&self) -> Kdf {
        self.kdf
    }

    /// The salt.
    #[must_use]
    pub const fn salt(&self) -> &[u8; SALT] {
        &self.salt
    }

    /// Bytes of plaintext in every chunk but the last.
    #[must_use]
    pub const fn chunk(&self) -> usize {
        1 << self.chunk_bits
    }

    /// Where the chunks of a file of so many bytes lie.
    ///
    /// # Errors
    /// [`Error::CutOff`] for a length that no whole file has.
    pub fn layout(&self, written: u64) -> Result<Layout, Error> {
        Layout::of_file(written, self.chunk() as u64)
    }

    fn maced(&self) -> [u8; MACED] {
        let mut bytes = [0; MACED];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&[
            VERSION,
            self.suite.code(),
            self.chunk_bits,
            self.kdf.code(),
        ]);
        for (i, number) in self.kdf.numbers().into_iter().enumerate() {
            bytes[12 + 4 * i..16 + 4 * i].copy_from_slice(&number.to_be_bytes());
        }
        bytes[24..].copy_from_slice(&self.salt);
        bytes
    }
}

impl Unverified {
    /// What the header says, which anybody may have changed.
    #[must_use]
    pub const fn claimed(&self) -> &Header {
        &self.header
    }

    /// Checks the MAC, in constant time, and makes what opens the chunks.
    ///
    /// # Errors
    /// [`Error::WrongKey`].
    pub fn open(&self, key: &MasterKey) -> Result<(Header, Chunks), Error> {
        let header = self.header;
        let maced = header.maced();
        let keys = key.derive(header.suite, &header.salt, &maced);
        let differs = keys.mac(&maced).iter().zip(&self.mac).fold(0, |sum, (a, b)| sum | (a ^ b));
        if std::hint::black_box(differs) != 0 {
            return Err(Error::WrongKey);
        }
        Ok((header, Chunks::new(header.suite, keys.chunks(), header.chunk())?))
    }
}
