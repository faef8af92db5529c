//! One object of the interface, led through the models on single messages.
#![expect(unsafe_code, reason = "the library is called through its C interface")]

use std::ffi::CString;
use std::ptr;

use cipherlane::registry::Kind;
use lab::work::{Data, Fault, Message};

use super::Operation;
use super::functions::{Functions, Handle, Options, Settings, done};
use crate::session::Session;

/// The longest IV of any operation, in bytes.
const MOST_IV: usize = 32;

/// One object, which is made anew for each key.
pub(super) struct Object<'c> {
    calls: &'c Functions,
    kind: Kind,
    tag: usize,
    algorithm: CString,
    name: CString,
    raw: Handle,
    iv: [u8; MOST_IV],
    iv_length: usize,
}

impl Drop for Object<'_> {
    fn drop(&mut self) {
        self.free();
    }
}

/// A name of the registry, none of which has a zero byte.
pub(super) fn text(name: &str) -> CString {
    CString::new(name).unwrap_or_default()
}

impl<'c> Object<'c> {
    pub(super) fn new(calls: &'c Functions, operation: &Operation) -> Self {
        Self {
            calls,
            kind: operation.work.kind,
            tag: operation.offer.tag_bytes as usize,
            algorithm: text(operation.work.algorithm.name),
            name: text(operation.work.name),
            raw: ptr::null_mut(),
            iv: [0; MOST_IV],
            iv_length: 0,
        }
    }

    fn free(&mut self) {
        let free = match self.kind {
            Kind::Seal | Kind::Open => self.calls.aead_free,
            Kind::Mac => self.calls.mac_free,
            Kind::Cipher => self.calls.cipher_free,
        };
        // SAFETY: the handle was made by the function that belongs to this one, or is null.
        unsafe { free(self.raw) };
        self.raw = ptr::null_mut();
    }

    fn set_up(&mut self, key: &[u8]) -> Result<(), Fault> {
        self.free();
        let (place, algorithm, name) =
            (&raw mut self.raw, self.algorithm.as_ptr(), self.name.as_ptr());
        let (calls, iv, iv_length) = (self.calls, self.iv.as_ptr(), self.iv_length);
        let tags = matches!(self.kind, Kind::Seal | Kind::Open);
        let settings = Settings::reuse(if tags { self.tag } else { 0 });
        let usual: Options = &raw const settings;
        let (key, length) = (key.as_ptr(), key.len());
        // SAFETY: the names end with zeros; key, IV and settings are valid for their lengths.
        unsafe {
            match self.kind {
                Kind::Seal | Kind::Open => {
                    let status = (calls.aead_new)(place, algorithm, name, usual, key, length);
                    done(status, "cipherlane_aead_new")
                }
                Kind::Mac => {
                    let (new, tag) = (calls.mac_new, self.tag);
                    let status =
                        new(place, algorithm, name, usual, key, length, iv, iv_length, tag);
                    done(status, "cipherlane_mac_new")
                }
                Kind::Cipher => {
                    let new = calls.cipher_new;
                    let status = new(place, algorithm, name, usual, key, length, iv, iv_length);
                    done(status, "cipherlane_cipher_new")
                }
            }
        }
    }
}

impl Session for Object<'_> {
    #[inline]
    fn start(&mut self, key: &[u8], iv: &[u8]) -> Result<(), Fault> {
        if !iv.is_empty() {
            let place = self.iv.get_mut(..iv.len()).ok_or("an IV so long")?;
            place.copy_from_slice(iv);
            self.iv_length = iv.len();
        }
        if !key.is_empty() {
            return self.set_up(key);
        }
        if self.kind == Kind::Mac && !iv.is_empty() {
            // SAFETY: the handle lives; the IV is valid for its length.
            let status = unsafe { (self.calls.mac_reset)(self.raw, iv.as_ptr(), iv.len()) };
            return done(status, "cipherlane_mac_reset");
        }
        Ok(())
    }

    #[inline]
    fn message(&mut self, message: Message<'_>) -> Result<(), Fault> {
        let Message { aad, mut data, tag, .. } = message;
        let (input, output, length) = data.pointers();
        let (calls, iv, iv_length) = (self.calls, self.iv.as_ptr(), self.iv_length);
        // SAFETY: the handle lives; all pointers are valid for their lengths; input and output
        // are the same or disjoint.
        unsafe {
            match self.kind {
                Kind::Seal | Kind::Open => {
                    let seal = self.kind == Kind::Seal;
                    let work = if seal { calls.seal } else { calls.open };
                    let (aad, aad_length) = (aad.as_ptr(), aad.len());
                    let (tag, tag_length) = (tag.as_mut_ptr(), tag.len());
                    let status = work(
                        self.raw, iv, iv_length, aad, aad_length, input, output, length, tag,
                        tag_length,
                    );
                    done(status, "cipherlane_aead_seal or _open")
                }
                Kind::Mac => {
                    let announced = (calls.mac_announce)(self.raw, length as u64);
                    done(announced, "cipherlane_mac_announce")?;
                    done((calls.mac_update)(self.raw, input, length), "cipherlane_mac_update")?;
                    let status = (calls.mac_final)(self.raw, tag.as_mut_ptr(), tag.len());
                    done(status, "cipherlane_mac_final")?;
                    // An IV of the next message starts that one.
                    if iv_length != 0 {
                        return Ok(());
                    }
                    done((calls.mac_reset)(self.raw, iv, 0), "cipherlane_mac_reset")
                }
                Kind::Cipher => {
                    let status =
                        (calls.cipher_message)(self.raw, iv, iv_length, input, output, length);
                    done(status, "cipherlane_cipher_message")
                }
            }
        }
    }

    #[inline]
    fn piece(&mut self, mut data: Data<'_>) -> Result<(), Fault> {
        let (input, output, length) = data.pointers();
        let mut written = 0;
        let place = &raw mut written;
        // SAFETY: as in `message`.
        let status =
            unsafe { (self.calls.cipher_update)(self.raw, input, length, output, length, place) };
        done(status, "cipherlane_cipher_update")
    }
}
