//! Batches, threads and differential runs, as the program's users ask for them.

use std::fs;
use std::path::Path;

use lab::record::{Results, Row};
use lab::{Mix, Model};
use predicates::str::contains;
use serde_json::Value;

use crate::{cipherlane, stdout};

/// The results of a quick bench with these arguments, written to `out`.
fn bench(args: &[&str], out: &Path) -> Results {
    let out = out.to_str().unwrap();
    let usual = ["--samples", "3", "--quick", "--json", "-", "--out", out];
    let output = cipherlane(&[&["bench"], args, &usual].concat()).assert().success();
    lab::report::parse(&output.get_output().stdout, "stdout").unwrap()
}

fn row<'r>(
    results: &'r Results,
    engine: &str,
    operation: &str,
    messages: u32,
    keys: &str,
) -> &'r Row {
    let wanted = |row: &&Row| {
        row.engine == engine
            && row.cell.operation == operation
            && row.cell.messages == messages
            && row.cell.keys.name() == keys
    };
    results
        .rows
        .iter()
        .find(wanted)
        .unwrap_or_else(|| panic!("{engine} {operation} {messages} {keys}"))
}

#[test]
fn batches_have_rows_of_their_own() {
    let dir = tempfile::tempdir().unwrap();
    let level = ["--engine", "cipherlane,rustcrypto", "--level", "portable", "--size", "64"];
    let asked = ["sm4/cbc-encrypt", "zuc-128/keystream", "--model", "batch", "--messages", "16,3"];
    let results = bench(&[&asked[..], &level].concat(), dir.path());
    for engine in ["cipherlane", "rustcrypto"] {
        for messages in [3, 16] {
            // A block cipher's keys are ready and a stream cipher's fresh unless one says so.
            for (operation, keys) in [("cbc-encrypt", "ready"), ("keystream", "fresh")] {
                let row = row(&results, engine, operation, messages, keys);
                assert_eq!(
                    (row.cell.model, row.cell.size, row.cell.mix),
                    (Model::Batch, 64, Mix::Equal)
                );
                let per_byte = row.cycles_per_byte.unwrap();
                assert!((per_byte - row.median_cycles / 64.0).abs() < 0.001 * per_byte);
            }
        }
    }
    assert_eq!(results.rows.len(), 8);
    let page = fs::read_to_string(dir.path().join("report.html")).unwrap();
    assert!(page.contains("batch of 16, keys ready"));
    let table = fs::read_to_string(dir.path().join("results.csv")).unwrap();
    assert!(table.lines().next().unwrap().contains("messages,keys,mix,threads"));
    let file = dir.path().join("results.json");
    let file = file.to_str().unwrap();
    assert!(stdout(&["compare", file, file]).contains("batch of 3, keys fresh"));
    assert!(stdout(&["report", file]).contains("batch of 16, keys ready"));

    let asked = ["sm4/cbc-encrypt", "--model", "batch", "--keys", "fresh,ready"];
    let results = bench(&[&asked[..], &level].concat(), dir.path());
    for keys in ["fresh", "ready"] {
        row(&results, "cipherlane", "cbc-encrypt", 16, keys);
    }
    assert_eq!(results.rows.len(), 4);
    // The digests are those of the same messages whoever sets up their keys.
    assert!(results.rows.iter().all(|row| row.digest == results.rows[0].digest));
}

#[test]
fn the_internet_mix_says_its_mean() {
    let dir = tempfile::tempdir().unwrap();
    let asked = ["sm4/ctr", "sm4/cbc-encrypt", "--model", "batch", "--mix", "imix"];
    let level = ["--engine", "cipherlane", "--level", "portable"];
    let results = bench(&[&asked[..], &level].concat(), dir.path());
    for (operation, size, bytes) in [("ctr", 340, 4084.0), ("cbc-encrypt", 345, 4144.0)] {
        let row = row(&results, "cipherlane", operation, 16, "ready");
        assert_eq!((row.cell.size, row.cell.mix), (size, Mix::Imix));
        let per_byte = row.median_cycles / (bytes / 12.0);
        assert!((row.cycles_per_byte.unwrap() - per_byte).abs() < 0.001 * per_byte);
    }
    assert_eq!(results.rows.len(), 2);
    let page = fs::read_to_string(dir.path().join("report.html")).unwrap();
    assert!(page.contains("batch of 16, keys ready, imix"));
}

#[test]
fn threads_have_rows_where_an_engine_has_threads() {
    let dir = tempfile::tempdir().unwrap();
    let asked = ["sm4/ctr", "--model", "message", "--threads", "1,2", "--size", "1MiB"];
    let level = ["--engine", "cipherlane,rustcrypto", "--level", "portable"];
    let results = bench(&[&asked[..], &level].concat(), dir.path());
    let threads: Vec<(&str, u32, u64)> = results
        .rows
        .iter()
        .map(|row| (row.engine.as_str(), row.cell.threads, row.cell.size))
        .collect();
    let mib = 1 << 20;
    assert_eq!(threads, [("cipherlane", 1, mib), ("rustcrypto", 1, mib), ("cipherlane", 2, mib)]);
    let missing = &results.missing[0];
    assert!(missing.engine == "rustcrypto" && missing.reason.contains("one thread, not 2"));
}

#[test]
fn random_messages_agree_with_other_engines() {
    let args = ["verify", "sm4/cbc", "zuc-128/keystream", "--against", "rustcrypto"];
    let text = stdout(&[&args[..], &["--random", "150"]].concat());
    assert!(text.contains("sm4/cbc-decrypt: 150 messages agree"), "{text}");
    assert!(
        text.contains("450 random messages in 3 comparisons with rustcrypto, seed 1"),
        "{text}"
    );
    let more = ["--random", "30", "--seed", "7", "--level", "portable", "--json"];
    let json: Value = serde_json::from_str(&stdout(&[&args[..], &more].concat())).unwrap();
    assert_eq!(json["schema"], "cipherlane-differential/1");
    assert_eq!((&json["seed"], &json["messages"]), (&7.into(), &90.into()));
    let compared = json["compared"].as_array().unwrap();
    assert_eq!(compared.len(), 3);
    for entry in compared {
        assert_eq!(entry["levels"], serde_json::json!(["portable"]));
        assert_eq!((&entry["difference"], &entry["messages"]), (&Value::Null, &30.into()));
    }
    // What the two do not share is no comparison, and none at all is no success.
    let args = ["verify", "sm4/hctr", "--against", "rustcrypto"];
    cipherlane(&args).assert().code(1).stderr(contains("nothing was compared"));
}
