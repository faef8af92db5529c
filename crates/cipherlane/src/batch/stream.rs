//! Stream ciphers under keys that are ready: of a key nothing can be prepared without its
//! IV, so the keys are kept and set up with each message, in the lanes of the cipher's batch.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::array;

use super::adapt::Numbered;
use super::{BatchCipher, Job, Packet, check_plain};
use crate::error::check_length;
use crate::secret::Wipe;
use crate::{Error, Sizes};

/// Keys of a stream cipher in front of its batch.
pub(crate) struct KeptKeys {
    batch: Box<dyn BatchCipher>,
    key: Sizes,
    iv: Sizes,
    keys: Vec<Vec<u8>>,
}

/// Messages that are handed on together.
const TOGETHER: usize = 64;

impl KeptKeys {
    /// With room for `count` keys.
    pub(crate) fn with_room(
        batch: Box<dyn BatchCipher>,
        key: Sizes,
        iv: Sizes,
        count: usize,
    ) -> Self {
        let keys = (0..count).map(|_| Vec::with_capacity(key.max)).collect();
        Self { batch, key, iv, keys }
    }
}

impl Drop for KeptKeys {
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

impl Numbered for KeptKeys {
    fn lanes(&self) -> usize {
        self.batch.lanes()
    }

    fn room(&self) -> usize {
        self.keys.len()
    }

    fn check_key(&self, key: &[u8]) -> Result<(), Error> {
        check_length("key", key.len(), self.key)
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
        check_plain(job.aad, job.tag)?;
        check_length("iv", job.iv.len(), self.iv)
    }

    fn run(&mut self, jobs: &mut [Job<'_>]) -> Result<(), Error> {
        let mut result = Ok(());
        for jobs in jobs.chunks_mut(TOGETHER) {
            let count = jobs.len();
            let mut failed = [false; TOGETHER];
            let mut rest = jobs.iter_mut();
            let mut packets: [Packet<'_>; TOGETHER] = array::from_fn(|_| match rest.next() {
                Some(job) => Packet::new(&self.keys[job.key], job.iv, job.io.reborrow()),
                None => Packet::new(&[], &[], <&mut [u8]>::default().into()),
            });
            result = result.and(self.batch.apply(&mut packets[..count]));
            for (failed, packet) in failed.iter_mut().zip(&packets) {
                *failed = packet.failed;
            }
            for (job, failed) in jobs.iter_mut().zip(failed) {
                job.failed = failed;
            }
        }
        result
    }
}
