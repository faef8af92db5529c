//! Ciphers in pieces.

use ciphers::InOut;
use ciphers::modes::Padding;
use ciphers::registry::Parameters;
use js_sys::Uint8Array;
use objects::{Context, Spec};
use wasm_bindgen::prelude::*;

use crate::buffer::{Buffer, array, secret};
use crate::failures::{Outcome, error, level, raise};

/// Encrypts or decrypts one message in pieces.
#[wasm_bindgen]
pub struct CipherContext {
    context: Context,
    input: Buffer,
    output: Buffer,
}

#[wasm_bindgen]
impl CipherContext {
    /// From the names of the registry.
    ///
    /// # Errors
    /// Names that nothing has, lengths that are not allowed.
    #[wasm_bindgen(constructor)]
    #[expect(clippy::too_many_arguments, reason = "the wrapper in JavaScript has an object")]
    pub fn new(
        algorithm: &str,
        operation: &str,
        key: Vec<u8>,
        iv: Vec<u8>,
        padding: Option<String>,
        effective_key_bits: Option<u32>,
        word_bits: Option<u32>,
        rounds: Option<u32>,
        at: Option<String>,
    ) -> Outcome<Self> {
        let key = secret(key);
        let padding = match padding.as_deref() {
            None | Some("none") => Padding::None,
            Some("pkcs7") => Padding::Pkcs7,
            Some("iso7816") => Padding::Iso7816,
            Some(other) => {
                let text = format!("no padding is called `{other}`; known: none, pkcs7, iso7816");
                return Err(error("unknown", &text));
            }
        };
        let parameters = Parameters { effective_key_bits, word_bits, rounds };
        let level = level(at)?;
        let spec = Spec::new(algorithm, operation, &key);
        let spec = Spec { iv: &iv, padding, parameters, level, ..spec };
        let context = Context::new(&spec).map_err(raise)?;
        Ok(Self { context, input: Buffer::default(), output: Buffer::default() })
    }

    /// Takes data and returns what is ready.
    ///
    /// # Errors
    /// What the library says.
    pub fn update(&mut self, data: &Uint8Array) -> Outcome<Uint8Array> {
        let input = self.input.fill(data);
        let output = self.output.room(self.context.update_len(input.len()));
        let written = self.context.update(input, output).map_err(raise)?;
        Ok(array(&output[..written]))
    }

    /// Ends the message and returns what was held back.
    ///
    /// # Errors
    /// What the library says.
    pub fn finish(&mut self) -> Outcome<Uint8Array> {
        let output = self.output.room(self.context.finish_len());
        let written = self.context.finish(output).map_err(raise)?;
        Ok(array(&output[..written]))
    }

    /// Processes a whole message under another IV, without padding.
    ///
    /// # Errors
    /// What the library says.
    pub fn message(&mut self, iv: &[u8], data: &Uint8Array) -> Outcome<Uint8Array> {
        let data = self.input.fill(data);
        self.context.message(iv, InOut::from(&mut *data)).map_err(raise)?;
        Ok(array(data))
    }

    /// Starts another message with another IV under the same key.
    ///
    /// # Errors
    /// What the library says.
    pub fn reset(&mut self, iv: &[u8]) -> Outcome<()> {
        self.context.reset(iv).map_err(raise)
    }
}
