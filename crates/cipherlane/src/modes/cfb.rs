//! CFB, cipher feedback of whole blocks (GB/T 17964-2021 §8 with feedback of a
//! block, SP 800-38A §6.3 CFB-128).
//!
//! Any number of bytes; a last block that is cut short takes part of a keystream
//! block. Encryption of one message is a serial chain, decryption runs in
//! parallel. An IV must never repeat under one key. CFB gives no authenticity.
//! Constant-time where the cipher is.
//!
//! ```
//! use cipherlane::modes::cfb;
//! use cipherlane::{Sm4, StreamCipher};
//!
//! let sm4 = Sm4::new(&[7; 16])?;
//! let mut data = *b"any number of bytes";
//! cfb::Encryptor::new(&sm4, &[1; 16])?.apply(&mut data)?;
//! cfb::Decryptor::new(&sm4, &[1; 16])?.apply(&mut data)?;
//! assert_eq!(&data, b"any number of bytes");
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;

use lanes::{InOut, Level};

use crate::error::{Error, check_length};
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::block::{BlockCipher, Chain, ChainData, MAX_BLOCK, WholeMode};
use crate::traits::stream::StreamCipher;

/// Encrypts data in pieces of any length.
pub struct Encryptor<C>(Feedback<C>);

/// Decrypts data in pieces of any length.
pub struct Decryptor<C>(Feedback<C>);

/// What both directions hold.
struct Feedback<C> {
    cipher: C,
    /// First the ciphertext of the block that the last piece ended in, then what is
    /// left of its keystream; a whole block of ciphertext is the next feedback.
    register: Secret<[u8; MAX_BLOCK]>,
    /// How many bytes are ciphertext.
    filled: usize,
}

/// Bytes of a serial chain that share one call of the cipher.
const CHAIN: usize = 512;
/// Bytes of ciphertext that decryption keeps while it overwrites them.
const PIECE: usize = 4096;
/// The same for a short message, which should not pay for clearing the long one.
const SHORT_PIECE: usize = 256;

impl<C> fmt::Debug for Encryptor<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encryptor").field("filled", &self.0.filled).finish_non_exhaustive()
    }
}

impl<C> fmt::Debug for Decryptor<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decryptor").field("filled", &self.0.filled).finish_non_exhaustive()
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
        let mut feedback = Self { cipher, register: Secret([0; MAX_BLOCK]), filled: 0 };
        feedback.reset(iv)?;
        Ok(feedback)
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        let block = self.cipher.block_size();
        check_length("iv", iv.len(), Sizes::exactly(block))?;
        self.register.0[..block].copy_from_slice(iv);
        self.filled = block;
        Ok(())
    }

    /// Cuts data into what ends the started block, whole blocks, and a last one cut short.
    fn split<'a>(&self, io: InOut<'a>) -> [InOut<'a>; 3] {
        let block = self.cipher.block_size();
        let head = (block - self.filled).min(io.len());
        let (head, io) = io.split_at(head);
        let whole = io.len() / block * block;
        let (whole, tail) = io.split_at(whole);
        [head, whole, tail]
    }

    /// Makes the keystream of the next block.
    fn next(&mut self) {
        let block = self.cipher.block_size();
        self.cipher.encrypt_block(&mut self.register.0[..block]);
        self.filled = 0;
    }

    /// Encrypts what fits into the started block.
    fn encrypt_part(&mut self, mut io: InOut<'_>) {
        let register = &mut self.register.0[self.filled..self.filled + io.len()];
        io.xor(register);
        register.copy_from_slice(io.output());
        self.filled += io.len();
    }

    /// Decrypts what fits into the started block.
    fn decrypt_part(&mut self, mut io: InOut<'_>) {
        let mut ciphertext = [0; MAX_BLOCK];
        let ciphertext = &mut ciphertext[..io.len()];
        ciphertext.copy_from_slice(io.input());
        let register = &mut self.register.0[self.filled..self.filled + io.len()];
        io.xor(register);
        register.copy_from_slice(ciphertext);
        self.filled += io.len();
    }

    /// Encrypts whole blocks: with `Kᵢ = E(Cᵢ₋₁)`, `Kᵢ₊₁ = E(Pᵢ ⊕ Kᵢ)`, so the
    /// keystream is the chain over a zero block and the plaintext.
    fn encrypt_whole(&mut self, mut io: InOut<'_>) {
        let block = self.cipher.block_size();
        let feedback = &mut self.register.0[..block];
        if self.cipher.whole(WholeMode::CfbEncrypt, &mut io, feedback) {
            return;
        }
        let mut keystream = Secret([0; CHAIN]);
        let mut offset = 0;
        while offset < io.len() {
            let mut part = io.part(offset, CHAIN.min(io.len() - offset));
            let n = part.len();
            let keystream = &mut keystream.0[..n];
            keystream[..block].fill(0);
            keystream[block..].copy_from_slice(&part.input()[..n - block]);
            let data = ChainData::Encrypt((&mut *keystream).into());
            self.cipher.encrypt_chains(&mut [Chain { value: &mut *feedback, data }]);
            part.xor(keystream);
            feedback.copy_from_slice(&part.output()[n - block..]);
            offset += n;
        }
    }

    /// Decrypts whole blocks, `N` less one block at a time.
    fn decrypt_whole<const N: usize>(&mut self, mut io: InOut<'_>) {
        let block = self.cipher.block_size();
        let feedback = &mut self.register.0[..block];
        self.cipher.went_deep();
        let mut ciphertext = [0; N];
        let mut offset = 0;
        while offset < io.len() {
            let mut part = io.part(offset, (N - MAX_BLOCK).min(io.len() - offset));
            let n = part.len();
            ciphertext[..block].copy_from_slice(feedback);
            ciphertext[block..block + n].copy_from_slice(part.input());
            let blocks = InOut::disjoint(&ciphertext[..n], part.output()).expect("equal lengths");
            self.cipher.encrypt_blocks(blocks, None, Some(&ciphertext[block..block + n]));
            feedback.copy_from_slice(&ciphertext[n..n + block]);
            offset += n;
        }
    }
}

