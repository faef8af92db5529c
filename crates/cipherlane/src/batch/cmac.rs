//! CMAC of many messages: a chain each, then the last blocks of all.

use alloc::vec::Vec;
use core::array;

use lanes::Level;

use super::adapt::{Beside, ManyKeys, entry};
use super::lockstep;
use crate::entry::batch::BatchEntry;
use crate::error::{Error, check_length};
use crate::mac::cmac::{double, tags};
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::batch::Job;
use crate::traits::block::{Chain, ChainData, KeyedChain, MAX_BLOCK, WholeMode};
use crate::traits::keys::{KeySet, NewKeys};
use crate::traits::lockstep::LOCKSTEP;

/// `cmac` over blocks of `B` bytes.
pub(crate) const fn cmac<const B: usize>() -> BatchEntry {
    entry::<Messages<B>>("cmac", &[B])
}

/// CMAC under many keys, of blocks of `B` bytes.
pub(super) struct Messages<const B: usize> {
    /// `K1` of each key, for a last block that is whole.
    masks: Vec<Secret<[u8; B]>>,
}

/// The bytes up to which a message goes alone where rounds are instructions.
pub(super) const SINGLE_BYTES: usize = 64;

/// Messages that are handed to the scheduler together.
pub(super) const JOBS_PER_PASS: usize = 128;

impl<const B: usize> Beside for Messages<B> {
    fn with_room(_: NewKeys, _: Sizes, count: usize, _: Level) -> Result<Self, Error> {
        Ok(Self { masks: alloc::vec![Secret([0; B]); count] })
    }
}

impl<const B: usize> ManyKeys for Messages<B> {
    fn set(&mut self, keys: &mut dyn KeySet, new: &[&[u8]]) -> Result<(), Error> {
        keys.set(new)?;
        for (chunk, masks) in self.masks[..new.len()].chunks_mut(JOBS_PER_PASS).enumerate() {
            let mut blocks = Secret([[0; B]; JOBS_PER_PASS]);
            let numbers: [usize; JOBS_PER_PASS] = array::from_fn(|i| chunk * JOBS_PER_PASS + i);
            let used = &mut blocks.0[..masks.len()];
            keys.encrypt_each(&numbers[..masks.len()], used.as_flattened_mut());
            for (mask, block) in masks.iter_mut().zip(used) {
                double(block);
                mask.0 = *block;
            }
        }
        Ok(())
    }

    fn check(&self, _: &dyn KeySet, job: &Job<'_>) -> Result<(), Error> {
        check_length("iv", job.iv.len(), Sizes::exactly(0))?;
        check_length("data", job.io.len(), Sizes::exactly(0))?;
        check_length("tag", job.tag.len(), tags(B))
    }

    fn run(&self, keys: &dyn KeySet, jobs: &mut [Job<'_>]) -> Result<(), Error> {
        let length = |job: &Job<'_>| [job.aad.len(), 0];
        let jobs = lockstep::lead(keys, jobs, usize::MAX, length, |jobs| self.lockstep(keys, jobs));
        let alone = keys.single_from() == 0;
        for jobs in jobs.chunks_mut(JOBS_PER_PASS) {
            if alone && jobs.iter().all(|job| job.aad.len() <= SINGLE_BYTES) {
                for job in jobs {
                    self.alone(keys, job);
                }
                continue;
            }
            match jobs.len() {
                0..=16 => self.few::<16>(keys, jobs, Secret([[0; B]; 16])),
                _ => self.few::<JOBS_PER_PASS>(keys, jobs, Secret([[0; B]; JOBS_PER_PASS])),
            }
        }
        Ok(())
    }
}

impl<const B: usize> Messages<B> {
    /// One short message: its blocks, the last with its mask, as one chain.
    pub(super) fn alone(&self, keys: &dyn KeySet, job: &mut Job<'_>) {
        let whole = job.aad.len().saturating_sub(1) / B * B;
        let mut blocks = Secret([0; SINGLE_BYTES]);
        let (chain, last) = blocks.0.split_at_mut(whole);
        chain.copy_from_slice(&job.aad[..whole]);
        self.last(job, &mut last[..B]);
        let mut value = Secret([0; MAX_BLOCK]);
        let cipher = keys.one(job.key);
        let mut io = (&mut blocks.0[..whole + B]).into();
        if !cipher.whole(WholeMode::CbcEncrypt, &mut io, &mut value.0) {
            let data = ChainData::Encrypt(io);
            cipher.encrypt_chains(&mut [Chain { value: &mut value.0[..B], data }]);
        }
        job.tag.copy_from_slice(&value.0[..job.tag.len()]);
    }

