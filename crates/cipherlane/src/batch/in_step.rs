//! Messages of one length under neighbouring keys that stay: they go through the cipher in step,
//! from and to where they lie.

use lanes::Streams;

use super::Job;
use super::short::BLOCK;
use crate::block::in_step::{IN_STEP, InStep};
use crate::block::keys::KeySet;
use crate::secret::Secret;

/// Fewer messages are faster in other ways.
const FEWEST: usize = 9;

/// A block of each message.
pub(super) type Row = Secret<[[u8; BLOCK]; IN_STEP]>;

/// How many jobs in front can go in step, none where that is 0: those of neighbouring keys, with
/// the same length, shorter than `blocks`.
#[inline]
pub(super) fn alike(keys: &dyn KeySet, jobs: &[Job<'_>], blocks: usize) -> usize {
    match jobs {
        [first, ..] if jobs.len() >= FEWEST && keys.settled() => {
            let (key, len) = (first.key, first.io.len());
            if !key.is_multiple_of(IN_STEP) || len == 0 || len / BLOCK >= blocks {
                return 0;
            }
            let mut count = 0;
            for job in jobs.iter().take(IN_STEP) {
                if job.key != key + count || job.io.len() != len {
                    break;
                }
                count += 1;
            }
            if count < FEWEST { 0 } else { count }
        }
        _ => 0,
    }
}

/// Takes the jobs in front that can go in step through `one`; returns those left.
pub(super) fn lead<'j, 'd>(
    keys: &dyn KeySet,
    mut jobs: &'j mut [Job<'d>],
    blocks: usize,
    mut one: impl FnMut(&mut [Job<'d>]),
) -> &'j mut [Job<'d>] {
    loop {
        let count = alike(keys, jobs, blocks);
        if count == 0 {
            return jobs;
        }
        let (group, rest) = jobs.split_at_mut(count);
        one(group);
        jobs = rest;
    }
}

/// The IVs of messages.
pub(super) fn values(jobs: &[Job<'_>]) -> Row {
    let mut values = Secret([[0; BLOCK]; IN_STEP]);
    for (value, job) in values.0.iter_mut().zip(jobs) {
        if let Some(iv) = job.iv.first_chunk() {
            *value = *iv;
        }
    }
    values
}

/// Whole blocks of messages in place or buffer to buffer.
pub(super) fn whole(keys: &dyn KeySet, mode: InStep, jobs: &mut [Job<'_>], values: &mut Row) {
    let first = jobs[0].key;
    let len = jobs[0].io.len() / BLOCK * BLOCK;
    let mut streams = Streams::new();
    for job in jobs {
        streams.push(job.io.part(0, len));
    }
    keys.in_step(mode, first, &mut values.0, &mut streams);
}

/// Enciphers a block of each message in place.
pub(super) fn row(keys: &dyn KeySet, mode: InStep, first: usize, count: usize, row: &mut Row) {
    let mut none = Secret([[0; BLOCK]; IN_STEP]);
    let mut streams = Streams::new();
    for block in row.0.iter_mut().take(count) {
        streams.push(block.as_mut_slice().into());
    }
    keys.in_step(mode, first, &mut none.0, &mut streams);
}

/// Whole messages of a mode that may end inside a block.
pub(super) fn ragged(keys: &dyn KeySet, mode: InStep, jobs: &mut [Job<'_>]) {
    let mut values = values(jobs);
    let len = jobs[0].io.len();
    let at = len / BLOCK * BLOCK;
    if at < len && mode == InStep::CfbDecrypt {
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
    if mode == InStep::Ctr {
        for value in &mut values.0 {
            let next = u128::from_be_bytes(*value).wrapping_add((len / BLOCK) as u128);
            *value = next.to_be_bytes();
        }
    }
    row(keys, InStep::Encrypt, jobs[0].key, jobs.len(), &mut values);
    for (job, mask) in jobs.iter_mut().zip(&values.0) {
        job.io.part(at, len - at).xor(&mask[..len - at]);
    }
}
