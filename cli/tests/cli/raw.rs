//! Data of `openssl enc` and GmSSL: the vectors open and come out the same, byte by byte.

use std::fs;

use predicates::str::contains;
use serde_json::Value;
use tempfile::TempDir;

use crate::cipherlane;

pub(crate) fn groups() -> Vec<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/openssl_enc.json");
    let document: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    document["groups"].as_array().unwrap().clone()
}

pub(crate) fn bytes(test: &Value, field: &str) -> Vec<u8> {
    hex::decode(test[field].as_str().unwrap_or("")).unwrap()
}

/// The arguments of a test but its direction and its files.
pub(crate) fn arguments(test: &Value, decrypts: bool) -> Vec<String> {
    let text = |field: &str| test[field].as_str().unwrap_or("").to_owned();
    let mut args = vec![text("cipher")];
    let mut option = |words: &[&str]| args.extend(words.iter().map(ToString::to_string));
    if test["kdf"] == "none" {
        option(&["--raw-key", "key"]);
        if !text("iv").is_empty() && !text("cipher").contains("ecb") {
            option(&["--iv", &text("iv")]);
        }
    } else {
        option(&["--passphrase-file", "pass", "--kdf", &text("kdf"), "--hash", &text("md")]);
        if let Some(iterations) = test["iterations"].as_u64() {
            option(&["--iterations", &iterations.to_string()]);
        }
        match text("salt_mode").as_str() {
            "none" => option(&["--no-salt"]),
            // To come out the same the salt must be the one that was drawn.
            "given" => option(&["--salt", &text("salt")]),
            _ if !decrypts => option(&["--salt", &text("salt")]),
            _ => {}
        }
    }
    if test["nopad"] == true {
        option(&["--no-padding"]);
    }
    match test["base64"].as_str() {
        Some("one line") => option(&["--base64-line"]),
        Some(_) => option(&["--base64"]),
        None => {}
    }
    if test["aad"].is_string() {
        option(&["--aad", &text("aad")]);
    }
    args
}

#[test]
fn every_vector_opens_and_comes_out_the_same() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut tests = 0;
    for group in groups() {
        for test in group["tests"].as_array().unwrap() {
            let id = test["id"].as_str().unwrap();
            let passphrase = bytes(test, "password");
            fs::write(path("pass"), [&passphrase[..], b"\n"].concat()).unwrap();
            fs::write(path("key"), test["key"].as_str().unwrap()).unwrap();
            fs::write(path("plain"), bytes(test, "input")).unwrap();
            fs::write(path("sealed"), bytes(test, "output")).unwrap();
            let run = |verb: &str, from: &str, to: &str| {
                let mut args = vec!["raw".to_owned(), verb.to_owned()];
                args.extend(arguments(test, verb == "decrypt"));
                args.extend([from, "-f", "-o", to].map(str::to_owned));
                let args: Vec<&str> = args.iter().map(String::as_str).collect();
                cipherlane(&args).current_dir(folder.path()).assert()
            };
            run("decrypt", "sealed", "out").success();
            assert!(fs::read(path("out")).unwrap() == bytes(test, "input"), "{id} does not open");
            // With a salt given, `openssl enc` writes no header, and no Base64 of it.
            let expected = bytes(test, "output");
            let header = test["salt_mode"] == "random";
            if !(header && test["base64"].is_string()) {
                run("encrypt", "plain", "out").success();
                let skip = if header { 16 } else { 0 };
                assert!(
                    fs::read(path("out")).unwrap() == expected[skip..],
                    "{id} comes out different"
                );
            }
            tests += 1;
        }
    }
    assert_eq!(tests, 109);
}

#[test]
fn a_drawn_salt_stands_in_front_and_opens() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("pass"), "pass\n").unwrap();
    let plain: Vec<u8> = (0..(2 << 20) + 5).map(|i: u32| (i >> 3) as u8).collect();
    fs::write(path("plain"), &plain).unwrap();
    for text in [None, Some("--base64"), Some("--base64-line")] {
        let run = |verb: &str, from: &str, to: &str| {
            let mut args =
                vec!["raw", verb, "sm4-cbc", "--passphrase-file", "pass", "-f", from, "-o", to];
            args.extend(text);
            cipherlane(&args).current_dir(folder.path()).assert().success();
        };
        run("encrypt", "plain", "sealed");
        let sealed = fs::read(path("sealed")).unwrap();
        assert!(sealed.starts_with(if text.is_some() { b"U2FsdGVkX1" } else { b"Salted__" }));
        run("decrypt", "sealed", "out");
        assert!(fs::read(path("out")).unwrap() == plain, "{text:?}");
    }
}

#[test]
fn what_does_not_open_goes_nowhere() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("key"), "00112233445566778899aabbccddeeff\n").unwrap();
    fs::write(path("plain"), "some text").unwrap();
    let run = |args: &[&str]| cipherlane(args).current_dir(folder.path()).assert();
    let iv = ["--raw-key", "key", "--iv", "000102030405060708090a0b"];
    run(&[&["raw", "encrypt", "sm4-gcm", "plain", "-o", "sealed"], &iv[..]].concat()).success();
    let mut sealed = fs::read(path("sealed")).unwrap();
    sealed[3] ^= 1;
    fs::write(path("bad"), sealed).unwrap();
    for output in ["out", "-"] {
        let args = [&["raw", "decrypt", "sm4-gcm", "bad", "-o", output], &iv[..]].concat();
        run(&args).code(1).stdout("").stderr(contains("does not open"));
        assert!(!path("out").exists());
    }
    run(&["raw", "encrypt", "sm4-xyz", "plain"]).code(2).stderr(contains("sm4-xyz"));
    run(&["raw", "decrypt", "sm4-cbc", "plain", "--raw-key", "key", "--iv", "0011"])
        .code(2)
        .stderr(contains("iv of 2 bytes; allowed: 16 bytes"));
    let cbc = ["raw", "encrypt", "sm4-cbc", "plain", "--no-padding", "--raw-key", "key", "--iv"];
    run(&[&cbc[..], &["00112233445566778899aabbccddeeff"]].concat())
        .code(2)
        .stderr(contains("multiple of 16"));
}

#[test]
fn macs_are_those_of_the_standards_and_are_checked() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    // NIST SP 800-38B, appendix D.1, the first two examples.
    fs::write(path("key"), "2b7e151628aed2a6abf7158809cf4f3c").unwrap();
    fs::write(path("empty"), "").unwrap();
    fs::write(path("block"), hex::decode("6bc1bee22e409f96e93d7e117393172a").unwrap()).unwrap();
    let run = |args: &[&str]| cipherlane(args).current_dir(folder.path()).assert();
    run(&["mac", "aes-128/cmac", "--raw-key", "key", "empty", "block"]).success().stdout(
        "bb1d6929e95937287fa37d129b756746  empty\n070a16b46b4d4144f79bdd9dd04a287c  block\n",
    );
    let check =
        |tag: &str| run(&["mac", "aes-128/cmac", "--raw-key", "key", "--check", tag, "block"]);
    check("070a16b46b4d4144").success();
    check("070a16b46b4d4145").code(1).stderr(contains("the MAC is wrong"));
    run(&["mac", "aes-128/cmak", "--raw-key", "key", "block"])
        .code(2)
        .stderr(contains("aes-128/cmac"));
    run(&["mac", "aes-128/cmac", "block"]).code(2).stderr(contains("--raw-key"));
    run(&["mac", "aes-128/gmac", "--raw-key", "key", "block"]).code(2).stderr(contains("allowed"));
}
