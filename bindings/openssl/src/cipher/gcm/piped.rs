//! A message of GCM among others: it is sealed by its one update, as records and packets are, and
//! opened by a batch if its tag was set before.

use super::GcmWork;
use crate::Outcome;
use crate::cipher::Work;
use crate::cipher::pipe::{Pipe, TAG};
use crate::reason::Reason;

pub(super) struct GcmPipe {
    work: GcmWork,
    /// Associated data so far, until the message begins.
    aad: Vec<u8>,
    begun: bool,
    /// Whether a batch has made or checked the tag.
    done: bool,
}

impl GcmPipe {
    pub(super) const fn new(work: GcmWork) -> Self {
        Self { work, aad: Vec::new(), begun: false, done: false }
    }

    /// Whether a batch can have the whole message.
    fn is_ready(&self) -> bool {
        !self.begun && (self.work.encrypt || self.work.tag().is_some())
    }

    /// Passes the associated data on, where the message goes the way of a single one.
    fn begin(&mut self) -> Outcome {
        if !std::mem::replace(&mut self.begun, true) {
            let aad = std::mem::take(&mut self.aad);
            // SAFETY: the slice is valid; no output stands for associated data.
            unsafe { self.work.update(aad.as_ptr(), aad.len(), std::ptr::null_mut(), 0) }?;
        }
        Ok(())
    }
}

impl Pipe for GcmPipe {
    fn work(&mut self) -> &mut dyn Work {
        &mut self.work
    }

    fn batched(&self, length: usize) -> usize {
        if self.is_ready() { length } else { 0 }
    }

    fn joins(&self, _: usize) -> Outcome<bool> {
        if self.done {
            return Err(Reason::Operation.because("a message of GCM comes in one update"));
        }
        Ok(self.is_ready())
    }

    fn iv(&self) -> &[u8] {
        self.work.iv.bytes()
    }

    fn aad(&self) -> &[u8] {
        &self.aad
    }

    fn tag_length(&self) -> usize {
        self.work.tag().filter(|_| !self.work.encrypt).map_or(TAG, <[u8]>::len)
    }

    fn went(&mut self, _: usize, _: &[u8], tag: [u8; TAG]) -> Outcome {
        self.done = true;
        if self.work.encrypt {
            self.work.ended_with(tag);
        }
        Ok(())
    }

    unsafe fn rest(
        &mut self,
        from: *const u8,
        length: usize,
        to: *mut u8,
        room: usize,
    ) -> Outcome<usize> {
        if self.done {
            return Ok(0);
        }
        self.begin()?;
        // SAFETY: the caller's promises.
        unsafe { self.work.update(from, length, to, room) }
    }

    fn end(&mut self, output: &mut [u8]) -> Outcome<usize> {
        if self.done {
            return Ok(0);
        }
        self.begin()?;
        self.work.finish(output)
    }

    fn associated(&mut self, data: &[u8]) -> Outcome {
        if self.begun || self.done {
            return Err(Reason::Operation.because("associated data after the message"));
        }
        crate::wiped::append(&mut self.aad, data)?;
        Ok(())
    }

    fn expect(&mut self, tag: &[u8]) -> Outcome {
        self.work.expect(tag)
    }

    fn tag(&self) -> Outcome<Option<&[u8]>> {
        Ok(self.work.tag())
    }
}
