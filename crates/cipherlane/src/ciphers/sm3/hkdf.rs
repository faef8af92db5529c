//! HKDF-SM3 (RFC 5869), the key schedule of RFC 8998's suites and of our encrypted files.

use core::fmt;

use lanes::Level;

use super::{DIGEST, HmacSm3};
use crate::error::{Error, check_length};
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::mac::Mac as _;

/// The most bytes of one expansion (RFC 5869, 2.3).
const MOST: usize = 255 * DIGEST;

/// Keys from one secret, each under an info of its own.
///
/// ```
/// use cipherlane::sm3::HkdfSm3;
///
/// let hkdf = HkdfSm3::extract(b"a salt, or nothing", b"what two parties agreed on")?;
/// let (mut key, mut nonce) = ([0; 16], [0; 12]);
/// hkdf.expand(&[b"my protocol: key"], &mut key)?;
/// hkdf.expand(&[b"my protocol: nonce"], &mut nonce)?;
/// # Ok::<(), cipherlane::Error>(())
/// ```
#[derive(Clone)]
pub struct HkdfSm3(HmacSm3);

impl fmt::Debug for HkdfSm3 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HkdfSm3").finish_non_exhaustive()
    }
}

impl HkdfSm3 {
    /// HKDF-Extract of a salt, which may be empty, and a secret of any length.
    ///
    /// # Errors
    /// As [`HmacSm3::new`].
    pub fn extract(salt: &[u8], secret: &[u8]) -> Result<Self, Error> {
        Self::extract_with_level(salt, secret, Level::detect()?)
    }

    /// The same at a given level.
    ///
    /// # Errors
    /// As [`HmacSm3::with_level`].
    pub fn extract_with_level(salt: &[u8], secret: &[u8], level: Level) -> Result<Self, Error> {
        // No salt is one of 32 zeros, which HMAC's padding makes of an empty key, too.
        let mut mac = HmacSm3::with_level(salt, level)?;
        mac.update(secret)?;
        Self::from_key_with_level(&mac.end().0, level)
    }

    /// HKDF-Expand alone, from a key that is as good as random.
    ///
    /// # Errors
    /// [`Error::Length`] if it has less than 32 bytes; as [`HmacSm3::new`].
    pub fn from_key(key: &[u8]) -> Result<Self, Error> {
        Self::from_key_with_level(key, Level::detect()?)
    }

    /// The same at a given level.
    ///
    /// # Errors
    /// As [`from_key`](Self::from_key), but for the level.
    pub fn from_key_with_level(key: &[u8], level: Level) -> Result<Self, Error> {
        check_length("key", key.len(), Sizes::between(DIGEST, usize::MAX))?;
        Ok(Self(HmacSm3::with_level(key, level)?))
    }

    /// HKDF-Expand: fills `out` with what follows from the pieces of `info`, which count as one.
    ///
    /// # Errors
    /// [`Error::Length`] if that is more than 8160 bytes.
    pub fn expand(&self, info: &[&[u8]], out: &mut [u8]) -> Result<(), Error> {
        check_length("output", out.len(), Sizes::between(0, MOST))?;
        let mut mac = self.0.clone();
        let mut block = Secret([0; DIGEST]);
        for (index, out) in out.chunks_mut(DIGEST).enumerate() {
            if index > 0 {
                mac.update(&block.0)?;
            }
            for piece in info {
                mac.update(piece)?;
            }
            // At most 255 blocks.
            mac.update(&[index as u8 + 1])?;
            block.0 = mac.end().0;
            out.copy_from_slice(&block.0[..out.len()]);
        }
        Ok(())
    }
}
