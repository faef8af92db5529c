//! Panics of the libraries of formats, on damaged files and on types that they have no form for: a failure
//! like others, which says what the library said, and drafts are removed.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};

thread_local! {
    /// Whether a panic of this thread is caught, and needs no words of its own.
    static WITHIN: Cell<bool> = const { Cell::new(false) };
}

/// From now on what is caught says nothing itself; other panics say what they always did.
pub(crate) fn install() {
    let usual = take_hook();
    set_hook(Box::new(move |info| {
        if !WITHIN.get() {
            usual(info);
        }
    }));
}

/// Calls a library. Whatever it was given must not be used again after a panic, as every failure ends the
/// command.
///
/// # Errors
/// What it panicked with.
pub(crate) fn caught<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    let before = WITHIN.replace(true);
    let done = catch_unwind(AssertUnwindSafe(call));
    WITHIN.set(before);
    done.map_err(|panic| text(panic.as_ref()))
}

fn text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("its library gave up: {}", text.unwrap_or("it said nothing"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_told_and_what_went_well_is_given() {
        assert_eq!(caught(|| 7), Ok(7));
        let told = caught(|| assert_eq!(1, 2, "odd")).unwrap_err();
        assert!(told.contains("its library gave up") && told.contains("odd"), "{told}");
        assert!(!WITHIN.get());
    }
}
