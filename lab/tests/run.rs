//! Whole runs over engines whose behaviour is known.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::time::Duration;

use lab::compare::{Verdict, compare};
use lab::record::{By, Results, Row, Unit};
use lab::run::{Options, Outcome, Progress, run};
use lab::study::{Choice, Study};
use lab::{LabError, Model};

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

#[test]
fn a_run_whose_time_is_up_ends_after_three_passes() {
    let options = Options { passes: 9, within: Some(Duration::ZERO), ..options(&["good"]) };
    let mut notes = Notes::default();
    let results = run(&study(), &options, &mut notes).expect("a run").results;
    assert!(results.rows.iter().all(|row| row.passes.len() == 3), "{:?}", results.rows);
    assert_eq!(notes.notes, ["the time is up after 3 passes"]);
}

#[test]
fn what_is_disturbed_is_measured_again_while_there_is_time() {
    let restless = |within| {
        let options = Options { within, ..options(&["restless"]) };
        let mut notes = Notes::default();
        let results = run(&study(), &options, &mut notes).expect("a run").results;
        assert!(results.rows.iter().all(|row| row.flags == ["canary"]), "{:?}", results.rows);
        (results.run.repeated, notes.notes)
    };
    let (repeated, notes) = restless(Some(Duration::from_secs(3600)));
    assert!(repeated > 0 && notes.is_empty(), "{repeated} {notes:?}");
    let (repeated, notes) = restless(Some(Duration::ZERO));
    assert_eq!(repeated, 0);
    assert_eq!(notes, ["the time is up: not all that was disturbed is measured again"]);
}

#[test]
fn figures_follow_from_the_samples() {
    let outcome = good(&["honest"]);
    assert!(outcome.mismatches.is_empty());
    // Two levels of init, 16 and 100 bytes.
    assert_eq!(outcome.results.rows.len(), 6);
    let message = outcome
        .results
        .rows
        .iter()
        .find(|row| row.size == 100 && row.level == "low")
        .expect("a row");
    assert_eq!(message.passes, vec![vec![400.0, 400.1, 400.2, 400.3, 400.4]; 3]);
    assert_eq!(
        (message.q1_cycles, message.median_cycles, message.q3_cycles),
        (400.1, 400.2, 400.3)
    );
    assert_eq!((message.min_cycles, message.repeats), (400.0, 10));
    assert_eq!((message.cycles_per_byte, message.cycles_per_setup), (Some(4.002), None));
    // The engine's chain takes 0.8 ticks an addition.
    assert_eq!(message.core_cycles_per_byte, Some(5.0025));
    assert_eq!(message.core_cycles_per_setup, None);
    assert_eq!(message.canaries.len(), 3);
    for canaries in &message.canaries {
        assert_eq!((canaries.core_per_tick, canaries.by), (Some(1.25), Some(By::Chain)));
        assert_eq!(
            (canaries.chain.as_slice(), canaries.switches),
            ([0.8, 0.8].as_slice(), Some(0.0))
        );
    }
    assert!(message.dropped.is_empty());
    let hertz = outcome.results.machine.tsc_hz;
    assert!((message.ns - 400.2 / hertz * 1e9).abs() < 0.01 * message.ns);
    assert!((message.mbps.expect("data") - 800.0 / message.ns * 1000.0).abs() < 0.1);
    assert_eq!((message.keys.as_str(), message.nonce_bytes), ("ready", 16));
    let init = outcome.results.rows.iter().find(|row| row.model == "init").expect("a row");
    assert_eq!((init.size, init.keys.as_str()), (0, "fresh"));
    assert_eq!((init.cycles_per_byte, init.mbps), (None, None));
    assert_eq!(init.cycles_per_setup, Some(init.median_cycles));
    assert_eq!(init.core_cycles_per_setup, Some(init.median_cycles * 1.25));
    assert_eq!(outcome.results.run.series, 18);
}

