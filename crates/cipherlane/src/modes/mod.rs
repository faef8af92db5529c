//! Modes of operation: ordinary code over a block cipher, compiled once.

use lanes::InOut;

use crate::Error;

/// A mode that works on whole blocks, in one direction, under a ready key.
pub trait BlockMode: Send {
    /// The length of a block in bytes.
    fn block_size(&self) -> usize;

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
