//! Engines that hang, die, mumble and lie, as processes: each is a clear error.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lab::engine::{Answer, Process};
use lab::request::{Task, Timing};
use lab::{Cell, LabError, Model};

fn program() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake/engine.sh")
}

fn start(name: &str) -> Process {
    Process::start(&program(), name, None, Duration::from_secs(20)).expect("it starts")
}

fn task() -> Task {
    let cell = Cell {
        nonce_bytes: 16,
        level: "low".into(),
        ..Cell::new("toy", "ctr", Model::Message, 64)
    };
    Task { cell, seed: 1, buffer: None }
}

const TIMING: Timing = Timing { samples: 5, budget_us: None, beside: None };

fn check(name: &str) -> Result<Answer<String>, LabError> {
    start(name).check(&task())
}

/// The error on one line, which must name the engine and the request.
fn line(error: &LabError, name: &str, verb: &str) -> String {
    let line = error.to_string();
    assert!(!line.contains('\n'), "{line}");
    assert!(line.contains(&format!("`{name}`")), "{line}");
    assert!(line.contains(&format!("`{verb} algorithm=toy operation=ctr")), "{line}");
    line
}

#[test]
fn an_honest_engine_answers_one_request_after_another() {
    let mut engine = start("honest");
    let description = engine.describe().expect("a description");
    assert_eq!(description.version, "1 of 2");
    assert_eq!(description.offers.len(), 2);
    for _ in 0..3 {
        assert_eq!(engine.check(&task()).expect("a digest"), Answer::Done("a".repeat(64)));
        let Answer::Done(measured) = engine.measure(&task(), TIMING).expect("samples") else {
            panic!("it does not refuse");
        };
        assert_eq!(measured.samples, [4000, 4001, 4002, 4003, 4004]);
        assert_eq!((measured.repeats, measured.call_bytes), (10, 64));
    }
}

#[test]
fn a_hanging_engine_is_stopped_and_named_with_its_request() {
    let began = Instant::now();
    let patience = Duration::from_millis(300);
    let mut engine = Process::start(&program(), "hangs", None, patience).expect("it starts");
    let error = engine.check(&task()).expect_err("it hangs");
    assert!(began.elapsed() < Duration::from_secs(10));
    assert!(line(&error, "hangs", "check").contains("gave no answer"), "{error}");
    assert!(Process::is_lost(&error));
    // And it is gone: what is asked next fails at once, and says because of what.
    let error = engine.measure(&task(), TIMING).expect_err("it is gone");
    assert!(line(&error, "hangs", "check").contains("gave no answer"), "{error}");
}

#[test]
fn an_engine_that_dies_is_named_with_its_last_words() {
    let error = check("dies").expect_err("it dies");
    let text = line(&error, "dies", "check");
    assert!(text.contains("signal: 9") && text.contains("out of luck"), "{text}");
    assert!(Process::is_lost(&error));

    // One that lives on is ended by the laboratory, which is not how it ended.
    let error = check("mute").expect_err("it says nothing any more");
    assert!(line(&error, "mute", "check").contains("it went on without its pipes"), "{error}");
    let error = start("quits").measure(&task(), TIMING).expect_err("it quits");
    assert!(line(&error, "quits", "measure").contains("exit status: 7"), "{error}");
}

#[test]
fn garbage_is_shown_and_explained() {
    let error = check("mumbles").expect_err("garbage");
    let text = line(&error, "mumbles", "check");
    assert!(text.contains("hello there") && text.contains("known: ok, refused, error"), "{text}");
    assert!(Process::is_lost(&error));

    let error = check("endless").expect_err("no end");
    assert!(line(&error, "endless", "check").contains("no line of at most"), "{error}");

    let error = start("numbers").measure(&task(), TIMING).expect_err("not a number");
    assert!(line(&error, "numbers", "measure").contains("`samples` is `x`"), "{error}");
}

#[test]
fn a_failure_or_a_refusal_leaves_the_engine_alive() {
    let mut engine = start("fails");
    for _ in 0..2 {
        let error = engine.check(&task()).expect_err("it fails");
        assert!(line(&error, "fails", "check").contains("EVP_Update failed"), "{error}");
        assert!(!Process::is_lost(&error));
    }
    let refused = Answer::Refused("no EVP_sm4_ctr".to_owned());
    assert_eq!(check("refuses").expect("an answer"), refused);
}

#[test]
fn an_engine_that_says_why_it_is_missing_is_quoted_once() {
    let error = start("missing").describe().expect_err("missing");
    assert_eq!(error.to_string(), "engine `missing` is missing: build it");
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let program = Path::new("/no/such/program");
    let error = Process::start(program, "x", None, Duration::from_secs(1)).expect_err("no program");
    assert!(error.to_string().contains("/no/such/program"), "{error}");
}

#[test]
fn the_library_asked_for_is_passed_on() {
    let lib = Path::new("/opt/lib x.so");
    let mut engine =
        Process::start(&program(), "dies", Some(lib), Duration::from_secs(20)).expect("starts");
    engine.describe().expect("a description");
    // The fake engine says its command line first and its last words at the end.
    let mut quits =
        Process::start(&program(), "quits", Some(lib), Duration::from_secs(20)).expect("starts");
    let error = quits.measure(&task(), TIMING).expect_err("it quits").to_string();
    assert!(error.contains("engine quits --lib /opt/lib x.so"), "{error}");
}