impl<C: BlockCipher> StreamCipher for Encryptor<C> {
    fn level(&self) -> Level {
        self.0.cipher.level()
    }

    fn apply_inout(&mut self, io: InOut<'_>) -> Result<(), Error> {
        let [head, whole, tail] = self.0.split(io);
        if !head.is_empty() {
            self.0.encrypt_part(head);
        }
        if !whole.is_empty() {
            self.0.encrypt_whole(whole);
        }
        if !tail.is_empty() {
            self.0.next();
            self.0.encrypt_part(tail);
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

    fn apply_inout(&mut self, io: InOut<'_>) -> Result<(), Error> {
        let [head, mut whole, tail] = self.0.split(io);
        if !head.is_empty() {
            self.0.decrypt_part(head);
        }
        let block = self.0.cipher.block_size();
        let register = &mut self.0.register.0[..block];
        match whole.len() {
            0 => {}
            _ if self.0.cipher.whole(WholeMode::CfbDecrypt, &mut whole, register) => {}
            1..=SHORT_PIECE => self.0.decrypt_whole::<{ SHORT_PIECE + MAX_BLOCK }>(whole),
            _ => self.0.decrypt_whole::<{ PIECE + MAX_BLOCK }>(whole),
        }
        if !tail.is_empty() {
            self.0.next();
            self.0.decrypt_part(tail);
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

    whole_message!(encrypt_message, CfbEncrypt, Encryptor::new, apply_inout);
    whole_message!(decrypt_message, CfbDecrypt, Decryptor::new, apply_inout);

    /// `cfb-encrypt`.
    pub(crate) const ENCRYPT: Row = Row::mode(
        "cfb-encrypt",
        "cfb-decrypt",
        "GB/T 17964-2021 §8, SP 800-38A §6.3",
        mode!(encrypt_message, Stream, Encryptor::new),
    );

    /// `cfb-decrypt`.
    pub(crate) const DECRYPT: Row = Row {
        split: Split::InputBefore,
        new: mode!(decrypt_message, Stream, Decryptor::new),
        ..ENCRYPT.undo()
    };
}
#[cfg(feature = "alloc")]
pub(crate) use entries::{DECRYPT, ENCRYPT};
