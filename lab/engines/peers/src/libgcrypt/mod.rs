//! The engine `libgcrypt`, through `gcry_cipher_…` and `gcry_mac_…`.
//!
//! A handle is opened for a cipher in a mode and kept; a key is set by `…_setkey`, an IV by
//! `…_setiv` or `…_setctr`, which also forget the message before. The library wants to be
//! asked for its version before anything else, and works without locked memory, which no
//! figure depends on.
#![expect(unsafe_code, reason = "the library is called through its C interface")]

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::path::{Path, PathBuf};
use std::ptr;

use lab::reply::Description;
use lab::work::{Engine, Keys, Notes, Refusal, Run};
use lab::{Cell, LabError};

mod cipher;
mod mac;
mod numbers;

use cipher::CipherHandle;
use mac::MacHandle;

use crate::peer_operations::{self, Operation};
use crate::session;
use crate::shared_library::{Opened, Peer};

/// libgcrypt from the cache or the system.
pub(crate) const PEER: Peer = Peer {
    engine: "libgcrypt",
    system: &["libgcrypt.so.20", "libgcrypt.so", "libgcrypt.20.dylib"],
    beside: &["libgpg-error.so.0"],
    how_to_get: "`cipherlane engines build libgcrypt` fetches it, or name one with --lib PATH",
};

/// `gcry_cipher_hd_t` and `gcry_mac_hd_t`: only ever seen as pointers.
type Handle = *mut c_void;

/// `gcry_error_t`; 0 is success.
type GcryError = c_uint;

/// The functions of libgcrypt that are used, with the library that holds them.
pub(crate) struct LibGcrypt {
    version: String,
    cipher_open: unsafe extern "C" fn(*mut Handle, c_int, c_int, c_uint) -> GcryError,
    cipher_close: unsafe extern "C" fn(Handle),
    cipher_setkey: unsafe extern "C" fn(Handle, *const c_void, usize) -> GcryError,
    cipher_setiv: unsafe extern "C" fn(Handle, *const c_void, usize) -> GcryError,
    cipher_setctr: unsafe extern "C" fn(Handle, *const c_void, usize) -> GcryError,
    cipher_ctl: unsafe extern "C" fn(Handle, c_int, *mut c_void, usize) -> GcryError,
    cipher_authenticate: unsafe extern "C" fn(Handle, *const c_void, usize) -> GcryError,
    encrypt: Transform,
    decrypt: Transform,
    cipher_gettag: unsafe extern "C" fn(Handle, *mut c_void, usize) -> GcryError,
    cipher_checktag: unsafe extern "C" fn(Handle, *const c_void, usize) -> GcryError,
    mac_open: unsafe extern "C" fn(*mut Handle, c_int, c_uint, *mut c_void) -> GcryError,
    mac_close: unsafe extern "C" fn(Handle),
    mac_setkey: unsafe extern "C" fn(Handle, *const c_void, usize) -> GcryError,
    mac_setiv: unsafe extern "C" fn(Handle, *const c_void, usize) -> GcryError,
    mac_ctl: unsafe extern "C" fn(Handle, c_int, *mut c_void, usize) -> GcryError,
    mac_write: unsafe extern "C" fn(Handle, *const c_void, usize) -> GcryError,
    mac_read: unsafe extern "C" fn(Handle, *mut c_void, *mut usize) -> GcryError,
    path: PathBuf,
    _library: Opened,
}

/// `gcry_cipher_encrypt` or `gcry_cipher_decrypt`.
type Transform =
    unsafe extern "C" fn(Handle, *mut c_void, usize, *const c_void, usize) -> GcryError;

impl LibGcrypt {
    /// Opens the library of that path, or the one there is.
    pub(crate) fn open(lib: Option<&Path>) -> Result<Self, LabError> {
        Self::bind(PEER.open(lib)?)
            .map_err(|function| PEER.missing(&format!("the library has no function {function}")))
    }

