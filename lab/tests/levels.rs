//! The level that a caller gets, in the results of a run.
#![cfg(unix)]

use std::path::Path;

use lab::record::Results;
use lab::run::{Options, run};
use lab::study::Study;

const STUDY: &str = r#"
title = "Toy"
[[select]]
what = ["toy/ctr"]
models = ["message"]
sizes = [16]
"#;

/// A run of these engines on a machine whose callers get the level `low`.
fn measured(engines: &[&str]) -> Results {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake/engine.sh");
    let options = Options {
        engines: engines.iter().map(ToString::to_string).collect(),
        samples: 5,
        passes: 3,
        command: "test".to_owned(),
        default_level: Some("low".to_owned()),
        ..Options::new(program)
    };
    run(&Study::from_toml(STUDY).expect("a study"), &options, &mut ()).expect("a run").results
}

#[test]
fn rows_of_the_library_say_which_level_a_caller_gets() {
    let results = measured(&["cipherlane", "other"]);
    assert_eq!(results.machine.levels, ["low", "high"]);
    assert!(results.rows.iter().any(|row| row.default));
    for row in &results.rows {
        assert_eq!(row.default, row.engine == "cipherlane" && row.cell.level == "low", "{row:?}");
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("results.schema.json");
    let schema = std::fs::read_to_string(file).expect("the schema");
    let schema = serde_json::from_str(&schema).expect("JSON");
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    let value: serde_json::Value = serde_json::from_str(&results.to_json()).expect("JSON");
    assert!(schema.is_valid(&value));
    let said = value["rows"].as_array().expect("rows").iter().filter(|row| row["default"] == true);
    assert_eq!(said.count(), results.rows.iter().filter(|row| row.default).count());
    // A file of before has no such field, and is told by the names.
    let text = results.to_json().replace("\"default\":true,", "");
    let older = Results::from_json("x", &text).expect("an older file");
    assert!(older.rows.iter().all(|row| !row.default));
    let default = |results: &Results| -> Vec<bool> {
        results.rows.iter().map(|row| results.is_default(row)).collect()
    };
    assert_eq!(default(&older), default(&results));
}
