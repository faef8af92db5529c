//! Types that a format does not have, files that make its library panic, and what a dry run says of both.

use std::collections::HashMap;
use std::fs::{File, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::sync::Arc;

use arrow_array::types::TimestampSecondType;
use arrow_array::{
    Array, ArrayRef, Date64Array, Int32Array, ListArray, RecordBatch, StringArray,
    Time32SecondArray, TimestampSecondArray, UnionArray,
};
use arrow_cast::display::array_value_to_string;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{DataType, Field, Schema, TimeUnit, UnionFields};
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};

use crate::place::Place;
use crate::tables::{batch, people, write_arrow, write_parquet};

const MYSQL: &str = "--dialect mysql-aes --coding hex --raw-key key.txt --key-text";

/// A table of a text `name` and another column.
fn beside(other: ArrayRef) -> RecordBatch {
    let names: ArrayRef = Arc::new(StringArray::from(vec!["x"; other.len()]));
    RecordBatch::try_from_iter([("name", names), ("other", other)]).unwrap()
}

#[test]
fn times_that_parquet_does_not_have_are_written_as_those_that_it_has() {
    let place = Place::new();
    let (day, second) = (86_400_000, 1_577_836_800);
    let zoned = TimestampSecondArray::from(vec![Some(second), None]).with_timezone("Asia/Shanghai");
    for (array, kind) in [
        (Arc::new(Date64Array::from(vec![Some(-day), None])) as ArrayRef, DataType::Date32),
        (
            Arc::new(Time32SecondArray::from(vec![Some(3661), None])),
            DataType::Time32(TimeUnit::Millisecond),
        ),
        (
            Arc::new(TimestampSecondArray::from(vec![Some(second), None])),
            DataType::Timestamp(TimeUnit::Millisecond, None),
        ),
        (Arc::new(zoned), DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into()))),
    ] {
        write_arrow(&place.path("in.arrow"), &beside(array.clone()));
        place
            .run(&format!("encrypt in.arrow -o out.parquet -f --column name {MYSQL} --weak"))
            .code(0);
        // As a program reads it that does not know Arrow's own notes in the file.
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let file = File::open(place.path("out.parquet")).unwrap();
        let builder = ParquetRecordBatchReaderBuilder::try_new_with_options(file, options).unwrap();
        let read = builder.build().unwrap().next().unwrap().unwrap();
        let read = read.column(1);
        assert_eq!(*read.data_type(), kind);
        let shown = |array: &ArrayRef| array_value_to_string(array, 0).unwrap();
        let from = arrow_cast::cast(&array, &kind).unwrap();
        assert_eq!(shown(read), shown(&from));
        assert!(read.is_null(1));
    }
    let list = ListArray::from_iter_primitive::<TimestampSecondType, _, _>([Some([Some(second)])]);
    for (array, said) in [
        (
            Arc::new(Date64Array::from(vec![day, day + 1])) as ArrayRef,
            "column `other`, row 2: the date is 86400001 ms",
        ),
        (
            Arc::new(TimestampSecondArray::from(vec![i64::MAX])),
            "column `other` can't be made Timestamp(ms)",
        ),
        (Arc::new(list), "and Parquet has no Timestamp(s)"),
    ] {
        write_arrow(&place.path("in.arrow"), &beside(array));
        for rest in ["-o no.parquet", "-o no.parquet --dry-run", "--format parquet --dry-run"] {
            let line = format!("encrypt in.arrow {rest} --column name {MYSQL} --weak");
            place.run(&line).code(2).says(said).says("take --format arrow");
            assert!(!place.names().iter().any(|it| it == "no.parquet" || it.ends_with(".part")));
        }
    }
}

#[test]
fn what_a_library_panics_at_is_a_failure_like_others() {
    let place = Place::new();
    let kinds = UnionFields::from_fields([Field::new("a", DataType::Int32, true)]);
    let union = UnionArray::try_new(
        kinds,
        vec![0_i8, 0].into(),
        None,
        vec![Arc::new(Int32Array::from(vec![1, 2]))],
    );
    write_arrow(&place.path("union.arrow"), &beside(Arc::new(union.unwrap())));
    for rest in ["", "--dry-run"] {
        let line =
            format!("encrypt union.arrow -o out.parquet --column name {MYSQL} --weak {rest}");
        let done = place.run(&line).code(2).says("can't write out.parquet: its library gave up");
        assert!(!done.stderr().contains("panicked"), "{}", done.stderr());
    }
    let table = batch(&people(3));
    let mut stream = StreamWriter::try_new(Vec::new(), &table.schema()).unwrap();
    stream.write(&table).unwrap();
    stream.finish().unwrap();
    let whole = stream.into_inner().unwrap();
    let mut gave_up = 0;
    for at in (0..whole.len()).step_by(7) {
        let mut bytes = whole.clone();
        bytes[at] = 127;
        place.write("in.arrows", bytes);
        let line =
            format!("encrypt in.arrows -o out.csv -f --threads 1 --column name {MYSQL} --weak");
        let done = place.command(&line).output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(matches!(done.status.code(), Some(0..=2)), "byte {at}: {:?} {said}", done.status);
        assert!(!said.contains("panicked"), "byte {at}: {said}");
        gave_up += u32::from(said.contains("its library gave up"));
    }
    assert!(gave_up > 0);
    assert!(!place.names().iter().any(|it| it.ends_with(".part")));
}

