//! One `EVP_MAC_CTX`.

use std::ffi::c_uchar;
use std::ptr;

use lab::work::{Data, Fault, Message};

use super::parameters::Parameters;
use super::{MacFunctions, Opaque};
use crate::peer_operations::{Mode, Operation};
use crate::session::Session;

/// A MAC context with its cipher set.
pub(super) struct MacContext<'s> {
    calls: &'s MacFunctions,
    raw: *mut Opaque,
    mode: Mode,
    /// What stands in front of each message: the IV of NIA2.
    front: Vec<u8>,
    /// Whether a message has been finished since the last initialisation.
    used: bool,
}

impl Drop for MacContext<'_> {
    fn drop(&mut self) {
        // SAFETY: it was made by EVP_MAC_CTX_new and is freed once.
        unsafe { (self.calls.free)(self.raw) }
    }
}

impl<'s> MacContext<'s> {
    /// A context of a fetched MAC, over the cipher of the operation.
    pub(super) fn new(
        calls: &'s MacFunctions,
        mac: *mut Opaque,
        operation: &Operation,
        key: &[u8],
        iv: &[u8],
    ) -> Result<Self, Fault> {
        // SAFETY: the MAC was fetched and lives as long as the process.
        let raw = unsafe { (calls.new)(mac) };
        if raw.is_null() {
            return Err("EVP_MAC_CTX_new");
        }
        let mut context = Self { calls, raw, mode: operation.mode, front: Vec::new(), used: false };
        let name = super::names::cipher(operation);
        let cipher = Parameters::string(c"cipher", &name);
        // SAFETY: the context lives; the list ends with a null key, and its string lives
        // throughout the call.
        if unsafe { (calls.set)(raw, cipher.as_ptr()) } != 1 {
            return Err("EVP_MAC_CTX_set_params");
        }
        context.start(key, iv)?;
        Ok(context)
    }

    fn init(&mut self, key: &[u8], parameters: Option<&Parameters<'_>>) -> Result<(), Fault> {
        let list = parameters.map_or(ptr::null(), Parameters::as_ptr);
        let bytes: *const c_uchar = if key.is_empty() { ptr::null() } else { key.as_ptr() };
        // SAFETY: the context lives; the key is null, which keeps what was set, or valid for
        // its length; the list is null or ends with a null key.
        let done = unsafe { (self.calls.init)(self.raw, bytes, key.len(), list) };
        self.used = false;
        if done == 1 { Ok(()) } else { Err("EVP_MAC_init") }
    }

    fn update(&self, data: &[u8]) -> Result<(), Fault> {
        // SAFETY: the context lives and has its key; the data are valid for their length.
        let done = unsafe { (self.calls.update)(self.raw, data.as_ptr(), data.len()) };
        if done == 1 { Ok(()) } else { Err("EVP_MAC_update") }
    }
}

impl Session for MacContext<'_> {
    #[inline]
    fn start(&mut self, key: &[u8], iv: &[u8]) -> Result<(), Fault> {
        if self.mode == Mode::Nia2 {
            self.front.clear();
            self.front.extend_from_slice(iv);
        }
        if iv.is_empty() || matches!(self.mode, Mode::Cmac | Mode::Nia2) {
            return self.init(key, None);
        }
        self.init(key, Some(&Parameters::bytes(c"iv", iv)))
    }

    #[inline]
    fn message(&mut self, message: Message<'_>) -> Result<(), Fault> {
        if self.used {
            self.init(&[], None)?;
        }
        if !self.front.is_empty() {
            self.update(&self.front)?;
        }
        self.update(message.data.input())?;
        let (mut written, tag) = (0, message.tag);
        // NIA2's tag is the first bytes of a whole one.
        let mut whole = [0; 16];
        let cut = self.mode == Mode::Nia2;
        let out = if cut { &mut whole[..] } else { &mut *tag };
        // SAFETY: the context lives; there is room for as many bytes as are told.
        let done =
            unsafe { (self.calls.finish)(self.raw, out.as_mut_ptr(), &raw mut written, out.len()) };
        self.used = true;
        if done != 1 || written != out.len() {
            return Err("EVP_MAC_final");
        }
        if cut {
            tag.copy_from_slice(&whole[..tag.len()]);
        }
        Ok(())
    }

    fn piece(&mut self, _: Data<'_>) -> Result<(), Fault> {
        Err("EVP_MAC_update as a stream")
    }
}
