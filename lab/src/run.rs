//! A run: asks every engine for every cell, checks digests, then takes the samples.

mod budget;
mod calls;
mod core_cycles;
mod digests;
mod engine_pool;
mod pace;
mod pass;
mod passes;
mod resume;
mod rows;
mod team;
mod together;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::LabError;
use crate::cell::SUBJECT;
use crate::claims;
use crate::machine::{Watch, now};
use crate::plan::{levels, plan};
use crate::record::{Fact, Machine, Missing, Power, Results, RunRecord, SCHEMA, Unit};
use crate::reply::Description;
use crate::request::check_samples;
use crate::study::{Study, cores};

use engine_pool::EnginePool;
use passes::Passes;

/// How to run a study.
#[derive(Clone, Debug)]
pub struct Options {
    /// The program that serves engines: it is started as `PROGRAM engine NAME [--lib PATH]`.
    pub program: PathBuf,
    /// The engines to use where the study names none.
    pub engines: Vec<String>,
    /// The shared library to open instead of the system's, by engine.
    pub engine_libs: BTreeMap<String, PathBuf>,
    /// Samples a pass: odd, at least 3.
    pub samples: u32,
    /// Clean passes of every row: at least 1; of rows that take long 3.
    pub passes: u32,
    /// Long rows loop over a 4 MiB buffer with as few as 3 samples, and say so.
    pub quick: bool,
    /// Every series is measured once more in one process for each CPU, all at once.
    pub together: bool,
    /// Of every series, percentiles of single calls while all CPUs do the same.
    pub percentiles: bool,
    /// Every default size and every model instead of the study's own.
    pub all: bool,
    /// The time a row may take in all passes together; what is longer gets fewer
    /// samples, at least 3 a pass, and says so; and no more than 3 passes where even so it
    /// takes twice as long.
    pub budget: Duration,
    /// The time for the passes of the whole run; when it is up, a run that has had three
    /// passes takes no more, and a quarter of that time later nothing that was disturbed is
    /// measured again. The results say how many passes there were.
    pub within: Option<Duration>,
    /// The time for the whole run, start, checks and repeats included, which three passes may exceed:
    /// what start and checks leave of it bounds the passes besides [`within`](Self::within), and long series get fewer samples for it.
    pub whole: Option<Duration>,
    /// How long an engine may think about a short request before it is stopped;
    /// long messages get more.
    pub timeout: Duration,
    /// The seed of keys, IVs and data.
    pub seed: u64,
    /// The command line, for the record.
    pub command: String,
    /// The level that the library takes where none is named, for the machine card.
    pub default_level: Option<String>,
    /// What was found out beforehand otherwise than by timing.
    pub facts: Vec<Fact>,
    /// Engines that were wanted and can't be had, with the reason.
    pub absent: Vec<Missing>,
    /// A run of the same study that was stopped: its passes are kept, and only what they lack
    /// is measured.
    pub earlier: Option<Results>,
}

impl Options {
    /// The defaults: 21 samples, 9 passes, a second a row, no limit for all of them.
    #[must_use]
    pub fn new(program: PathBuf) -> Self {
        Self {
            program,
            engines: Vec::new(),
            engine_libs: BTreeMap::new(),
            samples: 21,
            passes: 9,
            quick: false,
            together: false,
            percentiles: false,
            all: false,
            budget: Duration::from_secs(1),
            within: None,
            whole: None,
            timeout: Duration::from_secs(20),
            seed: 1,
            command: String::new(),
            default_level: None,
            facts: Vec::new(),
            absent: Vec::new(),
            earlier: None,
        }
    }

    /// The time for the passes, where so much has passed before them: a quarter of it is for repeats.
    fn within_after(&self, before: Duration) -> Option<Duration> {
        let rest = self.whole.map(|whole| whole.saturating_sub(before).mul_f64(0.8));
        match (self.within, rest) {
            (Some(within), Some(rest)) => Some(within.min(rest)),
            (within, rest) => within.or(rest),
        }
    }

    fn check(&self) -> Result<(), LabError> {
        check_samples(self.samples)?;
        if (self.together || self.percentiles) && cores() < 2 {
            let field = if self.together { "multi" } else { "percentiles" };
            let (value, allowed) = ("on 1 CPU".to_owned(), "2 CPUs or more".to_owned());
            return Err(LabError::Value { field, value, allowed });
        }
        if (1..=100).contains(&self.passes) {
            return Ok(());
        }
        let (value, allowed) = (self.passes.to_string(), "1 to 100".to_owned());
        Err(LabError::Value { field: "passes", value, allowed })
    }
}

