//! The one timing loop of all built-in engines.

use crate::clock::Clock;
use crate::input::RING;
use crate::request::Timing;
use crate::ring::Ring;
use crate::work::{Elsewhere, Fault, Work, WorkBatch};

mod beside;
mod single;

/// A sample lasts at least so long.
pub const SAMPLE_SECONDS: f64 = 15e-6;

/// A call that takes so long is no interruption of a short one.
const LONG_SECONDS: f64 = 0.1;

/// The samples of one series.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// Calls a sample.
    pub repeats: u64,
    /// Ticks a sample, the clock's overhead subtracted; an odd number of them.
    pub samples: Vec<u64>,
    /// When the samples began and ended, where others worked beside: nanoseconds since 1970.
    pub window: Option<(u64, u64)>,
}

/// How a series walks through the ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// Another key, IV and buffer each call.
    Around,
    /// The same, each buffer always with the key and IV of its number: what was sealed
    /// opens under no other.
    Paired,
    /// Always the same buffer, so that each input is the output before.
    OnTheSpot,
}

/// The clock and what it costs.
#[derive(Clone, Copy, Debug)]
pub struct Sampler {
    /// The clock.
    pub clock: Clock,
    /// Ticks that two readings with nothing between are apart.
    pub overhead: u64,
    hertz: f64,
}

impl Sampler {
    /// A sampler on that clock.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        Self { clock, overhead: clock.overhead(), hertz: clock.hertz() }
    }

    /// Takes one series: finds how many calls fill a sample, which warms everything up as
    /// well, then takes the samples.
    ///
    /// # Errors
    /// The library's [`Fault`].
    pub fn series(
        &self,
        work: Work<'_>,
        ring: &mut Ring,
        walk: Walk,
        timing: Timing,
    ) -> Result<Series, Fault> {
        let mut place = Place { slot: 0, buffer: 0, buffers: ring.buffers(), walk };
        self.take(1, timing, || {
            work(ring.message(place.slot, place.buffer))?;
            place.step();
            Ok(())
        })
    }

    /// The same for batches: each call takes the next of so many batches, and with `round`
    /// every sample takes all of them equally often, since they differ.
    ///
    /// # Errors
    /// The library's [`Fault`].
    pub fn batches(
        &self,
        work: WorkBatch<'_>,
        batches: usize,
        round: bool,
        timing: Timing,
    ) -> Result<Series, Fault> {
        let mut next = 0;
        self.take(if round { batches as u64 } else { 1 }, timing, || {
            work(next)?;
            next = if next + 1 == batches { 0 } else { next + 1 };
            Ok(())
        })
    }

    /// The same for work that another process does and times; the clock is [`Clock::Wall`], whose
    /// ticks are its nanoseconds.
    ///
    /// # Errors
    /// The library's [`Fault`].
    pub fn elsewhere(&self, work: &dyn Elsewhere, timing: Timing) -> Result<Series, Fault> {
        self.told(1, timing, |repeats, samples| work.samples(repeats, samples))
    }

    /// A series of calls; each sample has a multiple of `unit` of them.
    fn take(
        &self,
        unit: u64,
        timing: Timing,
        mut call: impl FnMut() -> Result<(), Fault>,
    ) -> Result<Series, Fault> {
        if let Some(beside) = timing.beside {
            return self.beside(unit, timing, beside, call);
        }
        self.told(unit, timing, |repeats, samples| {
            (0..samples).map(|_| self.time(&mut call, repeats)).collect()
        })
    }

    /// A series of which `time` tells the ticks of so many samples of so many calls.
    fn told(
        &self,
        unit: u64,
        timing: Timing,
        mut time: impl FnMut(u64, u32) -> Result<Vec<u64>, Fault>,
    ) -> Result<Series, Fault> {
        let (repeats, ticks) = self.calibrate(unit, &mut time)?;
        let samples = time(repeats, self.affordable(ticks, timing))?;
        Ok(Series { repeats, samples, window: None })
    }

    /// Calls a sample, and about how many ticks they take.
    fn calibrate(
        &self,
        unit: u64,
        time: &mut impl FnMut(u64, u32) -> Result<Vec<u64>, Fault>,
    ) -> Result<(u64, u64), Fault> {
        let floor = SAMPLE_SECONDS * self.hertz;
        let mut once =
            |repeats| -> Result<u64, Fault> { Ok(time(repeats, 1)?.first().copied().unwrap_or(1)) };
        let mut repeats = unit;
        loop {
            // The lesser of two: an interruption must not pass for work.
            let first = once(repeats)?;
            // No interruption is as long as this.
            if repeats == unit && first as f64 > LONG_SECONDS * self.hertz {
                return Ok((unit, first));
            }
            let ticks = once(repeats)?.min(first);
            if ticks as f64 >= floor {
                return Ok((repeats, ticks));
            }
            let wanted = repeats as f64 * (1.1 * floor / ticks as f64);
            repeats = (wanted as u64).clamp(repeats + 1, repeats * 8).next_multiple_of(unit);
        }
    }

    /// As many samples as asked, or the odd number, at least 3, that the budget allows.
    fn affordable(&self, ticks: u64, timing: Timing) -> u32 {
        let Some(budget) = timing.budget_us else { return timing.samples };
        let affordable = budget as f64 * 1e-6 * self.hertz / ticks as f64;
        let count = (affordable as u32).clamp(3, timing.samples);
        if count % 2 == 1 { count } else { count - 1 }
    }

    fn time(
        &self,
        call: &mut impl FnMut() -> Result<(), Fault>,
        repeats: u64,
    ) -> Result<u64, Fault> {
        let start = self.clock.ticks();
        for _ in 0..repeats {
            call()?;
        }
        let ticks = self.clock.ticks().saturating_sub(start);
        Ok(ticks.saturating_sub(self.overhead).max(1))
    }
}

