//! CSV and TSV by the crate `csv`; what is no text as Arrow shows it.

use std::io;

use arrow_array::{Array, RecordBatch};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::{ArrowError, Schema};
use csv::{Writer, WriterBuilder};

use crate::cells::{is_bytes, is_text, reader};

fn writer(delimiter: u8) -> Writer<Vec<u8>> {
    WriterBuilder::new().delimiter(delimiter).has_headers(false).from_writer(Vec::new())
}

pub(super) fn header(schema: &Schema, delimiter: u8) -> io::Result<Vec<u8>> {
    let mut writer = writer(delimiter);
    writer.write_record(schema.fields().iter().map(|field| field.name()))?;
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}

/// How a cell of a column becomes text.
enum Show<'a> {
    Text(Box<dyn Fn(usize) -> Option<&'a [u8]> + 'a>),
    /// Bytes, which have no other form here.
    Hex(Box<dyn Fn(usize) -> Option<&'a [u8]> + 'a>),
    Other(&'a dyn Array, ArrayFormatter<'a>),
}

/// The rows of a chunk; `like_null` counts cells that read as NULL although they are none.
pub(super) fn rows(
    batch: &RecordBatch,
    delimiter: u8,
    null: &str,
    like_null: &mut u64,
) -> Result<Vec<u8>, ArrowError> {
    let options = FormatOptions::default();
    let mut shows = Vec::with_capacity(batch.num_columns());
    for array in batch.columns() {
        let array = array.as_ref();
        let kind = array.data_type();
        shows.push(match reader(array).filter(|_| is_bytes(kind)) {
            Some(cells) if is_text(kind) => Show::Text(cells),
            Some(cells) => Show::Hex(cells),
            None => Show::Other(array, ArrayFormatter::try_new(array, &options)?),
        });
    }
    let fault = |error: csv::Error| ArrowError::CsvError(error.to_string());
    let mut writer = writer(delimiter);
    let mut text = String::new();
    for row in 0..batch.num_rows() {
        for show in &shows {
            let cell = match show {
                Show::Text(cells) => cells(row),
                Show::Hex(cells) => cells(row).map(|bytes| {
                    text = hex::encode(bytes);
                    text.as_bytes()
                }),
                Show::Other(array, _) if array.is_null(row) => None,
                Show::Other(_, formatter) => {
                    text.clear();
                    formatter.value(row).write(&mut text)?;
                    Some(text.as_bytes())
                }
            };
            if cell == Some(null.as_bytes()) {
                *like_null += 1;
            }
            writer.write_field(cell.unwrap_or(null.as_bytes())).map_err(fault)?;
        }
        writer.write_record(None::<&[u8]>).map_err(fault)?;
    }
    writer.into_inner().map_err(|error| ArrowError::CsvError(error.to_string()))
}
