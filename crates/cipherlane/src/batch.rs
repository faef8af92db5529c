//! Many independent messages in one call; object-safe.

use lanes::InOut;

use crate::Error;

/// One message of a batch: its own key, IV and data.
#[derive(Debug)]
pub struct Packet<'a> {
    /// The key, in bytes as the algorithm takes it.
    pub key: &'a [u8],
    /// The IV, in bytes as the algorithm takes it.
    pub iv: &'a [u8],
    /// The data, in place or buffer to buffer.
    pub io: InOut<'a>,
}

/// Encrypts many messages at once, in lanes where the cipher has a kernel for it.
pub trait BatchCipher: Send {
    /// How many messages share one pass of the kernel; 1 where it runs one after another.
    fn lanes(&self) -> usize;

    /// Encrypts every packet under its own key and IV. All lengths are checked
    /// before the first byte is written.
    ///
    /// # Errors
    /// [`Error::Length`] for the first packet whose key or IV has a wrong length.
    fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error>;
}
