//! Tables that are read: chunks of rows as Arrow's batches, from any format.

mod batches;
mod bounded;
mod delimited;
mod json;
pub(crate) mod json_schema;
mod quotes;
mod stream;

use std::fs::File;
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use arrow_schema::{Schema, SchemaRef};

use crate::failure::Failure;
use crate::format::Format;

/// The rows of a chunk, at most.
pub(crate) const ROWS: usize = 131_072;
/// The bytes of a chunk, about.
pub(crate) const BYTES: usize = 8 << 20;

/// Some rows, one behind the other.
pub(crate) struct Chunk {
    /// The number of its first row, from 1, through all files; headers do not count.
    pub(crate) first: u64,
    /// Which of the files they are from.
    pub(crate) file: usize,
    pub(crate) batch: RecordBatch,
    /// Cells of chosen columns that hold what no such cell can, by row of the batch.
    pub(crate) odd: Vec<Odd>,
    /// How much of the input is behind it, in the units of [`Table::total`].
    pub(crate) done: u64,
}

/// A cell of a chosen column that is neither bytes nor NULL; in the batch NULL stands for it.
pub(crate) struct Odd {
    /// Of the batch.
    pub(crate) row: usize,
    /// Of the schema.
    pub(crate) column: usize,
    pub(crate) reason: &'static str,
    pub(crate) cell: Vec<u8>,
}

/// A table that is being read.
pub(crate) struct Table {
    pub(crate) schema: SchemaRef,
    /// Rows or bytes, where they are known before.
    pub(crate) total: u64,
    pub(crate) rows: Box<dyn Rows>,
}

/// What gives chunks.
pub(crate) trait Rows: Send {
    /// The next one.
    ///
    /// # Errors
    /// A file that is not what its format says, or whose schema changes.
    fn next(&mut self) -> Result<Option<Chunk>, Failure>;
}

/// How a table is read.
pub(crate) struct Wish<'a> {
    pub(crate) files: &'a [PathBuf],
    pub(crate) format: Format,
    /// The words of `--column`.
    pub(crate) columns: &'a [String],
    /// What NULL is in CSV.
    pub(crate) null: &'a str,
    pub(crate) header: bool,
    /// Whether the output is JSON too: other columns then keep the text that they have.
    pub(crate) verbatim: bool,
}

/// Opens the files.
///
/// # Errors
/// One that is not there or not of the format, and schemas that differ.
pub(crate) fn open(wish: &Wish<'_>) -> Result<Table, Failure> {
    match wish.format {
        Format::Csv => delimited::open(wish, b','),
        Format::Tsv => delimited::open(wish, b'\t'),
        Format::Jsonl => json::open(wish),
        Format::Parquet | Format::Arrow => batches::open(wish.files, wish.format),
    }
}

/// Opens a regular file.
///
/// # Errors
/// One that is not there, and what is no regular file: a table is read more than once.
fn file(path: &Path) -> Result<(File, u64), Failure> {
    let fault = |error: std::io::Error| Failure::io("read", path, &error);
    let metadata = path.metadata().map_err(fault)?;
    if !metadata.is_file() {
        let error = format!("{} is no regular file", path.display());
        return Err(Failure::usage(error, "name a file: a pipe can't be read from its end"));
    }
    Ok((File::open(path).map_err(fault)?, metadata.len()))
}

/// What a format's library says of a file.
fn broken(path: &Path, format: Format, error: &dyn std::fmt::Display) -> Failure {
    let error = format!("{} can't be read as {}: {error}", path.display(), format.name());
    Failure::usage(error, "name its format with --input-format, or take an undamaged copy")
}

/// Two files of one table must have the same columns.
///
/// # Errors
/// The first difference.
fn same(path: &Path, first: &Schema, other: &Schema) -> Result<(), Failure> {
    let fields = |schema: &Schema| -> Vec<String> {
        let shown =
            |field: &arrow_schema::FieldRef| format!("{} {}", field.name(), field.data_type());
        schema.fields().iter().map(shown).collect()
    };
    let (mut a, mut b) = (fields(first), fields(other));
    // A column that has no NULL in the first file can't hold those of another.
    for (place, (first, other)) in first.fields().iter().zip(other.fields()).enumerate() {
        if !first.is_nullable() && other.is_nullable() {
            a[place] += " without NULL";
            b[place] += " with NULL";
        }
    }
    if a == b {
        return Ok(());
    }
    let at = a.iter().zip(&b).position(|(a, b)| a != b).unwrap_or(a.len().min(b.len()));
    let shown = |list: &[String]| list.get(at).map_or("absent".to_owned(), Clone::clone);
    let error = format!(
        "the schema changes with {}: column {} was {} and is {}",
        path.display(),
        at + 1,
        shown(&a),
        shown(&b)
    );
    Err(Failure::usage(error, "files of one call have the same columns: take them one by one"))
}
