//! One operation of a library under a key.

use std::ffi::{c_int, c_void};

use lab::work::{Data, Fault, Message};

use super::{Functions, NAME, text};
use crate::peer_operations::{Mode, Operation};
use crate::session::Session;

/// An object of the interface.
pub(super) struct Object<'f> {
    functions: &'f Functions,
    raw: *mut c_void,
    mode: Mode,
    /// The length of an IV in bytes.
    iv_bytes: usize,
}

impl Drop for Object<'_> {
    fn drop(&mut self) {
        // SAFETY: it was made by the interface and is freed once.
        unsafe { (self.functions.free)(self.raw) }
    }
}

impl<'f> Object<'f> {
    /// Takes over an object that the interface made.
    pub(super) fn new(functions: &'f Functions, raw: *mut c_void, operation: &Operation) -> Self {
        Self { functions, raw, mode: operation.mode, iv_bytes: operation.sample().1.len() }
    }

    /// The object under a key.
    pub(super) fn under(mut self, key: &[u8], iv: &[u8]) -> Result<Self, Fault> {
        self.start(key, iv)?;
        Ok(self)
    }

    /// The code that does it, as the library names it.
    pub(super) fn provider(&self) -> Option<String> {
        let mut name = [0; NAME];
        // SAFETY: the object lives; there is room for as many bytes as are told.
        let done = unsafe { (self.functions.provider)(self.raw, name.as_mut_ptr(), name.len()) };
        text(&name).filter(|_| done == 0)
    }

    fn whole(&self, message: Message<'_>) -> Result<(), Fault> {
        let Message { iv, aad, mut data, tag, .. } = message;
        let (input, output, bytes) = data.pointers();
        // SAFETY: the object lives and has its key; every pointer is valid for the length
        // that follows it, input and output being the same or disjoint.
        let done = unsafe {
            (self.functions.message)(
                self.raw,
                iv.as_ptr(),
                iv.len(),
                aad.as_ptr(),
                aad.len(),
                input,
                output,
                bytes,
                tag.as_mut_ptr(),
                tag.len(),
            )
        };
        ok(done, "a whole message")
    }

    fn mac(&self, message: Message<'_>) -> Result<(), Fault> {
        let (data, tag) = (message.data.input(), message.tag);
        // SAFETY: the object lives and has its key; there is room for the tag.
        let done = unsafe {
            (self.functions.mac)(self.raw, data.as_ptr(), data.len(), tag.as_mut_ptr(), tag.len())
        };
        ok(done, "a tag")
    }
}

/// Whether the library refused.
fn ok(done: c_int, function: Fault) -> Result<(), Fault> {
    if done == 0 { Ok(()) } else { Err(function) }
}

impl Session for Object<'_> {
    #[inline]
    fn start(&mut self, key: &[u8], iv: &[u8]) -> Result<(), Fault> {
        /// What stands in for an IV where a key is set alone: a mode takes none without.
        const NONE: [u8; 16] = [0; 16];
        if !key.is_empty() {
            let iv = if iv.is_empty() { &NONE[..self.iv_bytes] } else { iv };
            // SAFETY: the object lives; key and IV have the lengths that are told.
            let done = unsafe {
                (self.functions.key)(self.raw, key.as_ptr(), key.len(), iv.as_ptr(), iv.len())
            };
            return ok(done, "a fresh key");
        }
        // An AEAD is given its nonce with the message.
        if self.mode == Mode::Ecb || self.mode.has_tag() {
            return Ok(());
        }
        // SAFETY: the object lives and has its key; the IV has the length that is told.
        ok(unsafe { (self.functions.iv)(self.raw, iv.as_ptr(), iv.len()) }, "a fresh IV")
    }

    fn restarts(&self) -> bool {
        self.mode == Mode::Keystream
    }

    #[inline]
    fn message(&mut self, message: Message<'_>) -> Result<(), Fault> {
        match self.mode {
            Mode::Cmac => self.mac(message),
            mode if mode.has_tag() => self.whole(message),
            _ => self.piece(message.data),
        }
    }

    #[inline]
    fn piece(&mut self, mut data: Data<'_>) -> Result<(), Fault> {
        let (input, output, bytes) = data.pointers();
        // SAFETY: the object lives and has its key; both pointers are valid for `bytes`,
        // the same or disjoint.
        let done = unsafe { (self.functions.data)(self.raw, input, output, bytes) };
        ok(done, "data")
    }
}
