//! Wrong input is answered with what is wrong with it and what mends it, and the examples of the
//! help work.

use std::fs;
use std::process::{Command, Stdio};

use predicates::prelude::*;
use predicates::str::contains;

use crate::folder::Folder;
use crate::{cipherlane, stdout};

const IV: &str = "000102030405060708090a0b0c0d0e0f";

#[test]
fn every_fault_has_its_own_remedy() {
    let folder = Folder::new();
    folder.write("plain", 100);
    fs::write(folder.path("raw.key"), "00112233445566778899aabbccddeeff").unwrap();
    fs::write(folder.path("other.age"), "age-encryption.org/v1\n").unwrap();
    fs::write(folder.path("cut"), vec![7; 1000]).unwrap();
    folder.run(&["encrypt", "-k", "key", "plain"]).success();
    fs::copy(folder.path("plain.clane"), folder.path("unnamed")).unwrap();
    let whole = fs::read(folder.path("plain.clane")).unwrap();
    for byte in [8, 9, 10, 12] {
        let mut changed = whole.clone();
        changed[byte] ^= 0x80;
        fs::write(folder.path("changed.clane"), changed).unwrap();
        for verb in ["decrypt", "inspect"] {
            folder
                .run(&[verb, "-k", "key", "changed.clane"])
                .code(2)
                .stderr(contains("header is damaged, or a newer version"))
                .stderr(contains("cipherlane inspect").not());
        }
    }
    let cases: [(&[&str], i32, &str, &str); 19] = [
        (
            &["raw", "decrypt", "sm4-cbc", "--raw-key", "raw.key", "cut"],
            2,
            "sm4-cbc needs an IV of 16 bytes",
            "give --iv HEX, or --iv-in-front if",
        ),
        (
            &["raw", "encrypt", "sm4-cbc", "--raw-key", "raw.key", "cut"],
            2,
            "needs an IV",
            "--iv-in-front, which draws one",
        ),
        (
            &["mac", "aes-128/gmac", "--raw-key", "raw.key", "cut"],
            2,
            "aes-128/gmac needs an IV",
            "give --iv HEX",
        ),
        (
            &["raw", "decrypt", "sm4-cbc", "--raw-key", "raw.key", "--iv", IV, "cut", "-o", "out"],
            1,
            "1000 bytes are no whole blocks",
            "it is cut off",
        ),
        (
            &["encrypt", "-k", "key", "plain", "-o", "sub/none"],
            3,
            "the folder sub does not exist",
            "make it",
        ),
        (
            &["keygen", "-o", "/nonexistent/x"],
            3,
            "the folder /nonexistent does not exist",
            "make it",
        ),
        (
            &["keygen", "-o", "key"],
            3,
            "key is there already",
            "name another file with -o; what was encrypted with the old key needs",
        ),
        (&["decrypt", "-k", "key", "other.age"], 2, "not a Cipherlane file", "cipherlane doctor"),
        (&["decrypt", "-k", "key", "unnamed"], 2, "unnamed does not end with .clane", "-o"),
        (&["decrypt", "-k", "-", "plain.clane"], 2, "`-` is not the name of a file", "--key-fd 0"),
        (
            &["decrypt", "--passphrase-file", "-", "plain.clane"],
            2,
            "`-` is not",
            "--passphrase-fd 0",
        ),
        (&["mac", "sm4/cmac", "--raw-key", "-", "plain"], 2, "`-` is not", "--raw-key-fd 0"),
        (&["decrypt", "--key-fd", "97", "plain.clane"], 3, "descriptor 97 is not open", "97< FILE"),
        (&["mac", "sm4/foo", "--raw-key", "raw.key"], 2, "unknown MAC `sm4/foo`", "known: sm4/"),
        (
            &["mac", "sm4/cmax", "--raw-key", "raw.key"],
            2,
            "unknown MAC",
            "did you mean `sm4/cmac`?",
        ),
        (
            &["mac", "sm5/cmac", "--raw-key", "raw.key"],
            2,
            "unknown algorithm `sm5`",
            "did you mean `sm4`?",
        ),
        (&["mac", "rc4/cmac", "--raw-key", "raw.key"], 2, "rc4 has no MAC", "cipherlane list"),
        (&["encryp"], 2, "encryp", "did you mean encrypt?"),
        (&["encrypt", "-k", "key", "plain"], 3, "plain.clane is there already", "--force"),
    ];
    for (args, code, error, help) in cases {
        let [error, help] = [error, help].map(contains);
        folder.run(args).code(code).stdout("").stderr(error.and(help));
    }
    folder
        .run(&["mac", "sm4/foo", "--raw-key", "raw.key"])
        .stderr(contains("zuc").not().and(contains("aes").not()));
    folder.run(&["encryp"]).stderr(contains("bench").not());
}

