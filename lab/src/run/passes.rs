//! The passes of a run: every series of the table once, several times over.

use std::time::{Duration, Instant};

use super::budget::{guess, series_budget, share, timing};
use super::digests::{Checked, missing, task};
use super::engine_pool::EnginePool;
use super::pass::{Own, Pass};
use super::{Options, Progress, resume};
use crate::canary::References;
use crate::plan::{Member, Plan};
use crate::record::{Missing, Percentiles, Row, RunRecord, Together};
use crate::{Cell, LabError};

/// How often the table is gone through again for passes in place of those that were disturbed.
const ROUNDS: u32 = 6;

/// So many passes a row gets however long it takes, and whatever time the run has; a row with
/// fewer clean ones is flagged.
const FEWEST_PASSES: u32 = 3;

/// A check that took longer is not done again by the processes of later passes.
const LONG_CHECK: Duration = Duration::from_millis(2);

/// In a quick run, a row whose pass takes longer than this gets the fewest passes.
const QUICK_SHORT: Duration = Duration::from_millis(10);

/// What one member of a cell has measured.
pub(super) struct Series {
    pub(super) cell: Cell,
    pub(super) member: Member,
    pub(super) digest: String,
    /// Whether no second engine computed the same.
    pub(super) alone: bool,
    /// What the check took.
    checked: Duration,
    /// What an earlier run measured of it.
    pub(super) earlier: Option<Row>,
    /// One entry a pass, and one for every pass in place of one that was disturbed.
    pub(super) passes: Vec<Pass>,
    /// What it costs when all CPUs do it.
    pub(super) together: Option<Together>,
    /// Single calls meanwhile.
    pub(super) percentiles: Option<Percentiles>,
    /// What a pass took.
    seconds: f64,
    /// The engine was lost or refused.
    dropped: bool,
}

/// All series of a run.
pub(super) struct Passes<'o> {
    options: &'o Options,
    planned: u64,
    estimate: f64,
    series: Vec<Series>,
    references: References,
    own: Own,
    /// Passes over the whole table that were begun.
    begun: u32,
    repeated: u64,
    stopped: bool,
    /// The time for the passes.
    pub(super) within: Option<Duration>,
    /// The share of its time that a series gets, so that the fewest passes end in that.
    share: f64,
}

impl<'o> Passes<'o> {
    pub(super) fn new(plan: &Plan, options: &'o Options) -> Self {
        let passes = u64::from(options.passes);
        let guess = |cell: &Cell| guess(cell, options);
        let row = plan.groups.iter().map(|group| guess(&group.cell) * group.members.len() as f64);
        Self {
            options,
            planned: plan.rows() * passes,
            estimate: row.sum::<f64>() * passes as f64,
            series: Vec::new(),
            references: References::default(),
            own: Own::new(),
            begun: 0,
            repeated: 0,
            stopped: false,
            within: options.within,
            share: 1.0,
        }
    }

    /// How many series there will be.
    pub(super) fn series(&self) -> u64 {
        self.planned
    }

    /// About how many seconds they will take.
    pub(super) fn estimate(&self) -> f64 {
        self.estimate
    }

    pub(super) fn all(&self) -> &[Series] {
        &self.series
    }

    pub(super) fn all_mut(&mut self) -> &mut [Series] {
        &mut self.series
    }

    pub(super) fn options(&self) -> &Options {
        self.options
    }

    pub(super) fn references(&self) -> &References {
        &self.references
    }

