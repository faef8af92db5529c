//! The engine `c`: this project's library through its C interface, `bindings/c`.
//!
//! An object is made for a key and kept; a message under another IV is one call. So the rows of
//! this engine beside those of `cipherlane` are the cost of the interface.
#![expect(unsafe_code, reason = "the library is called through its C interface")]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::ptr;

use lab::reply::Description;
use lab::work::{Data, Engine, Fault, Keys, Message, Notes, Refusal, Run};
use lab::{Cell, LabError};

use crate::asked::{self, Operation};
use crate::session::{self, Session};
use crate::shared_library::{Opened, Peer};

/// The library that was built.
pub(crate) const PEER: Peer = Peer {
    engine: "c",
    system: &["libcipherlane.so.0"],
    beside: &[],
    how_to_get: "`cipherlane engines build c` builds it in a clone of the repository, or name one \
                 with --lib PATH",
};

/// `cipherlane_cipher`, `cipherlane_aead`, `cipherlane_mac`: only ever seen as pointers.
type Handle = *mut c_void;
type Text = *const c_char;
type Bytes = *const u8;

type New =
    unsafe extern "C" fn(*mut Handle, Text, Text, Bytes, Bytes, usize, Bytes, usize) -> c_int;
type NewAead = unsafe extern "C" fn(*mut Handle, Text, Text, Bytes, Bytes, usize) -> c_int;
type NewMac = unsafe extern "C" fn(
    *mut Handle,
    Text,
    Text,
    Bytes,
    Bytes,
    usize,
    Bytes,
    usize,
    usize,
) -> c_int;
type Free = unsafe extern "C" fn(Handle);
type OneMessage = unsafe extern "C" fn(Handle, Bytes, usize, Bytes, *mut u8, usize) -> c_int;
type Update = unsafe extern "C" fn(Handle, Bytes, usize, *mut u8, usize, *mut usize) -> c_int;
type Sealed = unsafe extern "C" fn(
    Handle,
    Bytes,
    usize,
    Bytes,
    usize,
    Bytes,
    *mut u8,
    usize,
    *mut u8,
    usize,
) -> c_int;
type Take = unsafe extern "C" fn(Handle, Bytes, usize) -> c_int;
type Give = unsafe extern "C" fn(Handle, *mut u8, usize) -> c_int;

/// The functions that are used, with the library that holds them.
pub(crate) struct FromC {
    version: unsafe extern "C" fn() -> Text,
    cipher_new: New,
    cipher_free: Free,
    cipher_message: OneMessage,
    cipher_update: Update,
    aead_new: NewAead,
    aead_free: Free,
    seal: Sealed,
    open: Sealed,
    mac_new: NewMac,
    mac_free: Free,
    mac_reset: Take,
    mac_update: Take,
    mac_final: Give,
    path: PathBuf,
    _library: Opened,
}

impl FromC {
    /// Opens the library of that path, or the one there is.
    pub(crate) fn open(lib: Option<&Path>) -> Result<Self, LabError> {
        Self::bind(PEER.open(lib)?)
            .map_err(|function| PEER.missing(&format!("the library has no function {function}")))
    }

    fn bind(library: Opened) -> Result<Self, &'static str> {
        // SAFETY: the types are those of the header cipherlane.h.
        unsafe {
            Ok(Self {
                version: library.function("cipherlane_version")?,
                cipher_new: library.function("cipherlane_cipher_new")?,
                cipher_free: library.function("cipherlane_cipher_free")?,
                cipher_message: library.function("cipherlane_cipher_message")?,
                cipher_update: library.function("cipherlane_cipher_update")?,
                aead_new: library.function("cipherlane_aead_new")?,
                aead_free: library.function("cipherlane_aead_free")?,
                seal: library.function("cipherlane_aead_seal")?,
                open: library.function("cipherlane_aead_open")?,
                mac_new: library.function("cipherlane_mac_new")?,
                mac_free: library.function("cipherlane_mac_free")?,
                mac_reset: library.function("cipherlane_mac_reset")?,
                mac_update: library.function("cipherlane_mac_update")?,
                mac_final: library.function("cipherlane_mac_final")?,
                path: library.path.clone(),
                _library: library,
            })
        }
    }

    /// Why an operation can't be had, if it can't.
    fn lacks(&self, operation: &Operation) -> Option<String> {
        let (key, iv) = operation.sample();
        let made = Object::new(self, *operation).and_then(|it| session::started(it, &key, &iv));
        let (cipher, name) = (operation.cipher.algorithm(), operation.name);
        made.err().map(|fault| format!("{fault} refuses {name} of {cipher}"))
    }
}

