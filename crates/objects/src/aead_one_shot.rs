//! AEADs on whole messages.

use core::fmt;
use core::sync::atomic::{AtomicU64, Ordering};

use cipherlane::registry::{self, Algorithm, Kind, Operation};
use cipherlane::{Aead, Error, InOut, Level, Sizes};

use crate::Failure;
use crate::context::{algorithm, level, no_operation};

/// AEADs that a nonce may be given to twice without harm beyond telling equal messages.
const RESISTANT: [&str; 2] = ["gcm-siv", "mur"];

/// An AEAD under one key, on whole messages; threads may share it. Its tags have one length,
/// which every call keeps to.
///
/// If told to remember it refuses to encrypt with the nonce of the message encrypted last,
/// unless the mode bears that. It keeps 64 bits that tell nonces apart, without a lock: two
/// threads that seal at the same moment are not told.
pub struct AeadOneShot {
    aead: Box<dyn Aead>,
    nonces: Sizes,
    /// The mark of the last nonce, 0 before the first; none where a second use does no harm.
    last: Option<AtomicU64>,
}

impl fmt::Debug for AeadOneShot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AeadOneShot").field("nonces", &self.nonces).finish_non_exhaustive()
    }
}

impl AeadOneShot {
    /// Of the AEAD of that name, e.g. `"gcm"` or `"gcm-seal"`, over an algorithm; at a level, or
    /// else the best there is.
    ///
    /// # Errors
    /// [`Failure::Unknown`], [`Failure::NoAead`], or what the library says of the key.
    pub fn new(
        name: &str,
        mode: &str,
        key: &[u8],
        remember: bool,
        at: Option<Level>,
    ) -> Result<Self, Failure> {
        let algorithm = algorithm(name)?;
        let level = level(at)?;
        let operation = sealing(algorithm, mode)?;
        if operation.streaming().is_none() {
            return Err(Failure::NoAead(operation.mode()));
        }
        let aead = operation.aead(key, level)?;
        let nonces = aead.nonce_sizes();
        let last = (remember && !RESISTANT.contains(&operation.mode())).then(|| AtomicU64::new(0));
        Ok(Self { aead, nonces, last })
    }

    /// The same with tags of that many bytes instead of the longest.
    ///
    /// # Errors
    /// [`Error::Length`] if the AEAD has no such tags.
    pub fn with_tag_len(mut self, bytes: usize) -> Result<Self, Failure> {
        self.aead.set_tag_len(bytes)?;
        Ok(self)
    }

    /// Goes on under another key of the same length, in the same place, if the AEAD can
    /// ([`Aead::take_key`]); otherwise does nothing and returns `false`. Nonces of messages under
    /// the key before are forgotten.
    #[must_use = "whether the object has the key"]
    pub fn take_key(&mut self, key: &[u8]) -> bool {
        let takes = self.aead.take_key(key);
        if takes && let Some(last) = &mut self.last {
            *last.get_mut() = 0;
        }
        takes
    }

    /// The length of its tags in bytes.
    #[must_use]
    pub fn tag_len(&self) -> usize {
        self.aead.tag_len()
    }

    /// The tag lengths that it could have, in bytes.
    #[must_use]
    pub fn tag_sizes(&self) -> Sizes {
        self.aead.tag_sizes()
    }

    /// Encrypts a message and writes its tag.
    ///
    /// # Errors
    /// [`Failure::NonceReused`]; what the library says. Nothing is written then.
    pub fn seal(
        &self,
        nonce: &[u8],
        aad: &[u8],
        io: InOut<'_>,
        tag: &mut [u8],
    ) -> Result<(), Failure> {
        let Some(last) = &self.last else { return Ok(self.aead.seal(nonce, aad, io, tag)?) };
        let mark = mark(nonce);
        if last.load(Ordering::Relaxed) == mark {
            return Err(Failure::NonceReused);
        }
        self.aead.seal(nonce, aad, io, tag)?;
        last.store(mark, Ordering::Relaxed);
        Ok(())
    }

    /// Decrypts a message if its tag is right.
    ///
    /// # Errors
    /// What the library says; after [`Error::Authentication`] the output is all zeros.
    pub fn open(&self, nonce: &[u8], aad: &[u8], io: InOut<'_>, tag: &[u8]) -> Result<(), Failure> {
        Ok(self.aead.open(nonce, aad, io, tag)?)
    }

    /// Whether nonce and tag have lengths that are allowed; before a buffer is made.
    ///
    /// # Errors
    /// [`Error::Length`].
    pub fn check(&self, nonce: usize, tag: usize) -> Result<(), Failure> {
        let tags = Sizes::exactly(self.aead.tag_len());
        for (field, got, allowed) in [("nonce", nonce, self.nonces), ("tag", tag, tags)] {
            if !allowed.allow(got) {
                return Err(Error::Length { field, got, allowed }.into());
            }
        }
        Ok(())
    }
}

/// A number that two nonces share by a chance of 1 in 2^64, and that is not 0.
#[inline]
fn mark(nonce: &[u8]) -> u64 {
    // Odd, and without pattern: the fractional part of the golden ratio.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut mark = (nonce.len() as u64 + 1).wrapping_mul(FACTOR);
    let (words, rest) = nonce.as_chunks::<8>();
    for word in words {
        mark = (mark ^ u64::from_le_bytes(*word)).wrapping_mul(FACTOR).rotate_left(29);
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    mark = (mark ^ u64::from_le_bytes(last)).wrapping_mul(FACTOR);
    mark.max(1)
}

/// The operation that seals: `gcm-seal` of `gcm-seal`, `gcm-open` or `gcm`.
pub(crate) fn sealing(algorithm: &'static Algorithm, name: &str) -> Result<Operation, Failure> {
    let found = |name: &str| registry::operation(algorithm, name);
    let operation = match found(name).or_else(|| found(&format!("{name}-seal"))) {
        Some(it) if it.kind == Kind::Open => it.inverse.and_then(found),
        it => it,
    };
    let seals = operation.filter(|it| it.kind == Kind::Seal);
    seals.ok_or_else(|| no_operation(algorithm, name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn nonces_that_differ_have_other_marks() {
        let mut marks = HashSet::new();
        for len in 0..=24 {
            let mut nonce = vec![0; len];
            assert!(marks.insert(mark(&nonce)), "{len} zeros");
            for byte in 0..len {
                for value in 1..=255 {
                    nonce[byte] = value;
                    assert!(marks.insert(mark(&nonce)), "{value} at {byte} of {len}");
                }
                // What comes later differs from counters that end here.
                nonce[byte] = 0xff;
            }
        }
        assert!(!marks.contains(&0));
    }
}
