//! Keys: the user's, and those derived from it for one file.

use argon2::{Algorithm, Argon2, Params};
use hkdf::Hkdf;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use sm3::Sm3;
use zeroize::Zeroizing;

use crate::{Error, Suite};

/// Bytes of the key of a header's MAC, and of the MAC.
pub(crate) const MAC: usize = 32;

/// The user's key: 256 bits, drawn at random or derived from a passphrase. Wiped on drop.
#[derive(Clone)]
pub struct MasterKey(Zeroizing<[u8; 32]>);

impl MasterKey {
    /// A key drawn at random.
    #[must_use]
    pub fn from_bytes(key: [u8; 32]) -> Self {
        Self(Zeroizing::new(key))
    }

    /// The key of a passphrase, under the salt of the file.
    ///
    /// # Errors
    /// [`Error::KeyKind`] for a file made with a key, [`Error::Derivation`] if there is not
    /// the memory for it.
    pub fn from_passphrase(passphrase: &[u8], kdf: Kdf, salt: &[u8; 32]) -> Result<Self, Error> {
        let mut key = Zeroizing::new([0; 32]);
        match kdf {
            Kdf::Key => return Err(Error::KeyKind { made: "a key" }),
            Kdf::Argon2id { memory_kib, passes, lanes } => {
                let params = Params::new(memory_kib, passes, lanes, Some(key.len()));
                params
                    .and_then(|params| {
                        Argon2::new(Algorithm::Argon2id, argon2::Version::V0x13, params)
                            .hash_password_into(passphrase, salt, key.as_mut_slice())
                    })
                    .map_err(|error| Error::Derivation(error.to_string()))?;
            }
            Kdf::Pbkdf2Sm3 { iterations } => {
                pbkdf2::pbkdf2_hmac::<Sm3>(passphrase, salt, iterations, key.as_mut_slice());
            }
        }
        Ok(Self(key))
    }

    /// The bytes, for a key file.
    #[must_use]
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The keys of one file: of its header's MAC and of its chunks. The header up to its MAC
    /// goes in, so that no two headers share keys.
    pub(crate) fn derive(&self, suite: Suite, salt: &[u8], header: &[u8]) -> FileKeys {
        let mut both = Zeroizing::new([0; MAC + 32]);
        let okm = &mut both[..MAC + suite.key()];
        let info: &[&[u8]] = &[b"cipherlane file 1", header];
        let expanded = if suite.uses_sm3() {
            Hkdf::<Sm3>::new(Some(salt), self.0.as_slice()).expand_multi_info(info, okm)
        } else {
            Hkdf::<Sha256>::new(Some(salt), self.0.as_slice()).expand_multi_info(info, okm)
        };
        expanded.expect("HKDF gives up to 255 hashes, and these are two");
        FileKeys { both, suite }
    }
}

impl std::fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MasterKey([secret])")
    }
}

/// The keys of one file.
pub(crate) struct FileKeys {
    both: Zeroizing<[u8; MAC + 32]>,
    suite: Suite,
}

impl FileKeys {
    /// The key of the chunks.
    pub(crate) fn chunks(&self) -> &[u8] {
        &self.both[MAC..MAC + self.suite.key()]
    }

    /// The MAC of a header.
    pub(crate) fn mac(&self, header: &[u8]) -> [u8; MAC] {
        let key = &self.both[..MAC];
        if self.suite.uses_sm3() {
            let mac = Hmac::<Sm3>::new_from_slice(key).expect("HMAC takes any key");
            mac.chain_update(header).finalize().into_bytes().into()
        } else {
            let mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes any key");
            mac.chain_update(header).finalize().into_bytes().into()
        }
    }
}

/// How the master key came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kdf {
    /// It was drawn at random.
    Key,
    /// From a passphrase by Argon2id (RFC 9106).
    Argon2id {
        /// KiB of memory.
        memory_kib: u32,
        /// Passes over it.
        passes: u32,
        /// Lanes.
        lanes: u32,
    },
    /// From a passphrase by PBKDF2 (RFC 8018) with HMAC-SM3.
    Pbkdf2Sm3 {
        /// Iterations.
        iterations: u32,
    },
}

impl Kdf {
    /// Argon2id as RFC 9106, section 4 recommends it second: 64 MiB, 3 passes, 4 lanes.
    pub const ARGON2ID: Self = Self::Argon2id { memory_kib: 64 << 10, passes: 3, lanes: 4 };
    /// PBKDF2-HMAC-SM3 with 600 000 iterations.
    pub const PBKDF2_SM3: Self = Self::Pbkdf2Sm3 { iterations: 600_000 };

    /// The code in the header.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Key => 0,
            Self::Argon2id { .. } => 1,
            Self::Pbkdf2Sm3 { .. } => 2,
        }
    }

    /// The three numbers in the header.
    pub(crate) const fn numbers(self) -> [u32; 3] {
        match self {
            Self::Key => [0; 3],
            Self::Argon2id { memory_kib, passes, lanes } => [memory_kib, passes, lanes],
            Self::Pbkdf2Sm3 { iterations } => [iterations, 0, 0],
        }
    }

    /// Reads code and numbers. The ranges keep a forged header from using up the machine that
    /// reads it.
    pub(crate) fn from_numbers(code: u8, numbers: [u32; 3]) -> Result<Self, Error> {
        let [first, second, third] = numbers;
        let range = |field, got: u32, fits: bool, allowed| {
            if fits { Ok(()) } else { Err(Error::Field { field, got: got.into(), allowed }) }
        };
        match code {
            0 => {
                range("first KDF number", first, first == 0, "0 with a key")?;
                range("second KDF number", second, second == 0, "0 with a key")?;
                range("third KDF number", third, third == 0, "0 with a key")?;
                Ok(Self::Key)
            }
            1 => {
                let memory = (8 << 10..=2 << 20).contains(&first);
                range("Argon2id memory in KiB", first, memory, "8192 to 2097152")?;
                range("Argon2id passes", second, (1..=64).contains(&second), "1 to 64")?;
                range("Argon2id lanes", third, (1..=64).contains(&third), "1 to 64")?;
                Ok(Self::Argon2id { memory_kib: first, passes: second, lanes: third })
            }
            2 => {
                let iterations = (1000..=100_000_000).contains(&first);
                range("PBKDF2 iterations", first, iterations, "1000 to 100000000")?;
                range("second KDF number", second, second == 0, "0 with PBKDF2")?;
                range("third KDF number", third, third == 0, "0 with PBKDF2")?;
                Ok(Self::Pbkdf2Sm3 { iterations: first })
            }
            _ => Err(Error::Field { field: "KDF", got: code.into(), allowed: "0 to 2" }),
        }
    }
}
