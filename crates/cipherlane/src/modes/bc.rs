//! BC, block chaining (GB/T 17964-2021, BC mode).
//!
//! `Cᵢ = E(Pᵢ ⊕ Fᵢ)` with `F₁ = IV` and `Fᵢ₊₁ = Fᵢ ⊕ Cᵢ`: each block depends on
//! all ciphertext before it. Encryption is serial, decryption runs in parallel.
//! BC gives no authenticity. Constant-time where the cipher is.
//!
//! ```
//! use cipherlane::Sm4;
//! use cipherlane::modes::{BlockMode, bc};
//!
//! let sm4 = Sm4::new(&[7; 16])?;
//! let mut data = [5; 32];
//! bc::Encryptor::new(&sm4, &[1; 16])?.blocks(data.as_mut_slice().into())?;
//! bc::Decryptor::new(&sm4, &[1; 16])?.blocks(data.as_mut_slice().into())?;
//! assert_eq!(data, [5; 32]);
//! # Ok::<(), cipherlane::Error>(())
//! ```

use lanes::InOut;

use super::check_whole;
use crate::error::{Error, check_length};
use crate::sizes::Sizes;
use crate::traits::block::{BlockCipher, Chain, ChainData, MAX_BLOCK};
use crate::traits::mode::{BlockMode, Direction};

/// Encrypts whole blocks.
#[derive(Clone, Debug)]
pub struct Encryptor<C> {
    cipher: C,
    /// The sum `F` of the IV and all ciphertext so far.
    sum: [u8; MAX_BLOCK],
}

/// Decrypts whole blocks.
#[derive(Clone, Debug)]
pub struct Decryptor<C> {
    cipher: C,
    /// The sum `F` of the IV and all ciphertext so far.
    sum: [u8; MAX_BLOCK],
}

/// Bytes of sums that decryption takes at once.
const PIECE: usize = 4096;
/// The same for a short message, which should not pay for clearing the long one.
const SHORT_PIECE: usize = 256;

impl<C: BlockCipher> Encryptor<C> {
    /// Under this cipher, with an IV of one block.
    ///
    /// # Errors
    /// [`Error::Length`] if the IV is not one block.
    pub fn new(cipher: C, iv: &[u8]) -> Result<Self, Error> {
        let mut mode = Self { cipher, sum: [0; MAX_BLOCK] };
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
        let mut mode = Self { cipher, sum: [0; MAX_BLOCK] };
        mode.reset(iv)?;
        Ok(mode)
    }

    /// Decrypts whole blocks, `N` bytes at a time.
    fn pieces<const N: usize>(&mut self, mut io: InOut<'_>) {
        let block = self.cipher.block_size();
        self.cipher.went_deep();
        let mut sums = [0; N];
        let mut offset = 0;
        while offset < io.len() {
            let part = io.part(offset, N.min(io.len() - offset));
            let n = part.len();
            // A block length known at compile time keeps the sum in a register.
            match block {
                8 => prefix_sums(8, &mut sums[..n], part.input(), &mut self.sum),
                16 => prefix_sums(16, &mut sums[..n], part.input(), &mut self.sum),
                _ => prefix_sums(block, &mut sums[..n], part.input(), &mut self.sum),
            }
            self.cipher.decrypt_blocks(part, None, Some(&sums[..n]));
            offset += n;
        }
    }
}

/// Takes an IV of one block as the first sum.
fn start(sum: &mut [u8; MAX_BLOCK], iv: &[u8], block: usize) -> Result<(), Error> {
    check_length("iv", iv.len(), Sizes::exactly(block))?;
    sum[..block].copy_from_slice(iv);
    Ok(())
}

/// Writes the sum in front of each block of `data` and moves it on.
#[inline(always)]
fn prefix_sums(block: usize, sums: &mut [u8], data: &[u8], sum: &mut [u8; MAX_BLOCK]) {
    let mut value = *sum;
    for (out, data) in sums.chunks_exact_mut(block).zip(data.chunks_exact(block)) {
        out.copy_from_slice(&value[..block]);
        for (value, data) in value.iter_mut().zip(data) {
            *value ^= data;
        }
    }
    *sum = value;
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
        let sum = &mut self.sum[..block];
        let mut value = [0; MAX_BLOCK];
        let value = &mut value[..block];
        for offset in (0..io.len()).step_by(block) {
            let mut part = io.part(offset, block);
            value.copy_from_slice(sum);
            let data = ChainData::Absorb(part.input());
            self.cipher.encrypt_chains(&mut [Chain { value: &mut *value, data }]);
            part.output().copy_from_slice(value);
            sum.iter_mut().zip(&*value).for_each(|(sum, value)| *sum ^= value);
        }
        Ok(())
    }
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        start(&mut self.sum, iv, self.cipher.block_size())
    }
}

impl<C: BlockCipher> BlockMode for Decryptor<C> {
    fn block_size(&self) -> usize {
        self.cipher.block_size()
    }
    fn direction(&self) -> Direction {
        Direction::Decrypt
    }
    fn blocks(&mut self, io: InOut<'_>) -> Result<(), Error> {
        check_whole(io.len(), self.cipher.block_size())?;
        match io.len() {
            0 => {}
            1..=SHORT_PIECE => self.pieces::<SHORT_PIECE>(io),
            _ => self.pieces::<PIECE>(io),
        }
        Ok(())
    }
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        start(&mut self.sum, iv, self.cipher.block_size())
    }
}

#[cfg(feature = "alloc")]
mod entries {
    use super::{Decryptor, Encryptor};
    use crate::entry::constructor::mode;
    use crate::entry::row::{Row, whole_blocks};
    use crate::traits::mode::BlockMode;

    /// `bc-encrypt`.
    pub(crate) const ENCRYPT: Row = Row {
        data: whole_blocks,
        ..Row::mode(
            "bc-encrypt",
            "bc-decrypt",
            "GB/T 17964-2021 (BC)",
            mode!(|cipher, iv, io| Encryptor::new(cipher, iv)?.blocks(io), Blocks, Encryptor::new),
        )
    };

    /// `bc-decrypt`.
    pub(crate) const DECRYPT: Row = Row {
        new: mode!(|cipher, iv, io| Decryptor::new(cipher, iv)?.blocks(io), Blocks, Decryptor::new),
        ..ENCRYPT.undo()
    };
}
#[cfg(feature = "alloc")]
pub(crate) use entries::{DECRYPT, ENCRYPT};
