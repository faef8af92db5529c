//! The library's operations, measured as `bench` does.

use std::path::Path;

use cipherlane::Level;
use cipherlane::registry::{New, algorithm};
use lab::Model;
use lab::floor::Row;
use lab::record::Results;
use lab::run::Options;
use lab::study::{Choice, Filter, Study};

use crate::failure::Failure;
use crate::files::stop;
use crate::progress::Bar;

/// The lengths whose difference is taken, as in the table of counts: nothing that is done once for
/// a message is in it. Both lie in the first caches.
const LONG: [u64; 2] = [8 << 10, 16 << 10];
/// Where an algorithm allows no more than 2500 bytes under one IV, and of each message of a batch of a
/// stream cipher.
const SHORT: [u64; 2] = [1 << 10, 2 << 10];
/// Of each message of a batch of a block cipher: below 2 KiB blocks under one key don't fill the longest
/// tile, SM4's, and what the rest of it costs would be missing in the difference.
const FILLED: [u64; 2] = [2 << 10, 4 << 10];
/// One message: with its key set up before, or where that has no meaning, in the clock; what is
/// done once is in neither figure.
const ONE: &[Model] = &[Model::Message, Model::Packet];
/// Many messages.
const MANY: &[Model] = &[Model::Batch];
/// The messages of a batch, as in the table: they fill every stream cipher's lanes.
const MESSAGES: u32 = 512;
/// The same of a block cipher: they fill its lanes, too, and twice as long lie in the same caches.
const OF_BLOCKS: u32 = 128;

/// The lengths of a row of the table.
fn sizes(row: &Row) -> [u64; 2] {
    match &*row.what {
        "batch" if of_blocks(row) => FILLED,
        "batch" => SHORT,
        _ if row.bytes < LONG[1] => SHORT,
        _ => LONG,
    }
}

/// Whether a row is an operation of a block cipher.
fn of_blocks(row: &Row) -> bool {
    let name = row.operation.split_once('/').map_or(&*row.operation, |(name, _)| name);
    algorithm(name).is_some_and(|it| matches!(it.new, New::Block { .. }))
}

/// Measures the rows' operations.
///
/// # Errors
/// What a run fails of.
pub(super) fn measure(rows: &[Row], levels: &[Level], program: &Path) -> Result<Results, Failure> {
    let choice = |models: &[Model], sizes: [u64; 2], messages: u32| Choice {
        engines: Some(vec!["cipherlane".to_owned()]),
        levels: Some(levels.iter().map(|level| level.name().to_owned()).collect()),
        models: Some(models.to_vec()),
        sizes: Some(sizes.to_vec()),
        messages: Some(vec![messages]),
        ..Choice::default()
    };
    let mut study: Option<Study> = None;
    for (models, what, of, messages) in [
        (ONE, "long", LONG, MESSAGES),
        (ONE, "long", SHORT, MESSAGES),
        (MANY, "batch", SHORT, MESSAGES),
        (MANY, "batch", FILLED, OF_BLOCKS),
    ] {
        let mut filters: Vec<Filter> = Vec::new();
        for row in rows.iter().filter(|row| row.what == what && sizes(row) == of) {
            let filter: Filter = row.operation.parse()?;
            if !filters.contains(&filter) {
                filters.push(filter);
            }
        }
        if filters.is_empty() {
            continue;
        }
        let part = Study::from_options(&filters, choice(models, of, messages))?;
        match &mut study {
            Some(study) => study.selections.extend(part.selections),
            None => study = Some(part),
        }
    }
    let study = study.unwrap_or_else(Study::headline);
    let options = Options { passes: 3, ..Options::new(program.to_owned()) };
    stop::heed();
    let mut bar = Bar::new();
    Ok(lab::run::run(&study, &options, &mut bar)?.results)
}

/// Ticks a byte of a row's operation, of the second half of a message.
pub(super) fn slope(results: &Results, row: &Row) -> Option<f64> {
    let models = if row.what == "batch" { MANY } else { ONE };
    let least = |size: u64| {
        let of = |model: &Model| {
            let found = results.rows.iter().find(|it| {
                (it.cell.model, it.cell.size, it.cell.level.as_str())
                    == (*model, size, row.level.as_str())
                    && format!("{}/{}", it.cell.algorithm, it.cell.operation) == row.operation
            });
            found.map(|it| it.min_cycles)
        };
        models.iter().find_map(of)
    };
    let [half, whole] = sizes(row);
    Some((least(whole)? - least(half)?) / (whole - half) as f64).filter(|ticks| *ticks > 0.0)
}
