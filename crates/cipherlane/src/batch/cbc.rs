//! CBC encryption of many messages: a chain each.

use core::array;

use super::adapt::{ManyKeys, entry};
use super::lockstep;
use crate::entry::batch::BatchEntry;
use crate::error::{Error, check_length};
use crate::modes::{cbc, check_whole, in_kernel};
use crate::sizes::Sizes;
use crate::traits::batch::{Job, check_plain};
use crate::traits::block::{Chain, ChainData, KeyedChain, MAX_BLOCK, WholeMode};
use crate::traits::keys::KeySet;
use crate::traits::lockstep::Lockstep;
use crate::traits::mode::BlockMode;

/// `cbc-encrypt`.
pub(crate) const ENCRYPT: BatchEntry = entry::<Encrypt>("cbc-encrypt", &[8, 16]);

/// Messages that are handed to the scheduler together.
const JOBS_PER_PASS: usize = 128;

/// The bytes up to which a message goes alone where rounds are instructions.
const SINGLE_BYTES: usize = 64;

#[derive(Default)]
struct Encrypt;

impl ManyKeys for Encrypt {
    fn check(&self, keys: &dyn KeySet, job: &Job<'_>) -> Result<(), Error> {
        let block = keys.block_size();
        check_plain(job.aad, job.tag)?;
        check_length("iv", job.iv.len(), Sizes::exactly(block))?;
        check_whole(job.io.len(), block)
    }

    fn run(&self, keys: &dyn KeySet, jobs: &mut [Job<'_>]) -> Result<(), Error> {
        let jobs = lockstep::lead(keys, jobs, usize::MAX, lockstep::data, |jobs| {
            let mut values = lockstep::values(jobs);
            lockstep::whole(keys, Lockstep::CbcEncrypt, jobs, &mut values);
        });
        let alone = keys.single_from() == 0;
        for jobs in jobs.chunks_mut(JOBS_PER_PASS) {
            if alone && jobs.iter().all(|job| job.io.len() <= SINGLE_BYTES) {
                for job in jobs {
                    let cipher = keys.one(job.key);
                    if !in_kernel(cipher, WholeMode::CbcEncrypt, job.iv, &mut job.io) {
                        cbc::Encryptor::new(cipher, job.iv)?.blocks(job.io.reborrow())?;
                    }
                }
                continue;
            }
            match jobs.len() {
                0..=16 => few::<16>(keys, jobs),
                _ => few::<JOBS_PER_PASS>(keys, jobs),
            }
        }
        Ok(())
    }
}

/// At most `N` messages.
fn few<const N: usize>(keys: &dyn KeySet, jobs: &mut [Job<'_>]) {
    let block = keys.block_size();
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
    keys.encrypt_chains(&mut chains[..count]);
}
