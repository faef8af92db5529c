//! Typed reading of the fields of a JSON object, with errors that name the field.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::hex;
use crate::verdict::{Segment, Verdict};

/// The fields of one object; those nobody asks for are ignored.
pub(crate) struct Fields<'a>(pub(crate) &'a Map<String, Value>);

/// A field that is absent, or its value, or what is wrong with it.
type Field<T> = Result<Option<T>, String>;

impl Fields<'_> {
    /// Reads a field with `read`, which says what it wants if it can't.
    fn field<T>(&self, name: &str, read: impl Fn(&Value) -> Result<T, String>) -> Field<T> {
        let value = self.0.get(name);
        value.map(read).transpose().map_err(|what| format!("field `{name}`: {what}"))
    }

    /// Turns absence into an error.
    pub(crate) fn needed<T>(name: &str, field: Field<T>) -> Result<T, String> {
        field?.ok_or_else(|| format!("field `{name}` is missing"))
    }

    pub(crate) fn text(&self, name: &str) -> Field<String> {
        self.field(name, text)
    }

    pub(crate) fn hex(&self, name: &str) -> Field<Vec<u8>> {
        self.field(name, bytes)
    }

    pub(crate) fn number(&self, name: &str) -> Field<u64> {
        self.field(name, number)
    }

    pub(crate) fn flag(&self, name: &str) -> Field<bool> {
        self.field(name, |value| value.as_bool().ok_or_else(|| wanted("true or false", value)))
    }

    pub(crate) fn texts(&self, name: &str) -> Field<Vec<String>> {
        self.field(name, |value| list(value)?.iter().map(text).collect())
    }

    /// A remark that is a text, or `true` or `false`.
    pub(crate) fn remark(&self, name: &str) -> Field<String> {
        self.field(name, |value| match value {
            Value::Bool(yes) => Ok(yes.to_string()),
            _ => text(value),
        })
    }

    pub(crate) fn segments(&self, name: &str) -> Field<Vec<Segment>> {
        self.field(name, |value| list(value)?.iter().map(segment).collect())
    }

    /// An object of hex strings whose names are numbers.
    pub(crate) fn iterated(&self, name: &str) -> Field<BTreeMap<u64, Vec<u8>>> {
        self.field(name, |value| {
            let object = value.as_object().ok_or_else(|| wanted("an object", value))?;
            let entry = |(count, value): (&String, &Value)| {
                let count = count.parse().map_err(|_| format!("`{count}` is no number"))?;
                Ok((count, bytes(value)?))
            };
            object.iter().map(entry).collect()
        })
    }

    pub(crate) fn verdict(&self, name: &str) -> Field<Verdict> {
        self.field(name, |value| match text(value)?.as_str() {
            "valid" => Ok(Verdict::Valid),
            "acceptable" => Ok(Verdict::Acceptable),
            "invalid" => Ok(Verdict::Invalid),
            other => Err(format!("`{other}`; allowed: valid, acceptable, invalid")),
        })
    }
}

fn wanted(what: &str, value: &Value) -> String {
    let got = match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    format!("is {got}; allowed: {what}")
}

fn text(value: &Value) -> Result<String, String> {
    value.as_str().map(String::from).ok_or_else(|| wanted("a text", value))
}

fn bytes(value: &Value) -> Result<Vec<u8>, String> {
    hex::decode(value.as_str().ok_or_else(|| wanted("a text of hex digits", value))?)
}

fn number(value: &Value) -> Result<u64, String> {
    value.as_u64().ok_or_else(|| wanted("a whole number from 0", value))
}

pub(crate) fn list(value: &Value) -> Result<&Vec<Value>, String> {
    value.as_array().ok_or_else(|| wanted("a list", value))
}

pub(crate) fn object(value: &Value) -> Result<Fields<'_>, String> {
    value.as_object().map(Fields).ok_or_else(|| wanted("an object", value))
}

fn segment(value: &Value) -> Result<Segment, String> {
    let fields = object(value)?;
    Ok(Segment {
        offset: Fields::needed("offset", fields.number("offset"))?,
        bytes: Fields::needed("bytes", fields.hex("bytes"))?,
    })
}
