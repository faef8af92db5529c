//! What is below four fifths of its floor, as `cipherlane floor` says.

use std::process::Command;

use serde_json::Value;

use super::bench::Bench;

/// Percent of the floor that a kernel is to reach.
pub(super) const PERCENT: f64 = 80.0;

/// The schema of what the verb prints.
const SCHEMA: &str = "cipherlane-floor/1";

/// A kernel beside its floor.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Floor {
    pub(super) operation: String,
    pub(super) level: String,
    /// `long` or `batch`.
    pub(super) what: String,
    /// The floor in parts of what was measured, in percent.
    pub(super) percent: f64,
    /// What binds, e.g. `affine: port 0+1`.
    pub(super) binds: String,
}

impl Floor {
    fn is_below(&self) -> bool {
        self.percent < PERCENT
    }

    fn is(&self, other: &Self) -> bool {
        (&self.operation, &self.level, &self.what) == (&other.operation, &other.level, &other.what)
    }
}

/// How many kernels have a floor, and those below it, the lowest first.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Floors {
    pub(super) compared: usize,
    pub(super) below: Vec<Floor>,
    /// Why the last count is not to be believed, as the verb says it.
    pub(super) doubts: Vec<String>,
}

/// Asks for the floors so many times more and keeps what is below each time; or why there is none.
pub(super) fn below(bench: &Bench, names: &[String], counts: usize) -> Result<Floors, String> {
    let mut doubts = Vec::new();
    let floors = settle(counts, || {
        let mut command = Command::new(&bench.program);
        command.arg("floor").args(names).arg("--json");
        let output = command.output().map_err(|error| error.to_string())?;
        if !output.status.success() {
            let told = String::from_utf8_lossy(&output.stderr);
            return Err(told.lines().next().unwrap_or("it says nothing").to_owned());
        }
        let text = String::from_utf8_lossy(&output.stdout);
        doubts = doubted(&text);
        read(&text)
    })?;
    Ok(Floors { doubts, ..floors })
}

/// The doubts in what the verb prints.
fn doubted(json: &str) -> Vec<String> {
    let value: Value = serde_json::from_str(json).unwrap_or_default();
    let doubts = value["doubts"].as_array().into_iter().flatten();
    doubts.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn settle(
    counts: usize,
    mut floors: impl FnMut() -> Result<Vec<Floor>, String>,
) -> Result<Floors, String> {
    let first = floors()?;
    let compared = first.len();
    let mut below: Vec<Floor> = first.into_iter().filter(Floor::is_below).collect();
    for _ in 0..counts {
        if below.is_empty() {
            break;
        }
        let again = floors()?;
        below.retain_mut(|kept| match again.iter().find(|it| it.is(kept)) {
            Some(now) => {
                kept.percent = kept.percent.max(now.percent);
                now.is_below()
            }
            None => true,
        });
    }
    below.sort_by(|a, b| a.percent.total_cmp(&b.percent));
    Ok(Floors { compared, below, ..Floors::default() })
}

fn read(json: &str) -> Result<Vec<Floor>, String> {
    let value: Value = serde_json::from_str(json).map_err(|error| error.to_string())?;
    if value["schema"] != SCHEMA {
        return Err(format!("its schema is {}, not `{SCHEMA}`", value["schema"]));
    }
    let rows = value["operations"].as_array().ok_or("it has no operations")?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    rows.iter()
        .map(|row| {
            Ok(Floor {
                operation: text(&row["operation"]),
                level: text(&row["level"]),
                what: text(&row["what"]),
                percent: row["percent"].as_f64().ok_or("an operation has no percent")?,
                binds: text(&row["binds"]),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floor(operation: &str, percent: f64) -> Floor {
        let (level, what, binds) = ("avx2".to_owned(), "long".to_owned(), "port 0".to_owned());
        Floor { operation: operation.to_owned(), level, what, percent, binds }
    }

    #[test]
    fn what_the_verb_prints_is_read() {
        let text = r#"{"schema": "cipherlane-floor/1", "operations": [{"operation": "a/x",
            "level": "avx2", "what": "long", "bytes": 64, "measured": 2.0, "floor": 1.0,
            "percent": 50.0, "bound": "throughput", "binds": "port 0"}]}"#;
        assert_eq!(read(text).unwrap(), [floor("a/x", 50.0)]);
        assert!(read(&text.replace("floor/1", "floor/2")).is_err());
        assert!(read(&text.replace("percent", "share")).is_err());
        assert!(read("").is_err());
        assert!(doubted(text).is_empty() && doubted("").is_empty());
        let doubtful =
            text.replace("\"operations\"", "\"doubts\": [\"avx2: busy\"], \"operations\"");
        assert_eq!(doubted(&doubtful), ["avx2: busy"]);
    }

    #[test]
    fn what_is_below_once_only_is_not_below() {
        let mut runs = [[70.0, 60.0, 90.0], [81.0, 75.0, 50.0]].into_iter();
        let found = settle(3, || {
            let run = runs.next().unwrap_or([90.0, 79.9, 90.0]);
            Ok(["a", "b", "c"].into_iter().zip(run).map(|(name, it)| floor(name, it)).collect())
        });
        let (below, doubts) = (vec![floor("b", 79.9)], Vec::new());
        assert_eq!(found.unwrap(), Floors { compared: 3, below, doubts });
        assert!(settle(1, || Err("no such verb".to_owned())).is_err());
    }
}
