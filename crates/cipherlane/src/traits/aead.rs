//! What authenticated encryption with associated data offers; object-safe.

#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};

use lanes::InOut;

use crate::error::{Error, check_length};
use crate::sizes::Sizes;

/// An AEAD under one key; one-shot calls on whole messages.
///
/// The tag's length belongs to the object: the longest of the mode, or another one that is
/// chosen when the object is made, by [`with_tag_len`](Self::with_tag_len). It is never taken
/// from a message, whose sender could shorten it and then needs to guess fewer bits. Nonces
/// must never repeat under one key unless the mode says otherwise.
pub trait Aead: Send + Sync {
    /// The nonce lengths allowed, in bytes.
    fn nonce_sizes(&self) -> Sizes;

    /// The tag lengths that the mode has, in bytes.
    fn tag_sizes(&self) -> Sizes;

    /// The length of this object's tags in bytes.
    fn tag_len(&self) -> usize;

    /// Chooses the length of this object's tags, for messages that follow.
    ///
    /// # Errors
    /// [`Error::Length`] if it is not one of [`tag_sizes`](Self::tag_sizes).
    fn set_tag_len(&mut self, bytes: usize) -> Result<(), Error>;

    /// The same object with tags of that many bytes.
    ///
    /// # Errors
    /// [`Error::Length`] if it is not one of [`tag_sizes`](Self::tag_sizes).
    fn with_tag_len(mut self, bytes: usize) -> Result<Self, Error>
    where
        Self: Sized,
    {
        self.set_tag_len(bytes)?;
        Ok(self)
    }

    /// Goes on under another key of the same length, in the same place, where the mode and its
    /// cipher have a way to: for a key for every packet, which then needs no allocation. Otherwise
    /// does nothing and returns `false`. The length of the tags stays.
    #[must_use = "whether the object has the key"]
    fn take_key(&mut self, key: &[u8]) -> bool {
        let _ = key;
        false
    }

