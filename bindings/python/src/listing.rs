//! What there is: `registry`, `levels`.

use cipherlane::{Level, Sizes};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::failures::raise;

type Lengths = (usize, Option<usize>, usize);

/// The least, the most and the step; no most where there is none.
fn lengths(sizes: Sizes) -> Lengths {
    let most = (sizes.max < isize::MAX as usize).then_some(sizes.max);
    (sizes.min, most, sizes.step)
}

/// Every length that a tag may have; none where there is no tag.
fn tag_lengths(sizes: Sizes) -> Vec<usize> {
    sizes.lengths().filter(|&length| length > 0).collect()
}

/// Every operation of every algorithm, a dictionary each.
#[pyfunction]
pub(crate) fn registry(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for operation in objects::listing() {
        let algorithm = operation.algorithm;
        let entry = PyDict::new(py);
        entry.set_item("algorithm", algorithm.name)?;
        entry.set_item("title", algorithm.title)?;
        entry.set_item("standard", algorithm.standard)?;
        entry.set_item("timing", algorithm.timing.name())?;
        entry.set_item("warning", algorithm.warning)?;
        entry.set_item("block", algorithm.block().unwrap_or(0))?;
        entry.set_item("operation", operation.name)?;
        entry.set_item("kind", operation.kind.name())?;
        entry.set_item("oid", operation.oid())?;
        entry.set_item("key", lengths(operation.key))?;
        entry.set_item("iv", lengths(operation.iv))?;
        entry.set_item("usual_iv", operation.usual_iv)?;
        entry.set_item("data", lengths(operation.data))?;
        entry.set_item("tag", lengths(operation.tag))?;
        entry.set_item("tag_lengths", tag_lengths(operation.tag))?;
        entry.set_item("in_pieces", operation.in_pieces())?;
        list.append(entry)?;
    }
    Ok(list)
}

/// The instruction-set levels of this CPU, slowest first.
#[pyfunction]
pub(crate) fn levels() -> Vec<&'static str> {
    Level::available().map(Level::name).collect()
}

/// The level that objects run at: the best, or what `CIPHERLANE_LEVEL` allows.
#[pyfunction]
pub(crate) fn level() -> PyResult<&'static str> {
    Ok(Level::detect().map_err(|error| raise(&error.into()))?.name())
}
