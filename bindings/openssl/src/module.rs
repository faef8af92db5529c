//! A module of OpenSSL's configuration (config(5)), for programs that look ciphers up by
//! `EVP_get_cipherbyname`: that knows the ciphers OpenSSL was born with, not those that a
//! provider adds. Node.js 20 is such a program. With a line of `openssl.cnf` that names this
//! library as a module, every cipher of the provider is found that way, too.
//!
//! # Why it is sound
//! The two functions are looked up in the process by their names and called with the types of
//! `evp.h` and `objects.h`, unchanged from 3.0 to 4.0. A fetched cipher is kept for the life of
//! the process, as the table of names keeps a pointer to it.

use std::ffi::{CString, c_char, c_int, c_void};

use crate::names::SPECS;

type Fetch = unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char) -> *mut c_void;
type Add = unsafe extern "C" fn(*const c_char, c_int, *const c_char) -> c_int;
type Get = unsafe extern "C" fn(*const c_char) -> *const c_void;

/// `OBJ_NAME_TYPE_CIPHER_METH`.
const CIPHER: c_int = 2;

#[cfg(unix)]
unsafe extern "C" {
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// A function that the program or one of its libraries has.
#[cfg(unix)]
fn function(name: &std::ffi::CStr) -> Option<*mut c_void> {
    // SAFETY: null stands for the whole process; the name ends with a zero.
    let found = unsafe { dlsym(std::ptr::null_mut(), name.as_ptr()) };
    (!found.is_null()).then_some(found)
}

/// Elsewhere there is no way that is known to work.
#[cfg(not(unix))]
fn function(_: &std::ffi::CStr) -> Option<*mut c_void> {
    None
}

/// What OpenSSL calls for the line of its configuration, after the providers' lines. It never
/// fails: a program that has its OpenSSL for itself goes without these names.
#[unsafe(no_mangle)]
pub extern "C" fn OPENSSL_init(_: *mut c_void, _: *const c_void) -> c_int {
    let names = [c"EVP_CIPHER_fetch", c"OBJ_NAME_add", c"EVP_get_cipherbyname"];
    if let [Some(fetch), Some(add), Some(get)] = names.map(function) {
        // SAFETY: the types of `evp.h` and `objects.h`.
        let (fetch, add, get) = unsafe {
            (
                std::mem::transmute::<*mut c_void, Fetch>(fetch),
                std::mem::transmute::<*mut c_void, Add>(add),
                std::mem::transmute::<*mut c_void, Get>(get),
            )
        };
        // Ciphers that the configuration does not ask for leave an error each, which is nobody's.
        for_errors(c"ERR_set_mark");
        _ = crate::guard(|| {
            add_names(fetch, add, get);
            Ok(())
        });
        for_errors(c"ERR_pop_to_mark");
    }
    1
}

/// Calls a function on the queue of errors, where there is one.
fn for_errors(name: &std::ffi::CStr) {
    type Call = unsafe extern "C" fn() -> c_int;
    if let Some(found) = function(name) {
        // SAFETY: the type that `err.h` gives both.
        unsafe { std::mem::transmute::<*mut c_void, Call>(found)() };
    }
}

fn add_names(fetch: Fetch, add: Add, get: Get) {
    let watch = reserve::Watch::begin();
    // None where there is no memory.
    for spec in SPECS.iter() {
        for name in spec.names.split(':').filter(|name| !name.contains('.')) {
            let Ok(name) = CString::new(name) else { continue };
            // It stays, which nothing of the reserve may.
            if watch.holds() {
                return;
            }
            // SAFETY: the names end with zeros; null is the default context. The table of names
            // keeps the pointers: neither the name nor the cipher is freed.
            unsafe {
                if !get(name.as_ptr()).is_null() {
                    continue;
                }
                let cipher =
                    fetch(std::ptr::null_mut(), name.as_ptr(), c"provider=cipherlane".as_ptr());
                if !cipher.is_null() {
                    add(name.into_raw().cast_const(), CIPHER, cipher.cast_const().cast());
                }
            }
        }
    }
}

/// What OpenSSL calls at its end.
#[unsafe(no_mangle)]
pub const extern "C" fn OPENSSL_finish(_: *mut c_void) {}
