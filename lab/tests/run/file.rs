//! The results file: its schema, older ones, joined ones, and a run that goes on from it.

use super::*;

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
    let text = include_str!("../kept/results-1.json");
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
fn two_files_are_joined_row_by_row_and_compared() {
    let a = good(&["honest", "other"]).results;
    let mut b = good(&["honest"]).results;
    b.machine.tsc_hz = a.machine.tsc_hz;
    for row in &mut b.rows {
        if row.cell.level == "low" {
            row.passes.iter_mut().flatten().for_each(|sample| *sample *= 0.5);
        }
    }
    let comparisons = compare(&a, &b, false).expect("they share rows");
    assert_eq!(comparisons.len(), 6);
    for it in &comparisons {
        assert_eq!(
            (&it.a.engine, &it.a.cell.level, it.a.cell.size),
            (&it.b.engine, &it.b.cell.level, it.b.cell.size)
        );
        let expected = if it.a.cell.level == "low" { Verdict::Ahead } else { Verdict::Tied };
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
    b.rows.iter_mut().for_each(|row| row.cell.size += 1);
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
        let before = stopped
            .rows
            .iter()
            .find(|it| it.cell.size == row.cell.size && it.cell.level == row.cell.level);
        if let Some(before) = before.filter(|it| it.cell.model == row.cell.model) {
            assert_eq!(row.passes[..before.passes.len()], before.passes[..]);
        }
    }
    let mut elsewhere = stopped;
    elsewhere.machine.cpu = "another".to_owned();
    let error = run(&study(), &Options { earlier: Some(elsewhere), ..options }, &mut ());
    assert!(matches!(error, Err(LabError::MixedMachines { field: "cpu", .. })));
}
