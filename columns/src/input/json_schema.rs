//! The columns of JSON lines: what each key holds in all lines, read once before.

use std::collections::HashMap;
use std::fmt;

use arrow_schema::{DataType, Field, Schema};
use serde::de::{Deserializer as _, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The mark of a column that holds JSON's own text: it is written as it stands.
pub(crate) const VERBATIM: &str = "cipherlane.json";

/// What a value is, by its first character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Null,
    Text,
    Whole,
    Number,
    Bool,
    Nested,
}

impl Kind {
    pub(super) fn of(text: &str) -> Self {
        match text.as_bytes().first() {
            Some(b'n') | None => Self::Null,
            Some(b'"') => Self::Text,
            Some(b't' | b'f') => Self::Bool,
            Some(b'{' | b'[') => Self::Nested,
            Some(_) if text.parse::<i64>().is_ok() => Self::Whole,
            Some(_) if fits_double(text) => Self::Number,
            Some(_) => Self::Nested,
        }
    }

    /// What a chosen cell is instead of a text.
    pub(super) const fn instead(self) -> &'static str {
        match self {
            Self::Null | Self::Text => "a text",
            Self::Whole | Self::Number => "the cell is a number, no text",
            Self::Bool => "the cell is true or false, no text",
            Self::Nested => "the cell is an object, a list or a long number, no text",
        }
    }
}

/// Whether a number is no whole one, and short enough for 64 bits of floating point to give it back.
fn fits_double(text: &str) -> bool {
    let whole = !text.contains(['.', 'e', 'E']);
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    let digits = mantissa.bytes().filter(u8::is_ascii_digit).count();
    !whole && digits <= 17 && text.parse::<f64>().is_ok_and(f64::is_finite)
}

/// The kinds that a column was seen to hold.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    text: bool,
    whole: bool,
    number: bool,
    bool: bool,
    nested: bool,
}

/// The columns in the order in which their keys were met.
#[derive(Default)]
pub(super) struct Columns {
    names: Vec<String>,
    seen: Vec<Seen>,
    places: HashMap<String, usize>,
}

/// Calls `each` with every key and value of a line.
///
/// # Errors
/// What is no object, and a key that is there twice.
pub(super) fn object<'l>(
    line: &'l [u8],
    each: impl FnMut(&str, &'l RawValue) -> Result<(), &'static str>,
) -> Result<(), serde_json::Error> {
    struct Object<F>(F);
    impl<'l, F: FnMut(&str, &'l RawValue) -> Result<(), &'static str>> Visitor<'l> for Object<F> {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'l>>(mut self, mut map: A) -> Result<(), A::Error> {
            while let Some(key) = map.next_key::<String>()? {
                let value = map.next_value::<&'l RawValue>()?;
                (self.0)(&key, value)
                    .map_err(|what| A::Error::custom(format!("key `{key}` {what}")))?;
            }
            Ok(())
        }
    }
    let mut reader = serde_json::Deserializer::from_slice(line);
    reader.deserialize_map(Object(each))?;
    reader.end()
}

impl Columns {
    /// Takes a line in.
    ///
    /// # Errors
    /// What is no object.
    pub(super) fn see(&mut self, line: &[u8]) -> Result<(), serde_json::Error> {
        object(line, |key, value| {
            let place = match self.places.get(key) {
                Some(place) => *place,
                None => {
                    self.places.insert(key.to_owned(), self.names.len());
                    self.names.push(key.to_owned());
                    self.seen.push(Seen::default());
                    self.names.len() - 1
                }
            };
            let seen = &mut self.seen[place];
            match Kind::of(value.get()) {
                Kind::Null => {}
                Kind::Text => seen.text = true,
                Kind::Whole => seen.whole = true,
                Kind::Number => seen.number = true,
                Kind::Bool => seen.bool = true,
                Kind::Nested => seen.nested = true,
            }
            Ok(())
        })
    }

    /// Where a key's column is.
    pub(super) fn place(&self, key: &str) -> Option<usize> {
        self.places.get(key).copied()
    }

    /// The schema: chosen columns are text; of the others a kind alone has its type, and what is
    /// mixed or nested stays JSON's own text. With `verbatim` all of them do.
    pub(super) fn schema(&self, chosen: &[String], verbatim: bool) -> Schema {
        let field = |(name, seen): (&String, &Seen)| {
            if chosen.contains(name) {
                return Field::new(name, DataType::Utf8, true);
            }
            let kind = match (seen.text, seen.whole, seen.number, seen.bool, seen.nested) {
                _ if verbatim => None,
                (_, false, false, false, false) => Some(DataType::Utf8),
                (false, true, false, false, false) => Some(DataType::Int64),
                (false, _, true, false, false) => Some(DataType::Float64),
                (false, false, false, true, false) => Some(DataType::Boolean),
                _ => None,
            };
            match kind {
                Some(kind) => Field::new(name, kind, true),
                None => {
                    let mark = HashMap::from([(VERBATIM.to_owned(), "text".to_owned())]);
                    Field::new(name, DataType::Utf8, true).with_metadata(mark)
                }
            }
        };
        Schema::new(self.names.iter().zip(&self.seen).map(field).collect::<Vec<_>>())
    }
}
