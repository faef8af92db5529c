//! The ciphers and MACs of Cipherlane as a provider of OpenSSL 3.0 and later.
//!
//! Names and object identifiers are those of OpenSSL's default and legacy providers, so
//! `?provider=cipherlane` in a property query takes them from here where there are any. The
//! types of `core.h` are written down in [`core`]: no header is needed to build, no library to
//! link, and one file serves OpenSSL 3.0 to 4.0.
//!
//! # Why the pointers are sound
//! OpenSSL calls the functions of the tables that [`OSSL_provider_init`] hands out. Its manual
//! promises (provider-cipher(7), provider-mac(7), OSSL_PARAM(3)): contexts are those that
//! `newctx` or `dupctx` returned, used by one call at a time until `freectx`; arrays of
//! parameters end with a null key; buffers are valid for their lengths. Contexts are boxes whose
//! pointers are handed out and lent back. Where programs can break what EVP promises, it is
//! checked: null, overlap in part, output too short, calls in the wrong order. No panic
//! crosses: [`answer`] makes it a failure.
//!
//! # Where there is no memory
//! What the system refuses, the allocator takes from its [reserve](::reserve). A call at whose end some of that
//! is still in use drops what it has made, sets the context that it worked on back to what a new one is, and
//! fails with OpenSSL's own reason; a call that gave all back is as good as any other.
#![expect(
    unsafe_code,
    reason = "functions called by OpenSSL take pointers; the argument stands above"
)]

use std::ffi::{CStr, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;

// The allocator of all that is here.
#[cfg(feature = "reserve")]
use installed as _;

mod cipher;
mod core;
#[cfg(all(test, feature = "reserve"))]
mod drilled;
mod evp_mac;
#[cfg(any(test, feature = "fuzzed"))]
mod fuzzed;
mod host;
mod instance;
mod library;
mod mac;
mod memory;
mod module;
mod names;
mod provider;
mod reason;
mod wiped;

use ::reserve::Watch;
use core::Dispatch;
#[cfg(feature = "fuzzed")]
pub use fuzzed::fuzzed;
use host::Host;
use reason::{Reason, Refused};

type Outcome<T = ()> = Result<T, Refused>;

/// Runs the work of a call: 1 for success, 0 for a failure or a panic, which stand in the queue
/// of errors then.
fn answer(host: Host, call: &CStr, work: impl FnOnce() -> Outcome) -> c_int {
    answer_or(host, call, || {}, work)
}

/// The same of a call that makes something, or works on it: `drop_all` drops that if memory ran out, so
/// that nothing is left in the reserve.
fn answer_or(
    host: Host,
    call: &CStr,
    drop_all: impl FnOnce(),
    work: impl FnOnce() -> Outcome,
) -> c_int {
    let watch = Watch::begin();
    let done = catch_unwind(AssertUnwindSafe(work));
    #[cfg(any(test, feature = "fuzzed"))]
    assert!(done.is_ok(), "work of a call panicked");
    match done {
        done if watch.holds() => {
            let reason = short(watch, done.unwrap_or(Err(Reason::Internal.into())), drop_all);
            host.raise(&reason.into(), call);
        }
        Ok(Ok(())) => return 1,
        Ok(Err(refused)) => host.raise(&refused, call),
        Err(_) => host.raise(&Reason::Internal.into(), call),
    }
    0
}

/// Why a call failed at whose end something of the reserve is in use.
#[cold]
fn short(watch: Watch, done: Outcome, drop_all: impl FnOnce()) -> Reason {
    // That may be what was said of a failure, which goes first: its number tells what was wrong.
    let reason = done.map_or_else(|refused| refused.reason, |()| Reason::NoMemory);
    if !watch.holds() {
        return reason;
    }
    _ = catch_unwind(AssertUnwindSafe(drop_all));
    Reason::NoMemory
}

/// The same where no library context is known.
fn guard(work: impl FnOnce() -> Outcome) -> c_int {
    answer(Host::NONE, c"", work)
}

/// What OpenSSL calls when it loads the provider.
///
/// # Safety
/// `out` and `context` are valid for writing, as provider(7) has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OSSL_provider_init(
    handle: *const c_void,
    core: *const Dispatch,
    out: *mut *const Dispatch,
    context: *mut *mut c_void,
) -> c_int {
    // SAFETY: the caller's promise.
    let host = unsafe { Host::new(handle, core) };
    // What is made without memory is given up again.
    // SAFETY: the caller's promise; what stands there `context` has made here.
    let drop_all = || unsafe { instance::teardown(context.replace(null_mut())) };
    // SAFETY: the caller's promise.
    unsafe { context.write(null_mut()) };
    answer_or(host, c"OSSL_provider_init", drop_all, || {
        let level = ciphers::Level::detect()
            .map_err(|error| Reason::NotSupported.because(error.to_string()));
        let ready = level.and_then(|_| cipher::table::prepare());
        let made = ready.and_then(|()| instance::context(host)).inspect_err(|refused| {
            // OpenSSL shows nothing of its queue where the configuration loads a provider, and
            // a program would go on with the default provider, slowly and in silence.
            let why = refused.detail.as_deref().unwrap_or("no memory");
            eprintln!("cipherlane: the OpenSSL provider is not loaded: {why}");
        })?;
        // SAFETY: the caller's promise.
        unsafe {
            *out = provider::DISPATCH.as_ptr();
            *context = made;
        }
        Ok(())
    })
}

/// The same for a program that has the provider inside and names it by
/// `OSSL_PROVIDER_add_builtin`: the static library keeps the names that modules have to itself.
///
/// # Safety
/// As for [`OSSL_provider_init`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_provider_init(
    handle: *const c_void,
    core: *const Dispatch,
    out: *mut *const Dispatch,
    context: *mut *mut c_void,
) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { OSSL_provider_init(handle, core, out, context) }
}
