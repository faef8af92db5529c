//! CTR, counter mode (GB/T 17964-2021 §10, SP 800-38A §6.5), with a counter as
//! wide as the block, big-endian.
//!
//! The standards leave the counter's layout to the user: the IV is the first
//! counter. A counter must never repeat under one key. CTR gives no
//! authenticity.
//!
//! ```
//! use cipherlane::modes::ctr::Ctr;
//! use cipherlane::{Sm4, StreamCipher};
//!
//! let sm4 = Sm4::new(&[7; 16])?;
//! let mut data = *b"any number of bytes";
//! Ctr::new(&sm4, &[1; 16])?.apply(&mut data)?;
//! Ctr::new(&sm4, &[1; 16])?.apply(&mut data)?;
//! assert_eq!(&data, b"any number of bytes");
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;

use lanes::{InOut, Level};

use super::MAX_BLOCK;
use crate::error::check_length;
use crate::secret::Secret;
use crate::{BlockCipher, Error, Sizes, StreamCipher};

/// A keystream of encrypted counters.
#[derive(Clone)]
pub struct Ctr<C> {
    cipher: C,
    /// The next block's counter.
    counter: [u8; MAX_BLOCK],
    /// The keystream block that the last piece ended in.
    rest: Secret<[u8; MAX_BLOCK]>,
    /// How many of its bytes, at the end, are still unused.
    left: usize,
}

impl<C> fmt::Debug for Ctr<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ctr").field("left", &self.left).finish_non_exhaustive()
    }
}

impl<C: BlockCipher> Ctr<C> {
    /// Under this cipher, from the first counter, one block.
    ///
    /// # Errors
    /// [`Error::Length`] if the counter is not one block.
    pub fn new(cipher: C, iv: &[u8]) -> Result<Self, Error> {
        let mut mode =
            Self { cipher, counter: [0; MAX_BLOCK], rest: Secret([0; MAX_BLOCK]), left: 0 };
        mode.reset(iv)?;
        Ok(mode)
    }

    /// Takes up to `io`'s length of the keystream left over from the last piece.
    fn use_rest(&mut self, mut io: InOut<'_>) {
        let block = self.cipher.block_size();
        let from = block - self.left;
        io.xor(&self.rest.0[from..from + io.len()]);
        self.left -= io.len();
    }
}

impl<C: BlockCipher> StreamCipher for Ctr<C> {
    fn level(&self) -> Level {
        self.cipher.level()
    }

    fn apply_inout(&mut self, io: InOut<'_>) -> Result<(), Error> {
        let block = self.cipher.block_size();
        let head = self.left.min(io.len());
        let (head, io) = io.split_at(head);
        if !head.is_empty() {
            self.use_rest(head);
        }
        // A short end is ciphered with a whole block of which the rest is kept.
        let whole = io.len() / block * block;
        let (whole, tail) = io.split_at(whole);
        let counter = &mut self.counter[..block];
        if !whole.is_empty() {
            self.cipher.ctr(whole, counter);
        }
        if !tail.is_empty() {
            self.rest.0 = [0; MAX_BLOCK];
            self.cipher.ctr((&mut self.rest.0[..block]).into(), counter);
            self.left = block;
            self.use_rest(tail);
        }
        Ok(())
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        let block = self.cipher.block_size();
        check_length("iv", iv.len(), Sizes::exactly(block))?;
        self.counter[..block].copy_from_slice(iv);
        self.left = 0;
        Ok(())
    }
}

#[cfg(feature = "alloc")]
mod entries {
    use alloc::boxed::Box;

    use super::Ctr;
    use crate::Sizes;
    use crate::registry::{DataRule, Operation, Started};

    /// `ctr`.
    pub(crate) const APPLY: Operation = Operation {
        name: "ctr",
        inverse: "ctr",
        standard: "GB/T 17964-2021 §10, SP 800-38A §6.5",
        blocks: &[8, 16],
        iv: Sizes::exactly,
        data: DataRule::Any,
        message: super::apply,
        start: |cipher, iv| Ok(Started::Stream(Box::new(Ctr::new(cipher, iv)?))),
    };
}
#[cfg(feature = "alloc")]
pub(crate) use entries::APPLY;

/// Ciphers one whole message from the first counter `iv`, one block. The
/// message's end needs no keystream kept, so a ragged length costs no more.
///
/// # Errors
/// [`Error::Length`] if the counter is not one block.
pub fn apply(cipher: &dyn BlockCipher, iv: &[u8], io: InOut<'_>) -> Result<(), Error> {
    let block = cipher.block_size();
    check_length("iv", iv.len(), Sizes::exactly(block))?;
    let mut counter = [0; MAX_BLOCK];
    counter[..block].copy_from_slice(iv);
    cipher.ctr(io, &mut counter[..block]);
    Ok(())
}
