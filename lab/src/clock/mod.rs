//! Clocks: the time-stamp counter where there is one, else the wall clock; and, as near to the
//! CPU, lines out of its caches.

#[cfg_attr(not(target_os = "linux"), path = "no_counter.rs")]
mod counter;
#[cfg_attr(not(target_feature = "sse2"), path = "no_flush.rs")]
mod flush;
#[cfg(target_feature = "sse2")]
mod tsc;
mod wall;

use std::time::Instant;

pub use counter::Counter;
pub use flush::flush;

/// The clock of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// `RDTSC` with fences; ticks at a constant rate, [`Clock::hertz`].
    #[cfg(target_feature = "sse2")]
    Tsc,
    /// The monotonic clock of the system; a tick is a nanosecond.
    Wall,
}

impl Clock {
    /// The finest clock of this machine.
    #[must_use]
    pub const fn best() -> Self {
        #[cfg(target_feature = "sse2")]
        return Self::Tsc;
        #[cfg(not(target_feature = "sse2"))]
        return Self::Wall;
    }

    /// `"tsc"` or `"wall"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            #[cfg(target_feature = "sse2")]
            Self::Tsc => "tsc",
            Self::Wall => "wall",
        }
    }

    /// Ticks since some moment. What the program does before is done before the clock
    /// is read, what it does after begins after.
    #[inline(always)]
    #[must_use]
    pub fn ticks(self) -> u64 {
        match self {
            #[cfg(target_feature = "sse2")]
            Self::Tsc => tsc::ticks(),
            Self::Wall => wall::ticks(),
        }
    }

    /// The ticks that two readings with nothing between are apart: the least of many.
    #[must_use]
    pub fn overhead(self) -> u64 {
        let between = |_| {
            let start = self.ticks();
            self.ticks().saturating_sub(start)
        };
        (0..1000).map(between).min().unwrap_or(0)
    }

    /// Ticks a second. The time-stamp counter is measured against the wall clock, once,
    /// over 20 ms.
    #[must_use]
    pub fn hertz(self) -> f64 {
        match self {
            #[cfg(target_feature = "sse2")]
            Self::Tsc => {
                static HERTZ: std::sync::OnceLock<f64> = std::sync::OnceLock::new();
                *HERTZ.get_or_init(|| {
                    let rate = Rate::start(self);
                    std::thread::sleep(std::time::Duration::from_millis(20));
                    rate.hertz()
                })
            }
            Self::Wall => 1e9,
        }
    }
}

/// Measures the rate of a clock against the wall clock, over whatever time passes.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    clock: Clock,
    ticks: u64,
    instant: Instant,
}

impl Rate {
    /// Starts.
    #[must_use]
    pub fn start(clock: Clock) -> Self {
        let (ticks, instant) = at_once(clock);
        Self { clock, ticks, instant }
    }

    /// Ticks a second since the start.
    #[must_use]
    pub fn hertz(&self) -> f64 {
        let (ticks, instant) = at_once(self.clock);
        let seconds = instant.duration_since(self.instant).as_secs_f64();
        ticks.saturating_sub(self.ticks) as f64 / seconds.max(1e-9)
    }
}

/// Both clocks at one moment: of several readings, the one in which least time passed.
fn at_once(clock: Clock) -> (u64, Instant) {
    let reading = || {
        let before = clock.ticks();
        let instant = Instant::now();
        let after = clock.ticks();
        (after.saturating_sub(before), before + after.saturating_sub(before) / 2, instant)
    };
    let best = (0..20).map(|_| reading()).min_by_key(|(width, ..)| *width);
    let (_, ticks, instant) = best.unwrap_or_else(reading);
    (ticks, instant)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clocks() -> impl Iterator<Item = Clock> {
        let mut clocks = vec![Clock::best(), Clock::Wall];
        clocks.dedup();
        clocks.into_iter()
    }

    #[test]
    fn every_clock_sees_ten_milliseconds_as_ten() {
        for clock in clocks() {
            let hertz = clock.hertz();
            let best = (0..5).map(|_| {
                let start = clock.ticks();
                std::thread::sleep(std::time::Duration::from_millis(10));
                (clock.ticks() - start) as f64 / hertz
            });
            let seconds = best.fold(f64::MAX, f64::min);
            assert!((0.0099..0.02).contains(&seconds), "{}: {seconds}", clock.name());
        }
    }

    #[test]
    fn the_overhead_is_small() {
        for clock in clocks() {
            let seconds = clock.overhead() as f64 / clock.hertz();
            assert!(seconds < 2e-6, "{}: {seconds}", clock.name());
        }
    }
}
