//! Parquet and Arrow IPC by their own crates, in chunks of even size.

use std::fs::File;
use std::io::{BufReader, Read as _, Seek as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::reader::FileReader;
use arrow_schema::{ArrowError, DataType, FieldRef, Fields, Schema, SchemaRef};
use arrow_select::concat::concat_batches;
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};

use super::stream::Stream;
use super::{BYTES, Chunk, ROWS, Rows, Table, broken, file, same};
use crate::failure::Failure;
use crate::format::Format;
use crate::guard::caught;

/// What gives batches of whatever size.
type Batches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>;

/// A file that was opened: its schema, how much there is of it, its batches.
type Opened = (SchemaRef, u64, Batches);

type Open = fn(&Path) -> Result<Opened, Failure>;

/// The rows that are read of Parquet at a time.
const STEP: usize = 8192;

fn parquet(path: &Path) -> Result<Opened, Failure> {
    let fault = |error: &dyn std::fmt::Display| broken(path, Format::Parquet, error);
    let (file, _) = file(path)?;
    let begin = |options: ArrowReaderOptions| {
        let file = file.try_clone()?;
        ParquetRecordBatchReaderBuilder::try_new_with_options(file, options)
    };
    let builder = begin(ArrowReaderOptions::new()).map_err(|error| fault(&error))?;
    let schema = wide_schema(builder.schema());
    let builder = if schema == *builder.schema() {
        builder
    } else {
        let options = ArrowReaderOptions::new().with_schema(schema);
        begin(options).map_err(|error| fault(&error))?
    };
    let metadata = builder.metadata();
    let rows = u64::try_from(metadata.file_metadata().num_rows()).unwrap_or(0);
    let bytes = metadata.row_groups().iter().map(|it| it.total_byte_size()).sum::<i64>();
    // Rows of a megabyte are not read by the thousand.
    let each = usize::try_from(bytes).unwrap_or(0) / usize::try_from(rows).unwrap_or(1).max(1);
    let step = (BYTES / each.max(1)).clamp(1, STEP);
    let schema = builder.schema().clone();
    let reader = builder.with_batch_size(step).build().map_err(|error| fault(&error))?;
    Ok((schema, rows, Box::new(reader)))
}

/// A schema whose dictionaries have numbers of 32 bits. Those of 8 bits, which pandas writes, are enough for
/// a row group or a batch, each of which may have a dictionary of its own, but not for a chunk of several.
fn wide_schema(schema: &SchemaRef) -> SchemaRef {
    let fields: Fields = schema.fields().iter().map(wide_field).collect();
    Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()))
}

fn wide_field(field: &FieldRef) -> FieldRef {
    let kind = wide(field.data_type());
    if kind == *field.data_type() {
        Arc::clone(field)
    } else {
        Arc::new(field.as_ref().clone().with_data_type(kind))
    }
}

fn wide(kind: &DataType) -> DataType {
    use DataType::{
        Dictionary, FixedSizeList, Int8, Int16, Int32, LargeList, List, Map, Struct, UInt8, UInt16,
    };
    match kind {
        Dictionary(key, value) if matches!(**key, Int8 | Int16 | UInt8 | UInt16) => {
            Dictionary(Box::new(Int32), value.clone())
        }
        Struct(fields) => Struct(fields.iter().map(wide_field).collect()),
        List(field) => List(wide_field(field)),
        LargeList(field) => LargeList(wide_field(field)),
        FixedSizeList(field, size) => FixedSizeList(wide_field(field), *size),
        Map(field, sorted) => Map(wide_field(field), *sorted),
        other => other.clone(),
    }
}

/// The batches of a file with such dictionaries.
fn widened(
    schema: &SchemaRef,
    batches: impl Iterator<Item = Result<RecordBatch, ArrowError>> + Send + 'static,
) -> (SchemaRef, Batches) {
    let wide = wide_schema(schema);
    if wide == *schema {
        return (wide, Box::new(batches));
    }
    let to = Arc::clone(&wide);
    let cast = move |batch: RecordBatch| {
        let pairs = batch.columns().iter().zip(to.fields());
        let columns = pairs.map(|(array, field)| arrow_cast::cast(array, field.data_type()));
        RecordBatch::try_new(Arc::clone(&to), columns.collect::<Result<_, _>>()?)
    };
    (wide, Box::new(batches.map(move |batch| batch.and_then(&cast))))
}

