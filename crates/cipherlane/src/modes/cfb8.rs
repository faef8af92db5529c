//! CFB-8, cipher feedback of single bytes (GB/T 17964-2021 §8 with feedback of 8
//! bits, SP 800-38A §6.3 with s = 8).
//!
//! Every byte costs a whole block, so CFB-8 takes a block's length times the time
//! of CFB; it is here for interoperation. Encryption is a serial chain,
//! decryption runs in parallel. An IV must never repeat under one key. CFB-8
//! gives no authenticity. Constant-time where the cipher is.
//!
//! ```
//! use cipherlane::modes::cfb8;
//! use cipherlane::{Sm4, StreamCipher};
//!
//! let sm4 = Sm4::new(&[7; 16])?;
//! let mut data = *b"any number of bytes";
//! cfb8::Encryptor::new(&sm4, &[1; 16])?.apply(&mut data)?;
//! cfb8::Decryptor::new(&sm4, &[1; 16])?.apply(&mut data)?;
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

/// Encrypts data in pieces of any length.
pub struct Encryptor<C>(Feedback<C>);

/// Decrypts data in pieces of any length.
pub struct Decryptor<C>(Feedback<C>);

/// What both directions hold.
struct Feedback<C> {
    cipher: C,
    /// The IV and the ciphertext behind it, the last block of both.
    register: [u8; MAX_BLOCK],
}

/// Bytes of a message that decryption takes at once; each becomes a block.
const PIECE: usize = 128;

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
        let mut feedback = Self { cipher, register: [0; MAX_BLOCK] };
        feedback.reset(iv)?;
        Ok(feedback)
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        let block = self.cipher.block_size();
        check_length("iv", iv.len(), Sizes::exactly(block))?;
        self.register[..block].copy_from_slice(iv);
        Ok(())
    }
}

impl<C: BlockCipher> StreamCipher for Encryptor<C> {
    fn level(&self) -> Level {
        self.0.cipher.level()
    }

    fn apply_inout(&mut self, mut io: InOut<'_>) -> Result<(), Error> {
        let Feedback { cipher, register } = &mut self.0;
        let block = cipher.block_size();
        if cipher.whole(WholeMode::Cfb8Encrypt, &mut io, &mut register[..block]) {
            return Ok(());
        }
        // Shifted as an integer, so that the next block is loaded as it was stored.
        let mut value = u128::from_be_bytes(*register) >> (8 * (MAX_BLOCK - block));
        let mut keystream = Secret([0; MAX_BLOCK]);
        for i in 0..io.len() {
            keystream.0 = value.to_be_bytes();
            let last = &mut keystream.0[MAX_BLOCK - block..];
            cipher.encrypt_block(last);
            let byte = io.input()[i] ^ last[0];
            io.output()[i] = byte;
            value = value << 8 | u128::from(byte);
        }
        register[..block].copy_from_slice(&value.to_be_bytes()[MAX_BLOCK - block..]);
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
        if cipher.whole(WholeMode::Cfb8Decrypt, &mut io, &mut register[..block]) {
            return Ok(());
        }
        if io.is_empty() {
            // The buffers below take longer to clear and to wipe than a key of some ciphers to be set.
            return Ok(());
        }
        let mut ciphertext = [0; MAX_BLOCK + PIECE];
        let mut keystream = Secret([0; MAX_BLOCK * PIECE]);
        let mut offset = 0;
        while offset < io.len() {
            let mut part = io.part(offset, PIECE.min(io.len() - offset));
            let n = part.len();
            ciphertext[..block].copy_from_slice(&register[..block]);
            ciphertext[block..block + n].copy_from_slice(part.input());
            let blocks = &mut keystream.0[..n * block];
            for (input, feedback) in blocks.chunks_exact_mut(block).zip(ciphertext.windows(block)) {
                input.copy_from_slice(feedback);
            }
            cipher.encrypt_blocks((&mut *blocks).into(), None, None);
            part.copy();
            for (byte, mask) in part.output().iter_mut().zip(blocks.iter().step_by(block)) {
                *byte ^= mask;
            }
            register[..block].copy_from_slice(&ciphertext[n..n + block]);
            offset += n;
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
    use crate::modes::{in_kernel, whole_message};
    use crate::traits::stream::StreamCipher;

    whole_message!(encrypt_message, Cfb8Encrypt, Encryptor::new, apply_inout);
    whole_message!(decrypt_message, Cfb8Decrypt, Decryptor::new, apply_inout);

    /// `cfb8-encrypt`.
    pub(crate) const ENCRYPT: Row = Row::mode(
        "cfb8-encrypt",
        "cfb8-decrypt",
        "GB/T 17964-2021 §8, SP 800-38A §6.3",
        mode!(encrypt_message, Stream, Encryptor::new),
    );

    /// `cfb8-decrypt`.
    pub(crate) const DECRYPT: Row = Row {
        split: Split::InputBefore,
        new: mode!(decrypt_message, Stream, Decryptor::new),
        ..ENCRYPT.undo()
    };
}
#[cfg(feature = "alloc")]
pub(crate) use entries::{DECRYPT, ENCRYPT};
