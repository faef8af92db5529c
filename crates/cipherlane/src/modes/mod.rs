//! Modes of operation: ordinary code over a block cipher, compiled once.
//!
//! A mode holds its cipher by value; give it `&cipher` to keep one key schedule
//! for many messages, or a `Box<dyn BlockCipher>` to choose at run time.

pub mod bc;
mod buffered;
pub mod cbc;
pub mod cfb;
pub mod cfb1;
pub mod cfb8;
pub(crate) mod counter_blocks;
pub mod ctr;
pub mod ecb;
pub mod hctr;
#[cfg(feature = "aes")]
pub mod nea2;
#[cfg(feature = "aes")]
pub mod nea5;
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
use crate::traits::block::{BlockCipher, MAX_BLOCK, WholeMode};
pub use crate::traits::mode::{BlockMode, Direction, MessageMode};

/// A whole message in the cipher's own kernel for the mode, if it has one that takes it:
/// otherwise `false`, and nothing has been done. The IV is checked to be a block.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn in_kernel(
    cipher: &dyn BlockCipher,
    mode: WholeMode,
    iv: &[u8],
    io: &mut InOut<'_>,
) -> bool {
    // Copies of a known length, each one instruction.
    if let Ok(value) = <[u8; MAX_BLOCK]>::try_from(iv) {
        let mut value = Secret(value);
        return cipher.whole(mode, io, &mut value.0);
    }
    let Ok(value) = <[u8; 8]>::try_from(iv) else { return false };
    let mut value = Secret(value);
    cipher.whole(mode, io, &mut value.0)
}

/// What the registry has for a whole message: `in_kernel` of the place where this stands, else an
/// object of the mode.
///
/// It makes a function, as a closure would copy the pair of buffers, in pieces in which the CPU
/// can't forward it.
#[cfg(feature = "alloc")]
macro_rules! whole_message {
    ($name:ident, $mode:ident, $new:path, $run:ident) => {
        fn $name(
            cipher: &dyn $crate::traits::block::BlockCipher,
            iv: &[u8],
            mut io: lanes::InOut<'_>,
        ) -> Result<(), $crate::error::Error> {
            let mode = $crate::traits::block::WholeMode::$mode;
            if in_kernel(cipher, mode, iv, &mut io) { Ok(()) } else { $new(cipher, iv)?.$run(io) }
        }
    };
}
#[cfg(feature = "alloc")]
pub(crate) use whole_message;

/// Returns [`Error::PartialBlock`] unless the data is whole blocks.
pub(crate) fn check_whole(got: usize, block: usize) -> Result<(), Error> {
    if got.is_multiple_of(block) { Ok(()) } else { Err(Error::PartialBlock { got, block }) }
}
