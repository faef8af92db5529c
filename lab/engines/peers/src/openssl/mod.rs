//! The engine `openssl`: the system's libcrypto, opened at run time, through its EVP
//! interface.
//!
//! A cipher is fetched once. Every slot of the ring has a context of its own that holds
//! the ready key; a message sets its IV by `EVP_CipherInit_ex` without cipher and key,
//! and a fresh key by the same call with both, as its manual has it. Padding is off.
#![expect(unsafe_code, reason = "the library is called through its C interface")]

use std::ffi::{CStr, c_char, c_int, c_uchar, c_void};
use std::path::{Path, PathBuf};
use std::ptr;

use lab::reply::{Description, Offer};
use lab::work::{Data, Engine, Fault, Keys, Message, Notes, Refusal, Run};
use lab::{Cell, LabError, Model};
use libloading::Library;

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

/// The modes: operation, OpenSSL's name, direction, IV length, granule.
const MODES: [(&str, &CStr, c_int, u32, u32); 5] = [
    ("ecb-encrypt", c"SM4-ECB", 1, 0, 16),
    ("ecb-decrypt", c"SM4-ECB", 0, 0, 16),
    ("cbc-encrypt", c"SM4-CBC", 1, 16, 16),
    ("cbc-decrypt", c"SM4-CBC", 0, 16, 16),
    ("ctr", c"SM4-CTR", 1, 16, 1),
];

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

    /// A context under a key.
    fn context(&self, mode: Mode, key: &[u8], iv: &[u8]) -> Result<Context<'_>, Fault> {
        // SAFETY: no arguments; null is checked below.
        let raw = unsafe { (self.new)() };
        if raw.is_null() {
            return Err("EVP_CIPHER_CTX_new");
        }
        let context = Context { ssl: self, raw };
        // SAFETY: the context lives; the cipher was fetched; the key and the IV have the
        // lengths that `describe` offers, which are the cipher's.
        let done = unsafe {
            (self.init)(raw, mode.cipher, ptr::null_mut(), key.as_ptr(), or_null(iv), mode.encrypt)
                == 1
                && (self.set_padding)(raw, 0) == 1
        };
        if done { Ok(context) } else { Err("EVP_CipherInit_ex") }
    }
}

/// A mode as OpenSSL takes it.
#[derive(Clone, Copy)]
struct Mode {
    cipher: *const Opaque,
    encrypt: c_int,
}

/// An `EVP_CIPHER_CTX` with its cipher, direction and padding set.
struct Context<'s> {
    ssl: &'s OpenSsl,
    raw: *mut Opaque,
}

impl Drop for Context<'_> {
    fn drop(&mut self) {
        // SAFETY: it was made by EVP_CIPHER_CTX_new and is freed once.
        unsafe { (self.ssl.free)(self.raw) }
    }
}

impl Context<'_> {
    /// Sets a fresh key, if there is one, and an IV, if the mode has one.
    #[inline]
    fn start(&self, key: &[u8], iv: &[u8]) -> Result<(), Fault> {
        // SAFETY: the context lives and has its cipher; key and IV are null, which keeps
        // what was set, or of the offered lengths.
        let done = unsafe {
            let (key, iv) = (or_null(key), or_null(iv));
            (self.ssl.init)(self.raw, ptr::null(), ptr::null_mut(), key, iv, -1)
        };
        if done == 1 { Ok(()) } else { Err("EVP_CipherInit_ex") }
    }

    #[inline]
    fn update(&self, mut data: Data<'_>) -> Result<(), Fault> {
        let (input, output, length) = data.pointers();
        if length == 0 {
            return Ok(());
        }
        let length = c_int::try_from(length).map_err(|_| "EVP_CipherUpdate of over 2 GiB")?;
        let mut written = 0;
        // SAFETY: both pointers are valid for `length` bytes, the same or disjoint; without
        // padding, and with whole blocks where the mode wants them, as many are written.
        let done = unsafe { (self.ssl.update)(self.raw, output, &raw mut written, input, length) };
        if done == 1 && written == length { Ok(()) } else { Err("EVP_CipherUpdate") }
    }
}

fn or_null(bytes: &[u8]) -> *const c_uchar {
    if bytes.is_empty() { ptr::null() } else { bytes.as_ptr() }
}

impl Engine for OpenSsl {
    fn describe(&self) -> Description {
        let mut models =
            vec![Model::Init, Model::Key, Model::Stream, Model::Packet, Model::Message];
        let mut offers = Vec::new();
        for (operation, name, _, nonce, granule) in MODES {
            if self.cipher(name).is_null() {
                continue;
            }
            models.retain(|model| *model != Model::Latency);
            if nonce == 0 {
                models.push(Model::Latency);
            }
            offers.push(Offer {
                algorithm: "sm4".to_owned(),
                operation: operation.to_owned(),
                levels: vec![Cell::OWN_LEVEL.to_owned()],
                models: models.clone(),
                key_bytes: 16,
                nonce_bytes: vec![nonce],
                granule,
                tag_bytes: 0,
            });
        }
        // Numbers of OpenSSL_version: 0 the version, 1 the compiler's flags.
        Description {
            engine: "openssl".to_owned(),
            version: self.version(0),
            build: self.version(1),
            path: self.path.display().to_string(),
            offers,
            known_wrong: Vec::new(),
        }
    }

    fn prepare(&self, cell: &Cell, keys: &Keys, run: Run<'_>) -> Result<Notes, Refusal> {
        let known = |mode: &&(&str, &CStr, c_int, u32, u32)| {
            cell.algorithm == "sm4" && mode.0 == cell.operation
        };
        let (_, name, encrypt, ..) = MODES
            .iter()
            .find(known)
            .ok_or_else(|| format!("openssl has no {}/{}", cell.algorithm, cell.operation))?;
        let mode = Mode { cipher: self.cipher(name), encrypt: *encrypt };
        if mode.cipher.is_null() {
            return Err(format!("this libcrypto was built without {name:?}").into());
        }
        let context = |slot| self.context(mode, keys.key(slot), keys.iv(slot));
        match cell.model {
            Model::Init | Model::Packet => {
                let context = context(0)?;
                run(&mut |message: Message<'_>| {
                    context.start(message.key, message.iv)?;
                    context.update(message.data)
                });
            }
            Model::Key => {
                let context = context(0)?;
                run(&mut |message: Message<'_>| context.start(message.key, &[]));
            }
            Model::Message | Model::Latency => {
                let ready = (0..lab::input::RING).map(context);
                let ready: Vec<Context<'_>> = ready.collect::<Result<_, _>>()?;
                run(&mut |message: Message<'_>| {
                    let context = &ready[message.slot];
                    if !message.iv.is_empty() {
                        context.start(&[], message.iv)?;
                    }
                    context.update(message.data)
                });
            }
            Model::Stream => {
                let context = context(0)?;
                run(&mut |message: Message<'_>| context.update(message.data));
            }
        }
        Ok(Notes::default())
    }
}
