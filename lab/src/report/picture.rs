//! What the page of a run shows first: how often ours is ahead, the ratio to the best peer of every
//! cell in one picture, and the samples of both where two figures are close.

use std::cmp::Ordering;

use serde::Serialize;

use super::chart::spread::{Spread, spread};
use super::chart::track::{Ratio, Tracks, tracks};
use super::figure::{self, size_label};
use super::screen;
use crate::against::{Contest, Standing, contests, standing};
use crate::compare::Verdict;
use crate::record::{Results, Row};

/// The most operations of an algorithm that are not folded away.
const OPEN: usize = 6;

/// The most pairs whose samples are drawn.
const CLOSE: usize = 6;

/// All of it.
#[derive(Serialize)]
pub(super) struct Picture {
    /// One sentence: how fast, against whom.
    pub(super) message: String,
    /// The same of the other algorithms.
    pub(super) others: Vec<String>,
    /// How often ours is ahead, and where behind.
    pub(super) tally: String,
    pub(super) parts: Vec<Part>,
    pub(super) spreads: Vec<Spread>,
    /// How many close pairs are not drawn.
    pub(super) more: usize,
}

/// The operations of an algorithm.
#[derive(Serialize)]
pub(super) struct Part {
    pub(super) algorithm: String,
    pub(super) shown: Tracks,
    /// Those that are folded away, and how many.
    pub(super) folded: Option<Tracks>,
    pub(super) count: usize,
}

/// An operation in one model, with its lengths.
struct Line {
    algorithm: String,
    name: String,
    /// By length.
    ratios: Vec<(u64, Ratio)>,
    /// The ratio at its longest message.
    last: f64,
}

/// What a run shows first.
pub(super) fn picture(results: &Results) -> Picture {
    let all = contests(results);
    let mut sentences = screen::sentences(results, &all);
    let message = if sentences.is_empty() { String::new() } else { sentences.remove(0) };
    let (spreads, more) = close(results, &all);
    Picture {
        message,
        others: sentences,
        tally: screen::tally(&all),
        parts: parts(lines(results, &all)),
        spreads,
        more,
    }
}

fn lines(results: &Results, all: &[Contest<'_>]) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for contest in all {
        let Some((rival, it)) = rivalled(contest) else { continue };
        let ours = contest.ours;
        let name = format!("{}, {}", ours.cell.operation, screen::label(ours));
        let peer = screen::version(results, &rival.engine, &rival.cell.algorithm);
        let ratio = Ratio {
            name: if ours.cell.size == 0 {
                "set-up".to_owned()
            } else {
                size_label(ours.cell.size)
            },
            text: format!(
                "{} ({} to {}) {} {peer}",
                figure::ratio(it.times),
                figure::ratio(it.low),
                figure::ratio(it.high),
                words(it.verdict),
            ),
            class: class(it.verdict),
            interval: Some((it.low, it.times, it.high)),
            then: None,
        };
        let same = |line: &&mut Line| line.algorithm == ours.cell.algorithm && line.name == name;
        match lines.iter_mut().find(same) {
            Some(line) => {
                if line.ratios.iter().all(|(size, _)| *size < ours.cell.size) {
                    line.last = it.times;
                }
                line.ratios.push((ours.cell.size, ratio));
            }
            None => lines.push(Line {
                algorithm: ours.cell.algorithm.clone(),
                name,
                ratios: vec![(ours.cell.size, ratio)],
                last: it.times,
            }),
        }
    }
    lines
}

/// The best peer of a cell, and how ours stands to it.
fn rivalled<'r>(contest: &Contest<'r>) -> Option<(&'r Row, Standing)> {
    let rival = contest.next_best()?;
    Some((rival, standing(contest.ours, rival)?))
}

/// By algorithm in the order of the rows; in each the largest lead first.
fn parts(lines: Vec<Line>) -> Vec<Part> {
    let mut algorithms: Vec<(String, Vec<Line>)> = Vec::new();
    for line in lines {
        match algorithms.iter_mut().find(|(name, _)| *name == line.algorithm) {
            Some((_, list)) => list.push(line),
            None => algorithms.push((line.algorithm.clone(), vec![line])),
        }
    }
    let group = |mut line: Line| {
        line.ratios.sort_by_key(|(size, _)| *size);
        (line.name, line.ratios.into_iter().map(|(_, ratio)| ratio).collect())
    };
    let part = |(algorithm, mut lines): (String, Vec<Line>)| {
        lines.sort_by(|a, b| b.last.partial_cmp(&a.last).unwrap_or(Ordering::Equal));
        let rest = lines.split_off(lines.len().min(OPEN));
        let count = rest.len();
        Part {
            algorithm,
            shown: tracks(lines.into_iter().map(group).collect()),
            folded: (count > 0).then(|| tracks(rest.into_iter().map(group).collect())),
            count,
        }
    };
    algorithms.into_iter().map(part).collect()
}

/// The pairs whose interval holds 1 or that are tied, the closest first, and how many more there are.
fn close(results: &Results, all: &[Contest<'_>]) -> (Vec<Spread>, usize) {
    let near = |contest: &Contest<'_>| {
        let (rival, it) = rivalled(contest)?;
        let open = it.low <= 1.0 && 1.0 <= it.high;
        (open || it.verdict == Verdict::Tied).then(|| (it, contest.ours.clone(), rival.clone()))
    };
    let mut found: Vec<(Standing, Row, Row)> = all.iter().filter_map(near).collect();
    found.sort_by(|a, b| a.0.times.ln().abs().total_cmp(&b.0.times.ln().abs()));
    let more = found.len().saturating_sub(CLOSE);
    let drawn = found.iter().take(CLOSE).filter_map(|(it, ours, rival)| {
        let title =
            format!("{}/{}, {}", ours.cell.algorithm, ours.cell.operation, screen::work(ours));
        let peer = screen::version(results, &rival.engine, &rival.cell.algorithm);
        let text = format!(
            "{} ({} to {}) times as fast as {peer}",
            figure::ratio(it.times),
            figure::ratio(it.low),
            figure::ratio(it.high)
        );
        spread(title, text, [ours, rival])
    });
    (drawn.collect(), more)
}

/// What stands before the peer's name.
const fn words(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Ahead => "×",
        Verdict::Tied => "tied with",
        Verdict::Behind => "behind",
    }
}

const fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Ahead => "ahead",
        Verdict::Tied => "tied",
        Verdict::Behind => "behind",
    }
}
