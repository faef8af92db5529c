//! Every format into every other one and back.

use std::fs::File;
use std::sync::Arc;

use arrow_array::builder::{
    BinaryViewBuilder, FixedSizeBinaryBuilder, StringDictionaryBuilder, StringViewBuilder,
};
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, LargeBinaryArray, LargeStringArray, ListArray, NullArray, RecordBatch, StringArray,
    TimestampMicrosecondArray,
};
use arrow_ipc::writer::StreamWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::place::Place;
use crate::tables::{people, read, with_header, write, write_arrow, write_parquet};

const FORMATS: [&str; 5] = ["csv", "tsv", "jsonl", "parquet", "arrow"];
const DORIS: &str = "--dialect doris-sm4 --coding hex --raw-key key.txt --key-text";

#[test]
fn every_format_goes_into_every_other_and_back() {
    let rows = people(40);
    let whole = with_header(&rows);
    let mut pairs = 0;
    for from in FORMATS {
        for to in FORMATS {
            let place = Place::new();
            write(&place.path(&format!("in.{from}")), &rows);
            let line = format!(
                "encrypt in.{from} -o stored.{to} --column name,note {DORIS} --weak --json"
            );
            let summary = place.run(&line).code(0).json();
            assert_eq!(summary["rows"], 40);
            assert_eq!(summary["columns"][1]["nulls"], 14);
            let stored = read(&place.path(&format!("stored.{to}")));
            for (stored, plain) in stored.iter().zip(&whole).skip(1) {
                assert_eq!(stored[0], plain[0], "{from} {to}");
                assert!(stored[1].as_ref().unwrap().bytes().all(|it| it.is_ascii_hexdigit()));
                assert_eq!(stored[2].is_none(), plain[2].is_none(), "{from} {to}");
            }
            let line = format!("decrypt stored.{to} -o out.{from} --column name,note {DORIS}");
            place.run(&line).code(0);
            assert_eq!(read(&place.path(&format!("out.{from}"))), whole, "{from} {to}");
            assert_eq!(place.names().len(), 4, "{:?}", place.names());
            pairs += 1;
        }
    }
    assert_eq!(pairs, 25);
}

#[test]
fn bytes_stay_bytes_where_the_format_has_them() {
    let place = Place::new();
    let rows = people(30);
    write(&place.path("in.parquet"), &rows);
    let spark = "--column name --raw-key key.txt --key-text";
    for (to, compression) in [
        ("parquet", "zstd"),
        ("parquet", "gzip"),
        ("parquet", "lz4"),
        ("parquet", "none"),
        ("arrow", "zstd"),
        ("arrow", "lz4"),
    ] {
        let line = format!(
            "encrypt in.parquet -o stored.{to} --dialect spark-aes {spark} --compression {compression} --force"
        );
        place.run(&line).code(0);
        let stored = read(&place.path(&format!("stored.{to}")));
        let len = |row: usize| stored[row + 1][1].as_ref().unwrap().len();
        assert!((0..30).all(|row| len(row) == 2 * (28 + rows[row][1].as_ref().unwrap().len())));
        place
            .run(&format!("decrypt stored.{to} -o out.parquet --dialect spark-aes {spark} --force"))
            .code(0);
        assert_eq!(read(&place.path("out.parquet")), with_header(&rows));
    }
    place
        .run(&format!("decrypt stored.arrow -o out.csv --plain binary --dialect spark-aes {spark}"))
        .code(0);
    let digits = read(&place.path("out.csv"))[1][1].clone().unwrap();
    assert_eq!(hex::decode(digits).unwrap(), b"Anna 0");
}

#[test]
fn parquet_spends_nothing_on_values_that_have_an_iv_of_their_own() {
    let place = Place::new();
    let rows = people(20_000);
    write(&place.path("in.parquet"), &rows);
    let key = "--raw-key key.txt --key-text --force --weak";
    // A dictionary is asked for where equal texts give equal values, and for the column that stays.
    for (dialect, compression, wanted) in [
        ("spark-aes", "", (false, false, "UNCOMPRESSED")),
        ("spark-aes --coding base64", "", (false, false, "SNAPPY")),
        ("spark-aes", "--compression zstd", (false, false, "ZSTD")),
        ("mysql-aes", "", (true, true, "SNAPPY")),
    ] {
        let line = format!("encrypt in.parquet -o out.parquet --column note --dialect {dialect}");
        place.run(&format!("{line} {key} {compression}")).code(0);
        let file = File::open(place.path("out.parquet")).unwrap();
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
        let group = reader.metadata().row_group(0).clone();
        let of = |column: usize| {
            let column = group.column(column);
            let name = format!("{:?}", column.compression());
            let name = name.split('(').next().unwrap().to_owned();
            (column.dictionary_page_offset().is_some(), column.statistics().is_some(), name)
        };
        let (dictionary, statistics, compression) = of(2);
        assert_eq!((dictionary, statistics, compression.as_str()), wanted, "{dialect}");
        assert!(of(1).0 && of(1).1, "{dialect}");
        let line = format!("decrypt out.parquet -o back.parquet --column note --dialect {dialect}");
        place.run(&format!("{line} --raw-key key.txt --key-text --force")).code(0);
        assert_eq!(read(&place.path("back.parquet")), with_header(&rows));
    }
}

