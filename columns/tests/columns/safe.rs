//! Files that a run must leave alone, whatever one says, and what damaged ones become.

use std::time::{Duration, Instant};

use crate::place::{KEY, Place};
use crate::tables::{people, write};

const MYSQL: &str = "--dialect mysql-aes --coding hex --raw-key key.txt --key-text";

/// A folder with `stored.csv`: an encrypted column `name` of eight rows.
fn stored() -> Place {
    let place = Place::new();
    write(&place.path("in.csv"), &people(8));
    place.run(&format!("encrypt in.csv -o stored.csv --column name {MYSQL} --weak")).code(0);
    place
}

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
