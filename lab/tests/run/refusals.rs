//! Engines that lie, fail or are absent, and options that are refused.

use super::*;

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
fn an_answer_that_does_not_come_costs_the_cell_and_not_the_engine() {
    let options = Options { timeout: Duration::from_millis(700), ..options(&["honest", "naps"]) };
    let mut notes = Notes::default();
    let results = run(&study(), &options, &mut notes).expect("a run").results;
    assert_eq!(rows(&results, "honest").len(), 6);
    // The length of 100 bytes, at each of its levels, is what it gave no answer to.
    assert_eq!(rows(&results, "naps").len(), 4);
    assert!(rows(&results, "naps").iter().all(|row| row.cell.size != 100));
    let lost: Vec<_> = results.missing.iter().filter(|it| it.engine == "naps").collect();
    assert_eq!(lost.len(), 2, "{lost:?}");
    let anew = notes.notes.iter().filter(|note| note.contains("is started anew"));
    assert_eq!(anew.count(), 2, "{:?}", notes.notes);
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
fn an_engine_that_hangs_when_it_is_told_a_digest_is_named_with_that_request() {
    let options = Options { timeout: Duration::from_millis(700), ..options(&[]) };
    let error = run(&named(&["honest", "drowsy"]), &options, &mut ()).expect_err("it hangs");
    let error = error.to_string();
    assert!(error.contains("`known algorithm=toy") && error.contains("no answer"), "{error}");
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
