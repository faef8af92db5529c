//! What `bench` and `report` print of a run: the screen, and what can be asked for instead.

use std::fs;
use std::path::Path;

use predicates::prelude::*;
use predicates::str::contains;

use crate::fixture::{results, write};
use crate::{cipherlane, stdout};

#[test]
fn a_run_is_told_on_one_screen_with_the_message_last() {
    let dir = tempfile::tempdir().unwrap();
    let file = write(dir.path(), "results.json", &results("Some CPU", 1.0));
    let text = stdout(&["report", file.to_str().unwrap()]);
    assert!(text.lines().count() <= 40, "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    let last = text.lines().last().unwrap();
    assert!(
        last.starts_with("Against the best peer of each cell: ahead in 2, tied in 0"),
        "{text}"
    );
    // 28 by 0.66.
    assert!(text.contains("42.4 (") && text.contains("the next best, rustcrypto 1.0"), "{text}");
    assert!(text.contains("--table") && text.contains("--why") && text.contains("--against"));
}

#[test]
fn tables_reasons_and_standings_are_printed_when_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let mut run = results("Some CPU", 1.0);
    // At 16 bytes the peer is faster than level avx512, and level portable slower still.
    for row in run.rows.iter_mut().filter(|row| row.engine == "rustcrypto" && row.cell.size == 16) {
        row.passes.iter_mut().flatten().for_each(|sample| *sample /= 100.0);
        for figure in [&mut row.median_cycles, &mut row.q1_cycles, &mut row.q3_cycles] {
            *figure /= 100.0;
        }
    }
    let file = write(dir.path(), "results.json", &run);
    let file = file.to_str().unwrap();
    let table = stdout(&["report", file, "--table"]);
    assert!(table.contains("portable") && !table.contains("Against the best peer"), "{table}");
    assert!(stdout(&["report", file, "--why"]).contains("How it was measured"));
    for peer in ["best", "rustcrypto"] {
        let text = stdout(&["report", file, "--against", peer]);
        assert!(text.contains("in 1 cell:") && text.contains("sm4/ctr, 16 B"), "{text}");
        // 0.28 by 0.66.
        assert!(text.contains("0.42 ("), "{text}");
    }
    cipherlane(&["report", file, "--against", "nobody"])
        .assert()
        .code(2)
        .stdout("")
        .stderr(contains("--against is `nobody`").and(contains("best, rustcrypto")));
}

/// The arguments of a bench of one row or two.
const SMALL: [&str; 13] = [
    "bench",
    "sm4/ctr",
    "--engine",
    "cipherlane,rustcrypto",
    "--level",
    "portable",
    "--model",
    "message",
    "--size",
    "64",
    "--samples",
    "3",
    "--quick",
];

#[test]
fn an_engine_that_takes_no_part_is_refused_before_anything_is_measured() {
    let dir = tempfile::tempdir().unwrap();
    for engine in ["openssl", "cipherlane", "nobody"] {
        cipherlane(&[&SMALL[..], &["--against", engine]].concat())
            .current_dir(dir.path())
            .assert()
            .code(2)
            .stdout("")
            .stderr(contains(format!("--against is `{engine}`")).and(contains("best, rustcrypto")));
    }
    // The folder that the run had is gone.
    assert_eq!(names(&dir.path().join("cipherlane-report")).len(), 0);
}

/// The files in a folder, by name.
fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[cfg(unix)]
#[test]
fn runs_without_a_folder_get_one_each_and_latest_leads_to_the_last() {
    let dir = tempfile::tempdir().unwrap();
    let run = |more: &[&str]| {
        let mut command = cipherlane(&[&SMALL[..], more].concat());
        let output = command.current_dir(dir.path()).assert().success().get_output().clone();
        String::from_utf8(output.stdout).unwrap()
    };
    let reports = dir.path().join("cipherlane-report");
    let first = run(&[]);
    assert!(first.contains("report: cipherlane-report/2"));
    let before = fs::read(reports.join("latest/results.json")).unwrap();
    run(&["--against", "best"]);
    let found = names(&reports);
    assert_eq!((found.len(), found[2].as_str()), (3, "latest"), "{found:?}");
    for folder in &found {
        assert_eq!(
            names(&reports.join(folder)),
            ["report.html", "results.csv", "results.json"],
            "{folder}"
        );
    }
    // The first run is as it was, and `latest` is the second.
    assert_eq!(fs::read(reports.join(&found[0]).join("results.json")).unwrap(), before);
    let latest = fs::canonicalize(reports.join("latest")).unwrap();
    assert_eq!(latest, fs::canonicalize(reports.join(&found[1])).unwrap());
    // A folder that is named holds the files itself, and `latest` stays.
    run(&["--out", "mine"]);
    assert_eq!(names(&dir.path().join("mine")), ["report.html", "results.csv", "results.json"]);
    assert_eq!(fs::canonicalize(reports.join("latest")).unwrap(), latest);
}
