//! GCM of many messages: the keystream and the masks of the tags in lanes, the hash message
//! by message.

use alloc::vec::Vec;

use lanes::{Level, wipe};

use super::adapt::{Beside, ManyKeys, entry};
use super::lockstep;
use super::lockstep::BLOCK;
use super::parallel_modes::{BLOCKS_OF_FEW, BLOCKS_PER_PASS, Window, in_lanes, long, xor};
use crate::aead::gcm;
use crate::ct;
use crate::entry::batch::BatchEntry;
use crate::error::{Error, check_length};
use crate::ghash::Key;
use crate::mac::gcm_parts::{NONCES, TAGS, first_counter, lengths};
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::batch::Job;
use crate::traits::keys::{KeySet, NewKeys};
use crate::traits::lockstep::{LOCKSTEP, Lockstep};
use crate::traits::mode::Direction;
use crate::traits::whole::GcmMessages;

/// The longest message in bytes that a cipher takes in a call for several.
const SHORT: usize = 256;

/// `gcm-seal`.
pub(crate) const SEAL: BatchEntry = entry::<Messages<false, false>>("gcm-seal", &[BLOCK]);
/// `gcm-open`.
pub(crate) const OPEN: BatchEntry = entry::<Messages<true, false>>("gcm-open", &[BLOCK]);

/// `gmac`: the tag of GCM for a message that is all associated data.
pub(crate) const GMAC: BatchEntry = entry::<Messages<false, true>>("gmac", &[BLOCK]);

/// GCM under many keys, or GMAC.
struct Messages<const OPEN: bool, const MAC: bool> {
    hashes: Vec<Key<true>>,
}

impl<const OPEN: bool, const MAC: bool> Beside for Messages<OPEN, MAC> {
    fn with_room(_: NewKeys, _: Sizes, count: usize, level: Level) -> Result<Self, Error> {
        Ok(Self { hashes: (0..count).map(|_| Key::unset(level)).collect() })
    }
}

impl<const OPEN: bool, const MAC: bool> ManyKeys for Messages<OPEN, MAC> {
    fn set(&mut self, keys: &mut dyn KeySet, new: &[&[u8]]) -> Result<(), Error> {
        keys.set(new)?;
        let mut window = Window::<BLOCKS_OF_FEW>::new();
        let mut done = 0;
        while done < new.len() {
            let mut end = done;
            while end < new.len() {
                let Some(places) = window.take(end, 1) else { break };
                places[0] = [0; BLOCK];
                end += 1;
            }
            window.encrypt(keys);
            for (hash, h) in self.hashes[done..end].iter_mut().zip(window.drain()) {
                hash.set(h);
            }
            done = end;
        }
        Ok(())
    }

    fn check(&self, _: &dyn KeySet, job: &Job<'_>) -> Result<(), Error> {
        check_length("tag", job.tag.len(), TAGS)?;
        check_length(if MAC { "iv" } else { "nonce" }, job.iv.len(), NONCES)?;
        if MAC {
            check_length("data", job.io.len(), Sizes::exactly(0))?;
        }
        gcm::check_limits(job.aad.len() as u64, job.io.len() as u64)
    }

    fn run(&self, keys: &dyn KeySet, jobs: &mut [Job<'_>]) -> Result<(), Error> {
        let mut result = Ok(());
        let lengths = |job: &Job<'_>| [job.io.len(), job.iv.len()];
        let under = Under { keys, hashes: &self.hashes, open: OPEN };
        let most = lockstep::most(under.keys);
        let jobs = lockstep::lead(under.keys, jobs, most, lengths, |jobs| {
            result = result.and(under.lockstep(jobs));
        });
        if jobs.is_empty() {
            return result;
        }
        result.and(under.by_blocks(jobs))
    }
}

/// The keys and the direction: the same code for both.
#[derive(Clone, Copy)]
struct Under<'m> {
    keys: &'m dyn KeySet,
    hashes: &'m [Key<true>],
    open: bool,
}