    /// Takes all passes. A pass goes through engines, levels and sizes as they stand in the
    /// table, the next one backwards: A B B A.
    pub(super) fn take(
        &mut self,
        groups: Vec<Checked>,
        pool: &mut EnginePool,
        progress: &mut dyn Progress,
        missing: &mut Vec<Missing>,
    ) -> Result<(), LabError> {
        for group in groups {
            let seconds = guess(&group.cell, self.options);
            for (member, checked) in group.members {
                let (cell, digest) = (group.cell.clone(), group.digest.clone());
                let (alone, passes, dropped) = (group.alone, Vec::new(), false);
                let earlier = self.options.earlier.as_ref();
                let earlier = earlier.and_then(|it| resume::row(it, pool, &cell, &member, &digest));
                let (together, percentiles) = (None, None);
                self.series.push(Series {
                    cell,
                    member,
                    digest,
                    alone,
                    checked,
                    earlier,
                    passes,
                    together,
                    percentiles,
                    seconds,
                    dropped,
                });
            }
        }
        let mut left: f64 = self.series.iter().map(|series| series.left(0, self.options)).sum();
        let mut done = 0;
        let began = Instant::now();
        let mut last = Duration::ZERO;
        for pass in 0..self.options.passes {
            if let Some(within) = self.within {
                let rest = within.saturating_sub(began.elapsed());
                self.share = share(self.share, rest, last, FEWEST_PASSES.saturating_sub(pass));
            }
            let start = Instant::now();
            if pass >= FEWEST_PASSES && self.within.is_some_and(|it| began.elapsed() > it) {
                progress.note(&format!("the time is up after {pass} passes"));
                break;
            }
            if self.stopped {
                break;
            }
            if pass > 0 {
                let due = |it: &&Series| self.due(it, pass);
                let engines = self.series.iter().filter(due).map(|it| it.member.engine).collect();
                pool.renew(&engines, self.options);
            }
            self.begun = pass + 1;
            for place in self.order(pass) {
                let series = &self.series[place];
                if progress.stopped() {
                    self.stopped = true;
                    break;
                }
                if self.due(series, pass) {
                    progress.series(&label(series, pool), done, left.max(0.0));
                    left -= series.left(pass, self.options);
                    let began = Instant::now();
                    if let Some(measured) = self.one(place, pool, progress, missing)? {
                        self.series[place].passes.push(measured);
                    }
                    let series = &mut self.series[place];
                    if pass == series.kept() {
                        // The guess for the passes to come gives way to what was seen.
                        series.seconds = began.elapsed().as_secs_f64();
                    }
                    left += series.left(pass + 1, self.options);
                }
                done += 1;
            }
            last = start.elapsed();
        }
        // Repeats may take a quarter of that time besides.
        let end = self.within.and_then(|it| began.checked_add(it + it / 4));
        if self.stopped { Ok(()) } else { self.remeasure(end, pool, progress, missing) }
    }

    /// Whether a series takes part in a pass.
    fn due(&self, series: &Series, pass: u32) -> bool {
        !series.dropped && pass >= series.kept() && pass < series.wanted(self.options)
    }

    /// Ends the run before its time.
    pub(super) fn stop(&mut self) {
        self.stopped = true;
    }

