//! CBC encryption of many messages: a chain each.

use alloc::boxed::Box;
use core::array;

use lanes::Level;

use super::adapt::{Numbered, OverKeys, fresh, ready};
use super::in_step;
use super::objects::room;
use crate::entry::batch::BatchEntry;
use crate::error::{Error, check_length};
use crate::modes::{cbc, check_whole, in_kernel};
use crate::sizes::Sizes;
use crate::traits::batch::{Job, check_plain};
use crate::traits::block::{Chain, ChainData, Feedback, KeyedChain, MAX_BLOCK};
use crate::traits::in_step::InStep;
use crate::traits::keys::{KeySet, NewKeys};
use crate::traits::mode::BlockMode;

/// `cbc-encrypt`.
pub(crate) const ENCRYPT: BatchEntry = BatchEntry {
    operation: "cbc-encrypt",
    blocks: &[8, 16],
    ready: ready::<Encrypt>,
    fresh: fresh::<Encrypt>,
};

/// Messages that are handed to the scheduler together.
const TOGETHER: usize = 128;

/// The bytes up to which a message goes alone where rounds are instructions.
const ALONE: usize = 64;

struct Encrypt {
    key: Sizes,
    keys: Box<dyn KeySet>,
}

impl OverKeys for Encrypt {
    fn with_room(new: NewKeys, key: Sizes, count: usize, level: Level) -> Result<Self, Error> {
        Ok(Self { key, keys: room(new, key, count, level)? })
    }
}

impl Numbered for Encrypt {
    fn lanes(&self) -> usize {
        self.keys.lanes()
    }

    fn room(&self) -> usize {
        self.keys.len()
    }

    fn check_key(&self, key: &[u8]) -> Result<(), Error> {
        check_length("key", key.len(), self.key)
    }

    fn set(&mut self, keys: &[&[u8]]) -> Result<(), Error> {
        self.keys.set(keys)
    }

    fn settle(&mut self) {
        self.keys.settle();
    }

    fn check(&self, job: &Job<'_>) -> Result<(), Error> {
        let block = self.keys.block_size();
        check_plain(job.aad, job.tag)?;
        check_length("iv", job.iv.len(), Sizes::exactly(block))?;
        check_whole(job.io.len(), block)
    }

    fn run(&mut self, jobs: &mut [Job<'_>]) -> Result<(), Error> {
        let keys = &*self.keys;
        let jobs = in_step::lead(keys, jobs, usize::MAX, in_step::data, |jobs| {
            let mut values = in_step::values(jobs);
            in_step::whole(keys, InStep::CbcEncrypt, jobs, &mut values);
        });
        let alone = keys.alone() == 0;
        for jobs in jobs.chunks_mut(TOGETHER) {
            if alone && jobs.iter().all(|job| job.io.len() <= ALONE) {
                for job in jobs {
                    let cipher = keys.one(job.key);
                    if !in_kernel(cipher, Feedback::CbcEncrypt, job.iv, &mut job.io) {
                        cbc::Encryptor::new(cipher, job.iv)?.blocks(job.io.reborrow())?;
                    }
                }
                continue;
            }
            match jobs.len() {
                0..=16 => self.few::<16>(jobs),
                _ => self.few::<TOGETHER>(jobs),
            }
        }
        Ok(())
    }
}

impl Encrypt {
    /// At most `N` messages.
    fn few<const N: usize>(&self, jobs: &mut [Job<'_>]) {
        let block = self.keys.block_size();
        let mut values = [[0; MAX_BLOCK]; N];
        let count = jobs.len();
        let mut rest = jobs.iter_mut().zip(&mut values);
        let mut chains: [KeyedChain<'_>; N] = array::from_fn(|_| match rest.next() {
            Some((job, value)) => {
                let value = &mut value[..block];
                value.copy_from_slice(job.iv);
                let data = ChainData::Encrypt(job.io.reborrow());
                KeyedChain { key: job.key, chain: Chain { value, data } }
            }
            None => {
                KeyedChain { key: 0, chain: Chain { value: &mut [], data: ChainData::Absorb(&[]) } }
            }
        });
        self.keys.encrypt_chains(&mut chains[..count]);
    }
}
