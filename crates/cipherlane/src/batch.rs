//! Many independent messages in one call; object-safe.
//!
//! A [`BatchCipher`] takes messages with their keys ([`Packet`]), a [`ReadyBatch`] has keys
//! set up beforehand, and its messages ([`Job`]) name them by number. Keys, IVs and lengths
//! may all differ within a batch. [`registry::batches`](crate::registry::batches) makes both
//! for every operation of every algorithm: in lanes where there is a kernel for it, else one
//! message after another.
//!
//! A batch allocates when it is made. Operations without lanes may do so again for fresh
//! keys, as they make an object for each.
//!
//! The length of tags belongs to the batch: the longest of the operation, or what
//! [`Batch::with_tag_len`](crate::registry::Batch::with_tag_len) chose; a message with another
//! one is refused.
//!
//! All lengths are checked before the first byte is written. Opening many messages wipes the
//! output of each whose tag is wrong and no other; [`Job::failed`] tells which.
//!
//! ```
//! use cipherlane::Level;
//! use cipherlane::batch::{Job, Packet};
//! use cipherlane::registry;
//!
//! let sm4 = registry::algorithm("sm4").expect("a build with SM4");
//! let ctr = registry::batches(sm4).find(|batch| batch.operation == "ctr").expect("CTR");
//!
//! // Two keys for many messages.
//! let level = Level::detect()?;
//! let mut ready = ctr.ready(&[&[1; 16], &[2; 16]], level)?;
//! let mut data = [*b"a message under key 1", *b"a message under key 0"];
//! let [a, b] = &mut data;
//! ready.apply(&mut [
//!     Job::new(1, &[7; 16], a.as_mut_slice().into()),
//!     Job::new(0, &[8; 16], b.as_mut_slice().into()),
//! ])?;
//!
//! // A key of its own for each message.
//! let mut fresh = ctr.fresh(level)?;
//! let [a, b] = &mut data;
//! fresh.apply(&mut [
//!     Packet::new(&[2; 16], &[7; 16], a.as_mut_slice().into()),
//!     Packet::new(&[1; 16], &[8; 16], b.as_mut_slice().into()),
//! ])?;
//! assert_eq!(data, [*b"a message under key 1", *b"a message under key 0"]);
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;

use lanes::InOut;

use crate::error::check_length;
use crate::{Error, Sizes};

#[cfg(feature = "alloc")]
pub(crate) mod adapt;
#[cfg(feature = "alloc")]
pub(crate) mod cbc;
#[cfg(feature = "alloc")]
pub(crate) mod ccm;
#[cfg(feature = "alloc")]
pub(crate) mod cmac;
#[cfg(feature = "alloc")]
pub(crate) mod feedback;
#[cfg(feature = "alloc")]
pub(crate) mod gcm;
#[cfg(any(feature = "rabbit", feature = "sosemanuk"))]
pub(crate) mod in_lanes;
#[cfg(feature = "alloc")]
mod in_step;
#[cfg(feature = "alloc")]
pub(crate) mod objects;
mod one_by_one;
#[cfg(feature = "alloc")]
pub(crate) mod one_tag;
#[cfg(feature = "alloc")]
pub(crate) mod short;
#[cfg(feature = "alloc")]
pub(crate) mod stream;
#[cfg(feature = "alloc")]
pub(crate) mod traced;
#[cfg(feature = "alloc")]
pub(crate) mod xts;

pub use one_by_one::OneByOne;

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

/// Returns an error unless a message of an operation without associated data and tag
/// has neither.
pub(crate) fn check_plain(aad: &[u8], tag: &[u8]) -> Result<(), Error> {
    check_length("associated data", aad.len(), Sizes::exactly(0))?;
    check_length("tag", tag.len(), Sizes::exactly(0))
}
