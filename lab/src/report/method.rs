//! How the figures were made, told from the file itself.

use std::collections::HashMap;

use super::conditions;
use super::figure::{self, count};
use crate::Mix;
use crate::record::{Results, Row};

/// The models of `docs/METHOD.md`: name and what is inside the clock.
const MODELS: &[(&str, &str)] = &[
    ("init", "key set-up and IV set-up, no data; cycles per set-up"),
    ("key", "the key schedule alone; cycles per set-up"),
    ("stream", "a long message, set-up outside the clock"),
    ("packet", "key set-up, IV set-up and data of one message, a fresh random key and IV each"),
    ("message", "IV set-up and data of one message; the key is ready"),
    (
        "batch",
        "many independent messages in one call, each with its own key and IV; fresh keys are set up inside the clock, ready ones before",
    ),
    ("latency", "one block at a time, each input depending on the last output"),
];

/// What a flag means.
const FLAGS: &[(&str, &str)] = &[
    ("canary", "the machine was disturbed while this was measured, and again when it was repeated"),
    ("quick", "measured in quick mode: fewer samples over a shorter buffer"),
    ("few samples", "each call takes long, so the row's time allows fewer samples"),
    (
        "outside the specification",
        "more data under one key and IV than the standard allows; for comparison only",
    ),
];

/// The models that occur, with what is inside the clock.
pub(super) fn models(results: &Results) -> Vec<(&'static str, &'static str)> {
    let occurs = |name: &str| results.rows.iter().any(|row| row.model == name);
    MODELS.iter().filter(|(name, _)| occurs(name)).copied().collect()
}

/// A flag in words; an unknown one speaks for itself.
pub(super) fn flag(name: &str) -> String {
    match FLAGS.iter().find(|(known, _)| *known == name) {
        Some((_, meaning)) => format!("{name}: {meaning}"),
        None => name.to_owned(),
    }
}

/// Sentences on samples, passes, canaries and outputs.
pub(super) fn run(results: &Results) -> Vec<String> {
    let run = &results.run;
    let mut lines = vec![format!(
        "Each figure is the median of {} in the fastest of {} spread over the run ({}); \
         quartiles are those of that pass. results.json \
         keeps every sample of every pass.",
        count(run.samples.into(), "sample", "samples"),
        count(run.passes.into(), "pass", "passes"),
        figure::duration(run.seconds),
    )];
    lines.push(format!(
        "{} measured, {} measured again because a canary (a chain of additions before and after, \
         and a throughput loop at the row's own level) was off by more than 5 %, {} still off and \
         flagged.",
        count(run.series, "series was", "series were"),
        run.repeated,
        run.flagged,
    ));
    lines.push(outputs(results));
    lines.extend(chance(results));
    let wall = results.rows.iter().filter(|row| row.clock == "wall").count();
    lines.push(if wall == 0 {
        "Cycles are ticks of the time-stamp counter, the clock's own cost subtracted.".to_owned()
    } else {
        format!(
            "Cycles are ticks of the time-stamp counter, the clock's own cost subtracted; {} \
             measured with the wall clock and converted, and marked so.",
            count(wall as u64, "figure was", "figures were")
        )
    });
    lines
}

/// What chance alone does: one engine measured twice in the same run.
fn chance(results: &Results) -> Option<String> {
    let ratio = |again: &Row| {
        let same = |row: &&Row| {
            row.engine == again.engine
                && row.algorithm == again.algorithm
                && row.operation == again.operation
                && row.level == again.level
                && conditions(row) == conditions(again)
        };
        let row = results.rows.iter().find(same)?;
        Some(again.median_cycles / row.median_cycles)
    };
    let ratios: Vec<f64> = results.again.iter().filter_map(ratio).collect();
    let (low, high) =
        ratios.iter().fold((f64::INFINITY, 0.0_f64), |(l, h), r| (l.min(*r), h.max(*r)));
    let engine = &results.again.first()?.engine;
    (!ratios.is_empty()).then(|| {
        format!(
            "To show what chance alone does, {engine} was measured a second time by a process of \
             its own: over {} the second figure was {low:.3} to {high:.3} times the first.",
            count(ratios.len() as u64, "cell", "cells")
        )
    })
}

/// Whether rows that did the same work made the same bytes.
fn outputs(results: &Results) -> String {
    let (together, disagree) = agreement(results);
    if disagree == 0 {
        format!(
            "{} computed by more than one engine or level, and the SHA-256 over all outputs is \
             the same in each.",
            count(together, "cell was", "cells were")
        )
    } else {
        format!(
            "In {disagree} of {together} cells that more than one engine or level computed, the \
             outputs differ: do not trust those figures."
        )
    }
}

/// Cells with at least two rows, and those among them whose digests differ.
fn agreement(results: &Results) -> (u64, u64) {
    type Cell<'r> = (&'r str, &'r str, &'r str, u64, (u32, &'r str, Mix, u32, u32, u32));
    fn cell(row: &Row) -> Cell<'_> {
        let lengths = (row.nonce_bytes, row.aad_bytes, row.tag_bytes);
        let conditions =
            (row.messages, row.keys.as_str(), row.mix, lengths.0, lengths.1, lengths.2);
        (&row.algorithm, &row.operation, &row.model, row.size, conditions)
    }
    let mut cells: HashMap<Cell<'_>, Vec<&str>> = HashMap::new();
    for row in results.rows.iter().filter(|row| !row.digest.is_empty()) {
        cells.entry(cell(row)).or_default().push(&row.digest);
    }
    let together = cells.values().filter(|digests| digests.len() > 1);
    let differ = together.clone().filter(|digests| digests.iter().any(|d| *d != digests[0]));
    (together.count() as u64, differ.count() as u64)
}

/// Facts of the machine in order of display.
pub(super) fn machine(results: &Results) -> Vec<(String, String)> {
    let machine = &results.machine;
    let mut facts = vec![
        ("CPU".to_owned(), machine.cpu.clone()),
        ("Levels".to_owned(), machine.levels.join(", ")),
        ("Logical cores".to_owned(), machine.cores.to_string()),
        (
            "Clock".to_owned(),
            format!(
                "time-stamp counter at {:.3} GHz; {:.3} core cycles a tick",
                machine.tsc_hz / 1e9,
                machine.core_per_tsc
            ),
        ),
        ("Kernel".to_owned(), machine.kernel.clone()),
        (
            "Stolen by the host".to_owned(),
            machine.steal.map_or("unknown".to_owned(), |share| format!("{:.2} %", share * 100.0)),
        ),
    ];
    facts.extend(machine.facts.iter().cloned());
    facts
}