#[test]
fn the_results_file_fits_its_schema_and_is_read_back() {
    let outcome = good(&["honest", "other"]);
    let text = outcome.results.to_json();
    let value = serde_json::from_str(&text).expect("JSON");
    let errors: Vec<String> = schema().iter_errors(&value).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(value["machine"]["default_level"], "low");
    let again = Results::from_json("x", &text).expect("it reads its own file");
    assert_eq!(again.to_json(), text);

    // And the schema refuses what is not a results file.
    for (from, to) in [
        ("\"cipherlane-results/2\"", "\"cipherlane-results/1\""),
        ("\"by\":\"chain\"", "\"by\":\"hearsay\""),
        ("\"core_per_tick\":", "\"core_per_tock\":"),
        ("\"message\"", "\"massage\""),
        ("\"median_cycles\":", "\"medium_cycles\":"),
        ("\"in-place\"", "\"in place\""),
    ] {
        let broken = text.replace(from, to);
        assert_ne!(broken, text);
        let value = serde_json::from_str(&broken).expect("JSON");
        assert!(!schema().is_valid(&value), "{to}");
    }
}

#[test]
fn a_file_of_the_first_schema_is_still_read() {
    let text = include_str!("kept/results-1.json");
    let results = Results::from_json("kept", text).expect("it is read");
    assert_eq!(results.schema, "cipherlane-results/1");
    assert!(results.rows.len() > 10 && results.rows.iter().all(|row| row.canaries.is_empty()));
    // It holds one ratio, and all figures are converted by it.
    let ratio = results.machine.core_per_tsc;
    let core = results.in_core_cycles();
    assert!(ratio > 1.0 && core.unit == Unit::CoreCycles);
    for (ticks, core) in results.rows.iter().zip(&core.rows) {
        let rate = core.median_cycles / ticks.median_cycles;
        assert!((rate / ratio - 1.0).abs() < 1e-9, "{rate}");
    }
    // Written again it is what it was: of no new field is anything made up.
    let again: serde_json::Value = serde_json::from_str(&results.to_json()).expect("JSON");
    let mut kept: serde_json::Value = serde_json::from_str(text).expect("JSON");
    kept["run"]["dropped"] = 0.into();
    assert_eq!(again, kept);
    // And one without that ratio stays in ticks.
    let mut blind = results;
    blind.machine.core_per_tsc = 0.0;
    assert_eq!(blind.in_core_cycles().unit, Unit::Ticks);
}

#[test]
fn every_pass_is_converted_by_its_own_canaries() {
    let mut row = good(&["honest"]).results.rows[0].clone();
    row.passes = vec![vec![100.0; 3], vec![90.0; 3], vec![140.0; 3]];
    for (canaries, rate) in row.canaries.iter_mut().zip([1.0, 1.2, 0.5]) {
        canaries.core_per_tick = Some(rate);
    }
    let core = row.in_core_cycles(None).expect("all are known");
    assert_eq!(core.passes, [[100.0; 3], [108.0; 3], [70.0; 3]].map(Vec::from));
    assert_eq!((core.median_cycles, core.min_cycles), (70.0, 70.0));
    row.canaries[1].core_per_tick = None;
    assert!(row.in_core_cycles(None).is_none());
    let core = row.in_core_cycles(Some(1.1)).expect("the machine's ratio");
    assert_eq!(core.passes[1], [90.0 * 1.1; 3]);
}

#[test]
fn a_truncated_results_file_is_refused_in_one_line() {
    let text = good(&["honest"]).results.to_json();
    for cut in [0, 1, text.len() / 2, text.len() - 3] {
        let error = Results::from_json("r.json", &text[..cut]).expect_err("cut").to_string();
        assert!(error.starts_with("r.json: ") && !error.contains('\n'), "{error}");
    }
    let other = text.replacen("results/2", "results/9", 1);
    let error = Results::from_json("r.json", &other).expect_err("another schema").to_string();
    assert!(error.contains("cipherlane-results/9"), "{error}");
}

