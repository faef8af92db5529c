//! From raw samples to the rows of the results file.

use super::core_cycles::{round, with_core_cycles};
use super::engine_pool::EnginePool;
use super::pass::Pass;
use super::passes::{Passes, Series};
use super::resume;
use crate::canary::INTERRUPTED;
use crate::cell::{Cell, SUBJECT};
use crate::record::{Canaries, Dropped, Row};
use crate::reply::Measured;
use crate::stats::{Quartiles, quartiles};

/// The rows of a run, and those of the second halves of its A/A pairs.
pub(super) struct Tables {
    pub(super) rows: Vec<Row>,
    pub(super) again: Vec<Row>,
}

/// Makes the rows. `hertz` is the ticks a second of the time-stamp counter.
pub(super) fn assemble(passes: &Passes<'_>, pool: &EnginePool, hertz: f64) -> Tables {
    let mut tables = Tables { rows: Vec::new(), again: Vec::new() };
    for series in passes.all() {
        let measured = row(series, passes, pool, hertz);
        if let Some(row) = resume::merged(series.earlier.clone(), measured) {
            let table = if series.member.again { &mut tables.again } else { &mut tables.rows };
            table.push(row);
        }
    }
    tables
}

fn row(series: &Series, passes: &Passes<'_>, pool: &EnginePool, hertz: f64) -> Option<Row> {
    let (kept, dropped, clean) = passes.sorted(series);
    let ticks: Vec<Vec<f64>> =
        kept.iter().map(|pass| per_message(series, &pass.measured, hertz)).collect();
    let figures = ticks.iter().filter_map(|pass| quartiles(pass)).zip(&kept);
    let least = |a: &(Quartiles, _), b: &(Quartiles, _)| a.0.median.total_cmp(&b.0.median);
    let (figure, shown) = figures.min_by(|a, b| least(a, b))?;
    let pass = &shown.measured;
    let cell = &series.cell;
    let median = figure.median;
    let ns = median / hertz * 1e9;
    let setup = cell.model.is_setup();
    let data = |value: f64| (!setup).then(|| round(value));
    let bytes = cell.mix.mean(cell.size);
    let offer = pool.descriptions()[series.member.engine].offer(&cell.algorithm, &cell.operation);
    let row = Row {
        engine: pool.name(series.member.engine).to_owned(),
        cell: Cell { level: series.member.level.clone(), ..cell.clone() },
        default: pool.name(series.member.engine) == SUBJECT
            && passes.options().default_level.as_ref() == Some(&series.member.level),
        tag_bytes: offer.map_or(0, |offer| offer.tag_bytes),
        clock: pass.clock.clone(),
        repeats: pass.repeats,
        min_cycles: least_of_all(series, hertz),
        passes: ticks,
        canaries: kept.iter().map(|pass| pass.canaries.clone()).collect(),
        dropped: dropped.iter().map(|pass| left_out(series, pass, hertz)).collect(),
        median_cycles: median,
        q1_cycles: figure.first,
        q3_cycles: figure.third,
        cycles_per_byte: data(median / bytes.max(1.0)),
        cycles_per_setup: setup.then_some(median),
        core_cycles_per_byte: None,
        core_cycles_per_setup: None,
        mbps: data(bytes * 8.0 / ns * 1e3),
        ns: round(ns),
        together: series.together.clone(),
        percentiles: series.percentiles.clone(),
        digest: series.digest.clone(),
        flags: flags(series, pass, !clean, passes),
        remark: remark(series, pass),
    };
    Some(with_core_cycles(row))
}

/// The least sample of all passes: disturbance only adds, so those that are dropped count too.
fn least_of_all(series: &Series, hertz: f64) -> f64 {
    let passes = series.passes.iter().map(|pass| per_message(series, &pass.measured, hertz));
    passes.flatten().fold(f64::MAX, f64::min)
}

/// A pass that counts for nothing.
fn left_out(series: &Series, pass: &Pass, hertz: f64) -> Dropped {
    Dropped {
        samples: per_message(series, &pass.measured, hertz),
        canaries: pass.canaries.clone(),
        why: why(&pass.canaries).to_owned(),
    }
}

/// What was off.
fn why(canaries: &Canaries) -> &'static str {
    match canaries.switches {
        Some(switches) if switches > INTERRUPTED => "interrupted",
        _ => "canary",
    }
}

/// Samples in ticks per message. The wall clock's nanoseconds become ticks of the
/// time-stamp counter, and a call on a part of the message is scaled to the whole.
pub(super) fn per_message(series: &Series, pass: &Measured, hertz: f64) -> Vec<f64> {
    let ticks = if pass.clock == "wall" { hertz / 1e9 } else { 1.0 };
    let calls = match pass.call_bytes {
        0 => 1.0,
        bytes => series.cell.size as f64 / bytes as f64,
    };
    let scale = ticks * calls / (pass.repeats as f64 * f64::from(series.cell.messages));
    pass.samples.iter().map(|sample| round(*sample as f64 * scale)).collect()
}

fn flags(series: &Series, pass: &Measured, disturbed: bool, passes: &Passes<'_>) -> Vec<String> {
    let mut flags = pass.flags.clone();
    let mut flag = |set: bool, name: &str| {
        if set && !flags.iter().any(|flag| flag == name) {
            flags.push(name.to_owned());
        }
    };
    let asked = passes.options().samples as usize;
    let few = series.passes.iter().any(|it| it.measured.samples.len() < asked);
    let looped = pass.call_bytes < series.cell.size;
    flag(disturbed, "canary");
    flag(passes.options().quick && (few || looped), "quick");
    flag(!passes.options().quick && few, "few samples");
    flags
}

fn remark(series: &Series, pass: &Measured) -> String {
    let mut remarks = vec![pass.remark.clone()];
    if pass.call_bytes < series.cell.size {
        remarks.push(format!("loops over a buffer of {} bytes", pass.call_bytes));
    }
    if series.alone {
        remarks.push("no second engine computed the same".to_owned());
    }
    remarks.retain(|remark| !remark.is_empty());
    remarks.join("; ")
}
