//! AEADs on messages in pieces: `AeadContext`.

use std::sync::{Mutex, MutexGuard};

use cipherlane::InOut;
use cipherlane::modes::Direction;
use objects::{AeadStream, Failure};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::aead::disjoint;
use crate::buffers::{Input, Output, Pair, work};
use crate::failures::{AlreadyUpdated, NotYetFinalized, finalized, hold, raise};

/// The tag lengths that a context accepts, in bytes; the last is that of tags that it makes.
struct Tags(Vec<usize>);

impl Tags {
    /// From `least` to `most`, as far as the mode has such tags.
    fn new(sealing: &mut AeadStream, least: usize, most: usize) -> PyResult<Self> {
        let mut lengths = Vec::new();
        for length in least..most {
            if sealing.set_tag_len(length).is_ok() {
                lengths.push(length);
            }
        }
        sealing.set_tag_len(most).map_err(|failure| raise(&failure))?;
        lengths.push(most);
        Ok(Self(lengths))
    }

    fn check(&self, got: usize) -> PyResult<()> {
        if self.0.contains(&got) {
            return Ok(());
        }
        let allowed: Vec<String> = self.0.iter().map(usize::to_string).collect();
        let allowed = allowed.join(", ");
        Err(PyValueError::new_err(format!("tag of {got} bytes; allowed: {allowed} bytes")))
    }
}

/// Checks a tag whose length was found to be allowed.
fn verify(sealing: &mut AeadStream, tag: &[u8]) -> Result<(), Failure> {
    if tag.len() != sealing.tag_len() {
        sealing.set_tag_len(tag.len())?;
    }
    sealing.verify(tag)
}

struct State {
    sealing: AeadStream,
    direction: Direction,
    /// The tag, expected or made.
    tag: Option<Vec<u8>>,
    tags: Tags,
    begun: bool,
    done: bool,
}

/// One message of an AEAD in pieces; made by `Cipher.encryptor` and `decryptor`.
///
/// Decryption returns plaintext before the tag is checked: nothing of it may be used before
/// `finalize` or `finalize_with_tag` has returned.
#[pyclass(frozen, name = "AEADContext", module = "cipherlane")]
pub(crate) struct AeadContext(Mutex<State>);

impl AeadContext {
    fn going_on(&self) -> PyResult<MutexGuard<'_, State>> {
        let state = hold(&self.0)?;
        if state.done { Err(finalized()) } else { Ok(state) }
    }

    fn update_pair(&self, py: Python<'_>, io: InOut<'_>) -> PyResult<()> {
        let mut state = self.going_on()?;
        state.begun = true;
        let sealing = &mut state.sealing;
        work(py, io.len(), || sealing.update(io)).map_err(|failure| raise(&failure))
    }
}

