//! CCM of many messages: the chains of their MACs side by side, and the keystream of short
//! ones in lanes.

use core::array;

use lanes::wipe;

use super::adapt::{ManyKeys, entry};
use super::lockstep;
use super::lockstep::BLOCK;
use super::parallel_modes::{BLOCKS_OF_FEW, BLOCKS_PER_PASS, Window, in_lanes, long, xor};
use crate::aead::ccm::{self, Ccm, HEAD};
use crate::ct;
use crate::entry::batch::BatchEntry;
use crate::error::Error;
use crate::secret::Secret;
use crate::traits::aead::Aead;
use crate::traits::batch::Job;
use crate::traits::block::{Chain, ChainData, KeyedChain};
use crate::traits::keys::KeySet;
use crate::traits::lockstep::{LOCKSTEP, Lockstep};

/// `ccm-seal`.
pub(crate) const SEAL: BatchEntry = entry::<Messages<false>>("ccm-seal", &[BLOCK]);
/// `ccm-open`.
pub(crate) const OPEN: BatchEntry = entry::<Messages<true>>("ccm-open", &[BLOCK]);

/// More than there are lengths of nonces.
const LENGTHS: usize = 16;

/// CCM under many keys.
#[derive(Default)]
struct Messages<const OPEN: bool>;

/// Messages that are handed to the scheduler together.
const JOBS_PER_PASS: usize = 64;

/// The bytes up to which a message goes alone where rounds are instructions.
const SINGLE_BYTES: usize = 112;

impl<const OPEN: bool> ManyKeys for Messages<OPEN> {
    fn check(&self, _: &dyn KeySet, job: &Job<'_>) -> Result<(), Error> {
        ccm::check(job.iv.len(), job.io.len() as u64, job.tag.len())
    }

