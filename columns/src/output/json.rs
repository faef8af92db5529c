//! JSON lines: values by the encoders of the crate `arrow-json`, JSON's own text as it stands. Bytes
//! are hexadecimal digits.

use arrow_array::RecordBatch;
use arrow_json::writer::{EncoderOptions, make_encoder};
use arrow_schema::ArrowError;

use crate::cells::reader;
use crate::input::json_schema::VERBATIM;

/// The rows of a chunk, an object a line. NULL is written as such, but where a key was absent of a line
/// that is else as it was.
pub(super) fn rows(batch: &RecordBatch) -> Result<Vec<u8>, ArrowError> {
    enum Show<'a> {
        Verbatim(Box<dyn Fn(usize) -> Option<&'a [u8]> + 'a>),
        Value(arrow_json::writer::NullableEncoder<'a>),
    }
    let options = EncoderOptions::default().with_explicit_nulls(true);
    let schema = batch.schema_ref();
    let mut shows = Vec::with_capacity(batch.num_columns());
    for (field, array) in schema.fields().iter().zip(batch.columns()) {
        let name = serde_json::to_string(field.name())
            .map_err(|error| ArrowError::JsonError(error.to_string()))?;
        let cells = reader(array.as_ref()).filter(|_| field.metadata().contains_key(VERBATIM));
        let show = match cells {
            Some(cells) => Show::Verbatim(cells),
            None => Show::Value(make_encoder(field, array.as_ref(), &options)?),
        };
        shows.push((name, show));
    }
    let mut out = Vec::with_capacity(batch.num_rows() * 64);
    for row in 0..batch.num_rows() {
        let mut before = b'{';
        for (name, show) in &mut shows {
            if let Show::Verbatim(cells) = show
                && cells(row).is_none()
            {
                continue;
            }
            out.push(before);
            before = b',';
            out.extend_from_slice(name.as_bytes());
            out.push(b':');
            match show {
                Show::Verbatim(cells) => out.extend_from_slice(cells(row).unwrap_or_default()),
                Show::Value(encoder) if encoder.is_null(row) => out.extend_from_slice(b"null"),
                Show::Value(encoder) => encoder.encode(row, &mut out),
            }
        }
        out.extend_from_slice(if before == b'{' { b"{}\n" } else { b"}\n" });
    }
    Ok(out)
}
