//! MACs.

use core::fmt;

use cipherlane::mac::DynMac;
use cipherlane::registry::{self, New};
use cipherlane::{Error, Level, Sizes};

use crate::Failure;
use crate::context::{algorithm, level, no_operation};

/// The longest tag of any MAC, in bytes.
const MAX_TAG: usize = 16;

/// A MAC under one key that takes a message in pieces.
pub struct Tagger {
    mac: Box<dyn DynMac>,
    tag: usize,
}

impl fmt::Debug for Tagger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tagger").field("tag", &self.tag).finish_non_exhaustive()
    }
}

impl Tagger {
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
        let mac = match algorithm.new {
            New::Block { new, .. } => {
                let entry = registry::macs(algorithm).find(|it| it.name == operation);
                let entry = entry.ok_or_else(|| no_operation(algorithm, operation))?;
                (entry.new)(new, key, iv, level(at)?)?
            }
            New::Stream { .. } => {
                let entry = registry::stream_macs(algorithm).find(|it| it.name == operation);
                let entry = entry.ok_or_else(|| no_operation(algorithm, operation))?;
                (entry.new)(key, iv, tag.unwrap_or(entry.tag.max), level(at)?)?
            }
        };
        let allowed = mac.tag_sizes();
        let tag = tag.unwrap_or(allowed.max);
        if !allowed.allow(tag) {
            return Err(Error::Length { field: "tag", got: tag, allowed }.into());
        }
        Ok(Self { mac, tag })
    }

    /// The length of its tags in bytes.
    #[must_use]
    pub fn tag_len(&self) -> usize {
        self.tag
    }

    /// The tag lengths that it could have, in bytes.
    #[must_use]
    pub fn tag_sizes(&self) -> Sizes {
        self.mac.tag_sizes()
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

    /// Ends the message, writes its tag to the head of `tag` and starts another one.
    ///
    /// # Errors
    /// [`Error::OutputLength`] where there is no room for it.
    pub fn finish(&mut self, tag: &mut [u8]) -> Result<usize, Failure> {
        let (got, needed) = (tag.len(), self.tag);
        let tag = tag.get_mut(..needed).ok_or(Error::OutputLength { got, needed })?;
        self.mac.finish(tag)?;
        Ok(needed)
    }

    /// Ends the message, fills `tag` with its tag, whose length chooses among those allowed, and
    /// starts another one.
    ///
    /// # Errors
    /// [`Error::Length`] if no tag has that length.
    pub fn fill(&mut self, tag: &mut [u8]) -> Result<(), Failure> {
        Ok(self.mac.finish(tag)?)
    }

    /// Ends the message, compares its tag in constant time and starts another one; `tag`'s
    /// length chooses among those allowed.
    ///
    /// # Errors
    /// [`Error::Authentication`] if it differs, [`Error::Length`] if no tag has that length.
    pub fn compare(&mut self, tag: &[u8]) -> Result<(), Failure> {
        Ok(self.mac.verify(tag)?)
    }

    /// The tag of what was read so far; the message can go on.
    ///
    /// # Errors
    /// What the library says, e.g. of a message shorter than announced.
    pub fn digest(&self) -> Result<([u8; MAX_TAG], usize), Failure> {
        let mut tag = [0; MAX_TAG];
        let length = self.fork().finish(&mut tag)?;
        Ok((tag, length))
    }

    /// Compares the tag of what was read so far in constant time; the message can go on.
    ///
    /// # Errors
    /// [`Error::Authentication`] if it differs, [`Error::Length`] for another length.
    pub fn verify(&self, tag: &[u8]) -> Result<(), Failure> {
        let (got, allowed) = (tag.len(), Sizes::exactly(self.tag));
        if got != self.tag {
            return Err(Error::Length { field: "tag", got, allowed }.into());
        }
        Ok(self.mac.fork().verify(tag)?)
    }

    /// Another one that has read the same.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self { mac: self.mac.fork(), tag: self.tag }
    }

    /// Starts another message, with another IV where there is one.
    ///
    /// # Errors
    /// [`Error::Length`] if the IV's length is not allowed.
    pub fn reset(&mut self, iv: &[u8]) -> Result<(), Failure> {
        Ok(self.mac.reset(iv)?)
    }
}