    /// Messages of one length under neighbouring keys.
    fn lockstep(&self, keys: &dyn KeySet, jobs: &mut [Job<'_>]) {
        let place = lockstep::place(jobs);
        let mut macs = Secret([[0; MAX_BLOCK]; LOCKSTEP]);
        let whole = (jobs[0].aad.len() - 1) / B * B;
        lockstep::absorb(keys, place, &mut macs, |i| &jobs[i].aad[..whole]);
        for (job, value) in jobs.iter().zip(&mut macs.0) {
            self.last(job, value);
        }
        lockstep::encrypt(keys, place, &mut macs);
        for (job, value) in jobs.iter_mut().zip(&macs.0) {
            job.tag.copy_from_slice(&value[..job.tag.len()]);
        }
    }

    /// At most `N` messages, each chain going on from its value: 0, or what blocks in front made.
    pub(super) fn few<const N: usize>(
        &self,
        keys: &dyn KeySet,
        jobs: &mut [Job<'_>],
        mut values: Secret<[[u8; B]; N]>,
    ) {
        let count = jobs.len();
        let mut numbers = [0; N];
        let mut rest = jobs.iter().zip(&mut values.0).zip(&mut numbers);
        let mut chains: [KeyedChain<'_>; N] = array::from_fn(|_| match rest.next() {
            Some(((job, value), number)) => {
                *number = job.key;
                // The last block, whole or not, waits for its mask.
                let whole = job.aad.len().saturating_sub(1) / B * B;
                let data = ChainData::Absorb(&job.aad[..whole]);
                KeyedChain { key: job.key, chain: Chain { value, data } }
            }
            None => {
                let data = ChainData::Absorb(&[]);
                KeyedChain { key: 0, chain: Chain { value: &mut [], data } }
            }
        });
        // A batch of messages of one block has no chains.
        if chains.iter().any(|chain| !chain.chain.data.is_empty()) {
            keys.encrypt_chains(&mut chains[..count]);
        }
        for (job, value) in jobs.iter().zip(&mut values.0) {
            self.last(job, value);
        }
        keys.encrypt_each(&numbers[..count], values.0[..count].as_flattened_mut());
        for (job, value) in jobs.iter_mut().zip(&values.0) {
            job.tag.copy_from_slice(&value[..job.tag.len()]);
        }
    }

    /// Adds the last block and its mask (SP 800-38B §6.2, steps 4 and 6).
    fn last(&self, job: &Job<'_>, value: &mut [u8]) {
        let value: &mut [u8; B] = value.try_into().expect("a block");
        let last = &job.aad[job.aad.len().saturating_sub(1) / B * B..];
        let mask = &self.masks[job.key];
        if let Some(last) = last.first_chunk::<B>() {
            for i in 0..B {
                value[i] ^= mask.0[i] ^ last[i];
            }
            return;
        }
        let mut mask = mask.clone();
        double(&mut mask.0);
        mask.0[last.len()] ^= 0x80;
        for i in 0..B {
            value[i] ^= mask.0[i];
        }
        for (value, byte) in value.iter_mut().zip(last) {
            *value ^= byte;
        }
    }
}
