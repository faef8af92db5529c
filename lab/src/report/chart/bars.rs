//! Levels and engines side by side at one length: longer is faster, the fastest first.

use serde::Serialize;

use super::super::{SUBJECT, algorithms, figure, headline};
use super::label;
use crate::record::{Results, Row};
use crate::study::Lang;

/// Bars under one heading.
#[derive(Clone, Debug, Serialize)]
pub struct Bars {
    /// The heading above them.
    pub title: String,
    /// The bars, the fastest first.
    pub bars: Vec<Bar>,
}

/// One bar; places are percents of the longest.
#[derive(Clone, Debug, Serialize)]
pub struct Bar {
    /// Engine and level.
    pub name: String,
    /// Its figures in words.
    pub text: String,
    /// `own` for the level that a caller gets, `level` for our others, `peer` for other engines.
    pub class: &'static str,
    /// How long it is.
    pub long: f64,
    /// Where the line between its quartiles begins.
    pub from: f64,
    /// How long that is.
    pub span: f64,
}

/// The bars of each algorithm whose best-known cell has at least two.
pub(super) fn charts(results: &Results) -> Vec<Bars> {
    let mut charts = Vec::new();
    for algorithm in algorithms(results) {
        let mut rows = headline::cell(results, algorithm);
        rows.retain(|row| row.mbps.is_some_and(|speed| speed.is_finite() && speed > 0.0));
        if rows.len() < 2 {
            continue;
        }
        rows.sort_by(|a, b| speed(b).total_cmp(&speed(a)));
        charts.push(chart(results, &rows));
    }
    charts
}

fn chart(results: &Results, rows: &[&Row]) -> Bars {
    let first = rows[0];
    let title =
        format!("{}/{}: {}", first.cell.algorithm, first.cell.operation, headline::work(first));
    // A quartile in the unit of the bars: the slower quartile of time is the lower one of speed.
    let at = |row: &Row, cycles: f64| speed(row) * row.median_cycles / cycles;
    let most = rows.iter().map(|row| at(row, row.q1_cycles)).fold(f64::MIN_POSITIVE, f64::max);
    let percent = |speed: f64| (speed / most * 10_000.0).round() / 100.0;
    let bar = |row: &&Row| {
        let (from, to) = (percent(at(row, row.q3_cycles)), percent(at(row, row.q1_cycles)));
        Bar {
            name: label(&row.engine, &row.cell.level),
            text: caption(results, row),
            class: match row.engine == SUBJECT {
                true if results.is_default(row) => "own",
                true => "level",
                false => "peer",
            },
            long: percent(speed(row)),
            from,
            span: (to - from).max(0.0),
        }
    };
    Bars { title, bars: rows.iter().map(bar).collect() }
}

fn caption(results: &Results, row: &Row) -> String {
    let unit = figure::per_byte_unit(results, Lang::En);
    let bytes = row
        .cycles_per_byte
        .map_or_else(String::new, |value| format!(", {} {unit}", figure::short(value)));
    format!("{} Gbit/s{bytes}", figure::gbps(speed(row)))
}

fn speed(row: &Row) -> f64 {
    row.mbps.unwrap_or_default()
}
