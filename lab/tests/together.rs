//! Runs on all CPUs at once, over engines whose behaviour is known.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use lab::Model;
use lab::record::Results;
use lab::run::{Options, run};
use lab::study::Study;

const STUDY: &str = r#"
title = "Toy"
[[select]]
what = ["toy/ctr"]
levels = ["low"]
models = ["init", "message"]
sizes = [100]
"#;

/// The results of an engine; none where this machine has one CPU, which is told.
fn results(engine: &str) -> Option<Results> {
    run_with(engine, |few| Options { together: true, ..few })
}

fn run_with(engine: &str, with: impl Fn(Options) -> Options) -> Option<Results> {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake/engine.sh");
    let engines = vec![engine.to_owned()];
    let few = Options { engines, samples: 3, passes: 3, ..Options::new(program) };
    let study = Study::from_toml(STUDY).expect("a study");
    let outcome = run(&study, &with(few), &mut ());
    if available_parallelism().is_ok_and(|cpus| cpus.get() > 1) {
        return Some(outcome.expect("a run").results);
    }
    let error = outcome.expect_err("one CPU").to_string();
    assert!(error.ends_with(" is `on 1 CPU`; allowed: 2 CPUs or more"), "{error}");
    None
}

#[test]
fn all_together_have_the_throughput_of_their_sum() {
    let Some(results) = results("honest") else { return };
    let cpus = available_parallelism().expect("told").get();
    assert_eq!(results.rows.len(), 2);
    for row in &results.rows {
        let together = row.together.as_ref().expect("measured");
        assert_eq!(together.processes as usize, cpus);
        assert_eq!((together.alone.len(), together.beside.len()), (3, 3));
        assert!(together.beside.iter().all(|round| round.len() == cpus), "{together:?}");
        // This engine takes as long whoever works beside it.
        assert!((together.slowdown - 1.0).abs() < 1e-6, "{together:?}");
        let one = row.cell.size as f64 * 8.0 * results.machine.tsc_hz / together.alone[0] / 1e6;
        match together.mbps {
            Some(mbps) => assert!((mbps / one / cpus as f64 - 1.0).abs() < 0.01, "{mbps} {one}"),
            None => assert_eq!(row.cell.model, Model::Init),
        }
    }
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("results.schema.json");
    let schema = std::fs::read_to_string(file).expect("the schema");
    let schema = serde_json::from_str(&schema).expect("JSON");
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    let json = results.to_json();
    let value = serde_json::from_str(&json).expect("JSON");
    let errors: Vec<String> = schema.iter_errors(&value).map(|it| it.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let back = Results::from_json("the file", &json).expect("read back");
    assert_eq!(back.rows[1].together, results.rows[1].together);
}

#[test]
fn what_did_not_work_at_the_same_time_is_no_figure() {
    for (engine, why) in [
        ("late", "its processes did not come to work at the same time"),
        ("silent", "its processes did not come to work at the same time"),
        ("shy", "shy is not measured beside others"),
    ] {
        let Some(results) = results(engine) else { return };
        assert!(results.rows.iter().all(|row| row.together.is_none()), "{engine}");
        let reasons: Vec<&str> = results.missing.iter().map(|it| it.reason.as_str()).collect();
        let reason = format!("on all CPUs at once: {why}");
        assert_eq!(reasons, [reason.as_str(); 2], "{engine}");
    }
}

#[test]
fn percentiles_are_of_single_calls_of_all_processes() {
    let single = |engine| run_with(engine, |few| Options { percentiles: true, ..few });
    let Some(results) = single("honest") else { return };
    let cpus = available_parallelism().expect("told").get() as u64;
    for row in &results.rows {
        let found = row.percentiles.as_ref().expect("measured");
        assert!(row.together.is_none());
        assert_eq!((u64::from(found.processes), found.calls), (cpus, 10_001 * cpus));
        // This engine says that the nth call of a process takes n ticks.
        let tick = 1e9 / results.machine.tsc_hz;
        for (ns, ticks) in [
            (found.p50_ns.expect("enough"), 5001.0),
            (found.p99_ns.expect("enough"), 9901.0),
            (found.p999_ns.expect("enough"), 9991.0),
            (found.max_ns, 10_001.0),
            (found.timer_ns, 26.0),
        ] {
            assert!((ns / tick / ticks - 1.0).abs() < 0.001, "{found:?} {ticks}");
        }
    }
    let Some(results) = single("coarse") else { return };
    assert!(results.rows.iter().all(|row| row.percentiles.is_none()));
    let why = "on all CPUs at once: the engine did not time each call by itself";
    assert!(results.missing.iter().all(|it| it.reason == why), "{:?}", results.missing);
}
