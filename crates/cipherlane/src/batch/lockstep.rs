//! Messages of one length under neighbouring keys that stay: they go through the cipher in lockstep,
//! from and to where they lie.

use lanes::Streams;

use crate::secret::Secret;
use crate::traits::batch::Job;
use crate::traits::keys::KeySet;
use crate::traits::lockstep::{LOCKSTEP, Lockstep};

/// The length of the longest blocks in bytes.
pub(super) const BLOCK: usize = 16;

/// Fewer messages are faster in other ways.
const FEWEST: usize = 9;

/// A block of each message.
pub(super) type Row = Secret<[[u8; BLOCK]; LOCKSTEP]>;

/// How many jobs in front can go in lockstep, none where that is 0: those of neighbouring keys, with
/// the same lengths, of which the first is below `limit`.
#[inline(always)]
fn alike(
    keys: &dyn KeySet,
    jobs: &[Job<'_>],
    limit: usize,
    lengths: impl Fn(&Job<'_>) -> [usize; 2],
) -> usize {
    match jobs {
        [first, ..] if jobs.len() >= FEWEST && keys.lockstep_below() > 0 => {
            let (key, equal) = (first.key, lengths(first));
            if !key.is_multiple_of(LOCKSTEP) || equal == [0; 2] || equal[0] >= limit {
                return 0;
            }
            let mut count = 0;
            for job in jobs.iter().take(LOCKSTEP) {
                if job.key != key + count || lengths(job) != equal {
                    break;
                }
                count += 1;
            }
            if count < FEWEST { 0 } else { count }
        }
        _ => 0,
    }
}

/// Takes the jobs in front that can go in lockstep through `one`; returns those left.
#[inline(always)]
pub(super) fn lead<'j, 'd>(
    keys: &dyn KeySet,
    mut jobs: &'j mut [Job<'d>],
    limit: usize,
    lengths: impl Fn(&Job<'_>) -> [usize; 2],
    mut one: impl FnMut(&mut [Job<'d>]),
) -> &'j mut [Job<'d>] {
    loop {
        let count = alike(keys, jobs, limit, &lengths);
        if count == 0 {
            return jobs;
        }
        let (group, rest) = jobs.split_at_mut(count);
        one(group);
        jobs = rest;
    }
}

/// The bytes from which on messages whose blocks do not wait for each other go alone.
pub(super) fn most(keys: &dyn KeySet) -> usize {
    keys.lockstep_below() * BLOCK
}

/// The length of the data alone.
#[inline(always)]
pub(super) fn data(job: &Job<'_>) -> [usize; 2] {
    [job.io.len(), 0]
}

/// The IVs of messages.
pub(super) fn values(jobs: &[Job<'_>]) -> Row {
    let mut values = Secret([[0; BLOCK]; LOCKSTEP]);
    for (value, job) in values.0.iter_mut().zip(jobs) {
        if let Some(iv) = job.iv.first_chunk() {
            *value = *iv;
        }
    }
    values
}

/// Whole blocks of messages in place or buffer to buffer.
pub(super) fn whole(keys: &dyn KeySet, mode: Lockstep, jobs: &mut [Job<'_>], values: &mut Row) {
    let len = jobs[0].io.len() / BLOCK * BLOCK;
    blocks(keys, mode, jobs, len, values);
}

/// The first `len` bytes of messages, whole blocks.
pub(super) fn blocks(
    keys: &dyn KeySet,
    mode: Lockstep,
    jobs: &mut [Job<'_>],
    len: usize,
    values: &mut Row,
) {
    let first = jobs[0].key;
    let mut streams = Streams::new();
    for job in jobs {
        streams.push(job.io.part(0, len));
    }
    keys.lockstep(mode, first, &mut values.0, &mut streams);
}

/// A block of each message in place.
pub(super) fn row(
    keys: &dyn KeySet,
    mode: Lockstep,
    (first, count): (usize, usize),
    row: &mut Row,
    values: &mut Row,
) {
    let mut streams = Streams::new();
    for block in row.0.iter_mut().take(count) {
        streams.push(block.as_mut_slice().into());
    }
    keys.lockstep(mode, first, &mut values.0, &mut streams);
}

/// The first key of messages, and how many there are.
pub(super) fn place(jobs: &[Job<'_>]) -> (usize, usize) {
    (jobs[0].key, jobs.len())
}

/// Enciphers a block of each message in place.
pub(super) fn encrypt(keys: &dyn KeySet, place: (usize, usize), blocks: &mut Row) {
    // Not asked for by the mode.
    let mut values = Secret([[0; BLOCK]; LOCKSTEP]);
    row(keys, Lockstep::Encrypt, place, blocks, &mut values);
}

/// Runs data, filled up with zeros to whole blocks, into the MAC of each message.
pub(super) fn absorb<'d>(
    keys: &dyn KeySet,
    (first, count): (usize, usize),
    macs: &mut Row,
    data: impl Fn(usize) -> &'d [u8],
) {
    let len = data(0).len();
    let at = len / BLOCK * BLOCK;
    let mut streams = Streams::new();
    for i in 0..count {
        streams.push_input(&data(i)[..at]);
    }
    keys.lockstep(Lockstep::CbcEncrypt, first, &mut macs.0, &mut streams);
    if at == len {
        return;
    }
    for (i, mac) in macs.0.iter_mut().enumerate().take(count) {
        for (mac, byte) in mac.iter_mut().zip(&data(i)[at..]) {
            *mac ^= byte;
        }
    }
    encrypt(keys, (first, count), macs);
}

/// Whole messages of a mode that may end inside a block.
pub(super) fn ragged(keys: &dyn KeySet, mode: Lockstep, jobs: &mut [Job<'_>], mut values: Row) {
    let len = jobs[0].io.len();
    let at = len / BLOCK * BLOCK;
    if at < len && mode == Lockstep::CfbDecrypt {
        // Before it is overwritten.
        let mut last = values.clone();
        for (last, job) in last.0.iter_mut().zip(&*jobs) {
            if let Some(block) = job.io.input()[..at].last_chunk() {
                *last = *block;
            }
        }
        whole(keys, mode, jobs, &mut values);
        values = last;
    } else {
        whole(keys, mode, jobs, &mut values);
    }
    if at == len {
        return;
    }
    if mode == Lockstep::Ctr {
        for value in &mut values.0 {
            let next = u128::from_be_bytes(*value).wrapping_add((len / BLOCK) as u128);
            *value = next.to_be_bytes();
        }
    }
    encrypt(keys, place(jobs), &mut values);
    for (job, mask) in jobs.iter_mut().zip(&values.0) {
        job.io.part(at, len - at).xor(&mask[..len - at]);
    }
}
