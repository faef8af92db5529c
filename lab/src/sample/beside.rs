//! Samples taken while others work: the same work goes on before and after them.

use std::time::{SystemTime, UNIX_EPOCH};

use super::{Sampler, Series};
use crate::request::{Beside, Timing};
use crate::work::Fault;

impl Sampler {
    /// A series of calls, before and after which they go on for a while.
    pub(super) fn beside(
        &self,
        unit: u64,
        timing: Timing,
        beside: Beside,
        mut call: impl FnMut() -> Result<(), Fault>,
    ) -> Result<Series, Fault> {
        let mut time = |repeats, samples| {
            (0..samples).map(|_| self.time(&mut call, repeats)).collect::<Result<Vec<_>, _>>()
        };
        let (repeats, ticks) = match beside.single {
            true => (1, time(1, 3)?.into_iter().min().unwrap_or(1)),
            false => self.calibrate(unit, &mut time)?,
        };
        self.busy(&mut call, beside)?;
        let began = now();
        let samples = (0..self.affordable(ticks, timing))
            .map(|_| self.time(&mut call, repeats))
            .collect::<Result<_, _>>()?;
        let window = Some((began, now()));
        self.busy(&mut call, beside)?;
        Ok(Series { repeats, samples, window })
    }

    /// Calls without a sample.
    fn busy(
        &self,
        call: &mut impl FnMut() -> Result<(), Fault>,
        beside: Beside,
    ) -> Result<(), Fault> {
        let ticks = beside.around_us as f64 * 1e-6 * self.hertz;
        let start = self.clock.ticks();
        while (self.clock.ticks().saturating_sub(start) as f64) < ticks {
            call()?;
        }
        Ok(())
    }
}

/// Nanoseconds by the clock that all processes share.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;

    #[test]
    fn the_same_work_goes_on_before_and_after_the_samples() {
        let sampler = Sampler::new(Clock::best());
        let beside = Beside { around_us: 20_000, single: true };
        let timing = Timing { samples: 5, budget_us: None, beside: Some(beside) };
        let (began, mut first, mut last) = (now(), 0, 0);
        let series = sampler.beside(1, timing, beside, || {
            last = now();
            first = if first == 0 { last } else { first };
            Ok(())
        });
        let (series, ended) = (series.expect("works"), now());
        assert_eq!((series.repeats, series.samples.len()), (1, 5));
        let (from, to) = series.window.expect("told");
        assert!(began <= first && first + 20_000_000 <= from, "{first} {from}");
        // When the last call began is the scheduler's to say.
        assert!(from < to && to <= last && to + 19_000_000 <= ended, "{to} {last} {ended}");
    }
}