/// What is wrong with a key is told, and none of it shown.
#[test]
fn what_is_wrong_with_a_key_is_told() {
    let folder = Folder::new();
    folder.write("plain", 100);
    let key = fs::read_to_string(folder.path("key")).unwrap();
    let digits = key.trim().rsplit(':').next().unwrap().to_owned();
    for (text, said) in [
        (format!("# my key\n{key}"), "begins with a comment"),
        (key.to_uppercase(), "not in lower case"),
        (digits.clone(), "without the mark"),
        (key.replacen(":", ":0x", 1), "begins with `0x`"),
        (String::new(), "empty"),
    ] {
        fs::write(folder.path("bad"), text).unwrap();
        folder
            .run(&["encrypt", "-k", "bad", "plain"])
            .code(2)
            .stderr(contains(said).and(contains(&digits[..6]).not()));
    }
    // Upper-case digits are digits.
    let (mark, _) = key.split_once(':').unwrap();
    fs::write(folder.path("upper"), format!("{mark}:{}", digits.to_uppercase())).unwrap();
    folder.run(&["encrypt", "-k", "upper", "plain"]).success();
    folder.run(&["decrypt", "-k", "key", "plain.clane", "-o", "out"]).success();
    let raw = "00112233445566778899aabbccddeeff";
    for (text, said) in [
        (raw.replace("11", "11:"), "colons"),
        (raw.replace("11", "11 "), "blanks"),
        (format!("0x{raw}"), "begins with `0x`"),
        (format!("# key\n{raw}"), "comment"),
        (raw[1..].to_owned(), "31 digits, an odd number"),
        ("zz".to_owned(), "character 1 is no hexadecimal digit"),
    ] {
        fs::write(folder.path("bad"), text).unwrap();
        folder
            .run(&["mac", "sm4/cmac", "--raw-key", "bad", "plain"])
            .code(2)
            .stderr(contains(said));
    }
    fs::write(folder.path("upper"), raw.to_uppercase()).unwrap();
    folder.run(&["mac", "sm4/cmac", "--raw-key", "upper", "plain"]).success();
}

#[cfg(unix)]
#[test]
fn a_key_that_never_ends_is_refused_at_once() {
    let folder = Folder::new();
    folder.write("plain", 100);
    let cases: [&[&str]; 3] = [
        &["encrypt", "-k", "/dev/zero", "plain"],
        &["encrypt", "--passphrase-file", "/dev/zero", "plain"],
        &["mac", "sm4/cmac", "--raw-key", "/dev/zero", "plain"],
    ];
    for args in cases {
        folder.run(args).code(2).stderr(contains("/dev/zero holds more than"));
    }
    // Only the first line of a passphrase's file is read.
    fs::write(folder.path("pass"), format!("pass\n{}", "x".repeat(1 << 20))).unwrap();
    let kdf = ["--kdf", "pbkdf2-sm3"];
    folder.run(&[&["encrypt", "--passphrase-file", "pass", "plain"], &kdf[..]].concat()).success();
    folder
        .run(&["decrypt", "--passphrase-env", "PASS", "plain.clane", "-o", "out"])
        .code(3)
        .stderr(contains("PASS is not set"));
}

/// Anybody can write a header that asks for hours.
#[test]
fn a_file_may_not_ask_for_any_amount_of_work() {
    let folder = Folder::new();
    folder.write("plain", 100);
    fs::write(folder.path("pass"), "pass\n").unwrap();
    let pass = ["--passphrase-file", "pass"];
    folder.run(&[&["encrypt", "plain"], &pass[..]].concat()).success();
    folder.run(&[&["decrypt", "plain.clane", "-o", "out"], &pass[..]].concat()).success();
    let mut forged = fs::read(folder.path("plain.clane")).unwrap();
    // Argon2id, 2 GiB, 64 passes.
    forged[12..16].copy_from_slice(&(2u32 << 20).to_be_bytes());
    forged[16..20].copy_from_slice(&64u32.to_be_bytes());
    fs::write(folder.path("forged.clane"), forged).unwrap();
    for args in [&["decrypt", "-o", "no", "forged.clane"][..], &["inspect", "forged.clane"]] {
        folder
            .run(&[args, &pass].concat())
            .code(1)
            .stderr(contains("683 times the work").and(contains("--max-work 683")));
        folder
            .run(&[args, &pass, &["--max-work", "0"]].concat())
            .code(2)
            .stderr(contains("--max-work is `0`"));
    }
    folder.run(&["inspect", "forged.clane"]).success().stdout(contains("64 passes"));
}

