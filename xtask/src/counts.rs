//! `cargo xtask counts`: what kernels ask of an instruction set, against `docs/notes/counts.tsv`.
//!
//! Counts are exact, so a change of one is a change of the code: it is told here, and taken into
//! the table by `--write`, which a reader of the change then sees. Rows `path` are the operations of
//! a long message that wait for each other, those with `narrow.` before their names are on registers
//! of one 128-bit group; `docs/notes/floor.md` tells what is made of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::Duration;

use crate::outcome::Outcome;
use crate::stage::{skip, stage};
use crate::workspace;

/// The table in the repository.
const TABLE: &str = "docs/notes/counts.tsv";
/// Its first line.
const HEAD: &str = "operation\tlevel\twhat\tbytes\tcounts";
/// How many differences are told one by one.
const TOLD: usize = 20;

/// Operation, level and what is counted.
type Row = (String, String, String);
/// The rows' bytes and counts, as they stand in the table.
type Rows = BTreeMap<Row, (u64, String)>;

fn parse(table: &str) -> Result<Rows, String> {
    let mut lines = table.lines();
    if lines.next() != Some(HEAD) {
        return Err(format!("the table does not begin with `{HEAD}`"));
    }
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let &[operation, level, what, bytes, counts] = &fields[..] else {
                return Err(format!("not five fields: `{line}`"));
            };
            let bytes = bytes.parse().map_err(|_| format!("not a number of bytes: `{line}`"))?;
            let row = (operation.to_owned(), level.to_owned(), what.to_owned());
            Ok((row, (bytes, counts.to_owned())))
        })
        .collect()
}

fn render(rows: &Rows) -> String {
    let mut table = format!("{HEAD}\n");
    for ((operation, level, what), (bytes, counts)) in rows {
        table += &format!("{operation}\t{level}\t{what}\t{bytes}\t{counts}\n");
    }
    table
}

/// All counts of a row together.
fn sum(counts: &str) -> u64 {
    counts.split(' ').filter_map(|it| it.split_once('=')?.1.parse::<u64>().ok()).sum()
}

/// The algorithm of a row.
fn algorithm(row: &Row) -> &str {
    row.0.split('/').next().unwrap_or_default()
}

/// The algorithms that the table knows nothing of, if it knows any: they are new, and nothing of
/// them has changed.
fn newcomers<'r>(kept: &Rows, fresh: &'r Rows) -> BTreeSet<&'r str> {
    if kept.is_empty() {
        return BTreeSet::new();
    }
    let known: BTreeSet<&str> = kept.keys().map(algorithm).collect();
    fresh.keys().map(algorithm).filter(|it| !known.contains(it)).collect()
}

/// What is not as the table has it, of the levels that were counted, newcomers left out; grown
/// ones first.
fn differences(kept: &Rows, fresh: &Rows, levels: &[&str]) -> Vec<String> {
    let (mut grown, mut others) = (Vec::new(), Vec::new());
    let new = newcomers(kept, fresh);
    for (row, (bytes, counts)) in fresh.iter().filter(|it| !new.contains(algorithm(it.0))) {
        let name = format!("{} at {}, {}", row.0, row.1, row.2);
        match kept.get(row) {
            None => others.push(format!("{name}: is not in the table")),
            Some((known, before)) if (known, before) != (bytes, counts) => {
                let line = format!("{name}: `{before}` is now `{counts}`");
                if sum(counts) > sum(before) { &mut grown } else { &mut others }.push(line);
            }
            Some(_) => {}
        }
    }
    for row in kept.keys().filter(|row| levels.contains(&row.1.as_str())) {
        if !fresh.contains_key(row) {
            others.push(format!("{} at {}, {}: is no more", row.0, row.1, row.2));
        }
    }
    grown.append(&mut others);
    grown
}

/// The counts of this machine's levels; in short, of one: compiling the library for counting is
/// what takes time, and takes it once a level.
fn fresh(short: bool) -> Result<Rows, String> {
    let mut command = workspace::cargo(&["run", "--quiet", "-p", "cipherlane-counts"]);
    command.args(["--profile", "counts", "--features", "counting"]);
    if short {
        command.env("RUSTFLAGS", "--cfg=cipherlane_few_levels");
    }
    parse(&workspace::output(&mut command)?)
}

