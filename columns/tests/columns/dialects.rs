//! Every dialect and mode: what its own crate writes the program reads, and the other way round.

use std::fmt::Write as _;

use dialects::{Coding, Dialect, Form, Mode, Settings, all};

use crate::place::{Numbers, Place};
use crate::tables::read;

/// A key and an IV of the first lengths that the mode takes.
fn given(
    dialect: &'static Dialect,
    mode: &'static Mode,
    numbers: &mut Numbers,
) -> (Vec<u8>, Option<Vec<u8>>) {
    for len in [16, 24, 32, 8, 0] {
        for iv in [None, Some(16), Some(12)] {
            let (key, iv) = (numbers.bytes(len), iv.map(|len| numbers.bytes(len)));
            if dialect.prepare(&settings(mode, &key, iv.as_deref())).is_ok() {
                return (key, iv);
            }
        }
    }
    panic!("{} {} takes no key", dialect.name(), mode.name());
}

fn settings<'a>(mode: &'static Mode, key: &'a [u8], iv: Option<&'a [u8]>) -> Settings<'a> {
    Settings {
        mode: Some(mode.name()),
        key_form: Some(Form::Bytes),
        iv,
        iv_form: Some(Form::Bytes),
        ..Settings::new(key)
    }
}

#[test]
fn every_dialect_and_mode_in_both_directions() {
    let place = Place::new();
    let mut numbers = Numbers(22);
    let mut modes = 0;
    for dialect in all() {
        for mode in dialect.modes() {
            let (key, iv) = given(dialect, mode, &mut numbers);
            let coding = dialect.codings().iter().find(|it| **it != Coding::Raw).unwrap();
            let settings =
                Settings { coding: Some(*coding), ..settings(mode, &key, iv.as_deref()) };
            let codec = dialect.prepare(&settings).unwrap();
            // Whole blocks, so that modes without padding take them too.
            let plains: Vec<String> =
                (0..40).map(|row| format!("{row:0>width$}", width = 16 * (1 + row % 4))).collect();
            let (mut stored, mut plain) = ("a\n".to_owned(), "a\n".to_owned());
            for text in &plains {
                let mut cell = Vec::new();
                codec.encrypt(text.as_bytes(), &mut cell).unwrap();
                writeln!(stored, "{}", String::from_utf8(cell).unwrap()).unwrap();
                writeln!(plain, "{text}").unwrap();
            }
            place.write("stored.csv", stored);
            place.write("plain.csv", &plain);
            place.write("key.hex", hex::encode(&key));
            let mut line =
                format!("--column a --raw-key key.hex --force --coding {}", coding.name());
            if let Some(iv) = &iv {
                write!(line, " --iv {}", hex::encode(iv)).unwrap();
            }
            let run = |verb: &str, rest: &str, line: &str| {
                let mut command = place.command(&format!("{verb} {rest} {line}"));
                command.args(["--dialect", dialect.name(), "--dialect-mode", mode.name()]);
                let output = command.output().unwrap();
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                assert!(output.status.success(), "{} {}: {said}", dialect.name(), mode.name());
            };
            run("decrypt", "stored.csv -o out.csv", &line);
            assert_eq!(place.read("out.csv"), plain, "{} {}", dialect.name(), mode.name());
            run("encrypt", "plain.csv -o again.csv", &format!("{line} --weak"));
            let again = read(&place.path("again.csv"));
            for (row, text) in again[1..].iter().zip(&plains) {
                let mut back = Vec::new();
                codec.decrypt(row[0].as_ref().unwrap().as_bytes(), &mut back).unwrap();
                assert_eq!(back, text.as_bytes(), "{} {}", dialect.name(), mode.name());
            }
            modes += 1;
        }
    }
    assert_eq!(modes, 83);
}

