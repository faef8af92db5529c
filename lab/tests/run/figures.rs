//! What figures are made of: passes, canaries, the selection.

use super::*;

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
        .find(|row| row.cell.size == 100 && row.cell.level == "low")
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
    assert_eq!((message.cell.keys, message.cell.nonce_bytes), (KeySetup::Ready, 16));
    let init =
        outcome.results.rows.iter().find(|row| row.cell.model == Model::Init).expect("a row");
    assert_eq!((init.cell.size, init.cell.keys), (0, KeySetup::Fresh));
    assert_eq!((init.cycles_per_byte, init.mbps), (None, None));
    assert_eq!(init.cycles_per_setup, Some(init.median_cycles));
    assert_eq!(init.core_cycles_per_setup, Some(init.median_cycles * 1.25));
    assert_eq!(outcome.results.run.series, 18);
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
        .map(|row| (row.engine.as_str(), row.cell.level.as_str(), row.cell.size))
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
        .map(|row| (row.cell.operation.as_str(), row.cell.level.as_str(), row.cell.size))
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
fn a_run_with_fewer_samples_says_so() {
    let outcome = run(&study(), &options(&["few"]), &mut ()).expect("a run");
    assert!(outcome.results.rows.iter().all(|row| row.flags == ["few samples"]));
    let quick = Options { quick: true, ..options(&["few"]) };
    let outcome = run(&study(), &quick, &mut ()).expect("a run");
    assert!(outcome.results.rows.iter().all(|row| row.flags == ["quick"]));
}
