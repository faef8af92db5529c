//! One `botan_mac_t`.

use std::ffi::CStr;
use std::ptr;

use lab::work::{Data, Fault, Message};

use super::{Botan, Object};
use crate::session::Session;

/// The length of the tags in bytes.
const TAG: usize = 16;

/// A MAC.
pub(super) struct MacObject<'b> {
    calls: &'b Botan,
    raw: Object,
}

impl Drop for MacObject<'_> {
    fn drop(&mut self) {
        // SAFETY: it was made by botan_mac_init and is destroyed once.
        unsafe { (self.calls.mac_destroy)(self.raw) };
    }
}

impl<'b> MacObject<'b> {
    /// A MAC without a key.
    pub(super) fn new(calls: &'b Botan, name: &CStr) -> Result<Self, Fault> {
        let mut raw = ptr::null_mut();
        // SAFETY: the object is written to a place of its type; the name is a C string.
        match unsafe { (calls.mac_init)(&raw mut raw, name.as_ptr(), 0) } {
            0 => Ok(Self { calls, raw }),
            _ => Err("botan_mac_init"),
        }
    }
}

impl Session for MacObject<'_> {
    #[inline]
    fn start(&mut self, key: &[u8], iv: &[u8]) -> Result<(), Fault> {
        // SAFETY: the object lives; the key is valid for its length.
        let set_key = || unsafe { (self.calls.mac_set_key)(self.raw, key.as_ptr(), key.len()) };
        if !key.is_empty() && set_key() != 0 {
            return Err("botan_mac_set_key");
        }
        // SAFETY: the object lives; the nonce is valid for its length.
        let set_nonce = || unsafe { (self.calls.mac_set_nonce)(self.raw, iv.as_ptr(), iv.len()) };
        if !iv.is_empty() && set_nonce() != 0 {
            return Err("botan_mac_set_nonce");
        }
        Ok(())
    }

    #[inline]
    fn message(&mut self, message: Message<'_>) -> Result<(), Fault> {
        let (data, tag) = (message.data.input(), message.tag);
        if tag.len() != TAG {
            return Err("botan_mac_final of another tag length");
        }
        // SAFETY: the object lives and has its key; the data are valid for their length.
        if unsafe { (self.calls.mac_update)(self.raw, data.as_ptr(), data.len()) } != 0 {
            return Err("botan_mac_update");
        }
        // SAFETY: the object lives; the tag has the length of its tags, which was checked.
        match unsafe { (self.calls.mac_final)(self.raw, tag.as_mut_ptr()) } {
            0 => Ok(()),
            _ => Err("botan_mac_final"),
        }
    }

    fn piece(&mut self, _: Data<'_>) -> Result<(), Fault> {
        Err("botan_mac_update as a stream")
    }
}
