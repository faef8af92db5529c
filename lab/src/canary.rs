//! Canaries: two small pieces of work around every series, and the system's count of
//! interruptions, that tell a disturbed one.
//!
//! A chain of dependent steps, additions and exclusive ors in turn, takes one core cycle each,
//! whatever else the core does: it shows the frequency. A throughput loop at the row's own level fills the
//! execution units: a neighbour on the sibling hyperthread halves it and leaves the
//! chain alone. A series is off if either is more than [`TOLERANCE`] away from the
//! run's reference: the first decile of all figures of that canary in that engine, since
//! disturbance only adds, and one lucky reading must not condemn all others. Engines have
//! references of their own because some are programs of their own: another compiler, or one
//! for 32 bits, makes another canary of the same lines. Where other processes ran in between
//! more often than every fourth sample, the median itself is in doubt, and the series is off
//! too.

use std::collections::BTreeMap;
use std::hint::black_box;

use crate::clock::Clock;

/// How far a canary may be from its reference.
pub const TOLERANCE: f64 = 0.05;

/// How many interruptions a sample put the median in doubt.
pub const INTERRUPTED: f64 = 0.25;

/// A round of a throughput loop.
pub type Load = Box<dyn FnMut()>;

/// Additions in a chain.
const ADDITIONS: u64 = 16_000;

/// Multiplications in a round of [`plain_load`].
pub const MULTIPLICATIONS: u64 = 8 * ROUNDS;

/// An odd factor whose bits are mixed.
const FACTOR: u64 = 0xbf58_476d_1ce4_e5b9;

/// Times that each of its chains is carried on in a round.
const ROUNDS: u64 = 500;

/// Each figure is the least of so many.
const TRIES: u32 = 3;

/// Ticks per dependent addition.
#[must_use]
pub fn chain(clock: Clock, overhead: u64) -> f64 {
    let ticks = least(clock, overhead, &mut || {
        black_box(steps(black_box(1), black_box(ADDITIONS)));
    });
    ticks as f64 / ADDITIONS as f64
}

/// Ticks per round of a throughput loop.
#[must_use]
pub fn load(clock: Clock, overhead: u64, round: &mut Load) -> f64 {
    least(clock, overhead, round) as f64
}

fn least(clock: Clock, overhead: u64, work: &mut dyn FnMut()) -> u64 {
    let mut time = |_| {
        let start = clock.ticks();
        work();
        clock.ticks().saturating_sub(start).saturating_sub(overhead).max(1)
    };
    (0..TRIES).map(&mut time).min().unwrap_or(1)
}

/// One dependent step a core cycle, of words as wide as the machine's: additions and exclusive ors in
/// turn, of which no compiler makes one instruction of two, and eight of each written out, so that
/// the loop around them, however it is compiled, costs little beside them.
fn steps(mut a: usize, steps: u64) -> usize {
    let mut b = 1_usize;
    let mut left = steps / 16;
    while left > 0 {
        left -= 1;
        a = a.wrapping_add(b);
        b ^= a;
        a = a.wrapping_add(b);
        b ^= a;
        a = a.wrapping_add(b);
        b ^= a;
        a = a.wrapping_add(b);
        b ^= a;
        a = a.wrapping_add(b);
        b ^= a;
        a = a.wrapping_add(b);
        b ^= a;
        a = a.wrapping_add(b);
        b ^= a;
        a = a.wrapping_add(b);
        b ^= a;
    }
    b
}

