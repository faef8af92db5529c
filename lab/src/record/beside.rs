//! Conditions of a row that are not the usual ones, in words.

use super::Row;

/// How a row was measured otherwise than usual, after a comma; nothing if it was not.
pub(crate) fn beside(row: &Row) -> String {
    let mut text = match row.cell.unaligned {
        0 => String::new(),
        bytes => format!(", unaligned by {bytes} B"),
    };
    if row.cell.cold {
        text.push_str(", cold");
    }
    text
}