    fn bind(library: Opened) -> Result<Self, &'static str> {
        // SAFETY: the types are those of the header gcrypt.h, alike in versions 1.6 to 1.12.
        unsafe {
            Ok(Self {
                version: initialize(&library)?,
                cipher_open: library.function("gcry_cipher_open")?,
                cipher_close: library.function("gcry_cipher_close")?,
                cipher_setkey: library.function("gcry_cipher_setkey")?,
                cipher_setiv: library.function("gcry_cipher_setiv")?,
                cipher_setctr: library.function("gcry_cipher_setctr")?,
                cipher_ctl: library.function("gcry_cipher_ctl")?,
                cipher_authenticate: library.function("gcry_cipher_authenticate")?,
                encrypt: library.function("gcry_cipher_encrypt")?,
                decrypt: library.function("gcry_cipher_decrypt")?,
                cipher_gettag: library.function("gcry_cipher_gettag")?,
                cipher_checktag: library.function("gcry_cipher_checktag")?,
                mac_open: library.function("gcry_mac_open")?,
                mac_close: library.function("gcry_mac_close")?,
                mac_setkey: library.function("gcry_mac_setkey")?,
                mac_setiv: library.function("gcry_mac_setiv")?,
                mac_ctl: library.function("gcry_mac_ctl")?,
                mac_write: library.function("gcry_mac_write")?,
                mac_read: library.function("gcry_mac_read")?,
                path: library.path.clone(),
                _library: library,
            })
        }
    }

    /// Why an operation can't be had from this library, if it can't.
    fn lacks(&self, operation: &Operation) -> Option<String> {
        let (version, cipher, name) = (&self.version, operation.cipher, operation.name);
        // Some modes open for every cipher and refuse its key or IV.
        let (key, iv) = operation.sample();
        let tried = match (numbers::mac(operation), numbers::mode(operation.mode)) {
            (Some(algorithm), _) => MacHandle::open(self, algorithm)
                .and_then(|handle| session::started(handle, &key, &iv))
                .map(drop),
            (None, Some(mode)) => CipherHandle::open(self, operation, mode)
                .and_then(|handle| session::started(handle, &key, &iv))
                .map(drop),
            (None, None) => {
                let open = if operation.mode.is_mac() { "mac" } else { "cipher" };
                return Some(format!(
                    "gcry_{open}_open of libgcrypt {version} knows no {name} of {cipher}"
                ));
            }
        };
        let fault = tried.err()?;
        Some(format!("{fault} of libgcrypt {version} refuses {name} of {cipher}"))
    }
}

/// Initialises the library as its manual wants it, before anything else; its version.
fn initialize(library: &Opened) -> Result<String, &'static str> {
    type CheckVersion = unsafe extern "C" fn(*const c_char) -> *const c_char;
    type Control = unsafe extern "C" fn(c_int, ...) -> GcryError;
    const CHECK: &str = "gcry_check_version";
    // SAFETY: the types are those of the header gcrypt.h. Null asks for no version in
    // particular; the answer is a static string. The commands take no argument beyond a
    // number, and come before any other use.
    unsafe {
        let check: CheckVersion = library.function(CHECK)?;
        let control: Control = library.function("gcry_control")?;
        let version = check(ptr::null());
        if version.is_null() {
            return Err(CHECK);
        }
        if control(numbers::INITIALIZATION_FINISHED_P) == 0 {
            control(numbers::DISABLE_SECMEM, 0 as c_int);
            control(numbers::INITIALIZATION_FINISHED, 0 as c_int);
        }
        Ok(CStr::from_ptr(version).to_string_lossy().into_owned())
    }
}

impl Engine for LibGcrypt {
    fn describe(&self) -> Description {
        let (offers, known_wrong) = peer_operations::offers(|operation| self.lacks(operation));
        Description {
            engine: PEER.engine.to_owned(),
            version: format!("libgcrypt {}", self.version),
            build: String::new(),
            path: self.path.display().to_string(),
            offers,
            known_wrong,
        }
    }

    fn prepare(&self, cell: &Cell, keys: &Keys, run: Run<'_>) -> Result<Notes, Refusal> {
        let operation = peer_operations::find(PEER.engine, cell)?;
        if let Some(reason) = self.lacks(&operation) {
            return Err(reason.into());
        }
        let (mac, mode) = (numbers::mac(&operation), numbers::mode(operation.mode));
        match (mac, mode) {
            (Some(algorithm), _) => session::run(cell.model, keys, run, |key, iv| {
                session::started(MacHandle::open(self, algorithm)?, key, iv)
            })?,
            (None, Some(mode)) => session::run(cell.model, keys, run, |key, iv| {
                session::started(CipherHandle::open(self, &operation, mode)?, key, iv)
            })?,
            (None, None) => return Err(format!("libgcrypt has no {}", operation.name).into()),
        }
        Ok(Notes::default())
    }
}