#[test]
fn published_values_of_engines_are_opened_as_columns() {
    let doris = "F3229A0B371ED2D9441B830D21A390C3";
    let yashan = "12345678901234567890123456789012";
    for (rest, key, value, plain) in [
        ("doris-sm4 --coding base64", doris, "aDjwRflBrDjhBZIOFNw3Tg==", "text"),
        (
            "doris-sm4 --dialect-mode SM4_128_CBC --iv-text 0123456789 --coding base64",
            doris,
            "1Y4NGIukSbv9OrkZnRD1bQ==",
            "text",
        ),
        ("mysql-aes --coding base64", doris, "wr2JEDVXzL9+2XtRhgIloA==", "text"),
        ("opengauss-sm4", "Asdf1234", "ZBzOmaGA4Bb+coyucJ0B8AkIShqc", "MPPDB"),
        (
            "opengauss-aes128",
            "1234@abc",
            "OF1g3+70oeqFfyKiWlpxfYxPnpeitNc6+7nAe02Ttt37fZF8Q+bbEYhdw/YG+0c9tHKRWM6OcTzlB3HnqvX+1d8Bflo=",
            "MPPDB",
        ),
        (
            "yashandb-sm4 --iv-text 12345678901234567890123456789012",
            yashan,
            "94131D3841F5DEDA81F7651CD7C2CF63",
            "abc",
        ),
    ] {
        let place = Place::new();
        place.write("in.csv", format!("id,value\n1,{value}\n"));
        place.write("key.txt", key);
        place
            .run(&format!("decrypt in.csv -o out.csv --column value --raw-key key.txt --key-text --dialect {rest}"))
            .code(0);
        assert_eq!(place.read("out.csv"), format!("id,value\n1,{plain}\n"), "{rest}");
    }
}

#[test]
fn from_one_dialect_to_another_and_no_plaintext_on_the_way() {
    let place = Place::new();
    place.write("in.csv", "id,name\n1,Anna\n2,\n3,王小明\n");
    place.write("new.hex", "00112233445566778899aabbccddeeff");
    let gauss = "--raw-key key.txt --key-text --dialect opengauss-sm4";
    place.run(&format!("encrypt in.csv -o gauss.csv --column name {gauss} --weak")).code(0);
    place
        .run(
            "convert gauss.csv -o spark.parquet --column name --from opengauss-sm4 \
              --from-raw-key key.txt --from-key-text --to spark-aes --to-raw-key new.hex",
        )
        .code(0);
    let stored = read(&place.path("spark.parquet"));
    assert!(stored[2][1].is_none() && stored[1][1].as_ref().unwrap().len() == 2 * 32);
    let line =
        "decrypt spark.parquet -o out.csv --column name --dialect spark-aes --raw-key new.hex";
    place.run(line).code(0);
    assert_eq!(place.read("out.csv"), place.read("in.csv"));
    // A flawed dialect is written with --weak only.
    place
        .run("convert spark.parquet -o weak.csv --column name --from spark-aes --from-raw-key new.hex \
              --to mysql-aes --to-raw-key new.hex --to-coding hex")
        .code(2)
        .says("weak: mysql-aes in mode aes-128-ecb");
}

#[test]
fn an_empty_text_is_what_the_engine_makes_of_it() {
    let place = Place::new();
    place.write("in.jsonl", "{\"a\":\"\"}\n{\"a\":\"x\"}\n");
    for (dialect, nulls) in [("doris-sm4", 1), ("mysql-aes", 0)] {
        let line = format!(
            "encrypt in.jsonl -o {dialect}.jsonl --column a --dialect {dialect} --coding hex --raw-key key.txt --key-text --weak --json"
        );
        assert_eq!(place.run(&line).code(0).json()["columns"][0]["to_null"], nulls, "{dialect}");
        assert_eq!(place.read(&format!("{dialect}.jsonl")).contains("null"), nulls == 1);
    }
}

#[test]
fn keys_come_from_files_variables_and_descriptors() {
    let place = Place::new();
    place.write("in.csv", "a\nx\n");
    place.write("key.hex", hex::encode(crate::place::KEY));
    let encrypt =
        "encrypt in.csv -o out.csv --column a --dialect mysql-aes --coding hex --weak --force";
    let mut outputs = Vec::new();
    for rest in [
        "--raw-key key.txt --key-text",
        "--raw-key key.hex",
        "--raw-key-env HEX",
        "--passphrase-file key.txt",
        "--passphrase-env TEXT",
        "--raw-key-fd 0",
        "--passphrase-fd 0 ",
    ] {
        let file = if rest.ends_with(' ') { "key.txt" } else { "key.hex" };
        let mut command = place.command(&format!("{encrypt} {rest}"));
        command.env("HEX", hex::encode(crate::place::KEY)).env("TEXT", crate::place::KEY);
        command.stdin(std::fs::File::open(place.path(file)).unwrap());
        let output = command.output().unwrap();
        assert!(output.status.success(), "{rest}: {}", String::from_utf8_lossy(&output.stderr));
        outputs.push(place.read("out.csv"));
    }
    outputs.dedup();
    assert_eq!(outputs.len(), 1);
}
