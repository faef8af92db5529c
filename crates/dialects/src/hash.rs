//! The digests that dialects make keys and MACs with.

use core::fmt;

use hmac::{Hmac, KeyInit as _, Mac as _};
use md5::Md5;
use serde::Deserialize;
use sha1::Sha1;
use sha2::{Digest as _, Sha224, Sha256, Sha384, Sha512};
use zeroize::{Zeroize as _, Zeroizing};

/// A digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Hash {
    /// MD5 (RFC 1321).
    #[serde(rename = "md5")]
    Md5,
    /// SHA-1 (FIPS 180-4), as those that follow.
    #[serde(rename = "sha-1")]
    Sha1,
    /// SHA-224.
    #[serde(rename = "sha-224")]
    Sha224,
    /// SHA-256.
    #[serde(rename = "sha-256")]
    Sha256,
    /// SHA-384.
    #[serde(rename = "sha-384")]
    Sha384,
    /// SHA-512.
    #[serde(rename = "sha-512")]
    Sha512,
}

/// Calls an expression with `H` as the digest's type.
macro_rules! with {
    ($hash:expr, $call:expr) => {
        match $hash {
            Hash::Md5 => {
                type H = Md5;
                $call
            }
            Hash::Sha1 => {
                type H = Sha1;
                $call
            }
            Hash::Sha224 => {
                type H = Sha224;
                $call
            }
            Hash::Sha256 => {
                type H = Sha256;
                $call
            }
            Hash::Sha384 => {
                type H = Sha384;
                $call
            }
            Hash::Sha512 => {
                type H = Sha512;
                $call
            }
        }
    };
}

impl Hash {
    /// Every one.
    pub const ALL: [Self; 6] =
        [Self::Md5, Self::Sha1, Self::Sha224, Self::Sha256, Self::Sha384, Self::Sha512];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Md5 => "MD5",
            Self::Sha1 => "SHA-1",
            Self::Sha224 => "SHA-224",
            Self::Sha256 => "SHA-256",
            Self::Sha384 => "SHA-384",
            Self::Sha512 => "SHA-512",
        }
    }

    /// The digest of that name, whatever its case and hyphens.
    ///
    /// ```
    /// use dialects::Hash;
    ///
    /// assert_eq!(Hash::named("sha256"), Some(Hash::Sha256));
    /// assert_eq!(Hash::named("sha3"), None);
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let plain = |name: &str| name.replace('-', "").to_ascii_lowercase();
        Self::ALL.into_iter().find(|it| plain(it.name()) == plain(name))
    }

    /// The digest of a text.
    pub(crate) fn digest(self, text: &[u8]) -> Zeroizing<Vec<u8>> {
        with!(self, {
            let mut digest = H::digest(text);
            let kept = Zeroizing::new(digest.to_vec());
            digest.as_mut_slice().zeroize();
            kept
        })
    }

    /// PBKDF2 with HMAC of it (RFC 8018, 5.2).
    pub(crate) fn pbkdf2(self, password: &[u8], salt: &[u8], iterations: u32, key: &mut [u8]) {
        with!(self, pbkdf2::pbkdf2_hmac::<H>(password, salt, iterations, key));
    }

    /// Writes HMAC over the parts, one behind the other.
    pub(crate) fn mac<'a>(self, key: &[u8], parts: impl Iterator<Item = &'a [u8]>, mac: &mut [u8]) {
        with!(self, mac.copy_from_slice(&hmac::<H>(key, parts).finalize().into_bytes()));
    }

    /// Whether HMAC over the parts is this one, in a time that tells nothing of where they differ.
    pub(crate) fn mac_is<'a>(
        self,
        key: &[u8],
        parts: impl Iterator<Item = &'a [u8]>,
        mac: &[u8],
    ) -> bool {
        with!(self, hmac::<H>(key, parts).verify_slice(mac).is_ok())
    }
}

fn hmac<'a, H: hmac::EagerHash>(key: &[u8], parts: impl Iterator<Item = &'a [u8]>) -> Hmac<H> {
    // RFC 2104 takes keys of every length.
    let mut mac = Hmac::<H>::new_from_slice(key).expect("HMAC takes any key");
    parts.for_each(|part| mac.update(part));
    mac
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
