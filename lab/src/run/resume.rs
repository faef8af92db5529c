//! Going on with a run that was stopped.

use super::crew::Crew;
use crate::Cell;
use crate::plan::Member;
use crate::record::{Results, Row};

/// What an earlier run measured of a cell, if its outputs were those of now.
pub(super) fn row(
    earlier: &Results,
    crew: &Crew,
    cell: &Cell,
    member: &Member,
    digest: &str,
) -> Option<Row> {
    let rows = if member.again { &earlier.again } else { &earlier.rows };
    let same = |row: &&Row| {
        row.engine == crew.name(member.engine)
            && row.level == member.level
            && row.algorithm == cell.algorithm
            && row.operation == cell.operation
            && row.model == cell.model.name()
            && row.size == cell.size
            && row.messages == cell.messages
            && row.keys == cell.keys.name()
            && row.mix == cell.mix
            && row.threads == cell.threads
            && row.nonce_bytes == cell.nonce_bytes
            && row.aad_bytes == cell.aad_bytes
            && row.placement == cell.placement.name()
            && row.digest == digest
    };
    rows.iter().find(same).cloned()
}

/// The passes of both; the figures are those of the one with the fastest pass.
pub(super) fn merged(earlier: Option<Row>, measured: Option<Row>) -> Option<Row> {
    let (earlier, measured) = match (earlier, measured) {
        (Some(earlier), Some(measured)) => (earlier, measured),
        (one, other) => return one.or(other),
    };
    let passes = [earlier.passes.as_slice(), &measured.passes].concat();
    let min_cycles = earlier.min_cycles.min(measured.min_cycles);
    let default = measured.default;
    let faster = if measured.median_cycles < earlier.median_cycles { measured } else { earlier };
    Some(Row { passes, min_cycles, default, ..faster })
}
