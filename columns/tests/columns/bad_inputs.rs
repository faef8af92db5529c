//! Bad inputs: what is said, what is kept, and that nothing half-written is left.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use serde_json::Value;

use crate::place::Place;
use crate::stored::{MYSQL, stored};
use crate::tables::{people, read, write, write_parquet};

/// The same with row 3 cut off, row 5 in Base64, row 6 changed to a word, and row 7 NULL.
fn mixed() -> Place {
    let place = stored();
    let mut rows = read(&place.path("stored.csv"));
    rows[3][1].as_mut().unwrap().truncate(21);
    rows[5][1] = Some("q83vq83vq83vq83vq83vqw==".to_owned());
    rows[6][1] = Some("not encrypted".to_owned());
    rows[7][1] = None;
    let mut writer = csv::Writer::from_path(place.path("mixed.csv")).unwrap();
    for row in rows {
        writer.write_record(row.iter().map(|it| it.as_deref().unwrap_or(""))).unwrap();
    }
    writer.flush().unwrap();
    place
}

#[test]
fn bad_cells_are_kept_apart_with_their_numbers_as_they_were() {
    let place = mixed();
    let line = format!("decrypt mixed.csv -o out.csv --column name {MYSQL} --json");
    let summary = place.run(&line).code(1).json();
    let counts = &summary["columns"][0];
    assert_eq!((counts["cells"].as_u64(), counts["nulls"].as_u64()), (Some(7), Some(1)));
    assert_eq!((counts["good"].as_u64(), counts["bad"].as_u64()), (Some(4), Some(3)));
    let out = read(&place.path("out.csv"));
    let nulls: Vec<usize> = (1..9).filter(|row| out[*row][1].is_none()).collect();
    assert_eq!(nulls, [3, 5, 6, 7]);
    let text = place.read("out.csv.bad.jsonl");
    let bad: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let rows: Vec<u64> = bad.iter().map(|it| it["row"].as_u64().unwrap()).collect();
    assert_eq!(rows, [3, 5, 6]);
    let kept = read(&place.path("mixed.csv"));
    for line in &bad {
        let row = line["row"].as_u64().unwrap() as usize;
        assert_eq!(line["cell"].as_str(), kept[row][1].as_deref());
        assert_eq!(line["column"], "name");
    }
    assert!(bad[0]["reason"].as_str().unwrap().contains("21 digits, an odd number"), "{text}");
    assert!(bad[2]["reason"].as_str().unwrap().contains("a character at place 0"), "{text}");
    let mode = fs::metadata(place.path("out.csv.bad.jsonl")).unwrap().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn rows_are_left_out_or_the_first_is_the_end_as_one_says() {
    let place = mixed();
    place
        .run(&format!("decrypt mixed.csv -o out.csv --column name {MYSQL} --on-bad drop --bad b"))
        .code(1);
    let ids: Vec<String> =
        read(&place.path("out.csv"))[1..].iter().map(|row| row[0].clone().unwrap()).collect();
    assert_eq!(ids, ["0", "1", "3", "6", "7"]);
    assert_eq!(place.read("b").lines().count(), 3);
    let before = place.names();
    place
        .run(&format!("decrypt mixed.csv -o fail.csv --column name {MYSQL} --on-bad fail"))
        .code(1)
        .says("row 3, column `name`: stored value is no text of hexadecimal digits");
    assert_eq!(place.names(), before);
}

#[test]
fn check_counts_and_writes_nothing() {
    let place = mixed();
    let before = place.names();
    let line = format!("check mixed.csv --column name {MYSQL} --json");
    let summary = place.run(&line).code(1).json();
    assert_eq!(summary["columns"][0]["good"], 4);
    let line = format!("decrypt mixed.csv --column name {MYSQL} --dry-run --json");
    assert_eq!(place.run(&line).code(1).json()["columns"][0]["bad"], 3);
    assert_eq!(place.names(), before);
    place.run(&format!("check mixed.csv --column name {MYSQL} --bad b.jsonl")).code(1);
    assert_eq!(place.read("b.jsonl").lines().count(), 3);
    place.run(&format!("check stored.csv --column name {MYSQL}")).code(0);
}

#[test]
fn a_wrong_key_writes_nothing() {
    let place = stored();
    place.write("wrong.txt", "another key 1234");
    let before = place.names();
    place
        .run("decrypt stored.csv -o out.csv --column name --dialect mysql-aes --coding hex --raw-key wrong.txt --key-text")
        .code(1)
        .says("none of the 8 cells of a column went well: nothing was written");
    let spark = "--column name --dialect spark-aes --raw-key key.txt --key-text";
    place.run(&format!("encrypt in.csv -o spark.parquet {spark}")).code(0);
    place
        .run("decrypt spark.parquet -o out.csv --column name --dialect spark-aes --raw-key wrong.txt --key-text")
        .code(1)
        .says("nothing was written");
    let mut after = place.names();
    after.retain(|name| name != "spark.parquet");
    assert_eq!(after, before);
}

#[test]
fn wrong_words_are_told_with_what_is_allowed() {
    let place = stored();
    place.write("words.txt", "no digits");
    write(&place.path("in.parquet"), &people(4));
    let cases = [
        (format!("decrypt stored.csv -o out.csv --column nam {MYSQL}"), "no column is called `nam`", "there are: id, name, note"),
        (format!("decrypt stored.csv -o out.csv --column name,name {MYSQL}"), "column `name` is there twice", ""),
        (format!("encrypt in.parquet -o out.csv --column id {MYSQL} --weak"), "column `id` is Int64", "make it text first"),
        ("decrypt stored.csv -o out.csv --column name --dialect mysql --raw-key key.txt --key-text".into(), "no dialect is called `mysql`", "did you mean mysql-aes?"),
        ("decrypt stored.csv -o out.csv --column name --dialect mysql-aes --raw-key key.txt --key-text".into(), "column `name` is text, and --coding is raw", "base64, hex or hex-upper"),
        ("encrypt in.parquet -o out.csv --column name --dialect mysql-aes --raw-key key.txt --key-text --weak".into(), "--coding is raw, and csv has text alone", "base64"),
        (format!("decrypt stored.csv -o out.csv --column name {MYSQL} --dialect-mode aes-128-xts"), "mode of mysql-aes is `aes-128-xts`", "name one of these"),
        (format!("decrypt stored.csv -o out.csv --column name {MYSQL} --dialect-mode aes-128-cbc"), "IV of mysql-aes is missing", ""),
        ("decrypt stored.csv -o out.csv --column name --dialect mysql-aes --coding hex --raw-key words.txt".into(), "no key in hexadecimal digits", "--key-text"),
        ("decrypt stored.csv -o out.csv --column name --dialect mysql-aes --coding hex".into(), "no --raw-key was given", "--passphrase-file"),
        ("decrypt stored.csv -o out.csv --column name --dialect mysql-aes --coding hex --raw-key key.txt --passphrase-file key.txt".into(), "more than one key", ""),
        (format!("decrypt stored.csv -o out.txt --column name {MYSQL}"), "out.txt ends with no suffix of a format", "--format csv"),
        (format!("decrypt stored.csv -o out.csv --column name {MYSQL} --compression zstd"), "--compression is zstd with csv", "allowed: none"),
        (format!("decrypt stored.csv -o out.csv --column name {MYSQL} --weak"), "--weak with decrypt", ""),
        (format!("encrypt in.csv -o out.csv --column name {MYSQL}"), "weak: mysql-aes in mode aes-128-ecb: no integrity", "give --weak"),
        (format!("decrypt stored.csv -o stored.csv --column name {MYSQL} --force"), "stored.csv would be written over itself", ""),
        (format!("decrypt stored.csv -o out.csv --bad stored.csv --column name {MYSQL} --force"), "stored.csv would be written over itself", ""),
        (format!("decrypt stored.csv -o out.csv --bad out.csv --column name {MYSQL}"), "--bad is out.csv, the output", ""),
        (format!("decrypt stored.csv -o - --column name {MYSQL}"), "-o is `-`, which is no file", ""),
        (format!("decrypt stored.csv -o /dev/full --format csv --column name {MYSQL} --force"), "/dev/full is a device", "regular file"),
        (format!("decrypt /dev/null --input-format csv -o out.csv --column name {MYSQL}"), "/dev/null is no regular file", ""),
        (format!("decrypt stored.csv in.parquet -o out.csv --column name {MYSQL}"), "in.parquet is of another format", ""),
        (format!("decrypt stored.csv --column name {MYSQL}"), "--output", "see --help"),
        (format!("decrypt stored.csv -o out.csv --column name {MYSQL} --threads 0"), "invalid value '0'", ""),
    ];
    let before = place.names();
    for (line, error, help) in &cases {
        let done = place.run(line).code(2).says(error).says(help);
        assert_eq!(done.stderr().lines().filter(|it| it.starts_with("error: ")).count(), 1);
        assert_eq!(place.names(), before, "{line}");
    }
    assert!(cases.len() >= 20);
    place
        .run(&format!("decrypt nothing.csv -o out.csv --column name {MYSQL}"))
        .code(3)
        .says("No such file");
    place
        .run(&format!("decrypt stored.csv -o in.csv --column name {MYSQL}"))
        .code(3)
        .says("in.csv is there already");
}

#[test]
fn a_schema_that_changes_is_told_where() {
    let place = stored();
    place.write("ragged.csv", "id,name\n1,aa\n2,bb,cc\n");
    place
        .run(&format!("decrypt ragged.csv -o out.csv --column name {MYSQL}"))
        .code(2)
        .says("the schema changes in ragged.csv: row 2 (line 3) has 3 cells instead of 2");
    place.write("other.csv", "id,nom,note\n1,aa,\n");
    place
        .run(&format!("decrypt stored.csv other.csv -o out.csv --column name {MYSQL}"))
        .code(2)
        .says("the schema changes with other.csv: column 2 was name Utf8 and is nom Utf8");
    let id = |array: ArrayRef| RecordBatch::try_from_iter([("name", array)]).unwrap();
    write_parquet(&place.path("a.parquet"), &id(Arc::new(StringArray::from(vec!["x"]))), 10);
    write_parquet(&place.path("b.parquet"), &id(Arc::new(Int64Array::from(vec![1]))), 10);
    place
        .run(&format!("decrypt a.parquet b.parquet -o out.csv --column name {MYSQL}"))
        .code(2)
        .says("column 1 was name Utf8 and is name Int64");
    assert!(!place.path("out.csv").exists());
}

#[test]
fn broken_files_are_told_as_such() {
    let place = stored();
    write(&place.path("whole.parquet"), &people(100));
    let bytes = fs::read(place.path("whole.parquet")).unwrap();
    place.write("cut.parquet", &bytes[..bytes.len() - 9]);
    place.write("text.arrow", "this is no file of Arrow");
    place.write("bad.jsonl", "{\"name\":\"a\"}\n{\"name\":\n");
    place.write("list.jsonl", "[1]\n");
    place.write("twice.jsonl", "{\"name\":\"a\",\"name\":\"b\"}\n");
    place.write("empty.csv", "");
    place.write("latin.csv", b"name,other\naa,caf\xe9\n");
    for (file, said) in [
        ("cut.parquet", "cut.parquet can't be read as parquet"),
        ("text.arrow", "text.arrow can't be read as arrow"),
        ("bad.jsonl", "line 2 is no JSON object"),
        ("list.jsonl", "line 1 is no JSON object"),
        ("twice.jsonl", "key `name` is there twice"),
        ("empty.csv", "empty.csv is empty"),
        ("latin.csv", "column 2 of row 1 is not UTF-8"),
    ] {
        place.run(&format!("decrypt {file} -o out.csv --column name {MYSQL}")).code(2).says(said);
        assert!(!place.path("out.csv").exists(), "{file}");
    }
    // A page within a file that was changed, which is met while the output is being written.
    let mut changed = bytes.clone();
    changed[40..80].fill(0xff);
    place.write("changed.parquet", &changed);
    let done =
        place.run(&format!("encrypt changed.parquet -o out.csv --column name {MYSQL} --weak"));
    done.code(2).says("changed.parquet can't be read as parquet");
    assert!(!place.names().iter().any(|name| name.ends_with(".part")), "{:?}", place.names());
}

#[test]
fn cells_that_are_no_text_are_bad_cells() {
    let place = stored();
    let good = read(&place.path("stored.csv"))[1][1].clone().unwrap();
    place.write(
        "in.jsonl",
        format!("{{\"name\":\"{good}\"}}\n{{\"name\":7}}\n{{\"name\":[1]}}\n{{}}\n"),
    );
    place.run(&format!("decrypt in.jsonl -o out.jsonl --column name {MYSQL}")).code(1);
    let bad = place.read("out.jsonl.bad.jsonl");
    assert!(
        bad.contains(
            r#""row":2,"column":"name","reason":"the cell is a number, no text","cell":"7""#
        ),
        "{bad}"
    );
    assert!(bad.lines().nth(1).unwrap().contains("an object, a list"), "{bad}");
    let mut bytes = format!("name\n{good}\n").into_bytes();
    bytes.extend_from_slice(b"caf\xe9\n");
    place.write("latin.csv", bytes);
    place.run(&format!("decrypt latin.csv -o out.csv --column name {MYSQL}")).code(1);
    assert!(place.read("out.csv.bad.jsonl").contains(r#""cell_hex":"636166e9""#));
}

#[test]
fn what_a_dialect_can_not_store_is_a_bad_cell_of_its_owner() {
    let place = Place::new();
    place.write("in.jsonl", "{\"a\":\"zero \\u0000 byte\"}\n{\"a\":\"fine\"}\n");
    let line = "encrypt in.jsonl -o out.jsonl --column a --dialect opengauss-sm4 --raw-key key.txt --key-text --weak";
    place.run(line).code(1);
    assert!(place.read("out.jsonl.bad.jsonl").contains("has byte 0 at place 5"));
}

#[test]
fn a_disk_that_is_full_leaves_the_old_file() {
    let place = Place::new();
    write(&place.path("in.csv"), &people(50_000));
    for to in ["csv", "parquet", "arrow"] {
        let output = format!("out.{to}");
        place.write(&output, "the old file");
        // The system lets the process write files of 512 KiB at most, as a disk that is full would.
        let program = env!("CARGO_BIN_EXE_cipherlane-columns");
        let line = format!(
            "trap '' XFSZ; ulimit -f 1024; exec {program} encrypt in.csv -o {output} --force --column name,note {MYSQL} --weak"
        );
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &line]).current_dir(place.path("")).env("NO_COLOR", "1");
        let done = shell.output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(3), "{to}: {said}");
        assert!(said.contains(&format!("can't write {output}: File too large")), "{said}");
        assert_eq!(place.read(&output), "the old file");
    }
    assert!(!place.names().iter().any(|name| name.ends_with(".part")), "{:?}", place.names());
}

#[test]
fn plaintexts_are_for_their_owner_and_an_old_file_of_bad_cells_goes() {
    let place = mixed();
    place.run(&format!("decrypt mixed.csv -o out.csv --column name {MYSQL}")).code(1);
    let mode = fs::metadata(place.path("out.csv")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    place.run(&format!("decrypt stored.csv -o out.csv --column name {MYSQL} --force")).code(0);
    assert!(!place.path("out.csv.bad.jsonl").exists());
}
