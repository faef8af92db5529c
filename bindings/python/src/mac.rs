//! MACs: `digest` in the shape of `hashlib`, `finalize` and `verify` in that of `cryptography`.

use std::sync::{Mutex, MutexGuard};

use objects::Kind;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::buffers::{Input, work};
use crate::failures::{InvalidSignature, UnsupportedAlgorithm, finalized, hold, raise};

/// No MAC has a longer tag, in bytes.
const MAX_TAG: usize = 16;

struct State {
    tagger: objects::Mac,
    ended: bool,
}

/// A MAC under one key: `update` takes the message in pieces, `finalize` gives its tag and
/// `verify` compares it; both end the object. `digest` gives the tag of what was read so far.
///
/// A MAC with an IV gives one tag: two under one IV tell who sees them enough to forge others. So
/// `digest` ends it, too, and it has no `copy`.
#[pyclass(frozen, subclass, name = "MAC", module = "cipherlane")]
pub(crate) struct Mac {
    state: Mutex<State>,
    takes_iv: bool,
    /// The name of the algorithm and of the operation.
    #[pyo3(get)]
    name: String,
}

impl Mac {
    /// The state, unless the object has ended.
    fn going_on(&self) -> PyResult<MutexGuard<'_, State>> {
        let state = hold(&self.state)?;
        if state.ended { Err(finalized()) } else { Ok(state) }
    }

    /// The tag of all that was read, which is the last thing this object tells.
    fn end(&self) -> PyResult<([u8; MAX_TAG], usize)> {
        let mut state = self.going_on()?;
        let mut tag = [0; MAX_TAG];
        let length = state.tagger.finish(&mut tag).map_err(|failure| raise(&failure))?;
        state.ended = true;
        Ok((tag, length))
    }

    /// The tag of what was read so far.
    fn so_far(&self) -> PyResult<([u8; MAX_TAG], usize)> {
        let mut state = self.going_on()?;
        let tag = state.tagger.digest().map_err(|failure| raise(&failure))?;
        state.ended = self.takes_iv;
        Ok(tag)
    }
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
        let tagger = objects::Mac::new(algorithm, operation, key.bytes(), iv, tag_length, None);
        let mut tagger = tagger.map_err(|failure| raise(&failure))?;
        if let Some(length) = message_length {
            tagger.announce(length).map_err(|failure| raise(&failure))?;
        }
        let state = Mutex::new(State { tagger, ended: false });
        // No MAC takes an IV and does without.
        Ok(Self { state, takes_iv: !iv.is_empty(), name: format!("{algorithm}/{operation}") })
    }

    /// The length of its tags in bytes.
    #[getter]
    fn digest_size(&self) -> PyResult<usize> {
        Ok(hold(&self.state)?.tagger.tag_len())
    }

    /// Takes more of the message.
    fn update(&self, py: Python<'_>, data: Input<'_, '_>) -> PyResult<()> {
        let mut state = self.going_on()?;
        let (tagger, data) = (&mut state.tagger, data.bytes());
        work(py, data.len(), || tagger.update(data)).map_err(|failure| raise(&failure))
    }

    /// Takes the first `bits` bits of `data`; not all MACs can end inside a byte.
    fn update_bits(&self, data: Input<'_, '_>, bits: u64) -> PyResult<()> {
        let done = self.going_on()?.tagger.update_bits(data.bytes(), bits);
        done.map_err(|failure| raise(&failure))
    }

    /// The tag of what was read so far; the message can go on. A MAC with an IV has ended.
    fn digest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let (tag, length) = self.so_far()?;
        Ok(PyBytes::new(py, &tag[..length]))
    }

    /// The same in hexadecimal.
    fn hexdigest(&self) -> PyResult<String> {
        let (tag, length) = self.so_far()?;
        Ok(tag[..length].iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Ends the message and returns its tag; the object can't be used again.
    fn finalize<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let (tag, length) = self.end()?;
        Ok(PyBytes::new(py, &tag[..length]))
    }

    /// Ends the message and compares its tag in constant time; raises `InvalidSignature` for
    /// another tag, and for one of another length. The object can't be used again.
    fn verify(&self, tag: Input<'_, '_>) -> PyResult<()> {
        let mut state = self.going_on()?;
        state.ended = true;
        let (expected, got) = (state.tagger.tag_len(), tag.bytes().len());
        if got != expected {
            let text = format!("tag of {got} bytes; allowed: {expected} bytes");
            return Err(InvalidSignature::new_err(text));
        }
        state.tagger.compare(tag.bytes()).map_err(|failure| match failure.kind() {
            Kind::Tag => InvalidSignature::new_err(failure.to_string()),
            _ => raise(&failure),
        })
    }

    /// Another one that has read the same; not of a MAC with an IV.
    fn copy(&self) -> PyResult<Self> {
        let state = self.going_on()?;
        if self.takes_iv {
            let text = format!(
                "{} takes an IV, which is for one tag: it can't be copied; make another MAC \
                 with another IV",
                self.name
            );
            return Err(UnsupportedAlgorithm::new_err(text));
        }
        let tagger = state.tagger.fork().map_err(|failure| raise(&failure))?;
        let state = State { tagger, ended: false };
        Ok(Self { state: Mutex::new(state), takes_iv: false, name: self.name.clone() })
    }
}
