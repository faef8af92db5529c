//! What stands below the table of the screen: rank, where we are behind, levels, peers, outputs.

use super::text::{at_most, clean, version, wrapped};
use super::{figure, size_label};
use crate::against::{Contest, Tally, rank, standing, subject};
use crate::compare::Verdict;
use crate::record::{Power, Results};
use crate::report::method;

/// The lines, none for what there is nothing to say of.
pub(super) fn foot(results: &Results, all: &[Contest<'_>], width: usize) -> Vec<String> {
    let mut out = Vec::new();
    let mut say = |text: Option<String>, most: usize| {
        if let Some(text) = text {
            out.extend(at_most(wrapped(&clean(&text), width), most, width));
        }
    };
    say(places(results, all), 3);
    say(behind(all), 3);
    say(levels(all), 2);
    say(peers(results, all), 4);
    say(Some(checks(results)), 3);
    out
}

/// How often we are ahead of the best peer.
pub(in crate::report) fn tally(all: &[Contest<'_>]) -> String {
    let mut tally = Tally::default();
    for contest in all {
        let standing = contest.next_best().and_then(|it| standing(contest.ours, it));
        if let Some(it) = standing {
            tally.count(it.verdict);
        }
    }
    if tally.cells() == 0 {
        return "No other engine did the same work: `cipherlane engines` says what can be had."
            .to_owned();
    }
    format!(
        "Against the best peer of each cell: ahead in {}, tied in {}, behind in {} of {}.",
        tally.ahead,
        tally.tied,
        tally.behind,
        figure::count(tally.cells() as u64, "cell", "cells")
    )
}

fn places(results: &Results, all: &[Contest<'_>]) -> Option<String> {
    let places = rank(all);
    if places.is_empty() {
        return None;
    }
    let ours = subject(results);
    let mut list: Vec<(f64, String)> = vec![(1.0, format!("{ours} 1"))];
    for place in &places {
        let text = format!("{} {} ({})", place.engine, figure::ratio(place.mean), place.cells);
        list.push((place.mean, text));
    }
    list.sort_by(|a, b| a.0.total_cmp(&b.0));
    let list: Vec<String> = list.into_iter().map(|(_, text)| text).collect();
    Some(format!("rank, geometric mean of time by ours (shared cells): {}", list.join(", ")))
}

/// Where the best peer is faster, the worst operation first.
fn behind(all: &[Contest<'_>]) -> Option<String> {
    struct Cells<'r> {
        what: String,
        sizes: Vec<u64>,
        least: f64,
        engine: &'r str,
    }
    let mut found: Vec<Cells<'_>> = Vec::new();
    for contest in all {
        let Some(rival) = contest.next_best() else { continue };
        let Some(it) = standing(contest.ours, rival) else { continue };
        if it.verdict != Verdict::Behind {
            continue;
        }
        let ours = contest.ours;
        let what = format!(
            "{}/{}, {}",
            ours.cell.algorithm,
            ours.cell.operation,
            super::text::label(ours)
        );
        let cells = match found.iter_mut().position(|cells| cells.what == what) {
            Some(place) => &mut found[place],
            None => {
                let sizes = Vec::new();
                found.push(Cells { what, sizes, least: f64::MAX, engine: &rival.engine });
                let last = found.len() - 1;
                &mut found[last]
            }
        };
        cells.sizes.push(ours.cell.size);
        if it.times < cells.least {
            cells.least = it.times;
            cells.engine = &rival.engine;
        }
    }
    if found.is_empty() {
        return None;
    }
    found.sort_by(|a, b| a.least.total_cmp(&b.least));
    let list: Vec<String> = found
        .iter()
        .map(|cells| {
            let place = match cells.sizes.as_slice() {
                [0] => String::new(),
                [size] => format!(" at {}", size_label(*size)),
                sizes => format!(" at {} lengths", sizes.len()),
            };
            format!("{}{place} ({} of {})", cells.what, figure::ratio(cells.least), cells.engine)
        })
        .collect();
    Some(format!("BEHIND: {}", list.join("; ")))
}

/// How often another level is faster, and where most.
fn levels(all: &[Contest<'_>]) -> Option<String> {
    let faster: Vec<(f64, String)> = all
        .iter()
        .filter_map(|contest| {
            let other = contest.faster_level()?;
            let gain = contest.ours.median_cycles / other.median_cycles;
            let ours = contest.ours;
            let size = match ours.cell.size {
                0 => super::text::label(ours),
                size => size_label(size),
            };
            let place = format!("{}/{} of {size}", ours.cell.algorithm, ours.cell.operation);
            Some((
                gain,
                format!("{}, {} times as fast, {place}", other.cell.level, figure::ratio(gain)),
            ))
        })
        .collect();
    let most = faster.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(format!(
        "another level is faster in {} of {}, most {}",
        faster.len(),
        figure::count(all.len() as u64, "cell", "cells"),
        most.1
    ))
}

/// The engines beside ours, with versions and the age of those that are not current.
fn peers(results: &Results, all: &[Contest<'_>]) -> Option<String> {
    let took = |name: &str| {
        all.iter().any(|contest| contest.rivals.iter().any(|rival| rival.engine == name))
    };
    let wall = |name: &str| {
        results.rows.iter().any(|row| row.engine == name && row.clock == "wall")
            && results.rows.iter().any(|row| row.clock == "tsc")
    };
    let list: Vec<String> = results
        .engines
        .iter()
        .filter(|engine| took(&engine.name))
        .map(|engine| {
            let mut text = match engine.outdated() {
                Some(age) => format!("{} {age} (OLD)", engine.name),
                None => version(results, &engine.name, ""),
            };
            if wall(&engine.name) {
                text.push_str(" (by the wall clock)");
            }
            text
        })
        .collect();
    (!list.is_empty()).then(|| format!("peers: {}", list.join("; ")))
}

/// Flags, outputs, chance and what could not be had.
fn checks(results: &Results) -> String {
    let flagged = results.rows.iter().filter(|row| row.flags.iter().any(|it| it == "canary"));
    let mut parts = vec![format!(
        "flagged as disturbed: {} of {}",
        flagged.count(),
        figure::count(results.rows.len() as u64, "figure", "figures")
    )];
    let outputs = method::computed(results);
    match outputs.differ {
        0 => parts.push(format!(
            "outputs: {} agree between engines, {} by one engine alone",
            figure::count(outputs.together, "cell", "cells"),
            outputs.alone
        )),
        differ => parts.push(format!("OUTPUTS DIFFER in {differ} cells: do not trust them")),
    }
    if let Some(power) = Power::of(results) {
        parts.push(format!(
            "intervals {:.1} % wide (median), {} of {} can tell 3 %",
            power.median_width, power.can_tell, power.intervals
        ));
    }
    if let Some(chance) = method::pairs(results) {
        parts.push(format!(
            "chance: one engine measured twice {:.3}-{:.3}, {} of {} intervals hold 1",
            chance.low, chance.high, chance.holding, chance.cells
        ));
    }
    if !results.missing.is_empty() {
        parts.push(format!("not to be had: {} cells", results.missing.len()));
    }
    parts.join("; ")
}
