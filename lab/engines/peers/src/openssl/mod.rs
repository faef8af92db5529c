//! The engines `openssl`, the system's libcrypto, and `openssl4`, the one that was built into
//! the cache: opened at run time, through the EVP interface; and `openssl-provider`, this
//! project's provider in either of them.
//!
//! A cipher is fetched once. Every slot of the ring has a context of its own that holds
//! the ready key; a message sets its IV by `EVP_CipherInit_ex` without cipher and key,
//! and a fresh key by the same call with both, as its manual has it. Padding is off. A
//! tag is read or set by `EVP_CIPHER_CTX_ctrl`. MACs go through `EVP_MAC`, by the same
//! pattern.
#![expect(unsafe_code, reason = "the library is called through its C interface")]

use std::ffi::{CStr, CString, c_char, c_int, c_uchar, c_void};
use std::path::{Path, PathBuf};
use std::ptr;

use lab::reply::Description;
use lab::work::{Engine, Keys, Notes, Refusal, Run};
use lab::{Cell, LabError};

mod context;
mod mac;
mod names;
mod parameters;

use context::{Context, Mode};
use mac::MacContext;
use parameters::Parameter;

use crate::peer_operations::{self, Operation};
use crate::session;
use crate::shared_library::{Opened, Peer};

/// The system's libcrypto, the newest there is.
pub(crate) const SYSTEM: Peer = Peer {
    engine: "openssl",
    system: &[
        "libcrypto.so.4",
        "libcrypto.so.3",
        "libcrypto.so.1.1",
        "libcrypto.so",
        "libcrypto.3.dylib",
        "libcrypto.dylib",
    ],
    beside: &[],
    how_to_get: "`apt-get install openssl` brings libcrypto, or name one with --lib PATH",
};

/// OpenSSL 4.0 from the cache.
pub(crate) const BUILT: Peer = Peer {
    engine: "openssl4",
    system: &[],
    beside: &[],
    how_to_get: "`cipherlane engines build openssl4` builds it, or name one with --lib PATH",
};

/// Tongsuo, which comes of OpenSSL 3.5, from the cache.
pub(crate) const TONGSUO: Peer = Peer {
    engine: "tongsuo",
    system: &[],
    beside: &[],
    how_to_get: "`cipherlane engines build tongsuo` builds it, or name one with --lib PATH",
};

/// This project's provider, which is loaded into a libcrypto.
pub(crate) const PROVIDER: Peer = Peer {
    engine: "openssl-provider",
    system: &[],
    beside: &[],
    how_to_get: "`cipherlane engines build openssl-provider` builds it in a clone of the \
                 repository, or name one with --lib PATH",
};

/// `EVP_CIPHER`, `EVP_CIPHER_CTX`, `ENGINE`, `OSSL_LIB_CTX`: only ever seen as pointers.
type Opaque = c_void;

/// The functions of libcrypto that are used, with the library that holds them.
pub(crate) struct OpenSsl {
    version: unsafe extern "C" fn(c_int) -> *const c_char,
    fetch: Option<unsafe extern "C" fn(*mut Opaque, *const c_char, *const c_char) -> *mut Opaque>,
    by_name: unsafe extern "C" fn(*const c_char) -> *const Opaque,
    new: unsafe extern "C" fn() -> *mut Opaque,
    free: unsafe extern "C" fn(*mut Opaque),
    init: unsafe extern "C" fn(
        *mut Opaque,
        *const Opaque,
        *mut Opaque,
        *const c_uchar,
        *const c_uchar,
        c_int,
    ) -> c_int,
    update:
        unsafe extern "C" fn(*mut Opaque, *mut c_uchar, *mut c_int, *const c_uchar, c_int) -> c_int,
    finish: unsafe extern "C" fn(*mut Opaque, *mut c_uchar, *mut c_int) -> c_int,
    ctrl: unsafe extern "C" fn(*mut Opaque, c_int, c_int, *mut c_void) -> c_int,
    set_padding: unsafe extern "C" fn(*mut Opaque, c_int) -> c_int,
    set_params: Option<unsafe extern "C" fn(*mut Opaque, *const Parameter) -> c_int>,
    mac: Result<MacFunctions, &'static str>,
    peer: Peer,
    /// Which provider's algorithms are fetched; null for any.
    properties: *const c_char,
    path: PathBuf,
    _library: Opened,
}

