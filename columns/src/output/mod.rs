//! Tables that are written. Workers code a chunk for the format, and one thread puts the pieces
//! behind each other.

mod delimited;
mod json;

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions};
use arrow_schema::{ArrowError, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::basic::Compression as Codec;
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;

use crate::args::Compression;
use crate::failure::{Exit, Failure};
use crate::format::Format;
use crate::guard::caught;

/// A chunk in the format's form.
pub(crate) struct Coded {
    data: Data,
    /// Cells that read as NULL although they are none.
    pub(crate) like_null: u64,
}

enum Data {
    Nothing,
    Bytes(Vec<u8>),
    Columns(Vec<ArrowColumnChunk>),
    Batch(RecordBatch),
}

/// What codes chunks, from any thread.
pub(crate) struct Encoder {
    way: Way,
    schema: SchemaRef,
    path: PathBuf,
}

enum Way {
    Nowhere,
    Delimited { delimiter: u8, null: String },
    Json,
    Parquet(ArrowRowGroupWriterFactory),
    Arrow,
}

/// A file, or nowhere: a dry run codes everything, since only then what a format can't hold is met.
pub(crate) type Place = Box<dyn Write + Send>;

/// What is written into, by one thread.
pub(crate) struct Sink {
    to: To,
    path: PathBuf,
}

enum To {
    Nowhere,
    Bytes(BufWriter<Place>),
    Parquet(SerializedFileWriter<BufWriter<Place>>),
    Arrow(Box<FileWriter<BufWriter<Place>>>),
}

/// How a table is written.
pub(crate) struct Wish<'a> {
    pub(crate) path: &'a Path,
    pub(crate) format: Format,
    pub(crate) compression: Option<Compression>,
    pub(crate) null: &'a str,
    pub(crate) header: bool,
    /// Columns of which no value is like another, by place and name.
    pub(crate) drawn: &'a [(usize, String)],
    /// Whether they are bytes.
    pub(crate) raw: bool,
}

/// A compression that a format has.
///
/// # Errors
/// The others.
pub(crate) fn admit(format: Format, compression: Option<Compression>) -> Result<(), Failure> {
    let Some(compression) = compression else { return Ok(()) };
    let allowed = match format {
        Format::Parquet => return Ok(()),
        Format::Arrow => "none, zstd, lz4",
        Format::Csv | Format::Tsv | Format::Jsonl => "none",
    };
    let named = format!("{compression:?}").to_lowercase();
    if allowed.split(", ").any(|it| it == named) {
        return Ok(());
    }
    let error = format!("--compression is {named} with {}", format.name());
    Err(Failure::usage(error, format!("allowed: {allowed}")))
}

