//! Tables in every format, made and read without the program.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_cast::display::array_value_to_string;
use arrow_ipc::reader::FileReader;
use arrow_ipc::writer::FileWriter;
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::properties::WriterProperties;

/// Rows of texts or NULL.
pub(crate) type Rows = Vec<Vec<Option<String>>>;

/// A number, a text that is never NULL, and one that may be.
pub(crate) fn people(size: usize) -> Rows {
    let names = ["Anna", "王小明", "O'Neil, \"Shaq\"", "two\nlines", "tab\there", "Zoë"];
    (0..size)
        .map(|row| {
            let name = format!("{} {row}", names[row % names.len()]);
            let note = (row % 3 != 0).then(|| format!("note {row}"));
            vec![Some(row.to_string()), Some(name), note]
        })
        .collect()
}

/// As one batch; `id` is a number.
pub(crate) fn batch(rows: &Rows) -> RecordBatch {
    let ids = rows.iter().map(|row| row[0].as_ref().and_then(|it| it.parse::<i64>().ok()));
    let text = |place: usize| -> ArrayRef {
        Arc::new(rows.iter().map(|row| row[place].as_deref()).collect::<StringArray>())
    };
    let field = |name, kind| Field::new(name, kind, true);
    let schema = Schema::new(vec![
        field("id", DataType::Int64),
        field("name", DataType::Utf8),
        field("note", DataType::Utf8),
    ]);
    let ids: ArrayRef = Arc::new(ids.collect::<Int64Array>());
    RecordBatch::try_new(Arc::new(schema), vec![ids, text(1), text(2)]).unwrap()
}

pub(crate) fn write_parquet(path: &Path, batch: &RecordBatch, rows_of_group: usize) {
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(rows_of_group));
    let file = File::create(path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties.build())).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
}

pub(crate) fn write_arrow(path: &Path, batch: &RecordBatch) {
    let mut writer = FileWriter::try_new(File::create(path).unwrap(), &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.finish().unwrap();
}

/// Writes the people's table.
pub(crate) fn write(path: &Path, rows: &Rows) {
    match suffix(path) {
        "parquet" => write_parquet(path, &batch(rows), 7),
        "arrow" => write_arrow(path, &batch(rows)),
        "jsonl" => {
            let line = |row: &Vec<Option<String>>| {
                let id: i64 = row[0].as_ref().unwrap().parse().unwrap();
                serde_json::json!({"id": id, "name": row[1], "note": row[2]}).to_string() + "\n"
            };
            std::fs::write(path, rows.iter().map(line).collect::<String>()).unwrap();
        }
        kind => {
            let delimiter = if kind == "csv" { b',' } else { b'\t' };
            let mut writer =
                csv::WriterBuilder::new().delimiter(delimiter).from_path(path).unwrap();
            writer.write_record(["id", "name", "note"]).unwrap();
            for row in rows {
                writer.write_record(row.iter().map(|it| it.as_deref().unwrap_or(""))).unwrap();
            }
            writer.flush().unwrap();
        }
    }
}

fn suffix(path: &Path) -> &str {
    path.extension().unwrap().to_str().unwrap()
}

/// Reads a table, header first; bytes are hexadecimal digits, the empty text of CSV is NULL.
pub(crate) fn read(path: &Path) -> Rows {
    match suffix(path) {
        "parquet" => {
            let builder =
                ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
            let schema = builder.schema().clone();
            of_batches(&schema, builder.build().unwrap().map(Result::unwrap))
        }
        "arrow" => {
            let reader = FileReader::try_new(File::open(path).unwrap(), None).unwrap();
            let schema = reader.schema();
            of_batches(&schema, reader.map(Result::unwrap))
        }
        "jsonl" => of_json(path),
        kind => {
            let delimiter = if kind == "csv" { b',' } else { b'\t' };
            let mut builder = csv::ReaderBuilder::new();
            builder.delimiter(delimiter).has_headers(false);
            let records = builder.from_path(path).unwrap().into_records();
            let cell = |text: &str| (!text.is_empty()).then(|| text.to_owned());
            records.map(|it| it.unwrap().iter().map(cell).collect()).collect()
        }
    }
}

fn of_json(path: &Path) -> Rows {
    let text = std::fs::read_to_string(path).unwrap();
    let objects: Vec<serde_json::Map<String, serde_json::Value>> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut names: Vec<String> = objects.iter().flat_map(|it| it.keys().cloned()).collect();
    names.sort();
    names.dedup();
    let cell = |value: Option<&serde_json::Value>| match value {
        None | Some(serde_json::Value::Null) => None,
        Some(serde_json::Value::String(text)) => Some(text.clone()),
        Some(other) => Some(other.to_string()),
    };
    let mut rows: Rows = vec![names.iter().cloned().map(Some).collect()];
    rows.extend(objects.iter().map(|it| names.iter().map(|name| cell(it.get(name))).collect()));
    rows
}

fn of_batches(schema: &Schema, batches: impl Iterator<Item = RecordBatch>) -> Rows {
    let mut rows: Rows = vec![schema.fields().iter().map(|it| Some(it.name().clone())).collect()];
    for batch in batches {
        for row in 0..batch.num_rows() {
            let cell = |array: &ArrayRef| {
                (!array.is_null(row)).then(|| array_value_to_string(array, row).unwrap())
            };
            rows.push(batch.columns().iter().map(cell).collect());
        }
    }
    rows
}

/// A table with its header.
pub(crate) fn with_header(rows: &Rows) -> Rows {
    let header = ["id", "name", "note"].map(|it| Some(it.to_owned())).to_vec();
    std::iter::once(header).chain(rows.iter().cloned()).collect()
}
