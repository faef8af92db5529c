//! `doctor` finds the variant that opens a file, says how sure it is, and its command decrypts.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;
use serde_json::Value;
use tempfile::TempDir;

use crate::cipherlane;
use crate::raw::{arguments, bytes, groups};

const TEXT: &str = "Ein Text, der lang genug ist; 国密算法, and some lines\nof plain English.\n";

/// A folder with the files of a test.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    fn run(&self, args: &[&str]) -> assert_cmd::assert::Assert {
        cipherlane(args).current_dir(self.0.path()).assert()
    }

    /// What it finds in the file `sealed`, the best first.
    fn doctor(&self, args: &[&str]) -> Vec<Value> {
        let args = [&["doctor", "--json", "sealed"], args].concat();
        let output = cipherlane(&args).current_dir(self.0.path()).output().unwrap();
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(document["schema"], "cipherlane-doctor/1");
        let found = document["found"].as_array().unwrap().clone();
        let opens = found.first().is_some_and(|it| {
            ["verified", "sure", "likely"].contains(&it["certainty"].as_str().unwrap())
        });
        assert_eq!(output.status.code(), Some(i32::from(!opens)), "{document}");
        found
    }

    /// What the command of a finding decrypts.
    fn obeys(&self, found: &Value) -> Vec<u8> {
        let command = found["command"].as_str().unwrap();
        // A command may have a shell put the parts of a file in order before.
        let program = assert_cmd::cargo::cargo_bin!("cipherlane");
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::env::split_paths(&folders);
        let folders = program.parent().map(PathBuf::from).into_iter().chain(folders);
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{command} --force")]).current_dir(self.0.path());
        shell.env("PATH", std::env::join_paths(folders).unwrap());
        let status = shell.env_remove("CIPHERLANE_LEVEL").output().unwrap();
        assert!(status.status.success(), "{command}: {status:?}");
        fs::read(self.path("sealed.plain")).unwrap()
    }
}

/// What a user knows of a vector: where key and IV are, and data that is not in the file.
fn known(test: &Value) -> Vec<String> {
    let text = |field: &str| test[field].as_str().unwrap_or("").to_owned();
    let mut args = Vec::new();
    let mut option = |words: &[&str]| args.extend(words.iter().map(ToString::to_string));
    if test["kdf"] == "none" {
        option(&["--raw-key", "key"]);
        if !text("iv").is_empty() {
            option(&["--iv", &text("iv")]);
        }
    } else {
        // Fewer numbers than are tried by default: random bytes are told apart by nothing, so
        // that all are tried.
        let iterations = "10000,1000,100,2";
        let cipher = ["--cipher", "sm4", "--iterations", iterations];
        option(&[&["--passphrase-file", "pass"], &cipher[..]].concat());
        if test["salt_mode"] == "given" {
            option(&["--salt", &text("salt")]);
        }
    }
    if test["aad"].is_string() {
        option(&["--aad", &text("aad")]);
    }
    args
}

#[test]
#[cfg(unix)]
fn every_vector_is_judged_rightly() {
    let folder = Folder::new();
    let (mut tests, mut verified, mut padded) = (0, 0, 0);
    for group in groups() {
        for test in group["tests"].as_array().unwrap() {
            let id = test["id"].as_str().unwrap();
            folder.write("pass", [&bytes(test, "password")[..], b"\n"].concat());
            folder.write("key", test["key"].as_str().unwrap());
            folder.write("sealed", bytes(test, "output"));
            tests += 1;
            if bytes(test, "output").is_empty() {
                folder.run(&["doctor", "sealed", "--raw-key", "key"]).code(2);
                continue;
            }
            let args = known(test);
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let found = folder.doctor(&args);
            let cipher = test["cipher"].as_str().unwrap();
            let input = bytes(test, "input");
            if cipher.contains("gcm") {
                assert_eq!(found[0]["certainty"], "verified", "{id}");
                assert_eq!(found[0]["cipher"], cipher, "{id}");
                assert!(folder.obeys(&found[0]) == input, "{id}");
                verified += 1;
            } else if cipher.contains("hmac") {
                // Random bytes: the tag proves the key, and many modes open the rest.
                let right = found.iter().find(|it| it["cipher"] == cipher).unwrap();
                assert!(right["evidence"][0].as_str().unwrap().contains("HMAC"), "{id}");
                assert!(folder.obeys(right) == input, "{id}");
                verified += 1;
            } else if (cipher.contains("cbc") || cipher.contains("ecb")) && test["nopad"] != true {
                let right = found.iter().any(|it| folder.obeys(it) == input);
                assert!(right, "{id}: {found:?}");
                padded += 1;
            } else if let Some(best) = found.first().filter(|it| it["certainty"] == "sure") {
                // The inputs are random: nothing may be sure but by its padding.
                assert!(folder.obeys(best) == input, "{id}: {best}");
            }
        }
    }
    assert_eq!(tests, 109);
    assert!(verified >= 19 && padded >= 30, "{verified} {padded}");
}

