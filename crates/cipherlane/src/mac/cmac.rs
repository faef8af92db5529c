//! CMAC (SP 800-38B, RFC 4493; MAC algorithm 5 of GB/T 15852.1-2020), over ciphers
//! with blocks of 64 or 128 bits.
//!
//! A CBC-MAC whose last block is masked by one of two values made of `E(0)`, so that
//! messages of all lengths may be mixed under one key. One message is a serial chain.
//! Constant-time where the cipher is.
//!
//! ```
//! use cipherlane::mac::cmac::Cmac;
//! use cipherlane::{Mac, Sm4};
//!
//! let mut mac = Cmac::new(Sm4::new(&[7; 16])?)?;
//! mac.update(b"a message ")?;
//! mac.update(b"in pieces")?;
//! let mut tag = [0; 16];
//! mac.finish(&mut tag)?;
//! mac.update(b"a message in pieces")?;
//! mac.verify(&tag)?;
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;

use super::last_block::{LastBlock, absorb};
use crate::error::{Error, check_length};
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::aead::check_tag_len;
use crate::traits::block::{BlockCipher, MAX_BLOCK, WholeMode};
use crate::traits::mac::{MIN_TAG, Mac};

/// A message up to so long waits for its end, and goes through the cipher in one call.
const SHORT: usize = 256;

/// CMAC under one key. Tags have one block, or by [`with_tag_len`](Mac::with_tag_len) 4 bytes
/// to one block; SP 800-38B §5.5 advises against less than 8.
#[derive(Clone)]
pub struct Cmac<C> {
    cipher: C,
    /// The cipher's block.
    block: usize,
    /// `K1`, for a last block that is whole, and `K2`, for one that is padded.
    masks: Secret<[[u8; MAX_BLOCK]; 2]>,
    message: LastBlock<SHORT>,
    /// The length of a tag.
    tag: usize,
}

impl<C> fmt::Debug for Cmac<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cmac").finish_non_exhaustive()
    }
}

impl<C: BlockCipher> Cmac<C> {
    /// Under this cipher.
    ///
    /// # Errors
    /// [`Error::Length`] if the cipher's block is neither 8 nor 16 bytes.
    pub fn new(cipher: C) -> Result<Self, Error> {
        let block = cipher.block_size();
        check_length("block", block, Sizes::steps(8, 16, 8))?;
        // In the place that is returned: moved, it would leave a copy behind.
        let mut made = Ok(Self::unset(cipher, block));
        if let Ok(cmac) = &mut made {
            cmac.set();
        }
        made
    }

    /// The same where it stays.
    #[cfg(feature = "alloc")]
    fn boxed(cipher: C) -> Result<alloc::boxed::Box<Self>, Error> {
        let block = cipher.block_size();
        check_length("block", block, Sizes::steps(8, 16, 8))?;
        // The place first: made before it, what is moved in would be made twice.
        let place = alloc::boxed::Box::new_uninit();
        let mut cmac = alloc::boxed::Box::write(place, Self::unset(cipher, block));
        cmac.set();
        Ok(cmac)
    }

    /// A place for the masks.
    pub(super) const fn unset(cipher: C, block: usize) -> Self {
        let masks = Secret([[0; MAX_BLOCK]; 2]);
        Self { cipher, block, masks, message: LastBlock::new(), tag: block }
    }

    fn set(&mut self) {
        set_masks(&self.cipher, self.block, &mut self.masks.0);
    }
}

/// The masks of a last block (SP 800-38B §6.1).
fn set_masks(cipher: &dyn BlockCipher, block: usize, masks: &mut [[u8; MAX_BLOCK]; 2]) {
    let [first, second] = masks;
    first.fill(0);
    cipher.encrypt_block(&mut first[..block]);
    double(&mut first[..block]);
    *second = *first;
    double(&mut second[..block]);
}

/// The tag lengths over blocks of that many bytes.
pub(crate) const fn tags(block: usize) -> Sizes {
    Sizes::between(MIN_TAG, block)
}

/// Multiplies an element of GF(2⁶⁴) or GF(2¹²⁸) by x (SP 800-38B §6.1, steps 2 and 3):
/// a shift, and where a bit falls out, `R` = 1b or 87.
pub(crate) fn double(element: &mut [u8]) {
    if let Ok(element) = <&mut [u8; 8]>::try_from(&mut *element) {
        let x = u64::from_be_bytes(*element);
        *element = ((x << 1) ^ ((x >> 63) * 0x1b)).to_be_bytes();
    } else if let Ok(element) = <&mut [u8; 16]>::try_from(element) {
        let x = u128::from_be_bytes(*element);
        *element = ((x << 1) ^ ((x >> 127) * 0x87)).to_be_bytes();
    }
}

