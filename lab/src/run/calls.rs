//! How long single calls take while all CPUs work: percentiles, not a mean of many.

use super::Options;
use super::core_cycles::round;
use super::digests::task;
use super::passes::Series;
use super::team::{Team, Trouble};
use crate::record::Percentiles;
use crate::reply::Measured;
use crate::request::{Beside, Timing};

/// Calls of a process in a round; and how many calls end the rounds.
const CALLS: u32 = 10_001;
const ENOUGH: usize = 10_000;

/// Rounds that are tried.
const TRIES: usize = 5;

/// Time for the calls of a process, and how long the work goes on before and after them.
const BUDGET_US: u64 = 200_000;
const AROUND_US: u64 = 250_000;

/// Measures a series so; `hertz` is the ticks a second of the time-stamp counter.
pub(super) fn measure(
    series: &Series,
    team: &mut Team,
    options: &Options,
    hertz: f64,
) -> Result<Percentiles, Trouble> {
    let (digest, level) = (&series.digest, &series.member.level);
    let task = task(&series.cell, level, options);
    if task.call_bytes() < series.cell.size {
        return Err(Trouble::refused("a call of a quick run does a part of so long a message"));
    }
    team.check(&task, digest)?;
    let beside = Some(Beside { around_us: AROUND_US, single: true });
    let timing = Timing { samples: CALLS, budget_us: Some(BUDGET_US), beside };
    let (mut calls, mut timer, mut processes) = (Vec::new(), 0.0_f64, 0);
    for _ in 0..TRIES {
        let Some(all) = team.all(&task, timing, digest)? else { continue };
        processes = all.len();
        for measured in &all {
            if measured.repeats != 1 {
                return Err(Trouble::refused("the engine did not time each call by itself"));
            }
            let ns = nanoseconds(measured, hertz);
            calls.extend(measured.samples.iter().map(|it| *it as f64 * ns));
            timer = timer.max(measured.timer.unwrap_or(0) as f64 * ns);
        }
        if calls.len() >= ENOUGH {
            break;
        }
    }
    calls.sort_by(f64::total_cmp);
    let Some(most) = calls.last().copied() else {
        return Err(Trouble::refused("its processes did not come to work at the same time"));
    };
    let at = |thousandths: usize| ranked(&calls, thousandths).map(round);
    Ok(Percentiles {
        processes: u32::try_from(processes).unwrap_or(u32::MAX),
        calls: calls.len() as u64,
        p50_ns: at(500),
        p99_ns: at(990),
        p999_ns: at(999),
        max_ns: round(most),
        timer_ns: round(timer),
    })
}

/// Nanoseconds a tick of its clock.
fn nanoseconds(measured: &Measured, hertz: f64) -> f64 {
    if measured.clock == "wall" { 1.0 } else { 1e9 / hertz }
}

/// The least of these, in order, below or at which so many thousandths of them are; none where
/// fewer than ten lie above it, which a single disturbance would move.
fn ranked(sorted: &[f64], thousandths: usize) -> Option<f64> {
    let rank = (sorted.len() * thousandths).div_ceil(1000);
    let above = sorted.len() - rank;
    if above < 10 { None } else { sorted.get(rank.saturating_sub(1)).copied() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_a_call_with_enough_above_it() {
        let calls: Vec<f64> = (1..=10_000).map(f64::from).collect();
        assert_eq!(ranked(&calls, 500), Some(5000.0));
        assert_eq!(ranked(&calls, 990), Some(9900.0));
        assert_eq!(ranked(&calls, 999), Some(9990.0));
        assert_eq!(ranked(&calls[..9000], 999), None);
        assert_eq!(ranked(&calls[..9000], 990), Some(8910.0));
        assert_eq!(ranked(&[], 500), None);
    }
}
