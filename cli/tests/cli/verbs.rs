//! What the verbs print and write when all is well.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::fixture::{results, write};
use crate::{cipherlane, stdout};

const VERBS: [&str; 20] = [
    "list",
    "engines",
    "verify",
    "self-test",
    "bench",
    "study",
    "encrypt",
    "decrypt",
    "inspect",
    "keygen",
    "mac",
    "raw",
    "dialects",
    "columns",
    "report",
    "compare",
    "floor",
    "engine",
    "completions",
    "man",
];

#[test]
fn the_self_test_passes_and_times_every_algorithm_at_the_levels_asked_for() {
    let text = stdout(&["self-test", "--level", "portable", "--json"]);
    let document: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(document["failed"], 0);
    let tests = document["tests"].as_array().expect("tests");
    assert_eq!(tests.len(), cipherlane::registry::ALGORITHMS.len());
    for test in tests {
        assert!(test["operations"].as_u64() > Some(0) && test["milliseconds"].as_f64() > Some(0.0));
    }
    let text = stdout(&["self-test"]);
    assert!(
        text.contains("sm4") && text.contains("portable") && text.contains(" passed, 0 failed")
    );
}

#[test]
fn every_verb_has_help_with_an_example_and_its_statuses() {
    let help = stdout(&["--help"]);
    for verb in VERBS {
        assert!(help.contains(&format!("  {verb} ")), "{verb} is not in the help");
        for flag in ["--help", "-h"] {
            let text = stdout(&[verb, flag]);
            assert!(text.contains("Examples:") && text.contains(&format!("cipherlane {verb}")));
            assert!(text.contains("Exit status: 0 done; 1"), "{verb}");
        }
    }
}

#[test]
fn without_a_verb_the_help_is_an_error() {
    cipherlane(&[]).assert().code(2).stderr(contains("Usage: cipherlane"));
    cipherlane(&["--version"]).assert().success().stdout(contains(env!("CARGO_PKG_VERSION")));
}

#[test]
fn list_gives_the_registry() {
    let text = stdout(&["list"]);
    assert!(text.contains("GB/T 32907-2016") && text.contains("constant-time"));
    let list: Value = serde_json::from_str(&stdout(&["list", "--json"])).unwrap();
    assert_eq!(list["schema"], "cipherlane-list/1");
    let levels = list["levels"].as_array().unwrap();
    assert_eq!(levels[0], "portable");
    let sm4 = list["algorithms"].as_array().unwrap().iter().find(|a| a["name"] == "sm4").unwrap();
    assert_eq!(sm4["kind"], "block");
    assert_eq!(sm4["block_bytes"], 16);
    assert_eq!(sm4["key_bytes"]["min"], 16);
    assert_eq!(sm4["kernels"].as_array().unwrap().len(), levels.len());
    let operation = |name: &str| {
        sm4["operations"].as_array().unwrap().iter().find(|op| op["name"] == name).unwrap()
    };
    assert_eq!(operation("ctr")["iv_bytes"]["max"], 16);
    assert_eq!(operation("xts-encrypt")["key_bytes"]["max"], 32);
    assert_eq!(operation("gcm-open")["iv_bytes"]["min"], 1);
    assert_eq!(operation("gcm-open")["iv_bytes"].get("max"), None);
    assert_eq!(operation("cmac")["key_bytes"]["min"], 16);
    assert_eq!(operation("gcm-open")["oid"], "1.2.156.10197.1.104.8");
    assert_eq!(operation("cmac").get("oid"), None);
    for part in
        ["xts-gb-decrypt", "AEAD", "gcm-seal gcm-open", "MAC", "cbc-mac-8", "1.2.156.10197.1.104.2"]
    {
        assert!(text.contains(part), "{part}");
    }
}

