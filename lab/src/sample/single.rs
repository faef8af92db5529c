//! Samples of one call each.

use super::{Place, Sampler, Series, Walk};
use crate::cold::Cold;
use crate::request::Timing;
use crate::ring::Ring;
use crate::work::{Fault, Work, WorkBatch};

impl Sampler {
    /// A series of single calls, before each of which the caches are emptied.
    ///
    /// # Errors
    /// The library's [`Fault`].
    pub fn cold(
        &self,
        work: Work<'_>,
        ring: &mut Ring,
        walk: Walk,
        cold: &Cold,
        timing: Timing,
    ) -> Result<Series, Fault> {
        let mut place = Place { slot: 0, buffer: 0, buffers: ring.buffers(), walk };
        self.singly(timing, || {
            let mut message = ring.message(place.slot, place.buffer);
            cold.empty_for(&message);
            let ticks = self.time(&mut || work(message.reborrow()), 1)?;
            place.step();
            Ok(ticks)
        })
    }

    /// The same for batches.
    ///
    /// # Errors
    /// The library's [`Fault`].
    pub fn cold_batches(
        &self,
        work: WorkBatch<'_>,
        batches: usize,
        cold: &Cold,
        timing: Timing,
    ) -> Result<Series, Fault> {
        let mut next = 0;
        self.singly(timing, || {
            cold.empty();
            let ticks = self.time(&mut || work(next), 1)?;
            next = (next + 1) % batches;
            Ok(ticks)
        })
    }

    /// A series whose samples are one call each, of which `once` tells the ticks; what it does besides
    /// counts against the budget.
    fn singly(
        &self,
        timing: Timing,
        mut once: impl FnMut() -> Result<u64, Fault>,
    ) -> Result<Series, Fault> {
        // The first call of all has pages mapped and functions bound.
        once()?;
        let start = self.clock.ticks();
        once()?;
        let ticks = self.clock.ticks().saturating_sub(start).max(1);
        let samples =
            (0..self.affordable(ticks, timing)).map(|_| once()).collect::<Result<_, _>>()?;
        Ok(Series { repeats: 1, samples, window: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Placement;
    use crate::clock::Clock;
    use crate::work::{Keys, Message};

    const ALL: Timing = Timing { samples: 21, budget_us: None, beside: None };

    fn ring() -> Ring {
        Ring::generate(1, Keys::generate(1, 16, 16), vec![16; 64], Placement::InPlace, 0)
            .expect("memory")
    }

    #[test]
    fn a_cold_call_takes_longer_than_a_warm_one() {
        let sampler = Sampler::new(Clock::best());
        let table = vec![2_u8; 128 << 10];
        let mut work = |_: Message<'_>| {
            let lines = table.len() / 64;
            let read = |sum: usize, turn| {
                sum + usize::from(std::hint::black_box(
                    table[(turn * 1597 + (sum & 1)) % lines * 64],
                ))
            };
            std::hint::black_box((0..lines).fold(0, read));
            Ok(())
        };
        let cold = Cold::new().expect("memory");
        let warm = sampler.series(&mut work, &mut ring(), Walk::Around, ALL).expect("works");
        let cold = sampler.cold(&mut work, &mut ring(), Walk::Around, &cold, ALL).expect("works");
        assert_eq!((cold.repeats, cold.samples.len()), (1, 21));
        let least = |series: &Series| {
            series.samples.iter().min().copied().unwrap_or(0) as f64 / series.repeats as f64
        };
        let (warm, cold) = (least(&warm), least(&cold));
        assert!(cold > 2.0 * warm, "{cold} ticks cold, {warm} warm");
    }
}
