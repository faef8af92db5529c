//! `cargo xtask tuned --batches`: batches of 1 to 600 messages at every level.
//!
//! A level that holds more messages in its registers must not lose where there are few, nor where
//! a few are left over; `docs/notes/lanes-by-number.md` says how registers are chosen.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::bench::{Bench, Part};
use super::count::{Cell, Count, Runner};
use super::judge::{self, Behind, Found, List};
use super::{page, record};
use crate::outcome::Outcome;
use crate::stage::stage;
use crate::workspace;

/// Which operations of an algorithm are taken where none is named: a generator's, a chain's, blocks'
/// and a sum's.
const OPERATIONS: [&str; 4] = ["keystream", "cbc-encrypt", "ctr", "eia3"];
/// The table that says which operations have lanes for messages.
const LANES: &str = "docs/notes/counts.tsv";
/// Bytes of a message.
const SIZES: &[u64] = &[64, 512];
/// The most messages of a call.
const MOST: u64 = 600;
/// The numbers of messages that the table shows.
const SHOWN: [u64; 13] = [1, 2, 3, 4, 8, 12, 16, 24, 32, 64, 128, 256, MOST];
const COUNTS: usize = 3;

/// All numbers to 40, and those around multiples of lanes: 16 and 32, from 64 on 32 each.
fn ladder() -> Vec<u64> {
    let around = (48..MOST).step_by(16).filter(|it| *it <= 128 || it % 32 == 0);
    let steps = around.flat_map(|it| it - 1..=it + 1);
    let all: BTreeSet<u64> = (1..=40).chain(steps).chain([MOST]).collect();
    all.into_iter().collect()
}

/// The operations that have lanes for messages: one of a kind an algorithm, and one algorithm of
/// those whose kernels are the same, e.g. AES with one of its key lengths.
fn operations(table: &str, kernels: &BTreeMap<String, String>) -> Vec<String> {
    let in_lanes: BTreeSet<(&str, &str)> = table
        .lines()
        .filter_map(|line| {
            let mut fields = line.split('\t');
            let (operation, what) = (fields.next()?, fields.nth(1)?);
            let (algorithm, kind) = operation.split_once('/')?;
            (what == "batch" && OPERATIONS.contains(&kind)).then_some((algorithm, kind))
        })
        .collect();
    let (mut seen, mut chosen) = (BTreeSet::new(), Vec::new());
    for (algorithm, kind) in in_lanes {
        if seen.insert((kernels.get(algorithm).map_or(algorithm, String::as_str), kind)) {
            chosen.push(format!("{algorithm}/{kind}"));
        }
    }
    chosen
}

pub(super) fn run(only: &[String], write: bool) -> Outcome {
    if write && !only.is_empty() {
        return Err("--write records everything: not with --only=".to_owned());
    }
    stage("tuned, batches of 1 to 600 messages", Duration::from_secs(900), || {
        let bench = Bench::new()?;
        let names = if only.is_empty() {
            operations(&workspace::read(LANES)?, &bench.kernels()?)
        } else {
            only.to_vec()
        };
        let parts = [Part { models: &["batch"], sizes: SIZES, messages: ladder() }];
        println!("   first count");
        let first = bench.names(&names, &parts, 9, true)?;
        let mut found = judge::settle(&first, COUNTS, |pairs, number| {
            println!("   count {}: {} pairs that seem behind", number + 1, pairs.len());
            bench.pairs(pairs, number, 21)
        })?;
        let found = found.remove(&List::Lower).unwrap_or_default();
        let text = page::head(&first, 1 + COUNTS) + &text(&first, &found);
        println!("{text}");
        if write { record(&first.cpu, "batches.txt", &text) } else { Ok(()) }
    })
}

