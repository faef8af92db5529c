//! A cipher in its mode under a ready key.

use cipherlane::registry::{self, Algorithm, Constructor};
use cipherlane::{BlockCipher, Error as LibraryError, InOut, Level};
use zeroize::Zeroizing;

use crate::dialect::{Dialect, Mode, operation};
use crate::error::Error;

/// What works on a value.
pub(super) struct Keyed {
    work: Work,
    /// The key of the MAC, if there is one.
    pub(super) mac: Option<Zeroizing<Vec<u8>>>,
}

enum Work {
    /// A mode without a tag, in both directions.
    Plain {
        cipher: Box<dyn BlockCipher>,
        encrypt: registry::Mode,
        decrypt: registry::Mode,
    },
    Aead(Box<dyn cipherlane::Aead>),
}

impl Keyed {
    /// Sets the key.
    ///
    /// # Errors
    /// What the library says.
    pub(super) fn new(
        dialect: &'static Dialect,
        mode: &'static Mode,
        algorithm: &'static Algorithm,
        key: &[u8],
        level: Level,
    ) -> Result<Self, Error> {
        // Rows whose operations are not there, or of no use here, are not read.
        let missing = LibraryError::State("an operation that no value is stored with");
        let forward = operation(algorithm, &mode.operation).ok_or(missing)?;
        let work = match forward.new {
            Constructor::Aead { .. } => Work::Aead(forward.aead(key, level)?),
            _ => {
                let back = forward.inverse.and_then(|name| registry::operation(algorithm, name));
                let encrypt = forward.block_mode().ok_or(missing)?;
                let decrypt = back.and_then(|it| it.block_mode()).ok_or(missing)?;
                Work::Plain { cipher: algorithm.cipher(key, level)?, encrypt, decrypt }
            }
        };
        Ok(Self { work, mac: super::mac_key(dialect, key) })
    }

    /// Encrypts in place; an AEAD writes its tag.
    pub(super) fn encrypt(
        &self,
        iv: &[u8],
        aad: &[u8],
        data: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), LibraryError> {
        match &self.work {
            Work::Plain { cipher, encrypt, .. } => {
                (encrypt.message)(&**cipher, iv, InOut::from(data))
            }
            Work::Aead(aead) => aead.seal(iv, aad, InOut::from(data), tag),
        }
    }

    /// Decrypts in place, an AEAD only if the tag is right.
    pub(super) fn decrypt(
        &self,
        iv: &[u8],
        aad: &[u8],
        data: &mut [u8],
        tag: &[u8],
    ) -> Result<(), LibraryError> {
        match &self.work {
            Work::Plain { cipher, decrypt, .. } => {
                (decrypt.message)(&**cipher, iv, InOut::from(data))
            }
            Work::Aead(aead) => aead.open(iv, aad, InOut::from(data), tag),
        }
    }
}