/// The longest IV of any operation that is asked for, in bytes.
const MOST_IV: usize = 32;

/// One object, which is made anew for each key.
struct Object<'c> {
    calls: &'c FromC,
    operation: Operation,
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

impl<'c> Object<'c> {
    fn new(calls: &'c FromC, operation: Operation) -> Result<Self, Fault> {
        let text = |text: &str| CString::new(text).map_err(|_| "a name");
        let (algorithm, name) = (text(operation.cipher.algorithm())?, text(operation.name)?);
        let (raw, iv) = (ptr::null_mut(), [0; MOST_IV]);
        Ok(Self { calls, operation, algorithm, name, raw, iv, iv_length: 0 })
    }

    fn free(&mut self) {
        let free = match self.operation.mode {
            mode if mode.is_aead() => self.calls.aead_free,
            mode if mode.is_mac() => self.calls.mac_free,
            _ => self.calls.cipher_free,
        };
        // SAFETY: the handle was made by the function that belongs to this one, or is null.
        unsafe { free(self.raw) };
        self.raw = ptr::null_mut();
    }

    fn set_up(&mut self, key: &[u8]) -> Result<(), Fault> {
        self.free();
        let (place, algorithm, name) =
            (&raw mut self.raw, self.algorithm.as_ptr(), self.name.as_ptr());
        let (calls, usual, iv) = (self.calls, ptr::null(), self.iv.as_ptr());
        let (key, length) = (key.as_ptr(), key.len());
        // SAFETY: the names end with zeros; key and IV are valid for their lengths; no settings
        // stand for the usual ones.
        let (status, fault) = unsafe {
            if self.operation.mode.is_aead() {
                let status = (calls.aead_new)(place, algorithm, name, usual, key, length);
                (status, "cipherlane_aead_new")
            } else if self.operation.mode.is_mac() {
                let new = calls.mac_new;
                let status = new(place, algorithm, name, usual, key, length, iv, self.iv_length, 0);
                (status, "cipherlane_mac_new")
            } else {
                let new = calls.cipher_new;
                let status = new(place, algorithm, name, usual, key, length, iv, self.iv_length);
                (status, "cipherlane_cipher_new")
            }
        };
        done(status, fault)
    }
}

fn done(status: c_int, fault: Fault) -> Result<(), Fault> {
    if status == 0 { Ok(()) } else { Err(fault) }
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
        if self.operation.mode.is_mac() && !iv.is_empty() {
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
        let (iv, iv_length) = (self.iv.as_ptr(), self.iv_length);
        // SAFETY: the handle lives; all pointers are valid for their lengths; input and output
        // are the same or disjoint.
        unsafe {
            if self.operation.mode.is_aead() {
                let work = if self.operation.encrypt { self.calls.seal } else { self.calls.open };
                let (aad, aad_length) = (aad.as_ptr(), aad.len());
                let (tag, tag_length) = (tag.as_mut_ptr(), tag.len());
                let status = work(
                    self.raw, iv, iv_length, aad, aad_length, input, output, length, tag,
                    tag_length,
                );
                return done(status, "cipherlane_aead_seal or _open");
            }
            if self.operation.mode.is_mac() {
                done((self.calls.mac_update)(self.raw, input, length), "cipherlane_mac_update")?;
                let status = (self.calls.mac_final)(self.raw, tag.as_mut_ptr(), tag.len());
                done(status, "cipherlane_mac_final")?;
                let status = (self.calls.mac_reset)(self.raw, iv, iv_length);
                return done(status, "cipherlane_mac_reset");
            }
            let work = self.calls.cipher_message;
            done(work(self.raw, iv, iv_length, input, output, length), "cipherlane_cipher_message")
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

impl Engine for FromC {
    fn describe(&self) -> Description {
        let (offers, known_wrong) = asked::offers(|operation| self.lacks(operation));
        // SAFETY: no arguments; a static text.
        let version = unsafe { CStr::from_ptr((self.version)()) };
        Description {
            engine: PEER.engine.to_owned(),
            version: version.to_string_lossy().into_owned(),
            build: String::new(),
            path: self.path.display().to_string(),
            offers,
            known_wrong,
        }
    }

    fn prepare(&self, cell: &Cell, keys: &Keys, run: Run<'_>) -> Result<Notes, Refusal> {
        let operation = asked::find(PEER.engine, cell)?;
        if let Some(reason) = self.lacks(&operation) {
            return Err(reason.into());
        }
        session::run(cell.model, keys, run, |key, iv| {
            session::started(Object::new(self, operation)?, key, iv)
        })?;
        Ok(Notes::default())
    }
}
