//! Which cipher seals the chunks.

use cipherlane::aead::gcm::Gcm;
use cipherlane::aead::gxm::Gxm;
use cipherlane::{Aead, Aes128, Aes256, Level, Sm4};

use crate::Error;

/// The AEAD of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suite {
    /// SM4 (GB/T 32907-2016) in GCM; keys are derived with SM3.
    Sm4Gcm,
    /// AES-128 (FIPS 197) in GCM; keys are derived with SHA-256.
    Aes128Gcm,
    /// AES-256 (FIPS 197) in GCM; keys are derived with SHA-256.
    Aes256Gcm,
    /// ZUC-128 in GXM (GM/T 0001.4-2024); keys are derived with SM3.
    ZucGxm,
}

impl Suite {
    /// Every suite, in the order of their codes.
    pub const ALL: [Self; 4] = [Self::Sm4Gcm, Self::Aes128Gcm, Self::Aes256Gcm, Self::ZucGxm];

    /// The code in the header.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Sm4Gcm => 1,
            Self::Aes128Gcm => 2,
            Self::Aes256Gcm => 3,
            Self::ZucGxm => 4,
        }
    }

    /// The suite of that code.
    ///
    /// # Errors
    /// [`Error::Field`] for any other.
    pub fn from_code(code: u8) -> Result<Self, Error> {
        let found = Self::ALL.into_iter().find(|suite| suite.code() == code);
        let (field, allowed) = ("suite", "1 to 4 in files of version 1");
        found.ok_or(Error::Field { field, got: code.into(), allowed })
    }

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sm4Gcm => "sm4-gcm",
            Self::Aes128Gcm => "aes-128-gcm",
            Self::Aes256Gcm => "aes-256-gcm",
            Self::ZucGxm => "zuc-gxm",
        }
    }

    /// Key length in bytes.
    pub(crate) const fn key(self) -> usize {
        match self {
            Self::Sm4Gcm | Self::Aes128Gcm | Self::ZucGxm => 16,
            Self::Aes256Gcm => 32,
        }
    }

    /// Nonce length in bytes.
    pub(crate) const fn nonce(self) -> usize {
        match self {
            Self::Sm4Gcm | Self::Aes128Gcm | Self::Aes256Gcm => 12,
            Self::ZucGxm => 16,
        }
    }

    /// Whether keys are derived with SM3, else with SHA-256.
    pub(crate) const fn uses_sm3(self) -> bool {
        matches!(self, Self::Sm4Gcm | Self::ZucGxm)
    }

    /// The AEAD under a key of [`key`](Self::key) bytes.
    pub(crate) fn aead(self, key: &[u8]) -> Result<Box<dyn Aead>, Error> {
        let level = Level::detect().map_err(cipherlane::Error::Level)?;
        Ok(match self {
            Self::Sm4Gcm => Box::new(Gcm::new(Sm4::with_level(key, level)?)?),
            Self::Aes128Gcm => Box::new(Gcm::new(Aes128::with_level(key, level)?)?),
            Self::Aes256Gcm => Box::new(Gcm::new(Aes256::with_level(key, level)?)?),
            Self::ZucGxm => Box::new(Gxm::with_level(key, level)?),
        })
    }
}