#[pymethods]
impl AeadContext {
    #[new]
    #[pyo3(signature = (
        algorithm, mode, key, nonce, encrypt, tag = None, tag_length = 16, lengths = None,
        min_tag_length = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "arguments of Python")]
    fn new(
        algorithm: &str,
        mode: &str,
        key: Input<'_, '_>,
        nonce: Input<'_, '_>,
        encrypt: bool,
        tag: Option<Input<'_, '_>>,
        tag_length: usize,
        lengths: Option<(u64, u64)>,
        min_tag_length: Option<usize>,
    ) -> PyResult<Self> {
        let direction = if encrypt { Direction::Encrypt } else { Direction::Decrypt };
        if encrypt && tag.is_some() {
            return Err(PyValueError::new_err("a tag is given; allowed: none for encryption"));
        }
        let tag = tag.map(|tag| tag.bytes().to_vec());
        let sealing = AeadStream::new(algorithm, mode, key.bytes(), direction, nonce.bytes(), None);
        let mut sealing = sealing.map_err(|failure| raise(&failure))?;
        let least = min_tag_length.unwrap_or(tag_length);
        let tags = Tags::new(&mut sealing, least, tag_length)?;
        if let Some(tag) = &tag {
            tags.check(tag.len())?;
        }
        if let Some((aad, message)) = lengths {
            let announced = sealing.announce(aad, message, tag_length);
            announced.map_err(|failure| raise(&failure))?;
        }
        let (begun, done) = (false, false);
        let state = State { sealing, direction, tag, tags, begun, done };
        Ok(Self(Mutex::new(state)))
    }

    /// Takes associated data, before any of the message.
    fn authenticate_additional_data(&self, py: Python<'_>, data: Input<'_, '_>) -> PyResult<()> {
        let mut state = self.going_on()?;
        if state.begun {
            return Err(AlreadyUpdated::new_err("associated data comes before the message"));
        }
        let (sealing, data) = (&mut state.sealing, data.bytes());
        work(py, data.len(), || sealing.aad(data)).map_err(|failure| raise(&failure))
    }

    /// Takes data and returns as much.
    fn update<'py>(&self, py: Python<'py>, data: Input<'_, '_>) -> PyResult<Bound<'py, PyBytes>> {
        let data = data.bytes();
        PyBytes::new_with(py, data.len(), |output| self.update_pair(py, disjoint(data, output)?))
    }

    /// Takes data and writes as much to `buf`; returns its length.
    fn update_into(&self, py: Python<'_>, data: Input<'_, '_>, mut buf: Output) -> PyResult<usize> {
        drop(self.going_on()?);
        match buf.with(&data, &[])? {
            Pair::Apart(data, output) => {
                let (got, needed) = (output.len(), data.len());
                let output = output.get_mut(..needed).ok_or_else(|| {
                    PyValueError::new_err(format!("buf of {got} bytes; allowed: {needed} bytes"))
                })?;
                self.update_pair(py, disjoint(data, output)?)?;
                Ok(needed)
            }
            Pair::Same(length, output) => {
                self.update_pair(py, (&mut output[..length]).into())?;
                Ok(length)
            }
        }
    }

    /// Ends the message: makes the tag, or checks that given at the beginning.
    fn finalize<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut state = self.going_on()?;
        let State { sealing, direction, tag, .. } = &mut *state;
        let ended = match (direction, &mut *tag) {
            (Direction::Encrypt, _) => {
                let made = tag.insert(vec![0; sealing.tag_len()]);
                sealing.finish(made)
            }
            (Direction::Decrypt, Some(tag)) => verify(sealing, tag),
            (Direction::Decrypt, None) => {
                let text = "decryption needs the tag: give it to the mode or to finalize_with_tag";
                return Err(PyValueError::new_err(text));
            }
        };
        state.done = true;
        ended.map_err(|failure| raise(&failure))?;
        Ok(PyBytes::new(py, &[]))
    }

    /// Ends a decrypted message and checks this tag.
    fn finalize_with_tag<'py>(
        &self,
        py: Python<'py>,
        tag: Input<'_, '_>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let mut state = self.going_on()?;
        if state.direction == Direction::Encrypt || state.tag.is_some() {
            let text = "the tag is known; allowed: finalize_with_tag for decryption without one";
            return Err(PyValueError::new_err(text));
        }
        state.tags.check(tag.bytes().len())?;
        state.done = true;
        verify(&mut state.sealing, tag.bytes()).map_err(|failure| raise(&failure))?;
        Ok(PyBytes::new(py, &[]))
    }

    /// The tag of an encrypted message that has ended.
    #[getter]
    fn tag<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let state = hold(&self.0)?;
        match &state.tag {
            Some(tag) if state.done && state.direction == Direction::Encrypt => {
                Ok(PyBytes::new(py, tag))
            }
            _ => Err(NotYetFinalized::new_err("there is no tag before finalize")),
        }
    }

    /// Starts another message with another nonce under the same key.
    fn reset_nonce(&self, nonce: Input<'_, '_>) -> PyResult<()> {
        let mut state = hold(&self.0)?;
        state.sealing.reset(nonce.bytes()).map_err(|failure| raise(&failure))?;
        (state.begun, state.done, state.tag) = (false, false, None);
        Ok(())
    }
}