impl Under<'_> {
    /// Messages of any lengths.
    fn by_blocks(self, jobs: &mut [Job<'_>]) -> Result<(), Error> {
        let long = long(self.keys);
        if long == 0 {
            return self.alone(jobs);
        }
        match in_lanes(long, jobs, 1) {
            0 => self.alone(jobs),
            1..=BLOCKS_OF_FEW => self.within::<BLOCKS_OF_FEW>(jobs, long),
            _ => self.within::<BLOCKS_PER_PASS>(jobs, long),
        }
    }

    /// Messages of one length under neighbouring keys.
    fn lockstep(self, jobs: &mut [Job<'_>]) -> Result<(), Error> {
        let keys = self.keys;
        let mut masks = Secret([[0; BLOCK]; LOCKSTEP]);
        let mut first = Secret([[0; BLOCK]; LOCKSTEP]);
        for (i, job) in jobs.iter().enumerate() {
            let mut two = [[0; BLOCK]; 2];
            counters(&self.hashes[job.key], job.iv, &mut two)?;
            [masks.0[i], first.0[i]] = two;
            let [.., a, b, c, d] = two[0];
            // Counters of 128 bits would carry further.
            let blocks = job.io.len().div_ceil(BLOCK) as u64;
            if u64::from(u32::from_be_bytes([a, b, c, d])) + blocks >= 1 << 32 {
                return self.by_blocks(jobs);
            }
        }
        lockstep::encrypt(keys, lockstep::place(jobs), &mut masks);
        if !self.open {
            lockstep::ragged(keys, Lockstep::Ctr, jobs, first);
            for (job, mask) in jobs.iter_mut().zip(&masks.0) {
                let tag = tag(&self.hashes[job.key], job.aad, job.io.output(), mask);
                job.tag.copy_from_slice(&tag.0[..job.tag.len()]);
            }
            return Ok(());
        }
        let mut result = Ok(());
        for (job, mask) in jobs.iter_mut().zip(&masks.0) {
            let tag = tag(&self.hashes[job.key], job.aad, job.io.input(), mask);
            job.failed = !ct::equal(&tag.0[..job.tag.len()], job.tag);
        }
        lockstep::ragged(keys, Lockstep::Ctr, jobs, first);
        for job in jobs {
            if job.failed {
                wipe::wipe_bytes(job.io.output());
                result = Err(Error::Authentication);
            }
        }
        result
    }

    /// One after another, each by its key's cipher, neighbours that are short in one call of it.
    fn alone(self, jobs: &mut [Job<'_>]) -> Result<(), Error> {
        let mut result = Ok(());
        let mut jobs = jobs;
        // From what length on the cipher has no such call.
        let mut long = SHORT + 1;
        loop {
            let lengths = jobs.first().map_or(0, |job| job.io.len());
            if (1..long).contains(&lengths) {
                let done = self.short(jobs, &mut result);
                if done == 0 {
                    long = lengths;
                }
                jobs = &mut jobs[done..];
            }
            // One at least, so that it comes to an end.
            let count = jobs.iter().skip(1).position(|job| (1..long).contains(&job.io.len()));
            let (now, rest) = jobs.split_at_mut(count.map_or(jobs.len(), |count| count + 1));
            for job in now {
                if let Err(error) = self.one(job) {
                    job.failed = true;
                    result = result.and(Err(error));
                }
            }
            if rest.is_empty() {
                return result;
            }
            jobs = rest;
        }
    }

    /// The messages from the first on that the cipher takes in one call; returns how many.
    fn short(self, jobs: &mut [Job<'_>], result: &mut Result<(), Error>) -> usize {
        let direction = if self.open { Direction::Decrypt } else { Direction::Encrypt };
        let done = self.keys.gcm(direction, &mut GcmMessages { hashes: self.hashes, jobs });
        for job in jobs[..done].iter_mut().filter(|job| job.failed) {
            wipe::wipe_bytes(job.io.output());
            *result = Err(Error::Authentication);
        }
        done
    }

    /// One of them.
    #[inline(always)]
    fn one(self, job: &mut Job<'_>) -> Result<(), Error> {
        let under = (self.keys.one(job.key), &self.hashes[job.key]);
        if self.open {
            gcm::open(under, job.iv, job.aad, &mut job.io, job.tag)
        } else {
            gcm::seal(under, job.iv, job.aad, &mut job.io, job.tag)
        }
    }

    /// In windows of `N` blocks.
    fn within<const N: usize>(self, jobs: &mut [Job<'_>], long: usize) -> Result<(), Error> {
        let keys = self.keys;
        let mut window = Window::<N>::new();
        let mut result = Ok(());
        let mut done = 0;
        while done < jobs.len() {
            let mut end = done;
            while let Some(job) = jobs.get(end) {
                let blocks = 1 + job.io.len().div_ceil(BLOCK);
                if blocks < long {
                    let Some(places) = window.take(job.key, blocks) else { break };
                    counters(&self.hashes[job.key], job.iv, places)?;
                }
                end += 1;
            }
            window.encrypt(keys);
            let mut blocks = &*window.drain();
            for job in &mut jobs[done..end] {
                let count = 1 + job.io.len().div_ceil(BLOCK);
                let outcome = if count >= long {
                    self.one(job)
                } else {
                    let (own, rest) = blocks.split_at(count);
                    blocks = rest;
                    finish(self.open, &self.hashes[job.key], job, own)
                };
                job.failed = outcome.is_err();
                result = result.and(outcome);
            }
            done = end;
        }
        result
    }
}

/// The first counter J0 and those that follow, of which the last 32 bits count (§6.5).
fn counters(hash: &Key<true>, nonce: &[u8], blocks: &mut [[u8; BLOCK]]) -> Result<(), Error> {
    let first = u128::from_be_bytes(first_counter(hash, "nonce", nonce)?);
    let (fixed, mut counter) = (first >> 32 << 32, first as u32);
    for block in blocks {
        *block = (fixed | u128::from(counter)).to_be_bytes();
        counter = counter.wrapping_add(1);
    }
    Ok(())
}

/// The tag of a ciphertext (§7.1, steps 4 to 6), of which the mask is there.
fn tag(hash: &Key<true>, aad: &[u8], text: &[u8], mask: &[u8; BLOCK]) -> Secret<[u8; BLOCK]> {
    let lengths = lengths(aad.len() as u64, text.len() as u64);
    let mut state = Key::<true>::start();
    hash.absorb(&mut state, &[aad, text, &lengths]);
    let mut tag = Secret(Key::<true>::hash(&state));
    for (byte, mask) in tag.0.iter_mut().zip(mask) {
        *byte ^= mask;
    }
    tag
}

/// From the encrypted counters, the mask of the tag first, to output and tag.
fn finish(
    open: bool,
    hash: &Key<true>,
    job: &mut Job<'_>,
    blocks: &[[u8; BLOCK]],
) -> Result<(), Error> {
    let Some((mask, keystream)) = blocks.split_first() else { return Ok(()) };
    if !open {
        xor(&mut job.io, keystream);
    }
    let text = if open { job.io.input() } else { job.io.output() };
    let tag = tag(hash, job.aad, text, mask);
    if !open {
        job.tag.copy_from_slice(&tag.0[..job.tag.len()]);
        return Ok(());
    }
    if ct::equal(&tag.0[..job.tag.len()], job.tag) {
        xor(&mut job.io, keystream);
        return Ok(());
    }
    wipe::wipe_bytes(job.io.output());
    Err(Error::Authentication)
}
