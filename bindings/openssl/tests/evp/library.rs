//! A libcrypto with the provider loaded, and its EVP calls.

use std::env;
use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::OnceLock;

pub type Handle = *mut c_void;

/// `OSSL_PARAM`.
#[repr(C)]
pub struct Param {
    pub key: *const c_char,
    pub data_type: u32,
    pub data: *mut c_void,
    pub data_size: usize,
    pub return_size: usize,
}

impl Param {
    pub fn end() -> Self {
        Self { key: ptr::null(), data_type: 0, data: ptr::null_mut(), data_size: 0, return_size: 0 }
    }
}

pub struct Library(libloading::Library);

/// The library to test in, or none if nobody has named one.
pub fn library() -> Option<&'static Library> {
    // Never closed: what it left for the ends of threads would be called after it is gone.
    static LIBRARY: OnceLock<Option<Library>> = OnceLock::new();
    LIBRARY.get_or_init(open).as_ref()
}

fn open() -> Option<Library> {
    let (Some(path), Some(folder)) =
        (env::var_os("CIPHERLANE_LIBCRYPTO"), env::var("CIPHERLANE_PROVIDER").ok())
    else {
        println!("no CIPHERLANE_LIBCRYPTO and CIPHERLANE_PROVIDER: nothing to test in");
        return None;
    };
    let library = Library(unsafe { libloading::Library::new(path) }.expect("libcrypto"));
    let folder = CString::new(folder).unwrap();
    unsafe {
        let path: unsafe extern "C" fn(Handle, *const c_char) -> c_int =
            library.get(b"OSSL_PROVIDER_set_default_search_path");
        assert_eq!(path(ptr::null_mut(), folder.as_ptr()), 1);
        let load: unsafe extern "C" fn(Handle, *const c_char) -> Handle =
            library.get(b"OSSL_PROVIDER_load");
        for name in [c"cipherlane", c"default"] {
            assert!(!load(ptr::null_mut(), name.as_ptr()).is_null(), "{name:?}");
        }
    }
    Some(library)
}

/// Bytes that differ.
pub fn bytes(count: usize) -> Vec<u8> {
    (0..count).map(|i| (i * 7 + i / 251) as u8).collect()
}

impl Library {
    /// # Safety
    /// The type must be that of the function.
    pub unsafe fn get<T: Copy>(&self, name: &[u8]) -> T {
        *unsafe { self.0.get::<T>(name) }.unwrap_or_else(|error| panic!("{error}"))
    }

    pub fn lacks(&self, name: &[u8]) -> bool {
        unsafe { self.0.get::<unsafe extern "C" fn()>(name) }.is_err()
    }

    pub fn fetch(&self, name: &str, properties: &str) -> Handle {
        let (name, properties) = (CString::new(name).unwrap(), CString::new(properties).unwrap());
        unsafe {
            let fetch: unsafe extern "C" fn(Handle, *const c_char, *const c_char) -> Handle =
                self.get(b"EVP_CIPHER_fetch");
            fetch(ptr::null_mut(), name.as_ptr(), properties.as_ptr())
        }
    }

    pub fn has(&self, name: &str, properties: &str) -> bool {
        !self.fetch(name, properties).is_null()
    }
}

/// An `EVP_CIPHER_CTX`.
pub struct Context<'l> {
    pub library: &'l Library,
    pub raw: Handle,
    pub cipher: Handle,
}

impl Drop for Context<'_> {
    fn drop(&mut self) {
        unsafe {
            let free: unsafe extern "C" fn(Handle) = self.library.get(b"EVP_CIPHER_CTX_free");
            free(self.raw);
        }
    }
}

fn or_null(bytes: Option<&[u8]>) -> *const u8 {
    bytes.map_or(ptr::null(), <[u8]>::as_ptr)
}

impl<'l> Context<'l> {
    pub fn new(library: &'l Library, name: &str, properties: &str) -> Self {
        let cipher = library.fetch(name, properties);
        assert!(!cipher.is_null(), "{name} of {properties}");
        let raw = unsafe {
            let new: unsafe extern "C" fn() -> Handle = library.get(b"EVP_CIPHER_CTX_new");
            new()
        };
        Self { library, raw, cipher }
    }

    pub fn key_length(&self) -> usize {
        unsafe {
            let length: unsafe extern "C" fn(Handle) -> c_int =
                self.library.get(b"EVP_CIPHER_get_key_length");
            usize::try_from(length(self.cipher)).unwrap()
        }
    }

