//! Modes over a block cipher whose pieces start from an IV of their own.

use lanes::InOut;

use super::Threads;
use crate::entry::{DataRule, Operation, Split};
use crate::error::Error;
use crate::modes::ctr::{Low32, WholeBlock, advance, check_blocks};
use crate::modes::{cbc, ctr, ecb};
use crate::traits::block::{BlockCipher, MAX_BLOCK};

impl Threads<'_> {
    /// One whole message of an operation of the registry; where that can't be cut, on the
    /// calling thread.
    ///
    /// # Errors
    /// What the operation says to its IV and data; nothing is written then.
    pub fn operation(
        &self,
        operation: &Operation,
        cipher: &dyn BlockCipher,
        iv: &[u8],
        io: InOut<'_>,
    ) -> Result<(), Error> {
        let block = cipher.block_size();
        let blocks = io.len().div_ceil(block) as u128;
        match operation.split {
            Split::Counter => check_blocks::<WholeBlock>(block, blocks)?,
            Split::Counter32 => check_blocks::<Low32>(block, blocks)?,
            Split::Never | Split::Anywhere | Split::InputBefore => {}
        }
        let whole = operation.data == DataRule::Any || io.len().is_multiple_of(block);
        // What is refused is refused by the operation itself, whose errors these are.
        let refused = !whole || iv.len() > MAX_BLOCK || !(operation.iv)(block).allow(iv.len());
        if refused || operation.split == Split::Never {
            return (operation.message)(cipher, iv, io);
        }
        let mut first = [0; MAX_BLOCK];
        first[..iv.len()].copy_from_slice(iv);
        let ahead = |input: &[u8], offset: usize| {
            let mut value = first;
            let counter = &mut value[..iv.len()];
            let before = (offset / block) as u128;
            match operation.split {
                Split::InputBefore => counter.copy_from_slice(&input[input.len() - block..]),
                Split::Counter => advance::<WholeBlock>(counter, before),
                Split::Counter32 => advance::<Low32>(counter, before),
                Split::Never | Split::Anywhere => {}
            }
            value
        };
        self.pieces(self.piece(io.len()), io, first, &ahead, &|io, _, value: [u8; MAX_BLOCK]| {
            (operation.message)(cipher, &value[..iv.len()], io).expect("checked for all pieces");
        });
        Ok(())
    }

    /// ECB encryption.
    ///
    /// # Errors
    /// [`Error::PartialBlock`] if the data is not whole blocks; nothing is written then.
    pub fn ecb_encrypt(&self, cipher: &dyn BlockCipher, io: InOut<'_>) -> Result<(), Error> {
        self.operation(&ecb::ENCRYPT, cipher, &[], io)
    }

    /// ECB decryption.
    ///
    /// # Errors
    /// As [`ecb_encrypt`](Self::ecb_encrypt).
    pub fn ecb_decrypt(&self, cipher: &dyn BlockCipher, io: InOut<'_>) -> Result<(), Error> {
        self.operation(&ecb::DECRYPT, cipher, &[], io)
    }

    /// CBC decryption.
    ///
    /// # Errors
    /// [`Error::Length`] if the IV is not one block, [`Error::PartialBlock`] if the data is
    /// not whole blocks; nothing is written then.
    pub fn cbc_decrypt(
        &self,
        cipher: &dyn BlockCipher,
        iv: &[u8],
        io: InOut<'_>,
    ) -> Result<(), Error> {
        self.operation(&cbc::DECRYPT, cipher, iv, io)
    }

    /// Counter mode as [`ctr::apply`] does it.
    ///
    /// # Errors
    /// [`Error::Length`] if the counter is not one block.
    pub fn ctr(&self, cipher: &dyn BlockCipher, iv: &[u8], io: InOut<'_>) -> Result<(), Error> {
        self.operation(&ctr::APPLY, cipher, iv, io)
    }

    /// Counter mode with a counter of 32 bits, as [`ctr::apply32`] does it.
    ///
    /// # Errors
    /// As [`ctr::apply32`].
    pub fn ctr32(&self, cipher: &dyn BlockCipher, iv: &[u8], io: InOut<'_>) -> Result<(), Error> {
        self.operation(&ctr::APPLY_32, cipher, iv, io)
    }
}
