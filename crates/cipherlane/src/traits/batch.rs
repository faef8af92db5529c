//! What takes many independent messages in one call; object-safe.

use core::fmt;

use lanes::InOut;

use crate::error::{Error, check_length};
use crate::sizes::Sizes;

/// One message of a batch with its own key.
pub struct Packet<'a> {
    /// The key, in bytes as the operation takes it.
    pub key: &'a [u8],
    /// The IV or nonce, in bytes as the operation takes it.
    pub iv: &'a [u8],
    /// Associated data of an AEAD; the message of a MAC; else empty.
    pub aad: &'a [u8],
    /// The data, in place or buffer to buffer; empty for a MAC.
    pub io: InOut<'a>,
    /// The tag, as long as the batch's tags are: written by an AEAD that seals and by a MAC,
    /// read by an AEAD that opens; else empty.
    pub tag: &'a mut [u8],
    /// Whether this message was refused or its tag was wrong.
    pub failed: bool,
}

/// One message of a batch under a key that is ready.
pub struct Job<'a> {
    /// The number of the key, counted from 0 in the order in which keys were given.
    pub key: usize,
    /// The IV or nonce, in bytes as the operation takes it.
    pub iv: &'a [u8],
    /// Associated data of an AEAD; the message of a MAC; else empty.
    pub aad: &'a [u8],
    /// The data, in place or buffer to buffer; empty for a MAC.
    pub io: InOut<'a>,
    /// The tag, as long as the batch's tags are: written by an AEAD that seals and by a MAC,
    /// read by an AEAD that opens; else empty.
    pub tag: &'a mut [u8],
    /// Whether this message was refused or its tag was wrong.
    pub failed: bool,
}

/// Lengths, and nothing of key, data and tag.
impl fmt::Debug for Packet<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key: _, iv, aad, io, tag, failed } = self;
        let mut f = f.debug_struct("Packet");
        f.field("iv", &iv.len()).field("aad", &aad.len()).field("io", io);
        f.field("tag", &tag.len()).field("failed", failed).finish_non_exhaustive()
    }
}

/// Lengths, and nothing of data and tag.
impl fmt::Debug for Job<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, iv, aad, io, tag, failed } = self;
        let mut f = f.debug_struct("Job");
        f.field("key", key).field("iv", &iv.len()).field("aad", &aad.len()).field("io", io);
        f.field("tag", &tag.len()).field("failed", failed).finish_non_exhaustive()
    }
}

impl<'a> Packet<'a> {
    /// A message without associated data and tag.
    #[must_use]
    pub fn new(key: &'a [u8], iv: &'a [u8], io: InOut<'a>) -> Self {
        Self { key, iv, aad: &[], io, tag: &mut [], failed: false }
    }

    /// A message of an AEAD.
    #[must_use]
    pub fn aead(
        key: &'a [u8],
        nonce: &'a [u8],
        aad: &'a [u8],
        io: InOut<'a>,
        tag: &'a mut [u8],
    ) -> Self {
        Self { key, iv: nonce, aad, io, tag, failed: false }
    }

    /// A message of a MAC.
    #[must_use]
    pub fn mac(key: &'a [u8], iv: &'a [u8], message: &'a [u8], tag: &'a mut [u8]) -> Self {
        let io = <&mut [u8]>::default().into();
        Self { key, iv, aad: message, io, tag, failed: false }
    }
}

impl<'a> Job<'a> {
    /// A message without associated data and tag.
    #[must_use]
    pub fn new(key: usize, iv: &'a [u8], io: InOut<'a>) -> Self {
        Self { key, iv, aad: &[], io, tag: &mut [], failed: false }
    }

    /// A message of an AEAD.
    #[must_use]
    pub fn aead(
        key: usize,
        nonce: &'a [u8],
        aad: &'a [u8],
        io: InOut<'a>,
        tag: &'a mut [u8],
    ) -> Self {
        Self { key, iv: nonce, aad, io, tag, failed: false }
    }

    /// A message of a MAC.
    #[must_use]
    pub fn mac(key: usize, iv: &'a [u8], message: &'a [u8], tag: &'a mut [u8]) -> Self {
        let io = <&mut [u8]>::default().into();
        Self { key, iv, aad: message, io, tag, failed: false }
    }
}

