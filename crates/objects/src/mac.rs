//! MACs.

use core::fmt;

use cipherlane::mac::DynMac;
use cipherlane::registry::Constructor;
use cipherlane::{Error, Level, Sizes};

use crate::Failure;
use crate::context::{algorithm, level, no_operation, operation as find};

/// The longest tag of any MAC, in bytes.
const MAX_TAG: usize = 16;

/// A MAC under one key that takes a message in pieces. Its tags have one length, which every
/// call keeps to; an IV, where there is one, serves one message.
pub struct Mac {
    mac: Box<dyn DynMac>,
    /// The IV in use, where the MAC takes one.
    last: Option<Last>,
}

/// An IV, which serves one message.
struct Last {
    iv: Vec<u8>,
    /// Whether its tag was given out. A tag that was only compared tells nothing.
    given: bool,
    /// Whether it may come again all the same.
    again: bool,
}

impl fmt::Debug for Mac {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mac").field("tag", &self.tag_len()).finish_non_exhaustive()
    }
}

impl Mac {
    /// The MAC of that name, e.g. `"cmac"` of `"sm4"`, with tags of so many bytes or else the
    /// longest there are.
    ///
    /// # Errors
    /// [`Failure::Unknown`], or what the library says of key, IV and tag.
    pub fn new(
        name: &str,
        operation: &str,
        key: &[u8],
        iv: &[u8],
        tag: Option<usize>,
        at: Option<Level>,
    ) -> Result<Self, Failure> {
        let algorithm = algorithm(name)?;
        let Constructor::Mac { new, .. } = find(algorithm, operation)?.new else {
            return Err(no_operation(algorithm, operation));
        };
        let mut mac = new(algorithm, key, iv, level(at)?)?;
        if let Some(tag) = tag {
            mac.set_tag_len(tag)?;
        }
        let last = (!iv.is_empty()).then(|| Last { iv: iv.to_vec(), given: false, again: false });
        Ok(Self { mac, last })
    }

    /// Chooses the length of tags from this message on.
    ///
    /// # Errors
    /// [`Error::Length`] if no tag has that length.
    pub fn set_tag_len(&mut self, bytes: usize) -> Result<(), Failure> {
        Ok(self.mac.set_tag_len(bytes)?)
    }

    /// The length of its tags in bytes.
    #[must_use]
    pub fn tag_len(&self) -> usize {
        self.mac.tag_len()
    }

    /// The tag lengths that it could have, in bytes.
    #[must_use]
    pub fn tag_sizes(&self) -> Sizes {
        self.mac.tag_sizes()
    }

    /// Lets [`reset`](Self::reset) take the IV of the message before once more.
    pub fn allow_iv_reuse(&mut self) {
        if let Some(last) = &mut self.last {
            last.again = true;
        }
    }

    /// Says how long the message will be, for MACs that need it beforehand.
    ///
    /// # Errors
    /// What the library says.
    pub fn announce(&mut self, bytes: u64) -> Result<(), Failure> {
        Ok(self.mac.announce(bytes)?)
    }

    /// More of the message.
    ///
    /// # Errors
    /// What the library says.
    pub fn update(&mut self, data: &[u8]) -> Result<(), Failure> {
        Ok(self.mac.update(data)?)
    }

    /// The first `bits` bits of `data` as more of the message.
    ///
    /// # Errors
    /// What the library says.
    pub fn update_bits(&mut self, data: &[u8], bits: u64) -> Result<(), Failure> {
        Ok(self.mac.update_bits(data, bits)?)
    }

    /// Ends the message and writes its tag to the head of `tag`. A MAC without an IV starts
    /// another message; one with an IV waits for [`reset`](Self::reset).
    ///
    /// # Errors
    /// [`Error::OutputLength`] where there is no room for it, [`Error::State`] if the IV has
    /// served a message.
    pub fn finish(&mut self, tag: &mut [u8]) -> Result<usize, Failure> {
        let (got, needed) = (tag.len(), self.tag_len());
        let tag = tag.get_mut(..needed).ok_or(Error::OutputLength { got, needed })?;
        self.fill(tag)?;
        Ok(needed)
    }

    /// The same where `tag` has just the length of a tag.
    ///
    /// # Errors
    /// [`Error::Length`] for another length, [`Error::State`] if the IV has served a message.
    pub fn fill(&mut self, tag: &mut [u8]) -> Result<(), Failure> {
        self.mac.finish(tag)?;
        if let Some(last) = &mut self.last {
            last.given = true;
        }
        Ok(())
    }

    /// Ends the message and compares its tag in constant time.
    ///
    /// # Errors
    /// [`Error::Authentication`] if it differs; otherwise as [`fill`](Self::fill).
    pub fn compare(&mut self, tag: &[u8]) -> Result<(), Failure> {
        Ok(self.mac.verify(tag)?)
    }

    /// The tag of what was read so far. A message of a MAC without an IV can go on; with an IV
    /// it is at its end.
    ///
    /// # Errors
    /// What the library says, e.g. of a message shorter than announced.
    pub fn digest(&mut self) -> Result<([u8; MAX_TAG], usize), Failure> {
        let mut tag = [0; MAX_TAG];
        let length = if self.last.is_none() {
            self.fork()?.finish(&mut tag)?
        } else {
            self.finish(&mut tag)?
        };
        Ok((tag, length))
    }

    /// Compares the tag of what was read so far in constant time. A message of a MAC without an
    /// IV can go on; with an IV it is at its end.
    ///
    /// # Errors
    /// [`Error::Authentication`] if it differs, [`Error::Length`] for another length.
    pub fn verify(&mut self, tag: &[u8]) -> Result<(), Failure> {
        let (got, allowed) = (tag.len(), Sizes::exactly(self.tag_len()));
        if !allowed.allow(got) {
            return Err(Error::Length { field: "tag", got, allowed }.into());
        }
        if self.last.is_none() { self.fork()?.compare(tag) } else { self.compare(tag) }
    }

    /// Another one that has read the same.
    ///
    /// # Errors
    /// [`Error::State`] for a MAC that takes an IV, which serves one message.
    pub fn fork(&self) -> Result<Self, Failure> {
        Ok(Self { mac: self.mac.fork()?, last: None })
    }

    /// Starts another message, with another IV where there is one.
    ///
    /// # Errors
    /// [`Failure::NonceReused`] for the IV under which the last tag was made,
    /// [`Error::Length`] if the IV's length is not allowed.
    pub fn reset(&mut self, iv: &[u8]) -> Result<(), Failure> {
        if self.last.as_ref().is_some_and(|last| last.given && !last.again && last.iv == iv) {
            return Err(Failure::NonceReused);
        }
        self.mac.reset(iv)?;
        if let Some(last) = &mut self.last {
            last.given = false;
            iv.clone_into(&mut last.iv);
        }
        Ok(())
    }
}
