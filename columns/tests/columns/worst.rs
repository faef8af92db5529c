//! What the most careless, and the most hostile, of users does: nothing is lost in silence.

use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use arrow_array::types::Int8Type;
use arrow_array::{ArrayRef, DictionaryArray, RecordBatch, StringArray, TimestampMicrosecondArray};
use arrow_ipc::writer::StreamWriter;
use parquet::arrow::ArrowWriter;

use crate::place::{KEY, Place};
use crate::stored::{MYSQL, stored};
use crate::tables::{people, read, write, write_parquet};

#[test]
fn in_a_table_of_one_column_no_line_is_passed_over() {
    let place = Place::new();
    for (table, said) in [
        ("a\nX\n\nY\n", "a line from line 3 on is empty, in a table of one column"),
        ("a\r\nX\r\n\r\nY\r\n", "is empty, in a table of one column"),
        ("a\n\"two\nlines\"\n\nY\n", "a line from line 4 on is empty"),
        ("a\n\nY\n", "is empty, in a table of one column"),
        ("a\nX\n\n", "its last line is empty"),
        ("a\r\nX\r\n\r\n", "its last line is empty"),
    ] {
        place.write("in.csv", table);
        let line = format!("encrypt in.csv -o out.csv --column a {MYSQL} --weak");
        place.run(&line).code(2).says(said).says("write an empty cell as `\"\"`");
        assert!(!place.path("out.csv").exists(), "{table:?}");
    }
    for (table, rows) in [
        ("a\nX\n\"\"\nY\n", 3),
        ("a\r\nX\r\nY\r\n", 2),
        ("a\nX\nY", 2),
        ("a\n\"two\n\nlines\"\nY\n", 2),
        ("a\r\n\"two\r\n\r\nlines\"\r\nY\r\n", 2),
    ] {
        place.write("in.csv", table);
        let line = format!("encrypt in.csv -o out.csv --column a {MYSQL} --weak --json --force");
        assert_eq!(place.run(&line).code(0).json()["rows"], rows, "{table:?}");
        let line = line.replace("--column a", "--column 1 --no-header");
        assert_eq!(place.run(&line).code(0).json()["rows"], rows + 1, "{table:?}");
    }
}

#[test]
fn a_key_that_is_not_there_is_no_key_of_zeros() {
    let place = stored();
    place.write("none.txt", "");
    place.write("end.txt", "\n");
    for key in [
        "--raw-key none.txt",
        "--raw-key end.txt",
        "--raw-key none.txt --key-text",
        "--raw-key end.txt --key-text",
        "--raw-key-env CIPHERLANE_EMPTY",
        "--raw-key-env CIPHERLANE_EMPTY --key-text",
    ] {
        let line = format!(
            "encrypt in.csv -o out.csv --column name --weak --dialect mysql-aes --coding hex {key}"
        );
        let done = place.command(&line).env("CIPHERLANE_EMPTY", "").output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(2), "{key}: {said}");
        assert!(said.contains("holds no key: it is empty"), "{key}: {said}");
        assert!(!place.path("out.csv").exists());
    }
}

#[test]
fn no_output_takes_the_place_of_a_key_of_a_link_or_of_the_other_output() {
    let place = stored();
    place.write("other.txt", "fedcba9876543210");
    std::fs::create_dir(place.path("folder")).unwrap();
    symlink(place.path(""), place.path("folder/here")).unwrap();
    symlink("in.csv", place.path("link.csv")).unwrap();
    symlink("nothing", place.path("dangling.csv")).unwrap();
    symlink("/dev/fd/1", place.path("stdout.csv")).unwrap();
    let line = format!("decrypt stored.csv --force --column name {MYSQL}");
    let convert = "convert stored.csv --force --column name --from mysql-aes --from-coding hex \
                   --from-raw-key key.txt --from-key-text --to spark-aes --to-raw-key other.txt --to-key-text";
    let before = place.names();
    for (line, said) in [
        (
            format!("{line} -o key.txt --format csv"),
            "key.txt holds the key, and would be written over",
        ),
        (format!("{line} -o out.csv --bad key.txt"), "key.txt holds the key"),
        (format!("{line} -o folder/here/key.txt --format csv"), "key.txt holds the key"),
        (format!("{convert} -o key.txt --format parquet"), "key.txt holds the key"),
        (format!("{convert} -o other.txt --format parquet"), "other.txt holds the key"),
        (format!("check stored.csv --column name {MYSQL} --bad key.txt"), "key.txt holds the key"),
        (format!("{line} -o link.csv"), "link.csv is a link"),
        (format!("{line} -o dangling.csv"), "dangling.csv is a link"),
        (format!("{line} -o out.csv --bad dangling.csv"), "dangling.csv is a link"),
        (format!("{line} -o stdout.csv"), "stdout.csv is a"),
        (format!("{line} -o out.csv --bad ./out.csv"), "--bad is ./out.csv, the output"),
        (
            format!("{line} -o out.csv --bad folder/here/out.csv"),
            "--bad is folder/here/out.csv, the output",
        ),
    ] {
        place.run(&line).code(2).says(said);
        assert_eq!(place.names(), before, "{line}");
    }
    assert_eq!(place.read("key.txt"), KEY);
}

