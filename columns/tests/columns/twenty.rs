//! Twenty bad inputs in one table: what the program ends with and prints, which rows it writes, which cells it keeps
//! apart. `cargo test --test columns twenty -- --nocapture` shows it; docs/COLUMNS.md has it.

use std::fs;

use serde_json::Value;

use crate::place::{KEY, Place};
use crate::tables::{people, read, write};

/// A bad input.
struct Case {
    what: &'static str,
    line: String,
    code: i32,
    /// What is printed.
    says: &'static str,
    /// Rows that are written; none where there is no output.
    rows: Option<usize>,
    /// Cells that are kept apart: the row and the beginning of the reason.
    kept: &'static [(u64, &'static str)],
}

const MYSQL: &str = "--column name --dialect mysql-aes --coding hex --raw-key key.txt --key-text";
const SPARK: &str = "--column name --dialect spark-aes --coding hex --raw-key key.txt --key-text";

/// A copy of a table with a cell of a row replaced.
fn with(place: &Place, from: &str, to: &str, row: usize, cell: impl Fn(&str) -> String) {
    let mut rows = read(&place.path(from));
    let old = rows[row][1].clone().unwrap();
    rows[row][1] = Some(cell(&old));
    let mut writer = csv::Writer::from_path(place.path(to)).unwrap();
    for row in rows {
        writer.write_record(row.iter().map(|it| it.as_deref().unwrap_or(""))).unwrap();
    }
    writer.flush().unwrap();
}

/// Eight rows under two dialects, and what may become of such files.
fn place() -> Place {
    let place = Place::new();
    place.write("wrong.txt", "another key 1234");
    write(&place.path("in.csv"), &people(8));
    place.run(&format!("encrypt in.csv -o mysql.csv {MYSQL} --weak")).code(0);
    place.run(&format!("encrypt in.csv -o spark.csv {SPARK}")).code(0);
    with(&place, "mysql.csv", "odd.csv", 3, |cell| cell[..21].to_owned());
    with(&place, "mysql.csv", "short.csv", 2, |cell| cell[..30].to_owned());
    with(&place, "mysql.csv", "base64.csv", 5, |_| "q83vq83vq83vq83vq83vqw==".to_owned());
    with(&place, "mysql.csv", "word.csv", 6, |_| "not encrypted".to_owned());
    with(&place, "mysql.csv", "null.csv", 7, |_| String::new());
    with(&place, "spark.csv", "tag.csv", 4, |cell| {
        let last = if cell.ends_with('0') { "1" } else { "0" };
        cell[..cell.len() - 1].to_owned() + last
    });
    let codec = dialects::find("mysql-aes").unwrap();
    let settings = dialects::Settings {
        coding: Some(dialects::Coding::Hex),
        ..dialects::Settings::new(KEY.as_bytes())
    };
    let mut stored = Vec::new();
    codec.prepare(&settings).unwrap().encrypt(b"caf\xe9", &mut stored).unwrap();
    with(&place, "mysql.csv", "latin.csv", 8, |_| String::from_utf8(stored.clone()).unwrap());
    let good = read(&place.path("mysql.csv"))[1][1].clone().unwrap();
    place.write("number.jsonl", format!("{{\"name\":\"{good}\"}}\n{{\"name\":7}}\n"));
    place.write("bytes.csv", [format!("name\n{good}\n").as_bytes(), b"caf\xe9\n"].concat());
    place.write("other.csv", "id,nom,note\n1,aa,\n");
    place.write("ragged.csv", "id,name\n1,aa\n2,bb,cc\n");
    place.write("twice.csv", "name,name\na,b\n");
    place.write("empty.csv", "");
    write(&place.path("whole.parquet"), &people(100));
    let mut bytes = fs::read(place.path("whole.parquet")).unwrap();
    place.write("cut.parquet", &bytes[..bytes.len() - 9]);
    bytes[40..80].fill(0xff);
    place.write("changed.parquet", bytes);
    place
}

