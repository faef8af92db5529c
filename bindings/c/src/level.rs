//! The version, and the levels of instruction sets.

use std::ffi::{CStr, c_char};
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

/// Room for the name of a level and its zero.
const NAME: usize = 24;

/// The names of the levels this CPU has, zeros behind them, the best last; without an
/// allocation, as nothing here could say that there is no memory.
static NAMES: LazyLock<[[u8; NAME]; Level::COUNT]> = LazyLock::new(|| {
    let mut names = [[0; NAME]; Level::COUNT];
    for (place, level) in names.iter_mut().zip(Level::available()) {
        let name = level.name().as_bytes();
        place[..name.len()].copy_from_slice(name);
    }
    names
});

/// The same, as far as there are any.
fn names() -> impl Iterator<Item = &'static CStr> {
    NAMES.iter().filter_map(|it| CStr::from_bytes_until_nul(it).ok()).filter(|it| !it.is_empty())
}

/// How many levels this CPU has.
#[unsafe(no_mangle)]
pub extern "C" fn cipherlane_level_count() -> usize {
    quiet(0, || names().count())
}

/// The name of the level of that number, the best last; null if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn cipherlane_level_name(index: usize) -> *const c_char {
    quiet(std::ptr::null(), || names().nth(index).map_or(std::ptr::null(), CStr::as_ptr))
}

/// The name of the level at which objects work for which nothing else is said: the best, or
/// less by the environment variable `CIPHERLANE_LEVEL`; null if that names no level.
#[unsafe(no_mangle)]
pub extern "C" fn cipherlane_level() -> *const c_char {
    quiet(std::ptr::null(), || {
        let name = Level::detect().map(Level::name).unwrap_or_default();
        let found = names().find(|known| known.to_bytes() == name.as_bytes());
        found.map_or(std::ptr::null(), CStr::as_ptr)
    })
}