#[test]
#[cfg(unix)]
fn text_in_the_variant_of_every_vector_is_found() {
    let folder = Folder::new();
    folder.write("plain", TEXT.repeat(3));
    let mut tests = 0;
    for group in groups() {
        for test in group["tests"].as_array().unwrap() {
            let id = test["id"].as_str().unwrap();
            folder.write("pass", [&bytes(test, "password")[..], b"\n"].concat());
            folder.write("key", test["key"].as_str().unwrap());
            let mut args = vec!["raw".to_owned(), "encrypt".to_owned()];
            args.extend(arguments(test, true));
            args.extend(["plain", "-f", "-o", "sealed"].map(str::to_owned));
            if test["nopad"] == true {
                folder.write("plain", &TEXT.repeat(3).as_bytes()[..160]);
            }
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            folder.run(&args).success();
            let args = known(test);
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let found = folder.doctor(&args);
            assert!(["verified", "sure"].contains(&found[0]["certainty"].as_str().unwrap()));
            assert!(folder.obeys(&found[0]) == fs::read(folder.path("plain")).unwrap(), "{id}");
            folder.write("plain", TEXT.repeat(3));
            tests += 1;
        }
    }
    assert_eq!(tests, 109);
}

/// A variant: options of `raw encrypt`, what `doctor` is told, and what it must say.
struct Case {
    cipher: &'static str,
    raw: &'static [&'static str],
    told: &'static [&'static str],
    says: &'static str,
}

const IV: &str = "f0e1d2c3b4a5968778695a4b3c2d1e0f";
const ZERO: &str = "00000000000000000000000000000000";
const KEY: &[&str] = &["--raw-key", "key"];

