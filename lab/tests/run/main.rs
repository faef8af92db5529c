//! Whole runs over engines whose behaviour is known.
#![cfg(unix)]

mod figures;
mod file;
mod refusals;

use std::path::{Path, PathBuf};
use std::time::Duration;

use lab::compare::{Verdict, compare};
use lab::record::{By, Results, Row, Unit};
use lab::run::{Options, Outcome, Progress, run};
use lab::study::{Choice, Study};
use lab::{KeySetup, LabError, Model};

fn options(engines: &[&str]) -> Options {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake/engine.sh");
    Options {
        engines: engines.iter().map(ToString::to_string).collect(),
        samples: 5,
        passes: 3,
        timeout: Duration::from_secs(20),
        command: "test".to_owned(),
        default_level: Some("low".to_owned()),
        ..Options::new(program)
    }
}

const STUDY: &str = r#"
title = "Toy"
[[select]]
what = ["toy/ctr"]
models = ["init", "message"]
sizes = [16, 100]
"#;

fn study() -> Study {
    Study::from_toml(STUDY).expect("a study")
}

/// Named on the command line.
fn named(engines: &[&str]) -> Study {
    let engines = engines.iter().map(ToString::to_string).collect();
    Study { engines: Some(engines), ..study() }
}

#[derive(Default)]
struct Notes {
    planned: u64,
    series: Vec<String>,
    notes: Vec<String>,
}

impl Progress for Notes {
    fn planned(&mut self, series: u64, seconds: f64) {
        assert!(seconds > 0.0);
        self.planned = series;
    }
    fn series(&mut self, label: &str, done: u64, seconds_left: f64) {
        assert!(done <= self.planned && seconds_left >= -1e-9, "{label} {done} {seconds_left}");
        self.series.push(label.to_owned());
    }
    fn note(&mut self, text: &str) {
        assert!(!text.contains('\n'), "{text}");
        self.notes.push(text.to_owned());
    }
}

fn good(engines: &[&str]) -> Outcome {
    run(&study(), &options(engines), &mut ()).expect("a run")
}

fn rows<'r>(results: &'r Results, engine: &str) -> Vec<&'r Row> {
    results.rows.iter().filter(|row| row.engine == engine).collect()
}

fn schema() -> jsonschema::Validator {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("results.schema.json");
    let text = std::fs::read_to_string(file).expect("the schema");
    let schema = serde_json::from_str(&text).expect("JSON");
    jsonschema::validator_for(&schema).expect("a schema")
}