#[test]
fn a_name_with_a_comma_is_a_name() {
    let place = Place::new();
    for (name, table) in [
        ("in.csv", "\"a,b\",a,b\nx,y,z\n"),
        ("in.jsonl", "{\"a,b\":\"x\",\"a\":\"y\",\"b\":\"z\"}\n"),
    ] {
        place.write(name, table);
        let line = format!("encrypt {name} -o out.csv --force {MYSQL} --weak --json");
        let columns = |words: &str| {
            let summary = place.run(&format!("{line} {words}")).code(0).json();
            let columns = summary["columns"].as_array().unwrap().clone();
            columns.iter().map(|it| it["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(columns("--column a,b"), ["a,b"]);
        assert_eq!(columns("--column b,a"), ["b", "a"]);
        assert_eq!(columns("--column a,b --column b"), ["a,b", "b"]);
        place.run(&format!("{line} --column a,c")).code(2).says("no column is called `c`");
    }
}

#[test]
fn small_dictionaries_of_many_groups_and_times_of_named_zones_are_read() {
    let group = |group: usize| {
        let names: Vec<String> = (0..300).map(|row| format!("{group} {}", row % 100)).collect();
        let kind: DictionaryArray<Int8Type> = names.iter().map(String::as_str).collect();
        let zone = if group.is_multiple_of(2) { "UTC" } else { "Asia/Shanghai" };
        let times = TimestampMicrosecondArray::from(vec![1_700_000_000_000_000; 300]);
        let columns: [(&str, ArrayRef); 3] = [
            ("name", Arc::new(StringArray::from(names))),
            ("kind", Arc::new(kind)),
            ("time", Arc::new(times.with_timezone(zone))),
        ];
        RecordBatch::try_from_iter_with_nullable(columns.map(|(name, it)| (name, it, true)))
            .unwrap()
    };
    let place = Place::new();
    let groups = [group(0), group(2), group(4)];
    let mut parquet = ArrowWriter::try_new(
        File::create(place.path("in.parquet")).unwrap(),
        groups[0].schema(),
        None,
    )
    .unwrap();
    let file = File::create(place.path("in.arrows")).unwrap();
    let mut arrow = StreamWriter::try_new(file, &groups[0].schema()).unwrap();
    for batch in &groups {
        parquet.write(batch).unwrap();
        parquet.flush().unwrap();
        arrow.write(batch).unwrap();
    }
    parquet.close().unwrap();
    arrow.finish().unwrap();
    for from in ["in.parquet", "in.arrows"] {
        for to in ["csv", "jsonl", "parquet", "arrow"] {
            for column in ["name", "kind"] {
                let line =
                    format!("encrypt {from} -o out.{to} --force --column {column} {MYSQL} --weak");
                place.run(&line).code(0);
                let out = read(&place.path(&format!("out.{to}")));
                assert_eq!(out.len(), 901, "{from} {to} {column}");
                let at = |row: usize, name: &str| {
                    let place = out[0].iter().position(|it| it.as_deref() == Some(name)).unwrap();
                    out[row][place].clone().unwrap()
                };
                let other = if column == "name" { "kind" } else { "name" };
                assert!(
                    (1..901).all(|row| at(row, other)
                        == format!("{} {}", (row - 1) / 300 * 2, (row - 1) % 100))
                );
                assert!(at(900, "time").starts_with("2023-11-14T22:13:20"), "{}", at(900, "time"));
            }
        }
    }
    write_parquet(&place.path("east.parquet"), &group(1), 1000);
    place
        .run(&format!("encrypt east.parquet -o out.csv --force --column name {MYSQL} --weak"))
        .code(0);
    let east = read(&place.path("out.csv"));
    assert_eq!(east[1][2].as_deref(), Some("2023-11-15T06:13:20+08:00"));
}

#[test]
fn columns_that_json_would_hold_twice_are_refused() {
    let place = Place::new();
    place.write("in.csv", "id,id,name\n1,2,x\n");
    place
        .run(&format!("encrypt in.csv -o out.jsonl --column name {MYSQL} --weak"))
        .code(2)
        .says("column `id` is there twice, which JSON can't hold");
    place.run(&format!("encrypt in.csv -o out.csv --column name {MYSQL} --weak")).code(0);
    assert!(place.read("out.csv").starts_with("id,id,name\n1,2,"));
}

#[test]
fn a_few_cells_that_open_by_chance_are_a_wrong_key_unless_one_says_otherwise() {
    let place = stored();
    let good = read(&place.path("stored.csv"))[1][1].clone().unwrap();
    let table = |bad: usize| {
        format!("id,name\n{}0,{good}\n", "1,00112233445566778899aabbccddeeff\n".repeat(bad))
    };
    place.write("few.csv", table(200));
    let line = format!("decrypt few.csv -o out.csv --column name {MYSQL}");
    place
        .run(&line)
        .code(1)
        .says(
            "1 of the 201 cells of a column went well, no more than by chance: nothing was written",
        )
        .says("--on-bad null or drop");
    assert!(!place.path("out.csv").exists() && !place.path("out.csv.bad.jsonl").exists());
    place.run(&format!("{line} --on-bad drop")).code(1);
    assert_eq!(read(&place.path("out.csv")).len(), 2);
    assert_eq!(place.read("out.csv.bad.jsonl").lines().count(), 200);
    place.write("some.csv", table(60));
    place.run(&format!("decrypt some.csv -o some.out.csv --column name {MYSQL}")).code(1);
    assert_eq!(read(&place.path("some.out.csv")).len(), 62);
}

#[test]
fn nulls_that_begin_with_the_second_file_are_a_change_of_its_schema() {
    let place = Place::new();
    let table = |null: bool| {
        let cells: ArrayRef = Arc::new(StringArray::from(vec![Some("a"), (!null).then_some("b")]));
        let other: ArrayRef = Arc::new(StringArray::from(vec!["x", "y"]));
        RecordBatch::try_from_iter_with_nullable([("name", other, true), ("other", cells, null)])
            .unwrap()
    };
    write_parquet(&place.path("a.parquet"), &table(false), 10);
    write_parquet(&place.path("b.parquet"), &table(true), 10);
    let line = |files: &str| {
        format!("encrypt {files} -o out.parquet --column name {MYSQL} --weak --force")
    };
    place
        .run(&line("a.parquet b.parquet"))
        .code(2)
        .says("column 2 was other Utf8 without NULL and is other Utf8 with NULL");
    place.run(&line("b.parquet a.parquet")).code(0);
    assert_eq!(read(&place.path("out.parquet")).len(), 5);
}

#[test]
fn doctor_looks_at_all_rows_and_not_at_the_first_alone() {
    let place = Place::new();
    let doris = "--dialect doris-sm4 --coding hex --raw-key key.txt --key-text --weak";
    write(&place.path("old.csv"), &people(150_000));
    place.run(&format!("encrypt old.csv -o old.st.csv --column name {MYSQL} --weak")).code(0);
    place.run(&format!("encrypt old.csv -o new.st.csv --column name {doris}")).code(0);
    let line = "doctor old.st.csv new.st.csv --column name --raw-key key.txt --key-text --json";
    let dialects = |report: &serde_json::Value| -> Vec<String> {
        let readings = report["columns"][0]["readings"].as_array().unwrap().clone();
        let sure = readings.iter().filter(|it| it["class"] == "sure");
        let names = sure.flat_map(|it| it["variants"].as_array().unwrap().clone());
        names.map(|it| it["dialect"].as_str().unwrap().to_owned()).collect()
    };
    let report = place.run(line).code(0).json();
    let found = dialects(&report);
    assert!(found.iter().any(|it| it == "mysql-aes"), "{report}");
    assert!(found.iter().any(|it| it == "doris-sm4"), "{report}");
    assert_eq!(report, place.run(line).code(0).json(), "another sample");
    let found = dialects(&place.run(&format!("{line} --rows 140000")).code(0).json());
    assert!(!found.iter().any(|it| it == "doris-sm4"), "{found:?}");
}

#[test]
fn a_signal_does_not_wait_for_keys_that_are_derived() {
    let place = Place::new();
    write(&place.path("in.csv"), &people(30_000));
    let line = "encrypt in.csv -o out.csv --weak --column name --dialect opengauss-aes128 \
                --raw-key key.txt --key-text --threads 1";
    let mut child = place.command(line).spawn().unwrap();
    let begin = Instant::now();
    while !place.names().iter().any(|name| name.ends_with(".part")) {
        assert!(begin.elapsed() < Duration::from_secs(20), "it does not begin");
        sleep(Duration::from_millis(1));
    }
    sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "it is too fast for this test");
    let begin = Instant::now();
    let kill = std::process::Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    assert!(!child.wait().unwrap().success());
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    assert_eq!(place.names(), ["in.csv", "key.txt"]);
}

#[test]
fn a_row_that_does_not_end_takes_no_more_than_its_room() {
    let place = Place::new();
    for (name, beginning) in [("in.csv", "a,b\n1,\""), ("in.jsonl", "{\"a\":\"")] {
        // Zero bytes that take no room on the disk.
        let mut file = File::create(place.path(name)).unwrap();
        file.write_all(beginning.as_bytes()).unwrap();
        file.set_len(400 << 20).unwrap();
        place
            .run(&format!("encrypt {name} -o out.csv --column a {MYSQL} --weak"))
            .code(2)
            .says("a row has more than 256 MiB");
        assert!(!place.path("out.csv").exists());
        std::fs::remove_file(place.path(name)).unwrap();
    }
}
