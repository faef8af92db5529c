//! What a stream cipher, or a mode that behaves like one, offers; object-safe.

use lanes::{InOut, Level};

use crate::error::Error;

/// A keystream under one key and IV, xored into data in pieces of any length.
pub trait StreamCipher: Send {
    /// The level this object runs at.
    fn level(&self) -> Level;

    /// Xors the next keystream bytes into the data, in place or buffer to buffer.
    ///
    /// # Errors
    /// [`Error::Limit`] where the standard bounds the keystream under one key
    /// and IV and the data would exceed it; then nothing has been written.
    fn apply_inout(&mut self, io: InOut<'_>) -> Result<(), Error>;

    /// Starts again with another IV under the same key, without a new key set-up
    /// where the cipher has one apart.
    ///
    /// # Errors
    /// [`Error::Length`] if the IV's length is not allowed; the object is unchanged.
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error>;

    /// Goes on under another key and IV, in the same place, where the cipher has a way to and their
    /// lengths are allowed: for a key for every packet, which then needs no allocation. Otherwise
    /// does nothing and returns `false`.
    #[must_use = "whether the object has the key"]
    fn take_key(&mut self, key: &[u8], iv: &[u8]) -> bool {
        let _ = (key, iv);
        false
    }

    /// The blocks that the rounds of the initialisation would give under an IV, one behind the other,
    /// to compare them with those that papers tabulate; `None` where the cipher shows none, or its
    /// IVs have another length.
    #[doc(hidden)]
    fn initialisation(&self, iv: &[u8]) -> Option<[u8; 256]> {
        let _ = iv;
        None
    }

    /// Xors the next keystream bytes into `data`.
    ///
    /// # Errors
    /// As [`apply_inout`](Self::apply_inout).
    fn apply(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.apply_inout(data.into())
    }

    /// Writes `input` xored with the next keystream bytes to `output`.
    ///
    /// # Errors
    /// [`Error::OutputLength`] if the lengths differ; else as [`apply_inout`](Self::apply_inout).
    fn apply_to(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), Error> {
        let (got, needed) = (output.len(), input.len());
        let io = InOut::disjoint(input, output).ok_or(Error::OutputLength { got, needed })?;
        self.apply_inout(io)
    }

    /// Writes the next keystream bytes to `output`.
    ///
    /// # Errors
    /// As [`apply_inout`](Self::apply_inout).
    fn keystream(&mut self, output: &mut [u8]) -> Result<(), Error> {
        output.fill(0);
        self.apply(output)
    }
}

/// A keystream of which any place can be had at once.
///
/// Counter modes have it; a keystream whose state must be clocked, such as ZUC's, has not.
pub trait StreamSeek: StreamCipher {
    /// Where the next byte of keystream is, counted in bytes from the first.
    fn position(&self) -> u128;

    /// Goes to a byte of the keystream, forth or back.
    ///
    /// # Errors
    /// [`Error::Limit`] if the keystream ends before it; the object is unchanged.
    fn seek(&mut self, position: u128) -> Result<(), Error>;
}
