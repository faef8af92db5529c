//! Values of databases and middleware: listed, read, written, verified.

use std::fs;

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::folder::Folder;
use crate::{cipherlane, stdout};

const VECTORS: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/dialects/tests/data/dialects.json");

#[test]
fn every_dialect_is_listed_and_told_in_full() {
    let text = stdout(&["dialects"]);
    let list: Value = serde_json::from_str(&stdout(&["dialects", "--json"])).unwrap();
    assert_eq!(list["schema"], "cipherlane-dialects/1");
    let dialects = list["dialects"].as_array().unwrap();
    assert_eq!(dialects.len(), 16);
    for dialect in dialects {
        let name = dialect["name"].as_str().unwrap();
        assert!(text.contains(&format!("{name}  ")), "{name}");
        let whole = stdout(&["dialects", name]);
        for part in ["key", "IV", "modes", "flaws", "sources", "status", "coding", "NULL"] {
            assert!(whole.contains(&format!("  {part} ")), "{name}: {part}: {whole}");
        }
        assert!(!dialect["modes"].as_array().unwrap().is_empty());
        assert!(!dialect["sources"].as_array().unwrap().is_empty());
    }
    let one: Value =
        serde_json::from_str(&stdout(&["dialects", "kingbase-sm4", "--json"])).unwrap();
    assert_eq!(one["dialects"][0]["status"], "computed");
    assert_eq!(one["dialects"][0]["modes"][1]["padding"], "zeros");
    cipherlane(&["dialects", "doris"])
        .assert()
        .code(2)
        .stderr(contains("no dialect is called `doris`").and(contains("did you mean doris-sm4?")));
}

/// The published values that open with a text as key, no IV in digits and the engine's coding.
#[test]
fn published_values_open_and_their_flaws_are_told() {
    let folder = Folder::new();
    fs::write(folder.path("pass"), "Asdf1234\n").unwrap();
    fs::write(folder.path("hex"), "F3229A0B371ED2D9441B830D21A390C3\n").unwrap();
    fs::write(folder.path("digits"), "12345678901234567890123456789012").unwrap();
    fs::write(folder.path("spark"), hex::encode("0000111122223333")).unwrap();
    let opens = |stored: &str, args: &[&str], plain: &str, flaw: &str| {
        fs::write(folder.path("stored"), format!("{stored}\n")).unwrap();
        let args = [&["raw", "decrypt", "stored", "--dialect"], args].concat();
        let run = folder.run(&args).success().stdout(plain.to_owned());
        match flaw {
            "" => run.stderr(""),
            flaw => run.stderr(
                contains("note: ")
                    .and(contains(flaw))
                    .and(predicate::function(|text: &str| text.lines().count() == 1)),
            ),
        };
    };
    let pass = ["--passphrase-file", "pass"];
    let sm4 = "ZBzOmaGA4Bb+coyucJ0B8AkIShqc";
    opens(sm4, &[&["opengauss-sm4"], &pass[..]].concat(), "MPPDB", "no integrity");
    let aes = "kbJdlK5LSlAzqNjVvuHUPCphlkuSeD5n2Hel0HiGaSbDQdCmsz1Ky5ZneOurUr56/jtE/U+BmCw9BgTR2wjQ\
               D9440m8=";
    let mac = "the MAC's key is the cipher's";
    opens(aes, &[&["opengauss-aes128"], &pass[..]].concat(), "MPPDB", mac);
    let text = ["--raw-key", "hex", "--key-text", "--coding", "base64"];
    let doris = ["doris-sm4", "--dialect-mode", "sm4_128_cbc", "--iv-text", "0123456789"];
    opens("1Y4NGIukSbv9OrkZnRD1bQ==", &[&doris, &text[..]].concat(), "text", "no integrity");
    opens("aDjwRflBrDjhBZIOFNw3Tg==", &[&["doris-sm4"], &text[..]].concat(), "text", "ECB");
    opens("wr2JEDVXzL9+2XtRhgIloA==", &[&["mysql-aes"], &text[..]].concat(), "text", "ECB");
    // Digits of a key are its bytes, for engines that take such, too.
    let iv = "12345678901234567890123456789012";
    for form in [&["--key-text"][..], &[]] {
        let yashan = ["yashandb-sm4", "--raw-key", "digits", "--iv", iv];
        let args = [&yashan[..], form].concat();
        opens("94131D3841F5DEDA81F7651CD7C2CF63", &args, "abc", "no integrity");
    }
    let spark = ["spark-aes", "--raw-key", "spark", "--coding", "base64"];
    opens("g/FrKqcEeUEygC0kjmv9TjgAeBgtFUSBOJisl+cJsoqU", &spark, "Spark", "");
    fs::write(folder.path("test"), "test").unwrap();
    let digest = ["shardingsphere-digest", "--raw-key", "test", "--key-text"];
    opens("dSpPiyENQGDUXMKFMJPGWA==", &digest, "test", "fast key derivation");
}

