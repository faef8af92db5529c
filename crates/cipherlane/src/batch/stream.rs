//! Operations of stream ciphers under keys that are ready: of a key nothing can be prepared
//! without its IV, so the keys are kept and set up with each message, in the lanes of the
//! operation's batch.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::array;

use super::adapt::Numbered;
use super::objects::Rules;
use crate::error::{Error, check_length};
use crate::secret::Wipe;
use crate::traits::batch::{BatchCipher, Job, Packet};

/// Keys of a stream cipher in front of a batch.
pub(crate) struct CachedKeys {
    batch: Box<dyn BatchCipher>,
    rules: Rules,
    keys: Vec<Vec<u8>>,
}

/// The most messages that are handed on together: as many as the lanes put in order.
const JOBS_PER_PASS: usize = 256;

impl CachedKeys {
    /// With room for `count` keys.
    pub(crate) fn with_room(batch: Box<dyn BatchCipher>, rules: Rules, count: usize) -> Self {
        let keys = (0..count).map(|_| Vec::with_capacity(rules.key.max)).collect();
        Self { batch, rules, keys }
    }

    /// At most `N` jobs, as packets.
    fn few<const N: usize>(&mut self, jobs: &mut [Job<'_>]) -> Result<(), Error> {
        let count = jobs.len();
        let mut failed = [false; N];
        let mut rest = jobs.iter_mut();
        let mut packets: [Packet<'_>; N] = array::from_fn(|_| match rest.next() {
            Some(job) => packet(&self.keys[job.key], job),
            None => Packet::new(&[], &[], <&mut [u8]>::default().into()),
        });
        let result = self.batch.apply(&mut packets[..count]);
        for (failed, packet) in failed.iter_mut().zip(&packets) {
            *failed = packet.failed;
        }
        for (job, failed) in jobs.iter_mut().zip(failed) {
            job.failed = failed;
        }
        result
    }
}

/// A job as a packet under a key.
fn packet<'p>(key: &'p [u8], job: &'p mut Job<'_>) -> Packet<'p> {
    Packet::aead(key, job.iv, job.aad, job.io.reborrow(), job.tag)
}

impl Drop for CachedKeys {
    fn drop(&mut self) {
        for key in &mut self.keys {
            key.as_mut_slice().wipe();
        }
    }
}

impl Wipe for [u8] {
    fn wipe(&mut self) {
        lanes::wipe::wipe_bytes(self);
    }
}

impl Numbered for CachedKeys {
    fn lanes(&self) -> usize {
        self.batch.lanes()
    }

    fn room(&self) -> usize {
        self.keys.len()
    }

    fn check_key(&self, key: &[u8]) -> Result<(), Error> {
        check_length("key", key.len(), self.rules.key)
    }

    fn set(&mut self, keys: &[&[u8]]) -> Result<(), Error> {
        for (kept, key) in self.keys.iter_mut().zip(keys) {
            kept.as_mut_slice().wipe();
            kept.clear();
            kept.extend_from_slice(key);
        }
        Ok(())
    }

    fn check(&self, job: &Job<'_>) -> Result<(), Error> {
        self.rules.check(job)
    }

    fn accept(&self, job: &mut Job<'_>) -> Result<(), Error> {
        self.check(job)?;
        self.batch.check(&mut packet(&self.keys[job.key], job))
    }

    fn run(&mut self, jobs: &mut [Job<'_>]) -> Result<(), Error> {
        let mut result = Ok(());
        for jobs in jobs.chunks_mut(JOBS_PER_PASS) {
            // Places that stay empty cost more than a short batch.
            let done = match jobs.len() {
                0..=16 => self.few::<16>(jobs),
                17..=64 => self.few::<64>(jobs),
                _ => self.few::<JOBS_PER_PASS>(jobs),
            };
            result = result.and(done);
        }
        result
    }
}
