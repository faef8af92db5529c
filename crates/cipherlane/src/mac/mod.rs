//! Message authentication codes, under a ready key.

pub mod ghash;
pub mod gmac;

use lanes::wipe::Whole;

use crate::{Error, Sizes, ct};

pub mod cbc_mac;
pub mod cmac;
mod last_block;

/// The shortest tag of the MACs made of block ciphers, in bytes.
pub(crate) const MIN_TAG: usize = 4;
/// The longest tag of any MAC here, in bytes.
pub(crate) const MAX_TAG: usize = 16;

/// Returns [`Error::Value`] unless `data` has `bits` bits.
pub(crate) const fn check_bits(data: &[u8], bits: u64) -> Result<(), Error> {
    let max = 8 * data.len() as u64;
    if bits <= max {
        return Ok(());
    }
    Err(Error::Value { field: "length in bits", got: bits, min: 0, max })
}

/// A MAC under one key, over data in pieces of any length.
pub trait Mac: Send {
    /// The tag lengths allowed, in bytes; a shorter tag is the leftmost bytes unless the
    /// mode says otherwise.
    fn tag_sizes(&self) -> Sizes;

    /// More of the message.
    ///
    /// # Errors
    /// [`Error::Limit`] if the message is longer than the standard allows.
    fn update(&mut self, data: &[u8]) -> Result<(), Error>;

    /// The first `bits` bits of `data` as more of the message, bit 0 the most
    /// significant of byte 0. Most MACs take whole bytes only.
    ///
    /// # Errors
    /// [`Error::Value`] if there are fewer bits, [`Error::State`] if the MAC takes whole
    /// bytes only and they aren't; otherwise as [`update`](Self::update).
    fn update_bits(&mut self, data: &[u8], bits: u64) -> Result<(), Error> {
        check_bits(data, bits)?;
        if !bits.is_multiple_of(8) {
            return Err(Error::State("this MAC takes whole bytes"));
        }
        // Not more than there are bytes.
        self.update(&data[..(bits / 8) as usize])
    }

    /// Says how many bytes the message that follows will have. Only MACs that need it
    /// beforehand take notice (padding method 3 of GB/T 15852.1).
    ///
    /// # Errors
    /// [`Error::State`] if the message has begun.
    fn announce(&mut self, bytes: u64) -> Result<(), Error> {
        let _ = bytes;
        Ok(())
    }

    /// Ends the message, writes its tag and starts another message under the same key
    /// (and the same IV, where there is one: give it a new one by `reset`).
    ///
    /// # Errors
    /// [`Error::Length`] if the tag's length is not allowed; the message goes on then.
    fn finish(&mut self, tag: &mut [u8]) -> Result<(), Error>;

    /// Forgets the message so far and starts another one.
    ///
    /// # Errors
    /// [`Error::Length`] if the IV's length is not allowed (0 where the MAC takes none).
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error>;

    /// Ends the message and compares its tag in constant time.
    ///
    /// # Errors
    /// [`Error::Authentication`] if it differs, [`Error::Length`] if its length is not allowed.
    fn verify(&mut self, tag: &[u8]) -> Result<(), Error> {
        let mut computed = [0; MAX_TAG];
        let computed = computed.get_mut(..tag.len()).ok_or(Error::Length {
            field: "tag",
            got: tag.len(),
            allowed: self.tag_sizes(),
        })?;
        self.finish(computed)?;
        if ct::equal(computed, tag) { Ok(()) } else { Err(Error::Authentication) }
    }
}

impl<M: Mac> Mac for Whole<M> {
    fn tag_sizes(&self) -> Sizes {
        (**self).tag_sizes()
    }
    fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        (**self).update(data)
    }
    fn update_bits(&mut self, data: &[u8], bits: u64) -> Result<(), Error> {
        (**self).update_bits(data, bits)
    }
    fn announce(&mut self, bytes: u64) -> Result<(), Error> {
        (**self).announce(bytes)
    }
    fn finish(&mut self, tag: &mut [u8]) -> Result<(), Error> {
        (**self).finish(tag)
    }
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        (**self).reset(iv)
    }
    fn verify(&mut self, tag: &[u8]) -> Result<(), Error> {
        (**self).verify(tag)
    }
}

/// A MAC that can be copied together with what it has read; the registry hands these out.
#[cfg(feature = "alloc")]
pub trait DynMac: Mac {
    /// Another MAC under the same key that has read the same.
    fn fork(&self) -> alloc::boxed::Box<dyn DynMac>;
}

#[cfg(feature = "alloc")]
impl<M: Mac + Clone + 'static> DynMac for M {
    fn fork(&self) -> alloc::boxed::Box<dyn DynMac> {
        alloc::boxed::Box::new(self.clone())
    }
}
