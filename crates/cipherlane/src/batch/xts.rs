//! XTS of many data units: the first tweaks of all together, then the blocks of short units.
//! A unit that fills the lanes alone, or whose last block is cut short, goes alone.

use alloc::boxed::Box;
use core::marker::PhantomData;

use lanes::Level;

use super::adapt::{Beside, ManyKeys, entry, room};
use super::lockstep;
use super::lockstep::BLOCK;
use super::parallel_modes::{BLOCKS_OF_FEW, BLOCKS_PER_PASS, Window, long};
use crate::ct;
use crate::entry::batch::BatchEntry;
use crate::error::{Error, check_length};
use crate::modes::xts::{Gb17964, Ieee1619, Standard, XtsMode, check_unit};
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::batch::{Job, check_plain};
use crate::traits::keys::{KeySet, NewKeys};
use crate::traits::lockstep::{LOCKSTEP, Lockstep};
use crate::traits::mode::{Direction, MessageMode};
use crate::tweaks::Order;

/// `xts-encrypt`.
pub(crate) const ENCRYPT: BatchEntry = entry::<Units<Ieee1619, false>>("xts-encrypt", &[BLOCK]);
/// `xts-decrypt`.
pub(crate) const DECRYPT: BatchEntry = entry::<Units<Ieee1619, true>>("xts-decrypt", &[BLOCK]);
/// `xts-gb-encrypt`.
pub(crate) const GB_ENCRYPT: BatchEntry =
    entry::<Units<Gb17964, false>>("xts-gb-encrypt", &[BLOCK]);
/// `xts-gb-decrypt`.
pub(crate) const GB_DECRYPT: BatchEntry = entry::<Units<Gb17964, true>>("xts-gb-decrypt", &[BLOCK]);

/// The bytes of a unit from which on its own keys' kernel is faster than keys in lockstep, which
/// make tweaks faster than it does.
const MOST_IN_LOCKSTEP: usize = 128 * BLOCK;

/// XTS under many pairs of keys: those of the tweaks, beside those of the data.
struct Units<S, const DECRYPT: bool> {
    tweak: Box<dyn KeySet>,
    standard: PhantomData<fn() -> S>,
}

/// Keys that are cut in halves together.
const KEYS: usize = 64;

impl<S: Standard + 'static, const DECRYPT: bool> Beside for Units<S, DECRYPT> {
    fn with_room(new: NewKeys, key: Sizes, count: usize, level: Level) -> Result<Self, Error> {
        Ok(Self { tweak: room(new, key, count, level)?, standard: PhantomData })
    }
}

impl<S: Standard + 'static, const DECRYPT: bool> ManyKeys for Units<S, DECRYPT> {
    fn check_key(cipher: Sizes, key: &[u8]) -> Result<(), Error> {
        // Ciphers of such blocks have keys of one length.
        check_length("key", key.len(), Sizes::exactly(2 * cipher.max))?;
        let (data, tweak) = key.split_at(cipher.max);
        if ct::equal(data, tweak) { Err(Error::EqualKeys) } else { Ok(()) }
    }

    fn set(&mut self, data: &mut dyn KeySet, keys: &[&[u8]]) -> Result<(), Error> {
        let half = keys.first().map_or(0, |key| key.len() / 2);
        if keys.len() <= KEYS {
            let mut halves: [&[u8]; KEYS] = [&[]; KEYS];
            for (half_key, key) in halves.iter_mut().zip(keys) {
                *half_key = &key[..half];
            }
            data.set(&halves[..keys.len()])?;
            for (half_key, key) in halves.iter_mut().zip(keys) {
                *half_key = &key[half..];
            }
            return self.tweak.set(&halves[..keys.len()]);
        }
        // So many come only when a batch is made.
        let halves = |range: core::ops::Range<usize>| {
            keys.iter().map(|key| &key[range.clone()]).collect::<alloc::vec::Vec<_>>()
        };
        data.set(&halves(0..half))?;
        self.tweak.set(&halves(half..2 * half))
    }

    fn precompute(&mut self, data: &mut dyn KeySet) {
        data.precompute();
        self.tweak.precompute();
    }

    fn check(&self, _: &dyn KeySet, job: &Job<'_>) -> Result<(), Error> {
        check_plain(job.aad, job.tag)?;
        check_length("tweak", job.iv.len(), Sizes::exactly(BLOCK))?;
        check_unit(job.io.len())
    }

    fn run(&self, data: &dyn KeySet, jobs: &mut [Job<'_>]) -> Result<(), Error> {
        let direction = if DECRYPT { Direction::Decrypt } else { Direction::Encrypt };
        let (tweak, order) = (&*self.tweak, order::<S>());
        let jobs = lockstep::lead(data, jobs, MOST_IN_LOCKSTEP, lockstep::data, |jobs| {
            lockstep(data, tweak, direction, order, jobs);
        });
        if jobs.is_empty() {
            return Ok(());
        }
        let long = long(data);
        let units = Under { data, tweak, direction, order, long };
        match jobs.iter().filter_map(|job| short(long, job)).sum() {
            0 => within::<0>(units, alone::<S, DECRYPT>, jobs),
            1..=BLOCKS_OF_FEW => within::<BLOCKS_OF_FEW>(units, alone::<S, DECRYPT>, jobs),
            _ => within::<BLOCKS_PER_PASS>(units, alone::<S, DECRYPT>, jobs),
        }
    }
}

