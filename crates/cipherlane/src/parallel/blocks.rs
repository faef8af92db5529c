//! Modes over a block cipher whose pieces start from an IV of their own.

use lanes::InOut;

use super::Threads;
use crate::entry::constructor::{Constructor, Mode};
use crate::entry::kind::Split;
use crate::entry::operation::Operation;
use crate::entry::row::Row;
use crate::error::Error;
use crate::modes::ctr::{Low32, WholeBlock, advance, check_blocks};
use crate::modes::{cbc, ctr, ecb};
use crate::traits::block::{BlockCipher, MAX_BLOCK};

const NO_MODE: Error = Error::State("an operation that can't be cut between blocks");

impl Threads<'_> {
    /// One whole message of an operation of the registry that is a mode of block ciphers; where
    /// that can't be cut, on the calling thread.
    ///
    /// # Errors
    /// What the operation says to its IV and data, [`Error::State`] if it is no such mode; nothing
    /// is written then.
    pub fn operation(
        &self,
        operation: &Operation,
        cipher: &dyn BlockCipher,
        iv: &[u8],
        io: InOut<'_>,
    ) -> Result<(), Error> {
        let Constructor::Mode(mode) = operation.new else { return Err(NO_MODE) };
        let (with_iv, whole) = (operation.iv.max > 0, operation.whole_blocks());
        self.mode(mode, operation.split, (with_iv, whole), cipher, iv, io)
    }

    /// The same of any block cipher.
    fn row(
        &self,
        row: &Row,
        cipher: &dyn BlockCipher,
        iv: &[u8],
        io: InOut<'_>,
    ) -> Result<(), Error> {
        let Constructor::Mode(mode) = row.new else { return Err(NO_MODE) };
        let block = cipher.block_size();
        let (with_iv, whole) = ((row.iv)(block).max > 0, (row.data)(block).step > 1);
        self.mode(mode, row.split, (with_iv, whole), cipher, iv, io)
    }

    /// The same of a mode with an IV of one block, or none, on whole blocks or any bytes.
    fn mode(
        &self,
        mode: Mode,
        split: Split,
        (with_iv, whole): (bool, bool),
        cipher: &dyn BlockCipher,
        iv: &[u8],
        io: InOut<'_>,
    ) -> Result<(), Error> {
        let block = cipher.block_size();
        let blocks = io.len().div_ceil(block) as u128;
        match split {
            Split::Counter => check_blocks::<WholeBlock>(block, blocks)?,
            Split::Counter32 => check_blocks::<Low32>(block, blocks)?,
            Split::Never | Split::Anywhere | Split::InputBefore => {}
        }
        let takes = iv.len() == if with_iv { block } else { 0 }
            && (!whole || io.len().is_multiple_of(block));
        // What is refused is refused by the mode itself, whose errors these are.
        if !takes || split == Split::Never {
            return (mode.message)(cipher, iv, io);
        }
        let mut first = [0; MAX_BLOCK];
        first[..iv.len()].copy_from_slice(iv);
        let ahead = |input: &[u8], offset: usize| {
            let mut value = first;
            let counter = &mut value[..iv.len()];
            let before = (offset / block) as u128;
            match split {
                Split::InputBefore => counter.copy_from_slice(&input[input.len() - block..]),
                Split::Counter => advance::<WholeBlock>(counter, before),
                Split::Counter32 => advance::<Low32>(counter, before),
                Split::Never | Split::Anywhere => {}
            }
            value
        };
        self.pieces(self.piece(io.len()), io, first, &ahead, &|io, _, value: [u8; MAX_BLOCK]| {
            (mode.message)(cipher, &value[..iv.len()], io).expect("checked for all pieces");
        });
        Ok(())
    }

    /// ECB encryption.
    ///
    /// # Errors
    /// [`Error::PartialBlock`] if the data is not whole blocks; nothing is written then.
    pub fn ecb_encrypt(&self, cipher: &dyn BlockCipher, io: InOut<'_>) -> Result<(), Error> {
        self.row(&ecb::ENCRYPT, cipher, &[], io)
    }

    /// ECB decryption.
    ///
    /// # Errors
    /// As [`ecb_encrypt`](Self::ecb_encrypt).
    pub fn ecb_decrypt(&self, cipher: &dyn BlockCipher, io: InOut<'_>) -> Result<(), Error> {
        self.row(&ecb::DECRYPT, cipher, &[], io)
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
        self.row(&cbc::DECRYPT, cipher, iv, io)
    }

    /// Counter mode as [`ctr::apply`] does it.
    ///
    /// # Errors
    /// [`Error::Length`] if the counter is not one block.
    pub fn ctr(&self, cipher: &dyn BlockCipher, iv: &[u8], io: InOut<'_>) -> Result<(), Error> {
        self.row(&ctr::APPLY, cipher, iv, io)
    }

    /// Counter mode with a counter of 32 bits, as [`ctr::apply32`] does it.
    ///
    /// # Errors
    /// As [`ctr::apply32`].
    pub fn ctr32(&self, cipher: &dyn BlockCipher, iv: &[u8], io: InOut<'_>) -> Result<(), Error> {
        self.row(&ctr::APPLY_32, cipher, iv, io)
    }
}
