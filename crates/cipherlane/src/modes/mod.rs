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

pub use buffered::Buffered;
#[cfg(feature = "alloc")]
use lanes::InOut;
pub use padding::Padding;

use crate::error::Error;
#[cfg(feature = "alloc")]
use crate::secret::Secret;
#[cfg(feature = "alloc")]
use crate::traits::block::{BlockCipher, Feedback, MAX_BLOCK};
pub use crate::traits::mode::{BlockMode, Direction, MessageMode};

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
