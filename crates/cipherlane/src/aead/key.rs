//! Keys as values: drawn from the system, silent in `Debug`, wiped when they are dropped.

use core::fmt;

use crate::error::Error;
use crate::secret::Secret;
use crate::sizes::Sizes;

/// A key of `N` bytes: wiped on drop, never printed, and of the right length by its type. Every
/// constructor of the library takes its [`bytes`](Self::bytes).
///
/// ```
/// use cipherlane::aead::named::Sm4Gcm;
/// use cipherlane::Key;
///
/// let key = Key::from([7; 16]);
/// let gcm = Sm4Gcm::from_key(key.bytes())?;
/// assert_eq!(format!("{key:?}"), "Key(16 bytes)");
/// # Ok::<(), cipherlane::Error>(())
/// ```
#[derive(Clone)]
pub struct Key<const N: usize>(Secret<[u8; N]>);

impl<const N: usize> Key<N> {
    /// A new key, of random bytes of the system.
    ///
    /// # Errors
    /// [`Error::Entropy`] if the system gives none.
    #[cfg(feature = "getrandom")]
    #[cfg_attr(docsrs, doc(cfg(feature = "getrandom")))]
    pub fn generate() -> Result<Self, Error> {
        let mut key = Self(Secret([0; N]));
        getrandom::fill(&mut key.0.0).map_err(|_| Error::Entropy)?;
        Ok(key)
    }

    /// The bytes.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; N] {
        &self.0.0
    }
}

impl<const N: usize> From<[u8; N]> for Key<N> {
    /// The copy that the caller holds is the caller's to wipe.
    fn from(bytes: [u8; N]) -> Self {
        Self(Secret(bytes))
    }
}

impl<const N: usize> TryFrom<&[u8]> for Key<N> {
    type Error = Error;

    /// # Errors
    /// [`Error::Length`] if there are not `N` bytes.
    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        let wrong = Error::Length { field: "key", got: bytes.len(), allowed: Sizes::exactly(N) };
        if bytes.len() != N {
            return Err(wrong);
        }
        // In place, so that no copy is left behind.
        let mut key = Self(Secret([0; N]));
        key.0.0.copy_from_slice(bytes);
        Ok(key)
    }
}

impl<const N: usize> AsRef<[u8]> for Key<N> {
    fn as_ref(&self) -> &[u8] {
        &self.0.0
    }
}

impl<const N: usize> fmt::Debug for Key<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({N} bytes)")
    }
}

#[cfg(feature = "zeroize")]
#[cfg_attr(docsrs, doc(cfg(feature = "zeroize")))]
impl<const N: usize> zeroize::ZeroizeOnDrop for Key<N> {}
