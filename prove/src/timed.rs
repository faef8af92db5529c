//! Measured times tell no secret: public calls under two classes of secrets, in random order, and
//! Welch's t between their times ([`welch`](crate::welch)).
//!
//! The classes are a fixed secret (bits nearly all equal) against random ones; tags that are wrong
//! in their first byte against their last; paddings that are wrong in one place against others.
//! All inputs are made before anything is timed, and each call works on a copy in the same place.
//! A t beyond [`LEAK`] is a finding if a second measurement with other secrets finds one too: of a
//! single one, other tenants of the machine are the likelier cause. A t says nothing of a leak
//! that costs less than the clock and the noise let see: the traces do.

use std::time::Instant;

use cipherlane::Level;
use cipherlane::modes::Padding;
use cipherlane::registry::BatchKind;
use model::random::SplitMix64;

use crate::calls::{Call, Parts, Way, calls};
use crate::leaks::Leak;
use crate::traces::{Cell, Filled, Subject};
use crate::unpadding::Unpadding;
use crate::welch::farthest;
use crate::work::{Effort, Record, Share, cells, claims};

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

    /// Takes the secrets of another, at the place of its own.
    fn load(&mut self, other: &Self);
}

impl Timed for Filled<'_, '_> {
    fn another(&self) -> Self {
        Self::new(self.cell)
    }
    fn load(&mut self, other: &Self) {
        for (own, other) in self.parts.iter_mut().zip(&other.parts) {
            let Parts { key, iv, aad, data, tag } = own;
            key.copy_from_slice(&other.key);
            iv.copy_from_slice(&other.iv);
            aad.copy_from_slice(&other.aad);
            data.copy_from_slice(&other.data);
            tag.copy_from_slice(&other.tag);
        }
    }
}

impl Timed for Unpadding {
    fn another(&self) -> Self {
        self.clone()
    }
    fn load(&mut self, other: &Self) {
        self.copy_from(other);
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

/// One t.
fn measure(
    subject: &mut impl Timed,
    numbers: Numbers,
    count: usize,
    seed: usize,
) -> Result<f64, String> {
    let mut pools = [vec![], vec![]];
    for i in 0..POOL {
        // In turn, so that the places of both classes in memory are alike.
        for (class, pool) in [false, true].into_iter().zip(&mut pools) {
            let mut one = subject.another();
            one.fill(numbers(class, seed * POOL + i))?;
            pool.push(one);
        }
    }
    let mut random = SplitMix64::new(seed as u64);
    let order = random.bytes(count);
    let mut times = Vec::with_capacity(count);
    for (i, byte) in order.into_iter().enumerate() {
        let class = byte & 1 == 1;
        subject.load(&pools[usize::from(class)][usize::from(byte >> 1) % POOL]);
        let start = Instant::now();
        let result = subject.once();
        let took = start.elapsed().as_nanos() as u64;
        result?;
        // The first calls find nothing in the caches.
        if i >= 100 {
            times.push((took, class));
        }
    }
    Ok(farthest(times))
}

/// The t that counts: of two measurements the nearer to 0.
fn twice(subject: &mut impl Timed, numbers: Numbers, count: usize) -> Result<f64, String> {
    let first = measure(subject, numbers, count, 1)?;
    if first.abs() <= LEAK {
        return Ok(first);
    }
    let second = measure(subject, numbers, count, 2)?;
    Ok(if second.abs() < first.abs() { second } else { first })
}

/// A record of a t, in tenths in place of a width.
fn record(record: Record, count: usize, t: Result<f64, String>, must_leak: bool) -> Record {
    match t {
        Err(fault) => Record { fault: Some(fault), ..record },
        Ok(t) => {
            let leaks = t.abs() > LEAK;
            let fault = match (leaks, must_leak) {
                (true, false) => Some(format!("t = {t:.1} over {count} calls")),
                (false, true) => Some(format!("was not found: t = {t:.1}")),
                _ => None,
            };
            Record { count, widest: (10.0 * t.abs()) as usize, fault, ..record }
        }
    }
}

/// One operation of each kind and algorithm: the first of all, and what seals, opens and tags.
fn picked(calls: &[Call], call: &Call) -> bool {
    let alike = |it: &&Call| it.algorithm.name == call.algorithm.name;
    let of_kind = calls.iter().filter(alike).find(|it| it.batch.kind == call.batch.kind);
    of_kind.is_some_and(|it| it.batch.operation == call.batch.operation)
}

/// Times operations that claim constant time at every level, unpadding, and seeded leaks.
pub fn run(effort: Effort, share: Share, tell: &mut dyn FnMut(Record)) {
    let (sound, count) = (calls(claims), samples(effort));
    let full = effort == Effort::Full;
    let wanted = |(call, _): &(&Call, Level)| full || picked(&sound, call);
    for (call, level) in share.of(cells(&sound).filter(wanted)) {
        let mut one = |wrong: bool| {
            let lengths: &[usize] = if wrong { &TINY } else { &SHORT };
            let cell = Cell { call, way: Way::Alone, level, lengths, wrong, leak: None };
            let numbers = if wrong { first_or_last } else { fixed_or_random };
            let t = twice(&mut Filled::new(&cell), numbers, count);
            let what = if wrong { "wrong tags" } else { "fixed against random secrets" };
            tell(record(Record::of("timing", call, what, level), count, t, false));
        };
        if call.opens() || call.batch.kind == BatchKind::Mac {
            one(true);
        }
        if !call.opens() {
            one(false);
        }
    }
    let paddings = Level::available()
        .flat_map(|level| [Padding::Pkcs7, Padding::Iso7816].map(|padding| (level, padding)));
    for (level, padding) in share.of(paddings) {
        let Some(mut subject) = Unpadding::new(level, padding, false) else { return };
        let t = twice(&mut subject, one_of_four, count);
        let (check, subject, way) = ("timing", subject.name(), format!("{padding:?}, wrong"));
        let level = level.name();
        let new = Record { check, subject, way, level, count: 0, widest: 0, fault: None };
        tell(record(new, count, t, false));
    }
    seeded(share, &sound[..sound.len().min(1)], count, tell);
}

/// Leaks that a clock can see must be found.
fn seeded(share: Share, calls: &[Call], count: usize, tell: &mut dyn FnMut(Record)) {
    for (call, level) in share.of(cells(calls)) {
        for leak in [Leak::EarlyExit, Leak::Branch] {
            let (way, lengths) = (Way::Alone, &TINY[..]);
            let cell = Cell { call, way, level, lengths, wrong: false, leak: Some(leak) };
            let t = twice(&mut Filled::new(&cell), fixed_or_random, count);
            let what = format!("{leak:?} that must be found");
            tell(record(Record::of("timing", call, what, level), count, t, true));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seeded_leak_is_found_and_a_sound_operation_is_none() {
        let calls = calls(|it| it.name == "sm4");
        let call = &calls[0];
        let cell = |leak| {
            let (way, level) = (Way::Alone, Level::best());
            Cell { call, way, level, lengths: &TINY, wrong: false, leak }
        };
        let leaky = cell(Some(Leak::Branch));
        let t = measure(&mut Filled::new(&leaky), fixed_or_random, 10_000, 1).unwrap();
        assert!(t.abs() > LEAK, "{t}");
        // Other tests run beside this one, so three tries.
        let sound = cell(None);
        let mut all = (1..4).map(|seed| {
            measure(&mut Filled::new(&sound), fixed_or_random, 10_000, seed).unwrap().abs()
        });
        assert!(all.any(|t| t < LEAK));
    }
}
