//! Known answers.

use std::ffi::{c_char, c_int};

use ciphers::registry::{self, ALGORITHMS};

use crate::memory;
use crate::options::{cipherlane_options, settings};
use crate::status::{Outcome, guard};

/// Compares an algorithm (null: all of them) with a known answer of its standard, at the level
/// of the options (null: the usual one). Returns `CIPHERLANE_SELF_TEST` if one differs.
///
/// # Safety
/// `algorithm` is null or ends with a zero byte; `options` is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_self_test(
    algorithm: *const c_char,
    options: *const cipherlane_options,
) -> c_int {
    guard(|| {
        // SAFETY: the caller's promise.
        let level = unsafe { settings(options) }?.level;
        if algorithm.is_null() {
            return ALGORITHMS.iter().try_for_each(|algorithm| test(algorithm, level));
        }
        // SAFETY: as above.
        let name = unsafe { memory::text("algorithm", algorithm) }?;
        test(objects::algorithm(name)?, level)
    })
}

fn test(algorithm: &registry::Algorithm, level: ciphers::Level) -> Outcome {
    Ok(registry::self_test(algorithm, level)?)
}
