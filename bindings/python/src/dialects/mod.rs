//! Values of databases and middleware, by `crates/dialects`: what there is, and codecs.

mod codec;
mod failures;
mod rows;

pub(crate) use codec::DialectCodec;
use dialects::{Dialect, Mode};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// What a mode says of itself.
fn mode<'py>(
    py: Python<'py>,
    dialect: &'static Dialect,
    mode: &'static Mode,
) -> PyResult<Bound<'py, PyDict>> {
    let entry = PyDict::new(py);
    entry.set_item("name", mode.name())?;
    entry.set_item("ciphers", mode.ciphers().collect::<Vec<_>>())?;
    entry.set_item("operation", mode.operation())?;
    entry.set_item("padding", mode.padding())?;
    entry.set_item("iv", mode.iv())?;
    entry.set_item("layout", mode.layout())?;
    entry.set_item("draws", mode.draws())?;
    entry.set_item("flaws", codec::flaws(&dialect.flaws_of(mode)))?;
    Ok(entry)
}

/// Every dialect, a dictionary each.
#[pyfunction]
pub(crate) fn dialect_rows(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for dialect in dialects::all() {
        let entry = PyDict::new(py);
        let modes = dialect.modes().iter().map(|it| mode(py, dialect, it));
        let sources = dialect.sources().iter().map(|it| (it.at.as_str(), it.read.as_str()));
        entry.set_item("name", dialect.name())?;
        entry.set_item("engine", dialect.engine())?;
        entry.set_item("ciphers", dialect.ciphers())?;
        entry.set_item("modes", modes.collect::<PyResult<Vec<_>>>()?)?;
        entry.set_item("key", dialect.key_words())?;
        let forms = dialect.key_forms().iter().map(|it| it.name());
        entry.set_item("key_forms", forms.collect::<Vec<_>>())?;
        let digests = dialect.hashes().iter().map(|it| it.name());
        entry.set_item("digests", digests.collect::<Vec<_>>())?;
        entry.set_item("iv", dialect.iv_words())?;
        entry.set_item("mac", dialect.mac_words())?;
        let codings = dialect.codings().iter().map(|it| it.name());
        entry.set_item("codings", codings.collect::<Vec<_>>())?;
        entry.set_item("text", dialect.text_words())?;
        entry.set_item("null", dialect.null_words())?;
        entry.set_item("status", dialect.status().name())?;
        entry.set_item("status_note", dialect.status_note())?;
        entry.set_item("notes", dialect.notes().collect::<Vec<_>>())?;
        entry.set_item("sources", sources.collect::<Vec<_>>())?;
        entry.set_item("flaws", codec::flaws(&dialect.flaws()))?;
        list.append(entry)?;
    }
    Ok(list)
}

/// The name of the dialect that is called so, whatever its case.
#[pyfunction]
pub(crate) fn dialect_name(py: Python<'_>, name: &str) -> PyResult<&'static str> {
    let found = dialects::find(name).map_err(|error| failures::raise(py, &error, None))?;
    Ok(found.name())
}
