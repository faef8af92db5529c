//! The published figures (`published/*.json`), built in.

use serde_json::Value;

use crate::LabError;

/// The files, by the name of their study.
const FILES: [(&str, &str); 3] = [
    ("zuc-report", include_str!("../../published/zuc-report.json")),
    ("jilin-1999", include_str!("../../published/jilin-1999.json")),
    ("sm4-lab", include_str!("../../published/sm4-lab.json")),
];

/// The published file of a study.
///
/// # Errors
/// [`LabError::Value`] naming the files there are.
pub fn of(name: &str) -> Result<Value, LabError> {
    let Some((_, text)) = FILES.iter().find(|(file, _)| *file == name) else {
        return Err(LabError::Value {
            field: "published",
            value: name.to_owned(),
            allowed: FILES.map(|(name, _)| name).join(", "),
        });
    };
    serde_json::from_str(text).map_err(|error| LabError::Study { why: error.to_string() })
}

/// A published value.
#[derive(Clone, Debug, PartialEq)]
pub enum Published {
    /// A figure.
    Number(f64),
    /// Words.
    Words(String),
    /// A cell that the publication leaves empty.
    Empty,
}

/// The value that a pointer leads to; `None` if there is none, or a whole table.
#[must_use]
pub fn at(file: &Value, pointer: &str) -> Option<Published> {
    match file.pointer(pointer)? {
        Value::Null => Some(Published::Empty),
        Value::Number(number) => number.as_f64().map(Published::Number),
        Value::String(words) => Some(Published::Words(words.clone())),
        Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Core cycles a tick of the published machine's clock; `None` where the publication leaves it open.
#[must_use]
pub fn core_per_tick(file: &Value) -> Option<f64> {
    file.pointer("/platform/core_per_tick")?.as_f64().filter(|rate| *rate > 0.0)
}

/// What stands in a file beside its tables: names, units, and how to read it.
const ASIDE: [&str; 20] = [
    "study",
    "seed",
    "title",
    "platform",
    "method",
    "units",
    "algorithm",
    "registry",
    "operation",
    "operations",
    "sizes",
    "definition",
    "function",
    "correctness_vector",
    "language",
    "principles",
    "tasks",
    "figures",
    "claims",
    "conclusions",
];

/// The pointers to every published value of the tables: all numbers and empty cells. What
/// stands beside the tables, remarks and the lists of sentences are left out.
#[must_use]
pub fn cells(file: &Value) -> Vec<String> {
    let mut found = Vec::new();
    collect(file, String::new(), &mut found);
    found
}

fn collect(value: &Value, place: String, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                if !ASIDE.contains(&name.as_str()) {
                    collect(value, format!("{place}/{}", escaped(name)), found);
                }
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect(item, format!("{place}/{index}"), found);
            }
        }
        Value::Number(_) | Value::Null => found.push(place),
        Value::String(_) | Value::Bool(_) => {}
    }
}

/// A name as a part of a JSON pointer (RFC 6901).
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
