//! Data of `openssl enc` and GmSSL: the vectors open and come out the same, byte by byte.

use std::fs;

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;
use tempfile::TempDir;

use crate::cipherlane;
use crate::folder::Folder;

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
    check("070a16b46b4d4144f79bdd9dd04a287c").success();
    check("070a16b46b4d4145f79bdd9dd04a287c").code(1).stderr(contains("the MAC is wrong"));
    // Whoever sends the tag does not choose its length.
    check("070a16b46b4d4144").code(2).stderr(contains("8 bytes; the tag has 16"));
    let short = ["mac", "aes-128/cmac", "--raw-key", "key", "--tag-bytes", "8", "block", "--check"];
    run(&[&short[..], &["070a16b46b4d4144"]].concat()).success();
    run(&[&short[..], &["070a16b46b4d4145"]].concat()).code(1);
    run(&[&short[..], &["070a16b4"]].concat()).code(2).stderr(contains("4 bytes; the tag has 8"));
    run(&["mac", "aes-128/cmak", "--raw-key", "key", "block"])
        .code(2)
        .stderr(contains("aes-128/cmac"));
    run(&["mac", "aes-128/cmac", "block"]).code(2).stderr(contains("--raw-key"));
    run(&["mac", "aes-128/gmac", "--raw-key", "key", "block"])
        .code(2)
        .stderr(contains("needs an IV").and(contains("--iv HEX")));
}

#[test]
fn one_iv_is_for_one_file() {
    let folder = TempDir::new().unwrap();
    for name in ["a", "b"] {
        fs::write(folder.path().join(name), name).unwrap();
    }
    let digits = |bytes: usize| "0123456789abcdef".repeat(4)[..2 * bytes].to_owned();
    for (mac, key, iv) in
        [("sm4/gmac", 16, 12), ("zuc-128/eia3", 16, 16), ("zuc-256/mac128", 32, 23)]
    {
        fs::write(folder.path().join("key"), digits(key)).unwrap();
        let iv = digits(iv);
        let run = |files: &[&str]| {
            let args = [&["mac", mac, "--raw-key", "key", "--iv", &iv], files].concat();
            cipherlane(&args).current_dir(folder.path()).assert()
        };
        run(&["a"]).success().stdout(contains("  a"));
        for files in [["a", "b"], ["a", "a"]] {
            run(&files).code(2).stdout("").stderr(contains("--iv with 2 files"));
        }
    }
}

/// GmSSL feeds associated data to the HMAC, before the ciphertext.
#[test]
fn associated_data_is_authenticated_or_refused() {
    use hmac::{Hmac, KeyInit as _, Mac as _};

    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let key: Vec<u8> = (0..48).collect();
    fs::write(path("key"), hex::encode(&key)).unwrap();
    fs::write(path("short"), hex::encode(&key[..16])).unwrap();
    fs::write(path("plain"), "pay 0000100 EUR to alice").unwrap();
    let iv = ["--iv", "000102030405060708090a0b0c0d0e0f"];
    let run = |args: &[&str]| cipherlane(args).current_dir(folder.path()).assert();
    for cipher in ["sm4-cbc-sm3-hmac", "sm4-ctr-sm3-hmac"] {
        let seal = ["raw", "encrypt", cipher, "--raw-key", "key", "-f", "-o", "sealed", "plain"];
        run(&[&seal[..], &iv, &["--aad", "aaaa"]].concat())
            .success()
            .stderr(contains("not over the IV"));
        let sealed = fs::read(path("sealed")).unwrap();
        let (body, tag) = sealed.split_at(sealed.len() - 32);
        let mut mac = Hmac::<sm3::Sm3>::new_from_slice(&key[16..]).unwrap();
        mac.update(&[0xaa, 0xaa]);
        mac.update(body);
        assert_eq!(mac.finalize().into_bytes()[..], *tag);
        let open = ["raw", "decrypt", cipher, "--raw-key", "key", "sealed"];
        let opened = |aad: &[&str]| run(&[&open[..], &iv, aad].concat());
        opened(&["--aad", "aaaa"]).success().stdout("pay 0000100 EUR to alice");
        opened(&["--aad", "bbbb"]).code(1).stdout("");
        opened(&[]).code(1).stdout("");
        // The IV would be drawn and carried without being authenticated.
        for verb in ["encrypt", "decrypt"] {
            run(&["raw", verb, cipher, "--raw-key", "key", "--iv-in-front", "plain"])
                .code(2)
                .stdout("")
                .stderr(contains("HMAC is not over the IV"));
        }
    }
    for cipher in ["sm4-cbc", "sm4-ctr", "sm4-xts"] {
        let args = ["raw", "encrypt", cipher, "--raw-key", "short", "--aad", "aaaa", "plain"];
        run(&[&args[..], &iv].concat())
            .code(2)
            .stdout("")
            .stderr(contains("authenticates nothing"));
    }
}

