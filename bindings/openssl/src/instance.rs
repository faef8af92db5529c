//! The provider in one library context, and what its objects ask of it.

use std::ffi::c_void;
use std::sync::OnceLock;

use crate::Outcome;
use crate::evp_mac::Functions;
use crate::host::Host;
use crate::reason::Reason;

/// The provider in one library context.
struct Provider {
    host: Host,
    /// Whether there are the ciphers that OpenSSL keeps in its legacy provider.
    legacy: bool,
    /// The calls for MACs over other providers' ciphers, once somebody wants one.
    macs: OnceLock<Option<Functions>>,
}

/// What OpenSSL keeps until [`teardown`].
pub(crate) fn context(host: Host) -> Outcome<*mut c_void> {
    let legacy = match host.setting(c"legacy") {
        None => false,
        Some(text) => match text.to_ascii_lowercase().as_str() {
            "yes" | "true" | "on" | "1" => true,
            "no" | "false" | "off" | "0" => false,
            _ => {
                let said = format!("legacy = {text}; allowed: yes or no");
                return Err(Reason::NotSupported.because(said));
            }
        },
    };
    Ok(Box::into_raw(Box::new(Provider { host, legacy, macs: OnceLock::new() })).cast())
}

/// The library context that OpenSSL makes an object in.
///
/// # Safety
/// `provider` is null or from [`context`], and not torn down.
pub(crate) unsafe fn host(provider: *const c_void) -> Host {
    // SAFETY: the caller's promise.
    unsafe { provider.cast::<Provider>().as_ref() }.map_or(Host::NONE, |it| it.host)
}

/// Whether it has the ciphers of old.
///
/// # Safety
/// As [`host`].
pub(crate) unsafe fn legacy(provider: *const c_void) -> bool {
    // SAFETY: the caller's promise.
    unsafe { provider.cast::<Provider>().as_ref() }.is_some_and(|it| it.legacy)
}

/// The library's calls for MACs, if it shows them.
///
/// # Safety
/// As [`host`]; the answer is good until the provider is torn down.
pub(crate) unsafe fn macs<'p>(provider: *const c_void) -> Option<&'p Functions> {
    // SAFETY: the caller's promise.
    let provider = unsafe { provider.cast::<Provider>().as_ref() }?;
    provider.macs.get_or_init(|| Functions::find(provider.host).ok()).as_ref()
}

/// Ends what [`context`] made.
///
/// # Safety
/// `provider` is null or from [`context`], and nothing of the provider is left.
pub(crate) unsafe extern "C" fn teardown(provider: *mut c_void) {
    if !provider.is_null() {
        // SAFETY: OpenSSL's promise: from `context`, and nothing of the provider is left.
        drop(unsafe { Box::from_raw(provider.cast::<Provider>()) });
    }
}
