//! ECB, electronic codebook (GB/T 17964-2021 §6, SP 800-38A §6.1).
//!
//! Equal blocks encrypt to equal blocks: ECB hides nothing but the blocks'
//! content. It is here for interoperation and for building other modes.

use lanes::InOut;

use super::check_whole;
use crate::error::{Error, check_length};
use crate::sizes::Sizes;
use crate::traits::block::BlockCipher;
use crate::traits::mode::{BlockMode, Direction};

/// Encrypts whole blocks.
#[derive(Clone, Debug)]
pub struct Encryptor<C>(C);

/// Decrypts whole blocks.
#[derive(Clone, Debug)]
pub struct Decryptor<C>(C);

impl<C: BlockCipher> Encryptor<C> {
    /// Under this cipher.
    pub const fn new(cipher: C) -> Self {
        Self(cipher)
    }
}

impl<C: BlockCipher> Decryptor<C> {
    /// Under this cipher.
    pub const fn new(cipher: C) -> Self {
        Self(cipher)
    }
}

impl<C: BlockCipher> BlockMode for Encryptor<C> {
    fn block_size(&self) -> usize {
        self.0.block_size()
    }
    fn direction(&self) -> Direction {
        Direction::Encrypt
    }
    fn blocks(&mut self, io: InOut<'_>) -> Result<(), Error> {
        check_whole(io.len(), self.0.block_size())?;
        self.0.encrypt_blocks(io, None, None);
        Ok(())
    }
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        check_length("iv", iv.len(), Sizes::exactly(0))
    }
}

impl<C: BlockCipher> BlockMode for Decryptor<C> {
    fn block_size(&self) -> usize {
        self.0.block_size()
    }
    fn direction(&self) -> Direction {
        Direction::Decrypt
    }
    fn blocks(&mut self, io: InOut<'_>) -> Result<(), Error> {
        check_whole(io.len(), self.0.block_size())?;
        self.0.decrypt_blocks(io, None, None);
        Ok(())
    }
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        check_length("iv", iv.len(), Sizes::exactly(0))
    }
}

#[cfg(feature = "alloc")]
mod entries {
    use lanes::InOut;

    use super::{Decryptor, Encryptor};
    use crate::entry::constructor::mode;
    use crate::entry::kind::Split;
    use crate::entry::row::{NONE, Row, whole_blocks};
    use crate::error::Error;
    use crate::modes::in_kernel;
    use crate::traits::block::{BlockCipher, Feedback, MAX_BLOCK};
    use crate::traits::mode::BlockMode;

    fn encryptor<C: BlockCipher>(cipher: C, iv: &[u8]) -> Result<Encryptor<C>, Error> {
        let mut mode = Encryptor::new(cipher);
        mode.reset(iv)?;
        Ok(mode)
    }

    fn decryptor<C: BlockCipher>(cipher: C, iv: &[u8]) -> Result<Decryptor<C>, Error> {
        let mut mode = Decryptor::new(cipher);
        mode.reset(iv)?;
        Ok(mode)
    }

    /// A value that ECB does not use.
    const ANY: [u8; MAX_BLOCK] = [0; MAX_BLOCK];

    /// A whole message. A closure would copy the pair of buffers, in pieces in which the CPU
    /// can't forward it.
    fn encrypt_message(
        cipher: &dyn BlockCipher,
        iv: &[u8],
        mut io: InOut<'_>,
    ) -> Result<(), Error> {
        if iv.is_empty() && in_kernel(cipher, Feedback::EcbEncrypt, &ANY, &mut io) {
            return Ok(());
        }
        encryptor(cipher, iv)?.blocks(io)
    }

    /// A whole message. A closure would copy the pair of buffers, in pieces in which the CPU
    /// can't forward it.
    fn decrypt_message(
        cipher: &dyn BlockCipher,
        iv: &[u8],
        mut io: InOut<'_>,
    ) -> Result<(), Error> {
        if iv.is_empty() && in_kernel(cipher, Feedback::EcbDecrypt, &ANY, &mut io) {
            return Ok(());
        }
        decryptor(cipher, iv)?.blocks(io)
    }

    /// `ecb-encrypt`.
    pub(crate) const ENCRYPT: Row = Row {
        iv: |_| NONE,
        data: whole_blocks,
        split: Split::Anywhere,
        ..Row::mode(
            "ecb-encrypt",
            "ecb-decrypt",
            "GB/T 17964-2021 §6, SP 800-38A §6.1",
            mode!(encrypt_message, Blocks, encryptor),
        )
    };

    /// `ecb-decrypt`.
    pub(crate) const DECRYPT: Row =
        Row { new: mode!(decrypt_message, Blocks, decryptor), ..ENCRYPT.undo() };
}
#[cfg(feature = "alloc")]
pub(crate) use entries::{DECRYPT, ENCRYPT};
