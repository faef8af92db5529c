//! Records made from results that were made by hand.

use std::fs;

use super::*;
use crate::record::{EngineRecord, Results, Row};
use crate::report::fixture;

/// The rows of the fixture with a peer whose name may stand in a record, and a commit.
fn results() -> Results {
    let mut results = fixture::results();
    let facts = [("microcode", "0x1a"), ("commit", "0123456789ab")];
    results.machine.facts = facts.map(|(a, b)| (a.to_owned(), b.to_owned())).into();
    results
}

fn peer(row: &Row, engine: &str, times: f64) -> Row {
    let mut row = row.clone();
    row.engine = engine.to_owned();
    row.cell.level = "-".to_owned();
    row.default = false;
    row.passes.iter_mut().flatten().for_each(|it| *it *= times);
    row.median_cycles *= times;
    row
}

#[test]
fn a_record_has_ours_at_the_default_level_the_peers_and_the_ratio_in_core_cycles() {
    let mut results = results();
    let ours = results.rows.iter().find(|it| it.default && it.cell.size == 8192).unwrap().clone();
    results.rows.push(peer(&ours, "ipp", 1.6));
    results.rows.push(peer(&ours, "botan", 3.0));
    let record = record(&results).unwrap();
    assert_eq!((record.schema.as_str(), record.unit.as_str()), (SCHEMA, "core cycles"));
    assert_eq!(record.commit, "0123456789ab");
    assert_eq!(record.microcode.as_deref(), Some("0x1a"));
    let of = |figure: &&Figure| figure.cell.operation == "sm4/ctr" && figure.cell.size == 8192;
    let figure = record.figures.iter().find(of).unwrap();
    assert_eq!((figure.ours.level.as_str(), figure.per.as_str()), ("avx512", "byte"));
    // 0.67 ticks a byte at 1.4 core cycles a tick.
    assert!((figure.ours.figure - 0.938).abs() < 1e-9, "{figure:?}");
    let engines: Vec<&str> = figure.peers.iter().map(|it| it.engine.as_str()).collect();
    assert_eq!(engines, ["ipp", "botan", "rusty<&\"engine\">"]);
    let best = figure.best.as_ref().unwrap();
    assert_eq!((best.engine.as_str(), best.verdict.as_str()), ("ipp", "ahead"));
    assert!((best.ratio - 1.6).abs() < 0.01 && best.low <= best.ratio && best.ratio <= best.high);
    let key = record.figures.iter().find(|it| it.cell.model == "key").unwrap();
    assert_eq!((key.per.as_str(), &key.best), ("set-up", &None));
    assert!((key.ours.figure - 434.0).abs() < 1e-9, "{key:?}");
}

#[test]
fn a_record_is_read_as_it_was_written_and_names_no_path() {
    let mut results = results();
    results.command = "cipherlane bench --record --out /home/somebody".into();
    results.engines.push(EngineRecord {
        name: "ipp".into(),
        version: "2.3.0".into(),
        build: String::new(),
        path: "/home/somebody/lib.so".into(),
        released: None,
        current: None,
    });
    let record = record(&results).unwrap();
    let text = record.to_json();
    assert!(!text.contains("somebody"), "{text}");
    // One line a figure.
    let lines = text.lines().filter(|line| line.contains("\"operation\"")).count();
    assert_eq!(lines, record.figures.len());
    let dir = tempfile::tempdir().unwrap();
    for (name, file) in [("b", FILE), ("a", "tuned.txt"), ("b", "floor.json")] {
        fs::create_dir_all(dir.path().join(name)).unwrap();
        fs::write(dir.path().join(name).join(file), &text).unwrap();
    }
    fs::write(dir.path().join("reasons.tsv"), "").unwrap();
    let [a, b] = read_all(dir.path()).unwrap().try_into().unwrap();
    assert_eq!((a.folder.as_str(), &a.record, a.others), ("a", &None, vec!["tuned.txt".into()]));
    assert_eq!((b.record, b.others), (Some(record), vec!["floor.json".into()]));
}

#[test]
fn what_a_reader_could_not_trust_is_not_recorded() {
    let refused = |change: &dyn Fn(&mut Results)| {
        let mut results = results();
        change(&mut results);
        record(&results).unwrap_err().to_string()
    };
    for (change, expected) in [
        (&(|it: &mut Results| it.run.partial = true) as &dyn Fn(&mut Results), "stopped"),
        (&|it| it.machine.facts.clear(), "the commit is unknown"),
        (&|it| it.machine.facts[1].1 = "unknown".into(), "the commit is unknown"),
        (&|it| it.machine.cpu = " ".into(), "the CPU is unknown"),
        (&|it| it.rows.clear(), "no row of ours"),
        (&|it| it.rows.retain(|row| row.engine != "cipherlane"), "no row of ours"),
        (&|it| it.rows.iter_mut().for_each(|row| row.flags = vec!["canary".into()]), "disturbed"),
        (
            &|it| {
                it.machine.core_per_tsc = 0.0;
                it.rows.iter_mut().for_each(|row| row.canaries.clear());
            },
            "core cycles are unknown",
        ),
    ] {
        let error = refused(change);
        // What is wrong, and after `; ` what to do.
        assert!(error.contains(expected) && error.contains("; "), "{expected}: {error}");
        assert!(!error.contains('\n'), "{error}");
    }
}

#[test]
fn a_file_that_is_no_record_is_refused_and_named() {
    let sound = record(&results()).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join(FILE);
    let refused = |text: &str, expected: &str| {
        fs::write(&file, text).unwrap();
        let error = read(&file).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains(FILE), "{expected}: {error}");
    };
    let text = sound.to_json();
    refused(&text[..text.len() / 2], "EOF");
    refused("{}", "schema is `absent`");
    refused(&text.replace(SCHEMA, "cipherlane-machine/9"), "schema is `cipherlane-machine/9`");
    let wrong = |change: fn(&mut Figure)| {
        let mut record = sound.clone();
        change(record.figures.iter_mut().find(|it| it.best.is_some()).unwrap());
        record.to_json()
    };
    refused(&wrong(|it| it.ours.figure = -1.0), "allowed: above 0");
    refused(&wrong(|it| it.peers.clear()), "none of its peers");
    refused(&wrong(|it| it.best.as_mut().unwrap().low = 99.0), "its interval 99");
    assert!(read(&dir.path().join("absent.json")).unwrap_err().to_string().contains("can't read"));
}