    fn run(&self, keys: &dyn KeySet, jobs: &mut [Job<'_>]) -> Result<(), Error> {
        let mut result = Ok(());
        let lengths = |job: &Job<'_>| [job.io.len(), LENGTHS * job.aad.len() + job.iv.len()];
        let jobs = lockstep::lead(keys, jobs, usize::MAX, lengths, |jobs| {
            result = result.and(lockstep(keys, OPEN, jobs));
        });
        let alone = keys.single_from() == 0;
        for jobs in jobs.chunks_mut(JOBS_PER_PASS) {
            let done = match jobs.len() {
                _ if alone
                    && jobs.iter().all(|job| job.io.len() + job.aad.len() <= SINGLE_BYTES) =>
                {
                    one_by_one(keys, OPEN, jobs)
                }
                0..=16 => few::<16>(keys, OPEN, jobs),
                _ => few::<JOBS_PER_PASS>(keys, OPEN, jobs),
            };
            result = result.and(done);
        }
        result
    }
}

/// One message after another.
fn one_by_one(keys: &dyn KeySet, open: bool, jobs: &mut [Job<'_>]) -> Result<(), Error> {
    let mut result = Ok(());
    for job in jobs {
        let ccm = Ccm::new(keys.one(job.key))?.with_tag_len(job.tag.len())?;
        let io = job.io.reborrow();
        let done = if open {
            ccm.open(job.iv, job.aad, io, job.tag)
        } else {
            ccm.seal(job.iv, job.aad, io, job.tag)
        };
        job.failed = done.is_err();
        result = result.and(done);
    }
    result
}

/// The MACs of several messages on their way.
struct Macs<const N: usize> {
    numbers: [usize; N],
    values: Secret<[[u8; BLOCK]; N]>,
    count: usize,
}

impl<const N: usize> Macs<N> {
    /// Runs a piece of each message into its MAC, filled up with zeros to whole blocks.
    fn absorb(&mut self, keys: &dyn KeySet, pieces: &[&[u8]; N]) {
        let mut rest = self.values.0.iter_mut().enumerate();
        let mut chains: [KeyedChain<'_>; N] = array::from_fn(|_| {
            // There are as many values as chains.
            let (i, value) = rest.next().expect("a value for each chain");
            let whole = pieces[i].len() / BLOCK * BLOCK;
            let data = ChainData::Absorb(&pieces[i][..whole]);
            KeyedChain { key: self.numbers[i], chain: Chain { value, data } }
        });
        keys.encrypt_chains(&mut chains[..self.count]);
        let mut window = Window::<N>::new();
        let values = self.values.0[..self.count].iter_mut().zip(pieces);
        let mut ragged = [0; N];
        let mut used = 0;
        for (i, (value, piece)) in values.enumerate() {
            let tail = &piece[piece.len() / BLOCK * BLOCK..];
            if tail.is_empty() {
                continue;
            }
            for (value, byte) in value.iter_mut().zip(tail) {
                *value ^= byte;
            }
            if let Some(places) = window.take(self.numbers[i], 1) {
                places[0] = *value;
                ragged[used] = i;
                used += 1;
            }
        }
        if used > 0 {
            window.encrypt(keys);
            for (&i, block) in ragged[..used].iter().zip(window.drain()) {
                self.values.0[i] = *block;
            }
        }
    }
}

/// At most `N` messages.
fn few<const N: usize>(keys: &dyn KeySet, open: bool, jobs: &mut [Job<'_>]) -> Result<(), Error> {
    let mut macs =
        Macs::<N> { numbers: [0; N], values: Secret([[0; BLOCK]; N]), count: jobs.len() };
    let mut heads = Secret([[0; HEAD]; N]);
    let mut lengths = [0; N];
    let mut rests: [&[u8]; N] = [&[]; N];
    for (i, job) in jobs.iter().enumerate() {
        let message = job.io.len() as u64;
        let (head, len, rest) = ccm::head(job.iv, job.aad, message, job.tag.len());
        (heads.0[i], lengths[i], rests[i]) = (head.0, len, rest);
        macs.numbers[i] = job.key;
    }
    let pieces = array::from_fn(|i| &heads.0[i][..lengths[i]]);
    macs.absorb(keys, &pieces);
    if rests.iter().any(|rest| !rest.is_empty()) {
        macs.absorb(keys, &rests);
    }
    let mut masks = Secret([[0; BLOCK]; N]);
    if open {
        cipher(keys, jobs, &mut masks.0);
    }
    let mut pieces: [&[u8]; N] = [&[]; N];
    for (piece, job) in pieces.iter_mut().zip(jobs.iter_mut()) {
        *piece = if open { job.io.output() } else { job.io.input() };
    }
    macs.absorb(keys, &pieces);
    if !open {
        cipher(keys, jobs, &mut masks.0);
    }
    finish(open, jobs, &mut macs.values.0, &masks.0)
}

/// Messages of one length, with nonces and associated data of one length each, under
/// neighbouring keys.
fn lockstep(keys: &dyn KeySet, open: bool, jobs: &mut [Job<'_>]) -> Result<(), Error> {
    let place = lockstep::place(jobs);
    let mut macs = Secret([[0; BLOCK]; LOCKSTEP]);
    let mut masks = Secret([[0; BLOCK]; LOCKSTEP]);
    let mut counters = Secret([[0; BLOCK]; LOCKSTEP]);
    let mut heads = Secret([[0; HEAD]; LOCKSTEP]);
    let (mut len, mut rest) = (0, 0);
    for (i, job) in jobs.iter().enumerate() {
        let head = ccm::head(job.iv, job.aad, job.io.len() as u64, job.tag.len());
        heads.0[i] = head.0.0;
        (len, rest) = (head.1, head.2.len());
        masks.0[i] = ccm::first_counter(job.iv);
        counters.0[i] = u128::from_be_bytes(masks.0[i]).wrapping_add(1).to_be_bytes();
    }
    lockstep::absorb(keys, place, &mut macs, |i| &heads.0[i][..len]);
    if rest > 0 {
        lockstep::absorb(keys, place, &mut macs, |i| &jobs[i].aad[jobs[i].aad.len() - rest..]);
    }
    lockstep::encrypt(keys, place, &mut masks);
    if open {
        cipher_in_lockstep(keys, jobs, counters);
        let mut rest = jobs.iter_mut();
        let outputs: [&[u8]; LOCKSTEP] =
            array::from_fn(|_| rest.next().map_or(&[][..], |job| job.io.output()));
        lockstep::absorb(keys, place, &mut macs, |i| outputs[i]);
    } else {
        lockstep::absorb(keys, place, &mut macs, |i| jobs[i].io.input());
        cipher_in_lockstep(keys, jobs, counters);
    }
    finish(open, jobs, &mut macs.0, &masks.0)
}

/// Ciphers messages of one length under neighbouring keys.
fn cipher_in_lockstep(keys: &dyn KeySet, jobs: &mut [Job<'_>], mut counters: lockstep::Row) {
    if jobs[0].io.len() < lockstep::most(keys) {
        return lockstep::ragged(keys, Lockstep::Ctr, jobs, counters);
    }
    for (job, counter) in jobs.iter_mut().zip(&mut counters.0) {
        keys.one(job.key).ctr(job.io.reborrow(), counter);
    }
}

/// Makes or checks the tags, of which the masks are all that is missing.
fn finish(
    open: bool,
    jobs: &mut [Job<'_>],
    macs: &mut [[u8; BLOCK]],
    masks: &[[u8; BLOCK]],
) -> Result<(), Error> {
    let mut result = Ok(());
    for ((job, value), mask) in jobs.iter_mut().zip(macs).zip(masks) {
        for (value, mask) in value.iter_mut().zip(mask) {
            *value ^= mask;
        }
        let tag = &value[..job.tag.len()];
        if !open {
            job.tag.copy_from_slice(tag);
        } else if !ct::equal(tag, job.tag) {
            wipe::wipe_bytes(job.io.output());
            job.failed = true;
            result = Err(Error::Authentication);
        }
    }
    result
}

/// Ciphers all messages; the keystream block in front of each is the mask of its tag.
fn cipher(keys: &dyn KeySet, jobs: &mut [Job<'_>], masks: &mut [[u8; BLOCK]]) {
    let long = long(keys);
    match in_lanes(long, jobs, 1) {
        0 => within::<0>(keys, jobs, masks, long),
        1..=BLOCKS_OF_FEW => within::<BLOCKS_OF_FEW>(keys, jobs, masks, long),
        _ => within::<BLOCKS_PER_PASS>(keys, jobs, masks, long),
    }
}

/// In windows of `N` blocks.
fn within<const N: usize>(
    keys: &dyn KeySet,
    jobs: &mut [Job<'_>],
    masks: &mut [[u8; BLOCK]],
    long: usize,
) {
    let mut window = Window::<N>::new();
    let mut done = 0;
    while done < jobs.len() {
        let mut end = done;
        while let Some(job) = jobs.get(end) {
            let blocks = 1 + job.io.len().div_ceil(BLOCK);
            let alone = blocks >= long;
            let Some(places) = window.take(job.key, if alone { 0 } else { blocks }) else { break };
            let mut counter = u128::from_be_bytes(ccm::first_counter(job.iv));
            for place in places {
                *place = counter.to_be_bytes();
                counter = counter.wrapping_add(1);
            }
            end += 1;
        }
        window.encrypt(keys);
        let mut blocks = &*window.drain();
        for (job, mask) in jobs[done..end].iter_mut().zip(&mut masks[done..end]) {
            let count = 1 + job.io.len().div_ceil(BLOCK);
            if count >= long {
                let mut counter = ccm::first_counter(job.iv);
                let cipher = keys.one(job.key);
                cipher.ctr(mask.as_mut_slice().into(), &mut counter);
                cipher.ctr(job.io.reborrow(), &mut counter);
            } else {
                let (own, rest) = blocks.split_at(count);
                *mask = own[0];
                xor(&mut job.io, &own[1..]);
                blocks = rest;
            }
        }
        done = end;
    }
}
