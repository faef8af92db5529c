//! The version, and the levels of instruction sets.

use std::ffi::{CStr, CString, c_char};
use std::sync::LazyLock;

use ciphers::Level;

use crate::status::quiet;

/// The version of the library, e.g. `0.1.0`.
#[unsafe(no_mangle)]
pub extern "C" fn cipherlane_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => panic!("the version holds no zero"),
        };
    VERSION.as_ptr()
}

/// The names of the levels this CPU has, the best last.
static LEVELS: LazyLock<Vec<CString>> = LazyLock::new(|| {
    Level::available().map(|level| CString::new(level.name()).unwrap_or_default()).collect()
});

/// How many levels this CPU has.
#[unsafe(no_mangle)]
pub extern "C" fn cipherlane_level_count() -> usize {
    quiet(0, || LEVELS.len())
}

/// The name of the level of that number, the best last; null if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn cipherlane_level_name(index: usize) -> *const c_char {
    quiet(std::ptr::null(), || LEVELS.get(index).map_or(std::ptr::null(), |name| name.as_ptr()))
}

/// The name of the level at which objects work for which nothing else is said: the best, or
/// less by the environment variable `CIPHERLANE_LEVEL`; null if that names no level.
#[unsafe(no_mangle)]
pub extern "C" fn cipherlane_level() -> *const c_char {
    quiet(std::ptr::null(), || {
        let name = Level::detect().map(Level::name).unwrap_or_default();
        let found = LEVELS.iter().find(|known| known.to_bytes() == name.as_bytes());
        found.map_or(std::ptr::null(), |name| name.as_ptr())
    })
}
