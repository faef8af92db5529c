//! From raw samples to the rows of the results file.

use super::crew::Crew;
use super::passes::{Passes, Series};
use super::resume;
use crate::cell::SUBJECT;
use crate::record::Row;
use crate::reply::Measured;
use crate::stats::quartiles;

/// The rows of a run, and those of the second halves of its A/A pairs.
pub(super) struct Tables {
    pub(super) rows: Vec<Row>,
    pub(super) again: Vec<Row>,
}

/// Makes the rows. `hertz` is the ticks a second of the time-stamp counter.
pub(super) fn assemble(passes: &Passes<'_>, crew: &Crew, hertz: f64) -> Tables {
    let mut tables = Tables { rows: Vec::new(), again: Vec::new() };
    for series in passes.all() {
        let measured = row(series, passes, crew, hertz);
        if let Some(row) = resume::merged(series.earlier.clone(), measured) {
            let table = if series.member.again { &mut tables.again } else { &mut tables.rows };
            table.push(row);
        }
    }
    tables
}

fn row(series: &Series, passes: &Passes<'_>, crew: &Crew, hertz: f64) -> Option<Row> {
    let ticks: Vec<Vec<f64>> =
        series.passes.iter().map(|pass| per_message(series, pass, hertz)).collect();
    let shown = series.shown()?;
    let (figure, pass) = (quartiles(&ticks[shown])?, &series.passes[shown]);
    let cell = &series.cell;
    let median = figure.median;
    let ns = median / hertz * 1e9;
    let setup = cell.model.is_setup();
    let data = |value: f64| (!setup).then(|| round(value));
    let bytes = cell.mix.mean(cell.size);
    let offer = crew.descriptions()[series.member.engine].offer(&cell.algorithm, &cell.operation);
    Some(Row {
        engine: crew.name(series.member.engine).to_owned(),
        algorithm: cell.algorithm.clone(),
        operation: cell.operation.clone(),
        level: series.member.level.clone(),
        default: crew.name(series.member.engine) == SUBJECT
            && passes.options().default_level.as_ref() == Some(&series.member.level),
        model: cell.model.name().to_owned(),
        size: cell.size,
        messages: cell.messages,
        keys: cell.keys.name().to_owned(),
        mix: cell.mix,
        threads: cell.threads,
        nonce_bytes: cell.nonce_bytes,
        aad_bytes: cell.aad_bytes,
        tag_bytes: offer.map_or(0, |offer| offer.tag_bytes),
        placement: cell.placement.name().to_owned(),
        clock: pass.clock.clone(),
        repeats: pass.repeats,
        min_cycles: ticks.iter().flatten().copied().fold(f64::MAX, f64::min),
        passes: ticks,
        median_cycles: median,
        q1_cycles: figure.first,
        q3_cycles: figure.third,
        cycles_per_byte: data(median / bytes.max(1.0)),
        cycles_per_setup: setup.then_some(median),
        mbps: data(bytes * 8.0 / ns * 1e3),
        ns: round(ns),
        digest: series.digest.clone(),
        flags: flags(series, pass, passes),
        remark: remark(series, pass),
    })
}

/// Samples in ticks per message. The wall clock's nanoseconds become ticks of the
/// time-stamp counter, and a call on a part of the message is scaled to the whole.
fn per_message(series: &Series, pass: &Measured, hertz: f64) -> Vec<f64> {
    let ticks = if pass.clock == "wall" { hertz / 1e9 } else { 1.0 };
    let calls = match pass.call_bytes {
        0 => 1.0,
        bytes => series.cell.size as f64 / bytes as f64,
    };
    let scale = ticks * calls / (pass.repeats as f64 * f64::from(series.cell.messages));
    pass.samples.iter().map(|sample| round(*sample as f64 * scale)).collect()
}

fn flags(series: &Series, pass: &Measured, passes: &Passes<'_>) -> Vec<String> {
    let mut flags = pass.flags.clone();
    let mut flag = |set: bool, name: &str| {
        if set && !flags.iter().any(|flag| flag == name) {
            flags.push(name.to_owned());
        }
    };
    let few = series.passes.iter().any(|it| it.samples.len() < passes.options().samples as usize);
    let looped = pass.call_bytes < series.cell.size;
    flag(passes.off(series, pass), "canary");
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

/// To the ten-thousandth of a cycle: less than any clock resolves.
fn round(x: f64) -> f64 {
    (x * 1e4).round() / 1e4
}
