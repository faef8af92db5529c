//! Figures of a row in core cycles.

use crate::record::Row;

/// The row with its figures in core cycles, where every pass can be converted.
pub(super) fn with_core_cycles(row: Row) -> Row {
    let core = row.in_core_cycles(None);
    let figure = |of: fn(&Row) -> Option<f64>| core.as_ref().and_then(of).map(round);
    let per_byte = figure(|core| core.cycles_per_byte);
    let per_setup = figure(|core| core.cycles_per_setup);
    Row { core_cycles_per_byte: per_byte, core_cycles_per_setup: per_setup, ..row }
}

/// To the ten-thousandth of a cycle: less than any clock resolves.
pub(super) fn round(x: f64) -> f64 {
    (x * 1e4).round() / 1e4
}
