//! What OpenSSL asks of the provider itself: its description, and what it has.

use std::ffi::{CStr, c_int, c_void};

use crate::core::{Algorithm, Dispatch, Param, Params, entry};
use crate::instance::{host, legacy, teardown};
use crate::reason::{self, Item};
use crate::{answer, cipher, guard, mac};

const TEARDOWN: c_int = 1024;
const GETTABLE_PARAMS: c_int = 1025;
const GET_PARAMS: c_int = 1026;
const QUERY_OPERATION: c_int = 1027;
const GET_REASON_STRINGS: c_int = 1029;
const SELF_TEST: c_int = 1031;

/// The numbers of operations.
const CIPHERS: c_int = 2;
const MACS: c_int = 3;

const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => panic!("the version holds no zero"),
    };

static GETTABLE: [Param; 5] = [
    Param::text_pointer(c"name"),
    Param::text_pointer(c"version"),
    Param::text_pointer(c"buildinfo"),
    Param::flag(c"status"),
    Param::END,
];

unsafe extern "C" fn gettable(_: *mut c_void) -> *const Param {
    GETTABLE.as_ptr()
}

unsafe extern "C" fn get(_: *mut c_void, list: *mut Param) -> c_int {
    guard(|| {
        // SAFETY: OpenSSL's promise.
        let params = unsafe { Params::new(list) };
        params.answer_text(c"name", c"Cipherlane")?;
        params.answer_text(c"version", VERSION)?;
        params.answer_text(c"buildinfo", VERSION)?;
        params.answer(c"status", 1)
    })
}

unsafe extern "C" fn query(
    provider: *mut c_void,
    what: c_int,
    no_cache: *mut c_int,
) -> *const Algorithm {
    // SAFETY: OpenSSL's promise: a place for a number.
    if let Some(no_cache) = unsafe { no_cache.as_mut() } {
        *no_cache = 0;
    }
    match what {
        // SAFETY: OpenSSL's promise.
        CIPHERS => cipher::table::algorithms(unsafe { legacy(provider) }),
        MACS => mac::algorithms(),
        _ => std::ptr::null(),
    }
}

unsafe extern "C" fn self_test(provider: *mut c_void) -> c_int {
    // SAFETY: OpenSSL's promise.
    answer(unsafe { host(provider) }, c"self_test", || {
        let all = ciphers::registry::ALGORITHMS;
        let level = crate::names::level();
        Ok(all.iter().try_for_each(|it| ciphers::registry::self_test(it, level))?)
    })
}

/// The functions of the provider.
pub(crate) static DISPATCH: [Dispatch; 7] = [
    entry!(TEARDOWN, teardown, unsafe extern "C" fn(*mut c_void)),
    entry!(GETTABLE_PARAMS, gettable, unsafe extern "C" fn(*mut c_void) -> *const Param),
    entry!(GET_PARAMS, get, unsafe extern "C" fn(*mut c_void, *mut Param) -> c_int),
    entry!(
        QUERY_OPERATION,
        query,
        unsafe extern "C" fn(*mut c_void, c_int, *mut c_int) -> *const Algorithm
    ),
    entry!(GET_REASON_STRINGS, reason::strings, unsafe extern "C" fn(*mut c_void) -> *const Item),
    entry!(SELF_TEST, self_test, unsafe extern "C" fn(*mut c_void) -> c_int),
    Dispatch::END,
];