impl<C: BlockCipher> Cmac<C> {
    /// The end of a message over blocks of 16 bytes, which are moved as a whole: a block put
    /// together from pieces is slow to load.
    fn finish_in_one(&mut self, tag: &mut [u8]) {
        let held = self.message.held();
        let mut last = Secret([0; MAX_BLOCK]);
        let mut mask = &self.masks.0[0];
        if let Ok(held) = held.try_into() {
            last.0 = held;
        } else {
            last.0[..held.len()].copy_from_slice(held);
            last.0[held.len()] = 0x80;
            mask = &self.masks.0[1];
        }
        let [value, last, mask] = [self.message.value.0, last.0, *mask].map(u128::from_ne_bytes);
        let mut block = Secret((value ^ last ^ mask).to_ne_bytes());
        let mut io = block.0.as_mut_slice().into();
        // Any value: ECB has none.
        if !self.cipher.whole(WholeMode::EcbEncrypt, &mut io, &mut [0; MAX_BLOCK]) {
            self.cipher.encrypt_blocks(io, None, None);
        }
        if let Some(tag) = tag.first_chunk_mut() {
            *tag = block.0;
        } else {
            tag.copy_from_slice(&block.0[..tag.len()]);
        }
        self.message.start(&[0; MAX_BLOCK]);
    }
}

#[cfg(feature = "aes")]
impl<C: BlockCipher> Cmac<C> {
    /// Another key of the cipher, where the object stays.
    pub(super) fn set_key(&mut self, key: impl FnOnce(&mut C)) {
        key(&mut self.cipher);
        self.set();
        self.message.start(&[0; MAX_BLOCK]);
    }

    /// The end of a message whose last bits do not fill a byte: the one bit that pads it follows them
    /// in `last` (SP 800-38B §6.2, step 4). The cipher's blocks are of 16 bytes.
    pub(super) fn finish_within(&mut self, last: u8, tag: &mut [u8; MAX_BLOCK]) {
        let Self { cipher, masks, message, block, .. } = self;
        message.update(*block, &[last], |value, blocks| absorb(cipher, value, blocks));
        let (value, blocks) = message.padded(&masks.0[1]);
        absorb(cipher, value, blocks);
        tag.copy_from_slice(value);
        self.message.start(&[0; MAX_BLOCK]);
    }
}

impl<C: BlockCipher> Mac for Cmac<C> {
    fn tag_sizes(&self) -> Sizes {
        tags(self.block)
    }

    fn tag_len(&self) -> usize {
        self.tag
    }

    fn set_tag_len(&mut self, bytes: usize) -> Result<(), Error> {
        check_length("tag", bytes, self.tag_sizes())?;
        self.tag = bytes;
        Ok(())
    }

    fn take_key(&mut self, key: &[u8]) -> bool {
        let takes = self.cipher.rekey(key);
        if takes {
            self.set();
            self.message.start(&[0; MAX_BLOCK]);
        }
        takes
    }

    fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        let Self { cipher, block, message, .. } = self;
        message.update(*block, data, |value, blocks| absorb(cipher, value, blocks));
        Ok(())
    }

    fn finish(&mut self, tag: &mut [u8]) -> Result<(), Error> {
        check_tag_len(tag.len(), self.tag)?;
        let block = self.block;
        if block == MAX_BLOCK && self.message.held().len() <= block {
            self.finish_in_one(tag);
            return Ok(());
        }
        let Self { cipher, masks, message, .. } = self;
        let (value, blocks) = if block == MAX_BLOCK {
            message.masked::<MAX_BLOCK>(&masks.0)
        } else {
            message.masked::<{ MAX_BLOCK / 2 }>(&masks.0)
        };
        absorb(cipher, value, blocks);
        tag.copy_from_slice(&value[..tag.len()]);
        self.message.start(&[0; MAX_BLOCK]);
        Ok(())
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        check_length("iv", iv.len(), Sizes::exactly(0))?;
        self.message.start(&[0; MAX_BLOCK]);
        Ok(())
    }
}

#[cfg(feature = "alloc")]
mod entries {
    use alloc::boxed::Box;

    use super::{Cmac, tags};
    use crate::entry::row::Row;
    use crate::error::{Error, check_length};
    use crate::sizes::Sizes;
    use crate::traits::block::BlockCipher;
    use crate::traits::mac::DynMac;

    impl<C: BlockCipher + Clone + 'static> DynMac for Cmac<C> {
        fn fork(&self) -> Result<Box<dyn DynMac>, Error> {
            Ok(Box::new(self.clone()))
        }
    }

    /// `cmac`, which is also MAC algorithm 5 of GB/T 15852.1.
    pub(crate) const MAC: Row = Row {
        tag: tags,
        ..Row::mac(
            "cmac",
            "SP 800-38B, GB/T 15852.1-2020 (MAC algorithm 5)",
            |of, key, iv, level| {
                check_length("iv", iv.len(), Sizes::exactly(0))?;
                Ok(Cmac::boxed(of.shared(key, level)?)?)
            },
        )
    };
}
#[cfg(feature = "alloc")]
pub(crate) use entries::MAC;
