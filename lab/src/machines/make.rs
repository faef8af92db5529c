//! From the results of a run to the record of its machine.

use super::{Best, Cell, Engine, Figure, Record, RecordError, SCHEMA, Timed};
use crate::against::{Contest, contests, standing};
use crate::cell::SUBJECT;
use crate::machine::folder;
use crate::record::{EngineRecord, Results, Row, Unit};

/// Of a record that may be believed, at most so many rows in a hundred were disturbed.
pub const MOST_FLAGGED: usize = 10;

/// The record of a run.
///
/// # Errors
/// [`RecordError`] where a reader could not trust it: the run was stopped, too many rows were
/// disturbed, or it is unknown what was measured.
pub fn record(results: &Results) -> Result<Record, RecordError> {
    if results.run.partial {
        return Err(RecordError::Partial);
    }
    let fact = |name: &str| {
        let facts = &results.machine.facts;
        facts.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    };
    let commit = fact("commit").filter(|commit| commit != "unknown");
    let remedy = "build the program in a checkout: `cargo run --release -- bench --record`";
    let commit = commit.ok_or(RecordError::Unknown { what: "commit", remedy })?;
    if folder(&results.machine.cpu).is_empty() {
        let remedy = "keep the run by --out instead";
        return Err(RecordError::Unknown { what: "CPU", remedy });
    }
    let shown = results.in_core_cycles();
    if shown.unit != Unit::CoreCycles {
        return Err(RecordError::Ticks);
    }
    if !shown.rows.iter().any(|row| row.engine == SUBJECT) {
        return Err(RecordError::Empty);
    }
    let flagged = shown.rows.iter().filter(|row| row.flags.iter().any(|it| it == "canary")).count();
    let rows = shown.rows.len();
    if flagged * 100 > rows * MOST_FLAGGED {
        return Err(RecordError::Disturbed { flagged, rows, most: MOST_FLAGGED });
    }
    Ok(Record {
        schema: SCHEMA.to_owned(),
        created: results.created.clone(),
        commit,
        microcode: fact("microcode"),
        machine: results.machine.clone(),
        engines: results.engines.iter().map(engine).collect(),
        run: results.run.clone(),
        unit: Unit::CoreCycles.name().to_owned(),
        figures: contests(&shown).iter().map(figure).collect(),
    })
}

fn engine(it: &EngineRecord) -> Engine {
    Engine {
        name: it.name.clone(),
        version: it.version.clone(),
        build: it.build.clone(),
        outdated: it.outdated(),
    }
}

fn figure(contest: &Contest<'_>) -> Figure {
    let ours = contest.ours;
    let best = contest.next_best().and_then(|rival| {
        let it = standing(ours, rival)?;
        Some(Best {
            engine: rival.engine.clone(),
            ratio: rounded(it.times),
            low: rounded(it.low),
            high: rounded(it.high),
            verdict: it.verdict.name().to_owned(),
        })
    });
    Figure {
        cell: Cell {
            operation: format!("{}/{}", ours.cell.algorithm, ours.cell.operation),
            model: ours.cell.model.name().to_owned(),
            size: ours.cell.size,
            messages: ours.cell.messages,
            keys: ours.cell.keys.name().to_owned(),
            threads: ours.cell.threads,
            nonce_bytes: ours.cell.nonce_bytes,
            aad_bytes: ours.cell.aad_bytes,
            tag_bytes: ours.tag_bytes,
            placement: ours.cell.placement.name().to_owned(),
        },
        per: if ours.cell.size == 0 { "set-up" } else { "byte" }.to_owned(),
        ours: timed(ours),
        peers: contest.rivals.iter().map(|row| timed(row)).collect(),
        best,
    }
}

/// The figure of a row that is in core cycles.
fn timed(row: &Row) -> Timed {
    let bytes = if row.cell.size == 0 { 1.0 } else { row.message_bytes().max(1.0) };
    Timed {
        engine: row.engine.clone(),
        level: row.cell.level.clone(),
        figure: rounded(row.median_cycles / bytes),
        q1: rounded(row.q1_cycles / bytes),
        q3: rounded(row.q3_cycles / bytes),
        flags: row.flags.clone(),
    }
}

/// To five digits: more is noise.
fn rounded(x: f64) -> f64 {
    if x > 0.0 && x.is_finite() {
        let unit = 10_f64.powf(4.0 - x.log10().floor());
        (x * unit).round() / unit
    } else {
        x
    }
}