/// The functions for MACs, which came with version 3.0.
#[derive(Clone, Copy)]
struct MacFunctions {
    fetch: unsafe extern "C" fn(*mut Opaque, *const c_char, *const c_char) -> *mut Opaque,
    new: unsafe extern "C" fn(*mut Opaque) -> *mut Opaque,
    free: unsafe extern "C" fn(*mut Opaque),
    set: unsafe extern "C" fn(*mut Opaque, *const Parameter) -> c_int,
    init: unsafe extern "C" fn(*mut Opaque, *const c_uchar, usize, *const Parameter) -> c_int,
    update: unsafe extern "C" fn(*mut Opaque, *const c_uchar, usize) -> c_int,
    finish: unsafe extern "C" fn(*mut Opaque, *mut c_uchar, *mut usize, usize) -> c_int,
}

impl MacFunctions {
    fn bind(library: &Opened) -> Result<Self, &'static str> {
        // SAFETY: the types are those of the header evp.h, alike in versions 3.0 to 4.0.
        unsafe {
            Ok(Self {
                fetch: library.function("EVP_MAC_fetch")?,
                new: library.function("EVP_MAC_CTX_new")?,
                free: library.function("EVP_MAC_CTX_free")?,
                set: library.function("EVP_MAC_CTX_set_params")?,
                init: library.function("EVP_MAC_init")?,
                update: library.function("EVP_MAC_update")?,
                finish: library.function("EVP_MAC_final")?,
            })
        }
    }
}

impl OpenSsl {
    /// Opens a library: that of the path, or the one the engine is made for.
    pub(crate) fn open(peer: Peer, lib: Option<&Path>) -> Result<Self, LabError> {
        Self::bind(peer, peer.open(lib)?)
            .map_err(|function| peer.missing(&format!("the library has no function {function}")))
    }

    /// Opens this project's provider: that of the path, or the one that was built, in the
    /// libcrypto that was built, else in the system's.
    pub(crate) fn open_provider(lib: Option<&Path>) -> Result<Self, LabError> {
        let built = recipes::library(PROVIDER.engine);
        let absent = || PROVIDER.missing("its library is not in the cache");
        let provider = lib.map(Path::to_path_buf).or(built).ok_or_else(absent)?;
        let mut ssl = Self::open(BUILT, None).or_else(|_| Self::open(SYSTEM, None))?;
        ssl.load(&provider).map_err(|why| PROVIDER.missing(&why))?;
        (ssl.peer, ssl.path) = (PROVIDER, provider);
        Ok(ssl)
    }

    /// Loads a provider, from which alone everything is fetched then.
    fn load(&mut self, provider: &Path) -> Result<(), String> {
        type SetPath = unsafe extern "C" fn(*mut Opaque, *const c_char) -> c_int;
        type Load = unsafe extern "C" fn(*mut Opaque, *const c_char) -> *mut Opaque;
        let folder = provider.parent().map(|folder| folder.display().to_string());
        let folder = CString::new(folder.unwrap_or_default()).map_err(|error| error.to_string())?;
        let named = provider.file_name().is_some_and(|name| name == "cipherlane.so");
        if !named || !provider.is_file() {
            return Err(format!("{} is no file cipherlane.so", provider.display()));
        }
        // SAFETY: the types are those of the header provider.h; null stands for the default
        // library context, the texts are C strings.
        let loaded = unsafe {
            let set: SetPath = self._library.function("OSSL_PROVIDER_set_default_search_path")?;
            let load: Load = self._library.function("OSSL_PROVIDER_load")?;
            set(ptr::null_mut(), folder.as_ptr()) == 1
                && !load(ptr::null_mut(), c"cipherlane".as_ptr()).is_null()
        };
        if !loaded {
            return Err(format!("{} refuses {}", self.version(0), provider.display()));
        }
        self.properties = c"provider=cipherlane".as_ptr();
        Ok(())
    }

    /// Asks for the provider of the older ciphers. Where it isn't there, these are lacking;
    /// before version 3.0 they were in the library itself.
    fn load_providers(library: &Opened) {
        type Load = unsafe extern "C" fn(*mut Opaque, *const c_char) -> *mut Opaque;
        // SAFETY: the type is that of the header provider.h; null stands for the default library
        // context, the names are C strings.
        unsafe {
            if let Ok(load) = library.function::<Load>("OSSL_PROVIDER_load") {
                // A provider that is asked for keeps the default one from coming by itself.
                for name in [c"default", c"legacy"] {
                    load(ptr::null_mut(), name.as_ptr());
                }
            }
        }
    }