#[test]
fn every_array_that_holds_text_or_bytes_is_read() {
    let values = ["first", "second", "", "third value"];
    let some = || values.iter().map(|it| (!it.is_empty()).then_some(*it));
    let mut dictionary = StringDictionaryBuilder::<Int32Type>::new();
    let (mut text_view, mut byte_view) = (StringViewBuilder::new(), BinaryViewBuilder::new());
    let mut fixed = FixedSizeBinaryBuilder::new(5);
    for value in some() {
        dictionary.append_option(value);
        text_view.append_option(value);
        byte_view.append_option(value);
        match value {
            Some(_) => fixed.append_value(b"fixed").unwrap(),
            None => fixed.append_null(),
        }
    }
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("dictionary", Arc::new(dictionary.finish())),
        ("text_view", Arc::new(text_view.finish())),
        ("byte_view", Arc::new(byte_view.finish())),
        ("fixed", Arc::new(fixed.finish())),
        ("large", Arc::new(some().collect::<LargeStringArray>())),
        (
            "large_bytes",
            Arc::new(some().map(|it| it.map(str::as_bytes)).collect::<LargeBinaryArray>()),
        ),
        ("nothing", Arc::new(NullArray::new(4))),
    ];
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    let batch = RecordBatch::try_from_iter_with_nullable(
        columns.iter().map(|(name, array)| (*name, Arc::clone(array), true)),
    )
    .unwrap();
    for kind in ["parquet", "arrow"] {
        let place = Place::new();
        let file = place.path(&format!("in.{kind}"));
        if kind == "arrow" {
            write_arrow(&file, &batch)
        } else {
            write_parquet(&file, &batch, 100)
        }
        let list = names.join(",");
        place
            .run(&format!("encrypt in.{kind} -o stored.{kind} --column {list} {DORIS} --weak"))
            .code(0);
        place.run(&format!("decrypt stored.{kind} -o out.csv --column {list} {DORIS}")).code(0);
        let out = read(&place.path("out.csv"));
        for (place, name) in names.iter().enumerate() {
            let expected: Vec<Option<String>> = match *name {
                "nothing" => vec![None; 4],
                "fixed" => some().map(|it| it.map(|_| "fixed".to_owned())).collect(),
                _ => some().map(|it| it.map(str::to_owned)).collect(),
            };
            let got: Vec<Option<String>> = out[1..].iter().map(|row| row[place].clone()).collect();
            assert_eq!(got, expected, "{kind} {name}");
        }
    }
}

