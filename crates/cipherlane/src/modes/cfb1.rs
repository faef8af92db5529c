//! CFB-1, cipher feedback of single bits (GB/T 17964-2021 §8 with feedback of one bit, SP 800-38A §6.3
//! with s = 1).
//!
//! Every bit costs a whole block, so CFB-1 takes 128 times the time of CFB over a cipher with blocks
//! of 16 bytes; it is here for interoperation. Encryption is a serial chain, decryption runs in
//! parallel. Bit 0 is the most significant of byte 0. A message that ends within a byte is processed
//! with any bits behind its end: those that come out there are of no meaning, and all before them are
//! right. An IV must never repeat under one key. CFB-1 gives no authenticity. Constant-time where the
//! cipher is.
//!
//! ```
//! use cipherlane::modes::cfb1;
//! use cipherlane::{Sm4, StreamCipher};
//!
//! let sm4 = Sm4::new(&[7; 16])?;
//! let mut data = *b"any number of bytes";
//! cfb1::Encryptor::new(&sm4, &[1; 16])?.apply(&mut data)?;
//! cfb1::Decryptor::new(&sm4, &[1; 16])?.apply(&mut data)?;
//! assert_eq!(&data, b"any number of bytes");
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;

use lanes::{InOut, Level};

use crate::error::{Error, check_length};
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::block::{BlockCipher, MAX_BLOCK, WholeMode};
use crate::traits::stream::StreamCipher;

/// Encrypts data in pieces of any number of bytes.
pub struct Encryptor<C>(Feedback<C>);

/// Decrypts data in pieces of any number of bytes.
pub struct Decryptor<C>(Feedback<C>);

/// What both directions hold.
struct Feedback<C> {
    cipher: C,
    /// The IV and the ciphertext behind it, the last block of both, its last bit the lowest.
    register: u128,
}

/// Bytes of a message that decryption takes at once; each bit becomes a block.
const PIECE: usize = 16;

impl<C> fmt::Debug for Encryptor<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encryptor").finish_non_exhaustive()
    }
}

impl<C> fmt::Debug for Decryptor<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decryptor").finish_non_exhaustive()
    }
}

impl<C: BlockCipher> Encryptor<C> {
    /// Under this cipher, with an IV of one block.
    ///
    /// # Errors
    /// [`Error::Length`] if the IV is not one block.
    pub fn new(cipher: C, iv: &[u8]) -> Result<Self, Error> {
        Feedback::new(cipher, iv).map(Self)
    }
}

impl<C: BlockCipher> Decryptor<C> {
    /// Under this cipher, with an IV of one block.
    ///
    /// # Errors
    /// [`Error::Length`] if the IV is not one block.
    pub fn new(cipher: C, iv: &[u8]) -> Result<Self, Error> {
        Feedback::new(cipher, iv).map(Self)
    }
}

impl<C: BlockCipher> Feedback<C> {
    fn new(cipher: C, iv: &[u8]) -> Result<Self, Error> {
        let mut feedback = Self { cipher, register: 0 };
        feedback.reset(iv)?;
        Ok(feedback)
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        let block = self.cipher.block_size();
        check_length("iv", iv.len(), Sizes::exactly(block))?;
        let mut register = [0; MAX_BLOCK];
        register[MAX_BLOCK - block..].copy_from_slice(iv);
        self.register = u128::from_be_bytes(register);
        Ok(())
    }
}

impl<C: BlockCipher> StreamCipher for Encryptor<C> {
    fn level(&self) -> Level {
        self.0.cipher.level()
    }

    fn apply_inout(&mut self, mut io: InOut<'_>) -> Result<(), Error> {
        let Feedback { cipher, register } = &mut self.0;
        let start = MAX_BLOCK - cipher.block_size();
        let mut value = register.to_be_bytes();
        if cipher.whole(WholeMode::Cfb1Encrypt, &mut io, &mut value[start..]) {
            *register = u128::from_be_bytes(value);
            return Ok(());
        }
        let mut keystream = Secret([0; MAX_BLOCK]);
        for i in 0..io.len() {
            let mut byte = io.input()[i];
            for bit in (0..8).rev() {
                keystream.0 = register.to_be_bytes();
                cipher.encrypt_block(&mut keystream.0[start..]);
                byte ^= (keystream.0[start] >> 7) << bit;
                *register = *register << 1 | u128::from(byte >> bit & 1);
            }
            io.output()[i] = byte;
        }
        Ok(())
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        self.0.reset(iv)
    }
}

impl<C: BlockCipher> StreamCipher for Decryptor<C> {
    fn level(&self) -> Level {
        self.0.cipher.level()
    }

    fn apply_inout(&mut self, mut io: InOut<'_>) -> Result<(), Error> {
        let Feedback { cipher, register } = &mut self.0;
        let block = cipher.block_size();
        let mut keystream = Secret([0; 8 * PIECE * MAX_BLOCK]);
        for offset in (0..io.len()).step_by(PIECE) {
            let mut part = io.part(offset, PIECE.min(io.len() - offset));
            let blocks = &mut keystream.0[..8 * part.len() * block];
            for (i, input) in blocks.chunks_exact_mut(block).enumerate() {
                input.copy_from_slice(&register.to_be_bytes()[MAX_BLOCK - block..]);
                let bit = part.input()[i / 8] >> (7 - i % 8) & 1;
                *register = *register << 1 | u128::from(bit);
            }
            cipher.encrypt_blocks((&mut *blocks).into(), None, None);
            part.copy();
            let output = part.output();
            for (i, mask) in blocks.iter().step_by(block).enumerate() {
                output[i / 8] ^= (mask >> 7) << (7 - i % 8);
            }
        }
        Ok(())
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        self.0.reset(iv)
    }
}

#[cfg(feature = "alloc")]
mod entries {
    use super::{Decryptor, Encryptor};
    use crate::entry::constructor::mode;
    use crate::entry::kind::Split;
    use crate::entry::row::Row;
    use crate::traits::stream::StreamCipher;

    /// `cfb1-encrypt`.
    pub(crate) const ENCRYPT: Row = Row::mode(
        "cfb1-encrypt",
        "cfb1-decrypt",
        "GB/T 17964-2021 §8, SP 800-38A §6.3",
        mode!(|cipher, iv, io| Encryptor::new(cipher, iv)?.apply_inout(io), Stream, Encryptor::new),
    );

    /// `cfb1-decrypt`.
    pub(crate) const DECRYPT: Row = Row {
        split: Split::InputBefore,
        new: mode!(
            |cipher, iv, io| Decryptor::new(cipher, iv)?.apply_inout(io),
            Stream,
            Decryptor::new
        ),
        ..ENCRYPT.undo()
    };
}
#[cfg(feature = "alloc")]
pub(crate) use entries::{DECRYPT, ENCRYPT};