#[test]
fn a_liar_costs_the_cell_its_figures() {
    let outcome = good(&["honest", "liar", "other"]);
    assert_eq!(outcome.mismatches.len(), 3, "{:?}", outcome.mismatches);
    assert!(outcome.results.rows.is_empty());
    let mismatch = &outcome.mismatches[0];
    assert!(mismatch.contains("toy/ctr init: outputs differ"), "{mismatch}");
    assert!(mismatch.contains("bbbbbbbbbbbb… by liar low, liar high"), "{mismatch}");
    assert!(mismatch.contains("aaaaaaaaaaaa… by honest low"), "{mismatch}");
    assert_eq!(outcome.results.missing.len(), 18);
}

#[test]
fn an_output_that_changes_while_it_is_timed_is_no_figure() {
    let outcome = good(&["honest", "turns"]);
    let turned = rows(&outcome.results, "turns");
    // Every process of this engine turns after three series, in the middle of a pass of six.
    assert_eq!(turned.len(), 3, "{turned:?}");
    let reasons: Vec<&str> = outcome.results.missing.iter().map(|it| it.reason.as_str()).collect();
    assert!(
        reasons.iter().any(|reason| reason.contains("outputs differ from those")),
        "{reasons:?}"
    );
    assert_eq!(rows(&outcome.results, "honest").len(), 6);
}

#[test]
fn an_engine_that_nobody_named_is_left_out_when_it_fails() {
    for bad in ["hangs", "stuck", "dies", "quits", "mumbles", "fails", "missing", "refuses"] {
        let options = Options { timeout: Duration::from_millis(700), ..options(&["honest", bad]) };
        let mut notes = Notes::default();
        let outcome = run(&study(), &options, &mut notes).expect(bad);
        assert_eq!(rows(&outcome.results, "honest").len(), 6, "{bad}");
        assert!(rows(&outcome.results, bad).is_empty(), "{bad}");
        assert!(outcome.mismatches.is_empty(), "{bad}");
        if bad != "refuses" {
            assert!(notes.notes.iter().any(|note| note.contains(&format!("`{bad}`"))), "{bad}");
        }
        if bad != "missing" {
            let lost = outcome.results.missing.iter().filter(|it| it.engine == bad).count();
            assert_eq!(lost, 6, "{bad}: {:?}", outcome.results.missing);
        }
    }
}

#[test]
fn an_engine_that_was_named_ends_the_run_when_it_fails() {
    for bad in ["hangs", "dies", "quits", "mumbles", "fails", "missing"] {
        let options = Options { timeout: Duration::from_millis(700), ..options(&[]) };
        let error = run(&named(&["honest", bad]), &options, &mut ()).expect_err(bad).to_string();
        assert!(error.contains(&format!("`{bad}`")) && !error.contains('\n'), "{error}");
    }
}

#[test]
fn a_known_fault_is_a_refusal_with_its_reason() {
    let outcome = good(&["honest", "wrong"]);
    assert!(outcome.mismatches.is_empty());
    assert!(rows(&outcome.results, "wrong").is_empty());
    let missing =
        outcome.results.missing.iter().find(|it| it.engine == "wrong").expect("it is said");
    assert_eq!(missing.reason, "tail of 17 bytes, https://example.org/17");
}

#[test]
fn the_a_a_pair_is_measured_by_a_second_process() {
    let text = format!(
        "{STUDY}\n[again]\nengine = \"honest\"\nwhat = [\"toy/ctr\"]\nmodels = [\"message\"]\nsizes = [100]\n"
    );
    let study = Study::from_toml(&text).expect("a study");
    let outcome = run(&study, &options(&["honest", "other"]), &mut ()).expect("a run");
    assert_eq!(outcome.results.rows.len(), 12);
    let again: Vec<(&str, &str, u64)> = outcome
        .results
        .again
        .iter()
        .map(|row| (row.engine.as_str(), row.level.as_str(), row.size))
        .collect();
    assert_eq!(again, [("honest", "low", 100), ("honest", "high", 100)]);
}

