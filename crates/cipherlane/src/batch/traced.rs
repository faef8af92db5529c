//! Batches that clear the stack when they are dropped, as the registry hands them out.

use alloc::boxed::Box;

use crate::error::Error;
use crate::secret::{Depth, Trace, deeper};
use crate::traits::batch::{BatchCipher, Job, Packet, ReadyBatch};
use lanes::Level;

/// How deep operations on many messages go on the stack.
const STACK: Depth = Depth::of(96 << 10);

/// A batch, dropped before what it left is cleared.
pub(crate) struct Traced<B: ?Sized> {
    inner: Box<B>,
    _trace: Trace,
}

impl<B: ?Sized> Traced<B> {
    pub(crate) fn boxed(inner: Box<B>, level: Level) -> Box<Self> {
        Box::new(Self { inner, _trace: Trace::of(level, STACK) })
    }
}

impl BatchCipher for Traced<dyn BatchCipher> {
    fn lanes(&self) -> usize {
        self.inner.lanes()
    }
    fn check(&self, packet: &mut Packet<'_>) -> Result<(), Error> {
        self.inner.check(packet)
    }
    fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        told(deeper(|| self.inner.apply(packets)))
    }
}

impl ReadyBatch for Traced<dyn ReadyBatch> {
    fn lanes(&self) -> usize {
        self.inner.lanes()
    }
    fn keys(&self) -> usize {
        self.inner.keys()
    }
    fn check(&self, job: &mut Job<'_>) -> Result<(), Error> {
        self.inner.check(job)
    }
    fn apply(&mut self, jobs: &mut [Job<'_>]) -> Result<(), Error> {
        told(deeper(|| self.inner.apply(jobs)))
    }
}

/// The same answer, made anew: copied as it came, one without an error would take along what the
/// stack held in the error's place.
#[inline(always)]
fn told(answer: Result<(), Error>) -> Result<(), Error> {
    #[cold]
    #[inline(never)]
    fn refused(error: Error) -> Result<(), Error> {
        Err(error)
    }
    match answer {
        Ok(()) => Ok(()),
        Err(error) => refused(error),
    }
}