#[test]
fn a_nonce_of_an_aead_is_never_derived_twice() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("pass"), "pass\n").unwrap();
    fs::write(path("plain"), "some text").unwrap();
    let run = |verb: &str, file: &str, more: &[&str]| {
        let args = ["raw", verb, "sm4-gcm", "--passphrase-file", "pass", file];
        cipherlane(&[&args[..], more].concat()).current_dir(folder.path()).assert()
    };
    for salt in [&["--no-salt"][..], &["--salt", "0011223344556677"]] {
        run("encrypt", "plain", salt).code(2).stdout("").stderr(contains("drawn salt"));
        let sealed = run("encrypt", "plain", &[salt, &["--iv-in-front"]].concat()).success();
        fs::write(path("sealed"), &sealed.get_output().stdout).unwrap();
        run("decrypt", "sealed", &[salt, &["--iv-in-front"]].concat())
            .success()
            .stdout("some text");
    }
    let sealed = run("encrypt", "plain", &[]).success();
    fs::write(path("sealed"), &sealed.get_output().stdout).unwrap();
    run("decrypt", "sealed", &[]).success().stdout("some text");
    // Modes without authentication are what `openssl enc -nosalt` writes: told, not refused.
    cipherlane(&["raw", "encrypt", "sm4-ctr", "--passphrase-file", "pass", "--no-salt", "plain"])
        .current_dir(folder.path())
        .assert()
        .success()
        .stderr(contains("the same key and IV"));
}

#[test]
fn a_wrong_passphrase_that_cannot_be_told_is_announced() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("pass"), "pass\n").unwrap();
    fs::write(folder.path().join("sealed"), "Salted__01234567some bytes").unwrap();
    let run = |cipher: &str| {
        let args = ["raw", "decrypt", cipher, "--passphrase-file", "pass", "sealed"];
        cipherlane(&args).current_dir(folder.path()).assert()
    };
    run("sm4-ctr").success().stderr(contains("so does a wrong passphrase").count(1));
    run("sm4-cbc").code(1).stderr(contains("so does a wrong").not());
}