/// Begins a table; without a wish one that goes nowhere.
///
/// # Errors
/// A schema that the format can't hold, and those of the system.
pub(crate) fn begin(
    wish: Option<(&Wish<'_>, Place)>,
    schema: &SchemaRef,
) -> Result<(Encoder, Sink), Failure> {
    let path = wish.as_ref().map_or(PathBuf::new(), |(wish, _)| wish.path.to_owned());
    caught(|| start(wish, schema)).unwrap_or_else(|panic| Err(unwritten(&path, &panic)))
}

fn start(wish: Option<(&Wish<'_>, Place)>, schema: &SchemaRef) -> Result<(Encoder, Sink), Failure> {
    let Some((wish, file)) = wish else {
        let (schema, path) = (Arc::clone(schema), PathBuf::new());
        let encoder = Encoder { way: Way::Nowhere, schema, path: path.clone() };
        return Ok((encoder, Sink { to: To::Nowhere, path }));
    };
    let path = wish.path;
    let mut file = BufWriter::with_capacity(1 << 20, file);
    let (way, to) = match wish.format {
        Format::Csv | Format::Tsv => {
            let delimiter = if wish.format == Format::Csv { b',' } else { b'\t' };
            if wish.header {
                let header = delimited::header(schema, delimiter);
                let written = header.and_then(|header| file.write_all(&header));
                written.map_err(|error| Failure::io("write", path, &error))?;
            }
            (Way::Delimited { delimiter, null: wish.null.to_owned() }, To::Bytes(file))
        }
        Format::Jsonl => (Way::Json, To::Bytes(file)),
        Format::Parquet => {
            let begun = ArrowWriter::try_new(file, Arc::clone(schema), Some(properties(wish)))
                .and_then(ArrowWriter::into_serialized_writer);
            let (writer, factory) = begun.map_err(|error| of_parquet(path, error))?;
            (Way::Parquet(factory), To::Parquet(writer))
        }
        Format::Arrow => {
            let compression = match wish.compression {
                Some(Compression::Zstd) => Some(CompressionType::ZSTD),
                Some(Compression::Lz4) => Some(CompressionType::LZ4_FRAME),
                _ => None,
            };
            let begun = IpcWriteOptions::default()
                .try_with_compression(compression)
                .and_then(|options| FileWriter::try_new_with_options(file, schema, options));
            (Way::Arrow, To::Arrow(Box::new(begun.map_err(|error| of_arrow(path, error))?)))
        }
    };
    let encoder = Encoder { way, schema: Arc::clone(schema), path: path.to_owned() };
    Ok((encoder, Sink { to, path: path.to_owned() }))
}

/// How Parquet is written. What was encrypted under an IV of its own has no value twice, nothing that
/// could be made shorter, and no order that anybody asks for: dictionaries, Snappy and statistics of it cost
/// time and give nothing.
fn properties(wish: &Wish<'_>) -> WriterProperties {
    let compression = match wish.compression {
        None | Some(Compression::Snappy) => Codec::SNAPPY,
        Some(Compression::None) => Codec::UNCOMPRESSED,
        Some(Compression::Zstd) => Codec::ZSTD(Default::default()),
        Some(Compression::Lz4) => Codec::LZ4_RAW,
        Some(Compression::Gzip) => Codec::GZIP(Default::default()),
    };
    let mut builder = WriterProperties::builder().set_compression(compression);
    for (_, name) in wish.drawn {
        let path = || ColumnPath::new(vec![name.clone()]);
        builder = builder
            .set_column_dictionary_enabled(path(), false)
            .set_column_statistics_enabled(path(), EnabledStatistics::None);
        if wish.raw && wish.compression.is_none() {
            builder = builder.set_column_compression(path(), Codec::UNCOMPRESSED);
        }
    }
    builder.build()
}

impl Encoder {
    /// Codes the chunk of that number.
    ///
    /// # Errors
    /// Values that the format has no form for.
    pub(crate) fn encode(&self, number: usize, batch: RecordBatch) -> Result<Coded, Failure> {
        let coded = caught(|| self.code(number, batch));
        coded.unwrap_or_else(|panic| Err(unwritten(&self.path, &panic)))
    }

    fn code(&self, number: usize, batch: RecordBatch) -> Result<Coded, Failure> {
        let mut like_null = 0;
        let data = match &self.way {
            Way::Nowhere => Data::Nothing,
            _ if batch.num_rows() == 0 => Data::Nothing,
            Way::Delimited { delimiter, null } => {
                let bytes = delimited::rows(&batch, *delimiter, null, &mut like_null);
                Data::Bytes(bytes.map_err(|error| of_arrow(&self.path, error))?)
            }
            Way::Json => {
                Data::Bytes(json::rows(&batch).map_err(|error| of_arrow(&self.path, error))?)
            }
            Way::Parquet(factory) => {
                let columns = self.columns(factory, number, &batch);
                Data::Columns(columns.map_err(|error| of_parquet(&self.path, error))?)
            }
            Way::Arrow => Data::Batch(batch),
        };
        Ok(Coded { data, like_null })
    }

    fn columns(
        &self,
        factory: &ArrowRowGroupWriterFactory,
        number: usize,
        batch: &RecordBatch,
    ) -> Result<Vec<ArrowColumnChunk>, ParquetError> {
        let mut writers = factory.create_column_writers(number)?.into_iter();
        let mut done = Vec::new();
        for (field, array) in self.schema.fields().iter().zip(batch.columns()) {
            for leaf in compute_leaves(field, array)? {
                let more = || ParquetError::General("more leaves than columns".to_owned());
                let mut writer = writers.next().ok_or_else(more)?;
                writer.write(&leaf)?;
                done.push(writer.close()?);
            }
        }
        Ok(done)
    }
}

impl Sink {
    /// Puts a chunk behind the others.
    ///
    /// # Errors
    /// That of the system.
    pub(crate) fn write(&mut self, coded: Coded) -> Result<(), Failure> {
        let done = caught(|| self.put(coded));
        done.unwrap_or_else(|panic| Err(unwritten(&self.path, &panic)))
    }

    fn put(&mut self, coded: Coded) -> Result<(), Failure> {
        let path = &self.path;
        match (&mut self.to, coded.data) {
            (To::Bytes(file), Data::Bytes(bytes)) => {
                file.write_all(&bytes).map_err(|error| Failure::io("write", path, &error))
            }
            (To::Parquet(writer), Data::Columns(columns)) => {
                let append = || {
                    let mut group = writer.next_row_group()?;
                    for column in columns {
                        column.append_to_row_group(&mut group)?;
                    }
                    group.close().map(drop)
                };
                append().map_err(|error| of_parquet(path, error))
            }
            (To::Arrow(writer), Data::Batch(batch)) => {
                writer.write(&batch).map_err(|error| of_arrow(path, error))
            }
            _ => Ok(()),
        }
    }

    /// All is there.
    ///
    /// # Errors
    /// That of the system.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let path = self.path.clone();
        caught(|| self.end()).unwrap_or_else(|panic| Err(unwritten(&path, &panic)))
    }

    fn end(self) -> Result<(), Failure> {
        let path = self.path;
        let io = |error: std::io::Error| Failure::io("write", &path, &error);
        match self.to {
            To::Nowhere => Ok(()),
            To::Bytes(mut file) => file.flush().map_err(io),
            To::Parquet(mut writer) => {
                let done = writer.finish().map(drop);
                let done = done.and_then(|()| Ok(writer.inner_mut().flush()?));
                done.map_err(|error| of_parquet(&path, error))
            }
            To::Arrow(mut writer) => {
                let done = writer.finish().and_then(|()| writer.flush());
                done.map_err(|error| of_arrow(&path, error))
            }
        }
    }
}

fn of_parquet(path: &Path, error: ParquetError) -> Failure {
    match error {
        ParquetError::External(inner) => match inner.downcast::<std::io::Error>() {
            Ok(error) => Failure::io("write", path, &error),
            Err(other) => unwritten(path, &other),
        },
        other => unwritten(path, &other),
    }
}

fn of_arrow(path: &Path, error: ArrowError) -> Failure {
    match error {
        ArrowError::IoError(_, error) => Failure::io("write", path, &error),
        other => unwritten(path, &other),
    }
}

fn unwritten(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    let error = format!("can't write {}: {error}", path.display());
    Failure::new(Exit::Usage, error, "take another format with --format; nothing was written")
}
