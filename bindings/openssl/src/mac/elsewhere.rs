//! CMAC and GMAC over ciphers that other providers have: Triple DES, Camellia, ARIA.
//!
//! A program that prefers this provider gets its CMAC before anyone knows over which cipher. So
//! where the cipher is none of ours, the context becomes one of another provider's MAC in the same
//! library context, fetched as a program would.

use std::ffi::{CStr, c_int, c_void};
use std::ptr;

use crate::core::Params;
use crate::evp_mac::{Functions, MISSING};
use crate::host::Host;
use crate::reason::Reason;
use crate::{Outcome, instance};

/// A context of another provider's MAC.
pub(super) struct Elsewhere {
    functions: Functions,
    raw: *mut c_void,
}

/// A failure that the other provider has told itself.
fn told(returned: c_int) -> Outcome {
    if returned == 1 { Ok(()) } else { Err(Reason::Told.into()) }
}

impl Elsewhere {
    /// # Safety
    /// `provider` is what OpenSSL got from this provider.
    pub(super) unsafe fn new(provider: *const c_void, host: Host, cmac: bool) -> Outcome<Self> {
        // SAFETY: the caller's promise.
        let functions = unsafe { instance::macs(provider) };
        let functions = *functions.ok_or_else(|| Reason::NotSupported.because(MISSING))?;
        let library_context = host.library_context().ok_or(Reason::MissingCipher)?;
        let name: &CStr = if cmac { c"CMAC" } else { c"GMAC" };
        // SAFETY: texts end with zeros; the functions are of the library whose context it is, and
        // a context keeps the MAC that it is of.
        let raw = unsafe {
            let mac =
                (functions.fetch)(library_context, name.as_ptr(), c"provider!=cipherlane".as_ptr());
            if mac.is_null() {
                return Err(Reason::Told.into());
            }
            let raw = (functions.new)(mac);
            (functions.release)(mac);
            raw
        };
        if raw.is_null() { Err(Reason::Told.into()) } else { Ok(Self { functions, raw }) }
    }

    pub(super) fn init(&mut self, key: Option<&[u8]>) -> Outcome {
        let (data, length) = key.map_or((ptr::null(), 0), |key| (key.as_ptr(), key.len()));
        // SAFETY: the context is this object's own; the key is as long as said.
        told(unsafe { (self.functions.init)(self.raw, data, length, ptr::null()) })
    }

    pub(super) fn update(&mut self, data: &[u8]) -> Outcome {
        // SAFETY: as above.
        told(unsafe { (self.functions.update)(self.raw, data.as_ptr(), data.len()) })
    }

    /// # Safety
    /// `output` is null or valid for writing `room` bytes.
    pub(super) unsafe fn finish(&mut self, output: *mut u8, room: usize) -> Outcome<usize> {
        let mut written = 0;
        // SAFETY: the context is this object's own; the caller's promise.
        told(unsafe { (self.functions.finish)(self.raw, output, &raw mut written, room) })?;
        Ok(written)
    }

    pub(super) fn get(&self, params: Params) -> Outcome {
        // SAFETY: as above; lists are passed on as they came.
        told(unsafe { (self.functions.get)(self.raw, params.list()) })
    }

    pub(super) fn set(&mut self, params: Params) -> Outcome {
        // SAFETY: as above.
        told(unsafe { (self.functions.set)(self.raw, params.list()) })
    }

    pub(super) fn duplicate(&self) -> Outcome<Self> {
        // SAFETY: as above.
        let raw = unsafe { (self.functions.duplicate)(self.raw) };
        let functions = self.functions;
        if raw.is_null() { Err(Reason::Told.into()) } else { Ok(Self { functions, raw }) }
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        // SAFETY: the context is this object's own.
        unsafe { (self.functions.free)(self.raw) }
    }
}
