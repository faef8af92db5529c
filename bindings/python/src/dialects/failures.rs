//! The exceptions that tell errors of dialects: classes of `cipherlane.exceptions`, which have
//! several bases and so are made there.

use dialects::Error;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What the exception of an error says besides its text.
struct Told<'e> {
    class: &'static str,
    field: &'e str,
    value: Option<String>,
    allowed: &'e str,
}

impl<'e> Told<'e> {
    const fn new(
        class: &'static str,
        field: &'e str,
        value: Option<String>,
        allowed: &'e str,
    ) -> Self {
        Self { class, field, value, allowed }
    }
}

/// An exception for an error of a setting or, with its row, of a value.
pub(super) fn raise(py: Python<'_>, error: &Error, row: Option<usize>) -> PyErr {
    let told = told(error);
    let text = text(error);
    exception(py, told.class, &text, row, &|more| {
        more.set_item("field", told.field)?;
        more.set_item("value", told.value.as_deref())?;
        more.set_item("allowed", told.allowed)?;
        more.set_item("remedy", error.remedy())
    })
}

/// One for a value that is right but is no text.
pub(super) fn raise_no_text(py: Python<'_>, at: usize, row: Option<usize>) -> PyErr {
    exception(py, "InvalidValue", &no_text(at), row, &|more| {
        more.set_item("field", "plaintext")?;
        more.set_item("value", format!("a byte that is no UTF-8 at place {at}"))?;
        more.set_item("allowed", "UTF-8")?;
        more.set_item("remedy", NO_TEXT)
    })
}

const NO_TEXT: &str = "another key, mode or IV, or take bytes: prepare with text=False";

pub(super) fn no_text(at: usize) -> String {
    format!("plaintext has a byte that is no UTF-8 at place {at}; allowed: UTF-8; {NO_TEXT}")
}

/// An error in a line, with its remedy.
pub(super) fn text(error: &Error) -> String {
    format!("{error}; {}", error.remedy())
}

/// A short name of what is wrong with a value.
pub(super) const fn kind(error: &Error) -> &'static str {
    match error {
        Error::Authentication { .. } => "tag",
        Error::Padding { .. } => "padding",
        Error::Coding { .. } => "coding",
        Error::ZeroByte { .. } => "zero byte",
        _ => "length",
    }
}

fn exception(
    py: Python<'_>,
    class: &str,
    text: &str,
    row: Option<usize>,
    more: &dyn Fn(&Bound<'_, PyDict>) -> PyResult<()>,
) -> PyErr {
    let made = || {
        let named = PyDict::new(py);
        more(&named)?;
        named.set_item("row", row)?;
        let text = row.map_or_else(|| text.to_owned(), |row| format!("row {row}: {text}"));
        let class = py.import("cipherlane.exceptions")?.getattr(class)?;
        class.call((text,), Some(&named))
    };
    made().map_or_else(|error| error, PyErr::from_value)
}

fn told(error: &Error) -> Told<'_> {
    let bytes = |got: &usize| Some(format!("{got} bytes"));
    match error {
        Error::Unknown { name, near } => {
            Told::new("UnknownDialect", "dialect", Some(name.clone()), near)
        }
        Error::Mode { name, allowed, .. } => {
            Told::new("UnknownMode", "mode", Some(name.clone()), allowed)
        }
        Error::Length { field, got, allowed, .. } => {
            Told::new("InvalidSetting", field, bytes(got), allowed)
        }
        Error::Setting { field, got, allowed, .. } => {
            Told::new("InvalidSetting", field, Some(got.clone()), allowed)
        }
        Error::Coding { field, coding, what } => {
            let of_value = *field == "stored value";
            let class = if of_value { "InvalidValue" } else { "InvalidSetting" };
            Told::new(class, field, Some(what.clone()), coding)
        }
        Error::Stored { got, allowed, .. } => {
            Told::new("InvalidValue", "stored value", bytes(got), allowed)
        }
        Error::Plaintext { got, .. } => {
            Told::new("InvalidValue", "plaintext", bytes(got), "whole blocks")
        }
        Error::ZeroByte { at, .. } => Told::new(
            "InvalidValue",
            "plaintext",
            Some(format!("byte 0 at place {at}")),
            "1 to 255",
        ),
        Error::Authentication { .. } => {
            Told::new("InvalidValueTag", "stored value", None, "a value with a right tag or MAC")
        }
        Error::Padding { .. } => {
            Told::new("InvalidPadding", "stored value", None, "a value with a right padding")
        }
        _ => Told::new("DialectError", "", None, ""),
    }
}
