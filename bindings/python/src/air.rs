//! COUNT, BEARER and DIRECTION of 3GPP: the IVs that are made of them.

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
    let iv = match operation {
        "eea3" => frame.eea3_iv(),
        "eia3" => frame.eia3_iv(),
        "nea6" => frame.assumed_nea6_iv(),
        "nia6" => frame.assumed_nia6_iv(tag_length).map_err(raise_error)?,
        "nca6" => frame.assumed_nca6_nonce(tag_length).map_err(raise_error)?,
        other => {
            let text = format!(
                "no algorithm of 3GPP is called `{other}`; known: eea3, eia3, nea6, nia6, nca6"
            );
            return Err(UnsupportedAlgorithm::new_err(text));
        }
    };
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
