//! AEADs: `Aead` on whole messages, `AeadContext` in pieces.

use std::sync::Mutex;

use cipherlane::InOut;
use cipherlane::modes::Direction;
use objects::{Sealer, Sealing};
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::buffers::{Input, Output, Pair, work};
use crate::failures::{AlreadyUpdated, InvalidTag, NotYetFinalized, finalized, hold, raise};

/// An AEAD under one key. The tag stands behind the ciphertext. Threads may share it.
#[pyclass(frozen, subclass, name = "AEAD", module = "cipherlane")]
pub(crate) struct Aead {
    sealer: Sealer,
    tag: usize,
}

fn room(got: usize, needed: usize) -> PyResult<()> {
    if got == needed {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("buf of {got} bytes; allowed: {needed} bytes")))
}

impl Aead {
    fn seal(
        &self,
        py: Python<'_>,
        nonce: &[u8],
        aad: &[u8],
        io: InOut<'_>,
        tag: &mut [u8],
    ) -> PyResult<()> {
        let sealed = work(py, io.len() + aad.len(), || self.sealer.seal(nonce, aad, io, tag));
        sealed.map_err(|failure| raise(&failure))
    }

    fn open(
        &self,
        py: Python<'_>,
        nonce: &[u8],
        aad: &[u8],
        io: InOut<'_>,
        tag: &[u8],
    ) -> PyResult<()> {
        let opened = work(py, io.len() + aad.len(), || self.sealer.open(nonce, aad, io, tag));
        opened.map_err(|failure| raise(&failure))
    }

    fn check(&self, nonce: &[u8]) -> PyResult<()> {
        self.sealer.check(nonce.len(), self.tag).map_err(|failure| raise(&failure))
    }
}

fn given<'i>(aad: Option<&'i Input<'_, '_>>) -> &'i [u8] {
    aad.map_or(&[], Input::bytes)
}

/// Both sides of one length, which was checked.
fn disjoint<'d>(data: &'d [u8], output: &'d mut [u8]) -> PyResult<InOut<'d>> {
    let (got, needed) = (output.len(), data.len());
    InOut::disjoint(data, output).ok_or_else(|| {
        PyValueError::new_err(format!("output of {got} bytes; allowed: {needed} bytes"))
    })
}

#[pymethods]
impl Aead {
    #[new]
    #[pyo3(signature = (algorithm, mode, key, tag_length = None, *, allow_nonce_reuse = false))]
    fn new(
        algorithm: &str,
        mode: &str,
        key: Input<'_, '_>,
        tag_length: Option<usize>,
        allow_nonce_reuse: bool,
    ) -> PyResult<Self> {
        let sealer = Sealer::new(algorithm, mode, key.bytes(), !allow_nonce_reuse, None);
        let sealer = sealer.map_err(|failure| raise(&failure))?;
        let allowed = sealer.tag_sizes();
        let tag = tag_length.unwrap_or(allowed.max);
        if !allowed.allow(tag) {
            let text = format!("tag of {tag} bytes; allowed: {allowed} bytes");
            return Err(PyValueError::new_err(text));
        }
        Ok(Self { sealer, tag })
    }

    /// The length of its tags in bytes.
    #[getter]
    fn tag_length(&self) -> usize {
        self.tag
    }