/// Units of one length under neighbouring keys.
fn lockstep(
    data: &dyn KeySet,
    tweak: &dyn KeySet,
    direction: Direction,
    order: Order,
    jobs: &mut [Job<'_>],
) {
    let mode = Lockstep::Xts { direction, reflected: order == Order::Reflected };
    let mut tweaks = lockstep::values(jobs);
    lockstep::encrypt(tweak, lockstep::place(jobs), &mut tweaks);
    let len = jobs[0].io.len();
    let cut = len % BLOCK;
    if cut == 0 {
        return lockstep::whole(data, mode, jobs, &mut tweaks);
    }
    // Ciphertext stealing: the last whole block and the one that is cut short.
    let at = len - cut - BLOCK;
    lockstep::blocks(data, mode, jobs, at, &mut tweaks);
    let mut behind = tweaks.clone();
    for tweak in &mut behind.0 {
        *tweak = order.times_alpha(*tweak);
    }
    let both = match direction {
        Direction::Encrypt => [&mut tweaks, &mut behind],
        Direction::Decrypt => [&mut behind, &mut tweaks],
    };
    let mut blocks = Secret([[0; BLOCK]; LOCKSTEP]);
    for (block, job) in blocks.0.iter_mut().zip(&*jobs) {
        block.copy_from_slice(&job.io.input()[at..at + BLOCK]);
    }
    let place = lockstep::place(jobs);
    let [first, second] = both;
    lockstep::row(data, mode, place, &mut blocks, first);
    for (block, job) in blocks.0.iter_mut().zip(&mut *jobs) {
        let mut stolen = [0; BLOCK];
        stolen[..cut].copy_from_slice(&block[..cut]);
        block[..cut].copy_from_slice(&job.io.input()[at + BLOCK..]);
        job.io.output()[at + BLOCK..].copy_from_slice(&stolen[..cut]);
    }
    lockstep::row(data, mode, place, &mut blocks, second);
    for (block, job) in blocks.0.iter().zip(jobs) {
        job.io.output()[at..at + BLOCK].copy_from_slice(block);
    }
}

/// In windows of `N` blocks.
fn within<const N: usize>(
    units: Under<'_>,
    alone: fn(Under<'_>, &mut Job<'_>) -> Result<(), Error>,
    jobs: &mut [Job<'_>],
) -> Result<(), Error> {
    let Under { data, tweak, direction, order, long } = units;
    let mut tweaks = Secret([[0; BLOCK]; N]);
    let mut starts = Window::<N>::new();
    let mut window = Window::<N>::new();
    let mut done = 0;
    while done < jobs.len() {
        let (mut end, mut used) = (done, 0);
        while let Some(job) = jobs.get(end) {
            if let Some(blocks) = short(long, job) {
                if used + blocks > N {
                    break;
                }
                used += blocks;
                if let Some(places) = starts.take(job.key, 1) {
                    places[0].copy_from_slice(job.iv);
                }
            }
            end += 1;
        }
        starts.encrypt(tweak);
        let (mut first, mut rest) = (starts.drain().iter(), &mut tweaks.0[..]);
        for job in &jobs[done..end] {
            let Some(blocks) = short(long, job) else { continue };
            let (own, behind) = rest.split_at_mut(blocks);
            rest = behind;
            let Some(start) = first.next() else { break };
            order.fill(own, *start);
            let Some(places) = window.take(job.key, blocks) else { break };
            places.as_flattened_mut().copy_from_slice(job.io.input());
            add(places, own);
        }
        match direction {
            Direction::Encrypt => window.encrypt(data),
            Direction::Decrypt => window.decrypt(data),
        }
        let blocks = window.drain();
        add(blocks, &tweaks.0);
        let mut rest = &*blocks;
        for job in &mut jobs[done..end] {
            if let Some(blocks) = short(long, job) {
                let (own, behind) = rest.split_at(blocks);
                rest = behind;
                job.io.output().copy_from_slice(own.as_flattened());
                continue;
            }
            alone(units, job)?;
        }
        done = end;
    }
    Ok(())
}

/// The keys, the direction and the standard's order: the same code for all.
#[derive(Clone, Copy)]
struct Under<'u> {
    data: &'u dyn KeySet,
    tweak: &'u dyn KeySet,
    direction: Direction,
    order: Order,
    /// The blocks from which on a unit goes alone.
    long: usize,
}

/// One unit by itself.
fn alone<S: Standard, const DECRYPT: bool>(
    units: Under<'_>,
    job: &mut Job<'_>,
) -> Result<(), Error> {
    let mode = XtsMode::<_, S>::of(units.data.one(job.key), units.tweak.one(job.key));
    let io = job.io.reborrow();
    if DECRYPT {
        MessageMode::decrypt(&mode, job.iv, io)
    } else {
        MessageMode::encrypt(&mode, job.iv, io)
    }
}

/// The order in which a standard reads a tweak.
const fn order<S: Standard>() -> Order {
    if S::REFLECTED { Order::Reflected } else { Order::Little }
}

/// The blocks of a unit that shares the lanes with others.
fn short(long: usize, job: &Job<'_>) -> Option<usize> {
    let blocks = job.io.len() / BLOCK;
    (job.io.len().is_multiple_of(BLOCK) && blocks < long).then_some(blocks)
}

/// Adds tweaks to blocks.
fn add(blocks: &mut [[u8; BLOCK]], tweaks: &[[u8; BLOCK]]) {
    for (block, tweak) in blocks.iter_mut().zip(tweaks) {
        for (byte, tweak) in block.iter_mut().zip(tweak) {
            *byte ^= tweak;
        }
    }
}