/// The throughput loop of rows at no particular level: independent chains of ordinary
/// integer instructions.
///
/// Each chain has a shift of its own, and every other one adds where the others take the exclusive
/// or: of eight alike a compiler makes vectors, whose steps have a latency that no neighbour changes.
#[must_use]
pub fn plain_load() -> Load {
    let mut lanes: [u64; 8] = [1, 2, 3, 4, 5, 6, 7, 8];
    Box::new(move || {
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = lanes;
        for _ in 0..black_box(ROUNDS) {
            a = (a ^ (a >> 29)).wrapping_mul(FACTOR);
            b = b.wrapping_add(b >> 31).wrapping_mul(FACTOR);
            c = (c ^ (c >> 27)).wrapping_mul(FACTOR);
            d = d.wrapping_add(d >> 33).wrapping_mul(FACTOR);
            e = (e ^ (e >> 25)).wrapping_mul(FACTOR);
            f = f.wrapping_add(f >> 35).wrapping_mul(FACTOR);
            g = (g ^ (g >> 23)).wrapping_mul(FACTOR);
            h = h.wrapping_add(h >> 37).wrapping_mul(FACTOR);
        }
        lanes = [a, b, c, d, e, f, g, h];
        black_box(&lanes);
    })
}

/// The canaries of one series, in ticks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// Per addition, before and after; empty if not measured.
    pub chain: Vec<f64>,
    /// Per round of the loop at the row's level, before and after; empty if not measured.
    pub load: Vec<f64>,
    /// How often another process ran meanwhile, per sample; none if the system does not tell.
    pub switches: Option<f64>,
}

/// How often the calling process was put on a CPU, where the system tells.
#[must_use]
pub fn switches() -> Option<u64> {
    turns("self")
}

/// The same of the process of that number.
#[must_use]
pub fn switches_of(process: u32) -> Option<u64> {
    turns(&process.to_string())
}

fn turns(process: &str) -> Option<u64> {
    // Time on the CPU, time waiting for one, number of turns (proc_pid_schedstat(5)).
    let text = std::fs::read_to_string(format!("/proc/{process}/schedstat")).ok()?;
    text.split_whitespace().nth(2)?.parse().ok()
}

/// The references of a run, by engine and name of the canary.
#[derive(Clone, Debug, Default)]
pub struct References {
    of: BTreeMap<(usize, String), Vec<f64>>,
    chains: Vec<f64>,
}

impl References {
    /// Takes a series into account.
    pub fn learn(&mut self, engine: usize, level: &str, reading: &Reading) {
        for (name, figures) in [(CHAIN, &reading.chain), (level, &reading.load)] {
            let seen = self.of.entry((engine, name.to_owned())).or_default();
            figures.iter().for_each(|figure| insert(seen, *figure));
        }
        reading.chain.iter().for_each(|figure| insert(&mut self.chains, *figure));
    }

    /// Whether a series is off by what is known now.
    #[must_use]
    pub fn off(&self, engine: usize, level: &str, reading: &Reading) -> bool {
        self.distance(engine, level, reading) > TOLERANCE
    }

    /// The farthest canary's distance from its reference; infinite after too many
    /// interruptions.
    #[must_use]
    pub fn distance(&self, engine: usize, level: &str, reading: &Reading) -> f64 {
        if reading.switches.is_some_and(|switches| switches > INTERRUPTED) {
            return f64::INFINITY;
        }
        let farthest = |name: &str, figures: &[f64]| {
            let seen = self.of.get(&(engine, name.to_owned()));
            let reference = seen.and_then(|it| first_decile(it));
            let far = |figure: &f64| reference.map_or(0.0, |it| (figure / it - 1.0).abs());
            figures.iter().map(far).fold(0.0, f64::max)
        };
        farthest(CHAIN, &reading.chain).max(farthest(level, &reading.load))
    }

    /// The chain of all engines: ticks per dependent addition.
    #[must_use]
    pub fn chain(&self) -> Option<f64> {
        first_decile(&self.chains)
    }
}

/// Keeps the figures in order.
fn insert(seen: &mut Vec<f64>, figure: f64) {
    seen.insert(seen.partition_point(|it| *it < figure), figure);
}

/// Of figures in order.
fn first_decile(seen: &[f64]) -> Option<f64> {
    seen.get(seen.len() / 10).copied()
}

