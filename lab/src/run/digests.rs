//! Correct before fast: the digests of a cell must agree before any of it is timed.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::engine_pool::EnginePool;
use super::pace::Paces;
use super::{Options, Progress};
use crate::plan::{Group, Member};
use crate::record::Missing;
use crate::request::Task;
use crate::{Cell, LabError};

/// A cell that may be timed.
pub(super) struct Checked {
    /// The cell, at no particular level.
    pub(super) cell: Cell,
    /// Who measures it, and how long the check took.
    pub(super) members: Vec<(Member, Duration)>,
    /// What all of them computed.
    pub(super) digest: String,
    /// Whether only one engine computed it.
    pub(super) alone: bool,
}

/// The outcome of the check.
#[derive(Default)]
pub(super) struct Verdict {
    pub(super) groups: Vec<Checked>,
    pub(super) missing: Vec<Missing>,
    pub(super) mismatches: Vec<String>,
    /// Whether the run was stopped before all was checked.
    pub(super) stopped: bool,
}

/// The request for a cell at a level.
pub(super) fn task(cell: &Cell, level: &str, options: &Options) -> Task {
    let cell = Cell { level: level.to_owned(), ..cell.clone() };
    let buffer = options.quick.then_some(QUICK_BUFFER);
    Task { cell, seed: options.seed, buffer }
}

/// The longest buffer of a quick run in bytes.
const QUICK_BUFFER: u64 = 4 << 20;

/// Has every member do its work once and compares what they computed.
pub(super) fn check(
    groups: Vec<Group>,
    pool: &mut EnginePool,
    options: &Options,
    progress: &mut dyn Progress,
) -> Result<Verdict, LabError> {
    let mut verdict = Verdict::default();
    let mut paces = Paces::default();
    let mut left = groups.iter().map(|group| cost(&group.cell) * group.members.len() as f64).sum();
    for group in groups {
        if progress.stopped() {
            verdict.stopped = true;
            break;
        }
        progress.series(&format!("checking {}", group.cell), 0, left);
        left -= cost(&group.cell) * group.members.len() as f64;
        let mut digests: BTreeMap<String, Vec<(Member, Duration)>> = BTreeMap::new();
        for member in group.members {
            let task = task(&group.cell, &member.level, options);
            let (engine, again) = (member.engine, member.again);
            let began = Instant::now();
            let asked = match paces.too_long(engine, &task, options) {
                Some(reason) => Err(reason),
                None => {
                    let asked =
                        pool.ask((engine, again), options, progress, |it| it.check(&task))?;
                    // A refusal takes no time, and tells nothing of the work.
                    let took = began.elapsed();
                    if asked.is_ok() || took >= options.timeout {
                        paces.learn(engine, &task, took);
                    }
                    asked
                }
            };
            match asked {
                Ok(digest) => digests.entry(digest).or_default().push((member, began.elapsed())),
                Err(_) if again => {}
                Err(reason) => {
                    verdict.missing.push(missing(&group.cell, pool.name(engine), &member, reason));
                }
            }
        }
        if digests.len() > 1 {
            verdict.disagree(&group.cell, &digests, pool);
        } else if let Some((digest, members)) = digests.pop_first() {
            let alone = members.iter().all(|it| it.0.engine == members[0].0.engine);
            verdict.groups.push(Checked { cell: group.cell, members, digest, alone });
        }
    }
    Ok(verdict)
}

/// About how many seconds a check takes.
fn cost(cell: &Cell) -> f64 {
    let call = cell.size.saturating_mul(u64::from(cell.messages));
    0.001 + crate::input::RING_BYTES.min(64 * cell.size).max(call) as f64 * 20e-9
}

/// A row that can't be had.
pub(super) fn missing(cell: &Cell, engine: &str, member: &Member, reason: String) -> Missing {
    Missing {
        engine: engine.to_owned(),
        algorithm: cell.algorithm.clone(),
        operation: cell.operation.clone(),
        level: member.level.clone(),
        model: cell.model.name().to_owned(),
        reason,
    }
}

impl Verdict {
    /// No figure of this cell is shown.
    fn disagree(
        &mut self,
        cell: &Cell,
        digests: &BTreeMap<String, Vec<(Member, Duration)>>,
        pool: &EnginePool,
    ) {
        let who = |member: &Member| match member.level.as_str() {
            Cell::OWN_LEVEL => pool.name(member.engine).to_owned(),
            level => format!("{} {level}", pool.name(member.engine)),
        };
        let sides = digests.iter().map(|(digest, members)| {
            let members: Vec<String> = members.iter().map(|it| who(&it.0)).collect();
            format!("{}… by {}", &digest[..12], members.join(", "))
        });
        let sides = sides.collect::<Vec<_>>().join("; ");
        self.mismatches.push(format!("{cell}: outputs differ: {sides}"));
        for (member, _) in digests.values().flatten().filter(|it| !it.0.again) {
            let reason = format!("outputs differ: {sides}");
            self.missing.push(missing(cell, pool.name(member.engine), member, reason));
        }
    }
}