#[test]
fn columns_that_were_not_chosen_keep_their_types_and_values() {
    let list = ListArray::from_iter_primitive::<Int32Type, _, _>([Some(vec![Some(1), None]), None]);
    let times = TimestampMicrosecondArray::from(vec![Some(1_700_000_000_123_456), None]);
    let columns: [(&str, ArrayRef); 3] = [
        ("secret", Arc::new(StringArray::from(vec!["a", "b"]))),
        ("list", Arc::new(list)),
        ("time", Arc::new(times)),
    ];
    let batch =
        RecordBatch::try_from_iter_with_nullable(columns.map(|(name, it)| (name, it, true)))
            .unwrap();
    let place = Place::new();
    write_parquet(&place.path("in.parquet"), &batch, 100);
    for to in ["parquet", "arrow"] {
        place
            .run(&format!("encrypt in.parquet -o stored.{to} --column secret {DORIS} --weak"))
            .code(0);
        place
            .run(&format!("decrypt stored.{to} -o out.parquet --column secret {DORIS} --force"))
            .code(0);
        let file = File::open(place.path("out.parquet")).unwrap();
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap();
        let back: Vec<RecordBatch> = reader.map(Result::unwrap).collect();
        assert_eq!(back[0].columns(), batch.columns(), "{to}");
    }
    place
        .run(&format!("encrypt in.parquet -o stored.jsonl --column secret {DORIS} --weak"))
        .code(0);
    assert!(
        place
            .read("stored.jsonl")
            .contains(r#""list":[1,null],"time":"2023-11-14T22:13:20.123456""#)
    );
    place
        .run(&format!("encrypt in.parquet -o stored.csv --column secret {DORIS} --weak"))
        .code(2)
        .says("column `list` is List(Int32), which CSV can't hold");
}

#[test]
fn json_keeps_what_it_says_of_other_keys() {
    let place = Place::new();
    let lines = concat!(
        r#"{"n":12345678901234567890123,"secret":"a","deep":{"x":[1, 2.50]},"mixed":"text"}"#,
        "\n\n",
        r#"{"secret":null,"mixed":7,"late":true,"u":"\u00e9"}"#,
        "\n",
    );
    place.write("in.jsonl", lines);
    place.run(&format!("encrypt in.jsonl -o out.jsonl --column secret {DORIS} --weak")).code(0);
    let out = place.read("out.jsonl");
    assert!(
        out.contains(r#""n":12345678901234567890123"#) && out.contains(r#"{"x":[1, 2.50]}"#),
        "{out}"
    );
    assert!(out.contains(r#""mixed":7"#) && out.contains(r#""u":"\u00e9""#), "{out}");
    assert!(out.lines().nth(1).unwrap().starts_with(r#"{"secret":null,"#), "{out}");
    place.run(&format!("encrypt in.jsonl -o out.csv --column secret {DORIS} --weak")).code(0);
    let rows = read(&place.path("out.csv"));
    assert_eq!(rows[1][0].as_deref(), Some("12345678901234567890123"));
    assert_eq!(rows[1][2].as_deref(), Some(r#"{"x":[1, 2.50]}"#));
}

#[test]
fn a_stream_of_arrow_and_several_files_are_one_table() {
    let place = Place::new();
    let rows = people(10);
    let batch = crate::tables::batch(&rows);
    let mut writer =
        StreamWriter::try_new(File::create(place.path("in.arrows")).unwrap(), &batch.schema())
            .unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    let line =
        format!("encrypt in.arrows in.arrows -o out.csv --column name {DORIS} --weak --json");
    let summary = place.run(&line).code(0).json();
    assert_eq!(summary["rows"], 20);
    let out = read(&place.path("out.csv"));
    assert_eq!(out.len(), 21);
    assert_eq!(out[1..11], out[11..21]);
}

#[test]
fn rows_keep_their_order_and_outputs_are_equal_whatever_the_threads() {
    let place = Place::new();
    let rows = people(300_000);
    write(&place.path("in.csv"), &rows);
    for to in ["csv", "parquet"] {
        for threads in ["1", "2", "5"] {
            let line = format!(
                "encrypt in.csv -o {threads}.{to} --column name,note {DORIS} --weak --threads {threads}"
            );
            place.run(&line).code(0);
        }
        let bytes = |threads: &str| std::fs::read(place.path(&format!("{threads}.{to}"))).unwrap();
        assert!(bytes("1") == bytes("2") && bytes("1") == bytes("5"), "{to}");
    }
    place.run(&format!("decrypt 5.parquet -o back.csv --column name,note {DORIS}")).code(0);
    assert!(read(&place.path("back.csv")) == with_header(&rows));
}

#[test]
fn null_in_csv_is_what_one_says() {
    let place = Place::new();
    place.write("in.csv", "a\tb\n\\N\tx\n");
    let line = format!(
        "encrypt in.csv --input-format tsv --null \\N -o out.jsonl --column a,b {DORIS} --weak"
    );
    place.run(&line).code(0);
    assert!(place.read("out.jsonl").starts_with(r#"{"a":null,"b":""#));
    place.write("bare.csv", "x,y\nz,\n");
    let line = format!("encrypt bare.csv --no-header -o out.csv --column 1 {DORIS} --weak --json");
    assert_eq!(place.run(&line).code(0).json()["rows"], 2);
    // A plaintext that reads as NULL is counted, not passed over.
    place.write("like.csv", "a\nNULL\n");
    place.run(&format!("encrypt like.csv -o stored.csv --column a {DORIS} --weak")).code(0);
    let done = place
        .run(&format!("decrypt stored.csv --null NULL -o back.csv --column a {DORIS}"))
        .code(0);
    assert!(done.stdout().contains("1 cells that are not NULL read as NULL"), "{}", done.stdout());
}
