//! Files in the shape of RocksDB's `EncryptedEnv` and of TiKV's: a prefix with an IV, then data in
//! counter mode that is read and written at any offset. `encrypted_env.md` tells more; the form is
//! that of `encrypted_env.c`.

use std::fs::{File, OpenOptions};
use std::io::{self, Error, ErrorKind};
use std::os::unix::fs::FileExt;
use std::path::Path;

use cipherlane::modes::ctr::Ctr;
use cipherlane::{Aes128, Aes256, BlockCipher, Sm4, StreamCipher, StreamSeek};

/// Bytes in front of the data: a page, as RocksDB has it.
pub const PREFIX: usize = 4096;

const FORMAT: &[u8; 8] = b"ctr-env1";
const NAME: usize = 24;
/// Bytes of a file's IV.
pub const IV: usize = 16;

/// A cipher and the IV of a file: RocksDB's `BlockAccessCipherStream`. The key is set once; threads share it.
pub struct Access {
    cipher: Box<dyn BlockCipher + Send + Sync>,
    iv: [u8; IV],
}

impl Access {
    /// Of a cipher by OpenSSL's name.
    ///
    /// # Errors
    /// A name that is none, and what the library says of the key.
    pub fn new(name: &str, key: &[u8], iv: [u8; IV]) -> io::Result<Self> {
        let cipher: Box<dyn BlockCipher + Send + Sync> = match name {
            "SM4-CTR" => Box::new(Sm4::new(key).map_err(invalid)?),
            "AES-128-CTR" => Box::new(Aes128::new(key).map_err(invalid)?),
            "AES-256-CTR" => Box::new(Aes256::new(key).map_err(invalid)?),
            other => return Err(invalid(format!("cipher `{other}`; SM4-CTR or AES-*-CTR"))),
        };
        Ok(Self { cipher, iv })
    }

    /// Encrypts or decrypts, in place, the data that begins at byte `offset`.
    ///
    /// # Errors
    /// What the library says: an offset behind the last block.
    pub fn apply(&self, offset: u64, data: &mut [u8]) -> io::Result<()> {
        let mut ctr = Ctr::new(&*self.cipher, &self.iv).map_err(invalid)?;
        ctr.seek(offset.into()).map_err(invalid)?;
        ctr.apply(data).map_err(invalid)
    }
}

/// An encrypted file. Each of its bytes is written once: written twice, the two give their difference
/// away.
pub struct EncryptedFile {
    file: File,
    access: Access,
}

impl EncryptedFile {
    /// Makes a file, which must not be there, under an IV that was drawn for it.
    ///
    /// # Errors
    /// Of the file, the name and the key.
    pub fn create(path: &Path, name: &str, key: &[u8], iv: [u8; IV]) -> io::Result<Self> {
        let access = Access::new(name, key, iv)?;
        let mut prefix = [0; PREFIX];
        prefix[..8].copy_from_slice(FORMAT);
        prefix[8..8 + name.len()].copy_from_slice(name.as_bytes());
        prefix[8 + NAME..8 + NAME + IV].copy_from_slice(&iv);
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(path)?;
        file.write_all_at(&prefix, 0)?;
        Ok(Self { file, access })
    }

    /// Opens one.
    ///
    /// # Errors
    /// Of the file and the key, and of a file that has another form.
    pub fn open(path: &Path, key: &[u8]) -> io::Result<Self> {
        let file = File::open(path)?;
        let mut prefix = [0; PREFIX];
        file.read_exact_at(&mut prefix, 0)?;
        let (format, rest) = prefix.split_at(8);
        if format != FORMAT {
            return Err(invalid(format!("{} is no file of this form", path.display())));
        }
        let (name, rest) = rest.split_at(NAME);
        let name = std::str::from_utf8(name).map_err(invalid)?.trim_end_matches('\0');
        let iv = rest[..IV].try_into().expect("as long as that");
        Ok(Self { file, access: Access::new(name, key, iv)? })
    }

    /// Encrypts data, which is then in `data`, to where it belongs.
    ///
    /// # Errors
    /// Of the file.
    pub fn write_at(&self, offset: u64, data: &mut [u8]) -> io::Result<()> {
        let place = place(offset, data.len())?;
        self.access.apply(offset, data)?;
        self.file.write_all_at(data, place)
    }

    /// Reads data at a place, and how much there is.
    ///
    /// # Errors
    /// Of the file.
    pub fn read_at(&self, offset: u64, data: &mut [u8]) -> io::Result<usize> {
        let (place, mut done) = (place(offset, data.len())?, 0);
        while done < data.len() {
            match self.file.read_at(&mut data[done..], place + done as u64)? {
                0 => break,
                more => done += more,
            }
        }
        self.access.apply(offset, &mut data[..done])?;
        Ok(done)
    }
}

/// Where data at an offset stands in the file, as far as files go.
fn place(offset: u64, length: usize) -> io::Result<u64> {
    let place = offset.checked_add(PREFIX as u64);
    let end = place.and_then(|place| place.checked_add(length as u64));
    let last = end.filter(|end| *end <= i64::MAX as u64).and(place);
    last.ok_or_else(|| invalid(format!("{length} bytes at {offset} are beyond what a file has")))
}

/// What is refused.
pub fn invalid(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::new(ErrorKind::InvalidInput, error)
}