#[test]
fn the_selection_decides_what_is_measured() {
    let select = |filters: &[&str], levels: Option<&str>, models: Option<Vec<Model>>, size: u64| {
        let filters: Vec<_> = filters.iter().map(|it| it.parse().expect("a filter")).collect();
        let levels = levels.map(|level| vec![level.to_owned()]);
        let choice = Choice { levels, models, sizes: Some(vec![size]), ..Choice::default() };
        let study = Study::from_options(&filters, choice);
        run(&study.expect("a study"), &options(&["honest"]), &mut ())
    };
    let outcome = select(&["toy"], Some("high"), Some(vec![Model::Message]), 32).expect("a run");
    let found: Vec<(&str, &str, u64)> = outcome
        .results
        .rows
        .iter()
        .map(|row| (row.operation.as_str(), row.level.as_str(), row.size))
        .collect();
    // A library that chooses its own level takes part whatever level was asked for.
    assert_eq!(found, [("ctr", "high", 32), ("ecb", "-", 32)]);

    let error = select(&["toy/xts"], None, None, 32).expect_err("unknown operation").to_string();
    assert_eq!(error, "nothing is called `toy/xts`; known: toy/ctr, toy/ecb");
    let error = select(&["sm5"], None, None, 32).expect_err("unknown algorithm").to_string();
    assert_eq!(error, "nothing is called `sm5`; known: toy");
    let error = select(&["toy"], Some("avx9"), None, 32).expect_err("unknown level").to_string();
    assert_eq!(error, "level is `avx9`; allowed: low, high on this CPU");
    let ecb = select(&["toy/ecb"], None, Some(vec![Model::Message]), 33);
    let error = ecb.expect_err("uneven").to_string();
    assert_eq!(error, "nothing to measure: 33 bytes are not whole blocks of 16");
    let key = select(&["toy/ctr"], None, Some(vec![Model::Key]), 16);
    let error = key.expect_err("no such model").to_string();
    assert_eq!(error, "nothing to measure: toy/ctr of honest has no model key");
}

#[test]
fn options_out_of_range_are_refused() {
    for samples in [0, 1, 2, 20, 20_001] {
        let options = Options { samples, ..options(&["honest"]) };
        let error = run(&study(), &options, &mut ()).expect_err("samples").to_string();
        assert!(error.starts_with(&format!("samples is `{samples}`; allowed: an odd")), "{error}");
    }
    let none = Options { passes: 0, ..options(&["honest"]) };
    let error = run(&study(), &none, &mut ()).expect_err("no pass").to_string();
    assert_eq!(error, "passes is `0`; allowed: 1 to 100");
    let error = run(&study(), &options(&[]), &mut ()).expect_err("no engine").to_string();
    assert!(error.contains("no engine is present"), "{error}");
    let nobody = Options { program: "/no/such/program".into(), ..options(&["honest"]) };
    assert!(run(&named(&["honest"]), &nobody, &mut ()).is_err());
}

#[test]
fn a_run_with_fewer_samples_says_so() {
    let outcome = run(&study(), &options(&["few"]), &mut ()).expect("a run");
    assert!(outcome.results.rows.iter().all(|row| row.flags == ["few samples"]));
    let quick = Options { quick: true, ..options(&["few"]) };
    let outcome = run(&study(), &quick, &mut ()).expect("a run");
    assert!(outcome.results.rows.iter().all(|row| row.flags == ["quick"]));
}

#[test]
fn two_files_are_joined_row_by_row_and_compared() {
    let a = good(&["honest", "other"]).results;
    let mut b = good(&["honest"]).results;
    b.machine.tsc_hz = a.machine.tsc_hz;
    for row in &mut b.rows {
        if row.level == "low" {
            row.passes.iter_mut().flatten().for_each(|sample| *sample *= 0.5);
        }
    }
    let comparisons = compare(&a, &b, false).expect("they share rows");
    assert_eq!(comparisons.len(), 6);
    for it in &comparisons {
        assert_eq!((&it.a.engine, &it.a.level, it.a.size), (&it.b.engine, &it.b.level, it.b.size));
        let expected = if it.a.level == "low" { Verdict::Ahead } else { Verdict::Tied };
        assert_eq!(it.verdict, expected, "{it:?}");
        assert!(it.low <= it.ratio && it.ratio <= it.high);
    }
    let slower = compare(&b, &a, false).expect("they share rows");
    assert!(slower.iter().any(|it| it.verdict == Verdict::Behind));
}