    /// Encrypts a message, in place or buffer to buffer, and writes its tag.
    ///
    /// # Errors
    /// [`Error::Length`] for a nonce of a wrong length or a tag that has not
    /// [`tag_len`](Self::tag_len) bytes, [`Error::Limit`] for a message or associated data
    /// longer than the mode allows; nothing is written then.
    fn seal(&self, nonce: &[u8], aad: &[u8], io: InOut<'_>, tag: &mut [u8]) -> Result<(), Error>;

    /// Decrypts a message if its tag is right.
    ///
    /// # Errors
    /// [`Error::Authentication`] if the tag is wrong; the output is then all zeros.
    /// Otherwise as [`seal`](Self::seal).
    fn open(&self, nonce: &[u8], aad: &[u8], io: InOut<'_>, tag: &[u8]) -> Result<(), Error>;

    /// Decrypts a message in place if its tag is right; otherwise the ciphertext stays, for who
    /// tries one key after another.
    ///
    /// # Errors
    /// [`Error::Authentication`] if the tag is wrong; otherwise as [`seal`](Self::seal).
    fn try_open(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &[u8]) -> Result<(), Error>;

    /// Encrypts a message; ciphertext and tag stand one behind the other in `sealed`.
    ///
    /// # Errors
    /// As [`seal`](Self::seal); [`Error::OutputLength`] if `sealed` has not as many bytes as
    /// plaintext and tag.
    fn seal_attached(
        &self,
        nonce: &[u8],
        aad: &[u8],
        plaintext: &[u8],
        sealed: &mut [u8],
    ) -> Result<(), Error> {
        let (got, needed) = (sealed.len(), plaintext.len().saturating_add(self.tag_len()));
        if got != needed {
            return Err(Error::OutputLength { got, needed });
        }
        let (body, tag) = sealed.split_at_mut(plaintext.len());
        let io = InOut::disjoint(plaintext, body).ok_or(Error::OutputLength { got, needed })?;
        self.seal(nonce, aad, io, tag)
    }

    /// Encrypts a message into a vector: ciphertext and tag, one behind the other.
    ///
    /// # Errors
    /// As [`seal`](Self::seal).
    #[cfg(feature = "alloc")]
    #[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
    fn seal_to_vec(&self, nonce: &[u8], aad: &[u8], plaintext: &[u8]) -> Result<Vec<u8>, Error> {
        let mut sealed = vec![0; plaintext.len() + self.tag_len()];
        self.seal_attached(nonce, aad, plaintext, &mut sealed)?;
        Ok(sealed)
    }

    /// Decrypts ciphertext and tag, one behind the other, into a vector.
    ///
    /// # Errors
    /// As [`open`](Self::open); [`Error::Length`] if `sealed` is shorter than a tag.
    #[cfg(feature = "alloc")]
    #[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
    fn open_to_vec(&self, nonce: &[u8], aad: &[u8], sealed: &[u8]) -> Result<Vec<u8>, Error> {
        let mut plaintext = vec![0; sealed.len().saturating_sub(self.tag_len())];
        self.open_attached(nonce, aad, sealed, &mut plaintext)?;
        Ok(plaintext)
    }

    /// Decrypts ciphertext and tag that stand one behind the other.
    ///
    /// # Errors
    /// As [`open`](Self::open); [`Error::OutputLength`] if `plaintext` has not as many bytes as
    /// `sealed` without its tag, and if `sealed` is shorter than a tag.
    fn open_attached(
        &self,
        nonce: &[u8],
        aad: &[u8],
        sealed: &[u8],
        plaintext: &mut [u8],
    ) -> Result<(), Error> {
        let (tag, got) = (self.tag_len(), plaintext.len());
        let needed = sealed.len().checked_sub(tag).ok_or(Error::Length {
            field: "ciphertext and tag",
            got: sealed.len(),
            allowed: Sizes::between(tag, usize::MAX),
        })?;
        let (body, tag) = sealed.split_at(needed);
        let io = InOut::disjoint(body, plaintext).ok_or(Error::OutputLength { got, needed })?;
        self.open(nonce, aad, io, tag)
    }
}

/// Returns [`Error::Length`] unless a tag has the length that the object's tags have.
pub(crate) const fn check_tag_len(got: usize, tag: usize) -> Result<(), Error> {
    check_length("tag", got, Sizes::exactly(tag))
}

/// One message of an AEAD in pieces of any length.
///
/// Opening in pieces releases plaintext before the tag is checked: nothing of it may be
/// used before [`verify`](Self::verify) has returned `Ok`.
pub trait AeadStream: Send {
    /// Says how many bytes of associated data and of message will follow, and the length
    /// of the tags from now on. Only modes that need it beforehand take notice (CCM), for each message
    /// and before anything else; the registry says which.
    ///
    /// # Errors
    /// Those of the mode; the object is unchanged.
    fn announce(&mut self, aad: u64, message: u64, tag: usize) -> Result<(), Error> {
        let _ = (aad, message, tag);
        Ok(())
    }

    /// The length of this object's tags in bytes: the longest of the mode, unless another
    /// one was chosen.
    fn tag_len(&self) -> usize;

    /// Chooses the length of the tags of this message and of those that follow.
    ///
    /// # Errors
    /// [`Error::Length`] if the mode has no such tags.
    fn set_tag_len(&mut self, bytes: usize) -> Result<(), Error>;

    /// More associated data; all of it comes before the first of the message.
    ///
    /// # Errors
    /// [`Error::State`] after the first of the message, [`Error::Limit`] if it is too long.
    fn aad(&mut self, aad: &[u8]) -> Result<(), Error>;

    /// More of the message, encrypted or decrypted at once.
    ///
    /// # Errors
    /// [`Error::State`] after the end, [`Error::Limit`] if the message is too long.
    fn update(&mut self, io: InOut<'_>) -> Result<(), Error>;

    /// Ends an encrypted message and writes its tag.
    ///
    /// # Errors
    /// [`Error::Length`] for a tag that has not [`tag_len`](Self::tag_len) bytes,
    /// [`Error::State`] after the end.
    fn finish(&mut self, tag: &mut [u8]) -> Result<(), Error>;

    /// Ends a decrypted message and checks its tag, in constant time.
    ///
    /// # Errors
    /// [`Error::Authentication`] if the tag is wrong; otherwise as [`finish`](Self::finish).
    fn verify(&mut self, tag: &[u8]) -> Result<(), Error>;

    /// Starts another message with another nonce under the same key.
    ///
    /// # Errors
    /// [`Error::Length`] for a nonce of a wrong length; the object is unchanged.
    fn reset(&mut self, nonce: &[u8]) -> Result<(), Error>;
}
