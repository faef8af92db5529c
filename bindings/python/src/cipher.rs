//! Ciphers in pieces: `CipherContext`.

use std::sync::Mutex;

use cipherlane::modes::Padding;
use cipherlane::registry::Parameters;
use objects::{Context, Spec};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::buffers::{Input, Output, Pair, work};
use crate::failures::{UnsupportedAlgorithm, finalized, hold, raise};

struct State {
    context: Context,
    done: bool,
}

/// Encrypts or decrypts one message in pieces; made by `Cipher.encryptor` and `decryptor`.
#[pyclass(frozen, module = "cipherlane")]
pub(crate) struct CipherContext(Mutex<State>);

impl CipherContext {
    /// Does something with the context unless it has ended.
    fn with<T>(&self, act: impl FnOnce(&mut Context) -> PyResult<T>) -> PyResult<T> {
        let mut state = hold(&self.0)?;
        if state.done {
            return Err(finalized());
        }
        act(&mut state.context)
    }
}

#[pymethods]
impl CipherContext {
    #[new]
    #[pyo3(signature = (
        algorithm, operation, key, iv, padding = None, *,
        effective_key_bits = None, word_bits = None, rounds = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new(
        algorithm: &str,
        operation: &str,
        key: Input<'_, '_>,
        iv: Input<'_, '_>,
        padding: Option<&str>,
        effective_key_bits: Option<u32>,
        word_bits: Option<u32>,
        rounds: Option<u32>,
    ) -> PyResult<Self> {
        let padding = match padding {
            None => Padding::None,
            Some("pkcs7") => Padding::Pkcs7,
            Some("iso7816") => Padding::Iso7816,
            Some(other) => {
                let text = format!("no padding is called `{other}`; known: pkcs7, iso7816");
                return Err(UnsupportedAlgorithm::new_err(text));
            }
        };
        let parameters = Parameters { effective_key_bits, word_bits, rounds };
        let (key, iv) = (key.bytes(), iv.bytes());
        let spec = Spec { iv, padding, parameters, ..Spec::new(algorithm, operation, key) };
        let context = Context::new(&spec).map_err(|failure| raise(&failure))?;
        Ok(Self(Mutex::new(State { context, done: false })))
    }

    /// Takes data and returns what is ready.
    fn update<'py>(&self, py: Python<'py>, data: Input<'_, '_>) -> PyResult<Bound<'py, PyBytes>> {
        self.with(|context| {
            let data = data.bytes();
            PyBytes::new_with(py, context.update_len(data.len()), |output| {
                let done = work(py, data.len(), || context.update(data, output));
                done.map(drop).map_err(|failure| raise(&failure))
            })
        })
    }

    /// Takes data and writes what is ready to `buf`; returns how many bytes that are.
    fn update_into(&self, py: Python<'_>, data: Input<'_, '_>, mut buf: Output) -> PyResult<usize> {
        self.with(|context| {
            let done = match buf.with(&data, &[])? {
                Pair::Apart(data, buf) => work(py, data.len(), || context.update(data, buf)),
                // What was held back may end one block more than the input has: the output is
                // longer then, and the input is read from a copy.
                Pair::Same(length, buf) if context.update_len(length) > length => {
                    let data = buf[..length].to_vec();
                    work(py, length, || context.update(&data, buf))
                }
                Pair::Same(length, buf) => {
                    work(py, length, || context.update_in_place(&mut buf[..length]))
                }
            };
            done.map_err(|failure| raise(&failure))
        })
    }

    /// Ends the message and returns what was held back.
    fn finalize<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut state = hold(&self.0)?;
        if state.done {
            return Err(finalized());
        }
        let mut last = [0; 16];
        state.done = true;
        let length = state.context.finish(&mut last).map_err(|failure| raise(&failure))?;
        Ok(PyBytes::new(py, &last[..length]))
    }

    /// Starts another message with another nonce or IV under the same key.
    fn reset_nonce(&self, nonce: Input<'_, '_>) -> PyResult<()> {
        let mut state = hold(&self.0)?;
        state.context.reset(nonce.bytes()).map_err(|failure| raise(&failure))?;
        state.done = false;
        Ok(())
    }
}
