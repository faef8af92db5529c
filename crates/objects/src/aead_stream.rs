//! AEADs on messages in pieces.

use core::fmt;

use cipherlane::aead;
use cipherlane::modes::Direction;
use cipherlane::registry::AeadStreaming;
use cipherlane::{Error, InOut, Level};

use crate::aead_one_shot::sealing;
use crate::context::{algorithm, level, no_operation};
use crate::{Failure, Query};

/// One message of an AEAD, in pieces of any length.
///
/// Decryption gives plaintext before the tag is checked: nothing of it may be used before
/// [`verify`](Self::verify) has returned `Ok`.
pub struct AeadStream {
    stream: Box<dyn aead::AeadStream>,
    /// Whether the lengths must be announced, and are not.
    unannounced: bool,
    /// The nonce that the message is encrypted with; none where another may be, too.
    last: Option<Vec<u8>>,
}

impl fmt::Debug for AeadStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AeadStream").field("unannounced", &self.unannounced).finish_non_exhaustive()
    }
}

const UNANNOUNCED: Error = Error::State("this mode needs the lengths of the message beforehand");

impl AeadStream {
    /// Of the AEAD of that name, e.g. `"gcm"`, over a block cipher; at a level, or else the best
    /// there is.
    ///
    /// # Errors
    /// [`Failure::Unknown`] where there is none that takes pieces, or what the library says.
    pub fn new(
        name: &str,
        mode: &str,
        key: &[u8],
        direction: Direction,
        nonce: &[u8],
        at: Option<Level>,
    ) -> Result<Self, Failure> {
        let algorithm = algorithm(name)?;
        let operation = sealing(algorithm, mode)?;
        if operation.mode() != mode {
            return Err(no_operation(algorithm, mode));
        }
        let streaming = operation.streaming().ok_or(Failure::NoAead(operation.mode()))?;
        let whole = || Failure::unknown(Query::Pieces(algorithm.name), mode);
        let new = streaming.constructor().ok_or_else(whole)?;
        let stream = new(algorithm, key, level(at)?, direction, nonce)?;
        let unannounced = matches!(streaming, AeadStreaming::Announced(_));
        let last = (direction == Direction::Encrypt).then(|| nonce.to_vec());
        Ok(Self { stream, unannounced, last })
    }

    /// The same with tags of that many bytes instead of the longest.
    ///
    /// # Errors
    /// [`Error::Length`] if the AEAD has no such tags.
    pub fn with_tag_len(mut self, bytes: usize) -> Result<Self, Failure> {
        self.set_tag_len(bytes)?;
        Ok(self)
    }

    /// Chooses the length of tags from this message on.
    ///
    /// # Errors
    /// What the library says.
    pub fn set_tag_len(&mut self, bytes: usize) -> Result<(), Failure> {
        Ok(self.stream.set_tag_len(bytes)?)
    }

    /// The length of its tags in bytes.
    #[must_use]
    pub fn tag_len(&self) -> usize {
        self.stream.tag_len()
    }

    /// Lets [`reset`](Self::reset) take the nonce of the message before once more.
    pub fn allow_nonce_reuse(&mut self) {
        self.last = None;
    }

    /// Says how many bytes of associated data and of message follow, and the tag's length.
    ///
    /// # Errors
    /// What the library says.
    pub fn announce(&mut self, aad: u64, message: u64, tag: usize) -> Result<(), Failure> {
        self.stream.announce(aad, message, tag)?;
        self.unannounced = false;
        Ok(())
    }

    fn ready(&mut self) -> Result<&mut dyn aead::AeadStream, Failure> {
        if self.unannounced { Err(UNANNOUNCED.into()) } else { Ok(&mut *self.stream) }
    }

    /// More associated data; all of it comes before the message.
    ///
    /// # Errors
    /// What the library says.
    pub fn aad(&mut self, aad: &[u8]) -> Result<(), Failure> {
        Ok(self.ready()?.aad(aad)?)
    }

    /// More of the message.
    ///
    /// # Errors
    /// What the library says.
    pub fn update(&mut self, io: InOut<'_>) -> Result<(), Failure> {
        Ok(self.ready()?.update(io)?)
    }

    /// Ends an encrypted message and writes its tag.
    ///
    /// # Errors
    /// What the library says.
    pub fn finish(&mut self, tag: &mut [u8]) -> Result<(), Failure> {
        Ok(self.ready()?.finish(tag)?)
    }

    /// Ends a decrypted message and checks its tag.
    ///
    /// # Errors
    /// What the library says.
    pub fn verify(&mut self, tag: &[u8]) -> Result<(), Failure> {
        Ok(self.ready()?.verify(tag)?)
    }

    /// Starts another message under the same key, with another nonce if it is encrypted.
    ///
    /// # Errors
    /// [`Failure::NonceReused`], or what the library says.
    pub fn reset(&mut self, nonce: &[u8]) -> Result<(), Failure> {
        if self.last.as_deref() == Some(nonce) {
            return Err(Failure::NonceReused);
        }
        self.stream.reset(nonce)?;
        if let Some(last) = &mut self.last {
            nonce.clone_into(last);
        }
        Ok(())
    }
}
