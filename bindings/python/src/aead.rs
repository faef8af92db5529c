//! AEADs on whole messages: `Aead`.

use cipherlane::InOut;
use objects::AeadOneShot;
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::buffers::{Input, Output, Pair, work};
use crate::failures::{InvalidTag, raise};

/// An AEAD under one key. The tag stands behind the ciphertext. Threads may share it.
#[pyclass(frozen, subclass, name = "AEAD", module = "cipherlane")]
pub(crate) struct Aead {
    sealer: AeadOneShot,
    /// The least and the most bytes of a nonce, where that is less than the mode allows.
    nonces: Option<(usize, usize)>,
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
        if let Some((least, most)) = self.nonces
            && !(least..=most).contains(&nonce.len())
        {
            let got = nonce.len();
            let text = format!("nonce of {got} bytes; allowed: {least} to {most} bytes");
            return Err(PyValueError::new_err(text));
        }
        self.sealer.check(nonce.len(), self.sealer.tag_len()).map_err(|failure| raise(&failure))
    }
}

fn given<'i>(aad: Option<&'i Input<'_, '_>>) -> &'i [u8] {
    aad.map_or(&[], Input::bytes)
}

/// Both sides of one length, which was checked.
pub(crate) fn disjoint<'d>(data: &'d [u8], output: &'d mut [u8]) -> PyResult<InOut<'d>> {
    let (got, needed) = (output.len(), data.len());
    InOut::disjoint(data, output).ok_or_else(|| {
        PyValueError::new_err(format!("output of {got} bytes; allowed: {needed} bytes"))
    })
}

#[pymethods]
impl Aead {
    #[new]
    #[pyo3(signature = (
        algorithm, mode, key, tag_length = None, *, allow_nonce_reuse = false, nonce_lengths = None
    ))]
    fn new(
        algorithm: &str,
        mode: &str,
        key: Input<'_, '_>,
        tag_length: Option<usize>,
        allow_nonce_reuse: bool,
        nonce_lengths: Option<(usize, usize)>,
    ) -> PyResult<Self> {
        let sealer = AeadOneShot::new(algorithm, mode, key.bytes(), !allow_nonce_reuse, None);
        let sealer = match tag_length {
            Some(bytes) => sealer.and_then(|it| it.with_tag_len(bytes)),
            None => sealer,
        };
        let sealer = sealer.map_err(|failure| raise(&failure))?;
        Ok(Self { sealer, nonces: nonce_lengths })
    }

    /// The length of its tags in bytes.
    #[getter]
    fn tag_length(&self) -> usize {
        self.sealer.tag_len()
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
        let length =
            data.len().checked_add(self.tag_length()).filter(|&it| it <= isize::MAX as usize);
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
        self.check(nonce.bytes())?;
        let length = buf.len();
        room(length, data.bytes().len().saturating_add(self.tag_length()))?;
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
        let (body, tag) = split(data, self.tag_length())?;
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
        self.check(nonce.bytes())?;
        let needed = split(data.bytes(), self.tag_length())?.0.len();
        let mut read = vec![&nonce];
        read.extend(&associated_data);
        // In place the tag lies in the buffer, too.
        let got = buf.len();
        let pair = buf.with(&data, &read)?;
        let (nonce, aad) = (nonce.bytes(), given(associated_data.as_ref()));
        match pair {
            Pair::Apart(data, output) => {
                room(got, needed)?;
                let (body, tag) = split(data, self.tag_length())?;
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
