//! `--why`: where another level is faster, what was disturbed, and what could not be had.

use super::standings::cell;
use super::text::{clean, wrapped};
use super::{columns, figure};
use crate::against::contests;
use crate::record::{Results, Row};
use crate::report::terminal::{Style, bold};
use crate::report::{method, missing};
use crate::study::Lang;

/// The reasons as text, ending in a line break.
#[must_use]
pub fn render(results: &Results, style: Style) -> String {
    let shown = figure::shown(results);
    let results = shown.as_ref();
    let width = columns(style);
    let mut out = Vec::new();
    section(&mut out, "Another level is faster", levels(results), width, style);
    section(&mut out, "Marked figures", flags(results), width, style);
    section(&mut out, "Not measured, and why", gaps(results), width, style);
    section(&mut out, "How it was measured", method::run(results, Lang::En), width, style);
    out.into_iter().map(|line| line + "\n").collect()
}

fn section(out: &mut Vec<String>, title: &str, items: Vec<String>, width: usize, style: Style) {
    if items.is_empty() {
        return;
    }
    if !out.is_empty() {
        out.push(String::new());
    }
    out.push(bold(title, style));
    for item in items {
        let lines = wrapped(&clean(&item), width.saturating_sub(3));
        let mark = |(place, line): (usize, String)| {
            format!(" {} {}", if place == 0 { "-" } else { " " }, line.trim_start())
        };
        out.extend(lines.into_iter().enumerate().map(mark));
    }
}

fn levels(results: &Results) -> Vec<String> {
    let value = |row: &Row| {
        let figure = row.cycles_per_byte.unwrap_or(row.median_cycles);
        figure::short(figure::core_cycles(results, row, figure))
    };
    let all = contests(results);
    let note = |contest: &crate::against::Contest<'_>| {
        let (ours, other) = (contest.ours, contest.faster_level()?);
        Some(format!(
            "{}: {} at {}, {} at {} ({} times as fast)",
            cell(ours),
            value(ours),
            ours.cell.level,
            value(other),
            other.cell.level,
            figure::ratio(ours.median_cycles / other.median_cycles)
        ))
    };
    all.iter().filter_map(note).collect()
}

/// Every flag with its meaning, and the figures that carry it unless they are most.
fn flags(results: &Results) -> Vec<String> {
    let mut flags: Vec<&str> = Vec::new();
    for flag in results.rows.iter().flat_map(|row| &row.flags) {
        if !flags.contains(&flag.as_str()) {
            flags.push(flag);
        }
    }
    let line = |flag: &str| {
        let rows: Vec<String> = results
            .rows
            .iter()
            .filter(|row| row.flags.iter().any(|it| it == flag))
            .map(|row| format!("{} {} {}", row.engine, row.cell.level, cell(row)))
            .collect();
        let which = if rows.len() * 2 > results.rows.len() {
            format!("{} of {} figures", rows.len(), results.rows.len())
        } else {
            rows.join("; ")
        };
        format!("{} [{which}]", method::flag(flag, Lang::En))
    };
    flags.into_iter().map(line).collect()
}

/// The gaps, an engine's missing operations in one line.
fn gaps(results: &Results) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut lacks: Vec<(String, Vec<String>)> = Vec::new();
    for gap in missing::gaps(results, Lang::En) {
        let offers = format!("{} offers no ", gap.engine);
        let Some(what) = gap.reason.strip_prefix(&offers) else {
            lines.push(format!("{}: {} [{}]", gap.engine, gap.reason, gap.cells.join("; ")));
            continue;
        };
        match lacks.iter_mut().find(|(engine, _)| *engine == gap.engine) {
            Some((_, list)) => list.push(what.to_owned()),
            None => lacks.push((gap.engine.clone(), vec![what.to_owned()])),
        }
    }
    let line =
        |(engine, list): (String, Vec<String>)| format!("{engine} offers no {}", list.join(", "));
    lacks.into_iter().map(line).chain(lines).collect()
}