#[test]
fn a_key_that_is_not_there_is_no_key_of_zeros() {
    let folder = Folder::new();
    fs::write(folder.path("none"), "").unwrap();
    fs::write(folder.path("end"), "\n").unwrap();
    fs::write(folder.path("plain"), "a text").unwrap();
    for (key, form) in [("none", &["--key-text"][..]), ("end", &["--key-text"]), ("none", &[])] {
        let args =
            ["raw", "encrypt", "plain", "--dialect", "mysql-aes", "--weak", "--raw-key", key];
        let done = folder.run(&[&args[..], form, &["-o", "out"]].concat());
        done.code(2).stderr(contains("it is empty"));
        assert!(!folder.path("out").exists());
    }
}

#[test]
fn writing_what_is_weak_has_to_be_asked_for_and_opens_again() {
    let folder = Folder::new();
    fs::write(folder.path("key"), "0123456789abcdef\n").unwrap();
    fs::write(folder.path("plain"), "a text that is longer than one block").unwrap();
    let run = |verb: &str, dialect: &str, input: &str, more: &[&str]| {
        let args = ["raw", verb, input, "--dialect", dialect, "--raw-key", "key", "--key-text"];
        folder.run(&[&args[..], more].concat())
    };
    for dialect in ["mysql-aes", "hutool-sm4", "kingbase-sm4", "opengauss-sm4", "pgcrypto-aes"] {
        run("encrypt", dialect, "plain", &["-o", "out"])
            .code(2)
            .stderr(contains(format!("{dialect} in mode ")).and(contains("give --weak")));
        assert!(!folder.path("out").exists());
        run("encrypt", dialect, "plain", &["-o", "out", "--weak"]).success();
        run("decrypt", dialect, "out", &["-o", "read"]).success().stderr(contains("note: "));
        assert_eq!(fs::read(folder.path("read")).unwrap(), fs::read(folder.path("plain")).unwrap());
        for name in ["out", "read"] {
            fs::remove_file(folder.path(name)).unwrap();
        }
    }
    // A mode of Spark has all that a value needs.
    run("encrypt", "spark-aes", "plain", &["-o", "out"]).success().stderr("");
    run("decrypt", "spark-aes", "out", &["--aad", "00"])
        .code(1)
        .stdout("")
        .stderr(contains("the tag or MAC").and(contains("help: another key")));
    // From standard input, as text in a line.
    let args = ["raw", "encrypt", "--dialect", "opengauss-sm4", "--weak", "--key-text"];
    let output = cipherlane(&[&args[..], &["--raw-key", &folder.text("key")]].concat())
        .write_stdin("value")
        .assert()
        .success();
    let line = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    assert!(line.ends_with('\n') && line.trim_end().len() == 28, "{line}");
}

