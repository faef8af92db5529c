//! The sentence everybody reads first: how fast, against whom, measured here.

use std::cmp::Ordering;

use super::{HEADLINE_SIZE, SUBJECT, algorithms, conditions, figure};
use crate::compare;
use crate::record::{Results, Row, beside};
use crate::stats::Paired;
use crate::study::Lang;
use crate::{Mix, Model};

/// The best-known cell of an algorithm, in all its engines and levels: the
/// counter mode or the keystream, the session-key model, 8 KiB, or what comes
/// nearest to each.
pub(super) fn cell<'r>(results: &'r Results, algorithm: &str) -> Vec<&'r Row> {
    let rows = || {
        results
            .rows
            .iter()
            .filter(|row| row.cell.algorithm == algorithm && row.cycles_per_byte.is_some())
    };
    let subject = rows().any(|row| row.engine == SUBJECT);
    let chosen = rows()
        .filter(|row| !subject || row.engine == SUBJECT)
        .min_by(|a, b| rank(a).partial_cmp(&rank(b)).unwrap_or(Ordering::Equal));
    let Some(chosen) = chosen else { return Vec::new() };
    rows()
        .filter(|row| {
            row.cell.operation == chosen.cell.operation && conditions(row) == conditions(chosen)
        })
        .collect()
}

/// Distance from the cell that everybody compares; the least is chosen.
fn rank(row: &Row) -> (usize, usize, u32, bool, f64) {
    let place = |list: &[&str], name: &str| {
        list.iter().position(|known| *known == name).unwrap_or(list.len())
    };
    (
        place(&["ctr", "keystream"], &row.cell.operation),
        place(&["message", "packet", "stream", "batch"], row.cell.model.name()),
        row.cell.threads,
        row.clock != "tsc",
        (row.cell.size as f64 / HEADLINE_SIZE as f64).ln().abs(),
    )
}

/// For each algorithm a sentence: the subject at the level that a caller gets, and the
/// measured ratio to the best row of every other engine and to `portable`. Another says where a
/// level that a caller must ask for is faster.
#[must_use]
pub fn headline(results: &Results) -> Vec<String> {
    let shown = figure::shown(results);
    let results = shown.as_ref();
    algorithms(results).into_iter().filter_map(|algorithm| sentence(results, algorithm)).collect()
}

fn sentence(results: &Results, algorithm: &str) -> Option<String> {
    let rows = cell(results, algorithm);
    let subject = rows.iter().find(|row| row.engine == SUBJECT).or(rows.first())?.engine.as_str();
    let of = |engine: &str| {
        let rows = rows.iter().filter(|row| row.engine == engine);
        rows.min_by(|a, b| a.median_cycles.total_cmp(&b.median_cycles)).copied()
    };
    let default = rows.iter().find(|row| results.is_default(row)).copied();
    let best = default.or_else(|| of(subject))?;
    let level = match (best.cell.level.as_str(), default) {
        ("-", _) => String::new(),
        (level, Some(_)) => format!(" at level {level}, which a caller gets"),
        (level, None) => format!(" at level {level}"),
    };
    let mut text = format!(
        "{}/{} with {subject}{level}: {} {} ({})",
        best.cell.algorithm,
        best.cell.operation,
        figure::cycles_per_byte(best.cycles_per_byte?),
        figure::per_byte_unit(results, Lang::En),
        work(best),
    );
    let times = |other: &Row| other.median_cycles / best.median_cycles;
    let mut against = Vec::new();
    for engine in &results.engines {
        if engine.name == subject {
            continue;
        }
        if let Some(other) = of(&engine.name) {
            let outdated = engine.outdated().map(|age| format!(" ({age})"));
            against.push(format!(
                "{} times as fast as {}{}",
                figure::ratio(times(other)),
                engine.name,
                outdated.unwrap_or_default(),
            ));
        }
    }
    let portable = rows.iter().find(|row| row.engine == subject && row.cell.level == "portable");
    if let Some(portable) = portable.filter(|_| best.cell.level != "portable") {
        against.push(format!(
            "{} times as fast as its own portable level",
            figure::ratio(times(portable))
        ));
    }
    for (i, part) in against.iter().enumerate() {
        let joint = match i {
            0 => ", ",
            i if i + 1 == against.len() => " and ",
            _ => ", ",
        };
        text.push_str(joint);
        text.push_str(part);
    }
    text.push('.');
    text.extend(default.and_then(|row| faster(row, of(subject)?)));
    Some(text)
}

/// That a level is faster than the one that a caller gets, by the rule that `compare` has.
fn faster(default: &Row, other: &Row) -> Option<String> {
    let by = compare::ratio(default, other, Paired::Yes)?;
    (by.verdict == compare::Verdict::Ahead).then(|| {
        format!(
            " Level {} is {} times as fast as that here.",
            other.cell.level,
            figure::ratio(1.0 / by.ratio)
        )
    })
}

/// What one message of a model is, in words.
pub(super) fn packets(model: &str) -> String {
    match model {
        "message" => "messages with the key ready".to_owned(),
        "packet" => "packets with a new key and IV each".to_owned(),
        other => format!("model {other}"),
    }
}

/// What a row did, in words: `"8 KiB messages, key ready"`.
pub(super) fn work(row: &Row) -> String {
    let size = figure::size_label(row.cell.size);
    let what = match row.cell.model {
        Model::Message => format!("{size} messages, key ready"),
        Model::Packet => format!("{size} packets, a new key each"),
        Model::Stream => format!("a stream of {size}"),
        Model::Batch => {
            format!("batches of {} messages of {size}, keys {}", row.cell.messages, row.cell.keys)
        }
        Model::Latency => format!("one {size} block after the other"),
        other => format!("{other}, {size}"),
    };
    let what = if row.cell.mix == Mix::Equal { what } else { format!("{what}, {}", row.cell.mix) };
    let what =
        if row.cell.threads > 1 { format!("{what}, {} threads", row.cell.threads) } else { what };
    let what =
        if row.cell.aad_bytes > 0 { format!("{what}, AAD {} B", row.cell.aad_bytes) } else { what };
    what + &beside(row)
}
