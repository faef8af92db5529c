//! Work for the laboratory in the page: the same message again and again in memory that the
//! module holds, so that a clock around it sees the cipher and no copy.

use ciphers::InOut;
use js_sys::Uint8Array;
use objects::{AeadOneShot, Context, Spec};
use wasm_bindgen::prelude::*;

use crate::buffer::array;
use crate::failures::{Outcome, level, raise};

enum Work {
    Cipher(Box<Context>),
    Seal { sealer: AeadOneShot, tag: Vec<u8> },
}

/// One operation under a ready key on one message in place.
#[wasm_bindgen]
pub struct Bench {
    work: Work,
    iv: Vec<u8>,
    data: Vec<u8>,
}

#[wasm_bindgen]
impl Bench {
    /// A cipher, or the AEAD `NAME-seal`.
    ///
    /// # Errors
    /// As the objects themselves.
    #[wasm_bindgen(constructor)]
    pub fn new(
        algorithm: &str,
        operation: &str,
        key: &[u8],
        iv: Vec<u8>,
        data: &Uint8Array,
        at: Option<String>,
    ) -> Outcome<Self> {
        let level = level(at)?;
        let work = if operation.ends_with("-seal") {
            let sealer =
                AeadOneShot::new(algorithm, operation, key, false, level).map_err(raise)?;
            let tag = vec![0; sealer.tag_len()];
            Work::Seal { sealer, tag }
        } else {
            let spec = Spec { iv: &iv, level, ..Spec::new(algorithm, operation, key) };
            Work::Cipher(Box::new(Context::new(&spec).map_err(raise)?))
        };
        Ok(Self { work, iv, data: data.to_vec() })
    }

    /// Does it so many times.
    ///
    /// # Errors
    /// What the library says.
    pub fn run(&mut self, times: u32) -> Outcome<()> {
        for _ in 0..times {
            let io = InOut::from(&mut self.data[..]);
            match &mut self.work {
                Work::Cipher(context) => context.message(&self.iv, io),
                Work::Seal { sealer, tag } => sealer.seal(&self.iv, &[], io, tag),
            }
            .map_err(raise)?;
        }
        Ok(())
    }

    /// What became of the data, the tag behind it.
    #[must_use]
    pub fn result(&self) -> Uint8Array {
        match &self.work {
            Work::Cipher(_) => array(&self.data),
            Work::Seal { tag, .. } => array(&[&self.data[..], tag].concat()),
        }
    }
}
