//! Differential tests: random messages to one engine and to others, whose outputs must be the
//! same.
//!
//! Messages go in runs of [`RUN`] ([`crate::random`]): short ones, and every seventeenth run
//! with lengths up to [`LONG`]. Runs take turns in the level and the model of the first engine
//! (`packet`, `message`, and `batch` with keys of both kinds), so that its kernels for many
//! messages are tested with the others'. A run whose digests differ is cut down to the first
//! message that does. An engine that does not know random messages is asked for single
//! lengths instead, and what an engine lists but refuses on this machine is skipped with its
//! reason; what it fails at is a difference.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::engine::Process;
use crate::reply::{Description, Offer};
use crate::run::Progress;
use crate::study::Filter;
use crate::{Cell, LabError};

mod operation;
mod runs;

use operation::Pair;

/// Messages of a run.
pub const RUN: u32 = 100;

/// The longest message of a long run in bytes.
pub const LONG: u64 = 20_000;

/// The longest message of a short run in bytes.
pub const SHORT: u64 = 600;

/// What is tested, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// The program that serves engines: it is started as `PROGRAM engine NAME [--lib PATH]`.
    pub program: PathBuf,
    /// The engine under test.
    pub subject: String,
    /// The engines it is compared with.
    pub against: Vec<String>,
    /// The shared library to open instead of the system's, by engine.
    pub engine_libs: BTreeMap<String, PathBuf>,
    /// The subject's levels; all it offers if absent.
    pub levels: Option<Vec<String>>,
    /// Random messages for each operation and engine.
    pub messages: u32,
    /// The seed of the first run.
    pub seed: u64,
    /// How long an engine may think about a short request before it is stopped.
    pub timeout: Duration,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// What was compared.
    pub compared: Vec<Compared>,
    /// What was not, though both engines know it; a level of an engine that it refuses, too.
    pub skipped: Vec<Skipped>,
}

/// One operation of one engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The engine that the subject was compared with.
    pub engine: String,
    /// The algorithm.
    pub algorithm: String,
    /// The operation.
    pub operation: String,
    /// The subject's levels.
    pub levels: Vec<String>,
    /// Messages whose outputs are the same.
    pub messages: u64,
    /// Whether the engine does not know random messages, and had single lengths.
    pub single_lengths: bool,
    /// The first difference, which ended the comparison.
    pub difference: Option<Difference>,
}

/// Where two engines differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The request that shows it, to be sent to both engines.
    pub request: String,
    /// The first message that differs, in words, or the failure of an engine.
    pub what: String,
}

/// An operation that was not compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The engine.
    pub engine: String,
    /// The algorithm.
    pub algorithm: String,
    /// The operation.
    pub operation: String,
    /// Why: what the engine computes wrongly or lacks, or what the two don't share.
    pub reason: String,
}

impl Report {
    /// The comparisons that failed.
    pub fn different(&self) -> impl Iterator<Item = (&Compared, &Difference)> {
        self.compared.iter().filter_map(|it| Some((it, it.difference.as_ref()?)))
    }
}

/// Compares the subject with every engine in all operations that the filters choose (all if
/// there are none).
///
/// # Errors
/// [`LabError::Value`] for an option out of range, [`LabError::NothingToMeasure`] if the
/// filters choose nothing, and the errors of engines that can't be started or are lost.
pub fn run(
    filters: &[Filter],
    options: &Options,
    progress: &mut dyn Progress,
) -> Result<Report, LabError> {
    if options.messages == 0 {
        let allowed = "1 or more".to_owned();
        return Err(LabError::Value { field: "random", value: "0".to_owned(), allowed });
    }
    let mut subject = start(&options.subject, options)?;
    let mut others = Vec::new();
    for name in &options.against {
        others.push(start(name, options)?);
    }
    let chosen = |offer: &&Offer| {
        filters.is_empty()
            || filters.iter().any(|filter| filter.selects(&offer.algorithm, &offer.operation))
    };
    let offers: Vec<Offer> = subject.1.offers.iter().filter(chosen).cloned().collect();
    if offers.is_empty() {
        let why = format!("{} offers none of it", options.subject);
        return Err(LabError::NothingToMeasure { why });
    }
    let mut report = Report::default();
    let total = (offers.len() * others.len()) as u64;
    progress.planned(total, total as f64);
    let (began, mut done) = (Instant::now(), 0_u32);
    for offer in &offers {
        let levels = levels(offer, options)?;
        for (process, description) in &mut others {
            let per = began.elapsed().as_secs_f64() / f64::from(done.max(1));
            let left = per * (total - u64::from(done)) as f64;
            let name = process.name().to_owned();
            let label = format!("{name} {}/{}", offer.algorithm, offer.operation);
            progress.series(&label, u64::from(done), left);
            done += 1;
            let mut skip = |reason| {
                report.skipped.push(Skipped {
                    engine: name.clone(),
                    algorithm: offer.algorithm.clone(),
                    operation: offer.operation.clone(),
                    reason,
                });
            };
            match Pair::new(offer, &levels, description) {
                Err(reason) => skip(reason),
                Ok(mut pair) => {
                    pair.leave_out(process)?.into_iter().for_each(&mut skip);
                    if pair.can_be_compared() {
                        report.compared.push(pair.compare(&mut subject.0, process, options)?);
                    }
                }
            }
        }
    }
    Ok(report)
}

fn start(name: &str, options: &Options) -> Result<(Process, Description), LabError> {
    let lib = options.engine_libs.get(name).map(PathBuf::as_path);
    let mut process = Process::start(&options.program, name, lib, options.timeout)?;
    let description = process.describe()?;
    Ok((process, description))
}

/// The levels of an offer that are asked for.
fn levels(offer: &Offer, options: &Options) -> Result<Vec<String>, LabError> {
    let asked = |level: &&String| {
        level.as_str() == Cell::OWN_LEVEL
            || options.levels.as_ref().is_none_or(|levels| levels.contains(level))
    };
    let levels: Vec<String> = offer.levels.iter().filter(asked).cloned().collect();
    if levels.is_empty() {
        let value = options.levels.iter().flatten().cloned().collect::<Vec<_>>().join(", ");
        let allowed = format!("{} on this CPU", offer.levels.join(", "));
        return Err(LabError::Value { field: "level", value, allowed });
    }
    Ok(levels)
}
