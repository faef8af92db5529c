//! Measured times tell no secret: public calls under two classes of secrets, in random order, and
//! Welch's t between their times ([`welch`](crate::welch)).
//!
//! The classes are a fixed secret (bits nearly all equal) against random ones; tags that are wrong
//! in their first byte against their last; paddings that are wrong in one place against others.
//! All inputs are made before anything is timed, and each call works on a copy in the same place,
//! taken from two inputs, one of each class, by a mask: where a class lies in memory must not show.
//! A t beyond [`LEAK`] of means that are far enough apart ([`welch`](crate::welch)) is a finding if all
//! other measurements find one too, with other secrets: one at once, three in another process half a minute
//! after everything else has been timed. What the code leaks it always leaks; what the machine does comes and
//! goes, or belongs to a process (docs/notes/times.md). It can hide a seeded leak, too, which has three tries
//! and leaks as often as an S-box would. A t says nothing of a leak that costs less than the clock and the
//! noise let see: the traces do.

use std::hint::black_box;
use std::ops::RangeInclusive;
use std::time::Instant;

use cipherlane::Level;
use cipherlane::modes::Padding;
use cipherlane::registry::Kind;
use model::random::SplitMix64;

use crate::calls::{Call, Parts, Way, calls};
use crate::leaks::Leak;
use crate::share::{Share, claims};
use crate::traces::{Cell, Filled, Subject};
use crate::unpadding::Unpadding;
use crate::welch::{Apart, apart};
use crate::work::{Effort, Record, cells};

/// Beyond this, dudect calls a leak probable.
pub const LEAK: f64 = 10.0;
/// Secrets of each class.
const POOL: usize = 64;
const SHORT: [usize; 1] = [100];
const TINY: [usize; 1] = [16];

/// Calls timed for one t.
const fn samples(effort: Effort) -> usize {
    match effort {
        Effort::Quick => 10_000,
        Effort::Full => 100_000,
    }
}

/// What can be timed.
trait Timed: Subject + Sized {
    /// Another of its kind.
    fn another(&self) -> Self;

    /// Takes the secrets of one of a pair, at the place of its own, by accesses that are equal
    /// for both.
    fn load(&mut self, pair: &[Self; 2], class: bool);
}

impl Timed for Filled<'_, '_> {
    fn another(&self) -> Self {
        Self::new(self.cell)
    }
    fn load(&mut self, [no, yes]: &[Self; 2], class: bool) {
        load_parts(&mut self.parts, [&no.parts, &yes.parts], class);
    }
}

impl Timed for Unpadding {
    fn another(&self) -> Self {
        self.clone()
    }
    fn load(&mut self, [no, yes]: &[Self; 2], class: bool) {
        let ([own_key, own_data], [key, data], [other_key, other_data]) =
            (self.secrets_mut(), no.secrets(), yes.secrets());
        take(own_key, key, other_key, class);
        take(own_data, data, other_data, class);
    }
}

/// Takes all that messages consist of.
fn load_parts(own: &mut [Parts], [no, yes]: [&[Parts]; 2], class: bool) {
    for ((own, no), yes) in own.iter_mut().zip(no).zip(yes) {
        let Parts { key, iv, aad, data, tag } = own;
        take(key, &no.key, &yes.key, class);
        take(iv, &no.iv, &yes.iv, class);
        take(aad, &no.aad, &yes.aad, class);
        take(data, &no.data, &yes.data, class);
        take(tag, &no.tag, &yes.tag, class);
    }
}

/// As often as SM4 looks into its S-box for a block: once would be 10 ns of 20 µs at the portable
/// level, which noise can hide.
const LEAKS: usize = 128;

/// An operation, and that many leaks of its key.
struct Leaky<'a, 'c> {
    sound: Filled<'a, 'c>,
    leak: Leak,
    leaks: usize,
}

impl Subject for Leaky<'_, '_> {
    fn fill(&mut self, secret: usize) -> Result<(), String> {
        self.sound.fill(secret)
    }

    fn once(&mut self) -> Result<(), String> {
        self.sound.once()?;
        for _ in 0..self.leaks {
            black_box(self.leak.tell(black_box(&self.sound.parts[0].key)));
        }
        Ok(())
    }
}

impl Timed for Leaky<'_, '_> {
    fn another(&self) -> Self {
        Self { sound: self.sound.another(), leak: self.leak, leaks: self.leaks }
    }
    fn load(&mut self, [no, yes]: &[Self; 2], class: bool) {
        load_parts(&mut self.sound.parts, [&no.sound.parts, &yes.sound.parts], class);
    }
}

/// Copies `yes` for the class `true`, `no` for the other; both are read.
fn take(own: &mut [u8], no: &[u8], yes: &[u8], class: bool) {
    let mask = black_box(u8::from(class).wrapping_neg());
    for ((own, no), yes) in own.iter_mut().zip(no).zip(yes) {
        *own = no ^ ((no ^ yes) & mask);
    }
}