/// A table an operation and length: ticks a message at each level, and where a level is behind.
fn text(count: &Count, found: &Found) -> String {
    let mut tables: BTreeMap<(&str, u64), Vec<&Cell>> = BTreeMap::new();
    for cell in count.times.keys() {
        tables.entry((&cell.operation, cell.size)).or_default().push(cell);
    }
    let mut text = String::new();
    for ((operation, size), mut cells) in tables {
        cells.sort_by_key(|cell| cell.messages);
        text += &format!("\n{operation}, {size} B: ticks a message\n{:>10}", "messages");
        let shown: Vec<&&Cell> =
            cells.iter().filter(|cell| SHOWN.contains(&cell.messages)).collect();
        shown.iter().for_each(|cell| text += &format!("{:>8}", cell.messages));
        for level in &count.levels {
            text += &format!("\n{level:>10}");
            for cell in &shown {
                let ticks = count.times[**cell].get(&Runner::ours(level));
                text += &ticks.map_or_else(|| format!("{:>8}", "-"), |it| format!("{it:>8.0}"));
            }
        }
        text += "\n";
        let of_table = |it: &&Behind| {
            (it.pair.cell.operation.as_str(), it.pair.cell.size) == (operation, size)
        };
        let mut behind: Vec<&Behind> = found.behind.iter().filter(of_table).collect();
        behind.sort_by_key(|it| (it.pair.ours.clone(), it.pair.cell.messages));
        let levels: BTreeSet<&str> = behind.iter().map(|it| &*it.pair.ours.level).collect();
        for level in levels {
            let of_level = behind.iter().filter(|it| it.pair.ours.level == level);
            let of_level: Vec<String> =
                of_level.map(|it| format!("{}: {:.2}", it.pair.cell.messages, it.ratio)).collect();
            text += &format!("   {level} behind the level below: {}\n", of_level.join(", "));
        }
    }
    let (behind, compared) = (found.behind.len(), found.compared);
    text + &format!("\ntuned: batches-behind-lower-level {behind} of {compared}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ladder_has_every_small_number_and_the_edges_of_lanes() {
        let ladder = ladder();
        assert!((1..=40).all(|it| ladder.contains(&it)));
        for lanes in [64, 128, 256, 512] {
            assert!((lanes - 1..=lanes + 1).all(|it| ladder.contains(&it)), "{lanes}");
        }
        assert_eq!(ladder.last(), Some(&MOST));
        assert!((80..=120).contains(&ladder.len()), "{}", ladder.len());
    }

    #[test]
    fn operations_are_those_with_lanes() {
        let table = "operation\tlevel\twhat\tbytes\tcounts\na/keystream\tx\tlong\t1\tor=1\n\
                     b/keystream\tx\tbatch\t1\tor=1\nb/keystream\ty\tbatch\t1\tor=1\n\
                     b/other\tx\tbatch\t1\tor=1\n";
        assert_eq!(operations(table, &BTreeMap::new()), ["b/keystream"]);
        let kept = operations(&workspace::read(LANES).unwrap(), &BTreeMap::new());
        assert!(OPERATIONS.iter().all(|kind| kept.iter().any(|it| it.ends_with(kind))));
    }

    #[test]
    fn the_same_kernels_are_measured_once() {
        let row = |operation: &str| format!("{operation}\tx\tbatch\t1\tor=1\n");
        let table: String =
            ["a-128/ctr", "a-256/ctr", "a-256/eia3", "b/ctr"].into_iter().map(row).collect();
        let kernels = [("a-128", "rounds"), ("a-256", "rounds"), ("b", "words")];
        let kernels = kernels.map(|(name, kernel)| (name.to_owned(), kernel.to_owned())).into();
        assert_eq!(operations(&table, &kernels), ["a-128/ctr", "a-256/eia3", "b/ctr"]);
    }

    #[test]
    fn a_table_tells_where_a_level_is_behind() {
        let cell = |messages| Cell {
            operation: "a/x".to_owned(),
            model: "batch".to_owned(),
            size: 64,
            messages,
            keys: "ready".to_owned(),
        };
        let runners = |high: f64| {
            [(Runner::ours("low"), 100.0), (Runner::ours("high"), high)].into_iter().collect()
        };
        let count = Count {
            levels: vec!["low".to_owned(), "high".to_owned()],
            default: "high".to_owned(),
            times: [(cell(2), runners(125.0)), (cell(16), runners(50.0))].into(),
            ..Count::default()
        };
        let mut found = judge::settle(&count, 1, |_, _| Ok(count.times.clone())).unwrap();
        let text = text(&count, &found.remove(&List::Lower).unwrap());
        assert!(
            text.contains("       low     100     100\n      high     125      50\n"),
            "{text}"
        );
        assert!(text.contains("   high behind the level below: 2: 1.25\n"), "{text}");
        assert!(text.ends_with("tuned: batches-behind-lower-level 1 of 2\n"), "{text}");
    }
}
