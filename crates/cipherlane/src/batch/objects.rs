//! Operations that have no lanes: one message after another, through the objects of the
//! registry.

use alloc::boxed::Box;
use alloc::vec::Vec;

use lanes::Level;

use super::adapt::{ManyKeys, Numbered, OverKeys, room};
use crate::entry::constructor::Mode;
use crate::entry::operation::Operation;
use crate::error::{Error, check_length};
use crate::modes::check_whole;
use crate::sizes::Sizes;
use crate::traits::batch::{Job, check_plain};
use crate::traits::keys::{KeySet, NewKeys};

/// An operation of a mode, message by message under a set of keys.
pub(crate) struct Messages {
    mode: Mode,
    iv: Sizes,
    whole: bool,
}

impl Messages {
    /// With room for `count` keys.
    pub(crate) fn with_room(
        (mode, new): (Mode, NewKeys),
        operation: &Operation,
        count: usize,
        level: Level,
    ) -> Result<OverKeys<Self>, Error> {
        let Operation { key, iv, .. } = *operation;
        let keys = room(new, key, count, level)?;
        Ok(OverKeys { key, keys, mode: Self { mode, iv, whole: operation.whole_blocks() } })
    }
}

impl ManyKeys for Messages {
    fn lanes(_: &dyn KeySet) -> usize {
        1
    }

    /// Nothing: each message goes alone.
    fn precompute(&mut self, _: &mut dyn KeySet) {}

    fn check(&self, keys: &dyn KeySet, job: &Job<'_>) -> Result<(), Error> {
        check_plain(job.aad, job.tag)?;
        check_length("iv", job.iv.len(), self.iv)?;
        if self.whole { check_whole(job.io.len(), keys.block_size()) } else { Ok(()) }
    }

    fn run(&self, keys: &dyn KeySet, jobs: &mut [Job<'_>]) -> Result<(), Error> {
        one_by_one(jobs, |job| (self.mode.message)(keys.one(job.key), job.iv, job.io.reborrow()))
    }
}

/// Runs all jobs, whatever becomes of one; the first error is told.
pub(crate) fn one_by_one(
    jobs: &mut [Job<'_>],
    mut one: impl FnMut(&mut Job<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut result = Ok(());
    for job in jobs {
        let done = one(job);
        job.failed = done.is_err();
        result = result.and(done);
    }
    result
}

/// What a job's lengths must be.
#[derive(Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) key: Sizes,
    pub(crate) iv: Sizes,
    pub(crate) aad: Sizes,
    pub(crate) data: Sizes,
    pub(crate) tag: Sizes,
}

impl Rules {
    /// Whether a job's lengths are so.
    pub(crate) fn check(&self, job: &Job<'_>) -> Result<(), Error> {
        check_length("iv", job.iv.len(), self.iv)?;
        check_length("associated data", job.aad.len(), self.aad)?;
        check_length("data", job.io.len(), self.data)?;
        check_length("tag", job.tag.len(), self.tag)
    }
}

/// Objects that are made of a key: modes on whole messages, AEADs, MACs.
pub(crate) struct Objects<T: ?Sized, N> {
    new: N,
    rules: Rules,
    apply: fn(&mut T, &mut Job<'_>) -> Result<(), Error>,
    room: usize,
    objects: Vec<Box<T>>,
}

impl<T: ?Sized, N: Fn(&[u8]) -> Result<Box<T>, Error>> Objects<T, N> {
    /// With room for `room` keys, from the constructor and what is done with an object.
    pub(crate) fn with_room(
        new: N,
        rules: Rules,
        apply: fn(&mut T, &mut Job<'_>) -> Result<(), Error>,
        room: usize,
    ) -> Self {
        Self { new, rules, apply, room, objects: Vec::with_capacity(room) }
    }
}

impl<T: ?Sized + Send, N: Fn(&[u8]) -> Result<Box<T>, Error> + Send> Numbered for Objects<T, N> {
    fn lanes(&self) -> usize {
        1
    }

    fn room(&self) -> usize {
        self.room
    }

    fn check_key(&self, key: &[u8]) -> Result<(), Error> {
        check_length("key", key.len(), self.rules.key)
    }

    fn set(&mut self, keys: &[&[u8]]) -> Result<(), Error> {
        self.objects.clear();
        for key in keys {
            self.objects.push((self.new)(key)?);
        }
        Ok(())
    }

    fn check(&self, job: &Job<'_>) -> Result<(), Error> {
        self.rules.check(job)
    }

    fn run(&mut self, jobs: &mut [Job<'_>]) -> Result<(), Error> {
        one_by_one(jobs, |job| (self.apply)(&mut self.objects[job.key], job))
    }
}
