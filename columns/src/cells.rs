//! Cells of a column as bytes, whatever the array that holds them, and columns made of bytes.

use arrow_array::cast::AsArray as _;
use arrow_array::types::{
    Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, BinaryArray, StringArray};
use arrow_buffer::{Buffer, NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use arrow_schema::DataType;

/// Whether cells of a type can be read as bytes; of text, the bytes of its UTF-8.
pub(crate) fn is_bytes(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, value) => is_bytes(value) && !value.is_nested(),
        other => is_text(other) || is_binary(other) || *other == DataType::Null,
    }
}

/// Whether a type is text.
pub(crate) fn is_text(kind: &DataType) -> bool {
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, value) => is_text(value),
        _ => false,
    }
}

const fn is_binary(kind: &DataType) -> bool {
    matches!(
        kind,
        DataType::Binary
            | DataType::LargeBinary
            | DataType::BinaryView
            | DataType::FixedSizeBinary(_)
    )
}

/// The cell of a row, or none where it is NULL.
type Get<'a> = Box<dyn Fn(usize) -> Option<&'a [u8]> + 'a>;

/// How the cells of an array are read; none if it holds no bytes.
pub(crate) fn reader<'a>(array: &'a dyn Array) -> Option<Get<'a>> {
    macro_rules! of {
        ($array:expr, $row:ident, $value:expr) => {{
            let array = $array;
            let nulls = array.nulls();
            Some(Box::new(move |$row: usize| {
                let null = nulls.is_some_and(|it| it.is_null($row));
                if null { None } else { Some($value(array, $row)) }
            }))
        }};
    }
    macro_rules! keys {
        ($key:ty) => {{
            let dictionary = array.as_dictionary::<$key>();
            let values = reader(dictionary.values().as_ref())?;
            let keys = dictionary.keys();
            Some(Box::new(move |row: usize| {
                if keys.is_null(row) {
                    return None;
                }
                values(usize::try_from(keys.value(row)).ok()?)
            }))
        }};
    }
    match array.data_type() {
        DataType::Utf8 => {
            of!(array.as_string::<i32>(), row, |it: &'a StringArray, row| it.value(row).as_bytes())
        }
        DataType::LargeUtf8 => {
            of!(array.as_string::<i64>(), row, |it: &'a arrow_array::LargeStringArray, row| it
                .value(row)
                .as_bytes())
        }
        DataType::Utf8View => {
            of!(array.as_string_view(), row, |it: &'a arrow_array::StringViewArray, row| it
                .value(row)
                .as_bytes())
        }
        DataType::Binary => {
            of!(array.as_binary::<i32>(), row, |it: &'a BinaryArray, row| it.value(row))
        }
        DataType::LargeBinary => {
            of!(array.as_binary::<i64>(), row, |it: &'a arrow_array::LargeBinaryArray, row| it
                .value(row))
        }
        DataType::BinaryView => {
            of!(array.as_binary_view(), row, |it: &'a arrow_array::BinaryViewArray, row| it
                .value(row))
        }
        DataType::FixedSizeBinary(_) => {
            of!(
                array.as_fixed_size_binary(),
                row,
                |it: &'a arrow_array::FixedSizeBinaryArray, row| it.value(row)
            )
        }
        DataType::Null => Some(Box::new(|_| None)),
        DataType::Dictionary(key, _) => match key.as_ref() {
            DataType::Int8 => keys!(Int8Type),
            DataType::Int16 => keys!(Int16Type),
            DataType::Int32 => keys!(Int32Type),
            DataType::Int64 => keys!(Int64Type),
            DataType::UInt8 => keys!(UInt8Type),
            DataType::UInt16 => keys!(UInt16Type),
            DataType::UInt32 => keys!(UInt32Type),
            DataType::UInt64 => keys!(UInt64Type),
            _ => None,
        },
        _ => None,
    }
}

/// A column that grows: bytes are appended, and then made cells in the same order.
pub(crate) struct Column {
    bytes: Vec<u8>,
    ends: Vec<i32>,
    nulls: NullBufferBuilder,
    text: bool,
}

impl Column {
    /// Room for so many rows and bytes: what holds plaintexts should not have to grow, since a vector
    /// that grows leaves a copy behind.
    pub(crate) fn new(rows: usize, bytes: usize, text: bool) -> Self {
        let mut ends = Vec::with_capacity(rows + 1);
        ends.push(0);
        Self { bytes: Vec::with_capacity(bytes), ends, nulls: NullBufferBuilder::new(rows), text }
    }

    /// Appends bytes that are to be a cell, if there is room for them.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> bool {
        if i32::try_from(self.bytes.len() + bytes.len()).is_err() {
            return false;
        }
        self.bytes.extend_from_slice(bytes);
        true
    }

    /// Appends a cell, if there is room for it.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> bool {
        let room = self.append(bytes);
        if room {
            self.cell(bytes.len());
        }
        room
    }

    /// The next so many bytes are a cell: no more than were appended, and so within 31 bits.
    pub(crate) fn cell(&mut self, len: usize) {
        self.ends.push(self.ends[self.ends.len() - 1] + len as i32);
        self.nulls.append_non_null();
    }

    /// The cell is NULL.
    pub(crate) fn null(&mut self) {
        self.ends.push(self.ends[self.ends.len() - 1]);
        self.nulls.append_null();
    }

    /// The array.
    ///
    /// # Errors
    /// Text that is no UTF-8, which whoever appends has looked for.
    pub(crate) fn array(mut self) -> Result<ArrayRef, arrow_schema::ArrowError> {
        let offsets = OffsetBuffer::new(ScalarBuffer::from(self.ends));
        let nulls = self.nulls.finish();
        let bytes = Buffer::from_vec(self.bytes);
        Ok(if self.text {
            std::sync::Arc::new(StringArray::try_new(offsets, bytes, nulls)?)
        } else {
            std::sync::Arc::new(BinaryArray::try_new(offsets, bytes, nulls)?)
        })
    }
}
