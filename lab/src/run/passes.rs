//! The passes of a run: every series of the table once, several times over.

use std::time::{Duration, Instant};

use super::crew::Crew;
use super::digests::{Checked, missing, task};
use super::{Options, Progress, resume};
use crate::canary::{Reading, References};
use crate::plan::{Member, Plan};
use crate::record::{Missing, Row, RunRecord};
use crate::reply::Measured;
use crate::request::Timing;
use crate::{Cell, LabError};

/// How often series are measured again because a canary was off.
const ROUNDS: u32 = 6;

/// So many passes a row gets however long it takes, and whatever time the run has.
const FEWEST_PASSES: u32 = 3;

/// The time of a series in a quick run.
const QUICK_SERIES: Duration = Duration::from_millis(50);

/// What one member of a cell has measured.
pub(super) struct Series {
    pub(super) cell: Cell,
    pub(super) member: Member,
    pub(super) digest: String,
    /// Whether no second engine computed the same.
    pub(super) alone: bool,
    /// What an earlier run measured of it.
    pub(super) earlier: Option<Row>,
    /// One entry a pass.
    pub(super) passes: Vec<Measured>,
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
    repeated: u64,
    stopped: bool,
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
            repeated: 0,
            stopped: false,
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
        crew: &mut Crew,
        progress: &mut dyn Progress,
        missing: &mut Vec<Missing>,
    ) -> Result<(), LabError> {
        for group in groups {
            let seconds = guess(&group.cell, self.options);
            for member in group.members {
                let (cell, digest) = (group.cell.clone(), group.digest.clone());
                let (alone, passes, dropped) = (group.alone, Vec::new(), false);
                let earlier = self.options.earlier.as_ref();
                let earlier = earlier.and_then(|it| resume::row(it, crew, &cell, &member, &digest));
                let series =
                    Series { cell, member, digest, alone, earlier, passes, seconds, dropped };
                self.series.push(series);
            }
        }
        let mut left: f64 = self.series.iter().map(|series| series.left(0, self.options)).sum();
        let mut done = 0;
        let began = Instant::now();
        for pass in 0..self.options.passes {
            if pass >= FEWEST_PASSES && self.options.within.is_some_and(|it| began.elapsed() > it) {
                progress.note(&format!("the time is up after {pass} passes"));
                break;
            }
            if self.stopped {
                break;
            }
            if pass > 0 {
                crew.renew(self.options);
            }
            for place in self.order(pass) {
                let series = &self.series[place];
                if progress.stopped() {
                    self.stopped = true;
                    break;
                }
                let due = pass >= series.kept() && pass < series.wanted(self.options);
                if !series.dropped && due {
                    progress.series(&label(series, crew), done, left.max(0.0));
                    left -= series.left(pass, self.options);
                    let began = Instant::now();
                    if let Some(measured) = self.one(place, crew, progress, missing)? {
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
        }
        // Repeats may take a quarter of that time besides.
        let end = self.options.within.and_then(|it| began.checked_add(it + it / 4));
        if self.stopped { Ok(()) } else { self.mend(end, crew, progress, missing) }
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

    /// Measures again what would be shown and was disturbed, until the time is up. It waits for
    /// the end of the passes: what disturbed a series a moment ago would disturb it still.
    fn mend(
        &mut self,
        end: Option<Instant>,
        crew: &mut Crew,
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
                let Some(shown) = series.shown() else { continue };
                if series.dropped || !self.doubtful(series, shown) || !self.may_repeat() {
                    continue;
                }
                if end.is_some_and(|end| Instant::now() > end) {
                    progress.note("the time is up: not all that was disturbed is measured again");
                    return Ok(());
                }
                let text = format!("again: {}", label(series, crew));
                progress.series(&text, self.planned, 0.0);
                self.repeated += 1;
                if let Some(measured) = self.one(place, crew, progress, missing)? {
                    self.replace(place, shown, measured);
                }
            }
        }
        Ok(())
    }

    /// Puts a series in the place of the pass that was disturbed, unless it was so more.
    fn replace(&mut self, place: usize, shown: usize, measured: Measured) {
        let series = &self.series[place];
        let distance = |pass| {
            self.references.distance(series.member.engine, &series.member.level, &Reading::of(pass))
        };
        if distance(&measured) <= distance(&series.passes[shown]) {
            self.series[place].passes[shown] = measured;
        }
    }

    fn doubtful(&self, series: &Series, pass: usize) -> bool {
        let reading = Reading::of(&series.passes[pass]);
        self.references.doubtful(series.member.engine, &series.member.level, &reading)
    }

    /// Measures one series; none if the engine was lost over it or refused.
    fn one(
        &mut self,
        place: usize,
        crew: &mut Crew,
        progress: &mut dyn Progress,
        missing_rows: &mut Vec<Missing>,
    ) -> Result<Option<Measured>, LabError> {
        let series = &mut self.series[place];
        let task = task(&series.cell, &series.member.level, self.options);
        let timing = timing(self.options);
        let (engine, again) = (series.member.engine, series.member.again);
        let asked = crew.ask(engine, again, progress, |it| it.measure(&task, timing))?;
        let problem = match asked {
            Err(reason) => reason,
            Ok(measured) if measured.digest != series.digest => {
                format!("outputs differ from those checked before: {}…", &measured.digest[..12])
            }
            Ok(measured) => {
                self.references.learn(engine, &series.member.level, &Reading::of(&measured));
                return Ok(Some(measured));
            }
        };
        series.dropped = true;
        if !again {
            let name = crew.name(engine);
            missing_rows.push(missing(&series.cell, name, &series.member, problem));
        }
        Ok(None)
    }

    /// A machine that is never quiet must not make the run without end.
    fn may_repeat(&self) -> bool {
        self.repeated < self.planned / 2 + 10
    }

    /// Whether a pass of a series was disturbed, by all that is known at the end.
    pub(super) fn off(&self, series: &Series, pass: &Measured) -> bool {
        self.references.off(series.member.engine, &series.member.level, &Reading::of(pass))
    }

    pub(super) fn record(&self) -> RunRecord {
        let disturbed = |series: &&Series| {
            series.shown().is_some_and(|shown| self.off(series, &series.passes[shown]))
        };
        RunRecord {
            passes: self.options.passes,
            samples: self.options.samples,
            series: self
                .series
                .iter()
                .map(|it| it.passes.len() as u64 + u64::from(it.kept()))
                .sum(),
            repeated: self.repeated,
            flagged: self.series.iter().filter(disturbed).count() as u64,
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
        let slow = self.seconds > 2.0 * series_budget(options).as_secs_f64();
        if slow { options.passes.min(FEWEST_PASSES) } else { options.passes }
    }

    /// About how many seconds the passes from `pass` on take.
    fn left(&self, pass: u32, options: &Options) -> f64 {
        f64::from(self.wanted(options).saturating_sub(pass)) * self.seconds
    }

    /// The pass whose figures are shown: the one with the least median.
    pub(super) fn shown(&self) -> Option<usize> {
        let medians = self.passes.iter().map(figure).enumerate();
        medians.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(place, _)| place)
    }
}

fn timing(options: &Options) -> Timing {
    let budget_us = u64::try_from(series_budget(options).as_micros()).unwrap_or(u64::MAX);
    Timing { samples: options.samples, budget_us: Some(budget_us) }
}

/// The time one series may take.
fn series_budget(options: &Options) -> Duration {
    let budget = options.budget / options.passes;
    if options.quick { budget.min(QUICK_SERIES) } else { budget }
}

/// About how many seconds a series takes, before any was seen.
fn guess(cell: &Cell, options: &Options) -> f64 {
    let samples = f64::from(options.samples);
    let bytes = cell.size as f64 * f64::from(cell.messages);
    let work = (bytes * 4e-9 * samples).min(series_budget(options).as_secs_f64());
    0.0015 + work
}

fn label(series: &Series, crew: &Crew) -> String {
    let level = series.member.level.clone();
    format!("{} {}", crew.name(series.member.engine), Cell { level, ..series.cell.clone() })
}

/// The median sample, per call.
fn figure(measured: &Measured) -> f64 {
    let mut sorted = measured.samples.clone();
    sorted.sort_unstable();
    sorted[sorted.len() / 2] as f64 / measured.repeats as f64
}