#[test]
fn what_does_not_go_with_a_dialect_is_refused_with_a_remedy() {
    let folder = Folder::new();
    fs::write(folder.path("key"), "0123456789abcdef").unwrap();
    fs::write(folder.path("short"), "0123").unwrap();
    fs::write(folder.path("stored"), "ZBzOmaGA4Bb+coyucJ0B8AkIShq").unwrap();
    let refused = |args: &[&str], code: i32, error: &str, help: &str| {
        let all = [&["raw", "decrypt"], args].concat();
        folder.run(&all).code(code).stdout("").stderr(contains(error).and(contains(help)));
    };
    let key = ["--raw-key", "key", "--key-text", "--dialect"];
    let with = |more: &[&'static str]| [&["stored"], &key[..], more].concat();
    refused(&with(&["open"]), 2, "no dialect is called `open`", "opengauss");
    refused(&with(&["opengauss-sm4"]), 1, "stored value is no Base64", "undamaged copy");
    refused(
        &with(&["doris-sm4", "--dialect-mode", "SM4_128_XTS"]),
        2,
        "mode of doris-sm4 is `SM4_128_XTS`",
        "SM4_128_CTR",
    );
    refused(&with(&["mysql-aes", "--coding", "base63"]), 2, "--coding is `base63`", "base64");
    refused(&with(&["yashandb-sm4"]), 2, "key", "help: ");
    refused(&with(&["opengauss-sm4", "--iv", "00"]), 2, "IV of opengauss-sm4 is given", "help: ");
    refused(&with(&["doris-sm4", "--padding", "pkcs7"]), 2, "--padding", "help: ");
    refused(&with(&["doris-sm4", "--base64"]), 2, "--base64", "help: ");
    refused(&["sm4-cbc", "stored", "--raw-key", "key", "--weak"], 2, "--dialect", "help: ");
    refused(
        &["sm4-cbc", "stored", "--raw-key", "key", "--dialect", "doris-sm4"],
        2,
        "behind a file",
        "give the file alone",
    );
    refused(
        &["stored", "--raw-key", "short", "--key-text", "--dialect", "opengauss-sm4"],
        2,
        "key of opengauss-sm4 has 4 bytes; allowed: 8 to 16 bytes",
        "help: ",
    );
    refused(&["--raw-key", "key"], 2, "<CIPHER>", "help: ");
}

#[test]
fn a_file_of_dialects_vectors_is_verified_and_counted() {
    let folder = Folder::new();
    fs::create_dir(folder.path("vectors")).unwrap();
    fs::copy(VECTORS, folder.path("vectors/dialects.json")).unwrap();
    let verify = ["verify", "--vectors", "vectors", "--level", "portable"];
    let run = |more: &[&str]| folder.run(&[&verify[..], more].concat());
    run(&[])
        .success()
        .stdout(contains("499 vectors × 1 levels (portable): 499 passed, 0 failed; 938 paths"))
        .stdout(
            contains("doris-sm4    dialects.json: 57 vectors").and(contains("implemented").not()),
        );
    let json = run(&["--json"]).success().get_output().stdout.clone();
    let json: Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["schema"], "cipherlane-verification/1");
    assert_eq!((&json["vectors"], &json["cases_passed"]), (&499.into(), &499.into()));
    assert_eq!(json["paths_passed"], 938);
    assert_eq!(json["not_implemented"], Value::Array(Vec::new()));
    run(&["spark-aes", "doris-sm4-0.15"]).success().stdout(contains("60 vectors × 1 levels"));
    run(&["dialects"]).success().stdout(contains("499 vectors"));
    run(&["spark-aesx"]).code(2).stderr(contains("spark-aesx"));
    // A value that is another one is a failure that says which; so is a file that its sum denies.
    let text = fs::read_to_string(VECTORS).unwrap();
    let changed = text.replace("ZBzOmaGA4Bb+coyucJ0B8AkIShqc", "ZBzOmaGA4Bb+coyucJ0B8AkIShqd");
    fs::write(folder.path("vectors/dialects.json"), &changed).unwrap();
    run(&[]).code(1).stderr(contains("test `opengauss-sm4-p1`: level portable: encrypt"));
    let unknown = text.replace("\"mode\": \"yashandb-sm4\"", "\"mode\": \"yashandb-sm5\"");
    fs::write(folder.path("vectors/dialects.json"), &unknown).unwrap();
    run(&[]).success().stdout(contains("not implemented  dialects.json: yashandb-sm5 (16)"));
    fs::write(folder.path("vectors/dialects.json"), &text).unwrap();
    let sums = format!("{}  dialects.json\n", "0".repeat(64));
    fs::write(folder.path("vectors/SHA256SUMS"), sums).unwrap();
    run(&[]).code(1).stderr(contains("the file has been changed"));
}

#[test]
fn a_value_has_an_end_and_the_key_a_place_of_its_own() {
    let folder = Folder::new();
    fs::write(folder.path("key"), "0123456789abcdef\n").unwrap();
    // Of no blocks on the disk.
    let huge = fs::File::create(folder.path("huge")).unwrap();
    huge.set_len((1 << 30) + 1).unwrap();
    let args = ["raw", "decrypt", "--dialect", "mysql-aes", "--key-text"];
    folder
        .run(&[&args[..], &["--raw-key", "key", "huge", "-o", "out"]].concat())
        .code(2)
        .stderr(contains("more than 1 GiB"));
    assert!(!folder.path("out").exists());
    for key in ["--raw-key-fd", "--passphrase-fd"] {
        cipherlane(&[&args[..], &[key, "0", "-"]].concat())
            .write_stdin("0123456789abcdef\nvalue")
            .assert()
            .code(2)
            .stdout("")
            .stderr(contains("both from standard input"));
    }
}
