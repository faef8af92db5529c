//! Cells go through the codecs by the hundred: which one is bad, NULL or no text makes no difference to those
//! beside it, wherever groups end.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

use crate::place::{Numbers, Place};
use crate::tables::read;

/// More than five groups, the last of which is not full.
const ROWS: usize = 1500;

const SPARK: &str = "--dialect spark-aes --coding base64 --raw-key key.txt --key-text";

/// What a row has: text of up to 96 bytes, a NULL, or a number.
fn plain(row: usize) -> Value {
    match row {
        _ if row % 7 == 3 => Value::Null,
        _ if row % 111 == 20 => Value::from(row),
        _ => Value::from(format!("{row} {}", "text".repeat(row % 23))),
    }
}

fn lines(cells: impl Iterator<Item = Value>) -> String {
    cells.enumerate().fold(String::new(), |mut text, (row, cell)| {
        writeln!(text, "{}", serde_json::json!({"id": row, "name": cell})).unwrap();
        text
    })
}

/// The bad cells of an output: reason and cell by number of the row.
fn bad(place: &Place, output: &str) -> BTreeMap<u64, (String, String)> {
    let text = place.read(&format!("{output}.bad.jsonl"));
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let cell = |line: &Value, key: &str| line[key].as_str().unwrap().to_owned();
    let rows: Vec<u64> = lines.iter().map(|line| line["row"].as_u64().unwrap()).collect();
    assert!(rows.is_sorted_by(|a, b| a < b), "{rows:?}");
    rows.into_iter()
        .zip(&lines)
        .map(|(row, line)| (row, (cell(line, "reason"), cell(line, "cell"))))
        .collect()
}

/// The column of a table, without its header.
fn cells(place: &Place, name: &str) -> Vec<(usize, Option<String>)> {
    let rows = read(&place.path(name));
    let cell =
        |row: &Vec<Option<String>>| (row[0].as_ref().unwrap().parse().unwrap(), row[1].clone());
    rows[1..].iter().map(cell).collect()
}

#[test]
fn what_is_bad_keeps_its_number_and_the_others_their_place() {
    let place = Place::new();
    place.write("in.jsonl", lines((0..ROWS).map(plain)));
    place.run(&format!("encrypt in.jsonl -o stored.jsonl --column name {SPARK}")).code(1);
    // Rows count from 1: the numbers alone are bad, which no text is.
    let numbers: Vec<u64> =
        (0..ROWS).filter(|row| plain(*row).is_number()).map(|row| row as u64 + 1).collect();
    let told = bad(&place, "stored.jsonl");
    assert!(numbers.len() > 10 && told.keys().eq(&numbers), "{told:?}");
    assert!(told.values().all(|(reason, _)| reason == "the cell is a number, no text"));

    // Bad ones at the ends of groups, one behind the other, and here and there.
    let mut stored = cells(&place, "stored.jsonl");
    let mut random = Numbers(22);
    let mut damaged = BTreeMap::new();
    let at = [0, 1, 254, 255, 256, 257, 511, 512, 900, 901, 902, 903, 1023, 1024, 1498, 1499];
    for (count, at) in
        at.into_iter().chain((0..60).map(|_| random.next() as usize % ROWS)).enumerate()
    {
        let Some(cell) = &mut stored[at].1 else { continue };
        if damaged.contains_key(&(at as u64 + 1)) {
            continue;
        }
        let reason = match count % 3 {
            0 => {
                let first = if cell.starts_with('A') { "B" } else { "A" };
                cell.replace_range(..1, first);
                "the tag or MAC of this value of spark-aes is wrong"
            }
            1 => {
                cell.truncate(24);
                "stored value of spark-aes has 18 bytes"
            }
            _ => {
                cell.insert(5, '!');
                "stored value is no Base64"
            }
        };
        damaged.insert(at as u64 + 1, (reason, cell.clone()));
    }
    assert!(damaged.len() > 50);
    let cell = |(_, cell): &(usize, Option<String>)| cell.clone().map_or(Value::Null, Value::from);
    place.write("stored.jsonl", lines(stored.iter().map(cell)));

    let is_bad = |row: usize| damaged.contains_key(&(row as u64 + 1));
    let whole = |row: usize| plain(row).as_str().filter(|_| !is_bad(row)).map(str::to_owned);
    let convert = "convert stored.jsonl --column name --from spark-aes --from-coding base64 \
                   --from-raw-key key.txt --from-key-text --to mysql-aes --to-coding hex \
                   --to-raw-key key.txt --to-key-text --weak";
    for threads in [1, 2] {
        let line = format!("--threads {threads} --json --force");
        let decrypt = format!("decrypt stored.jsonl -o out.jsonl --column name {SPARK} {line}");
        let counts = place.run(&decrypt).code(1).json()["columns"][0].clone();
        let nulls = (0..ROWS).filter(|row| plain(*row).is_null()).count() + numbers.len();
        assert_eq!(counts["nulls"], nulls);
        assert_eq!(counts["bad"], damaged.len());
        assert_eq!(counts["good"], ROWS - nulls - damaged.len());
        assert_eq!(
            cells(&place, "out.jsonl"),
            (0..ROWS).map(|row| (row, whole(row))).collect::<Vec<_>>()
        );
        // The rows that are left, in their order, under the other dialect.
        place.run(&format!("{convert} -o other.csv --on-bad drop {line}")).code(1);
        let other = "decrypt other.csv -o other.jsonl --column name --dialect mysql-aes --coding hex \
                     --raw-key key.txt --key-text";
        place.run(&format!("{other} {line}")).code(0);
        let left = (0..ROWS).filter(|row| !is_bad(*row)).map(|row| (row, whole(row)));
        assert_eq!(cells(&place, "other.jsonl"), left.collect::<Vec<_>>());
        for output in ["out.jsonl", "other.csv"] {
            let told = bad(&place, output);
            assert!(told.keys().eq(damaged.keys()), "{output}");
            for (row, (reason, cell)) in &damaged {
                let (said, kept) = &told[row];
                assert!(said.starts_with(reason) && kept == cell, "{row}: {said} {kept}");
            }
        }
    }
    let fail = format!("decrypt stored.jsonl -o fail.jsonl --column name {SPARK} --on-bad fail");
    let first = format!("row {}, column `name`: ", damaged.keys().next().unwrap());
    place.run(&fail).code(1).says(&first);
    assert!(!place.path("fail.jsonl").exists());
}

#[test]
fn long_cells_and_short_ones_go_side_by_side() {
    let place = Place::new();
    let lens = [0, 1, 100_000, 15, 16, 17, 70_000, 65_536, 3, 1_000_000, 2];
    let text = |row: usize| Value::from("x".repeat(lens[row % lens.len()] + row / lens.len()));
    place.write("in.jsonl", lines((0..44).map(text)));
    place.run(&format!("encrypt in.jsonl -o stored.parquet --column name {SPARK}")).code(0);
    place.run(&format!("decrypt stored.parquet -o out.jsonl --column name {SPARK}")).code(0);
    let texts = (0..44).map(|row| (row, text(row).as_str().map(str::to_owned)));
    assert_eq!(cells(&place, "out.jsonl"), texts.collect::<Vec<_>>());
}
