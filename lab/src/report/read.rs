//! Reading a results file: complete, of the schema, and plausible before anything is made of it.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use super::ReportError;
use crate::record::{Results, Row, SCHEMA};

/// Reads and checks a results file.
///
/// # Errors
/// [`ReportError::Read`], [`ReportError::Truncated`] or [`ReportError::Invalid`].
pub fn read(path: &Path) -> Result<Results, ReportError> {
    let bytes =
        fs::read(path).map_err(|source| ReportError::Read { path: path.to_owned(), source })?;
    parse(&bytes, &path.display().to_string())
}

/// Parses and checks the text of a results file; `name` names it in errors.
///
/// # Errors
/// [`ReportError::Truncated`] or [`ReportError::Invalid`].
pub fn parse(bytes: &[u8], name: &str) -> Result<Results, ReportError> {
    let invalid = |reason: String| ReportError::Invalid { name: name.to_owned(), reason };
    let malformed = |error: serde_json::Error| {
        if error.is_eof() {
            let (line, column) = (error.line(), error.column());
            ReportError::Truncated { name: name.to_owned(), line, column }
        } else {
            invalid(error.to_string())
        }
    };
    // The schema's name is looked at first: another version would fail on some
    // field and the message would lead astray.
    let header: HashMap<String, serde_json::Value> =
        serde_json::from_slice(bytes).map_err(malformed)?;
    match header.get("schema").and_then(serde_json::Value::as_str) {
        Some(SCHEMA) => {}
        Some(other) => return Err(invalid(format!("schema is `{other}`; allowed: `{SCHEMA}`"))),
        None => return Err(invalid(format!("it has no field `schema`; allowed: `{SCHEMA}`"))),
    }
    let results: Results = serde_json::from_slice(bytes).map_err(malformed)?;
    for (index, row) in results.rows.iter().enumerate() {
        check(row).map_err(|reason| invalid(format!("rows[{index}]: {reason}")))?;
    }
    Ok(results)
}

/// What every reader relies on.
fn check(row: &Row) -> Result<(), String> {
    let figures = [
        ("median_cycles", row.median_cycles),
        ("q1_cycles", row.q1_cycles),
        ("q3_cycles", row.q3_cycles),
        ("min_cycles", row.min_cycles),
    ];
    for (field, value) in figures {
        if !(value.is_finite() && value > 0.0) {
            return Err(format!("{field} is {value}; allowed: above 0"));
        }
    }
    if !(row.q1_cycles <= row.median_cycles && row.median_cycles <= row.q3_cycles) {
        return Err("the median lies outside its quartiles".into());
    }
    let setup = matches!(row.model.as_str(), "init" | "key");
    match (setup, row.size, row.cycles_per_byte, row.cycles_per_setup) {
        (true, 0, None, Some(_)) => Ok(()),
        (false, 1.., Some(figure), None) if figure > 0.0 => Ok(()),
        (true, ..) => Err(format!(
            "model `{}` needs size 0 and cycles_per_setup, and no cycles_per_byte",
            row.model
        )),
        (false, ..) => Err(format!(
            "model `{}` needs a size above 0 and cycles_per_byte, and no cycles_per_setup",
            row.model
        )),
    }
}