/// Who wants to know how the run goes.
pub trait Progress {
    /// The plan is made: so many series, about so many seconds.
    fn planned(&mut self, series: u64, seconds: f64);
    /// A series begins; `done` are finished.
    fn series(&mut self, label: &str, done: u64, seconds_left: f64);
    /// Something a reader should know, one line.
    fn note(&mut self, text: &str);
    /// Whether the run is to end before its time, with what it has.
    fn stopped(&self) -> bool {
        false
    }
}

/// A progress that nobody watches.
impl Progress for () {
    fn planned(&mut self, _: u64, _: f64) {}
    fn series(&mut self, _: &str, _: u64, _: f64) {}
    fn note(&mut self, _: &str) {}
}

/// A run's results and verdict.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What goes into the results file.
    pub results: Results,
    /// Cells whose engines computed different outputs, one line each: the run has failed
    /// if there is any.
    pub mismatches: Vec<String>,
}

/// Runs a study.
///
/// # Errors
/// [`LabError::Value`] for an option out of range, [`LabError::UnknownFilter`] and
/// [`LabError::NothingToMeasure`] for a selection that holds nothing, [`LabError::MixedMachines`]
/// for an earlier run on another machine, and the errors of an engine if the study names it; an
/// engine that nobody named is left out with a note.
pub fn run(
    study: &Study,
    options: &Options,
    progress: &mut dyn Progress,
) -> Result<Outcome, LabError> {
    options.check()?;
    let began = Instant::now();
    let watch = Watch::start();
    let study = if options.all { &study.widened() } else { study };
    if let Some(earlier) = &options.earlier {
        same_cpu(earlier, &watch)?;
    }
    let mut pool = EnginePool::assemble(study, options, progress)?;
    let plan = plan(study, pool.descriptions())?;
    pool.pair_up(&plan, options, progress)?;

    let mut passes = Passes::new(&plan, options);
    progress.planned(passes.series(), passes.estimate());
    let mut missing = options.absent.clone();
    missing.extend(plan.missing);
    let verdict = digests::check(plan.groups, &mut pool, options, progress)?;
    missing.extend(verdict.missing);
    passes.within = options.within_after(began.elapsed());
    passes.take(verdict.groups, &mut pool, progress, &mut missing)?;
    if verdict.stopped {
        passes.stop();
    }

    if options.together || options.percentiles {
        together::take(&mut passes, &pool, watch.hertz(), progress, &mut missing);
    }

    let tables = rows::assemble(&passes, &pool, watch.hertz());
    let before = options.earlier.as_ref().map_or(0.0, |earlier| earlier.run.seconds);
    let card = watch.card(own_levels(pool.descriptions()), passes.references().chain());
    let seconds = ((before + began.elapsed().as_secs_f64()) * 100.0).round() / 100.0;
    let results = Results {
        unit: Unit::Ticks,
        schema: SCHEMA.to_owned(),
        created: now(),
        command: options.command.clone(),
        study: study.name.clone(),
        machine: Machine { default_level: options.default_level.clone(), ..card },
        engines: pool.records(),
        claims: Vec::new(),
        rows: tables.rows,
        again: tables.again,
        missing,
        facts: options.facts.clone(),
        floors: Vec::new(),
        run: RunRecord { seconds, ..passes.record() },
    };
    // What is judged is core cycles; what is written stays in ticks.
    let core = results.in_core_cycles();
    let claims = claims::judge(&study.claims, &core.rows, &core.facts);
    let power = Power::of(&core);
    let run = RunRecord { power, ..results.run };
    let results = Results { claims, run, ..results };
    if results.rows.is_empty() && !results.run.partial && verdict.mismatches.is_empty() {
        let why = results.missing.first().map_or_else(String::new, |it| it.reason.clone());
        return Err(LabError::NothingToMeasure { why });
    }
    Ok(Outcome { results, mismatches: verdict.mismatches })
}

/// An earlier run must be of this machine: its passes are set beside new ones.
fn same_cpu(earlier: &Results, watch: &Watch) -> Result<(), LabError> {
    let card = watch.card(Vec::new(), None);
    if earlier.machine.cpu == card.cpu {
        return Ok(());
    }
    Err(LabError::MixedMachines { field: "cpu", a: earlier.machine.cpu.clone(), b: card.cpu })
}

/// The levels of this CPU: those of the library, where it takes part. The rungs of a ladder are
/// no levels of a CPU.
fn own_levels(engines: &[Description]) -> Vec<String> {
    match engines.iter().position(|it| it.engine == SUBJECT) {
        Some(place) => levels(&engines[place..=place]),
        None => levels(engines),
    }
}