    fn bind(peer: Peer, library: Opened) -> Result<Self, &'static str> {
        Self::load_providers(&library);
        // SAFETY: the types in `OpenSsl` are those of the header evp.h, alike in versions
        // 1.1.1 to 4.0.
        unsafe {
            Ok(Self {
                version: library.function("OpenSSL_version")?,
                fetch: library.function("EVP_CIPHER_fetch").ok(),
                by_name: library.function("EVP_get_cipherbyname")?,
                new: library.function("EVP_CIPHER_CTX_new")?,
                free: library.function("EVP_CIPHER_CTX_free")?,
                init: library.function("EVP_CipherInit_ex")?,
                update: library.function("EVP_CipherUpdate")?,
                finish: library.function("EVP_CipherFinal_ex")?,
                ctrl: library.function("EVP_CIPHER_CTX_ctrl")?,
                set_padding: library.function("EVP_CIPHER_CTX_set_padding")?,
                set_params: library.function("EVP_CIPHER_CTX_set_params").ok(),
                mac: MacFunctions::bind(&library),
                peer,
                properties: ptr::null(),
                path: library.path.clone(),
                _library: library,
            })
        }
    }

    fn version(&self, what: c_int) -> String {
        // SAFETY: the function takes any number and returns a static string.
        let text = unsafe { CStr::from_ptr((self.version)(what)) };
        text.to_string_lossy().into_owned()
    }

    /// The cipher of that name, or null. Fetched once and kept for the life of the process.
    fn cipher(&self, name: &CStr) -> *const Opaque {
        // SAFETY: null stands for the default library context; the properties are null or a C string; the
        // name is a C string.
        unsafe {
            match self.fetch {
                Some(fetch) => fetch(ptr::null_mut(), name.as_ptr(), self.properties),
                None => (self.by_name)(name.as_ptr()),
            }
        }
    }
}

impl OpenSsl {
    /// Why an operation can't be had from this library, if it can't.
    fn lacks(&self, operation: &Operation) -> Option<String> {
        let version = self.version(0);
        if let Some(name) = names::mac(operation.mode) {
            let name = name.to_string_lossy().into_owned();
            match self.mac {
                Err(function) => return Some(format!("{version} has no function {function}")),
                Ok(_) if self.fetched_mac(operation).is_null() => {
                    return Some(format!("EVP_MAC_fetch of {version} finds no {name}"));
                }
                Ok(_) => {}
            }
        }
        let name = names::cipher(operation);
        if self.cipher(&name).is_null() {
            let function =
                if self.fetch.is_some() { "EVP_CIPHER_fetch" } else { "EVP_get_cipherbyname" };
            return Some(format!("{function} of {version} finds no {}", name.to_string_lossy()));
        }
        if chooses_xts(operation) && self.set_params.is_none() {
            return Some(format!("{version} has no function EVP_CIPHER_CTX_set_params"));
        }
        None
    }

    /// The MAC of an operation, or null. Fetched and kept for the life of the process.
    fn fetched_mac(&self, operation: &Operation) -> *mut Opaque {
        match (names::mac(operation.mode), self.mac) {
            // SAFETY: null stands for the default library context; the properties are null or a C string;
            // the name is a C string.
            (Some(name), Ok(calls)) => unsafe {
                (calls.fetch)(ptr::null_mut(), name.as_ptr(), self.properties)
            },
            _ => ptr::null_mut(),
        }
    }
}

/// Whether an operation is one of the two standards of SM4-XTS.
fn chooses_xts(operation: &Operation) -> bool {
    operation.cipher == "sm4" && operation.mode.is_xts()
}

impl Engine for OpenSsl {
    fn describe(&self) -> Description {
        let (offers, known_wrong) = peer_operations::offers(|operation| self.lacks(operation));
        // Numbers of OpenSSL_version: 0 the version, 1 the compiler's flags, 11 Tongsuo's own version.
        let own = Some(self.version(11)).filter(|it| it.starts_with("Tongsuo"));
        Description {
            engine: self.peer.engine.to_owned(),
            version: own.unwrap_or_else(|| self.version(0)),
            build: self.version(1),
            path: self.path.display().to_string(),
            offers,
            known_wrong,
        }
    }

    fn prepare(&self, cell: &Cell, keys: &Keys, run: Run<'_>) -> Result<Notes, Refusal> {
        let operation = peer_operations::find(self.peer.engine, cell)?;
        if let Some(reason) = self.lacks(&operation) {
            return Err(reason.into());
        }
        match &self.mac {
            Ok(calls) if operation.mode.is_mac() => {
                let mac = self.fetched_mac(&operation);
                session::run(cell.model, keys, run, |key, iv| {
                    MacContext::new(calls, mac, &operation, key, iv)
                })?;
            }
            _ => {
                let mode = Mode {
                    cipher: self.cipher(&names::cipher(&operation)),
                    encrypt: operation.encrypt,
                    mode: operation.mode,
                    choose_xts: chooses_xts(&operation),
                };
                session::run(cell.model, keys, run, |key, iv| Context::new(self, mode, key, iv))?;
            }
        }
        Ok(Notes::default())
    }
}
