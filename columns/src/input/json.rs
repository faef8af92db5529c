//! JSON lines by the crate `serde_json`: an object a line, a column a key. The files are read twice,
//! once for their columns.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Float64Builder, Int64Builder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, SchemaRef};

use super::bounded::{MOST, too_long};
use super::json_schema::{Columns, Kind, VERBATIM, object};
use super::{BYTES, Chunk, Odd, ROWS, Rows, Table, Wish, broken, file};
use crate::cells::Column;
use crate::failure::Failure;
use crate::format::Format;
use crate::names::names;
use crate::stop;

struct Lines {
    reader: BufReader<File>,
    line: Vec<u8>,
    number: u64,
}

impl Lines {
    fn open(path: &Path) -> Result<(Self, u64), Failure> {
        let (file, len) = file(path)?;
        let reader = BufReader::with_capacity(1 << 18, file);
        Ok((Self { reader, line: Vec::new(), number: 0 }, len))
    }

    /// The next line that is not empty, and how many bytes were read for it.
    fn next(&mut self, path: &Path) -> Result<Option<usize>, Failure> {
        let mut read = 0;
        loop {
            self.line.clear();
            let more = self.reader.by_ref().take(MOST as u64 + 1);
            let more = { more }.read_until(b'\n', &mut self.line);
            let more = more.map_err(|error| Failure::io("read", path, &error))?;
            if more > MOST {
                return Err(broken(path, Format::Jsonl, &too_long()));
            }
            if more == 0 {
                return Ok(None);
            }
            read += more;
            self.number += 1;
            if !self.line.trim_ascii().is_empty() {
                return Ok(Some(read));
            }
        }
    }

    fn fault(&self, path: &Path, error: &serde_json::Error) -> Failure {
        let what = format!("line {} is no JSON object: {error}", self.number);
        broken(path, Format::Jsonl, &what)
    }
}

struct Objects {
    files: Vec<PathBuf>,
    schema: SchemaRef,
    columns: Columns,
    chosen: Vec<bool>,
    lines: Lines,
    file: usize,
    row: u64,
    done: u64,
}

pub(super) fn open(wish: &Wish<'_>) -> Result<Table, Failure> {
    let (mut columns, mut total) = (Columns::default(), 0);
    for path in wish.files {
        let (mut lines, len) = Lines::open(path)?;
        total += len;
        while lines.next(path)?.is_some() {
            columns.see(&lines.line).map_err(|error| lines.fault(path, &error))?;
            if lines.number.is_multiple_of(4096) {
                stop::check()?;
            }
        }
    }
    let names = names(wish.columns, |name| columns.place(name).is_some());
    let schema = Arc::new(columns.schema(&names, wish.verbatim));
    let chosen = schema.fields().iter().map(|it| names.contains(it.name())).collect();
    let (lines, _) = Lines::open(&wish.files[0])?;
    let files = wish.files.to_vec();
    let rows = Objects {
        files,
        schema: Arc::clone(&schema),
        columns,
        chosen,
        lines,
        file: 0,
        row: 1,
        done: 0,
    };
    Ok(Table { schema, total, rows: Box::new(rows) })
}

/// A column of one of the types that JSON gives.
enum Grows {
    Text(Column),
    /// JSON's own text.
    Verbatim(Column),
    Whole(Int64Builder),
    Number(Float64Builder),
    Bool(BooleanBuilder),
}

impl Grows {
    fn of(field: &arrow_schema::Field) -> Self {
        match field.data_type() {
            DataType::Int64 => Self::Whole(Int64Builder::new()),
            DataType::Float64 => Self::Number(Float64Builder::new()),
            DataType::Boolean => Self::Bool(BooleanBuilder::new()),
            _ if field.metadata().contains_key(VERBATIM) => Self::Verbatim(Column::new(0, 0, true)),
            _ => Self::Text(Column::new(0, 0, true)),
        }
    }

