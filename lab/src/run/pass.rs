//! One pass of one row: what the engine measured, and the canaries around it in the unit of the
//! samples as they are recorded.

use crate::canary;
use crate::clock::Clock;
use crate::record::{By, Canaries, core_per_tick};
use crate::reply::Measured;

/// What was measured, with its canaries.
pub(super) struct Pass {
    pub(super) measured: Measured,
    pub(super) canaries: Canaries,
}

/// The laboratory's own chain, for engines that have none.
pub(super) struct Own {
    clock: Clock,
    overhead: u64,
}

impl Own {
    pub(super) fn new() -> Self {
        let clock = Clock::best();
        Self { clock, overhead: clock.overhead() }
    }

    /// Ticks per dependent addition.
    pub(super) fn chain(&self) -> f64 {
        canary::chain(self.clock, self.overhead)
    }
}

impl Pass {
    /// A pass around which the laboratory's own chain took so long.
    pub(super) fn new(measured: Measured, own: [f64; 2]) -> Self {
        // The wall clock's nanoseconds become ticks, as those of the samples do.
        let ticks = if measured.clock == "wall" { Clock::best().hertz() / 1e9 } else { 1.0 };
        let scaled = |list: &[f64]| list.iter().map(|it| round(it * ticks)).collect::<Vec<f64>>();
        let (chain, by) = match measured.chain.as_slice() {
            [] => (own.map(round).to_vec(), By::Laboratory),
            chain => (scaled(chain), By::Chain),
        };
        let (rate, by) = match measured.counter {
            Some(rate) => (Some(round(rate / ticks)), By::Counter),
            None => (core_per_tick(&chain), by),
        };
        // With a counter, and without a chain of its own, nothing is kept that would judge it.
        let chain = if measured.chain.is_empty() && by == By::Counter { Vec::new() } else { chain };
        let samples = measured.samples.len() as f64;
        let canaries = Canaries {
            chain,
            load: scaled(&measured.load),
            switches: measured.switches.map(|switches| round(switches as f64 / samples)),
            core_per_tick: rate,
            by: rate.map(|_| by),
        };
        Self { measured, canaries }
    }
}

/// To the hundred-thousandth: less than a canary resolves.
fn round(x: f64) -> f64 {
    (x * 1e5).round() / 1e5
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(clock: &str) -> Measured {
        Measured { clock: clock.to_owned(), samples: vec![10; 4], ..Measured::default() }
    }

    #[test]
    fn a_pass_is_converted_by_the_nearest_that_is_known() {
        let chain = Measured { chain: vec![0.8, 0.8], load: vec![7.0], ..measured("tsc") };
        let pass = Pass::new(chain.clone(), [0.5, 0.5]);
        assert_eq!((pass.canaries.core_per_tick, pass.canaries.by), (Some(1.25), Some(By::Chain)));
        assert_eq!(pass.canaries.reading().chain, [0.8, 0.8]);

        let counted = Pass::new(Measured { counter: Some(1.3), ..chain }, [0.5, 0.5]);
        let found = (counted.canaries.core_per_tick, counted.canaries.by);
        assert_eq!(found, (Some(1.3), Some(By::Counter)));
        assert_eq!(counted.canaries.reading().chain, [0.8, 0.8]);

        // The laboratory's own chain converts, and judges nobody.
        let none = Measured { switches: Some(2), ..measured("tsc") };
        let pass = Pass::new(none, [0.4, 0.6]);
        assert_eq!(
            (pass.canaries.core_per_tick, pass.canaries.by),
            (Some(2.0), Some(By::Laboratory))
        );
        assert_eq!(pass.canaries.chain, [0.4, 0.6]);
        assert!(pass.canaries.reading().chain.is_empty());
        assert_eq!(pass.canaries.switches, Some(0.5));
    }

    #[test]
    fn nanoseconds_become_ticks() {
        let ticks = Clock::best().hertz() / 1e9;
        let wall = Measured { chain: vec![0.3, 0.3], load: vec![100.0], ..measured("wall") };
        let pass = Pass::new(wall, [0.5, 0.5]).canaries;
        assert!((pass.chain[0] / (0.3 * ticks) - 1.0).abs() < 1e-3, "{pass:?}");
        assert!((pass.load[0] / (100.0 * ticks) - 1.0).abs() < 1e-3, "{pass:?}");
        let rate = pass.core_per_tick.expect("a chain");
        assert!((rate * 0.3 * ticks - 1.0).abs() < 1e-3, "{pass:?}");
    }
}
