//! The engine `openssl`: the system's libcrypto, opened at run time, through its EVP
//! interface.
//!
//! A cipher is fetched once. Every slot of the ring has a context of its own that holds
//! the ready key; a message sets its IV by `EVP_CipherInit_ex` without cipher and key,
//! and a fresh key by the same call with both, as its manual has it. Padding is off. A
//! tag is read or set by `EVP_CIPHER_CTX_ctrl`.
#![expect(unsafe_code, reason = "the library is called through its C interface")]

use std::ffi::{CStr, c_char, c_int, c_uchar, c_void};
use std::path::{Path, PathBuf};
use std::ptr;

use lab::reply::{Description, KnownWrong, Offer};
use lab::work::{Engine, Keys, Message, Notes, Refusal, Run};
use lab::{Cell, LabError, Model};
use libloading::Library;

mod context;
mod modes;

use context::{Context, Mode};
use modes::Operation;

/// The names under which systems keep the library, newest first.
const NAMES: [&str; 6] = [
    "libcrypto.so.4",
    "libcrypto.so.3",
    "libcrypto.so.1.1",
    "libcrypto.so",
    "libcrypto.3.dylib",
    "libcrypto.dylib",
];

/// What brings the library.
pub(crate) const HOW_TO_GET: &str =
    "`apt-get install openssl` brings libcrypto, or name one with --lib PATH";

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
    path: PathBuf,
    _library: Library,
}

impl OpenSsl {
    /// Opens the library of that path, or the system's.
    pub(crate) fn open(lib: Option<&Path>) -> Result<Self, LabError> {
        let missing = |why: &str| LabError::EngineMissing {
            engine: "openssl".to_owned(),
            how_to_get: format!("{why}; {HOW_TO_GET}"),
        };
        let names = match lib {
            Some(path) => vec![path.to_path_buf()],
            None => NAMES.map(PathBuf::from).to_vec(),
        };
        let opened = names.into_iter().find_map(|path| {
            // SAFETY: libcrypto's initialisers may run at any time; a file that the user
            // names instead is the user's word that the same holds for it.
            unsafe { Library::new(&path) }.ok().map(|library| (path, library))
        });
        let Some((path, library)) = opened else {
            return Err(missing(&match lib {
                Some(path) => format!("{} can't be opened as a shared library", path.display()),
                None => "there is no libcrypto on this system".to_owned(),
            }));
        };
        Self::bind(path, library)
            .map_err(|function| missing(&format!("the library has no function {function}")))
    }

    fn bind(path: PathBuf, library: Library) -> Result<Self, &'static str> {
        /// The function of that name, at the type of the place it is put.
        fn get<T: Copy>(library: &Library, name: &'static str) -> Result<T, &'static str> {
            // SAFETY: the types in `OpenSsl` are those of the header evp.h, alike in
            // versions 1.1.1 to 4.0.
            unsafe { library.get::<T>(name) }.map(|symbol| *symbol).map_err(|_| name)
        }
        Ok(Self {
            version: get(&library, "OpenSSL_version")?,
            fetch: get(&library, "EVP_CIPHER_fetch").ok(),
            by_name: get(&library, "EVP_get_cipherbyname")?,
            new: get(&library, "EVP_CIPHER_CTX_new")?,
            free: get(&library, "EVP_CIPHER_CTX_free")?,
            init: get(&library, "EVP_CipherInit_ex")?,
            update: get(&library, "EVP_CipherUpdate")?,
            finish: get(&library, "EVP_CipherFinal_ex")?,
            ctrl: get(&library, "EVP_CIPHER_CTX_ctrl")?,
            set_padding: get(&library, "EVP_CIPHER_CTX_set_padding")?,
            path: crate::loaded_path(&path),
            _library: library,
        })
    }

    fn version(&self, what: c_int) -> String {
        // SAFETY: the function takes any number and returns a static string.
        let text = unsafe { CStr::from_ptr((self.version)(what)) };
        text.to_string_lossy().into_owned()
    }