/// Where in the ring the next call works.
struct Place {
    slot: usize,
    buffer: usize,
    buffers: usize,
    walk: Walk,
}

impl Place {
    #[inline(always)]
    fn step(&mut self) {
        if self.walk == Walk::OnTheSpot {
            return;
        }
        self.slot = (self.slot + 1) % RING;
        self.buffer += 1;
        if self.buffer == self.buffers {
            self.buffer = 0;
            if self.walk == Walk::Paired {
                self.slot = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Placement;
    use crate::work::{Data, Keys, Message};

    fn ring(size: usize) -> Ring {
        let lengths = vec![size; crate::input::messages(size as u64)];
        Ring::generate(1, Keys::generate(1, 16, 16), lengths, Placement::InPlace, 0)
            .expect("memory")
    }

    const ALL: Timing = Timing { samples: 21, budget_us: None, beside: None };

    #[test]
    fn short_work_is_repeated_until_a_sample_lasts_long_enough() {
        let sampler = Sampler::new(Clock::best());
        let mut calls = 0_u64;
        let mut work = |message: Message<'_>| {
            calls += 1;
            std::hint::black_box(message.data.len());
            Ok(())
        };
        let series = sampler.series(&mut work, &mut ring(16), Walk::Around, ALL).expect("works");
        let floor = SAMPLE_SECONDS * Clock::best().hertz();
        assert_eq!(series.samples.len(), 21);
        assert!(calls >= 21 * series.repeats);
        let middle = {
            let mut sorted = series.samples.clone();
            sorted.sort_unstable();
            sorted[10] as f64
        };
        assert!(middle > 0.7 * floor, "{middle} ticks of {floor}");
    }

    #[test]
    fn the_walk_visits_every_slot_and_buffer_in_turn() {
        let sampler = Sampler::new(Clock::best());
        let mut seen = Vec::new();
        let mut work = |message: Message<'_>| {
            let mut data = message.data;
            seen.push((message.slot, data.pointers().1.addr()));
            Ok(())
        };
        let mut ring = ring(1 << 17);
        assert_eq!(ring.buffers(), 8);
        sampler.series(&mut work, &mut ring, Walk::Around, ALL).expect("works");
        let slots: Vec<usize> = seen.iter().map(|(slot, _)| *slot).collect();
        assert!(slots.iter().enumerate().all(|(i, slot)| *slot == i % RING));
        let mut buffers: Vec<usize> = seen.iter().map(|(_, buffer)| *buffer).collect();
        assert!(buffers.iter().zip(&buffers[8..]).all(|(a, b)| a == b));
        buffers.sort_unstable();
        buffers.dedup();
        assert_eq!(buffers.len(), 8);
    }

    #[test]
    fn paired_each_buffer_keeps_its_slot() {
        let mut place = Place { slot: 0, buffer: 0, buffers: 8, walk: Walk::Paired };
        for call in 0..20 {
            assert_eq!((place.slot, place.buffer), (call % 8, call % 8));
            place.step();
        }
    }

    #[test]
    fn on_the_spot_each_input_is_the_output_before() {
        let sampler = Sampler::new(Clock::best());
        let mut last = None;
        let mut work = |message: Message<'_>| {
            let Data::InPlace(data) = message.data else { return Err("placement") };
            if last.is_some_and(|last| last != data[0]) {
                return Err("another buffer");
            }
            data[0] = data[0].wrapping_mul(5).wrapping_add(1);
            last = Some(data[0]);
            Ok(())
        };
        sampler.series(&mut work, &mut ring(16), Walk::OnTheSpot, ALL).expect("the same buffer");
    }

