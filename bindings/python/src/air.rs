//! COUNT, BEARER and DIRECTION of 3GPP: the IVs that are made of them.

use cipherlane::registry;
use cipherlane::zuc::{Eea3, Frame};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::buffers::{Input, work};
use crate::failures::{UnsupportedAlgorithm, raise_error};

fn frame(count: u32, bearer: u8, direction: u8) -> PyResult<Frame> {
    Frame::from_numbers(count, bearer, direction).map_err(raise_error)
}

/// The IV of an algorithm, by its name in the registry; the tag's length in bytes where that is
/// part of it.
#[pyfunction]
#[pyo3(signature = (operation, count, bearer, direction, tag_length = 16))]
pub(crate) fn air_iv<'py>(
    py: Python<'py>,
    operation: &str,
    count: u32,
    bearer: u8,
    direction: u8,
    tag_length: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let frame = frame(count, bearer, direction)?;
    let all = || {
        let all = registry::ALGORITHMS.iter().flat_map(registry::operations);
        all.filter(|it| it.air_iv(frame).is_some())
    };
    let Some(found) = all().find(|it| it.name == operation || it.mode() == operation) else {
        let mut known: Vec<&str> = all().map(|it| it.mode()).collect();
        known.dedup();
        let known = known.join(", ");
        let text = format!("no algorithm of 3GPP is called `{operation}`; known: {known}");
        return Err(UnsupportedAlgorithm::new_err(text));
    };
    let told = found.tag.min < found.tag.max;
    let found = if told { found.with_tag_len(tag_length).map_err(raise_error)? } else { found };
    let Some(iv) = found.air_iv(frame) else {
        return Err(UnsupportedAlgorithm::new_err(operation.to_owned()));
    };
    let iv = iv.map_err(raise_error)?;
    Ok(PyBytes::new(py, &iv))
}

/// 128-EEA3 on a packet of so many bits.
#[pyfunction]
pub(crate) fn eea3_bits<'py>(
    py: Python<'py>,
    key: Input<'_, '_>,
    count: u32,
    bearer: u8,
    direction: u8,
    data: Input<'_, '_>,
    bits: u64,
) -> PyResult<Bound<'py, PyBytes>> {
    let level = cipherlane::Level::detect().map_err(|error| raise_error(error.into()))?;
    let eea3 = Eea3::with_level(key.bytes(), frame(count, bearer, direction)?, level);
    let eea3 = eea3.map_err(raise_error)?;
    let data = data.bytes();
    PyBytes::new_with(py, data.len(), |output| {
        let io = crate::aead::disjoint(data, output)?;
        work(py, data.len(), || eea3.apply(io, bits)).map_err(raise_error)
    })
}
