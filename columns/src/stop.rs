//! INT, TERM and HUP: the work ends at the next chunk, drafts are removed as their owners are dropped,
//! and then the program ends by the signal itself, as shells expect.

use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::failure::{Exit, Failure};

/// The number of the signal that asked for the end; 0 while none did.
fn asked() -> &'static Arc<AtomicUsize> {
    static ASKED: OnceLock<Arc<AtomicUsize>> = OnceLock::new();
    ASKED.get_or_init(Arc::default)
}

/// From now on a signal ends the program only after its drafts are gone.
#[cfg(unix)]
pub(crate) fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        // `nohup` starts programs with hang-ups ignored, and they must stay so.
        if signal == SIGHUP && hangups_are_ignored() {
            continue;
        }
        let number = usize::try_from(signal).unwrap_or(0);
        // Where it can't be caught the program dies of it, and a draft stays under its name.
        let _ = signal_hook::flag::register_usize(signal, Arc::clone(asked()), number);
    }
}

#[cfg(unix)]
fn hangups_are_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask & 1 == 1)
}

#[cfg(not(unix))]
pub(crate) const fn watch() {}

/// Whether to go on.
///
/// # Errors
/// If the end was asked for: one that says nothing, as [`end_if_asked`] does.
pub(crate) fn check() -> Result<(), Failure> {
    if asked().load(Ordering::Relaxed) == 0 { Ok(()) } else { Err(Failure::silent()) }
}

/// Ends the program by the signal that asked for it, if one did.
pub(crate) fn end_if_asked() {
    let signal = asked().load(Ordering::Relaxed);
    if signal == 0 {
        return;
    }
    let help = "no half-written file is left; those finished before are whole";
    Failure::new(Exit::Failed, "stopped", help).report();
    #[cfg(unix)]
    {
        let signal = i32::try_from(signal).unwrap_or(0);
        let _ = signal_hook::low_level::emulate_default_handler(signal);
        std::process::exit(128 + signal);
    }
}