#[test]
fn a_dry_run_counts_as_the_run_does() {
    let place = Place::new();
    place.write("in.csv", "name\nNULL\n\"\"\nx\n\"\"\n");
    place
        .run(&format!("encrypt in.csv -o stored.csv --column name {MYSQL} --weak --null NULL"))
        .code(0);
    let line = format!("decrypt stored.csv --json --column name {MYSQL} --null");
    let run = |rest: &str| place.run(&format!("{line} {rest}")).code(0).json();
    place.write("stored.csv", place.read("stored.csv").replace("NULL", "nil"));
    assert_eq!(run("nil --dry-run -o out.csv")["like_null"], 0);
    // The texts that are empty read as NULL where NULL is the empty text.
    place.write("stored.csv", place.read("stored.csv").replace("nil\n", ""));
    let line = format!("decrypt stored.csv --json --column name {MYSQL}");
    let run = |rest: &str| place.run(&format!("{line} {rest}")).code(0).json();
    for rest in ["--dry-run -o out.csv", "--dry-run --format csv", "-o out.csv"] {
        assert_eq!(run(rest)["like_null"], 2, "{rest}");
    }
    assert!(run("--dry-run")["like_null"].is_null());
    assert_eq!(run("--dry-run --format parquet")["like_null"], 0);
    let wrong = format!("{line} --dry-run --format csv --compression zstd");
    place.run(&wrong).code(2).says("--compression is zstd with csv");
}

#[test]
fn the_first_bad_cell_is_that_of_the_first_row() {
    let place = Place::new();
    place.write("in.csv", "a,b\nx,y\nx,y\nx,y\nx,y\n");
    place.run(&format!("encrypt in.csv -o stored.csv --column a,b {MYSQL} --weak")).code(0);
    let stored = place.read("stored.csv");
    let mut lines: Vec<String> = stored.lines().map(str::to_owned).collect();
    lines[2] = lines[2].split(',').next().unwrap().to_owned() + ",zz";
    lines[4] = "zz,".to_owned() + lines[4].split(',').nth(1).unwrap();
    place.write("bad.csv", lines.join("\n") + "\n");
    for columns in ["a,b", "b,a"] {
        let line = format!("decrypt bad.csv -o out.csv --on-bad fail --column {columns} {MYSQL}");
        place.run(&line).code(1).says("row 2, column `b`");
    }
    // `check` has no --force, and must not name it.
    place.write("b.jsonl", "");
    let done = place.run(&format!("check bad.csv --column a {MYSQL} --bad b.jsonl")).code(3);
    assert!(!done.stderr().contains("--force"), "{}", done.stderr());
}

#[test]
fn an_output_is_no_more_readable_than_its_input_and_columns_keep_their_numbers() {
    let place = Place::new();
    let number = HashMap::from([("PARQUET:field_id".to_owned(), "7".to_owned())]);
    let field = Field::new("name", DataType::Utf8, false).with_metadata(number);
    let names: ArrayRef = Arc::new(StringArray::from(vec!["x"]));
    let table = RecordBatch::try_new(Arc::new(Schema::new(vec![field])), vec![names]).unwrap();
    write_parquet(&place.path("in.parquet"), &table, 7);
    for (mode, expected) in [(0o600, 0o600), (0o640, 0o640), (0o400, 0o600)] {
        std::fs::set_permissions(place.path("in.parquet"), Permissions::from_mode(mode)).unwrap();
        place
            .run(&format!("encrypt in.parquet -o out.parquet -f --column name {MYSQL} --weak"))
            .code(0);
        let got = std::fs::metadata(place.path("out.parquet")).unwrap().permissions().mode();
        // A umask may take more away.
        assert_eq!(got & 0o777 & !expected, 0, "{mode:o}: {got:o}");
    }
    let file = File::open(place.path("out.parquet")).unwrap();
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    assert_eq!(builder.schema().field(0).metadata()["PARQUET:field_id"], "7");
}
