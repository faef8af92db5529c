//! Batches: the messages of one call on several threads.

use alloc::vec::Vec;
use core::fmt;

use super::Threads;
use crate::error::Error;
use crate::traits::batch::{BatchCipher, Job, Packet, ReadyBatch, check_all};

/// What a message costs besides its bytes, as so many bytes: a key, an IV, a tag.
const EACH: usize = 256;

/// A batch on several threads, each of which has one of its own: a [`BatchCipher`] of
/// many, or a [`ReadyBatch`] of many.
///
/// The messages of a call are cut into as many runs as there are threads, each of about as
/// many bytes. Which thread has which message changes nothing about it. Nothing is allocated
/// after construction but what the threads need to wait for one another.
///
/// ```
/// use cipherlane::batch::{BatchCipher, Packet};
/// use cipherlane::parallel::Threads;
/// use cipherlane::{Level, registry};
///
/// let sm4 = registry::algorithm("sm4").expect("a build with SM4");
/// let ctr = registry::operation(sm4, "ctr").expect("CTR");
/// let level = Level::detect()?;
/// let mut batch = Threads::global().batches(|| ctr.fresh(level))?;
/// let mut messages = vec![[5; 1500]; 1000];
/// let mut packets: Vec<_> = messages
///     .iter_mut()
///     .map(|message| Packet::new(&[1; 16], &[2; 16], message.as_mut_slice().into()))
///     .collect();
/// batch.apply(&mut packets)?;
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub struct Batches<'p, B> {
    threads: Threads<'p>,
    batches: Vec<B>,
}

impl<'p> Threads<'p> {
    /// A batch over these threads. `new` makes that of one thread, and is called once for
    /// each, one call after another; all must be the same: of one operation, level, keys.
    ///
    /// # Errors
    /// The first that `new` returns.
    pub fn batches<B: Send>(
        self,
        new: impl FnMut() -> Result<B, Error>,
    ) -> Result<Batches<'p, B>, Error> {
        let batches: Result<Vec<_>, _> =
            core::iter::repeat_with(new).take(self.count().max(1)).collect();
        Ok(Batches { threads: self, batches: batches? })
    }
}

/// A message of either kind.
trait Message: Send {
    /// About what it costs, in bytes.
    fn weight(&self) -> usize;
}

impl Message for Packet<'_> {
    fn weight(&self) -> usize {
        EACH + self.io.len() + self.aad.len()
    }
}

impl Message for Job<'_> {
    fn weight(&self) -> usize {
        EACH + self.io.len() + self.aad.len()
    }
}

impl<B: Send> Batches<'_, B> {
    fn run<M: Message>(
        &mut self,
        messages: &mut [M],
        apply: &(impl Fn(&mut B, &mut [M]) -> Result<(), Error> + Sync),
    ) -> Result<(), Error> {
        let weight: usize = messages.iter().map(M::weight).sum();
        let count = (weight / self.threads.least.max(1)).clamp(1, self.batches.len());
        let batches = &mut self.batches[..count];
        match self.threads.pool {
            _ if count == 1 => apply(&mut batches[0], messages),
            Some(pool) => pool.install(|| halves(messages, weight, batches, apply)),
            None => halves(messages, weight, batches, apply),
        }
    }
}

/// Gives the messages to the batches, half of them to half of them, until it is one batch.
fn halves<M: Message, B: Send>(
    messages: &mut [M],
    weight: usize,
    batches: &mut [B],
    apply: &(impl Fn(&mut B, &mut [M]) -> Result<(), Error> + Sync),
) -> Result<(), Error> {
    if let [batch] = batches {
        return apply(batch, messages);
    }
    let half = batches.len() / 2;
    // Not by a product that may be too large.
    let wanted = weight / batches.len() * half;
    let (mut at, mut before) = (0, 0);
    while at < messages.len() && before < wanted {
        before += messages[at].weight();
        at += 1;
    }
    let (head, tail) = messages.split_at_mut(at);
    let (first, second) = batches.split_at_mut(half);
    let (head, tail) = rayon::join(
        || halves(head, before, first, apply),
        || halves(tail, weight - before, second, apply),
    );
    head.and(tail)
}

impl<B: BatchCipher> BatchCipher for Batches<'_, B> {
    fn lanes(&self) -> usize {
        self.batches.iter().map(B::lanes).sum()
    }

    fn check(&self, packet: &mut Packet<'_>) -> Result<(), Error> {
        self.batches[0].check(packet)
    }

    fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        // Here, so that no thread has written anything when another one refuses.
        check_all(packets, |packet| self.check(packet))?;
        self.run(packets, &|batch, packets| batch.apply(packets))
    }
}

impl<B: ReadyBatch> ReadyBatch for Batches<'_, B> {
    fn lanes(&self) -> usize {
        self.batches.iter().map(B::lanes).sum()
    }

    fn keys(&self) -> usize {
        self.batches[0].keys()
    }

    fn check(&self, job: &mut Job<'_>) -> Result<(), Error> {
        self.batches[0].check(job)
    }

    fn apply(&mut self, jobs: &mut [Job<'_>]) -> Result<(), Error> {
        check_all(jobs, |job| self.check(job))?;
        self.run(jobs, &|batch, jobs| batch.apply(jobs))
    }
}

impl<B> fmt::Debug for Batches<'_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batches").field("threads", &self.batches.len()).finish_non_exhaustive()
    }
}