#[test]
fn engines_are_listed_with_what_brings_the_absent_ones() {
    let list: Value = serde_json::from_str(&stdout(&["engines", "--json"])).unwrap();
    assert_eq!(list["schema"], "cipherlane-engines/1");
    let engines = list["engines"].as_array().unwrap();
    for name in ["cipherlane", "rustcrypto", "openssl", "openssl4", "libgcrypt", "botan"] {
        let engine = engines.iter().find(|engine| engine["name"] == name).unwrap();
        let text = |field: &str| engine[field].as_str().unwrap().to_owned();
        if engine["present"] == true {
            assert!(!text("version").is_empty());
            let operations = engine["operations"].as_array().unwrap();
            assert!(!operations.is_empty());
            for operation in operations {
                let models = &engine["models"][operation.as_str().unwrap()];
                assert!(!models.as_array().unwrap().is_empty(), "{name}: {operation}");
            }
        } else {
            assert!(!text("how_to_get").is_empty());
        }
        assert!(stdout(&["engines"]).contains(name));
    }
}

#[test]
fn an_engine_that_was_built_is_not_built_again() {
    let cache = tempfile::tempdir().unwrap();
    let recipe = recipes::recipe("libgcrypt").unwrap();
    let folder = cache.path().join(recipe.folder_name());
    fs::create_dir(&folder).unwrap();
    recipe.libraries.iter().for_each(|name| fs::write(folder.join(name), "").unwrap());
    let build = |args: &[&str]| {
        let args = [&["engines", "build", "libgcrypt"], args].concat();
        cipherlane(&args).env("CIPHERLANE_CACHE", cache.path()).assert().success()
    };
    build(&[]).stdout(contains("already built").and(contains("libgcrypt.so.20"))).stderr("");
    let json = build(&["--json"]).get_output().stdout.clone();
    let json: Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["schema"], "cipherlane-builds/1");
    let engine = &json["engines"][0];
    assert_eq!((&engine["name"], &engine["state"]), (&"libgcrypt".into(), &"already built".into()));
    assert_eq!(engine["library"], folder.join("libgcrypt.so.20").to_str().unwrap());
    // Another cache is found with the variable only, and that is said.
    cipherlane(&["engines", "build", "libgcrypt", "--cache"])
        .arg(cache.path())
        .assert()
        .success()
        .stderr(contains(format!("CIPHERLANE_CACHE={}", cache.path().display())));
}

#[test]
fn verify_counts_what_passed() {
    let text = stdout(&["verify", "sm4/ctr", "--level", "portable"]);
    assert!(text.contains("× 1 levels") && text.contains("0 failed"), "{text}");
    let json: Value =
        serde_json::from_str(&stdout(&["verify", "sm4/ctr", "--json", "--level", "portable"]))
            .unwrap();
    assert_eq!(json["schema"], "cipherlane-verification/1");
    assert_eq!(json["vectors"], json["cases_passed"]);
    assert_eq!(json["failed"].as_array().unwrap().len(), 0);
    assert!(json["paths_passed"].as_u64() > json["cases_passed"].as_u64());
}

