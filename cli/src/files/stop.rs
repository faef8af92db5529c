//! Ctrl-C and SIGTERM: the work ends at the next chunk, and nothing is left behind.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::{Exit, Failure};

static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on a signal asks for the end instead of making it.
pub(crate) fn watch() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Where signals can't be caught the program dies of them, which leaves nothing either:
        // a file has its name only when it is whole.
        let _ = ctrlc::set_handler(|| ASKED.store(true, Ordering::Relaxed));
    });
}

/// Whether the end was asked for.
///
/// # Errors
/// If so.
pub(crate) fn check() -> Result<(), Failure> {
    if ASKED.load(Ordering::Relaxed) {
        let help = "the file that was being written is gone; those before it are whole";
        return Err(Failure::new(Exit::Failed, "stopped", help));
    }
    Ok(())
}