/// The number of a secret of a class.
type Numbers = fn(class: bool, i: usize) -> usize;

/// Bits nearly all equal, or random.
fn fixed_or_random(class: bool, i: usize) -> usize {
    if class { 100 + i } else { 1 }
}

/// Wrong in the first or in the last byte, with random secrets.
fn first_or_last(class: bool, i: usize) -> usize {
    100 + 2 * i + usize::from(class)
}

/// The first of four ways to be wrong, or any other.
fn one_of_four(class: bool, i: usize) -> usize {
    100 + 4 * i + if class { 1 + i % 3 } else { 0 }
}

/// How far the classes are apart, once.
fn measure(
    subject: &mut impl Timed,
    numbers: Numbers,
    count: usize,
    seed: usize,
) -> Result<Apart, String> {
    times(subject, numbers, count, seed).map(apart)
}

/// The times of calls in nanoseconds, each with its class.
fn times(
    subject: &mut impl Timed,
    numbers: Numbers,
    count: usize,
    seed: usize,
) -> Result<Vec<(u64, bool)>, String> {
    let mut pool = Vec::with_capacity(POOL);
    for i in 0..POOL {
        let mut pair = [subject.another(), subject.another()];
        for (class, one) in [false, true].into_iter().zip(&mut pair) {
            one.fill(numbers(class, seed * POOL + i))?;
        }
        pool.push(pair);
    }
    let mut random = SplitMix64::new(seed as u64);
    let order = random.bytes(count);
    let mut times = Vec::with_capacity(count);
    for (i, byte) in order.into_iter().enumerate() {
        let class = byte & 1 == 1;
        subject.load(&pool[usize::from(byte >> 1) % POOL], class);
        let start = Instant::now();
        let result = subject.once();
        let took = start.elapsed().as_nanos() as u64;
        result?;
        // The first calls find nothing in the caches.
        if i >= 100 {
            times.push((took, class));
        }
    }
    Ok(times)
}

/// Times of an operation with a fixed secret and with random ones, as [`run`] takes them; with so many
/// branches on bits of the key besides, if any.
///
/// # Errors
/// Those of the operation.
pub fn of_one(
    call: &Call,
    level: Level,
    leaks: usize,
    count: usize,
    seed: usize,
) -> Result<Vec<(u64, bool)>, String> {
    let cell = Cell { call, way: Way::Alone, level, lengths: &SHORT, wrong: false, leak: None };
    let mut sound = Filled::new(&cell);
    if leaks == 0 {
        return times(&mut sound, fixed_or_random, count, seed);
    }
    let mut leaky = Leaky { sound, leak: Leak::Branch, leaks };
    times(&mut leaky, fixed_or_random, count, seed)
}

/// Of measurements with these seeds the one whose t that counts is nearest to 0, or the first for which
/// that is not beyond [`LEAK`].
fn nearest(
    subject: &mut impl Timed,
    numbers: Numbers,
    count: usize,
    seeds: RangeInclusive<usize>,
) -> Result<Apart, String> {
    let mut nearest = Apart { t: f64::INFINITY, counted: f64::INFINITY, ..Apart::default() };
    for seed in seeds {
        let apart = measure(subject, numbers, count, seed)?;
        if apart.counted.abs() < nearest.counted.abs() {
            nearest = apart;
        }
        if !leaks(apart) {
            break;
        }
    }
    Ok(nearest)
}

/// A leak that must be found: of three measurements the first that finds it, or the last.
fn tried(subject: &mut impl Timed, count: usize) -> Result<Apart, String> {
    let mut last = Apart::default();
    for seed in 1..=3 {
        last = measure(subject, fixed_or_random, count, seed)?;
        if leaks(last) {
            break;
        }
    }
    Ok(last)
}

/// Whether a measurement finds a leak.
fn leaks(apart: Apart) -> bool {
    apart.counted.abs() > LEAK
}

/// A record of a measurement, the farthest t in tenths in place of a width.
fn record(record: Record, count: usize, apart: Result<Apart, String>, must_leak: bool) -> Record {
    match apart {
        Err(fault) => Record { fault: Some(fault), ..record },
        Ok(apart) => {
            let Apart { t, counted, ns, of } = apart;
            let fault = match (leaks(apart), must_leak) {
                (true, false) => Some(format!(
                    "t = {counted:.1} over {count} calls, {ns:.1} ns apart of {of:.0}"
                )),
                (false, true) => Some(format!("was not found: t = {t:.1}, {counted:.1} counts")),
                _ => None,
            };
            Record { count, widest: (10.0 * t.abs()) as usize, fault, ..record }
        }
    }
}

/// One operation of each kind and algorithm: the first of all, and what seals, opens and tags.
fn picked(calls: &[Call], call: &Call) -> bool {
    let alike = |it: &&Call| it.algorithm.name == call.algorithm.name;
    let of_kind = calls.iter().filter(alike).find(|it| it.kind == call.kind);
    of_kind.is_some_and(|it| it.0.name == call.0.name)
}

