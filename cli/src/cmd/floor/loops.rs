//! Loops of lane operations under the laboratory's clock.

use cipherlane::Level;
use lab::canary;
use lab::clock::Clock;
use lab::floor::Quiet;
use lab::floor::units::{Loops, Step};
use measuring::{Operation, Order, Registers, Set};

/// Rounds of a short and a long loop, whose difference has no beginning and no end. They are many,
/// because clocks go in steps: the time-stamp counter of a Zen 5 in steps of 26 ticks, which are some
/// 40 core cycles. A turn of 8 cycles more in each round must show to a few percent of it.
const ROUNDS: [u64; 2] = [40, 240];
/// Each figure is the least of so many.
const TRIES: u32 = 30;
/// How often a figure is taken again while another thread has a part of the core's units.
const AGAIN: u32 = 4;

/// The loops of a level.
pub(super) struct AtLevel {
    level: Level,
    clock: Clock,
    overhead: u64,
    /// Ticks of a core cycle.
    tick: f64,
    /// What shows whether the units are ours alone.
    load: canary::Load,
    quiet: Quiet,
}

impl AtLevel {
    /// At this level, with core cycles as they are now.
    pub(super) fn new(level: Level) -> Self {
        let clock = Clock::best();
        let overhead = clock.overhead();
        let chains = (0..50).map(|_| canary::chain(clock, overhead));
        let tick = chains.fold(f64::MAX, f64::min);
        Self { level, clock, overhead, tick, load: canary::plain_load(), quiet: Quiet::default() }
    }

    /// What its canary said of the time in which the loops ran.
    pub(super) fn quiet(self) -> Quiet {
        self.quiet
    }
}

impl Loops for AtLevel {
    fn names(&self) -> Vec<&'static str> {
        Operation::ALL.iter().map(|operation| operation.name()).collect()
    }

    fn per_turn(&self, operation: usize) -> f64 {
        Operation::ALL[operation].per_turn() as f64
    }

    fn time(&mut self, narrow: bool, chain: bool, steps: &[Step]) -> f64 {
        let registers = if narrow { Registers::Narrow } else { Registers::Wide };
        let order = if chain { Order::Chain } else { Order::Side };
        let step = |&(operation, second, turns): &Step| measuring::Step {
            operation: Operation::ALL[operation],
            set: if second { Set::Second } else { Set::First },
            turns,
        };
        let steps: Vec<measuring::Step> = steps.iter().map(step).collect();
        let one = |rounds| {
            let start = self.clock.ticks();
            measuring::run(self.level, registers, order, &steps, rounds);
            self.clock.ticks().saturating_sub(start).saturating_sub(self.overhead)
        };
        let (mut short, mut long) = (u64::MAX, u64::MAX);
        for _ in 0..AGAIN {
            for _ in 0..TRIES {
                short = short.min(one(ROUNDS[0]));
                long = long.min(one(ROUNDS[1]));
            }
            let ticks = canary::load(self.clock, self.overhead, &mut self.load);
            if self.quiet.take(ticks / canary::MULTIPLICATIONS as f64 / self.tick) {
                break;
            }
        }
        let rounds = (ROUNDS[1] - ROUNDS[0]) as f64;
        long.saturating_sub(short) as f64 / rounds / self.tick
    }
}

#[cfg(test)]
mod tests {
    use lab::floor::{Counts, floor, units};

    use super::*;

    /// What kernels ask for has a loop, or no level of this program has it.
    #[test]
    fn every_operation_that_is_counted_can_be_timed() {
        for row in lab::floor::table::read(super::super::COUNTS).unwrap() {
            for name in row.counts.keys() {
                let name = name.strip_prefix(lab::floor::table::NARROW).unwrap_or(name);
                let instructions = ["sm4_rounds", "sm4_next_keys"].contains(&name);
                assert!(instructions || Operation::by_name(name).is_some(), "{name}");
            }
        }
    }

    /// Mixtures of operations, in the order in which a loop has them, on one set of registers and
    /// the other in turn: units that two of them share, units of their own, and memory. Between two
    /// of them the compiler moves registers, which takes units on CPUs that don't rename these
    /// moves: so there is time for some in each.
    const MIXTURES: [&[(&str, u32)]; 5] = [
        &[("affine8", 2), ("shl32", 2)],
        &[("aes_round", 3), ("xor3", 2)],
        &[("affine8", 2), ("aes_round", 1)],
        &[("store", 3), ("add32", 2)],
        &[("shuffle8", 3), ("add32", 2)],
    ];

    /// The model foretells what a mixture takes: within 5 % on a Zen 4 and a Sapphire Rapids, within
    /// 13 % on a Zen 5, whose scheduler gives work to a unit before it knows which is free, so that
    /// the same loop takes now 12 cycles, now 13.5. Other work on the machine adds to single figures:
    /// the median of seven is held to what the worst of these CPUs keeps, in one of three tries.
    #[test]
    fn mixtures_take_what_the_model_says() {
        // Loops of shorter registers are so fast that the front end shows.
        let long = |level: &Level| measuring::has(*level) && level.register_bytes() == 64;
        let Some(level) = Level::available().rfind(long) else {
            println!("skipped: no level with registers of 64 bytes");
            return;
        };
        // A host's bad phase lasts longer than seven turns; a model that is wrong is wrong in all phases.
        let mut last = Vec::new();
        let held = (0..3).any(|_| {
            last = medians(level);
            last.iter().all(|off| off.abs() < 0.15)
        });
        assert!(held, "{MIXTURES:?} at {level}: off by {last:.3?}");
    }

    /// How far the model is from the clock in each mixture, the median of seven.
    fn medians(level: Level) -> Vec<f64> {
        let mut off = [const { Vec::new() }; MIXTURES.len()];
        for _ in 0..7 {
            let mut loops = AtLevel::new(level);
            let lanes = units::measure(&mut loops);
            for (off, mixture) in off.iter_mut().zip(MIXTURES) {
                off.push(far(&mut loops, &lanes, mixture));
            }
        }
        let middle = |off: &mut Vec<f64>| {
            off.sort_by(f64::total_cmp);
            off[3]
        };
        off.iter_mut().map(middle).collect()
    }

    /// How far the model is from the clock.
    fn far(loops: &mut AtLevel, lanes: &units::Lanes, mixture: &[(&str, u32)]) -> f64 {
        let number = |name: &str| loops.names().iter().position(|it| *it == name).unwrap();
        let mut counts = Counts::new();
        let mut steps: Vec<Step> = Vec::new();
        for &(name, turns) in mixture {
            let count = loops.per_turn(number(name)) as u64 * u64::from(turns);
            *counts.entry(name.to_owned()).or_default() += count;
            steps.push((number(name), steps.len() % 2 == 1, turns));
        }
        let foretold = floor(&counts, None, lanes).unwrap().cycles;
        loops.time(false, false, &steps) / foretold - 1.0
    }
}
