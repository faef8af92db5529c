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
    use crate::modes::whole_message;
    use crate::traits::block::{BlockCipher, MAX_BLOCK, WholeMode};
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

    /// As [`modes::in_kernel`](crate::modes::in_kernel), with a value that ECB does not use.
    #[inline]
    fn in_kernel(cipher: &dyn BlockCipher, mode: WholeMode, iv: &[u8], io: &mut InOut<'_>) -> bool {
        iv.is_empty() && crate::modes::in_kernel(cipher, mode, &[0; MAX_BLOCK], io)
    }

    whole_message!(encrypt_message, EcbEncrypt, encryptor, blocks);
    whole_message!(decrypt_message, EcbDecrypt, decryptor, blocks);

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
