//! The host of a module of WebAssembly that watches it. Modules that are not rewritten have no such host, and can't
//! be started; the prover's alone imports this.
//!
//! # Why it is sound
//! The functions take and return numbers; a host that is not ours can at worst say something wrong.
#![expect(unsafe_code, reason = "functions of the host; argued above")]

mod imported {
    #[link(wasm_import_module = "cipherlane_prove")]
    unsafe extern "C" {
        pub(super) safe fn begin(slot: i32);
        pub(super) safe fn end() -> i32;
        pub(super) safe fn parting_step() -> i32;
        pub(super) safe fn parting_place() -> i32;
    }
}

use std::sync::atomic::{AtomicI32, Ordering};

/// What the host counted in the last run.
static EVENTS: AtomicI32 = AtomicI32::new(0);

/// Begins a run: the first, or one that is compared with it.
pub(crate) fn begin(slot: i32) {
    imported::begin(slot);
}

/// Ends it.
pub(crate) fn end() {
    EVENTS.store(imported::end(), Ordering::Relaxed);
}

/// The events of the last run; negative where there was no room for them.
pub(crate) fn events() -> i32 {
    EVENTS.load(Ordering::Relaxed)
}

/// The number of the event at which the last run parts from the first; negative if it does not.
pub(crate) fn parting_step() -> i32 {
    imported::parting_step()
}

/// The site in the module of that event.
pub(crate) fn parting_place() -> i32 {
    imported::parting_place()
}
