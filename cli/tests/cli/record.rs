//! `bench --record`, as far as it measures nothing, and `compare --machines`.

use predicates::str::contains;
use serde_json::Value;

use crate::fixture::results;
use crate::{cipherlane, stdout};

#[test]
fn a_part_of_a_record_is_refused() {
    for (args, expected) in [
        (&["--quick"][..], "--record is given with --quick"),
        (&["sm4/ctr"], "--record is given with a filter"),
        (&["--all"], "--record is given with --all"),
        (&["--engine", "cipherlane"], "--record is given with --engine"),
        (&["--level", "portable"], "--record is given with --level"),
        (&["--within", "1"], "--record is given with --within"),
        (&["--passes", "3"], "--passes is `3` with --record"),
        (&["--samples", "5"], "--samples is `5` with --record"),
        (&["--time", "0.5"], "--time is `0.5` with --record"),
    ] {
        let args = [&["bench", "--record"], args].concat();
        let said = cipherlane(&args).assert().code(2);
        said.stderr(contains(expected)).stderr(contains("help: allowed"));
    }
}

#[test]
fn outside_of_a_checkout_nothing_is_measured_and_the_remedy_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = cipherlane(&["bench", "--record"]);
    let said = command.current_dir(dir.path()).assert().code(3);
    said.stderr(contains("is in no checkout of cipherlane"))
        .stderr(contains("cargo run --release -- bench --record"));
    assert_eq!(dir.path().read_dir().unwrap().count(), 0);
}

#[test]
fn a_capped_level_is_not_recorded() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = cipherlane(&["bench", "--record"]);
    let said = command.current_dir(dir.path()).env("CIPHERLANE_LEVEL", "portable").assert();
    // Where portable is all there is, nothing is capped.
    if cipherlane::Level::available().count() > 1 {
        said.code(2).stderr(contains("CIPHERLANE_LEVEL caps")).stderr(contains("unset it"));
    }
}

/// A folder of machines: one with a record that was made by hand, one with another list.
fn machines() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let mut results = results("Test CPU (family 1 model 2 stepping 3)", 1.0);
    results.machine.default_level = Some("avx512".into());
    results.machine.facts = vec![("commit".into(), "0123456789ab".into())];
    let record = lab::machines::record(&results).unwrap();
    for (folder, file, text) in
        [("recorded", "bench.json", record.to_json()), ("other", "tuned.txt", String::new())]
    {
        std::fs::create_dir(dir.path().join(folder)).unwrap();
        std::fs::write(dir.path().join(folder).join(file), text).unwrap();
    }
    dir
}

#[test]
fn records_are_compared_on_the_screen_and_as_json() {
    let dir = machines();
    let option = format!("--machines={}", dir.path().display());
    let text = stdout(&["compare", &option]);
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    for expected in ["[1] Test CPU", "commit 0123456789ab", "sm4/ctr message 8 KiB", "rustcrypto"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(text.contains("other: no record of `bench`; it has tuned.txt"), "{text}");
    let json: Value = serde_json::from_str(&stdout(&["compare", &option, "--json"])).unwrap();
    assert_eq!(json["schema"], "cipherlane-machines/1");
    assert_eq!(json["machines"][0]["folder"], "other");
    assert_eq!(json["machines"][1]["record"]["commit"], "0123456789ab");
    assert_eq!(json["rows"].as_array().unwrap().len(), 2);
    assert_eq!(json["rows"][0]["figures"][0], Value::Null);
    assert_eq!(json["rows"][0]["figures"][1]["ours"]["level"], "avx512");
}

#[test]
fn machines_that_cannot_be_read_are_named() {
    let dir = machines();
    let option = format!("--machines={}", dir.path().display());
    cipherlane(&["compare", &option, "a.json"]).assert().code(2);
    std::fs::write(dir.path().join("recorded/bench.json"), "{}").unwrap();
    let said = cipherlane(&["compare", &option]).assert().code(2);
    said.stderr(contains("bench.json is no record")).stderr(contains("record that machine anew"));
    let said = cipherlane(&["compare", "--machines=/nowhere"]).assert().code(3);
    said.stderr(contains("can't read /nowhere")).stderr(contains("--machines=DIR"));
    let mut command = cipherlane(&["compare", "--machines"]);
    let said = command.current_dir(dir.path()).assert().code(3);
    said.stderr(contains("there is no docs/machines")).stderr(contains("--machines=DIR"));
}