    /// The cipher of that name, or null. Fetched once and kept for the life of the process.
    fn cipher(&self, name: &CStr) -> *const Opaque {
        // SAFETY: null stands for the default library context and default properties; the
        // name is a C string.
        unsafe {
            match self.fetch {
                Some(fetch) => fetch(ptr::null_mut(), name.as_ptr(), ptr::null()),
                None => (self.by_name)(name.as_ptr()),
            }
        }
    }
}

impl OpenSsl {
    /// Why an operation can't be had from this library.
    fn lacks(&self, operation: &Operation) -> String {
        let function =
            if self.fetch.is_some() { "EVP_CIPHER_fetch" } else { "EVP_get_cipherbyname" };
        let name = operation.name.to_string_lossy();
        format!("{function} of {} finds no {name}", self.version(0))
    }
}

impl Engine for OpenSsl {
    fn describe(&self) -> Description {
        let (there, missing): (Vec<_>, Vec<_>) =
            modes::all().partition(|operation| !self.cipher(&operation.name).is_null());
        let offer = |it: &Operation| Offer {
            algorithm: it.algorithm.to_owned(),
            operation: it.operation.to_owned(),
            levels: vec![Cell::OWN_LEVEL.to_owned()],
            models: it.models(),
            key_bytes: it.key_bytes,
            nonce_bytes: vec![it.nonce_bytes],
            granule: it.granule,
            tag_bytes: it.kind.tag_bytes(),
        };
        let lacks = |it: &Operation| KnownWrong {
            algorithm: it.algorithm.to_owned(),
            operation: it.operation.to_owned(),
            reason: self.lacks(it),
        };
        // Numbers of OpenSSL_version: 0 the version, 1 the compiler's flags.
        Description {
            engine: "openssl".to_owned(),
            version: self.version(0),
            build: self.version(1),
            path: self.path.display().to_string(),
            offers: there.iter().map(offer).collect(),
            known_wrong: missing.iter().map(lacks).collect(),
        }
    }

    fn prepare(&self, cell: &Cell, keys: &Keys, run: Run<'_>) -> Result<Notes, Refusal> {
        let operation = modes::all()
            .find(|it| it.algorithm == cell.algorithm && it.operation == cell.operation)
            .ok_or_else(|| format!("openssl has no {}/{}", cell.algorithm, cell.operation))?;
        let cipher = self.cipher(&operation.name);
        if cipher.is_null() {
            return Err(self.lacks(&operation).into());
        }
        if operation.kind == modes::Kind::Unit && !cell.model.is_setup() && cell.size < 16 {
            let size = cell.size;
            return Err(format!("a data unit of XTS has at least 16 bytes, not {size}").into());
        }
        let mode = Mode { cipher, encrypt: operation.encrypt, kind: operation.kind };
        let context = |slot| Context::new(self, mode, keys.key(slot), keys.iv(slot));
        match cell.model {
            Model::Init | Model::Packet => {
                let context = context(0)?;
                run(&mut |message: Message<'_>| {
                    context.start(message.key, message.iv)?;
                    context.message(message)
                });
            }
            Model::Key => {
                let context = context(0)?;
                run(&mut |message: Message<'_>| context.start(message.key, &[]));
            }
            Model::Message | Model::Latency => {
                let ready = (0..keys.slots()).map(context);
                let ready: Vec<Context<'_>> = ready.collect::<Result<_, _>>()?;
                run(&mut |message: Message<'_>| {
                    let context = &ready[message.slot];
                    if !message.iv.is_empty() {
                        context.start(&[], message.iv)?;
                    }
                    context.message(message)
                });
            }
            Model::Stream => {
                let context = context(0)?;
                run(&mut |message: Message<'_>| context.update(message.data));
            }
            Model::Batch => return Err("EVP takes one message a call".into()),
        }
        Ok(Notes::default())
    }
}