#[test]
#[cfg(unix)]
fn variants_beyond_the_vectors_are_found() {
    let case = |cipher, raw, told, says| Case { cipher, raw, told, says };
    let cases = [
        case("sm4-cbc", &["--iv-in-front"], KEY, "the IV in front of the data"),
        case("sm4-cbc", &["--iv", ZERO], KEY, "an IV of zeros"),
        case(
            "sm4-cbc",
            &["--iv", IV, "--padding", "iso7816-4"],
            &["--raw-key", "key", "--iv", IV],
            "iso7816-4",
        ),
        case("sm4-ecb", &["--padding", "iso7816-4"], KEY, "iso7816-4"),
        case(
            "sm4-cbc",
            &["--iv-in-front", "--key-text"],
            &["--raw-key", "text"],
            "the text itself",
        ),
        case("sm4-ctr", &["--iv-in-front"], KEY, "the IV in front of the data"),
        case("sm4-gcm", &["--iv-in-front"], KEY, "the IV in front of the data"),
        case(
            "sm4-gcm",
            &["--iv-in-front", "--aad", "aabb"],
            &["--raw-key", "key", "--aad", "aabb"],
            "in front",
        ),
        case("sm4-gcm", &["--iv-in-front", "--base64"], KEY, "in Base64"),
        case("sm4-ccm", &["--iv-in-front"], KEY, "the IV in front of the data"),
        case("sm4-xts", &["--iv-in-front"], &["--raw-key", "long"], "the IV in front of the data"),
        case("sm4-xts-gb", &["--iv", IV], &["--raw-key", "long", "--iv", IV], "the IV given"),
        case("sm4-ofb", &["--iv", ZERO, "--base64-line"], KEY, "in Base64"),
        case(
            "aes-256-cbc",
            &["--iv-in-front"],
            &["--raw-key", "long"],
            "the IV in front of the data",
        ),
        case("zuc-128", &["--iv-in-front"], KEY, "the IV in front of the data"),
        case(
            "sm4-cbc",
            &["--kdf", "bytes-to-key", "--hash", "md5"],
            &["--passphrase-file", "pass"],
            "EVP_BytesToKey with md5",
        ),
        case(
            "sm4-ctr",
            &["--hash", "sha512", "--iterations", "4096"],
            &["--passphrase-file", "pass"],
            "sha512, 4096",
        ),
        case(
            "sm4-ctr",
            &["--iterations", "777"],
            &["--passphrase-file", "pass", "--iterations", "5,777"],
            "777",
        ),
    ];
    let folder = Folder::new();
    folder.write("key", "00112233445566778899aabbccddeeff\n");
    folder.write("long", "0123456789abcdeffedcba987654321000112233445566778899aabbccddeeff\n");
    folder.write("text", "sixteen letters!\n");
    folder.write("pass", "correct horse\n");
    // A text of some bytes, of a sample and more, and a file that is known by its signature.
    let binary: Vec<u8> = (0..30_000_u32).flat_map(u32::to_le_bytes).collect();
    let plains =
        [TEXT.into(), TEXT.repeat(2000).into_bytes(), [b"%PDF-1.7\n", &binary[..]].concat()];
    for Case { cipher, raw, told, says } in cases {
        for (number, plain) in plains.iter().enumerate() {
            folder.write("plain", plain);
            let mut args = vec!["raw", "encrypt", cipher, "plain", "-f", "-o", "sealed"];
            args.extend(&told[..2]);
            args.extend(raw);
            folder.run(&args).success();
            let found = folder.doctor(told);
            let right = found.iter().position(|it| {
                it["cipher"] == cipher && it["variant"].as_str().unwrap().contains(says)
            });
            let right = right.unwrap_or_else(|| panic!("{cipher} {raw:?} {number}: {found:?}"));
            assert!(folder.obeys(&found[right]) == *plain, "{cipher} {raw:?} {number}: {found:?}");
            assert!(right == 0 && found[0]["certainty"] != "possible", "{cipher}: {found:?}");
        }
    }
}

#[test]
fn what_nothing_opens_is_said_so() {
    let folder = Folder::new();
    folder.write("key", "00112233445566778899aabbccddeeff\n");
    folder.write("other", "00112233445566778899aabbccddeefe\n");
    folder.write("plain", TEXT.repeat(20));
    folder.write("empty", "");
    folder
        .run(&[
            "raw",
            "encrypt",
            "sm4-gcm",
            "plain",
            "-o",
            "sealed",
            "--raw-key",
            "key",
            "--iv-in-front",
        ])
        .success();
    folder.run(&["doctor", "sealed", "--raw-key", "key"]).success().stdout(
        contains("verified  sm4-gcm").and(contains(
            "cipherlane raw decrypt sm4-gcm --raw-key key --iv-in-front sealed -o sealed.plain",
        )),
    );
    folder
        .run(&["doctor", "sealed", "--raw-key", "other"])
        .code(1)
        .stderr(contains("nothing opens sealed").and(contains("help: ")));
    folder.run(&["doctor", "sealed"]).code(2).stderr(contains("no key was given"));
    folder.run(&["doctor", "empty", "--raw-key", "key"]).code(2).stderr(contains("empty is empty"));
    folder.run(&["doctor", "none", "--raw-key", "key"]).code(3).stderr(contains("none"));
    folder
        .run(&["doctor", "sealed", "--raw-key", "key", "--cipher", "sm5"])
        .code(2)
        .stderr(contains("unknown cipher `sm5`"));
    folder.run(&["doctor", "sealed", "--raw-key", "key", "--iterations", "0"]).code(2);
    folder.run(&["keygen", "-o", "master"]).success();
    folder
        .run(&["doctor", "sealed", "-k", "master"])
        .code(2)
        .stderr(contains("key file of `keygen`"));
    folder.run(&["encrypt", "-k", "master", "plain"]).success();
    folder
        .run(&["doctor", "plain.clane", "--raw-key", "key"])
        .code(2)
        .stderr(contains("cipherlane inspect"));
}