pub(crate) fn run(options: &[String]) -> Outcome {
    let write = options.iter().any(|it| it == "--write");
    let short = options.iter().any(|it| it == "--short");
    if write && short {
        return Err("--write takes all levels of this machine: not with --short".to_owned());
    }
    let budget = Duration::from_secs(if short { 180 } else { 480 });
    stage("operations of kernels as in docs/notes/counts.tsv", budget, || {
        let fresh = fresh(short)?;
        let mut levels: Vec<&str> = fresh.keys().map(|row| row.1.as_str()).collect();
        levels.sort_unstable();
        levels.dedup();
        let path = workspace::root().join(TABLE);
        let kept = fs::read_to_string(&path).unwrap_or_else(|_| format!("{HEAD}\n"));
        let kept = parse(&kept).map_err(|error| format!("{TABLE}: {error}"))?;
        let mut absent: Vec<&str> = kept.keys().map(|row| row.1.as_str()).collect();
        absent.sort_unstable();
        absent.dedup();
        absent.retain(|level| !levels.contains(level));
        if short {
            println!("   without --short: {}", absent.join(", "));
        } else {
            for level in absent {
                skip(&format!("counts at {level}"), "a CPU that has this level");
            }
        }
        for name in newcomers(&kept, &fresh) {
            println!("   {name} is not in the table: `cargo xtask counts --write` takes it in");
        }
        let differ = differences(&kept, &fresh, &levels);
        println!("   {} rows at {} levels, {} differ", fresh.len(), levels.len(), differ.len());
        for line in differ.iter().take(TOLD) {
            println!("   {line}");
        }
        if write {
            // Levels that this CPU lacks stay as they are.
            let mut rows = kept.clone();
            rows.retain(|row, _| !levels.contains(&row.1.as_str()));
            rows.extend(fresh.clone());
            return fs::write(&path, render(&rows)).map_err(|error| format!("{TABLE}: {error}"));
        }
        if differ.is_empty() {
            return Ok(());
        }
        let remedy = "if that is meant, `cargo xtask counts --write`";
        Err(format!("{} rows of {TABLE} are not what kernels do: {remedy}", differ.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(lines: &[&str]) -> Rows {
        parse(&format!("{HEAD}\n{}", lines.join("\n"))).unwrap()
    }

    #[test]
    fn a_table_is_read_as_it_was_written() {
        let kept = rows(&["sm4/ctr\tavx2\tlong\t65536\txor=3 xor3=2", "a/b\tavx2\tbatch\t1\tor=1"]);
        assert_eq!(parse(&render(&kept)).unwrap(), kept);
        assert!(parse("another\n").is_err());
        assert!(parse(&format!("{HEAD}\nsm4/ctr\tavx2\n")).is_err());
        assert!(parse(&format!("{HEAD}\na\tb\tc\tmany\txor=1\n")).is_err());
    }

    /// The table of `docs/notes/sm4-gfni.md`: a round and group, and what is around the rounds.
    #[test]
    fn counter_mode_of_sm4_takes_what_its_derivation_says() {
        let table = fs::read_to_string(workspace::root().join(TABLE)).unwrap();
        let rows = parse(&table).unwrap();
        for (level, bytes) in [("aesni", 16), ("avx2", 32), ("avx2-gfni", 32), ("avx512", 64)] {
            let row = ("sm4/ctr".to_owned(), level.to_owned(), "long".to_owned());
            let (data, counts) = &rows[&row];
            let groups = data / (16 * bytes);
            // In the level's registers, and in narrow ones where those are others.
            let count = |name: &str| -> u64 {
                let fields = counts.split(' ').filter_map(|it| it.split_once('='));
                let named =
                    fields.filter(|it| it.0.strip_prefix("narrow.").unwrap_or(it.0) == name);
                named.map(|it| it.1.parse::<u64>().unwrap()).sum()
            };
            assert_eq!(count("affine_inverse8"), groups * 32 * 8, "{level}");
            // On the way out every byte takes the sum of the other three of its word; on the way
            // in a block does, in one register.
            assert_eq!(count("xor3"), groups * (32 * (4 + 4 + 4) + 16 + 1), "{level}");
            // The sums that two rounds share, the data, and the last byte of a counter, which is
            // in three sums.
            assert_eq!(count("xor"), groups * (32 * 2 + 16 + 3), "{level}");
            // Into the basis a block and the last bytes.
            assert_eq!(count("affine8"), groups * (16 + 2), "{level}");
            // Transposed on the way out alone.
            assert_eq!(count("unpack"), groups * 64, "{level}");
            // The data, and the bytes of a block, four times each.
            assert_eq!(count("store"), groups * (16 + 4), "{level}");
        }
    }

    #[test]
    fn growth_is_found_first_and_other_levels_are_left_alone() {
        let kept = rows(&[
            "a\tavx2\tlong\t64\txor=3",
            "b\tavx2\tlong\t64\txor=3",
            "c\tneon\tlong\t64\tor=1",
        ]);
        assert!(differences(&kept, &kept, &["avx2", "neon"]).is_empty());
        let fresh = rows(&["a\tavx2\tlong\t64\txor=2", "b\tavx2\tlong\t64\txor=3 xor3=1"]);
        let found = differences(&kept, &fresh, &["avx2"]);
        assert_eq!(found.len(), 2);
        assert!(found[0].starts_with("b at avx2, long: `xor=3` is now"), "{found:?}");
        let none = differences(&kept, &Rows::new(), &["avx2"]);
        assert!(none.len() == 2 && none[0].ends_with("is no more"), "{none:?}");
        assert_eq!(differences(&Rows::new(), &fresh, &["avx2"]).len(), 2);
    }

    #[test]
    fn an_algorithm_that_the_table_does_not_know_is_new_and_no_difference() {
        let kept = rows(&["sm4/ctr\tavx2\tlong\t64\txor=3"]);
        let fresh = rows(&[
            "sm4/ctr\tavx2\tlong\t64\txor=3",
            "speck/ctr\tavx2\tlong\t64\txor=1",
            "speck/ofb\tavx2\tlong\t64\txor=1",
        ]);
        assert_eq!(newcomers(&kept, &fresh).into_iter().collect::<Vec<_>>(), ["speck"]);
        assert!(differences(&kept, &fresh, &["avx2"]).is_empty());
        // Another operation of an algorithm that it knows is one.
        let fresh = rows(&["sm4/ctr\tavx2\tlong\t64\txor=3", "sm4/b\tavx2\tlong\t64\txor=3"]);
        assert_eq!(differences(&kept, &fresh, &["avx2"]).len(), 1);
    }
}
