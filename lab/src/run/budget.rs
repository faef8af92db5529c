//! The time that a series may take, and what it is guessed to take.

use std::time::Duration;

use super::Options;
use crate::Cell;
use crate::request::Timing;

/// The time of a series in a quick run.
const QUICK_SERIES: Duration = Duration::from_millis(50);

/// The least share of its time that a series gets where a run's is short.
const LEAST_SHARE: f64 = 0.1;

/// The share of its time that a series gets in the next pass, after one that took `last` with `now`,
/// if `passes` must end in `rest`.
pub(super) fn share(now: f64, rest: Duration, last: Duration, passes: u32) -> f64 {
    let wanted = last.as_secs_f64() * f64::from(passes);
    if wanted > 0.0 { (now * rest.as_secs_f64() / wanted).clamp(LEAST_SHARE, 1.0) } else { now }
}

pub(super) fn timing(options: &Options, share: f64) -> Timing {
    let budget = series_budget(options).mul_f64(share);
    let budget_us = u64::try_from(budget.as_micros()).unwrap_or(u64::MAX);
    Timing { samples: options.samples, budget_us: Some(budget_us), beside: None }
}

/// The time one series may take.
pub(super) fn series_budget(options: &Options) -> Duration {
    let budget = options.budget / options.passes;
    if options.quick { budget.min(QUICK_SERIES) } else { budget }
}

/// About how many seconds a series takes, before any was seen.
pub(super) fn guess(cell: &Cell, options: &Options) -> f64 {
    let samples = f64::from(options.samples);
    let bytes = cell.size as f64 * f64::from(cell.messages);
    let work = (bytes * 4e-9 * samples).min(series_budget(options).as_secs_f64());
    0.0015 + work
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_series_give_way_where_the_fewest_passes_would_take_longer_than_there_is_time() {
        let seconds = Duration::from_secs;
        assert_eq!(
            share(1.0, seconds(30), Duration::ZERO, 3),
            1.0,
            "nothing is known before the first"
        );
        assert_eq!(share(1.0, seconds(30), seconds(10), 2), 1.0, "two passes of 10 s end in 30 s");
        assert_eq!(share(1.0, seconds(10), seconds(10), 2), 0.5);
        assert_eq!(share(0.5, seconds(10), seconds(5), 1), 1.0, "a quicker pass gives time back");
        assert_eq!(share(1.0, Duration::ZERO, seconds(10), 2), LEAST_SHARE);
        assert_eq!(share(0.3, seconds(9), seconds(5), 0), 0.3, "the fewest are done");
    }

    #[test]
    fn what_comes_before_the_passes_is_taken_from_the_time_of_the_whole_run() {
        let seconds = Duration::from_secs;
        let of = |within, whole, before| {
            let options = Options { within, whole, ..Options::new("nowhere".into()) };
            options.within_after(before)
        };
        assert_eq!(of(None, None, seconds(5)), None);
        assert_eq!(of(Some(seconds(36)), None, seconds(500)), Some(seconds(36)));
        assert_eq!(of(Some(seconds(36)), Some(seconds(55)), seconds(5)), Some(seconds(36)));
        assert_eq!(of(Some(seconds(36)), Some(seconds(55)), seconds(30)), Some(seconds(20)));
        assert_eq!(of(None, Some(seconds(55)), seconds(60)), Some(Duration::ZERO));
    }
}
