//! Reading the records of all machines, each checked before anything is made of it.

use std::fs;
use std::path::Path;

use super::{FILE, Figure, Record, RecordError, SCHEMA};

/// A machine of the folder.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The name of its folder.
    pub folder: String,
    /// Its record, where it has one.
    pub record: Option<Record>,
    /// What else is kept of it: `floor.json`, `tuned.txt`.
    pub others: Vec<String>,
}

/// The machines of a folder, by name.
///
/// # Errors
/// [`RecordError::Read`] and [`RecordError::Invalid`].
pub fn read_all(folder: &Path) -> Result<Vec<Entry>, RecordError> {
    let failed = |source| RecordError::Read { path: folder.to_owned(), source };
    let mut entries = Vec::new();
    for machine in fs::read_dir(folder).map_err(failed)? {
        let machine = machine.map_err(failed)?.path();
        if !machine.is_dir() {
            continue;
        }
        let name =
            |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut others = Vec::new();
        for file in fs::read_dir(&machine).map_err(failed)? {
            others.push(name(&file.map_err(failed)?.path()));
        }
        others.retain(|other| other != FILE && !other.starts_with('.'));
        others.sort();
        let file = machine.join(FILE);
        let record = if file.exists() { Some(read(&file)?) } else { None };
        entries.push(Entry { folder: name(&machine), record, others });
    }
    entries.sort_by(|a, b| a.folder.cmp(&b.folder));
    Ok(entries)
}

/// A record.
///
/// # Errors
/// [`RecordError::Read`] and [`RecordError::Invalid`].
pub fn read(path: &Path) -> Result<Record, RecordError> {
    let invalid = |why: String| RecordError::Invalid { path: path.to_owned(), why };
    let bytes =
        fs::read(path).map_err(|source| RecordError::Read { path: path.to_owned(), source })?;
    let value: serde_json::Value =
        serde_json::from_slice(&bytes).map_err(|error| invalid(error.to_string()))?;
    // Looked at first: another schema would fail on some field and the message would lead astray.
    match value["schema"].as_str() {
        Some(SCHEMA) => {}
        schema => {
            let schema = schema.unwrap_or("absent");
            return Err(invalid(format!("schema is `{schema}`; allowed: `{SCHEMA}`")));
        }
    }
    let record: Record =
        serde_json::from_value(value).map_err(|error| invalid(error.to_string()))?;
    for (index, figure) in record.figures.iter().enumerate() {
        check(figure).map_err(|why| invalid(format!("figures[{index}]: {why}")))?;
    }
    Ok(record)
}

/// What every reader relies on.
fn check(figure: &Figure) -> Result<(), String> {
    for timed in std::iter::once(&figure.ours).chain(&figure.peers) {
        if !(timed.figure.is_finite() && timed.figure > 0.0) {
            return Err(format!(
                "figure of {} is {}; allowed: above 0",
                timed.engine, timed.figure
            ));
        }
    }
    let Some(best) = &figure.best else { return Ok(()) };
    if !figure.peers.iter().any(|peer| peer.engine == best.engine) {
        return Err(format!("best is `{}`, which is none of its peers", best.engine));
    }
    let sound = 0.0 < best.low && best.low <= best.ratio && best.ratio <= best.high;
    if sound && best.high.is_finite() {
        return Ok(());
    }
    let interval = format!("{} to {}", best.low, best.high);
    Err(format!("ratio is {} and its interval {interval}; allowed: inside, above 0", best.ratio))
}
