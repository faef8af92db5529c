//! Messages sealed into vectors, with nonces that are made here.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::sync::atomic::{AtomicU32, Ordering};

use crate::error::{Error, check_length};
use crate::sizes::Sizes;
use crate::traits::aead::Aead;

/// The length of the nonces in bytes.
pub const NONCE: usize = 12;

/// Messages that one object seals: with random nonces of 12 bytes, SP 800-38D (§8.3) allows 2³² under
/// one key, after which two are equal with a probability of 2⁻³³.
pub const MOST: u32 = u32::MAX;

/// An AEAD that makes its nonces: random ones of 12 bytes, which stand in front of the ciphertext,
/// as the tag stands behind it.
///
/// The bound on messages is counted in this object: who makes several of one key, or uses a key on
/// several machines, counts by themselves. Where that can't be done, take a
/// [`Sm4GcmSiv`](super::named::Sm4GcmSiv) in it, which bears equal nonces. As constant-time as the
/// AEAD.
///
/// ```
/// use cipherlane::aead::named::Sm4Gcm;
/// use cipherlane::aead::sealer::Sealer;
/// use cipherlane::{Error, Key};
///
/// let key = Key::<16>::generate()?;
/// let sealer = Sealer::new(Sm4Gcm::from_key(key.bytes())?)?;
/// let mut sealed = sealer.seal(b"a header", b"a message")?;
/// assert_eq!(sealed.len(), 12 + 9 + 16);
/// assert_eq!(sealer.open(b"a header", &sealed)?, b"a message");
/// sealed[20] ^= 1;
/// assert_eq!(sealer.open(b"a header", &sealed), Err(Error::Authentication));
/// # Ok::<(), Error>(())
/// ```
pub struct Sealer<A> {
    aead: A,
    /// Messages sealed.
    sealed: AtomicU32,
}

impl<A> fmt::Debug for Sealer<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sealer").field("sealed", &self.sealed).finish_non_exhaustive()
    }
}

impl<A: Aead> Sealer<A> {
    /// Over an AEAD that no message was sealed with yet.
    ///
    /// # Errors
    /// [`Error::Length`] if it takes no nonces of 12 bytes.
    pub fn new(aead: A) -> Result<Self, Error> {
        check_length("nonce", NONCE, aead.nonce_sizes())?;
        Ok(Self { aead, sealed: AtomicU32::new(0) })
    }

    /// Encrypts a message: nonce, ciphertext and tag, one behind the other.
    ///
    /// # Errors
    /// [`Error::Entropy`] if the system gives no random bytes; [`Error::Limit`] after [`MOST`]
    /// messages, and if the message is longer than the mode allows.
    pub fn seal(&self, aad: &[u8], message: &[u8]) -> Result<Vec<u8>, Error> {
        let next = |sealed: u32| sealed.checked_add(1);
        self.sealed
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, next)
            .map_err(|_| Error::Limit { what: "messages under one key", limit: u64::from(MOST) })?;
        let mut sealed = vec![0; NONCE + message.len() + self.aead.tag_len()];
        let (nonce, rest) = sealed.split_at_mut(NONCE);
        getrandom::fill(nonce).map_err(|_| Error::Entropy)?;
        self.aead.seal_attached(nonce, aad, message, rest)?;
        Ok(sealed)
    }

    /// Decrypts what [`seal`](Self::seal) has made, here or elsewhere.
    ///
    /// # Errors
    /// [`Error::Authentication`] if a byte of it, of `aad` or of the key is another;
    /// [`Error::Length`] if it is shorter than a nonce and a tag.
    pub fn open(&self, aad: &[u8], sealed: &[u8]) -> Result<Vec<u8>, Error> {
        let least = NONCE + self.aead.tag_len();
        let allowed = Sizes::between(least, usize::MAX);
        check_length("nonce, ciphertext and tag", sealed.len(), allowed)?;
        let (nonce, rest) = sealed.split_at(NONCE);
        self.aead.open_to_vec(nonce, aad, rest)
    }

    /// The AEAD itself, for messages under nonces that come from elsewhere: those are not counted.
    #[must_use]
    pub const fn aead(&self) -> &A {
        &self.aead
    }
}

#[cfg(all(test, feature = "sm4"))]
mod tests {
    use super::*;
    use crate::aead::named::{Sm4Ccm, Sm4Gcm};

    #[test]
    fn nonces_differ_and_the_last_message_is_the_last() {
        let sealer = Sealer::new(Sm4Gcm::from_key(&[1; 16]).unwrap()).unwrap();
        let [one, other] = [0, 1].map(|_| sealer.seal(b"", b"equal").unwrap());
        assert_ne!(one[..NONCE], other[..NONCE]);
        sealer.sealed.store(MOST - 1, Ordering::Relaxed);
        assert!(sealer.seal(b"", b"").is_ok());
        for _ in 0..2 {
            let full = sealer.seal(b"", b"").unwrap_err();
            assert!(matches!(full, Error::Limit { limit, .. } if limit == u64::from(MOST)));
        }
        assert_eq!(sealer.open(b"", &one).unwrap(), b"equal", "opening goes on");
    }

    #[test]
    fn what_is_too_short_is_refused_by_length() {
        let sealer = Sealer::new(Sm4Ccm::from_key(&[1; 16]).unwrap()).unwrap();
        for length in 0..NONCE + 16 {
            let short = sealer.open(b"", &vec![0; length]).unwrap_err();
            assert!(matches!(short, Error::Length { got, .. } if got == length));
        }
        let empty = sealer.seal(b"aad", b"").unwrap();
        assert_eq!(sealer.open(b"aad", &empty), Ok(Vec::new()));
        assert_eq!(sealer.open(b"add", &empty), Err(Error::Authentication));
    }
}