/// One operation on many messages at once, each under a key of its own.
pub trait BatchCipher: Send {
    /// How many messages share one pass of the kernel; 1 where it runs one after another.
    fn lanes(&self) -> usize;

    /// Whether [`apply`](Self::apply) would refuse this packet before the first byte is
    /// written. An operation that finds out late, or doesn't say, takes every packet here.
    ///
    /// # Errors
    /// Those of [`apply`](Self::apply) but [`Error::Authentication`].
    fn check(&self, packet: &mut Packet<'_>) -> Result<(), Error> {
        let _ = packet;
        Ok(())
    }

    /// Processes every packet under its own key and IV. All lengths are checked before
    /// the first byte is written.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::PartialBlock`], [`Error::Limit`] or [`Error::EqualKeys`]
    /// for the first packet that the operation does not take: nothing is written then,
    /// except where the operation runs one after another and finds out late.
    /// [`Error::Authentication`] if a tag is wrong; the output of that packet is wiped, and
    /// all others are processed. [`Packet::failed`] marks the packets the error is about.
    fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error>;
}

/// One operation on many messages at once, under keys that are ready.
pub trait ReadyBatch: Send {
    /// How many messages share one pass of the kernel; 1 where it runs one after another.
    fn lanes(&self) -> usize;

    /// How many keys there are.
    fn keys(&self) -> usize;

    /// Whether [`apply`](Self::apply) would refuse this job before the first byte is
    /// written. An operation that finds out late, or doesn't say, takes every job here.
    ///
    /// # Errors
    /// Those of [`apply`](Self::apply) but [`Error::Authentication`].
    fn check(&self, job: &mut Job<'_>) -> Result<(), Error> {
        let _ = job;
        Ok(())
    }

    /// Processes every job under its key and IV. All lengths are checked before the first
    /// byte is written.
    ///
    /// # Errors
    /// [`Error::Value`] for the first job whose key's number is not below
    /// [`keys`](Self::keys); else as [`BatchCipher::apply`], [`Job::failed`] being the mark.
    fn apply(&mut self, jobs: &mut [Job<'_>]) -> Result<(), Error>;
}

#[cfg(feature = "alloc")]
impl<B: BatchCipher + ?Sized> BatchCipher for alloc::boxed::Box<B> {
    fn lanes(&self) -> usize {
        (**self).lanes()
    }

    fn check(&self, packet: &mut Packet<'_>) -> Result<(), Error> {
        (**self).check(packet)
    }

    fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        (**self).apply(packets)
    }
}

#[cfg(feature = "alloc")]
impl<B: ReadyBatch + ?Sized> ReadyBatch for alloc::boxed::Box<B> {
    fn lanes(&self) -> usize {
        (**self).lanes()
    }

    fn keys(&self) -> usize {
        (**self).keys()
    }

    fn check(&self, job: &mut Job<'_>) -> Result<(), Error> {
        (**self).check(job)
    }

    fn apply(&mut self, jobs: &mut [Job<'_>]) -> Result<(), Error> {
        (**self).apply(jobs)
    }
}

/// What a batch is made of: a message that bears a mark.
pub(crate) trait Message {
    /// The mark of a message that was refused, or whose tag was wrong.
    fn failed(&mut self) -> &mut bool;
}

impl Message for Packet<'_> {
    #[inline(always)]
    fn failed(&mut self) -> &mut bool {
        &mut self.failed
    }
}

impl Message for Job<'_> {
    #[inline(always)]
    fn failed(&mut self) -> &mut bool {
        &mut self.failed
    }
}

/// Checks messages before the first byte of any is written, and marks the one that is refused;
/// those behind it keep the mark that they had.
#[inline(always)]
pub(crate) fn check_all<M: Message>(
    messages: &mut [M],
    check: impl Fn(&mut M) -> Result<(), Error>,
) -> Result<(), Error> {
    for message in messages {
        let checked = check(message);
        *message.failed() = checked.is_err();
        checked?;
    }
    Ok(())
}

/// Returns an error unless a message of an operation without associated data and tag
/// has neither.
pub(crate) fn check_plain(aad: &[u8], tag: &[u8]) -> Result<(), Error> {
    check_length("associated data", aad.len(), Sizes::exactly(0))?;
    check_length("tag", tag.len(), Sizes::exactly(0))
}
