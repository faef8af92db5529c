//! AEADs: on whole messages, and in pieces.

use ciphers::modes::Direction;
use js_sys::Uint8Array;
use objects::{AeadOneShot, AeadStream};
use wasm_bindgen::prelude::*;

use crate::buffer::{Buffer, array, secret};
use crate::failures::{Outcome, error, level, raise};

/// An AEAD under one key, with tags of one length. The tag stands behind the ciphertext.
#[wasm_bindgen]
pub struct Aead {
    sealer: AeadOneShot,
    data: Buffer,
}

#[wasm_bindgen]
impl Aead {
    /// From the names of the registry, with tags of so many bytes or else the longest.
    ///
    /// # Errors
    /// Names that nothing has, lengths that are not allowed.
    #[wasm_bindgen(constructor)]
    pub fn new(
        algorithm: &str,
        mode: &str,
        key: Vec<u8>,
        tag: Option<usize>,
        at: Option<String>,
    ) -> Outcome<Self> {
        let key = secret(key);
        let mut sealer =
            AeadOneShot::new(algorithm, mode, &key, true, level(at)?).map_err(raise)?;
        if let Some(bytes) = tag {
            sealer = sealer.with_tag_len(bytes).map_err(raise)?;
        }
        Ok(Self { sealer, data: Buffer::default() })
    }

    /// Bytes of a tag.
    #[wasm_bindgen(getter, js_name = tagLength)]
    pub fn tag_length(&self) -> usize {
        self.sealer.tag_len()
    }

    /// Ciphertext and tag.
    ///
    /// # Errors
    /// What the library says; a nonce used twice running.
    pub fn seal(&mut self, nonce: &[u8], data: &Uint8Array, aad: &[u8]) -> Outcome<Uint8Array> {
        let tag = self.sealer.tag_len();
        self.sealer.check(nonce.len(), tag).map_err(raise)?;
        let len = data.length() as usize;
        let sealed = self.data.room(len + tag);
        let (body, tag) = sealed.split_at_mut(len);
        data.copy_to(body);
        self.sealer.seal(nonce, aad, body.into(), tag).map_err(raise)?;
        Ok(array(sealed))
    }

    /// The plaintext, if the tag is right.
    ///
    /// # Errors
    /// A wrong tag, and what the library says.
    pub fn open(&mut self, nonce: &[u8], sealed: &Uint8Array, aad: &[u8]) -> Outcome<Uint8Array> {
        let tag = self.sealer.tag_len();
        self.sealer.check(nonce.len(), tag).map_err(raise)?;
        let sealed = self.data.fill(sealed);
        // As with a message whose tag was cut off: it is not authentic.
        let short = || error("tag", "the data is shorter than a tag");
        let at = sealed.len().checked_sub(tag).ok_or_else(short)?;
        let (body, tag) = sealed.split_at_mut(at);
        self.sealer.open(nonce, aad, (&mut *body).into(), tag).map_err(raise)?;
        Ok(array(body))
    }
}

/// One message of an AEAD in pieces.
#[wasm_bindgen]
pub struct AeadContext {
    sealing: AeadStream,
    data: Buffer,
}

#[wasm_bindgen]
impl AeadContext {
    /// From the names of the registry, with tags of so many bytes or else the longest.
    ///
    /// # Errors
    /// Names that nothing has or that take no pieces, lengths that are not allowed.
    #[wasm_bindgen(constructor)]
    pub fn new(
        algorithm: &str,
        mode: &str,
        key: Vec<u8>,
        nonce: &[u8],
        encrypt: bool,
        tag: Option<usize>,
        at: Option<String>,
    ) -> Outcome<Self> {
        let key = secret(key);
        let direction = if encrypt { Direction::Encrypt } else { Direction::Decrypt };
        let sealing = AeadStream::new(algorithm, mode, &key, direction, nonce, level(at)?);
        let mut sealing = sealing.map_err(raise)?;
        if let Some(bytes) = tag {
            sealing = sealing.with_tag_len(bytes).map_err(raise)?;
        }
        Ok(Self { sealing, data: Buffer::default() })
    }

    /// Bytes of a tag.
    #[wasm_bindgen(getter, js_name = tagLength)]
    pub fn tag_length(&self) -> usize {
        self.sealing.tag_len()
    }

    /// Says how many bytes follow, for modes that need it beforehand.
    ///
    /// # Errors
    /// What the library says.
    pub fn announce(&mut self, aad: f64, message: f64) -> Outcome<()> {
        let tag = self.sealing.tag_len();
        // The wrapper lets only whole numbers below 2^53 through.
        self.sealing.announce(aad as u64, message as u64, tag).map_err(raise)
    }

    /// Associated data, before the message.
    ///
    /// # Errors
    /// What the library says.
    pub fn aad(&mut self, aad: &[u8]) -> Outcome<()> {
        self.sealing.aad(aad).map_err(raise)
    }

    /// Takes data and returns as much.
    ///
    /// # Errors
    /// What the library says.
    pub fn update(&mut self, data: &Uint8Array) -> Outcome<Uint8Array> {
        let data = self.data.fill(data);
        self.sealing.update((&mut *data).into()).map_err(raise)?;
        Ok(array(data))
    }

    /// Ends an encrypted message and returns its tag.
    ///
    /// # Errors
    /// What the library says.
    pub fn finish(&mut self) -> Outcome<Uint8Array> {
        let mut bytes = vec![0; self.sealing.tag_len()];
        self.sealing.finish(&mut bytes).map_err(raise)?;
        Ok(array(&bytes))
    }

    /// Ends a decrypted message and checks its tag.
    ///
    /// # Errors
    /// A wrong tag.
    pub fn verify(&mut self, tag: &[u8]) -> Outcome<()> {
        self.sealing.verify(tag).map_err(raise)
    }

    /// Starts another message with another nonce.
    ///
    /// # Errors
    /// A nonce used twice running, and what the library says.
    pub fn reset(&mut self, nonce: &[u8]) -> Outcome<()> {
        self.sealing.reset(nonce).map_err(raise)
    }
}