#[test]
fn a_packet_of_3gpp_is_named_by_its_numbers() {
    let folder = Folder::new();
    // TS 33.401 annex C.1, 128-EEA2 test set 1, whose last three bits are no part of the message.
    let plain = "981ba6824c1bfb1ab485472029b71d808ce33e2cc3c0b5fc1f3de8a6dc66b1f0";
    let bytes = |digits: &str| hex::decode(digits).unwrap();
    fs::write(folder.path("pdu"), bytes(plain)).unwrap();
    fs::write(folder.path("key"), "d3c5d592327fb11c4035c6680af8c6d1").unwrap();
    fs::write(folder.path("key256"), "d3c5d592327fb11c4035c6680af8c6d1".repeat(2)).unwrap();
    let numbers = ["--count", "0x398a59b4", "--bearer", "21", "--direction", "downlink"];
    let nea2 = ["raw", "encrypt", "nea2", "--raw-key", "key", "pdu", "-o", "nea2"];
    folder.run(&[&nea2[..], &numbers].concat()).success();
    let expected = bytes("e9fed8a63d155304d71df20bf3e82214b20ed7dad2f233dc3c22d7bdeeed8e78");
    let made = fs::read(folder.path("nea2")).unwrap();
    assert_eq!(made[..31], expected[..31]);
    assert_eq!(made[31] & 0xf8, expected[31]);
    for number in 1..=6 {
        let key = if number < 4 { "key" } else { "key256" };
        let (nea, back) = (format!("nea{number}"), format!("back{number}"));
        let sealed = format!("sealed{number}");
        let forth = ["raw", "encrypt", &nea, "--raw-key", key, "pdu", "-o", &sealed];
        let assumed = contains("is assumed");
        let said = folder.run(&[&forth[..], &numbers].concat()).success();
        if number < 4 {
            said.stderr(assumed.not())
        } else {
            said.stderr(assumed)
        };
        let again = ["raw", "decrypt", &nea, "--raw-key", key, &sealed, "-o", &back];
        folder.run(&[&again[..], &numbers].concat()).success();
        assert_eq!(fs::read(folder.path(&back)).unwrap(), bytes(plain), "{nea}");
        assert_ne!(fs::read(folder.path(&sealed)).unwrap(), bytes(plain), "{nea}");
        let nia = format!("nia{number}");
        let mac = ["mac", &nia, "--raw-key", key, "pdu"];
        folder.run(&[&mac[..], &numbers].concat()).success().stdout(contains("  pdu\n"));
        folder.run(&mac).code(2).stderr(contains("--count"));
    }
    // The registry's name and the IV by hand tell the same.
    let by_hand = [
        "mac",
        "zuc-128/eia3",
        "--raw-key",
        "key",
        "pdu",
        "--iv",
        "398a59b4a8000000b98a59b4a8008000",
    ];
    let by_hand = folder.run(&by_hand).success().get_output().stdout.clone();
    let mac = ["mac", "nia3", "--raw-key", "key", "pdu"];
    let by_numbers =
        folder.run(&[&mac[..], &numbers].concat()).success().get_output().stdout.clone();
    assert_eq!(by_hand, by_numbers);
    for (args, said) in [
        (
            &["raw", "encrypt", "sm4-ctr", "--raw-key", "key", "pdu", "-o", "x"][..],
            "no algorithm of 3GPP",
        ),
        (
            &["raw", "encrypt", "sm4-gcm", "--raw-key", "key", "pdu", "-o", "x"],
            "no algorithm of 3GPP",
        ),
        (&["mac", "sm4/cmac", "--raw-key", "key", "pdu"], "no algorithm of 3GPP"),
        (&["mac", "nia3", "--raw-key", "key", "pdu", "--iv", "00"], "cannot be used with"),
    ] {
        folder.run(&[args, &numbers].concat()).code(2).stderr(contains(said));
    }
    folder.run(&["mac", "nia3", "--raw-key", "key", "pdu", "--count", "1"]).code(2);
}

#[test]
fn key_and_data_do_not_both_come_from_standard_input() {
    let folder = Folder::new();
    fs::write(folder.path("plain"), "some data").unwrap();
    let iv = "00112233445566778899aabbccddeeff";
    let key = "0123456789abcdeffedcba9876543210";
    for verb in ["encrypt", "decrypt"] {
        for given in [&["--raw-key-fd", "0", "--iv", iv][..], &["--passphrase-fd", "0"]] {
            for data in [&["-"][..], &[]] {
                let args = [&["raw", verb, "sm4-ctr"], given, data].concat();
                cipherlane(&args)
                    .write_stdin(format!("{key}\nsome data"))
                    .assert()
                    .code(2)
                    .stdout("")
                    .stderr(contains("key and data both from standard input"))
                    .stderr(contains("help: give one of them another descriptor"));
            }
        }
    }
    // Of a file the data, and the key from there, as before.
    let plain = folder.text("plain");
    let args = ["raw", "encrypt", "sm4-ctr", "--raw-key-fd", "0", "--iv", iv, &plain];
    let sealed = cipherlane(&args).write_stdin(key).assert().success().get_output().stdout.clone();
    assert_eq!(sealed.len(), 9);
}