/// The chain's name among the references; no level is called so.
const CHAIN: &str = "chain of additions";

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(chain: f64, load: f64) -> Reading {
        Reading { chain: vec![chain, chain], load: vec![load, load], switches: Some(0.0) }
    }

    #[test]
    fn a_neighbour_is_seen_in_the_loop_alone() {
        let mut references = References::default();
        (0..10).for_each(|_| references.learn(0, "avx2", &reading(0.8, 1000.0)));
        assert!(!references.off(0, "avx2", &reading(0.83, 1040.0)));
        assert!(references.off(0, "avx2", &reading(0.8, 2000.0)));
        assert!(references.off(0, "avx2", &reading(0.85, 1000.0)));
        assert!(references.off(
            0,
            "avx2",
            &Reading { chain: vec![0.8, 0.9], ..Reading::default() }
        ));
        // Another level has a loop of its own, of which nothing is known yet.
        assert!(!references.off(0, "avx512", &reading(0.8, 2000.0)));
    }

    #[test]
    fn a_slow_start_is_found_out_later() {
        let mut references = References::default();
        let slow = reading(1.0, 1000.0);
        (0..5).for_each(|_| references.learn(0, "-", &slow));
        assert!(!references.off(0, "-", &slow));
        (0..5).for_each(|_| references.learn(0, "-", &reading(0.8, 1000.0)));
        assert!(references.off(0, "-", &slow));
        assert_eq!(references.chain(), Some(0.8));
    }

    #[test]
    fn one_lucky_reading_condemns_no_other() {
        let mut references = References::default();
        references.learn(0, "-", &reading(0.5, 500.0));
        (0..20).for_each(|_| references.learn(0, "-", &reading(0.8, 1000.0)));
        assert!(!references.off(0, "-", &reading(0.8, 1000.0)));
        assert!(references.off(0, "-", &reading(0.5, 500.0)));
    }

    #[test]
    fn a_program_of_another_compiler_is_no_disturbance() {
        let mut references = References::default();
        (0..10).for_each(|_| references.learn(0, "portable", &reading(0.7, 1000.0)));
        (0..10).for_each(|_| references.learn(1, "portable", &reading(1.4, 3000.0)));
        assert!(!references.off(1, "portable", &reading(1.4, 3000.0)));
        assert!(references.off(0, "portable", &reading(1.4, 3000.0)));
        assert!(references.off(1, "portable", &reading(0.7, 1000.0)));
        assert_eq!(references.chain(), Some(0.7));
    }

    #[test]
    fn interruptions_in_every_fourth_sample_put_the_median_in_doubt() {
        let references = References::default();
        let interrupted = |switches| Reading { switches: Some(switches), ..Reading::default() };
        assert!(!references.off(0, "-", &interrupted(0.2)));
        assert!(references.off(0, "-", &interrupted(0.3)));
        if cfg!(target_os = "linux") {
            let before = switches().expect("Linux tells");
            std::thread::sleep(std::time::Duration::from_millis(1));
            assert!(switches().expect("Linux tells") >= before);
        }
    }

    #[test]
    fn what_was_not_measured_is_not_off() {
        let mut references = References::default();
        references.learn(0, "-", &reading(1.0, 1.0));
        assert!(!references.off(0, "-", &Reading::default()));
        assert!(!References::default().off(0, "-", &reading(1.0, 1.0)));
    }

    #[test]
    fn the_chain_takes_about_a_cycle_an_addition() {
        let clock = Clock::best();
        let least = (0..50).map(|_| chain(clock, clock.overhead())).fold(f64::MAX, f64::min);
        let nanoseconds = least / clock.hertz() * 1e9;
        // CPUs between 1 and 7 GHz, and a compiler that neither folds nor stretches the chain.
        assert!((0.14..1.1).contains(&nanoseconds), "{nanoseconds} ns an addition");
    }

    #[test]
    fn the_plain_loop_takes_time() {
        let clock = Clock::best();
        assert!(load(clock, clock.overhead(), &mut plain_load()) / clock.hertz() > 100e-9);
    }
}
