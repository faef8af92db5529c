//! MACs in the shape of `hashlib`.

use std::sync::Mutex;

use objects::{Kind, Tagger};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::buffers::{Input, work};
use crate::failures::{InvalidSignature, hold, raise};

/// A MAC under one key: `update` takes the message in pieces, `digest` gives the tag of what
/// was read so far.
#[pyclass(frozen, subclass, name = "MAC", module = "cipherlane")]
pub(crate) struct Mac {
    tagger: Mutex<Tagger>,
    /// The name of the algorithm and of the operation.
    #[pyo3(get)]
    name: String,
}

#[pymethods]
impl Mac {
    #[new]
    #[pyo3(signature = (algorithm, operation, key, iv = None, *, tag_length = None, message_length = None))]
    fn new(
        algorithm: &str,
        operation: &str,
        key: Input<'_, '_>,
        iv: Option<Input<'_, '_>>,
        tag_length: Option<usize>,
        message_length: Option<u64>,
    ) -> PyResult<Self> {
        let iv = iv.as_ref().map_or(&[][..], Input::bytes);
        let tagger = Tagger::new(algorithm, operation, key.bytes(), iv, tag_length, None);
        let mut tagger = tagger.map_err(|failure| raise(&failure))?;
        if let Some(length) = message_length {
            tagger.announce(length).map_err(|failure| raise(&failure))?;
        }
        Ok(Self { tagger: Mutex::new(tagger), name: format!("{algorithm}/{operation}") })
    }

    /// The length of its tags in bytes.
    #[getter]
    fn digest_size(&self) -> PyResult<usize> {
        Ok(hold(&self.tagger)?.tag_len())
    }

    /// Takes more of the message.
    fn update(&self, py: Python<'_>, data: Input<'_, '_>) -> PyResult<()> {
        let mut tagger = hold(&self.tagger)?;
        let (tagger, data) = (&mut *tagger, data.bytes());
        work(py, data.len(), || tagger.update(data)).map_err(|failure| raise(&failure))
    }

    /// Takes the first `bits` bits of `data`; not all MACs can end inside a byte.
    fn update_bits(&self, data: Input<'_, '_>, bits: u64) -> PyResult<()> {
        let done = hold(&self.tagger)?.update_bits(data.bytes(), bits);
        done.map_err(|failure| raise(&failure))
    }

    /// The tag of what was read so far.
    fn digest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let (tag, length) = hold(&self.tagger)?.digest().map_err(|failure| raise(&failure))?;
        Ok(PyBytes::new(py, &tag[..length]))
    }

    /// The same in hexadecimal.
    fn hexdigest(&self) -> PyResult<String> {
        let (tag, length) = hold(&self.tagger)?.digest().map_err(|failure| raise(&failure))?;
        Ok(tag[..length].iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Compares the tag of what was read so far in constant time; raises `InvalidSignature`.
    fn verify(&self, tag: Input<'_, '_>) -> PyResult<()> {
        hold(&self.tagger)?.verify(tag.bytes()).map_err(|failure| match failure.kind() {
            Kind::Tag => InvalidSignature::new_err(failure.to_string()),
            _ => raise(&failure),
        })
    }

    /// Another one that has read the same.
    fn copy(&self) -> PyResult<Self> {
        let tagger = hold(&self.tagger)?.fork();
        Ok(Self { tagger: Mutex::new(tagger), name: self.name.clone() })
    }
}