/// Times operations that claim constant time at every level, those named alone if some are;
/// unpadding, and seeded leaks. Returns the numbers of the cases that were findings twice, of which
/// nothing was told yet: [`again`] measures those in another process.
pub fn run(
    effort: Effort,
    share: Share,
    only: &[String],
    tell: &mut dyn FnMut(Record),
) -> Vec<usize> {
    let (sound, count) = (calls(claims), samples(effort));
    let mut later = vec![];
    for (number, job) in jobs(&sound, effort, share, only).into_iter().enumerate() {
        let record = job(1..=2);
        if record.fault.is_some() { later.push(number) } else { tell(record) }
    }
    seeded(share, &sound[..sound.len().min(1)], count, tell);
    later
}

/// The last three measurements of the cases with these numbers, of the same effort, share and names.
pub fn again(
    effort: Effort,
    share: Share,
    only: &[String],
    numbers: &[usize],
    tell: &mut dyn FnMut(Record),
) {
    let sound = calls(claims);
    let jobs = jobs(&sound, effort, share, only);
    numbers.iter().filter_map(|&number| jobs.get(number)).for_each(|job| tell(job(3..=5)));
}

/// The cases of a share, in an order that is always the same.
fn jobs<'a>(sound: &'a [Call], effort: Effort, share: Share, only: &[String]) -> Vec<Job<'a>> {
    let count = samples(effort);
    let full = effort == Effort::Full;
    let wanted = |(call, _): &(&Call, Level)| match only {
        [] => full || picked(sound, call),
        names => names.contains(&call.name()),
    };
    let mut jobs: Vec<Job<'a>> = vec![];
    for (call, level) in share.of(cells(sound).filter(wanted)) {
        let mut one = |wrong: bool| {
            jobs.push(Box::new(move |seeds| {
                let lengths: &[usize] = if wrong { &TINY } else { &SHORT };
                let cell = Cell { call, way: Way::Alone, level, lengths, wrong, leak: None };
                let numbers = if wrong { first_or_last } else { fixed_or_random };
                let t = nearest(&mut Filled::new(&cell), numbers, count, seeds);
                let what = if wrong { "wrong tags" } else { "fixed against random secrets" };
                record(Record::of("timing", call, what, level), count, t, false)
            }));
        };
        if call.opens() || call.kind == Kind::Mac {
            one(true);
        }
        if !call.opens() {
            one(false);
        }
    }
    let paddings = Level::available()
        .flat_map(|level| [Padding::Pkcs7, Padding::Iso7816].map(|padding| (level, padding)));
    for (level, padding) in share.of(paddings) {
        let Some(subject) = Unpadding::new(level, padding, false) else { break };
        jobs.push(Box::new(move |seeds| {
            let t = nearest(&mut subject.clone(), one_of_four, count, seeds);
            let (check, subject, way) = ("timing", subject.name(), format!("{padding:?}, wrong"));
            let level = level.name();
            let new = Record { check, subject, way, level, count: 0, widest: 0, fault: None };
            record(new, count, t, false)
        }));
    }
    jobs
}

/// Measures with seeds.
type Job<'a> = Box<dyn Fn(RangeInclusive<usize>) -> Record + 'a>;

/// Leaks that a clock can see must be found.
fn seeded(share: Share, calls: &[Call], count: usize, tell: &mut dyn FnMut(Record)) {
    for (call, level) in share.of(cells(calls)) {
        for leak in [Leak::EarlyExit, Leak::Branch] {
            let (way, lengths) = (Way::Alone, &TINY[..]);
            let cell = Cell { call, way, level, lengths, wrong: false, leak: None };
            let t = tried(&mut Leaky { sound: Filled::new(&cell), leak, leaks: LEAKS }, count);
            let what = format!("{leak:?} that must be found");
            tell(record(Record::of("timing", call, what, level), count, t, true));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_taken_whole() {
        let (no, yes) = ([1_u8, 2, 255], [0_u8, 77, 254]);
        let mut own = [9; 3];
        take(&mut own, &no, &yes, false);
        assert_eq!(own, no);
        take(&mut own, &no, &yes, true);
        assert_eq!(own, yes);
    }

    #[test]
    fn a_seeded_leak_is_found_and_a_sound_operation_is_none() {
        let calls = calls(|it| it.name == "sm4");
        let call = &calls[0];
        let (way, level) = (Way::Alone, Level::best());
        let cell = Cell { call, way, level, lengths: &TINY, wrong: false, leak: None };
        let mut leaky = Leaky { sound: Filled::new(&cell), leak: Leak::Branch, leaks: LEAKS };
        let apart = tried(&mut leaky, 10_000).unwrap();
        assert!(leaks(apart), "{apart:?}");
        // Other tests run beside this one, so three tries.
        let mut all = (1..4)
            .map(|seed| measure(&mut Filled::new(&cell), fixed_or_random, 10_000, seed).unwrap());
        assert!(all.any(|apart| !leaks(apart)));
    }
}
