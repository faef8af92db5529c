//! One `gcry_mac_hd_t`.

use std::ffi::c_int;
use std::ptr;

use lab::work::{Data, Fault, Message};

use super::{Handle, LibGcrypt, numbers};
use crate::session::Session;

/// A handle for a MAC.
pub(super) struct MacHandle<'g> {
    calls: &'g LibGcrypt,
    raw: Handle,
    /// Whether it holds a message that is finished.
    used: bool,
}

impl Drop for MacHandle<'_> {
    fn drop(&mut self) {
        // SAFETY: it was opened by gcry_mac_open and is closed once.
        unsafe { (self.calls.mac_close)(self.raw) }
    }
}

impl<'g> MacHandle<'g> {
    /// A handle without a key.
    pub(super) fn open(calls: &'g LibGcrypt, algorithm: c_int) -> Result<Self, Fault> {
        let mut raw = ptr::null_mut();
        // SAFETY: the handle is written to a place of its type; unknown numbers are refused;
        // no context is given.
        let error = unsafe { (calls.mac_open)(&raw mut raw, algorithm, 0, ptr::null_mut()) };
        if error == 0 { Ok(Self { calls, raw, used: false }) } else { Err("gcry_mac_open") }
    }

    /// Forgets the message and the IV; the key stays.
    fn reset(&mut self) -> Result<(), Fault> {
        self.used = false;
        // SAFETY: the handle lives; the command takes no data.
        match unsafe { (self.calls.mac_ctl)(self.raw, numbers::RESET, ptr::null_mut(), 0) } {
            0 => Ok(()),
            _ => Err("gcry_mac_ctl"),
        }
    }
}

impl Session for MacHandle<'_> {
    #[inline]
    fn start(&mut self, key: &[u8], iv: &[u8]) -> Result<(), Fault> {
        if !key.is_empty() {
            if self.used {
                // Setting a key does not forget the message before.
                self.reset()?;
            }
            let (bytes, length) = (key.as_ptr().cast(), key.len());
            // SAFETY: the handle lives; the key is valid for its length.
            if unsafe { (self.calls.mac_setkey)(self.raw, bytes, length) } != 0 {
                return Err("gcry_mac_setkey");
            }
        }
        if !iv.is_empty() {
            let (bytes, length) = (iv.as_ptr().cast(), iv.len());
            // SAFETY: the handle lives; the IV is valid for its length.
            if unsafe { (self.calls.mac_setiv)(self.raw, bytes, length) } != 0 {
                return Err("gcry_mac_setiv");
            }
        }
        self.used = false;
        Ok(())
    }

    #[inline]
    fn message(&mut self, message: Message<'_>) -> Result<(), Fault> {
        if self.used {
            self.reset()?;
        }
        let data = message.data.input();
        // SAFETY: the handle lives; the data are valid for their length.
        if unsafe { (self.calls.mac_write)(self.raw, data.as_ptr().cast(), data.len()) } != 0 {
            return Err("gcry_mac_write");
        }
        let tag = message.tag;
        let mut length = tag.len();
        // SAFETY: the handle lives; there is room for as many bytes as are told.
        let error =
            unsafe { (self.calls.mac_read)(self.raw, tag.as_mut_ptr().cast(), &raw mut length) };
        self.used = true;
        if error == 0 && length == tag.len() { Ok(()) } else { Err("gcry_mac_read") }
    }

    fn piece(&mut self, _: Data<'_>) -> Result<(), Fault> {
        Err("gcry_mac_write as a stream")
    }
}
