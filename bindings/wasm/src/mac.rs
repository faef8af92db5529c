//! MACs.

use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

use crate::buffer::{Buffer, array, secret};
use crate::failures::{Outcome, level, raise};

/// A MAC under one key, with tags of one length. One that takes an IV is at its end after a tag.
#[wasm_bindgen]
pub struct Mac {
    tagger: objects::Mac,
    data: Buffer,
}

#[wasm_bindgen]
impl Mac {
    /// From the names of the registry.
    ///
    /// # Errors
    /// Names that nothing has, lengths that are not allowed.
    #[wasm_bindgen(constructor)]
    pub fn new(
        algorithm: &str,
        operation: &str,
        key: Vec<u8>,
        iv: &[u8],
        tag: Option<usize>,
        message: Option<f64>,
        at: Option<String>,
    ) -> Outcome<Self> {
        let key = secret(key);
        let tagger = objects::Mac::new(algorithm, operation, &key, iv, tag, level(at)?);
        let mut tagger = tagger.map_err(raise)?;
        if let Some(bytes) = message {
            // The wrapper lets only whole numbers below 2^53 through.
            tagger.announce(bytes as u64).map_err(raise)?;
        }
        Ok(Self { tagger, data: Buffer::default() })
    }

    /// Bytes of a tag.
    #[wasm_bindgen(getter, js_name = tagLength)]
    pub fn tag_length(&self) -> usize {
        self.tagger.tag_len()
    }

    /// Takes more of the message.
    ///
    /// # Errors
    /// What the library says.
    pub fn update(&mut self, data: &Uint8Array) -> Outcome<()> {
        self.tagger.update(self.data.fill(data)).map_err(raise)
    }

    /// Takes the first `bits` bits of `data`.
    ///
    /// # Errors
    /// What the library says.
    #[wasm_bindgen(js_name = updateBits)]
    pub fn update_bits(&mut self, data: &Uint8Array, bits: f64) -> Outcome<()> {
        self.tagger.update_bits(self.data.fill(data), bits as u64).map_err(raise)
    }

    /// The tag of what was read so far. With an IV that ends the message.
    ///
    /// # Errors
    /// What the library says.
    pub fn digest(&mut self) -> Outcome<Uint8Array> {
        let (tag, length) = self.tagger.digest().map_err(raise)?;
        Ok(array(&tag[..length]))
    }

    /// Compares the tag of what was read so far in constant time. With an IV that ends the
    /// message.
    ///
    /// # Errors
    /// A wrong tag, or one of another length.
    pub fn verify(&mut self, tag: &[u8]) -> Outcome<()> {
        self.tagger.verify(tag).map_err(raise)
    }

    /// Another one that has read the same.
    ///
    /// # Errors
    /// A MAC that takes an IV, which serves one message.
    pub fn copy(&self) -> Outcome<Self> {
        Ok(Self { tagger: self.tagger.fork().map_err(raise)?, data: Buffer::default() })
    }

    /// Starts another message, with another IV where there is one.
    ///
    /// # Errors
    /// The IV of the last tag; what the library says.
    pub fn reset(&mut self, iv: &[u8]) -> Outcome<()> {
        self.tagger.reset(iv).map_err(raise)
    }
}
