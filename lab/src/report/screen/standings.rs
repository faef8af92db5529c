//! `--against`: every peer of a run, ahead, tied and behind, the rank, and each cell behind.

use super::text::{clean, fitted, version, wrapped};
use super::{columns, figure, interval, size_label};
use crate::LabError;
use crate::against::{Contest, Standing, Tally, contests, rank, standing, subject};
use crate::compare::Verdict;
use crate::record::{Results, Row};
use crate::report::terminal::{Style, bold};

/// The name that stands for the fastest peer of each cell.
pub const BEST: &str = "best";

/// One cell against one peer.
struct Pair<'r> {
    ours: &'r Row,
    theirs: &'r Row,
    standing: Standing,
}

/// The standings against one engine, or against the [`BEST`] of each cell, as text: a line for
/// each peer by rank, then every cell in which the one that was named is faster.
///
/// # Errors
/// [`LabError::Value`] where no row of that engine shares a cell with ours.
pub fn render(results: &Results, peer: &str, style: Style) -> Result<String, LabError> {
    let shown = figure::shown(results);
    let results = shown.as_ref();
    let width = columns(style);
    let all = contests(results);
    if all.is_empty() {
        return Ok(nothing(results, width));
    }
    let places = rank(&all);
    let known = || places.iter().map(|place| place.engine);
    if peer != BEST && !known().any(|name| name == peer) {
        return Err(LabError::Value {
            field: "--against",
            value: peer.to_owned(),
            allowed: std::iter::once(BEST).chain(known()).collect::<Vec<_>>().join(", "),
        });
    }
    let mut out = wrapped(
        &clean(&format!(
            "{} at its default level against each peer of this run: ahead or behind where the \
             95 % interval of the ratio says so; rank by the geometric mean of their time by ours",
            subject(results)
        )),
        width,
    );
    out.push(String::new());
    let head = Columns {
        name: "against",
        cells: "cells",
        ahead: "ahead",
        tied: "tied",
        behind: "behind",
        mean: "mean",
        worst: "least",
    };
    out.push(bold(&head.line(width), style));
    let best = pairs(&all, None);
    let mut lines = vec![(BEST.to_owned(), "the best of each cell".to_owned(), mean(&best), best)];
    for place in places.iter().filter(|place| peer == BEST || place.engine == peer) {
        let engine = results.engines.iter().find(|it| it.name == place.engine);
        let name = match engine.and_then(|it| it.outdated()) {
            Some(age) => format!("{} {age}", place.engine),
            None => version(results, place.engine, ""),
        };
        lines.push((place.engine.to_owned(), name, place.mean, pairs(&all, Some(place.engine))));
    }
    let mut losses: Vec<Pair<'_>> = Vec::new();
    for (engine, name, mean, pairs) in lines {
        let mut tally = Tally::default();
        pairs.iter().for_each(|pair| tally.count(pair.standing.verdict));
        let worst = pairs.iter().map(|pair| pair.standing.times).min_by(f64::total_cmp);
        let columns = Columns {
            name: &clean(&name),
            cells: &tally.cells().to_string(),
            ahead: &tally.ahead.to_string(),
            tied: &tally.tied.to_string(),
            behind: &tally.behind.to_string(),
            mean: &figure::ratio(mean),
            worst: &worst.map_or("-".to_owned(), figure::ratio),
        };
        out.push(columns.line(width));
        if engine == peer {
            losses = pairs;
        }
    }
    losses.retain(|pair| pair.standing.verdict == Verdict::Behind);
    losses.sort_by(|a, b| a.standing.times.total_cmp(&b.standing.times));
    out.push(String::new());
    if losses.is_empty() {
        out.push(format!("Behind {} in no cell.", called(peer)));
    } else {
        let cells = figure::count(losses.len() as u64, "cell", "cells");
        out.push(bold(&format!("Behind {} in {cells}:", called(peer)), style));
        out.extend(losses.iter().map(|pair| loss(results, pair, width)));
    }
    Ok(out.into_iter().map(|line| line + "\n").collect())
}

/// What stands in the place of the table where the subject has no row.
fn nothing(results: &Results, width: usize) -> String {
    let subject = subject(results);
    let why = results.missing.iter().find(|it| it.engine == subject);
    let why = why.map_or_else(String::new, |it| {
        format!(" (of {}/{}: {})", it.algorithm, it.operation, it.reason)
    });
    let text = format!("No figure of {subject} in this run, so none to set a peer against{why}.");
    wrapped(&clean(&text), width).into_iter().map(|line| line + "\n").collect()
}

fn called(peer: &str) -> &str {
    if peer == BEST { "the best peer" } else { peer }
}

/// Our row of every cell that a peer has too: that engine, or the fastest.
fn pairs<'r>(all: &[Contest<'r>], engine: Option<&str>) -> Vec<Pair<'r>> {
    let pair = |contest: &Contest<'r>| {
        let theirs = match engine {
            Some(engine) => contest.rival(engine)?,
            None => contest.next_best()?,
        };
        Some(Pair { ours: contest.ours, theirs, standing: standing(contest.ours, theirs)? })
    };
    all.iter().filter_map(pair).collect()
}

fn mean(pairs: &[Pair<'_>]) -> f64 {
    let logs = pairs.iter().map(|it| (it.theirs.median_cycles / it.ours.median_cycles).ln());
    (logs.sum::<f64>() / pairs.len().max(1) as f64).exp()
}

/// A line of the table.
struct Columns<'t> {
    name: &'t str,
    cells: &'t str,
    ahead: &'t str,
    tied: &'t str,
    behind: &'t str,
    mean: &'t str,
    worst: &'t str,
}

impl Columns<'_> {
    fn line(&self, width: usize) -> String {
        let Columns { name, cells, ahead, tied, behind, mean, worst } = self;
        let figures = format!("{cells:>6}{ahead:>7}{tied:>6}{behind:>8}{mean:>7}{worst:>7}");
        let room = width.saturating_sub(figures.len()).clamp(8, 48);
        format!("{:<room$}{figures}", fitted(name, room))
    }
}

/// A cell in which ours is slower, its ratio and the figures of both.
pub(super) fn cell(row: &Row) -> String {
    let size =
        if row.cell.size == 0 { String::new() } else { format!("{}, ", size_label(row.cell.size)) };
    format!("{}/{}, {size}{}", row.cell.algorithm, row.cell.operation, super::text::label(row))
}

fn loss(results: &Results, pair: &Pair<'_>, width: usize) -> String {
    let value = |row: &Row| {
        let figure = row.cycles_per_byte.unwrap_or(row.median_cycles);
        figure::short(figure::core_cycles(results, row, figure))
    };
    let text = format!(
        "{}, {} to {} by {}",
        interval(&pair.standing),
        value(pair.ours),
        value(pair.theirs),
        version(results, &pair.theirs.engine, &pair.theirs.cell.algorithm)
    );
    let room = width.saturating_sub(text.chars().count() + 3).max(16);
    fitted(&clean(&format!(" {:<room$}  {text}", fitted(&cell(pair.ours), room))), width)
}