    /// There and back: A B B A.
    fn order(&self, pass: u32) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.series.len()).collect();
        if pass % 2 == 1 {
            order.reverse();
        }
        order
    }

    /// Takes a pass more for every one that was disturbed, until all rows have as many clean ones
    /// as they were to have or the time is up. It waits for the end of the passes: what disturbed
    /// a series a moment ago would disturb it still.
    fn remeasure(
        &mut self,
        end: Option<Instant>,
        pool: &mut EnginePool,
        progress: &mut dyn Progress,
        missing: &mut Vec<Missing>,
    ) -> Result<(), LabError> {
        for round in 0..ROUNDS {
            for place in self.order(round) {
                if progress.stopped() {
                    self.stopped = true;
                    return Ok(());
                }
                let series = &self.series[place];
                for _ in 0..self.lacking(series) {
                    if self.series[place].dropped || !self.may_repeat() {
                        break;
                    }
                    if end.is_some_and(|end| Instant::now() > end) {
                        progress
                            .note("the time is up: not all that was disturbed is measured again");
                        return Ok(());
                    }
                    let text = format!("again: {}", label(&self.series[place], pool));
                    progress.series(&text, self.planned, 0.0);
                    self.repeated += 1;
                    if let Some(pass) = self.one(place, pool, progress, missing)? {
                        self.series[place].passes.push(pass);
                    }
                }
            }
        }
        Ok(())
    }

    /// How many clean passes a series lacks.
    fn lacking(&self, series: &Series) -> u32 {
        if series.dropped {
            return 0;
        }
        let wanted = series.wanted(self.options).min(self.begun).saturating_sub(series.kept());
        let clean = series.passes.iter().filter(|pass| !self.off(series, pass)).count();
        wanted.saturating_sub(u32::try_from(clean).unwrap_or(u32::MAX))
    }

    /// Measures one series; none if the engine was lost over it or refused.
    fn one(
        &mut self,
        place: usize,
        pool: &mut EnginePool,
        progress: &mut dyn Progress,
        missing_rows: &mut Vec<Missing>,
    ) -> Result<Option<Pass>, LabError> {
        let series = &mut self.series[place];
        let task = task(&series.cell, &series.member.level, self.options);
        let timing = timing(self.options, self.share);
        let (engine, again) = (series.member.engine, series.member.again);
        if self.begun > 1 && series.checked > LONG_CHECK {
            pool.tell((engine, again), &task, &series.digest);
        }
        let before = self.own.chain();
        let asked =
            pool.ask((engine, again), self.options, progress, |it| it.measure(&task, timing))?;
        let problem = match asked {
            Err(reason) => reason,
            Ok(measured) if measured.digest != series.digest => {
                format!("outputs differ from those checked before: {}…", &measured.digest[..12])
            }
            Ok(measured) => {
                let pass = Pass::new(measured, [before, self.own.chain()]);
                self.references.learn(engine, &series.member.level, &pass.canaries.reading());
                return Ok(Some(pass));
            }
        };
        series.dropped = true;
        if !again {
            let name = pool.name(engine);
            missing_rows.push(missing(&series.cell, name, &series.member, problem));
        }
        Ok(None)
    }

    /// A machine that is never quiet must not make the run without end.
    fn may_repeat(&self) -> bool {
        self.repeated < self.planned / 2 + 10
    }

    /// Whether a pass of a series was disturbed, by all that is known at the end.
    pub(super) fn off(&self, series: &Series, pass: &Pass) -> bool {
        let member = &series.member;
        self.references.off(member.engine, &member.level, &pass.canaries.reading())
    }

    /// The passes of a series that count and those that don't, and whether those that count are
    /// clean: where too few are, the least disturbed stand in for them.
    pub(super) fn sorted<'s>(&self, series: &'s Series) -> (Vec<&'s Pass>, Vec<&'s Pass>, bool) {
        let (kept, dropped): (Vec<&Pass>, Vec<&Pass>) =
            series.passes.iter().partition(|pass| !self.off(series, pass));
        let fewest = (FEWEST_PASSES as usize).min(series.passes.len());
        if kept.len() >= fewest {
            return (kept, dropped, true);
        }
        let member = &series.member;
        let distance = |pass: &Pass| {
            self.references.distance(member.engine, &member.level, &pass.canaries.reading())
        };
        let mut all: Vec<&Pass> = series.passes.iter().collect();
        all.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        let dropped = all.split_off(fewest);
        (all, dropped, false)
    }

    pub(super) fn record(&self) -> RunRecord {
        let flagged = |series: &&Series| !self.sorted(series).2;
        let dropped = |series: &Series| self.sorted(series).1.len() as u64;
        RunRecord {
            passes: self.options.passes,
            samples: self.options.samples,
            series: self
                .series
                .iter()
                .map(|it| it.passes.len() as u64 + u64::from(it.kept()))
                .sum(),
            repeated: self.repeated,
            dropped: self.series.iter().map(dropped).sum(),
            flagged: self.series.iter().filter(flagged).count() as u64,
            power: None,
            seconds: 0.0,
            partial: self.stopped,
        }
    }
}

impl Series {
    /// The passes that an earlier run took.
    fn kept(&self) -> u32 {
        self.earlier.as_ref().map_or(0, |row| u32::try_from(row.passes.len()).unwrap_or(u32::MAX))
    }

    /// How many passes it gets: the fewest if one takes longer than it should.
    fn wanted(&self, options: &Options) -> u32 {
        let longest = if options.quick { QUICK_SHORT } else { 2 * series_budget(options) };
        let slow = self.seconds > longest.as_secs_f64();
        if slow { options.passes.min(FEWEST_PASSES) } else { options.passes }
    }

    /// About how many seconds the passes from `pass` on take.
    fn left(&self, pass: u32, options: &Options) -> f64 {
        f64::from(self.wanted(options).saturating_sub(pass)) * self.seconds
    }
}

fn label(series: &Series, pool: &EnginePool) -> String {
    let level = series.member.level.clone();
    format!("{} {}", pool.name(series.member.engine), Cell { level, ..series.cell.clone() })
}
