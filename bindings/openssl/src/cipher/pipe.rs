//! One message among those of a [`pipeline`](super::pipeline), as a mode offers it.

use super::Work;
use crate::Outcome;
use crate::reason::{Reason, Refused};

/// The longest block in bytes.
pub(super) const BLOCK: usize = 16;
/// The longest tag in bytes.
pub(super) const TAG: usize = 16;

/// What a mode without tags and associated data says to them.
fn no_tags() -> Refused {
    Reason::NotSupported.because("associated data and tags are of GCM")
}

/// One message.
pub(super) trait Pipe: Send {
    /// The same as a single message.
    fn work(&mut self) -> &mut dyn Work;

    /// How many bytes of a piece of this length can go through a batch.
    fn batched(&self, length: usize) -> usize;

    /// Whether so many bytes, which [`batched`](Self::batched) has answered, are a job.
    ///
    /// # Errors
    /// Where no more data may come.
    fn joins(&self, amount: usize) -> Outcome<bool> {
        Ok(amount > 0)
    }

    /// The IV of its job.
    fn iv(&self) -> &[u8];

    /// The associated data of its job.
    fn aad(&self) -> &[u8] {
        &[]
    }

    /// The length of its job's tag in bytes.
    fn tag_length(&self) -> usize {
        0
    }

    /// The length of the ciphertext block that the message goes on with; 0 if it needs none.
    fn chained(&self) -> usize {
        0
    }

    /// Goes past so many bytes that a batch has processed, with the last block of their ciphertext
    /// and the tag that came of them.
    fn went(&mut self, amount: usize, chained: &[u8], tag: [u8; TAG]) -> Outcome;

    /// Processes what did not go through a batch, as a single message does.
    ///
    /// # Safety
    /// As [`Work::update`].
    unsafe fn rest(
        &mut self,
        from: *const u8,
        length: usize,
        to: *mut u8,
        room: usize,
    ) -> Outcome<usize> {
        if length == 0 {
            return Ok(0);
        }
        // SAFETY: the caller's promises.
        unsafe { self.work().update(from, length, to, room) }
    }

    /// Ends the message; returns how many bytes are written.
    fn end(&mut self, output: &mut [u8]) -> Outcome<usize> {
        self.work().finish(output)
    }

    /// Takes associated data.
    fn associated(&mut self, _data: &[u8]) -> Outcome {
        Err(no_tags())
    }

    /// Sets the tag that opening compares.
    fn expect(&mut self, _tag: &[u8]) -> Outcome {
        Err(no_tags())
    }

    /// The tag, as long as it is known: the one that was set, or came of sealing.
    fn tag(&self) -> Outcome<Option<&[u8]>> {
        Err(no_tags())
    }
}