fn arrow(path: &Path) -> Result<Opened, Failure> {
    let fault = |error: &dyn std::fmt::Display| broken(path, Format::Arrow, error);
    let (mut file, len) = file(path)?;
    let mut magic = [0; 6];
    let is_file = file.read_exact(&mut magic).is_ok() && magic == *b"ARROW1";
    file.rewind().map_err(|error| Failure::io("read", path, &error))?;
    let file: BufReader<File> = BufReader::with_capacity(1 << 18, file);
    if is_file {
        let reader = FileReader::try_new(file, None).map_err(|error| fault(&error))?;
        let (schema, batches) = widened(&reader.schema(), reader);
        Ok((schema, len, batches))
    } else {
        let reader = Stream::new(file).map_err(|error| fault(&error))?;
        let (schema, batches) = widened(&reader.schema(), reader);
        Ok((schema, len, batches))
    }
}

struct Even {
    files: Vec<PathBuf>,
    open: Open,
    format: Format,
    schema: SchemaRef,
    batches: Batches,
    /// What was read and not given yet.
    left: Option<RecordBatch>,
    file: usize,
    row: u64,
    /// Whether what is done is counted in rows.
    by_rows: bool,
    /// The bytes of the files before.
    before: u64,
    bytes: Vec<u64>,
}

/// Opens a file, whatever its library makes of it.
fn opened(open: Open, path: &Path, format: Format) -> Result<Opened, Failure> {
    caught(|| open(path)).unwrap_or_else(|panic| Err(broken(path, format, &panic)))
}

pub(super) fn open(files: &[PathBuf], format: Format) -> Result<Table, Failure> {
    let by_rows = format == Format::Parquet;
    let open: Open = if by_rows { parquet } else { arrow };
    let (schema, first, batches) = opened(open, &files[0], format)?;
    let mut bytes = vec![first];
    for path in &files[1..] {
        let (other, more, _) = opened(open, path, format)?;
        same(path, &schema, &other)?;
        bytes.push(more);
    }
    let rows = Even {
        files: files.to_vec(),
        open,
        format,
        schema: schema.clone(),
        batches,
        left: None,
        file: 0,
        row: 1,
        by_rows,
        before: 0,
        bytes: bytes.clone(),
    };
    Ok(Table { schema, total: bytes.iter().sum(), rows: Box::new(rows) })
}

/// The bytes of a row, about.
fn each(batch: &RecordBatch) -> usize {
    let bytes: usize = batch
        .columns()
        .iter()
        .map(|it| {
            it.to_data().get_slice_memory_size().unwrap_or_else(|_| it.get_array_memory_size())
        })
        .sum();
    bytes.div_ceil(batch.num_rows().max(1)).max(1)
}

impl Even {
    fn read(&mut self) -> Result<Option<RecordBatch>, Failure> {
        if let Some(left) = self.left.take() {
            return Ok(Some(left));
        }
        loop {
            match self.batches.next() {
                Some(Ok(batch)) if batch.num_rows() == 0 => {}
                Some(Ok(batch)) => {
                    same(&self.files[self.file], &self.schema, &batch.schema())?;
                    return Ok(Some(batch));
                }
                Some(Err(error)) => {
                    return Err(broken(&self.files[self.file], self.format, &error));
                }
                None => return Ok(None),
            }
        }
    }
}

impl Rows for Even {
    fn next(&mut self) -> Result<Option<Chunk>, Failure> {
        let more = caught(|| self.more());
        more.unwrap_or_else(|panic| Err(broken(&self.files[self.file], self.format, &panic)))
    }
}

impl Even {
    fn more(&mut self) -> Result<Option<Chunk>, Failure> {
        loop {
            let (mut some, mut rows, mut bytes) = (Vec::new(), 0, 0);
            while let Some(batch) = self.read()? {
                let each = each(&batch);
                let room = (ROWS - rows).min((BYTES.saturating_sub(bytes) / each).max(1));
                if batch.num_rows() > room {
                    // What does not fit waits; a batch that was begun is filled up.
                    self.left = Some(batch.slice(room, batch.num_rows() - room));
                    some.push(batch.slice(0, room));
                    rows += room;
                    break;
                }
                rows += batch.num_rows();
                bytes += each * batch.num_rows();
                some.push(batch);
                if rows >= ROWS || bytes >= BYTES {
                    break;
                }
            }
            if rows > 0 {
                let path = &self.files[self.file];
                let batch = if some.len() == 1 {
                    some.remove(0)
                } else {
                    concat_batches(&self.schema, &some)
                        .map_err(|error| broken(path, self.format, &error))?
                };
                let first = self.row;
                self.row += rows as u64;
                let done = if self.by_rows { self.row - 1 } else { self.before };
                return Ok(Some(Chunk { first, file: self.file, batch, odd: Vec::new(), done }));
            }
            self.before += self.bytes[self.file];
            if self.file + 1 == self.files.len() {
                return Ok(None);
            }
            self.file += 1;
            self.batches = opened(self.open, &self.files[self.file], self.format)?.2;
        }
    }
}