    /// Encrypts a message and returns ciphertext and tag, one behind the other.
    #[pyo3(signature = (nonce, data, associated_data = None))]
    fn encrypt<'py>(
        &self,
        py: Python<'py>,
        nonce: Input<'_, '_>,
        data: Input<'_, '_>,
        associated_data: Option<Input<'_, '_>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        self.check(nonce.bytes())?;
        let (data, aad) = (data.bytes(), given(associated_data.as_ref()));
        let length = data.len().checked_add(self.tag).filter(|&it| it <= isize::MAX as usize);
        let length = length.ok_or_else(|| PyOverflowError::new_err("the data is too long"))?;
        PyBytes::new_with(py, length, |output| {
            let (body, tag) = output.split_at_mut(data.len());
            self.seal(py, nonce.bytes(), aad, disjoint(data, body)?, tag)
        })
    }

    /// Encrypts a message into `buf`, which has room for the tag; returns its length. The data
    /// may be the head of `buf`.
    fn encrypt_into(
        &self,
        py: Python<'_>,
        nonce: Input<'_, '_>,
        data: Input<'_, '_>,
        associated_data: Option<Input<'_, '_>>,
        mut buf: Output,
    ) -> PyResult<usize> {
        let length = buf.len();
        room(length, data.bytes().len().saturating_add(self.tag))?;
        let mut read = vec![&nonce];
        read.extend(&associated_data);
        let pair = buf.with(&data, &read)?;
        let (nonce, aad) = (nonce.bytes(), given(associated_data.as_ref()));
        match pair {
            Pair::Apart(data, output) => {
                let (body, tag) = output.split_at_mut(data.len());
                self.seal(py, nonce, aad, disjoint(data, body)?, tag)?;
            }
            Pair::Same(data, output) => {
                let (body, tag) = output.split_at_mut(data);
                self.seal(py, nonce, aad, body.into(), tag)?;
            }
        }
        Ok(length)
    }

    /// Decrypts ciphertext and tag; raises `InvalidTag` if the tag is wrong.
    #[pyo3(signature = (nonce, data, associated_data = None))]
    fn decrypt<'py>(
        &self,
        py: Python<'py>,
        nonce: Input<'_, '_>,
        data: Input<'_, '_>,
        associated_data: Option<Input<'_, '_>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        self.check(nonce.bytes())?;
        let (data, aad) = (data.bytes(), given(associated_data.as_ref()));
        let (body, tag) = split(data, self.tag)?;
        PyBytes::new_with(py, body.len(), |output| {
            self.open(py, nonce.bytes(), aad, disjoint(body, output)?, tag)
        })
    }

    /// Decrypts into `buf`, which may be the ciphertext's memory; returns the plaintext's
    /// length. If the tag is wrong `buf` is zeros.
    fn decrypt_into(
        &self,
        py: Python<'_>,
        nonce: Input<'_, '_>,
        data: Input<'_, '_>,
        associated_data: Option<Input<'_, '_>>,
        mut buf: Output,
    ) -> PyResult<usize> {
        let needed = split(data.bytes(), self.tag)?.0.len();
        let mut read = vec![&nonce];
        read.extend(&associated_data);
        // In place the tag lies in the buffer, too.
        let got = buf.len();
        let pair = buf.with(&data, &read)?;
        let (nonce, aad) = (nonce.bytes(), given(associated_data.as_ref()));
        match pair {
            Pair::Apart(data, output) => {
                room(got, needed)?;
                let (body, tag) = split(data, self.tag)?;
                self.open(py, nonce, aad, disjoint(body, output)?, tag)?;
            }
            Pair::Same(data, output) => {
                let (body, tag) = output[..data].split_at_mut(needed);
                self.open(py, nonce, aad, body.into(), tag)?;
            }
        }
        Ok(needed)
    }
}

fn split(data: &[u8], tag: usize) -> PyResult<(&[u8], &[u8])> {
    let at = data.len().checked_sub(tag);
    // As with a message whose tag was cut off: it is not authentic.
    Ok(data.split_at(at.ok_or_else(|| InvalidTag::new_err("the data is shorter than a tag"))?))
}

struct State {
    sealing: Sealing,
    direction: Direction,
    /// The tag, expected or made.
    tag: Option<Vec<u8>>,
    tag_length: usize,
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
    fn update_pair(&self, py: Python<'_>, io: InOut<'_>) -> PyResult<()> {
        let mut state = hold(&self.0)?;
        if state.done {
            return Err(finalized());
        }
        state.begun = true;
        let sealing = &mut state.sealing;
        work(py, io.len(), || sealing.update(io)).map_err(|failure| raise(&failure))
    }
}

#[pymethods]
impl AeadContext {
    #[new]
    #[pyo3(signature = (
        algorithm, mode, key, nonce, encrypt, tag = None, tag_length = 16, lengths = None
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
    ) -> PyResult<Self> {
        let direction = if encrypt { Direction::Encrypt } else { Direction::Decrypt };
        if encrypt && tag.is_some() {
            return Err(PyValueError::new_err("a tag is given; allowed: none for encryption"));
        }
        let tag = tag.map(|tag| tag.bytes().to_vec());
        let tag_length = tag.as_ref().map_or(tag_length, Vec::len);
        let sealing = Sealing::new(algorithm, mode, key.bytes(), direction, nonce.bytes(), None);
        let mut sealing = sealing.map_err(|failure| raise(&failure))?;
        if let Some((aad, message)) = lengths {
            let announced = sealing.announce(aad, message, tag_length);
            announced.map_err(|failure| raise(&failure))?;
        }
        let (begun, done) = (false, false);
        let state = State { sealing, direction, tag, tag_length, begun, done };
        Ok(Self(Mutex::new(state)))
    }

    /// Takes associated data, before any of the message.
    fn authenticate_additional_data(&self, py: Python<'_>, data: Input<'_, '_>) -> PyResult<()> {
        let mut state = hold(&self.0)?;
        if state.done {
            return Err(finalized());
        }
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
        let mut state = hold(&self.0)?;
        if state.done {
            return Err(finalized());
        }
        let State { sealing, direction, tag, tag_length, .. } = &mut *state;
        let ended = match (direction, &mut *tag) {
            (Direction::Encrypt, _) => {
                let made = tag.insert(vec![0; *tag_length]);
                sealing.finish(made)
            }
            (Direction::Decrypt, Some(tag)) => sealing.verify(tag),
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
        let mut state = hold(&self.0)?;
        if state.done {
            return Err(finalized());
        }
        if state.direction == Direction::Encrypt || state.tag.is_some() {
            let text = "the tag is known; allowed: finalize_with_tag for decryption without one";
            return Err(PyValueError::new_err(text));
        }
        state.done = true;
        state.sealing.verify(tag.bytes()).map_err(|failure| raise(&failure))?;
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
