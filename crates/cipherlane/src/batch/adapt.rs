//! From an operation over numbered keys to the two public shapes of a batch.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::array;

use lanes::Level;

use crate::entry::batch::BatchEntry;
use crate::error::{Error, check_length};
use crate::sizes::Sizes;
use crate::traits::batch::{BatchCipher, Job, Packet, ReadyBatch, check_all};
use crate::traits::keys::{KeySet, NewKeys};

/// One operation on many messages over a room of keys.
pub(crate) trait Numbered: Send {
    /// How many messages share one pass; 1 where they run one after another.
    fn lanes(&self) -> usize;

    /// How many keys there is room for.
    fn room(&self) -> usize;

    /// Whether this is a key of the operation.
    fn check_key(&self, key: &[u8]) -> Result<(), Error>;

    /// Sets up the first keys of the room; all have been checked and there are not more
    /// than the room holds.
    fn set(&mut self, keys: &[&[u8]]) -> Result<(), Error>;

    /// Makes ready what is only worth it for keys that stay.
    fn precompute(&mut self) {}

    /// Whether the operation takes such a message.
    fn check(&self, job: &Job<'_>) -> Result<(), Error>;

    /// The same with what only the job as a whole can tell.
    fn accept(&self, job: &mut Job<'_>) -> Result<(), Error> {
        self.check(job)
    }

    /// Processes jobs that have all been checked; marks those that failed.
    fn run(&mut self, jobs: &mut [Job<'_>]) -> Result<(), Error>;
}

/// What a mode does with messages under the keys of one block cipher; [`OverKeys`] is all the rest.
pub(crate) trait ManyKeys: Send + 'static {
    /// How many messages share one pass.
    fn lanes(keys: &dyn KeySet) -> usize {
        keys.lanes()
    }

    /// Whether this is a key of the operation, where the cipher has keys of these lengths.
    fn check_key(cipher: Sizes, key: &[u8]) -> Result<(), Error> {
        check_length("key", key.len(), cipher)
    }

    /// As [`Numbered::set`].
    fn set(&mut self, keys: &mut dyn KeySet, new: &[&[u8]]) -> Result<(), Error> {
        keys.set(new)
    }

    /// As [`Numbered::precompute`].
    fn precompute(&mut self, keys: &mut dyn KeySet) {
        keys.precompute();
    }

    /// As [`Numbered::check`].
    fn check(&self, keys: &dyn KeySet, job: &Job<'_>) -> Result<(), Error>;

    /// As [`Numbered::run`].
    fn run(&self, keys: &dyn KeySet, jobs: &mut [Job<'_>]) -> Result<(), Error>;
}

/// How a mode keeps what it has beside the cipher's keys.
pub(crate) trait Beside: Sized {
    /// With room for `count` keys of a cipher with keys of these lengths.
    fn with_room(new: NewKeys, key: Sizes, count: usize, level: Level) -> Result<Self, Error>;
}

/// A mode that has nothing.
impl<M: Default> Beside for M {
    fn with_room(_: NewKeys, _: Sizes, _: usize, _: Level) -> Result<Self, Error> {
        Ok(Self::default())
    }
}

/// A mode over a set of keys.
pub(crate) struct OverKeys<M> {
    /// The lengths of the cipher's keys in bytes.
    pub(crate) key: Sizes,
    pub(crate) keys: Box<dyn KeySet>,
    pub(crate) mode: M,
}

impl<M: Beside> OverKeys<M> {
    fn with_room(new: NewKeys, key: Sizes, count: usize, level: Level) -> Result<Self, Error> {
        let mode = M::with_room(new, key, count, level)?;
        Ok(Self { key, keys: room(new, key, count, level)?, mode })
    }
}

/// A set of `count` keys, all zeros until they are set.
pub(crate) fn room(
    new: NewKeys,
    key: Sizes,
    count: usize,
    level: Level,
) -> Result<Box<dyn KeySet>, Error> {
    let zeros = vec![0; key.min];
    let keys: Vec<&[u8]> = vec![&zeros; count];
    new(&keys, level)
}

impl<M: ManyKeys> Numbered for OverKeys<M> {
    fn lanes(&self) -> usize {
        M::lanes(&*self.keys)
    }

    fn room(&self) -> usize {
        self.keys.len()
    }

    fn check_key(&self, key: &[u8]) -> Result<(), Error> {
        M::check_key(self.key, key)
    }

    fn set(&mut self, keys: &[&[u8]]) -> Result<(), Error> {
        self.mode.set(&mut *self.keys, keys)
    }

    fn precompute(&mut self) {
        self.mode.precompute(&mut *self.keys);
    }

    fn check(&self, job: &Job<'_>) -> Result<(), Error> {
        self.mode.check(&*self.keys, job)
    }

    fn run(&mut self, jobs: &mut [Job<'_>]) -> Result<(), Error> {
        self.mode.run(&*self.keys, jobs)
    }
}

/// The row of a mode, for blocks of these lengths in bytes.
pub(crate) const fn entry<M: ManyKeys + Beside>(
    operation: &'static str,
    blocks: &'static [usize],
) -> BatchEntry {
    BatchEntry { operation, blocks, ready: ready::<M>, fresh: fresh::<M> }
}

/// Keys that are set up together, and most messages between two set-ups.
const ROOM: usize = 64;

/// The constructor of `M` for keys that are ready.
fn ready<M: ManyKeys + Beside>(
    new: NewKeys,
    cipher_key: Sizes,
    keys: &[&[u8]],
    level: Level,
) -> Result<Box<dyn ReadyBatch>, Error> {
    with_keys(OverKeys::<M>::with_room(new, cipher_key, keys.len(), level)?, keys)
}

/// The constructor of `M` for keys that come with their messages.
fn fresh<M: ManyKeys + Beside>(
    new: NewKeys,
    cipher_key: Sizes,
    level: Level,
) -> Result<Box<dyn BatchCipher>, Error> {
    Ok(Box::new(Fresh(OverKeys::<M>::with_room(new, cipher_key, ROOM, level)?)))
}

/// An operation whose room is as large as there are keys, with these keys.
pub(crate) fn with_keys<B: Numbered + 'static>(
    mut batch: B,
    keys: &[&[u8]],
) -> Result<Box<dyn ReadyBatch>, Error> {
    set_up(&mut batch, keys)?;
    Ok(Box::new(Ready(batch)))
}

/// By reference and out of line: once for all operations.
#[inline(never)]
fn set_up(batch: &mut dyn Numbered, keys: &[&[u8]]) -> Result<(), Error> {
    for key in keys {
        batch.check_key(key)?;
    }
    batch.set(keys)?;
    batch.precompute();
    Ok(())
}

/// Under keys that are ready.
struct Ready<B>(B);

impl<B: Numbered> Ready<B> {
    /// With the room asked for once: it is a call of its own for every job otherwise.
    #[inline(always)]
    fn check_in(&self, room: usize, job: &mut Job<'_>) -> Result<(), Error> {
        if job.key < room { self.0.accept(job) } else { Err(no_such_key(job.key, room)) }
    }
}

impl<B: Numbered> ReadyBatch for Ready<B> {
    fn lanes(&self) -> usize {
        self.0.lanes()
    }

    fn keys(&self) -> usize {
        self.0.room()
    }

    fn check(&self, job: &mut Job<'_>) -> Result<(), Error> {
        self.check_in(self.0.room(), job)
    }

    fn apply(&mut self, jobs: &mut [Job<'_>]) -> Result<(), Error> {
        let room = self.0.room();
        check_all(jobs, |job| self.check_in(room, job))?;
        self.0.run(jobs)
    }
}

/// The answer to a number that no key has.
fn no_such_key(got: usize, keys: usize) -> Error {
    let max = (keys as u64).saturating_sub(1);
    Error::Value { field: "number of the key", got: got as u64, min: 0, max }
}

/// Under keys that come with the messages.
pub(crate) struct Fresh<B>(pub(crate) B);

impl<B: Numbered> BatchCipher for Fresh<B> {
    fn lanes(&self) -> usize {
        self.0.lanes()
    }

    fn check(&self, packet: &mut Packet<'_>) -> Result<(), Error> {
        check(&self.0, packet)
    }

    fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        apply(&mut self.0, packets)
    }
}

fn check(batch: &dyn Numbered, packet: &mut Packet<'_>) -> Result<(), Error> {
    batch.check_key(packet.key)?;
    batch.check(&job(packet, 0))
}

/// By reference, here and below: once for all operations.
fn apply(batch: &mut dyn Numbered, packets: &mut [Packet<'_>]) -> Result<(), Error> {
    check_all(packets, |packet| check(batch, packet))?;
    let mut result = Ok(());
    for packets in packets.chunks_mut(batch.room()) {
        // Clearing places that stay empty costs more than a short batch.
        let done = match packets.len() {
            0..=8 => few::<8>(batch, packets),
            9..=16 => few::<16>(batch, packets),
            _ => few::<ROOM>(batch, packets),
        };
        result = result.and(done);
    }
    result
}

/// A packet as a job under the key of that number.
fn job<'p>(packet: &'p mut Packet<'_>, key: usize) -> Job<'p> {
    Job {
        key,
        iv: packet.iv,
        aad: packet.aad,
        io: packet.io.reborrow(),
        tag: packet.tag,
        failed: false,
    }
}

/// At most `N` packets, which fit into the room.
fn few<const N: usize>(batch: &mut dyn Numbered, packets: &mut [Packet<'_>]) -> Result<(), Error> {
    let count = packets.len();
    let mut keys: [&[u8]; N] = [&[]; N];
    for (key, packet) in keys.iter_mut().zip(&*packets) {
        *key = packet.key;
    }
    batch.set(&keys[..count])?;
    let mut failed = [false; N];
    let mut rest = packets.iter_mut().enumerate();
    let mut jobs: [Job<'_>; N] = array::from_fn(|_| match rest.next() {
        Some((number, packet)) => job(packet, number),
        None => Job::new(0, &[], <&mut [u8]>::default().into()),
    });
    let result = batch.run(&mut jobs[..count]);
    for (failed, job) in failed.iter_mut().zip(&jobs) {
        *failed = job.failed;
    }
    for (packet, failed) in packets.iter_mut().zip(failed) {
        packet.failed = failed;
    }
    result
}