fn cases() -> Vec<Case> {
    let case =
        |what, line: String, code, says, rows, kept| Case { what, line, code, says, rows, kept };
    let mysql = |file: &str| format!("decrypt {file} {MYSQL} -o out.csv");
    let wrong = |line: String| line.replace("key.txt", "wrong.txt");
    let stops = |what, line: String, says| case(what, line, 2, says, None, &[]);
    vec![
        case(
            "wrong key, padding alone",
            wrong(mysql("mysql.csv")),
            1,
            "nothing was written",
            None,
            &[],
        ),
        case(
            "wrong key, a tag",
            wrong(format!("decrypt spark.csv {SPARK} -o out.csv")),
            1,
            "none of the 8 cells of a column went well: nothing was written",
            None,
            &[],
        ),
        case(
            "wrong coding",
            mysql("mysql.csv").replace("hex", "base64"),
            1,
            "nothing was written",
            None,
            &[],
        ),
        case("wrong dialect", mysql("spark.csv"), 1, "nothing was written", None, &[]),
        case(
            "cell cut within a byte",
            mysql("odd.csv"),
            1,
            "name: 7 of 8 cells done, 1 bad, 0 NULL",
            Some(8),
            &[(3, "stored value is no text of hexadecimal digits: 21 digits")],
        ),
        case(
            "cell cut within a block",
            mysql("short.csv"),
            1,
            "7 of 8 cells done, 1 bad",
            Some(8),
            &[(2, "stored value of mysql-aes has 15 bytes")],
        ),
        case(
            "one cell in another coding",
            mysql("base64.csv"),
            1,
            "7 of 8 cells done, 1 bad",
            Some(8),
            &[(5, "stored value is no text of hexadecimal digits: a character at place 0")],
        ),
        case(
            "one cell not encrypted, rows left out",
            mysql("word.csv") + " --on-bad drop",
            1,
            "7 rows in out.csv",
            Some(7),
            &[(6, "stored value is no text of hexadecimal digits: a character at place 0")],
        ),
        case(
            "the first bad cell is the end",
            mysql("word.csv") + " --on-bad fail",
            1,
            "row 6, column `name`: stored value is no text of hexadecimal digits",
            None,
            &[],
        ),
        case("NULL", mysql("null.csv"), 0, "7 of 7 cells done, 0 bad, 1 NULL", Some(8), &[]),
        case(
            "an empty text that is no NULL",
            mysql("null.csv") + " --null NULL",
            1,
            "7 of 8 cells done, 1 bad, 0 NULL",
            Some(8),
            &[(7, "stored value of mysql-aes has 0 bytes")],
        ),
        case(
            "a changed tag",
            format!("decrypt tag.csv {SPARK} -o out.csv"),
            1,
            "7 of 8 cells done, 1 bad",
            Some(8),
            &[(4, "the tag or MAC of this value of spark-aes is wrong")],
        ),
        case(
            "a plaintext that is no UTF-8",
            mysql("latin.csv"),
            1,
            "7 of 8 cells done, 1 bad",
            Some(8),
            &[(8, "what came out is not UTF-8")],
        ),
        case(
            "a cell that is no UTF-8",
            mysql("bytes.csv"),
            1,
            "1 of 2 cells done, 1 bad",
            Some(2),
            &[(2, "the cell is not UTF-8")],
        ),
        case(
            "a number in JSON",
            mysql("number.jsonl"),
            1,
            "1 of 2 cells done, 1 bad",
            Some(2),
            &[(2, "the cell is a number, no text")],
        ),
        stops(
            "column missing",
            mysql("mysql.csv").replace("--column name", "--column nam"),
            "no column is called `nam`",
        ),
        stops("two columns of that name", mysql("twice.csv"), "column `name` is there twice"),
        stops(
            "schema changes with a file",
            mysql("mysql.csv other.csv"),
            "the schema changes with other.csv: column 2 was name Utf8 and is nom Utf8",
        ),
        stops(
            "schema changes with a row",
            mysql("ragged.csv"),
            "the schema changes in ragged.csv: row 2 (line 3) has 3 cells instead of 2",
        ),
        stops("an empty file", mysql("empty.csv"), "empty.csv is empty"),
        stops(
            "Parquet without its end",
            mysql("cut.parquet"),
            "cut.parquet can't be read as parquet",
        ),
        stops(
            "Parquet with a changed page",
            mysql("changed.parquet"),
            "changed.parquet can't be read as parquet",
        ),
    ]
}

#[test]
fn twenty_bad_inputs_and_what_is_kept_of_them() {
    let place = place();
    let before = place.names();
    let cases = cases();
    assert!(cases.len() >= 20);
    for Case { what, line, code, says, rows, kept } in cases {
        let done = place.run(&line).code(code);
        let printed = done.stdout() + &done.stderr();
        assert!(printed.contains(says), "{what}: no `{says}` in\n{printed}");
        let mut expected = before.clone();
        expected.extend(rows.map(|_| "out.csv".to_owned()));
        expected.extend((!kept.is_empty()).then(|| "out.csv.bad.jsonl".to_owned()));
        expected.sort();
        assert_eq!(place.names(), expected, "{what}");
        if let Some(rows) = rows {
            assert_eq!(read(&place.path("out.csv")).len(), rows + 1, "{what}");
            fs::remove_file(place.path("out.csv")).unwrap();
        }
        if !kept.is_empty() {
            let text = place.read("out.csv.bad.jsonl");
            assert_eq!(text.lines().count(), kept.len(), "{what}: {text}");
            for (line, (row, reason)) in text.lines().zip(kept) {
                let line: Value = serde_json::from_str(line).unwrap();
                assert_eq!(line["row"], *row, "{what}");
                assert!(line["reason"].as_str().unwrap().starts_with(reason), "{what}: {text}");
                assert!(line["cell"].is_string() || line["cell_hex"].is_string(), "{what}: {text}");
            }
            fs::remove_file(place.path("out.csv.bad.jsonl")).unwrap();
        }
        let rows = rows.map_or("no output".to_owned(), |rows| format!("{rows} rows"));
        let kept: Vec<String> =
            kept.iter().map(|(row, reason)| format!("row {row} ({reason})")).collect();
        let kept = if kept.is_empty() { "nothing".to_owned() } else { kept.join(", ") };
        println!("{what}: exit {code}; printed `{says}`; written: {rows}; kept apart: {kept}");
    }
}