#[test]
fn machines_and_clocks_are_not_mixed_silently() {
    let a = good(&["honest"]).results;
    let mut b = a.clone();
    b.machine.cpu = "another".into();
    let error = compare(&a, &b, false).expect_err("another machine");
    assert!(matches!(error, LabError::MixedMachines { field: "cpu", .. }), "{error}");
    assert_eq!(compare(&a, &b, true).expect("forced").len(), 6);

    let mut b = a.clone();
    b.rows[0].clock = "wall".into();
    let error = compare(&a, &b, false).expect_err("another clock");
    assert!(matches!(error, LabError::MixedClocks { .. }), "{error}");
    assert!(error.to_string().contains("--force"), "{error}");
    assert_eq!(compare(&a, &b, true).expect("forced").len(), 6);

    let mut b = a.clone();
    b.rows.iter_mut().for_each(|row| row.size += 1);
    assert!(matches!(compare(&a, &b, false), Err(LabError::NothingInCommon)));
}

/// Stops after so many series.
struct Impatient(usize);

impl Progress for Impatient {
    fn planned(&mut self, _: u64, _: f64) {}
    fn series(&mut self, label: &str, _: u64, _: f64) {
        if !label.starts_with("checking") {
            self.0 = self.0.saturating_sub(1);
        }
    }
    fn note(&mut self, _: &str) {}
    fn stopped(&self) -> bool {
        self.0 == 0
    }
}

#[test]
fn a_run_that_was_stopped_goes_on_where_it_was() {
    let options = options(&["honest"]);
    let whole = run(&study(), &options, &mut ()).expect("a run").results;
    assert!(!whole.run.partial);
    // Into the second pass.
    let series = whole.rows.len() + 1;
    let stopped = run(&study(), &options, &mut Impatient(series)).expect("a run").results;
    assert!(stopped.run.partial);
    let passes = |results: &Results| results.rows.iter().map(|row| row.passes.len()).sum::<usize>();
    assert_eq!(passes(&stopped), series);
    let text = stopped.to_json();
    let earlier = Results::from_json("x", &text).expect("a valid file");
    let resumed = Options { earlier: Some(earlier), ..options.clone() };
    let mut notes = Notes::default();
    let done = run(&study(), &resumed, &mut notes).expect("a run").results;
    assert!(!done.run.partial);
    assert_eq!(passes(&done), passes(&whole));
    let measured = notes.series.iter().filter(|it| !it.starts_with("checking")).count();
    assert!(measured >= passes(&whole) - passes(&stopped), "{measured}");
    for row in &done.rows {
        let before = stopped.rows.iter().find(|it| it.size == row.size && it.level == row.level);
        if let Some(before) = before.filter(|it| it.model == row.model) {
            assert_eq!(row.passes[..before.passes.len()], before.passes[..]);
        }
    }
    let mut elsewhere = stopped;
    elsewhere.machine.cpu = "another".to_owned();
    let error = run(&study(), &Options { earlier: Some(elsewhere), ..options }, &mut ());
    assert!(matches!(error, Err(LabError::MixedMachines { field: "cpu", .. })));
}

#[test]
fn what_was_wanted_and_is_absent_is_told() {
    let missing = lab::record::Missing {
        engine: "nonesuch".into(),
        algorithm: "-".into(),
        operation: "-".into(),
        level: "-".into(),
        model: "-".into(),
        reason: "nothing brings it".into(),
    };
    let options = Options { absent: vec![missing.clone()], ..options(&["honest"]) };
    let results = run(&study(), &options, &mut ()).expect("a run").results;
    assert!(results.missing.contains(&missing));
}
