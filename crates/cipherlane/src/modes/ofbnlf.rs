//! OFBNLF, output feedback with a nonlinear function (GB/T 17964-2021, OFBNLF mode).
//!
//! `Xᵢ = E(K, Xᵢ₋₁)` with `X₀ = IV`, and `Cᵢ = E(Xᵢ, Pᵢ)`: every block has a key of
//! its own, whose schedule is most of the cost. The mode is therefore generic over
//! what makes a cipher from a key, and over ciphers whose keys have the length of
//! their blocks. OFBNLF gives no authenticity. Constant-time where the cipher and
//! its key schedule are.
//!
//! ```
//! use cipherlane::modes::{BlockMode, ofbnlf};
//! use cipherlane::{Level, Sm4};
//!
//! let level = Level::best();
//! let cipher = |key: &[u8]| Sm4::with_level(key, level);
//! let mut data = [5; 32];
//! ofbnlf::Encryptor::new(&[7; 16], cipher, &[1; 16])?.blocks(data.as_mut_slice().into())?;
//! ofbnlf::Decryptor::new(&[7; 16], cipher, &[1; 16])?.blocks(data.as_mut_slice().into())?;
//! assert_eq!(data, [5; 32]);
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;

use lanes::InOut;

use super::check_whole;
use crate::error::{Error, check_length};
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::block::{BlockCipher, MAX_BLOCK};
use crate::traits::mode::{BlockMode, Direction};

/// Encrypts whole blocks.
#[derive(Clone)]
pub struct Encryptor<C, F>(Keys<C, F>);

/// Decrypts whole blocks.
#[derive(Clone)]
pub struct Decryptor<C, F>(Keys<C, F>);

/// The chain of keys, one a block.
#[derive(Clone)]
struct Keys<C, F> {
    cipher: C,
    new: F,
    /// The last block's key `X`, or the IV.
    value: Secret<[u8; MAX_BLOCK]>,
}

impl<C, F> fmt::Debug for Encryptor<C, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encryptor").finish_non_exhaustive()
    }
}

impl<C, F> fmt::Debug for Decryptor<C, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decryptor").finish_non_exhaustive()
    }
}

impl<C: BlockCipher, F: Fn(&[u8]) -> Result<C, Error>> Encryptor<C, F> {
    /// Under this key, with what makes a cipher from a key, and an IV of one block.
    ///
    /// # Errors
    /// What `cipher` says to the key or to a key of one block's length;
    /// [`Error::Length`] if the IV is not one block.
    pub fn new(key: &[u8], cipher: F, iv: &[u8]) -> Result<Self, Error> {
        Keys::new(key, cipher, iv).map(Self)
    }
}

impl<C: BlockCipher, F: Fn(&[u8]) -> Result<C, Error>> Decryptor<C, F> {
    /// Under this key, with what makes a cipher from a key, and an IV of one block.
    ///
    /// # Errors
    /// What `cipher` says to the key or to a key of one block's length;
    /// [`Error::Length`] if the IV is not one block.
    pub fn new(key: &[u8], cipher: F, iv: &[u8]) -> Result<Self, Error> {
        Keys::new(key, cipher, iv).map(Self)
    }
}

impl<C: BlockCipher, F: Fn(&[u8]) -> Result<C, Error>> Keys<C, F> {
    fn new(key: &[u8], new: F, iv: &[u8]) -> Result<Self, Error> {
        let cipher = new(key)?;
        // A cipher that takes no key of a block's length is refused before any data is touched.
        new(&[0; MAX_BLOCK][..cipher.block_size()])?.leave_trace();
        let mut keys = Self { cipher, new, value: Secret([0; MAX_BLOCK]) };
        keys.reset(iv)?;
        Ok(keys)
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        let block = self.cipher.block_size();
        check_length("iv", iv.len(), Sizes::exactly(block))?;
        self.value.0[..block].copy_from_slice(iv);
        Ok(())
    }

    /// Runs `crypt` on each block with the cipher under its key.
    fn each(&mut self, mut io: InOut<'_>, crypt: impl Fn(&C, InOut<'_>)) -> Result<(), Error> {
        let block = self.cipher.block_size();
        check_whole(io.len(), block)?;
        for offset in (0..io.len()).step_by(block) {
            let value = &mut self.value.0[..block];
            self.cipher.encrypt_block(value);
            let mut cipher = (self.new)(value)?;
            cipher.leave_trace();
            crypt(&cipher, io.part(offset, block));
        }
        Ok(())
    }
}

