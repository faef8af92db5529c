//! OpenSSL's own functions for MACs, found in the program that has loaded the provider.

use std::ffi::{c_char, c_int, c_void};

use crate::Outcome;
use crate::core::Param;
use crate::host::Host;
use crate::reason::Reason;

type Fetch = unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char) -> *mut c_void;
type Free = unsafe extern "C" fn(*mut c_void);
type New = unsafe extern "C" fn(*mut c_void) -> *mut c_void;
type Init = unsafe extern "C" fn(*mut c_void, *const u8, usize, *const Param) -> c_int;
type Update = unsafe extern "C" fn(*mut c_void, *const u8, usize) -> c_int;
type Finish = unsafe extern "C" fn(*mut c_void, *mut u8, *mut usize, usize) -> c_int;
type Parameters = unsafe extern "C" fn(*mut c_void, *mut Param) -> c_int;

/// The functions of `evp.h` that are called, as they have been from 3.0 to 4.0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Functions {
    pub(crate) fetch: Fetch,
    pub(crate) release: Free,
    pub(crate) new: New,
    pub(crate) free: Free,
    pub(crate) duplicate: New,
    pub(crate) init: Init,
    pub(crate) update: Update,
    pub(crate) finish: Finish,
    pub(crate) get: Parameters,
    pub(crate) set: Parameters,
}

/// A function of the library, by its type.
macro_rules! function {
    ($host:expr, $name:expr, $type:ty) => {{
        let missing = || Reason::NotSupported.because(MISSING);
        let found = $host.function($name).ok_or_else(missing)?;
        // SAFETY: the type of `evp.h`.
        unsafe { std::mem::transmute::<*mut c_void, $type>(found) }
    }};
}

/// What is said where they are not shown.
pub(crate) const MISSING: &str =
    "the cipher is none of cipherlane's, and this program's OpenSSL does not show its functions";

impl Functions {
    /// Looks them up, which takes a while: once for a provider.
    pub(crate) fn find(host: Host) -> Outcome<Self> {
        Ok(Self {
            fetch: function!(host, c"EVP_MAC_fetch", Fetch),
            release: function!(host, c"EVP_MAC_free", Free),
            new: function!(host, c"EVP_MAC_CTX_new", New),
            free: function!(host, c"EVP_MAC_CTX_free", Free),
            duplicate: function!(host, c"EVP_MAC_CTX_dup", New),
            init: function!(host, c"EVP_MAC_init", Init),
            update: function!(host, c"EVP_MAC_update", Update),
            finish: function!(host, c"EVP_MAC_final", Finish),
            get: function!(host, c"EVP_MAC_CTX_get_params", Parameters),
            set: function!(host, c"EVP_MAC_CTX_set_params", Parameters),
        })
    }
}
