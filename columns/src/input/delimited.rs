//! CSV and TSV by the crate `csv`: every cell is text. A row with more or fewer cells than the header
//! is an error, since nobody knows which cell is missing.

use std::io::{BufReader, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use csv::{ByteRecord, Reader, ReaderBuilder};

use super::bounded::{Bounded, Room};
use super::quotes;
use super::{BYTES, Chunk, Odd, ROWS, Rows, Table, Wish, broken, file, same};
use crate::cells::Column;
use crate::failure::Failure;
use crate::format::Format;
use crate::names::names;

type Csv = Reader<BufReader<Bounded>>;

struct Delimited {
    files: Vec<PathBuf>,
    format: Format,
    delimiter: u8,
    header: bool,
    null: Vec<u8>,
    schema: SchemaRef,
    /// Whether a column was chosen.
    chosen: Vec<bool>,
    reader: Csv,
    room: Room,
    record: ByteRecord,
    /// Of the file that is being read.
    file: usize,
    /// Of the row that comes.
    row: u64,
    /// The bytes of the files before.
    before: u64,
    /// Where the row that was read last begins in its file; none if that is the header.
    last: Option<u64>,
}

/// A file that was opened: its reader, the room of a row, its columns and its length.
type Opened = (Csv, Room, Schema, u64);

fn begin(path: &Path, wish: (Format, u8, bool)) -> Result<Opened, Failure> {
    let (format, delimiter, header) = wish;
    let (mut file, len) = file(path)?;
    let mut end = Vec::new();
    let read = file.seek(SeekFrom::Start(len.saturating_sub(3)));
    let read = read.and_then(|_| file.read_to_end(&mut end)).and_then(|_| file.rewind());
    read.map_err(|error| Failure::io("read", path, &error))?;
    let (file, room) = Bounded::new(file);
    let mut builder = ReaderBuilder::new();
    builder.has_headers(header).delimiter(delimiter).flexible(true);
    let mut reader = builder.from_reader(BufReader::with_capacity(1 << 18, file));
    let names = reader.byte_headers().map_err(|error| broken(path, format, &error))?;
    if names.is_empty() {
        let error = format!("{} is empty", path.display());
        return Err(Failure::usage(error, "a table has a header, or rows and --no-header"));
    }
    let mut fields = Vec::with_capacity(names.len());
    for (index, name) in names.iter().enumerate() {
        let name = if header {
            let name =
                if index == 0 { name.strip_prefix(b"\xef\xbb\xbf").unwrap_or(name) } else { name };
            let name =
                std::str::from_utf8(name).map_err(|_| not_utf8(path, "the header", index))?;
            name.to_owned()
        } else {
            (index + 1).to_string()
        };
        fields.push(Field::new(name, DataType::Utf8, true));
    }
    if fields.len() == 1 && (end.ends_with(b"\n\n") || end.ends_with(b"\n\r\n")) {
        return Err(no_cell(path, "its last line"));
    }
    Ok((reader, room, Schema::new(fields), len))
}

/// In a table of one column nobody can tell an empty line from a row whose cell is empty, which the crate
/// `csv` passes over.
fn no_cell(path: &Path, place: &str) -> Failure {
    let error = format!("{}: {place} is empty, in a table of one column", path.display());
    Failure::usage(error, "write an empty cell as `\"\"`, or take the line away if it is no row")
}

fn not_utf8(path: &Path, place: &str, column: usize) -> Failure {
    let error = format!("{}: column {} of {place} is not UTF-8", path.display(), column + 1);
    Failure::usage(error, "make it UTF-8 first, e.g. `iconv -f GB18030 -t UTF-8`")
}

pub(super) fn open(wish: &Wish<'_>, delimiter: u8) -> Result<Table, Failure> {
    let how = (wish.format, delimiter, wish.header);
    let (reader, room, schema, mut total) = begin(&wish.files[0], how)?;
    for path in &wish.files[1..] {
        let (_, _, other, len) = begin(path, how)?;
        same(path, &schema, &other)?;
        total += len;
    }
    let schema = Arc::new(schema);
    let is_there = |name: &str| schema.fields().iter().any(|field| field.name() == name);
    let columns = names(wish.columns, is_there);
    let chosen = schema.fields().iter().map(|it| columns.contains(it.name())).collect();
    let rows = Delimited {
        files: wish.files.to_vec(),
        format: wish.format,
        delimiter,
        header: wish.header,
        null: wish.null.as_bytes().to_vec(),
        schema: Arc::clone(&schema),
        chosen,
        reader,
        room,
        record: ByteRecord::new(),
        file: 0,
        row: 1,
        before: 0,
        last: None,
    };
    Ok(Table { schema, total, rows: Box::new(rows) })
}

impl Delimited {
    /// Refuses an empty line before the row that was read, in a table of one column.
    fn no_line_before(&self) -> Result<(), Failure> {
        let begin = self.record.position().map_or(1, csv::Position::line);
        let within = self.record.as_slice().iter().filter(|byte| **byte == b'\n').count();
        // The line end is behind the row, or before it where it has two characters.
        if self.reader.position().line() <= begin + 1 + within as u64 {
            return Ok(());
        }
        Err(no_cell(&self.files[self.file], &format!("a line from line {begin} on")))
    }

    /// Refuses a file that ends within quotation marks: one that nobody closes makes a cell of all rows
    /// behind it, and the crate `csv` says nothing of it. It can only be in the last row.
    fn closed(&self) -> Result<(), Failure> {
        let path = &self.files[self.file];
        let ends = quotes::ends_within(path, self.last.unwrap_or(0), self.delimiter);
        if !ends.map_err(|error| Failure::io("read", path, &error))? {
            return Ok(());
        }
        let place = match self.last {
            Some(_) => format!("row {}", self.row - 1),
            None => "the header".to_owned(),
        };
        let error = format!(
            "{}: a quotation mark that opens in {place} is not closed before the end of the file",
            path.display()
        );
        let help = "close it, or write it twice within quotation marks if it is a part of the cell; a file \
                    that was cut off is to be had anew";
        Err(Failure::usage(error, help))
    }

    /// Takes the row that was read into the columns.
    fn take(&self, row: usize, columns: &mut [Column], odd: &mut Vec<Odd>) -> Result<(), Failure> {
        let (path, width) = (&self.files[self.file], columns.len());
        let here = self.row + row as u64;
        if self.record.len() != width {
            let line = self.record.position().map_or(0, csv::Position::line);
            let error = format!(
                "the schema changes in {}: row {here} (line {line}) has {} cells instead of {width}",
                path.display(),
                self.record.len(),
            );
            let help =
                "mend that row: cells with separators or line breaks stand in quotation marks";
            return Err(Failure::usage(error, help));
        }
        for (index, (cell, column)) in self.record.iter().zip(columns).enumerate() {
            if cell == self.null {
                column.null();
            } else if std::str::from_utf8(cell).is_ok() {
                // There is room: a chunk ends with the row that fills it, and that has a bound.
                column.push(cell);
            } else if self.chosen[index] {
                column.null();
                let reason = "the cell is not UTF-8";
                odd.push(Odd { row, column: index, reason, cell: cell.to_vec() });
            } else {
                return Err(not_utf8(path, &format!("row {here}"), index));
            }
        }
        Ok(())
    }
}

impl Rows for Delimited {
    fn next(&mut self) -> Result<Option<Chunk>, Failure> {
        let width = self.chosen.len();
        loop {
            let mut columns: Vec<Column> = (0..width).map(|_| Column::new(0, 0, true)).collect();
            let (mut rows, mut bytes, mut odd) = (0, 0, Vec::new());
            while rows < ROWS && bytes < BYTES {
                self.room.anew();
                let more = self.reader.read_byte_record(&mut self.record);
                let path = &self.files[self.file];
                if !more.map_err(|error| broken(path, self.format, &error))? {
                    break;
                }
                self.last = self.record.position().map(csv::Position::byte);
                if width == 1 {
                    self.no_line_before()?;
                }
                self.take(rows, &mut columns, &mut odd)?;
                bytes += self.record.as_slice().len();
                rows += 1;
            }
            if rows > 0 {
                let path = &self.files[self.file];
                let arrays = columns.into_iter().map(Column::array).collect::<Result<Vec<_>, _>>();
                let batch = arrays
                    .and_then(|arrays| RecordBatch::try_new(Arc::clone(&self.schema), arrays))
                    .map_err(|error| broken(path, self.format, &error))?;
                let first = self.row;
                self.row += rows as u64;
                let done = self.before + self.reader.position().byte();
                return Ok(Some(Chunk { first, file: self.file, batch, odd, done }));
            }
            self.closed()?;
            self.last = None;
            self.before += self.reader.position().byte();
            if self.file + 1 == self.files.len() {
                return Ok(None);
            }
            self.file += 1;
            let how = (self.format, self.delimiter, self.header);
            (self.reader, self.room, ..) = begin(&self.files[self.file], how)?;
        }
    }
}
