//! Modes of operation: ordinary code over a block cipher, compiled once.
//!
//! A mode holds its cipher by value; give it `&cipher` to keep one key schedule
//! for many messages, or a `Box<dyn BlockCipher>` to choose at run time.

pub mod bc;
mod buffered;
pub mod cbc;
pub mod cfb;
pub mod cfb8;
pub(crate) mod counter_blocks;
pub mod ctr;
pub mod ecb;
pub mod hctr;
pub mod ofb;
pub mod ofbnlf;
mod padding;
pub mod xts;

pub use buffered::{Buffered, Direction};
use lanes::InOut;
pub use padding::Padding;

use crate::Error;
#[cfg(feature = "alloc")]
use crate::block::{BlockCipher, Feedback};
#[cfg(feature = "alloc")]
use crate::secret::Secret;

/// The longest block of any cipher here, in bytes.
pub(crate) const MAX_BLOCK: usize = 16;

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

/// A whole message in the cipher's own kernel for the mode, if it has one that takes it:
/// otherwise `false`, and nothing has been done. The IV is checked to be a block.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn in_kernel(
    cipher: &dyn BlockCipher,
    mode: Feedback,
    iv: &[u8],
    io: &mut InOut<'_>,
) -> bool {
    // Copies of a known length, each one instruction.
    if let Ok(value) = <[u8; MAX_BLOCK]>::try_from(iv) {
        let mut value = Secret(value);
        return cipher.feedback(mode, io, &mut value.0);
    }
    let Ok(value) = <[u8; 8]>::try_from(iv) else { return false };
    let mut value = Secret(value);
    cipher.feedback(mode, io, &mut value.0)
}

/// Returns [`Error::PartialBlock`] unless the data is whole blocks.
pub(crate) fn check_whole(got: usize, block: usize) -> Result<(), Error> {
    if got.is_multiple_of(block) { Ok(()) } else { Err(Error::PartialBlock { got, block }) }
}