    fn null(&mut self) {
        match self {
            Self::Text(column) | Self::Verbatim(column) => column.null(),
            Self::Whole(column) => column.append_null(),
            Self::Number(column) => column.append_null(),
            Self::Bool(column) => column.append_null(),
        }
    }

    /// Appends a value; false if it is none of the column's kind, as when a file has changed.
    fn value(&mut self, text: &str) -> bool {
        let kind = Kind::of(text);
        match self {
            Self::Verbatim(column) => column.push(text.as_bytes()),
            _ if kind == Kind::Null => {
                self.null();
                true
            }
            Self::Text(column) => match serde_json::from_str::<String>(text) {
                Ok(value) => column.push(value.as_bytes()),
                Err(_) => false,
            },
            Self::Whole(column) => text.parse().map(|it| column.append_value(it)).is_ok(),
            Self::Number(column) => {
                let value = serde_json::from_str::<f64>(text);
                value.map(|it| column.append_value(it)).is_ok()
            }
            Self::Bool(column) => text.parse().map(|it| column.append_value(it)).is_ok(),
        }
    }

    fn array(self) -> Result<ArrayRef, ArrowError> {
        Ok(match self {
            Self::Text(column) | Self::Verbatim(column) => return column.array(),
            Self::Whole(mut column) => Arc::new(column.finish()),
            Self::Number(mut column) => Arc::new(column.finish()),
            Self::Bool(mut column) => Arc::new(column.finish()),
        })
    }
}

impl Objects {
    /// Takes the line that was read into the columns.
    fn take(
        &self,
        row: usize,
        grow: &mut [Grows],
        filled: &mut [usize],
        odd: &mut Vec<Odd>,
    ) -> Result<(), serde_json::Error> {
        object(&self.lines.line, |key, value| {
            let place =
                self.columns.place(key).ok_or("was not there when the file was read first")?;
            if filled[place] > row {
                return Err("is there twice");
            }
            filled[place] = row + 1;
            let text = value.get();
            let kind = Kind::of(text);
            if self.chosen[place] && !matches!(kind, Kind::Text | Kind::Null) {
                grow[place].null();
                let cell = text.as_bytes().to_vec();
                odd.push(Odd { row, column: place, reason: kind.instead(), cell });
                return Ok(());
            }
            if grow[place].value(text) { Ok(()) } else { Err("holds what it can't") }
        })?;
        for (place, filled) in filled.iter_mut().enumerate().filter(|(_, it)| **it <= row) {
            grow[place].null();
            *filled = row + 1;
        }
        Ok(())
    }
}

impl Rows for Objects {
    fn next(&mut self) -> Result<Option<Chunk>, Failure> {
        let width = self.chosen.len();
        loop {
            let mut grow: Vec<Grows> =
                self.schema.fields().iter().map(|field| Grows::of(field)).collect();
            let mut filled = vec![0; width];
            let (mut rows, mut bytes, mut odd) = (0, 0, Vec::new());
            while rows < ROWS && bytes < BYTES {
                let Some(read) = self.lines.next(&self.files[self.file])? else { break };
                let taken = self.take(rows, &mut grow, &mut filled, &mut odd);
                let path = &self.files[self.file];
                taken.map_err(|error| self.lines.fault(path, &error))?;
                bytes += read;
                rows += 1;
            }
            self.done += bytes as u64;
            if rows > 0 {
                let path = &self.files[self.file];
                let arrays = grow.into_iter().map(Grows::array).collect::<Result<Vec<_>, _>>();
                let batch = arrays
                    .and_then(|arrays| RecordBatch::try_new(Arc::clone(&self.schema), arrays))
                    .map_err(|error| broken(path, Format::Jsonl, &error))?;
                let first = self.row;
                self.row += rows as u64;
                return Ok(Some(Chunk { first, file: self.file, batch, odd, done: self.done }));
            }
            if self.file + 1 == self.files.len() {
                return Ok(None);
            }
            self.file += 1;
            self.lines = Lines::open(&self.files[self.file])?.0;
        }
    }
}
