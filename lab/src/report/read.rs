//! Reading a results file: complete, of the schema, and plausible before anything is made of it.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use super::ReportError;
use crate::record::{Results, Row, SCHEMAS};

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
        Some(schema) if SCHEMAS.contains(&schema) => {}
        Some(other) => return Err(invalid(format!("schema is `{other}`; allowed: {}", known()))),
        None => return Err(invalid(format!("it has no field `schema`; allowed: {}", known()))),
    }
    let results: Results = serde_json::from_slice(bytes).map_err(malformed)?;
    for (index, row) in results.rows.iter().enumerate() {
        check(row).map_err(|reason| invalid(format!("rows[{index}]: {reason}")))?;
    }
    Ok(results)
}

/// The schemas that are read, in words.
fn known() -> String {
    SCHEMAS.map(|schema| format!("`{schema}`")).join(" and ")
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
    conversion(row)?;
    let setup = row.cell.model.is_setup();
    match (setup, row.cell.size, row.cycles_per_byte, row.cycles_per_setup) {
        (true, 0, None, Some(_)) => Ok(()),
        (false, 1.., Some(figure), None) if figure > 0.0 => Ok(()),
        (true, ..) => Err(format!(
            "model `{}` needs size 0 and cycles_per_setup, and no cycles_per_byte",
            row.cell.model
        )),
        (false, ..) => Err(format!(
            "model `{}` needs a size above 0 and cycles_per_byte, and no cycles_per_setup",
            row.cell.model
        )),
    }
}

/// Canaries belong to passes one by one, and what converts a figure is a number above 0.
fn conversion(row: &Row) -> Result<(), String> {
    if !row.canaries.is_empty() && row.canaries.len() != row.passes.len() {
        let (canaries, passes) = (row.canaries.len(), row.passes.len());
        return Err(format!("it has canaries of {canaries} passes; allowed: {passes}, one a pass"));
    }
    let rates = row.canaries.iter().filter_map(|it| it.core_per_tick);
    let figures = [
        ("core_cycles_per_byte", row.core_cycles_per_byte),
        ("core_cycles_per_setup", row.core_cycles_per_setup),
    ];
    let figures = figures.into_iter().filter_map(|(field, value)| Some((field, value?)));
    for (field, value) in rates.map(|rate| ("core_per_tick", rate)).chain(figures) {
        if !(value.is_finite() && value > 0.0) {
            return Err(format!("{field} is {value}; allowed: above 0"));
        }
    }
    Ok(())
}
