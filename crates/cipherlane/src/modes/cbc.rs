//! CBC, cipher block chaining (GB/T 17964-2021 §7, SP 800-38A §6.2).
//!
//! Encryption of one message is a serial chain; decryption runs in parallel.
//! CBC gives no authenticity; see the AEAD modes for that.

use lanes::InOut;

use super::check_whole;
use crate::error::{Error, check_length};
use crate::sizes::Sizes;
use crate::traits::block::{BlockCipher, Chain, ChainData, MAX_BLOCK, WholeMode};
use crate::traits::mode::{BlockMode, Direction};

/// Encrypts whole blocks.
#[derive(Clone, Debug)]
pub struct Encryptor<C> {
    cipher: C,
    /// The last ciphertext block, or the IV.
    value: [u8; MAX_BLOCK],
}

/// Decrypts whole blocks.
#[derive(Clone, Debug)]
pub struct Decryptor<C> {
    cipher: C,
    /// The last ciphertext block, or the IV.
    value: [u8; MAX_BLOCK],
}

/// Bytes that decryption keeps of the ciphertext while it overwrites it.
const PIECE: usize = 4096;
/// The same for a short message, which should not pay for clearing the long one.
const SHORT_PIECE: usize = 256;

impl<C: BlockCipher> Encryptor<C> {
    /// Under this cipher, with an IV of one block.
    ///
    /// # Errors
    /// [`Error::Length`] if the IV is not one block.
    pub fn new(cipher: C, iv: &[u8]) -> Result<Self, Error> {
        let mut mode = Self { cipher, value: [0; MAX_BLOCK] };
        mode.reset(iv)?;
        Ok(mode)
    }
}

impl<C: BlockCipher> Decryptor<C> {
    /// Under this cipher, with an IV of one block.
    ///
    /// # Errors
    /// [`Error::Length`] if the IV is not one block.
    pub fn new(cipher: C, iv: &[u8]) -> Result<Self, Error> {
        let mut mode = Self { cipher, value: [0; MAX_BLOCK] };
        mode.reset(iv)?;
        Ok(mode)
    }
}

/// Takes an IV of one block as the chaining value.
fn start(value: &mut [u8; MAX_BLOCK], iv: &[u8], block: usize) -> Result<(), Error> {
    check_length("iv", iv.len(), Sizes::exactly(block))?;
    value[..block].copy_from_slice(iv);
    Ok(())
}

impl<C: BlockCipher> BlockMode for Encryptor<C> {
    fn block_size(&self) -> usize {
        self.cipher.block_size()
    }
    fn direction(&self) -> Direction {
        Direction::Encrypt
    }
    fn blocks(&mut self, mut io: InOut<'_>) -> Result<(), Error> {
        let block = self.cipher.block_size();
        check_whole(io.len(), block)?;
        let value = &mut self.value[..block];
        if self.cipher.whole(WholeMode::CbcEncrypt, &mut io, value) {
            return Ok(());
        }
        self.cipher.encrypt_chains(&mut [Chain { value, data: ChainData::Encrypt(io) }]);
        Ok(())
    }
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        start(&mut self.value, iv, self.cipher.block_size())
    }
}

impl<C: BlockCipher> BlockMode for Decryptor<C> {
    fn block_size(&self) -> usize {
        self.cipher.block_size()
    }
    fn direction(&self) -> Direction {
        Direction::Decrypt
    }
    fn blocks(&mut self, mut io: InOut<'_>) -> Result<(), Error> {
        let block = self.cipher.block_size();
        check_whole(io.len(), block)?;
        if self.cipher.whole(WholeMode::CbcDecrypt, &mut io, &mut self.value[..block]) {
            return Ok(());
        }
        match io.len() {
            0..=SHORT_PIECE => self.pieces::<{ SHORT_PIECE + MAX_BLOCK }>(io),
            _ => self.pieces::<{ PIECE + MAX_BLOCK }>(io),
        }
        Ok(())
    }
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        start(&mut self.value, iv, self.cipher.block_size())
    }
}

impl<C: BlockCipher> Decryptor<C> {
    /// Whole blocks, `N` less one block at a time.
    fn pieces<const N: usize>(&mut self, mut io: InOut<'_>) {
        let block = self.cipher.block_size();
        self.cipher.went_deep();
        // The chaining values are the ciphertext one block late; in place it is
        // overwritten meanwhile, so a piece at a time is kept.
        let mut values = [0; N];
        let mut offset = 0;
        while offset < io.len() {
            let n = (N - MAX_BLOCK).min(io.len() - offset);
            let part = io.part(offset, n);
            values[..block].copy_from_slice(&self.value[..block]);
            values[block..block + n].copy_from_slice(part.input());
            self.cipher.decrypt_blocks(part, None, Some(&values[..n]));
            self.value[..block].copy_from_slice(&values[n..n + block]);
            offset += n;
        }
    }
}

#[cfg(feature = "alloc")]
mod entries {
    use super::{Decryptor, Encryptor};
    use crate::entry::constructor::mode;
    use crate::entry::kind::Split;
    use crate::entry::row::{Row, whole_blocks};
    use crate::modes::{in_kernel, whole_message};
    use crate::traits::mode::BlockMode;

    whole_message!(encrypt_message, CbcEncrypt, Encryptor::new, blocks);
    whole_message!(decrypt_message, CbcDecrypt, Decryptor::new, blocks);

    /// `cbc-encrypt`.
    pub(crate) const ENCRYPT: Row = Row {
        data: whole_blocks,
        ..Row::mode(
            "cbc-encrypt",
            "cbc-decrypt",
            "GB/T 17964-2021 §7, SP 800-38A §6.2",
            mode!(encrypt_message, Blocks, Encryptor::new),
        )
    };

    /// `cbc-decrypt`.
    pub(crate) const DECRYPT: Row = Row {
        split: Split::InputBefore,
        new: mode!(decrypt_message, Blocks, Decryptor::new),
        ..ENCRYPT.undo()
    };
}
#[cfg(feature = "alloc")]
pub(crate) use entries::{DECRYPT, ENCRYPT};
