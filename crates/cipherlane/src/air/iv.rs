//! The IV of an operation of the air interface, whichever it is: what the registry makes of a packet's
//! numbers.

use core::ops::Deref;

use super::Frame;
use crate::error::Error;

/// The most bytes: two IVs of 16, one behind the other.
const MOST: usize = 32;

/// An IV of up to 32 bytes. It is no secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iv {
    bytes: [u8; MOST],
    len: usize,
}

impl Iv {
    /// Of bytes, at most 32.
    #[cfg(any(feature = "aes", feature = "snow3g", feature = "_air256"))]
    pub(crate) const fn of(iv: &[u8]) -> Self {
        let mut bytes = [0; MOST];
        bytes.split_at_mut(iv.len()).0.copy_from_slice(iv);
        Self { bytes, len: iv.len() }
    }
}

impl Deref for Iv {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// How an operation's IV is made of a packet's numbers, and of the tag's length in bytes.
#[derive(Clone, Copy)]
pub(crate) struct FrameIv {
    pub(crate) make: fn(Frame, usize) -> Result<Iv, Error>,
    /// Whether where the numbers stand was put together from published test data, as the
    /// specification's text was not at hand.
    pub(crate) assumed: bool,
}

impl FrameIv {
    /// As the specification has it.
    #[cfg(any(feature = "aes", feature = "snow3g", feature = "zuc"))]
    pub(crate) const fn specified(make: fn(Frame, usize) -> Result<Iv, Error>) -> Self {
        Self { make, assumed: false }
    }

    /// As it is assumed.
    #[cfg(feature = "_air256")]
    pub(crate) const fn assumed(make: fn(Frame, usize) -> Result<Iv, Error>) -> Self {
        Self { make, assumed: true }
    }
}