/// The files of which it once said `sure` with a wrong key or without any encryption.
#[test]
fn repetitions_and_plaintexts_are_not_taken_for_success() {
    let folder = Folder::new();
    folder.write("key", "00112233445566778899aabbccddeeff\n");
    folder.write("other", "ffeeddccbbaa99887766554433221100\n");
    let lines: String = (0..2000).map(|n| format!("line {n} of the document\n")).collect();
    let log = "INFO 2020 ok\n".repeat(2000);
    for (plain, is) in [
        (log.as_bytes(), "is text (ASCII)"),
        (lines.as_bytes(), "is text (ASCII)"),
        (&[0; 20_000], "has uneven bytes"),
        (b"PK\x03\x04\x14\0\0\0\x08\0\x31\x82\x9c\x5a\x17\xe0\x4b", "begins as ZIP does"),
    ] {
        folder.write("plain", plain);
        folder
            .run(&["doctor", "plain", "--raw-key", "key"])
            .code(1)
            .stderr(contains(format!("plain is not encrypted, it seems: it {is} as it stands")))
            .stdout(contains("cipherlane raw").not());
        for cipher in ["sm4-ecb", "sm4-cfb8", "idea-ecb"] {
            let iv: &[&str] = if cipher == "sm4-cfb8" { &["--iv", ZERO] } else { &[] };
            let args = ["raw", "encrypt", cipher, "plain", "-f", "-o", "sealed", "--raw-key"];
            folder.run(&[&args[..], &["other"], iv].concat()).success();
            folder
                .run(&["doctor", "sealed", "--raw-key", "key"])
                .code(1)
                .stderr(contains("nothing opens sealed"))
                .stdout(contains("chance").not());
        }
    }
    // What is no better than chance is shown to those who ask, without a command.
    folder.write("sealed", [[7; 15], [9; 15]].concat());
    let told = ["doctor", "sealed", "--raw-key", "key", "--all"];
    folder.run(&told).code(1).stdout(contains("cipherlane raw decrypt").not());
    folder
        .write("text64", "aGVsbG8sIGhlcmUgaXMgc29tZSB0ZXh0IGluIEJhc2U2NCwgbm90IGVuY3J5cHRlZA==\n");
    folder
        .run(&["doctor", "text64", "--raw-key", "key"])
        .code(1)
        .stderr(contains("it is text (ASCII), in Base64, as it stands"));
}

/// What PyCryptodome's documentation writes, and other orders of nonce, tag and data.
#[test]
#[cfg(unix)]
fn commands_put_the_parts_in_order() {
    let folder = Folder::new();
    folder.write("key", "00112233445566778899aabbccddeeff\n");
    folder.write("plain", TEXT);
    for (cipher, nonce) in
        [("aes-128-gcm", 16), ("aes-128-gcm", 12), ("aes-128-ccm", 11), ("aes-128-ctr", 8)]
    {
        let mut iv = hex::decode(IV).unwrap()[..nonce].to_vec();
        let nonce = iv.clone();
        iv.resize(if cipher == "aes-128-ctr" { 16 } else { iv.len() }, 0);
        let (iv, args) = (hex::encode(iv), ["raw", "encrypt", cipher, "plain", "-f", "-o", "made"]);
        folder.run(&[&args[..], &["--raw-key", "key", "--iv", &iv]].concat()).success();
        let made = fs::read(folder.path("made")).unwrap();
        let (data, tag) = made.split_at(TEXT.len());
        for parts in [[&nonce, tag, data], [tag, &nonce, data], [&nonce, data, tag]] {
            let file = parts.concat();
            for base64 in [false, true] {
                folder.write("sealed", if base64 { encoded(&file) } else { file.clone() });
                let found = folder.doctor(KEY);
                assert!(["verified", "sure"].contains(&found[0]["certainty"].as_str().unwrap()));
                assert_eq!(found[0]["cipher"], cipher);
                assert!(folder.obeys(&found[0]) == TEXT.as_bytes(), "{}", found[0]);
            }
        }
    }
}

fn encoded(bytes: &[u8]) -> Vec<u8> {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(bytes).into_bytes()
}