#[test]
fn a_report_is_rebuilt_from_its_results_alone() {
    let dir = tempfile::tempdir().unwrap();
    let file = write(dir.path(), "results.json", &results("Some <CPU>", 1.0));
    let out = dir.path().join("page");
    let text = stdout(&["report", file.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    assert!(text.contains("Some <CPU>") && text.contains("avx512") && text.contains("42.4 ("));
    assert!(!text.contains('\x1b'));
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("Some &lt;CPU&gt;") && page.contains("<svg"));
    assert_eq!(fs::read(out.join("results.json")).unwrap(), fs::read(&file).unwrap());
    assert_eq!(fs::read_to_string(out.join("results.csv")).unwrap().lines().count(), 7);
    assert_eq!(fs::read_dir(&out).unwrap().count(), 3);
    // Without --out nothing is written.
    cipherlane(&["report", "results.json"]).current_dir(dir.path()).assert().success();
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
}

#[test]
fn compare_prints_ratios_and_verdicts() {
    let dir = tempfile::tempdir().unwrap();
    let a = write(dir.path(), "a.json", &results("cpu", 1.0));
    let b = write(dir.path(), "b.json", &results("cpu", 0.5));
    let (a, b) = (a.to_str().unwrap(), b.to_str().unwrap());
    assert!(stdout(&["compare", a, b]).contains("B is ahead in 6, tied in 0, behind in 0"));
    assert!(stdout(&["compare", a, a]).contains("tied in 6, behind in 0; within 2 %: 6, 100.0 %"));
    let json: Value = serde_json::from_str(&stdout(&["compare", b, a, "--json"])).unwrap();
    assert_eq!(json["schema"], "cipherlane-comparison/1");
    assert_eq!(json["within_2_percent"], 0);
    let row = &json["rows"][0];
    assert_eq!(row["verdict"], "behind");
    let [low, ratio, high] = ["low", "ratio", "high"].map(|field| row[field].as_f64().unwrap());
    assert!(low <= ratio && ratio <= high && (1.9..2.1).contains(&ratio), "{row}");
}

#[test]
fn lists_are_no_wider_than_a_hundred_columns_where_there_is_no_terminal() {
    let dir = tempfile::tempdir().unwrap();
    let mut run = results("cpu", 1.0);
    run.rows[0].cell.level = "a-level-with-a-name-that-is-longer-than-any-that-there-is".to_owned();
    let a = write(dir.path(), "a.json", &run);
    let a = a.to_str().unwrap();
    let lists = [
        &["list"][..],
        &["dialects"],
        &["dialects", "doris-aes"],
        &["verify", "sm4", "zuc-256"],
        &["self-test"],
        &["compare", a, a],
    ];
    for args in lists {
        let text = stdout(args);
        let long: Vec<&str> = text.lines().filter(|line| line.chars().count() > 100).collect();
        assert!(long.is_empty(), "{args:?}: {long:#?}");
        assert!(!text.contains('…'), "{args:?}");
    }
    // A path stays whole, so that it can be copied: it alone may be longer.
    let text = stdout(&["engines"]);
    for line in text.lines().filter(|line| line.chars().count() > 100) {
        assert_eq!(line.split_whitespace().count(), 1, "{line}");
    }
    // What is told is what --json tells.
    let list: Value = serde_json::from_str(&stdout(&["list", "--json"])).unwrap();
    let text = stdout(&["list"]);
    for algorithm in list["algorithms"].as_array().unwrap() {
        for operation in algorithm["operations"].as_array().unwrap() {
            let name = operation["name"].as_str().unwrap();
            let told = algorithm["kind"] == "stream" && name == "keystream";
            assert!(told || text.split_whitespace().any(|word| word == name), "{name}");
        }
    }
}

#[test]
fn a_small_bench_writes_its_report() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("report");
    let output = cipherlane(&[
        "bench",
        "sm4/ctr",
        "--engine",
        "cipherlane,rustcrypto",
        "--level",
        "portable",
        "--model",
        "message",
        "--size",
        "64,1k",
        "--samples",
        "3",
        "--quick",
        "--json",
        "-",
        "--out",
        out.to_str().unwrap(),
    ])
    .assert()
    .success()
    .stderr(contains("report.html").and(contains("rustcrypto")))
    .get_output()
    .clone();
    let results = lab::report::parse(&output.stdout, "stdout").unwrap();
    let found = |engine: &str, size: u64| {
        results.rows.iter().any(|row| row.engine == engine && row.cell.size == size)
    };
    for engine in ["cipherlane", "rustcrypto"] {
        assert!(found(engine, 64) && found(engine, 1024), "{engine}");
    }
    assert_eq!(fs::read(out.join("results.json")).unwrap(), output.stdout);
    assert!(out.join("report.html").exists() && out.join("results.csv").exists());
}

#[test]
fn completions_and_manual_pages_are_made() {
    for (shell, word) in [("bash", "complete -F"), ("fish", "complete -c"), ("zsh", "#compdef")] {
        assert!(stdout(&["completions", shell]).contains(word), "{shell}");
    }
    assert!(stdout(&["man"]).contains(".TH"));
    assert!(stdout(&["man", "bench"]).contains("samples"));
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    for args in [&["list"][..], &["--help"], &["completions", "bash"], &["man"]] {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("cipherlane"))
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::with_capacity(1, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.is_empty(), "{args:?}: {stderr}");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
    }
}
