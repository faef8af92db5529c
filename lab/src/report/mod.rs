//! Reports from a results file alone: terminal table, HTML page, charts, CSV.
//!
//! Everything here is a function of [`Results`]; a report can be rebuilt on any
//! machine from `results.json`. The table in the studies' form ([`table`]) is
//! made once and printed twice, by [`terminal`] and by [`html`].

mod all_cpus;
pub mod chart;
mod claims;
mod conversion;
pub mod csv;
mod error;
mod figure;
mod headline;
pub mod html;
mod method;
mod missing;
mod picture;
mod read;
pub mod screen;
pub mod study;
pub mod table;
pub mod terminal;
pub mod together;
mod write;
mod zh;

#[cfg(test)]
pub(crate) mod fixture;
#[cfg(test)]
mod tests;

pub use error::ReportError;
pub use figure::{ratio, short, size_label};
pub use headline::headline;
pub use read::{parse, read};
pub use table::work;
pub use write::{Written, check_writable, json, write_all, write_file};

pub use crate::cell::SUBJECT;

use crate::record::{Results, Row};
use crate::{KeySetup, Mix, Model, Placement};

/// The message length of the headline and of the chart of levels, in bytes.
pub const HEADLINE_SIZE: u64 = 8192;

/// Everything but engine and level that two figures must share to be compared.
type Conditions<'r> = (Model, u64, u32, KeySetup, Mix, u32, u32, u32, u32, Place, &'r str);

/// Where data lies: placement, bytes from a boundary, in no cache.
type Place = (Placement, u32, bool);

fn conditions(row: &Row) -> Conditions<'_> {
    (
        row.cell.model,
        row.cell.size,
        row.cell.messages,
        row.cell.keys,
        row.cell.mix,
        row.cell.threads,
        row.cell.nonce_bytes,
        row.cell.aad_bytes,
        row.tag_bytes,
        (row.cell.placement, row.cell.unaligned, row.cell.cold),
        &row.clock,
    )
}

/// The rows' algorithms in the order of their first row.
fn algorithms(results: &Results) -> Vec<&str> {
    let mut names = Vec::new();
    for row in &results.rows {
        if !names.contains(&row.cell.algorithm.as_str()) {
            names.push(row.cell.algorithm.as_str());
        }
    }
    names
}

/// The place of an engine in the list of engines; unknown ones come last.
fn engine_rank(results: &Results, engine: &str) -> usize {
    results.engines.iter().position(|known| known.name == engine).unwrap_or(usize::MAX)
}

/// The place of a level on the machine card; `"-"` and unknown ones come last.
fn level_rank(results: &Results, level: &str) -> usize {
    results.machine.levels.iter().position(|known| known == level).unwrap_or(usize::MAX)
}
