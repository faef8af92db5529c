//! The series of a run once more, in one process for each CPU at once.

use super::calls;
use super::core_cycles::round;
use super::digests::{missing, task};
use super::engine_pool::EnginePool;
use super::passes::{Passes, Series};
use super::rows::per_message;
use super::team::{Team, Trouble};
use super::{Options, Progress};
use crate::Cell;
use crate::record::{Missing, Together};
use crate::reply::Measured;
use crate::request::{Beside, Timing};
use crate::stats::median;

/// Rounds, each of one process alone and all at once; and how many are tried until there are so
/// many in which all worked at the same time.
const ROUNDS: usize = 3;
const TRIES: usize = 9;

/// How long the work goes on before and after the samples: so far apart processes may begin.
const AROUND_US: u64 = 60_000;

/// Time for the samples of a process: less than that, since none may end while another has not
/// begun.
const BUDGET_US: u64 = 40_000;

const SAMPLES: u32 = 101;

/// Measures every series that has a figure; `hertz` is the ticks a second of the time-stamp counter.
/// The run has its figures already, so no trouble ends it.
pub(super) fn take(
    passes: &mut Passes<'_>,
    pool: &EnginePool,
    hertz: f64,
    progress: &mut dyn Progress,
    gaps: &mut Vec<Missing>,
) {
    let options = passes.options().clone();
    let (planned, mut team) = (passes.series(), None);
    for series in passes.all_mut() {
        if series.member.again || series.passes.is_empty() {
            continue;
        }
        if progress.stopped() {
            break;
        }
        let (name, level) = (pool.name(series.member.engine), series.member.level.clone());
        let cell = Cell { level, ..series.cell.clone() };
        progress.series(&format!("on all CPUs: {name} {cell}"), planned, 0.0);
        let reason = match measure(series, name, &mut team, &options, hertz) {
            Ok(()) => continue,
            Err(Trouble::Refused(reason)) => reason,
            Err(Trouble::Failed(error)) => {
                // A process that was lost is no member of a team any more.
                team = None;
                progress.note(&error.to_string());
                error.to_string()
            }
        };
        let reason = format!("on all CPUs at once: {reason}");
        gaps.push(missing(&series.cell, name, &series.member, reason));
    }
}

fn measure(
    series: &mut Series,
    name: &str,
    team: &mut Option<Team>,
    options: &Options,
    hertz: f64,
) -> Result<(), Trouble> {
    let engine = series.member.engine;
    if series.cell.threads > 1 || series.cell.cold {
        return Err(Trouble::refused("it is measured with warm caches and one thread a process"));
    }
    let mut mine = match team.take().filter(|team| team.engine == engine) {
        Some(team) => team,
        None => Team::start(engine, name, options)?,
    };
    if options.together {
        series.together = Some(figures(series, &rounds(series, &mut mine, options)?, hertz));
    }
    if options.percentiles {
        series.percentiles = Some(calls::measure(series, &mut mine, options, hertz)?);
    }
    *team = Some(mine);
    Ok(())
}

/// One process alone, and all at once.
type Round = (Measured, Vec<Measured>);

fn rounds(series: &Series, team: &mut Team, options: &Options) -> Result<Vec<Round>, Trouble> {
    let (digest, level) = (&series.digest, &series.member.level);
    let task = task(&series.cell, level, options);
    team.check(&task, digest)?;
    let beside = Some(Beside { around_us: AROUND_US, single: false });
    let timing = Timing { samples: SAMPLES, budget_us: Some(BUDGET_US), beside };
    let mut rounds = Vec::new();
    for turn in 0..TRIES {
        let alone = team.one(turn, &task, timing, digest)?;
        rounds.extend(team.all(&task, timing, digest)?.map(|beside| (alone, beside)));
        if rounds.len() == ROUNDS {
            break;
        }
    }
    if rounds.is_empty() {
        return Err(Trouble::refused("its processes did not come to work at the same time"));
    }
    Ok(rounds)
}

fn figures(series: &Series, rounds: &[Round], hertz: f64) -> Together {
    let middle =
        |measured: &Measured| median(&per_message(series, measured, hertz)).map_or(f64::NAN, round);
    let alone: Vec<f64> = rounds.iter().map(|(alone, _)| middle(alone)).collect();
    let beside: Vec<Vec<f64>> =
        rounds.iter().map(|(_, beside)| beside.iter().map(middle).collect()).collect();
    let mean = |round: &[f64]| round.iter().sum::<f64>() / round.len() as f64;
    let slower = alone.iter().zip(&beside).map(|(alone, beside)| mean(beside) / alone);
    let bits = series.cell.mix.mean(series.cell.size) * 8.0;
    let speed = |round: &Vec<f64>| round.iter().map(|ticks| bits * hertz / ticks / 1e6).sum();
    let mbps = median(&beside.iter().map(speed).collect::<Vec<f64>>());
    Together {
        processes: beside.first().map_or(0, |it| u32::try_from(it.len()).unwrap_or(u32::MAX)),
        slowdown: median(&slower.collect::<Vec<f64>>()).map_or(f64::NAN, round),
        mbps: mbps.map(round).filter(|_| !series.cell.model.is_setup()),
        alone,
        beside,
    }
}