#[test]
fn inspect_counts_and_names_as_one_does() {
    let folder = Folder::new();
    folder.write("plain", 1);
    folder.run(&["encrypt", "-k", "key", "plain"]).success();
    folder
        .run(&["inspect", "plain.clane"])
        .success()
        .stdout(contains("1 byte in 1 chunk\n").and(contains("a key file, not a passphrase")));
}

#[cfg(unix)]
#[test]
fn help_that_cannot_be_written_is_an_error() {
    for args in ["--help", "encrypt --help", "--version"] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = Command::new(assert_cmd::cargo::cargo_bin!("cipherlane"))
            .args(args.split(' '))
            .stdout(full)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(3), "{args}");
        assert!(String::from_utf8(output.stderr).unwrap().contains("can't write"), "{args}");
    }
}

/// The examples of the verbs for files, run by a shell in a folder that has what they name.
#[cfg(unix)]
#[test]
fn the_examples_of_the_help_work() {
    let program = assert_cmd::cargo::cargo_bin!("cipherlane");
    let path = format!(
        "{}:{}",
        program.parent().unwrap().display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let mut run = 0;
    for verb in ["encrypt", "decrypt", "inspect", "keygen", "mac", "raw", "dialects"] {
        let help = stdout(&[verb, "--help"]);
        let examples = help.split("Examples:\n").nth(1).unwrap().split("\n\n").next().unwrap();
        for example in examples.lines().map(str::trim) {
            // Nobody is there to type one, and `jq` may not be.
            if example.contains("--passphrase ") || example.contains("| jq") {
                continue;
            }
            let folder = Folder::new();
            prepare(&folder);
            if verb == "decrypt" {
                folder.run(&["encrypt", "-k", "my.key", "-r", "documents"]).success();
                for plain in ["documents/a", "report.pdf"] {
                    fs::remove_file(folder.path(plain)).unwrap();
                }
            }
            if verb == "encrypt" {
                fs::remove_file(folder.path("report.pdf.clane")).unwrap();
            }
            if example.contains("keygen") {
                fs::remove_file(folder.path("my.key")).unwrap();
            }
            let [key, file] = ["key.hex", "FILE"].map(|name| folder.text(name));
            let tag = stdout(&["mac", "sm4/cmac", "--raw-key", &key, &file]);
            let example = example.replace("6d0a...", tag.split(' ').next().unwrap_or_default());
            let output = Command::new("sh")
                .args(["-c", &example])
                .current_dir(folder.path("."))
                .env("PATH", &path)
                .env("KEY", "0123456789abcdef0123456789abcdef")
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{example}: {said}");
            run += 1;
        }
    }
    assert!(run >= 11, "{run} examples");
}

/// What the examples name.
#[cfg(unix)]
fn prepare(folder: &Folder) {
    let run = |args: &[&str]| _ = cipherlane(args).current_dir(folder.path(".")).assert().success();
    run(&["keygen", "-o", "my.key"]);
    fs::create_dir(folder.path("documents")).unwrap();
    for name in ["report.pdf", "documents/a", "FILE"] {
        folder.write(name, 500);
    }
    run(&["encrypt", "-k", "my.key", "report.pdf"]);
    fs::write(folder.path("pass"), "a passphrase\n").unwrap();
    fs::write(folder.path("value"), "a value").unwrap();
    let value = ["raw", "encrypt", "value", "--dialect", "opengauss-sm4", "--weak"];
    run(&[&value[..], &["--passphrase-file", "pass", "-o", "value.txt"]].concat());
    run(&["raw", "encrypt", "sm4-cbc", "--passphrase-file", "pass", "FILE", "-o", "old.enc"]);
    fs::write(folder.path("key.hex"), "0123456789abcdef0123456789abcdef").unwrap();
    fs::write(folder.path("volume.hex"), ["01", "23"].map(|it| it.repeat(32)).concat()).unwrap();
    folder.write("disk", 8192);
    let gcm = ["raw", "encrypt", "sm4-gcm", "--raw-key", "key.hex", "FILE", "-o", "sealed"];
    run(&[&gcm[..], &["--iv", "00112233445566778899aabb"]].concat());
}
