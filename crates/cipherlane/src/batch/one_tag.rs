//! A batch whose tags have one length, which belongs to the batch: never that of a message,
//! whose sender could shorten it.

use alloc::boxed::Box;

use crate::error::Error;
use crate::traits::aead::check_tag_len;
use crate::traits::batch::{BatchCipher, Job, Packet, ReadyBatch, check_all};

/// A batch of an operation with tags.
pub(crate) struct OneTag<B: ?Sized> {
    /// The length of a tag in bytes.
    tag: usize,
    batch: Box<B>,
}

impl<B: ?Sized> OneTag<B> {
    pub(crate) const fn new(tag: usize, batch: Box<B>) -> Self {
        Self { tag, batch }
    }
}

impl BatchCipher for OneTag<dyn BatchCipher> {
    fn lanes(&self) -> usize {
        self.batch.lanes()
    }

    fn check(&self, packet: &mut Packet<'_>) -> Result<(), Error> {
        check_tag_len(packet.tag.len(), self.tag)?;
        self.batch.check(packet)
    }

    fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        check_all(packets, |packet| check_tag_len(packet.tag.len(), self.tag))?;
        self.batch.apply(packets)
    }
}

impl ReadyBatch for OneTag<dyn ReadyBatch> {
    fn lanes(&self) -> usize {
        self.batch.lanes()
    }

    fn keys(&self) -> usize {
        self.batch.keys()
    }

    fn check(&self, job: &mut Job<'_>) -> Result<(), Error> {
        check_tag_len(job.tag.len(), self.tag)?;
        self.batch.check(job)
    }

    fn apply(&mut self, jobs: &mut [Job<'_>]) -> Result<(), Error> {
        check_all(jobs, |job| check_tag_len(job.tag.len(), self.tag))?;
        self.batch.apply(jobs)
    }
}