impl<C: BlockCipher, F: Fn(&[u8]) -> Result<C, Error> + Send> BlockMode for Encryptor<C, F> {
    fn block_size(&self) -> usize {
        self.0.cipher.block_size()
    }
    fn direction(&self) -> Direction {
        Direction::Encrypt
    }
    fn blocks(&mut self, io: InOut<'_>) -> Result<(), Error> {
        self.0.each(io, |cipher, io| cipher.encrypt_blocks(io, None, None))
    }
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        self.0.reset(iv)
    }
}

impl<C: BlockCipher, F: Fn(&[u8]) -> Result<C, Error> + Send> BlockMode for Decryptor<C, F> {
    fn block_size(&self) -> usize {
        self.0.cipher.block_size()
    }
    fn direction(&self) -> Direction {
        Direction::Decrypt
    }
    fn blocks(&mut self, io: InOut<'_>) -> Result<(), Error> {
        self.0.each(io, |cipher, io| cipher.decrypt_blocks(io, None, None))
    }
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        self.0.reset(iv)
    }
}

#[cfg(feature = "alloc")]
mod entries {
    use alloc::boxed::Box;

    use lanes::{InOut, Level};

    use super::{Decryptor, Encryptor};
    use crate::entry::Algorithm;
    use crate::entry::constructor::Constructor;
    use crate::entry::row::{Over, Row, whole_blocks};
    use crate::error::Error;
    use crate::secret::{Depth, Secret, Trace, deeper};
    use crate::traits::block::{BlockCipher, MAX_BLOCK};
    use crate::traits::mode::{BlockMode, MessageMode};

    /// A key, and what makes a cipher from one.
    struct Ready {
        key: Secret<[u8; MAX_BLOCK]>,
        len: usize,
        of: &'static Algorithm,
        level: Level,
        _trace: Trace,
    }

    /// How deep the mode goes on the stack, with a key set up for each block.
    const STACK: Depth = Depth { portable: 32 << 10, others: 16 << 10 };

    impl Ready {
        /// A cipher whose trace this object clears.
        fn cipher(&self, key: &[u8]) -> Result<Box<dyn BlockCipher>, Error> {
            let mut cipher = self.of.cipher(key, self.level)?;
            cipher.leave_trace();
            Ok(cipher)
        }
    }

    impl MessageMode for Ready {
        fn encrypt(&self, iv: &[u8], io: InOut<'_>) -> Result<(), Error> {
            let new = |key: &[u8]| self.cipher(key);
            deeper(|| Encryptor::new(&self.key.0[..self.len], new, iv)?.blocks(io))
        }
        fn decrypt(&self, iv: &[u8], io: InOut<'_>) -> Result<(), Error> {
            let new = |key: &[u8]| self.cipher(key);
            deeper(|| Decryptor::new(&self.key.0[..self.len], new, iv)?.blocks(io))
        }
    }

    /// `ofbnlf-encrypt`, for ciphers whose keys are as long as their blocks.
    pub(crate) const ENCRYPT: Row = Row {
        over: Over::Blocks(&[MAX_BLOCK]),
        takes_key: |cipher| cipher == MAX_BLOCK,
        data: whole_blocks,
        ..Row::mode(
            "ofbnlf-encrypt",
            "ofbnlf-decrypt",
            "GB/T 17964-2021 (OFBNLF)",
            Constructor::Message(|of, key, level| {
                of.cipher(key, level)?;
                let (_trace, len) = (Trace::of(level, STACK), key.len());
                let mut ready = Ready { key: Secret([0; MAX_BLOCK]), len, of, level, _trace };
                ready.key.0[..key.len()].copy_from_slice(key);
                Ok(Box::new(ready))
            }),
        )
    };

    /// `ofbnlf-decrypt`.
    pub(crate) const DECRYPT: Row = ENCRYPT.undo();
}
#[cfg(feature = "alloc")]
pub(crate) use entries::{DECRYPT, ENCRYPT};