    #[test]
    fn a_budget_leaves_an_odd_number_of_samples_and_at_least_three() {
        let sampler = Sampler { clock: Clock::Wall, overhead: 0, hertz: 1e9 };
        let samples = |ticks, samples, us| {
            sampler.affordable(ticks, Timing { samples, budget_us: Some(us), beside: None })
        };
        assert_eq!(samples(1_000_000, 21, 10_000), 9);
        assert_eq!(samples(1_000_000, 21, 1), 3);
        assert_eq!(samples(1, 21, 1_000_000), 21);
        assert_eq!(samples(1, 3, 0), 3);
    }

    #[test]
    fn a_fault_of_the_library_ends_the_series() {
        let sampler = Sampler::new(Clock::best());
        let mut work = |message: Message<'_>| match message.slot {
            63 => Err("EVP_EncryptUpdate"),
            _ => Ok(()),
        };
        let fault = sampler.series(&mut work, &mut ring(16), Walk::Around, ALL);
        assert_eq!(fault, Err("EVP_EncryptUpdate"));
    }

    #[test]
    fn what_is_timed_elsewhere_fills_a_sample_too() {
        /// A tenth of a microsecond a call.
        struct There;
        impl Elsewhere for There {
            fn samples(&self, calls: u64, samples: u32) -> Result<Vec<u64>, Fault> {
                Ok(vec![100 * calls; samples as usize])
            }

            fn switches(&self) -> Option<u64> {
                None
            }
        }
        let series = Sampler::new(Clock::Wall).elsewhere(&There, ALL).expect("works");
        assert!((150..=400).contains(&series.repeats), "{}", series.repeats);
        assert_eq!(series.samples, [100 * series.repeats; 21]);
    }

    #[test]
    fn batches_take_turns_and_a_round_takes_them_equally_often() {
        let sampler = Sampler::new(Clock::best());
        for round in [false, true] {
            let mut seen = Vec::new();
            let mut work = |batch| {
                seen.push(batch);
                Ok(())
            };
            let series = sampler.batches(&mut work, 7, round, ALL).expect("works");
            assert!(seen.iter().enumerate().all(|(call, batch)| *batch == call % 7));
            assert_eq!(series.samples.len(), 21);
            assert!(!round || series.repeats.is_multiple_of(7), "{}", series.repeats);
        }
    }
}
