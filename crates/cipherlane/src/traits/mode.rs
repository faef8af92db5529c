//! What modes of block ciphers offer, under a ready key; object-safe.

use lanes::InOut;

use crate::error::Error;

/// Whether a mode encrypts or decrypts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Plaintext to ciphertext.
    Encrypt,
    /// Ciphertext to plaintext.
    Decrypt,
}

/// A mode that works on whole blocks, in one direction, under a ready key.
pub trait BlockMode: Send {
    /// The length of a block in bytes.
    fn block_size(&self) -> usize;

    /// Whether it encrypts or decrypts.
    fn direction(&self) -> Direction;

    /// Processes whole blocks; the next call goes on where this one ended.
    ///
    /// # Errors
    /// [`Error::PartialBlock`] if the data is not whole blocks; then nothing has been written.
    fn blocks(&mut self, io: InOut<'_>) -> Result<(), Error>;

    /// Starts again with another IV under the same key.
    ///
    /// # Errors
    /// [`Error::Length`] if the IV's length is not allowed; the object is unchanged.
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error>;
}

/// A mode on whole messages that are not cut into blocks by the user, under a
/// ready key: a data unit of XTS, a message of HCTR.
pub trait MessageMode: Send + Sync {
    /// Goes on under another key of the same length, in the same place, where the mode and its
    /// cipher have a way to; otherwise does nothing and returns `false`.
    #[must_use = "whether the object has the key"]
    fn take_key(&mut self, key: &[u8]) -> bool {
        let _ = key;
        false
    }

    /// Encrypts one message under an IV or tweak.
    ///
    /// # Errors
    /// [`Error::Length`] if the IV or the message has a length that is not allowed,
    /// [`Error::Limit`] if the message is too long; nothing is written then.
    fn encrypt(&self, iv: &[u8], io: InOut<'_>) -> Result<(), Error>;

    /// Decrypts one message under an IV or tweak.
    ///
    /// # Errors
    /// As [`encrypt`](Self::encrypt).
    fn decrypt(&self, iv: &[u8], io: InOut<'_>) -> Result<(), Error>;
}

#[cfg(feature = "alloc")]
impl<M: BlockMode + ?Sized> BlockMode for alloc::boxed::Box<M> {
    fn block_size(&self) -> usize {
        (**self).block_size()
    }
    fn direction(&self) -> Direction {
        (**self).direction()
    }
    fn blocks(&mut self, io: InOut<'_>) -> Result<(), Error> {
        (**self).blocks(io)
    }
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        (**self).reset(iv)
    }
}
