//! Every error: one line and a remedy, the right status, no panic, nothing half-written.

use std::fs;
use std::path::Path;

use predicates::prelude::*;
use predicates::str::{contains, is_match};

use crate::cipherlane;
use crate::fixture::{results, write};

/// `error: …` and `help: …`, a line each, with this text and status.
fn refused(args: &[&str], status: i32, error: &str, help: &str) {
    let two_lines = is_match(r"\Aerror: [^\n]+\nhelp: [^\n]+\n\z").unwrap();
    cipherlane(args)
        .assert()
        .code(status)
        .stdout("")
        .stderr(two_lines.and(contains(error)).and(contains(help)));
}

#[test]
fn wrong_words_are_answered_with_the_right_ones() {
    refused(&["bnch"], 2, "bnch", "did you mean bench?");
    refused(&["bench", "--leval", "avx2"], 2, "--leval", "did you mean --level?");
    refused(&["bench", "sm5"], 2, "unknown algorithm `sm5`", "did you mean `sm4`?");
    refused(&["bench", "sm4/cbd"], 2, "unknown operation `cbd` of sm4", "did you mean `cbc`?");
    refused(&["bench", "--model", "mesage"], 2, "model is `mesage`", "init, key, stream, packet");
    refused(&["bench", "--level", "avx9"], 2, "unknown level `avx9`", "portable, aesni, avx2");
    refused(&["bench", "--engine", "nobody"], 2, "unknown engine `nobody`", "rustcrypto");
    refused(&["study", "zuc-reprt"], 2, "unknown study `zuc-reprt`", "did you mean `zuc-report`?");
    refused(&["study", "nothing"], 2, "unknown study `nothing`", "known: headline, zuc-report");
    refused(&["verify", "sm5"], 2, "unknown algorithm `sm5`", "did you mean `sm4`?");
    refused(&["verify", "SM4"], 2, "unknown algorithm `SM4`", "did you mean `sm4`?");
    refused(&["verify", "--level", "neon9"], 2, "unknown level", "portable");
    refused(&["man", "bensh"], 2, "unknown verb `bensh`", "did you mean `bench`?");
    refused(&["completions", "tcsh"], 2, "tcsh", "bash, elvish, fish");
    refused(&["compare", "a.json"], 2, "is missing", "cipherlane compare --help");
}

#[test]
fn numbers_that_cannot_be_are_refused() {
    refused(&["bench", "--size", "0"], 2, "--size is `0`", "1 to");
    refused(&["bench", "--size", "16,4x"], 2, "--size is `4x`", "suffix k, M or G");
    refused(&["bench", "--samples", "20"], 2, "--samples is `20`", "odd number");
    refused(&["bench", "--samples", "-1"], 2, "--samples is `-1`", "odd number");
    refused(&["bench", "--samples", "1"], 2, "--samples is `1`", "from 3");
    refused(&["bench", "--messages", "0"], 2, "messages is `0`", "1 to 65536");
    refused(&["bench", "--messages", "some"], 2, "--messages is `some`", "1 to 65536");
    refused(&["bench", "--threads", "0"], 2, "threads is `0`", "1 to 1024");
    refused(&["bench", "--aad", "1048577"], 2, "aad is `1048577`", "0 to 1048576");
    refused(&["bench", "--aad", "13,-1"], 2, "--aad is `-1`", "0 to 1048576");
    refused(&["bench", "--unaligned", "64"], 2, "unaligned is `64`", "0 to 63");
    refused(&["bench", "--unaligned", "x"], 2, "--unaligned is `x`", "0 to 63");
    refused(&["bench", "--keys", "old"], 2, "keys is `old`", "fresh, ready");
    refused(&["bench", "--mix", "odd"], 2, "mix is `odd`", "equal, imix");
    refused(&["verify", "--against", "rustcrypto", "--random", "0"], 2, "random is `0`", "1 or");
    refused(&["verify", "--against", "rustcryto"], 2, "`rustcryto`", "did you mean `rustcrypto`?");
    refused(&["verify", "--random", "5"], 2, "--against", "cipherlane verify --help");
    refused(&["bench", "--lib", "openssl"], 2, "--lib is `openssl`", "ENGINE=PATH");
}

#[test]
fn an_engine_that_can_be_built_is_told_with_the_command() {
    let cache = tempfile::tempdir().unwrap();
    for engine in ["openssl4", "botan"] {
        cipherlane(&["bench", "sm4", "--engine", engine])
            .env("CIPHERLANE_CACHE", cache.path())
            .assert()
            .code(3)
            .stdout("")
            .stderr(contains(format!("engine `{engine}` is missing")))
            .stderr(contains(format!("`cipherlane engines build {engine}`")));
    }
}

#[test]
fn what_cannot_be_built_is_refused() {
    let build = ["engines", "build"];
    let refuse = |name: &str, error: &str, help: &str| {
        refused(&[&build[..], &[name]].concat(), 2, error, help);
    };
    refuse("botn", "unknown engine `botn`", "did you mean `botan`?");
    refuse("cipherlane", "engine `cipherlane` is built into this program", "libgcrypt");
    refuse("openssl", "engine `openssl` is not built by this program", "apt-get install");
    refused(&build, 2, "is missing", "engines --help");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "x").unwrap();
    let cache = file.join("cache");
    let args = ["engines", "build", "libgcrypt", "--cache", cache.to_str().unwrap()];
    // The note on where engines are found comes first.
    cipherlane(&args).assert().code(3).stdout("").stderr(contains("can't make the folder"));
    cipherlane(&["engines", "build", "libgcrypt", "--cache", cache.to_str().unwrap()])
        .env("PATH", folder.path())
        .assert()
        .code(3)
        .stderr(contains("needs the program `apt-get`"));
}

