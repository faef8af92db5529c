//! Files that a run must leave alone, whatever one says, and what damaged ones become.

use std::time::{Duration, Instant};

use arrow_ipc::writer::StreamWriter;

use crate::place::{KEY, Place};
use crate::stored::{MYSQL, stored};
use crate::tables::{batch, people};

#[test]
fn no_file_of_somebody_else_is_taken_for_one_of_bad_cells() {
    let place = stored();
    let line = format!("decrypt stored.csv -o out.csv --column name {MYSQL} --force");
    let bad = "{\"row\":1,\"column\":\"name\",\"reason\":\"r\",\"cell\":\"c\"}\n";
    for (name, text) in [
        ("notes.txt", "buy milk\n".to_owned()),
        ("log.jsonl", "{\"row\":1,\"column\":\"name\"}\n".to_owned()),
        ("mixed.jsonl", format!("{bad}and a note\n")),
    ] {
        place.write(name, &text);
        let done = place.run(&format!("{line} --bad {name}")).code(2);
        done.says("holds something else than bad cells").says("name another file with --bad");
        assert_eq!(place.read(name), text);
        assert!(!place.path("out.csv").exists());
    }
    place.write("out.csv.bad.jsonl", "mine");
    place.run(&line).code(2).says("out.csv.bad.jsonl is there and holds something else");
    place.write("out.csv.bad.jsonl", bad);
    place.run(&line).code(0);
    assert!(!place.path("out.csv.bad.jsonl").exists());
    // An empty file holds nothing that could be lost, but it is not ours to remove.
    place.write("empty", "");
    place.run(&format!("{line} --bad empty")).code(0);
    assert_eq!(place.read("empty"), "");
}

#[test]
fn bad_cells_have_no_file_where_their_output_has_none() {
    let place = stored();
    let good = place.read("stored.csv");
    let bad = (0..200_000).map(|row| format!("{row},zz,\n")).collect::<String>();
    place.write("long.csv", good + &bad);
    let line = format!("decrypt long.csv -o out.csv --column name {MYSQL} --on-bad null");
    let child = place.command(&line).spawn().unwrap();
    let begin = Instant::now();
    while !place.names().iter().any(|name| name.ends_with(".part")) {
        assert!(begin.elapsed() < Duration::from_secs(20), "it does not begin");
        std::thread::sleep(Duration::from_millis(1));
    }
    // Somebody else's file comes up where the output should be.
    place.write("out.csv", "another");
    let done = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(3), "{said}");
    assert_eq!(place.names(), ["in.csv", "key.txt", "long.csv", "out.csv", "stored.csv"]);
    assert_eq!(place.read("out.csv"), "another");
}

#[test]
fn a_key_that_comes_by_a_descriptor_is_no_place_for_an_output() {
    let place = stored();
    for (option, to) in [
        ("--raw-key-fd 0 --key-text", "-o key.txt --format csv"),
        ("--passphrase-fd 0", "-o key.txt --format csv"),
        ("--raw-key-fd 0 --key-text", "-o out.csv --bad key.txt"),
    ] {
        let mut command = place.command(&format!(
            "decrypt stored.csv --force --column name --dialect mysql-aes --coding hex {option} {to}"
        ));
        command.stdin(std::fs::File::open(place.path("key.txt")).unwrap());
        let done = command.output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(2), "{said}");
        assert!(said.contains("key.txt holds the key, and would be written over"), "{said}");
        assert_eq!(place.read("key.txt"), KEY);
    }
}

#[test]
fn a_quotation_mark_that_nobody_closes_is_told_with_its_row() {
    let place = stored();
    let line = format!("--column name {MYSQL} --json");
    let rows = place.read("stored.csv");
    let rows: Vec<&str> = rows.lines().collect();
    let (first, second) = (rows[1].split(',').nth(1).unwrap(), rows[2].split(',').nth(1).unwrap());
    let stray =
        (1..=400).map(|row| format!("{row},{first},{}\n", if row == 5 { "\"oops" } else { "n" }));
    place.write("stray.csv", "id,name,note\n".to_owned() + &stray.collect::<String>());
    place.write("cut.csv", format!("id,name\n1,{first}\n2,\"{second}"));
    place.write("lines.csv", format!("id,name\r\n1,{first}\r\n2,\"{second}\r\n3,{first}\r\n"));
    place.write("header.csv", "\u{feff}\"name\n");
    place.write("fine.tsv", format!("\"id\"\tname\n\"a \"\"b\"\"\"\t\"{second}\""));
    place.write("inch.csv", format!("name,id\n{first},5\" \"x\n"));
    for (file, row) in [("stray.csv", "row 5"), ("cut.csv", "row 2"), ("lines.csv", "row 2")] {
        let said = format!("{file}: a quotation mark that opens in {row} is not closed");
        place.run(&format!("decrypt {file} -o out.csv {line}")).code(2).says(&said);
        assert!(!place.names().iter().any(|it| it == "out.csv" || it.ends_with(".part")));
    }
    place.run(&format!("encrypt header.csv -o out.csv {line} --weak --no-header")).code(2);
    for file in ["fine.tsv", "inch.csv"] {
        place.run(&format!("decrypt {file} -o {file}.csv {line}")).code(0);
    }
}

#[test]
fn a_stream_of_arrow_without_its_end_mark_is_cut_off() {
    let place = Place::new();
    let table = batch(&people(40));
    let mut stream = StreamWriter::try_new(Vec::new(), &table.schema()).unwrap();
    stream.write(&table.slice(0, 20)).unwrap();
    stream.write(&table.slice(20, 20)).unwrap();
    stream.finish().unwrap();
    let whole = stream.into_inner().unwrap();
    assert!(whole.ends_with(&[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]));
    let line = format!("-o out.arrow --column name {MYSQL} --weak --force");
    for less in [8, 6, 4, 2, 1] {
        place.write("cut.arrows", &whole[..whole.len() - less]);
        place.run(&format!("encrypt cut.arrows {line}")).code(2);
        assert!(!place.path("out.arrow").exists());
    }
    place.write("cut.arrows", &whole[..whole.len() - 8]);
    place.run(&format!("encrypt cut.arrows {line}")).code(2).says("the stream is cut off");
    // The mark of streams before version 0.15 is four bytes of zeros.
    let legacy = [&whole[..whole.len() - 8], &[0; 4]].concat();
    for bytes in [whole, legacy] {
        place.write("whole.arrows", bytes);
        place.run(&format!("encrypt whole.arrows {line}")).code(0);
    }
}
