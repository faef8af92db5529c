//! What a message authentication code offers, under a ready key; object-safe.

use lanes::wipe::Whole;

use super::aead::check_tag_len;
use crate::ct;
use crate::error::Error;
use crate::secret::Secret;
use crate::sizes::Sizes;

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

/// What a MAC says whose IV has served a message.
pub(crate) const SPENT: Error =
    Error::State("the IV has served a message; a reset takes another one");

/// A MAC under one key, over data in pieces of any length.
///
/// The tag's length belongs to the object: the longest of the mode, or another one that is
/// chosen when the object is made, by [`with_tag_len`](Self::with_tag_len). It is never taken
/// from a message, whose sender could shorten it and then needs to guess fewer bits.
///
/// A MAC that takes an IV is at its end after [`finish`](Self::finish) or
/// [`verify`](Self::verify): two tags under one key and IV let anyone make tags of other
/// messages. [`reset`](Self::reset) takes another IV.
pub trait Mac: Send {
    /// The tag lengths that the MAC has, in bytes; a shorter tag is the leftmost bytes unless
    /// the mode says otherwise.
    fn tag_sizes(&self) -> Sizes;

    /// The length of this object's tags in bytes.
    fn tag_len(&self) -> usize;

    /// Chooses the length of this object's tags, from this message on.
    ///
    /// # Errors
    /// [`Error::Length`] if it is not one of [`tag_sizes`](Self::tag_sizes).
    fn set_tag_len(&mut self, bytes: usize) -> Result<(), Error>;

    /// The same object with tags of that many bytes.
    ///
    /// # Errors
    /// [`Error::Length`] if it is not one of [`tag_sizes`](Self::tag_sizes).
    fn with_tag_len(mut self, bytes: usize) -> Result<Self, Error>
    where
        Self: Sized,
    {
        self.set_tag_len(bytes)?;
        Ok(self)
    }

    /// Goes on under another key of the same length, in the same place, where the MAC and its
    /// cipher have a way to: for a key for every packet, which then needs no allocation. Otherwise
    /// does nothing and returns `false`. The message so far is forgotten, the length of the tags
    /// stays; a MAC that takes an IV needs a [`reset`](Self::reset) then.
    #[must_use = "whether the object has the key"]
    fn take_key(&mut self, key: &[u8]) -> bool {
        let _ = key;
        false
    }

    /// More of the message.
    ///
    /// # Errors
    /// [`Error::Limit`] if the message is longer than the standard allows, [`Error::State`] if
    /// the IV has served a message.
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

    /// Ends the message and writes its tag. Another message under the same key follows at once
    /// where there is no IV, and after [`reset`](Self::reset) where there is one.
    ///
    /// # Errors
    /// [`Error::Length`] if the tag has not [`tag_len`](Self::tag_len) bytes; the message goes on
    /// then. [`Error::State`] if the IV has served a message.
    fn finish(&mut self, tag: &mut [u8]) -> Result<(), Error>;

    /// Forgets the message so far and starts another one, under another IV where the MAC takes
    /// one.
    ///
    /// # Errors
    /// [`Error::Length`] if the IV's length is not allowed (0 where the MAC takes none).
    fn reset(&mut self, iv: &[u8]) -> Result<(), Error>;

    /// Ends the message and compares its tag in constant time.
    ///
    /// # Errors
    /// [`Error::Authentication`] if it differs; otherwise as [`finish`](Self::finish).
    fn verify(&mut self, tag: &[u8]) -> Result<(), Error> {
        check_tag_len(tag.len(), self.tag_len())?;
        let mut computed = Secret([0; MAX_TAG]);
        let computed = &mut computed.0[..tag.len()];
        self.finish(computed)?;
        if ct::equal(computed, tag) { Ok(()) } else { Err(Error::Authentication) }
    }
}

impl<M: Mac> Mac for Whole<M> {
    fn tag_sizes(&self) -> Sizes {
        (**self).tag_sizes()
    }
    fn tag_len(&self) -> usize {
        (**self).tag_len()
    }
    fn set_tag_len(&mut self, bytes: usize) -> Result<(), Error> {
        (**self).set_tag_len(bytes)
    }
    fn take_key(&mut self, key: &[u8]) -> bool {
        (**self).take_key(key)
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

/// A MAC as the registry hands it out: it can be copied together with what it has read, if it
/// takes no IV.
#[cfg(feature = "alloc")]
pub trait DynMac: Mac {
    /// Another MAC under the same key that has read the same.
    ///
    /// # Errors
    /// [`Error::State`] if the MAC takes an IV, under which only one tag may be made.
    fn fork(&self) -> Result<alloc::boxed::Box<dyn DynMac>, Error>;
}

#[cfg(feature = "alloc")]
impl<M: Mac + Clone + 'static> DynMac for Whole<M> {
    fn fork(&self) -> Result<alloc::boxed::Box<dyn DynMac>, Error> {
        Ok(alloc::boxed::Box::new(self.clone()))
    }
}

/// What a MAC that takes an IV says to who wants to copy it.
#[cfg(feature = "alloc")]
pub(crate) const ONE_IV: Error =
    Error::State("a MAC that takes an IV can't be copied: an IV serves one message");
