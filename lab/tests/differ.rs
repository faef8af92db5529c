//! Differential runs over engines whose behaviour is known.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use lab::LabError;
use lab::differential::{Options, Report, run};

fn options(against: &[&str]) -> Options {
    Options {
        program: Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake/engine.sh"),
        subject: "honest".to_owned(),
        against: against.iter().map(ToString::to_string).collect(),
        engine_libs: BTreeMap::new(),
        levels: None,
        messages: 250,
        seed: 5,
        timeout: Duration::from_secs(20),
    }
}

fn differ(filter: &str, options: &Options) -> Result<Report, LabError> {
    run(&[filter.parse().expect("a filter")], options, &mut ())
}

#[test]
fn engines_that_agree_are_counted() {
    let report = run(&[], &options(&["other"]), &mut ()).expect("a report");
    let counted: Vec<(&str, u64)> =
        report.compared.iter().map(|it| (it.operation.as_str(), it.messages)).collect();
    assert_eq!(counted, [("ctr", 250), ("ecb", 250)]);
    assert_eq!(report.compared[0].levels, ["low", "high"]);
    assert_eq!((report.different().count(), report.skipped.len()), (0, 0));
}

#[test]
fn the_first_message_that_differs_is_found() {
    let report = differ("toy/ctr", &options(&["odd", "other"])).expect("a report");
    let different: Vec<_> = report.different().collect();
    let [(compared, difference)] = different[..] else { panic!("{report:?}") };
    assert_eq!((compared.engine.as_str(), compared.messages), ("odd", 100));
    let what = "the outputs differ at message 37: ";
    assert!(difference.what.starts_with(what), "{}", difference.what);
    // The request repeats it: with one message less they agree.
    for part in ["check algorithm=toy operation=ctr ", " seed=5 ", " random=38 ", " level=low "] {
        assert!(difference.request.contains(part), "{part} {}", difference.request);
    }
    assert_eq!(report.compared[1].difference, None);
}

#[test]
fn an_engine_that_never_agrees_is_found_out_before_the_first_run() {
    // Even its answer to one length is another one.
    let report = differ("toy/ecb", &options(&["liar"])).expect("a report");
    let what = &report.compared[0].difference.as_ref().expect("a difference").what;
    assert!(what.starts_with("the outputs differ at message 0: "), "{what}");
}

#[test]
fn an_engine_without_random_messages_gets_single_lengths() {
    let report = differ("toy", &options(&["old"])).expect("a report");
    for compared in &report.compared {
        assert!(compared.single_lengths && compared.difference.is_none(), "{compared:?}");
        assert_eq!(compared.messages, 250);
    }
}

#[test]
fn a_failure_is_a_difference_with_its_reason() {
    let report = differ("toy/ctr", &options(&["fails"])).expect("a report");
    let difference = report.compared[0].difference.as_ref().expect("a difference");
    assert_eq!(difference.what, "fails: EVP_Update failed");
    assert_eq!(report.skipped, []);
}

#[test]
fn what_an_engine_refuses_is_skipped_with_its_reason() {
    // Both levels of its CTR.
    let report = differ("toy/ctr", &options(&["refuses"])).expect("a report");
    assert_eq!((report.compared.len(), report.skipped.len()), (0, 2));
    assert!(report.skipped.iter().all(|it| it.reason == "no EVP_sm4_ctr"), "{report:?}");
    // One of them: the other is compared.
    let report = differ("toy/ctr", &options(&["lower"])).expect("a report");
    assert_eq!((report.compared.len(), report.skipped.len()), (1, 1));
    assert_eq!(report.compared[0].messages, 250);
    assert_eq!(report.skipped[0].reason, "no AVX2 here");
}

#[test]
fn a_refusal_among_the_messages_is_a_difference() {
    let report = differ("toy/ctr", &options(&["moody"])).expect("a report");
    assert_eq!(report.skipped, []);
    let what = &report.compared[0].difference.as_ref().expect("a difference").what;
    assert!(what.starts_with("moody: not today at message 37: "), "{what}");
}

#[test]
fn a_known_fault_is_skipped_by_name() {
    let report = differ("toy", &options(&["wrong"])).expect("a report");
    assert_eq!(report.skipped.len(), 1);
    assert_eq!(report.skipped[0].operation, "ctr");
    assert!(report.skipped[0].reason.contains("tail of 17 bytes"), "{:?}", report.skipped);
    assert_eq!(report.compared.len(), 1);
}

#[test]
fn what_can_not_be_is_refused() {
    let error = differ("toy", &Options { messages: 0, ..options(&["other"]) }).expect_err("none");
    assert!(error.to_string().starts_with("random is `0`"), "{error}");
    let error = differ("rot13", &options(&["other"])).expect_err("nothing");
    assert!(error.to_string().contains("honest offers none of it"), "{error}");
    let levels = Some(vec!["middle".to_owned()]);
    let error = differ("toy/ctr", &Options { levels, ..options(&["other"]) }).expect_err("level");
    assert!(error.to_string().contains("level is `middle`; allowed: low, high"), "{error}");
    let error = differ("toy", &options(&["missing"])).expect_err("missing");
    assert!(matches!(error, LabError::EngineMissing { .. }), "{error}");
    let error = differ("toy", &options(&["dies"])).expect_err("lost");
    assert!(matches!(error, LabError::Died { .. }), "{error}");
}