#[test]
fn an_engine_that_is_not_there_is_told_with_what_brings_it() {
    refused(&["engine", "nobody"], 3, "engine `nobody` is missing", "rustcrypto");
    let lib = ["engine", "openssl", "--lib", "/nowhere/libcrypto.so"];
    refused(&lib, 3, "engine `openssl` is missing", "/nowhere/libcrypto.so");
}

#[test]
fn an_unknown_cap_of_levels_is_refused_by_every_verb_that_heeds_it() {
    for args in [&["verify", "sm4/ecb"][..], &["bench"], &["study", "headline"], &["list"]] {
        cipherlane(args)
            .env("CIPHERLANE_LEVEL", "avx9000")
            .assert()
            .code(2)
            .stdout("")
            .stderr(contains("error: CIPHERLANE_LEVEL: unknown level `avx9000`\nhelp: unset it"));
    }
    cipherlane(&["verify", "sm4/ecb"])
        .env("CIPHERLANE_LEVEL", "portable")
        .assert()
        .success()
        .stdout(contains("× 1 levels (portable)"));
}

#[test]
fn bad_results_files_are_refused_and_nothing_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let whole = fs::read(write(dir.path(), "whole.json", &results("cpu", 1.0))).unwrap();
    let bad = dir.path().join("bad.json");
    let refuse = |bytes: &[u8], error: &str| {
        fs::write(&bad, bytes).unwrap();
        let args = ["report", bad.to_str().unwrap(), "--out", out.to_str().unwrap()];
        refused(&args, 2, error, "`cipherlane bench`");
        assert!(!out.exists());
    };
    refuse(&whole[..whole.len() / 2], "is cut off at line");
    refuse(b"", "is cut off");
    refuse(b"{}", "no field `schema`");
    refuse(b"not json", "is not a results file");
    refuse(br#"{"schema":"cipherlane-results/7"}"#, "schema is `cipherlane-results/7`");
    refused(&["report", "/nowhere/results.json"], 3, "can't read", "existing results.json");
    refused(&["compare", "/nowhere/a.json", "b.json"], 3, "can't read", "existing results.json");
}

#[test]
fn an_unwritable_folder_is_found_before_measuring() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "mine").unwrap();
    let blocked = file.join("out");
    let blocked = blocked.to_str().unwrap();
    refused(&["bench", "--out", blocked], 3, "can't write", "--out");
    let kept = write(dir.path(), "results.json", &results("cpu", 1.0));
    refused(&["report", kept.to_str().unwrap(), "--out", blocked], 3, "can't write", "--out");
    let out = dir.path().join("report");
    let args = ["bench", "--out", out.to_str().unwrap(), "--json", blocked];
    refused(&args, 3, "can't write", "--json");
    assert_eq!(fs::read(&file).unwrap(), b"mine");
}

#[test]
fn studies_that_cannot_be_read_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let study = dir.path().join("study.toml");
    let run = |error: &str, status| {
        let out = dir.path().join("out");
        let args = ["bench", "--study", study.to_str().unwrap(), "--out", out.to_str().unwrap()];
        cipherlane(&args).assert().code(status).stdout("").stderr(contains(error));
        assert!(!out.exists());
    };
    run("can't read", 3);
    fs::write(&study, "title = ").unwrap();
    run("the study can't be read", 2);
    fs::write(&study, "title = \"x\"\n[[select]]\nwhat = [\"sm4\"]\nsizes = [0]\n").unwrap();
    run("size is `0`", 2);
}

#[test]
fn a_changed_vector_file_fails_and_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/vectors/data");
    for entry in fs::read_dir(data).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), dir.path().join(entry.file_name())).unwrap();
    }
    let file = dir.path().join("sm4.json");
    let text = fs::read_to_string(&file).unwrap();
    let changed = text.replacen("681edf34", "681edf35", 1);
    assert_ne!(text, changed);
    fs::write(&file, changed).unwrap();
    cipherlane(&["verify", "sm4/ecb", "--vectors", dir.path().to_str().unwrap()])
        .assert()
        .code(1)
        .stderr(contains("sm4.json").and(contains("expected: 35")).and(contains("help: ")));
}

#[test]
fn a_filter_without_an_implementation_is_no_success() {
    let dir = tempfile::tempdir().unwrap();
    let vectors = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/vectors/data/aes_modes.json");
    // A mode that is in no standard.
    let text = fs::read_to_string(vectors).unwrap().replace("\"cfb1\"", "\"cfb2\"");
    assert!(text.contains("\"cfb2\""));
    fs::write(dir.path().join("aes_modes.json"), text).unwrap();
    cipherlane(&["verify", "aes-128/cfb2", "--vectors", dir.path().to_str().unwrap()])
        .assert()
        .code(1)
        .stdout(contains("not implemented  aes_modes.json: cfb2"))
        .stderr(contains("error: no vector was run"));
}

#[test]
fn files_of_two_machines_are_not_compared_silently() {
    let dir = tempfile::tempdir().unwrap();
    let a = write(dir.path(), "a.json", &results("one CPU", 1.0));
    let b = write(dir.path(), "b.json", &results("another CPU", 0.5));
    let (a, b) = (a.to_str().unwrap(), b.to_str().unwrap());
    refused(&["compare", a, b], 1, "different machines", "--force");
    cipherlane(&["compare", a, b, "--force"]).assert().success().stdout(contains("ahead"));
    let mut wall = results("one CPU", 1.0);
    wall.rows.iter_mut().for_each(|row| row.clock = "wall".into());
    let b = write(dir.path(), "b.json", &wall);
    refused(&["compare", a, b.to_str().unwrap()], 1, "clock", "--force");
}