    pub fn init(&self, encrypt: bool, key: Option<&[u8]>, iv: Option<&[u8]>) -> bool {
        type Init =
            unsafe extern "C" fn(Handle, Handle, Handle, *const u8, *const u8, c_int) -> c_int;
        unsafe {
            let init: Init = self.library.get(b"EVP_CipherInit_ex");
            // The cipher is told once: told again, it would begin anew.
            let cipher = if key.is_none() && iv.is_none() { self.cipher } else { ptr::null_mut() };
            let first: unsafe extern "C" fn(Handle) -> Handle =
                self.library.get(b"EVP_CIPHER_CTX_get0_cipher");
            let cipher = if first(self.raw).is_null() { self.cipher } else { cipher };
            let none = ptr::null_mut();
            init(self.raw, cipher, none, or_null(key), or_null(iv), c_int::from(encrypt)) == 1
        }
    }

    pub fn ctrl(&self, what: c_int, bytes: &[u8]) -> c_int {
        self.control(what, bytes.len(), bytes.as_ptr().cast_mut())
    }

    fn control(&self, what: c_int, length: usize, bytes: *mut u8) -> c_int {
        unsafe {
            let ctrl: unsafe extern "C" fn(Handle, c_int, c_int, *mut u8) -> c_int =
                self.library.get(b"EVP_CIPHER_CTX_ctrl");
            ctrl(self.raw, what, c_int::try_from(length).unwrap(), bytes)
        }
    }

    pub fn set_iv_length(&self, length: usize) -> bool {
        self.control(0x9, length, ptr::null_mut()) == 1
    }

    pub fn set_tag(&self, tag: Option<&[u8]>, length: usize) -> bool {
        self.control(0x11, length, or_null(tag).cast_mut()) == 1
    }

    pub fn tag(&self, length: usize) -> Option<Vec<u8>> {
        let mut tag = vec![0; length];
        (self.control(0x10, length, tag.as_mut_ptr()) == 1).then_some(tag)
    }

    pub fn set_text(&self, name: &str, value: &str) -> bool {
        let name = CString::new(name).unwrap();
        let mut list = [Param::end(), Param::end()];
        list[0] = Param {
            key: name.as_ptr(),
            data_type: 4,
            data: value.as_ptr().cast_mut().cast(),
            data_size: value.len(),
            return_size: usize::MAX,
        };
        unsafe {
            let set: unsafe extern "C" fn(Handle, *const Param) -> c_int =
                self.library.get(b"EVP_CIPHER_CTX_set_params");
            set(self.raw, list.as_ptr()) == 1
        }
    }

    fn raw_update(&self, from: *const u8, length: usize, to: *mut u8) -> Option<usize> {
        self.pointers(from, c_int::try_from(length).unwrap(), to)
    }

    /// An update as programs write it, whatever they pass.
    pub fn pointers(&self, from: *const u8, length: c_int, to: *mut u8) -> Option<usize> {
        type Update = unsafe extern "C" fn(Handle, *mut u8, *mut c_int, *const u8, c_int) -> c_int;
        let mut written = -1;
        unsafe {
            let update: Update = self.library.get(b"EVP_CipherUpdate");
            let done = update(self.raw, to, &raw mut written, from, length);
            (done == 1).then(|| usize::try_from(written).unwrap())
        }
    }

    pub fn announce(&self, length: usize) -> bool {
        self.raw_update(ptr::null(), length, ptr::null_mut()).is_some()
    }

    pub fn aad(&self, aad: &[u8]) -> bool {
        self.raw_update(aad.as_ptr(), aad.len(), ptr::null_mut()).is_some()
    }

    pub fn update(&self, data: &[u8]) -> Option<Vec<u8>> {
        let mut output = vec![0; data.len() + 32];
        let written = self.raw_update(data.as_ptr(), data.len(), output.as_mut_ptr())?;
        output.truncate(written);
        Some(output)
    }

    pub fn in_place(&self, data: &mut [u8]) -> Option<usize> {
        self.raw_update(data.as_ptr(), data.len(), data.as_mut_ptr())
    }

    pub fn finish(&self) -> Option<Vec<u8>> {
        let (mut output, mut written) = (vec![0; 32], -1);
        unsafe {
            let finish: unsafe extern "C" fn(Handle, *mut u8, *mut c_int) -> c_int =
                self.library.get(b"EVP_CipherFinal_ex");
            let done = finish(self.raw, output.as_mut_ptr(), &raw mut written);
            output.truncate(usize::try_from(written).unwrap_or(0));
            (done == 1).then_some(output)
        }
    }

    pub fn copy(&self) -> Option<Self> {
        unsafe {
            let new: unsafe extern "C" fn() -> Handle = self.library.get(b"EVP_CIPHER_CTX_new");
            let copy: unsafe extern "C" fn(Handle, Handle) -> c_int =
                self.library.get(b"EVP_CIPHER_CTX_copy");
            let raw = new();
            let (library, cipher) = (self.library, self.cipher);
            (copy(raw, self.raw) == 1).then_some(Self { library, raw, cipher })
        }
    }
}
