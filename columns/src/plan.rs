//! What is done with which columns, and the schema that comes of it: all that can be wrong with a
//! command is found here, before a row is read.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema, SchemaRef};
use dialects::{Codec, Coding};
use parquet::arrow::PARQUET_FIELD_ID_META_KEY as FIELD_ID;

use crate::args::{OnBad, Plain};
use crate::cells::{is_bytes, is_text};
use crate::failure::Failure;
use crate::format::Format;
use crate::input::Table;
use crate::input::json_schema::VERBATIM;
use crate::names::names;
use crate::times;

/// What is done with a cell.
pub(crate) enum Step {
    Encrypt(Codec),
    Decrypt(Codec),
    Convert(Codec, Codec),
}

impl Step {
    /// The codec that reads, and the one that writes.
    const fn codecs(&self) -> (Option<&Codec>, Option<&Codec>) {
        match self {
            Self::Encrypt(to) => (None, Some(to)),
            Self::Decrypt(from) => (Some(from), None),
            Self::Convert(from, to) => (Some(from), Some(to)),
        }
    }
}

/// A command against the schema of a table.
pub(crate) struct Plan {
    pub(crate) step: Step,
    /// The places of the columns, and their names.
    pub(crate) columns: Vec<(usize, String)>,
    /// Whether what comes out of each column is text.
    pub(crate) text: bool,
    /// Whether no value that is written is like another, since each has an IV of its own.
    pub(crate) drawn: bool,
    pub(crate) plain: Plain,
    pub(crate) on_bad: OnBad,
    /// Columns that are written as another type of the same values: dictionaries without their numbers,
    /// times in a unit that the format has.
    pub(crate) recast: Vec<usize>,
    /// What is written.
    pub(crate) schema: SchemaRef,
}

/// The two formats of a command; none where nothing is written.
#[derive(Clone, Copy)]
pub(crate) struct Formats {
    pub(crate) from: Format,
    pub(crate) to: Option<Format>,
}

/// The places of columns by the words of `--column`.
///
/// # Errors
/// A name that no column has or two have, one that was given twice, and columns of other types than
/// text and bytes.
pub(crate) fn find(words: &[String], schema: &Schema) -> Result<Vec<(usize, String)>, Failure> {
    let names = names(words, |name| schema.fields().iter().any(|field| field.name() == name));
    let mut found: Vec<(usize, String)> = Vec::with_capacity(names.len());
    for name in &names {
        let mut places =
            schema.fields().iter().enumerate().filter(|(_, field)| field.name() == name);
        let Some((place, field)) = places.next() else {
            let there: Vec<&str> =
                schema.fields().iter().map(|field| field.name().as_str()).collect();
            let help = format!("there are: {}", there.join(", "));
            return Err(Failure::usage(format!("no column is called `{name}`"), help));
        };
        if places.next().is_some() || found.iter().any(|(other, _)| *other == place) {
            let error = format!("column `{name}` is there twice");
            return Err(Failure::usage(
                error,
                "give each column a name of its own, and name it once",
            ));
        }
        if !is_bytes(field.data_type()) {
            let error = format!("column `{name}` is {}; allowed: text or bytes", field.data_type());
            return Err(Failure::usage(error, "make it text first, in the engine that wrote it"));
        }
        found.push((place, name.clone()));
    }
    Ok(found)
}

/// Refuses names that an object of JSON would hold twice, of which its readers keep one.
///
/// # Errors
/// The first of them.
fn once(schema: &Schema) -> Result<(), Failure> {
    let mut known = HashSet::new();
    match schema.fields().iter().find(|field| !known.insert(field.name())) {
        None => Ok(()),
        Some(field) => {
            let error = format!("column `{}` is there twice, which JSON can't hold", field.name());
            Err(Failure::usage(
                error,
                "give each column a name of its own, or take another --format",
            ))
        }
    }
}

impl Plan {
    /// Makes it.
    ///
    /// # Errors
    /// Columns that are not there, codings that a format has no place for, and types that the output
    /// can't hold.
    pub(crate) fn new(
        step: Step,
        words: &[String],
        table: &Table,
        formats: Formats,
        plain: Plain,
        on_bad: OnBad,
    ) -> Result<Self, Failure> {
        let schema = &table.schema;
        let columns = find(words, schema)?;
        let (reads, writes) = step.codecs();
        if reads.is_some_and(|codec| codec.coding() == Coding::Raw) {
            let text = columns.iter().find(|(place, _)| is_text(schema.field(*place).data_type()));
            if let Some((_, name)) = text {
                let prefix = if writes.is_some() { "from-" } else { "" };
                let error = format!("column `{name}` is text, and --{prefix}coding is raw");
                return Err(Failure::usage(error, "allowed of text: base64, hex or hex-upper"));
            }
        }
        let raw = writes.is_some_and(|codec| codec.coding() == Coding::Raw);
        if let Some(to) = formats.to.filter(|to| raw && to.text_only()) {
            let prefix = if reads.is_some() { "to-" } else { "" };
            let error = format!("--{prefix}coding is raw, and {} has text alone", to.name());
            return Err(Failure::usage(error, "allowed in it: base64, hex or hex-upper"));
        }
        let text = if writes.is_some() { !raw } else { plain == Plain::Text };
        if formats.to == Some(Format::Jsonl) {
            once(schema)?;
        }
        let mut recast = Vec::new();
        let mut fields = Vec::with_capacity(schema.fields().len());
        for (place, field) in schema.fields().iter().enumerate() {
            let mut field = field.as_ref().clone();
            if formats.from != Format::Jsonl {
                field.metadata_mut().remove(VERBATIM);
            }
            if columns.iter().any(|(column, _)| *column == place) {
                let kind = if text { DataType::Utf8 } else { DataType::Binary };
                // Notes on the old type, such as that of an extension, are not true of the new one; the number
                // by which tables of Iceberg know a column is.
                let number =
                    field.metadata().get(FIELD_ID).map(|it| (FIELD_ID.to_owned(), it.clone()));
                let field = Field::new(field.name(), kind, true);
                fields.push(field.with_metadata(number.into_iter().collect::<HashMap<_, _>>()));
                continue;
            }
            match (formats.to, field.data_type().clone()) {
                // A file of Arrow's takes one dictionary a column, and chunks have each their own.
                (Some(Format::Arrow), DataType::Dictionary(_, value)) => {
                    recast.push(place);
                    field = field.with_data_type(*value);
                }
                (Some(Format::Parquet), kind) => {
                    if let Some(kind) = times::in_parquet(field.name(), &kind)? {
                        recast.push(place);
                        field = field.with_data_type(kind);
                    }
                }
                (Some(Format::Csv | Format::Tsv), kind) if kind.is_nested() => {
                    let error =
                        format!("column `{}` is {kind}, which CSV can't hold", field.name());
                    return Err(Failure::usage(error, "take --format jsonl, parquet or arrow"));
                }
                _ => {}
            }
            fields.push(field);
        }
        let schema = Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()));
        let drawn = writes.is_some_and(|codec| codec.mode().draws());
        Ok(Self { step, columns, text, drawn, plain, on_bad, recast, schema })
    }
}
