//! Authenticated encryption with associated data, under a ready key.

pub mod gcm;
pub mod gcm_siv;
#[cfg(feature = "zuc")]
pub mod gxm;
#[cfg(feature = "zuc")]
pub mod mur;

use lanes::InOut;

use crate::{Error, Sizes};

pub mod ccm;

/// An AEAD under one key; one-shot calls on whole messages.
///
/// The tag's length is the length of the slice given; it must be one of
/// [`tag_sizes`](Self::tag_sizes). Nonces must never repeat under one key unless the
/// mode says otherwise.
pub trait Aead: Send + Sync {
    /// The nonce lengths allowed, in bytes.
    fn nonce_sizes(&self) -> Sizes;

    /// The tag lengths allowed, in bytes.
    fn tag_sizes(&self) -> Sizes;

    /// Encrypts a message, in place or buffer to buffer, and writes its tag.
    ///
    /// # Errors
    /// [`Error::Length`] for a nonce or tag of a wrong length, [`Error::Limit`] for a
    /// message or associated data longer than the mode allows; nothing is written then.
    fn seal(&self, nonce: &[u8], aad: &[u8], io: InOut<'_>, tag: &mut [u8]) -> Result<(), Error>;

    /// Decrypts a message if its tag is right.
    ///
    /// # Errors
    /// [`Error::Authentication`] if the tag is wrong; the output is then all zeros.
    /// Otherwise as [`seal`](Self::seal).
    fn open(&self, nonce: &[u8], aad: &[u8], io: InOut<'_>, tag: &[u8]) -> Result<(), Error>;

    /// Encrypts a message; ciphertext and tag stand one behind the other in `sealed`,
    /// whose length beyond the plaintext's is the tag's.
    ///
    /// # Errors
    /// As [`seal`](Self::seal); [`Error::OutputLength`] if `sealed` is shorter than the plaintext.
    fn seal_attached(
        &self,
        nonce: &[u8],
        aad: &[u8],
        plaintext: &[u8],
        sealed: &mut [u8],
    ) -> Result<(), Error> {
        let (got, needed) = (sealed.len(), plaintext.len() + self.tag_sizes().max);
        let (body, tag) = sealed
            .split_at_mut_checked(plaintext.len())
            .ok_or(Error::OutputLength { got, needed })?;
        let io = InOut::disjoint(plaintext, body).ok_or(Error::OutputLength { got, needed })?;
        self.seal(nonce, aad, io, tag)
    }

    /// Decrypts ciphertext and tag that stand one behind the other; the tag's length is
    /// `sealed`'s beyond `plaintext`'s.
    ///
    /// # Errors
    /// As [`open`](Self::open); [`Error::OutputLength`] if `plaintext` is longer than `sealed`.
    fn open_attached(
        &self,
        nonce: &[u8],
        aad: &[u8],
        sealed: &[u8],
        plaintext: &mut [u8],
    ) -> Result<(), Error> {
        let (got, needed) = (plaintext.len(), sealed.len().saturating_sub(self.tag_sizes().max));
        let (body, tag) =
            sealed.split_at_checked(plaintext.len()).ok_or(Error::OutputLength { got, needed })?;
        let io = InOut::disjoint(body, plaintext).ok_or(Error::OutputLength { got, needed })?;
        self.open(nonce, aad, io, tag)
    }
}

/// One message of an AEAD in pieces of any length.
///
/// Opening in pieces releases plaintext before the tag is checked: nothing of it may be
/// used before [`verify`](Self::verify) has returned `Ok`.
pub trait AeadStream: Send {
    /// Says how many bytes of associated data and of message will follow, and the length
    /// of the tag. Only modes that need it beforehand take notice (CCM), for each message
    /// and before anything else; the registry says which.
    ///
    /// # Errors
    /// Those of the mode; the object is unchanged.
    fn announce(&mut self, aad: u64, message: u64, tag: usize) -> Result<(), Error> {
        let _ = (aad, message, tag);
        Ok(())
    }

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
    /// [`Error::Length`] for a tag of a wrong length, [`Error::State`] after the end.
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
