//! Going on with a run that was stopped.

use super::core_cycles::with_core_cycles;
use super::engine_pool::EnginePool;
use crate::Cell;
use crate::plan::Member;
use crate::record::{Canaries, Dropped, Results, Row};

/// What an earlier run measured of a cell, if its outputs were those of now.
pub(super) fn row(
    earlier: &Results,
    pool: &EnginePool,
    cell: &Cell,
    member: &Member,
    digest: &str,
) -> Option<Row> {
    let rows = if member.again { &earlier.again } else { &earlier.rows };
    let cell = Cell { level: member.level.clone(), ..cell.clone() };
    let same = |row: &&Row| {
        row.engine == pool.name(member.engine) && row.cell == cell && row.digest == digest
    };
    rows.iter().find(same).cloned()
}

/// The passes of both; the figures are those of the one with the fastest pass. Where one of them
/// is flagged as disturbed and the other isn't, its passes are dropped.
pub(super) fn merged(earlier: Option<Row>, measured: Option<Row>) -> Option<Row> {
    let (earlier, measured) = match (earlier, measured) {
        (Some(earlier), Some(measured)) => (earlier, measured),
        (one, other) => return one.or(other),
    };
    let disturbed = |row: &Row| row.flags.iter().any(|flag| flag == "canary");
    match (disturbed(&earlier), disturbed(&measured)) {
        (true, false) => return Some(without(measured, earlier)),
        (false, true) => return Some(without(earlier, measured)),
        _ => {}
    }
    let passes = [earlier.passes.as_slice(), &measured.passes].concat();
    let canaries = [known(&earlier).as_slice(), &known(&measured)].concat();
    let dropped = [earlier.dropped.as_slice(), &measured.dropped].concat();
    let min_cycles = earlier.min_cycles.min(measured.min_cycles);
    let default = measured.default;
    let faster = if measured.median_cycles < earlier.median_cycles { measured } else { earlier };
    let row = Row { passes, canaries, dropped, min_cycles, default, ..faster };
    Some(with_core_cycles(row))
}

/// The canaries of all passes; those of a file of the first schema are unknown.
fn known(row: &Row) -> Vec<Canaries> {
    let mut canaries = row.canaries.clone();
    canaries.resize(row.passes.len(), Canaries::default());
    canaries
}

/// A row to which another, whose passes were disturbed, leaves them among the dropped.
fn without(row: Row, disturbed: Row) -> Row {
    let canaries = known(&disturbed);
    let passes = disturbed.passes.into_iter().zip(canaries);
    let left = passes.map(|(samples, canaries)| {
        let why = "canary".to_owned();
        Dropped { samples, canaries, why }
    });
    let dropped = row.dropped.into_iter().chain(disturbed.dropped).chain(left).collect();
    Row { dropped, ..row }
}
