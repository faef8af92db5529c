//! INT, TERM and HUP: the work ends, nothing half-written is left, and then the program ends by
//! the signal itself. Only so does a shell know that its loop must end too: it looks at how a
//! program ended, not at what it printed.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use std::thread;
use std::time::Duration;

use crate::failure::{self, Exit, Failure};

/// The signal that asked for the end; 0 while none did.
static ASKED: AtomicI32 = AtomicI32::new(0);

/// Whether the work ends at a place of its own choice, as a measurement does between two rows.
static PATIENT: AtomicBool = AtomicBool::new(false);

/// Files that have a name and are not whole yet.
static DRAFTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Work ends at the next chunk within this time, or it waits: for a pipe, a terminal, a disk.
const GRACE: Duration = Duration::from_millis(400);

/// From now on a signal ends the program only after what it was writing is gone.
pub(crate) fn watch() {
    static ONCE: Once = Once::new();
    // Where signals can't be caught the program dies of them, which leaves nothing either where
    // files have no name before they are whole.
    ONCE.call_once(|| system::listen(heard));
}

/// From now on the first signal asks for the end of the work, which keeps its results, and the
/// second is the end.
pub(crate) fn heed() {
    PATIENT.store(true, Ordering::Relaxed);
    watch();
}

/// What the thread that listens does with a signal.
fn heard(signal: i32) {
    let before = ASKED.swap(signal, Ordering::Relaxed);
    if !PATIENT.load(Ordering::Relaxed) {
        thread::sleep(GRACE);
        end(signal);
    }
    if before != 0 {
        end(signal);
    }
    failure::print_note("stopping after this row; Ctrl-C again ends at once and keeps nothing");
}

/// Whether the end was asked for.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::Relaxed) != 0
}

/// Whether to go on.
///
/// # Errors
/// If the end was asked for: one that says nothing, as [`end_if_asked`] does.
pub(crate) fn check() -> Result<(), Failure> {
    if asked() { Err(Failure::silent(Exit::Failed)) } else { Ok(()) }
}

/// Ends the program by the signal that asked for it, if one did.
pub(crate) fn end_if_asked() {
    let signal = ASKED.load(Ordering::Relaxed);
    if signal != 0 {
        end(signal);
    }
}

fn end(signal: i32) -> ! {
    static ENDING: AtomicBool = AtomicBool::new(false);
    if ENDING.swap(true, Ordering::Relaxed) {
        // Another thread is at it.
        loop {
            thread::park();
        }
    }
    // Kept to the end: nobody makes another one.
    let drafts = DRAFTS.lock().unwrap_or_else(PoisonError::into_inner);
    for path in drafts.iter() {
        let _ = std::fs::remove_file(path);
    }
    if !PATIENT.load(Ordering::Relaxed) {
        failure::print_error("stopped");
        failure::print_help("no half-written file is left; those finished before are whole");
    }
    system::raise(signal)
}

/// Makes a file with a temporary name, which a signal removes.
///
/// # Errors
/// Those of `make`.
pub(crate) fn drafted<T, E>(
    make: impl FnOnce() -> Result<T, E>,
    name: impl FnOnce(&T) -> &Path,
) -> Result<T, E> {
    let mut drafts = DRAFTS.lock().unwrap_or_else(PoisonError::into_inner);
    let made = make()?;
    drafts.push(name(&made).to_owned());
    Ok(made)
}

/// Does what no signal may tear apart.
pub(crate) fn whole<T>(work: impl FnOnce() -> T) -> T {
    let _drafts = DRAFTS.lock().unwrap_or_else(PoisonError::into_inner);
    work()
}

/// A file is there under its own name, or gone.
pub(crate) fn settled(path: &Path) {
    DRAFTS.lock().unwrap_or_else(PoisonError::into_inner).retain(|it| it != path);
}

#[cfg(unix)]
mod system {
    use std::sync::mpsc;
    use std::thread;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    /// Starts a thread that hears the signals, and waits until it does.
    pub(super) fn listen(heard: fn(i32)) {
        let (ready, begun) = mpsc::channel();
        let listener = move || {
            let hangup = (!hangups_are_ignored()).then_some(SIGHUP);
            let Ok(mut signals) = Signals::new([SIGINT, SIGTERM].into_iter().chain(hangup)) else {
                return;
            };
            let _ = ready.send(());
            signals.forever().for_each(heard);
        };
        // Without the thread nothing is caught, and signals do what they always do.
        if thread::Builder::new().name("signals".to_owned()).spawn(listener).is_ok() {
            let _ = begun.recv();
        }
    }

    /// `nohup` starts programs with hang-ups ignored, and they must stay so.
    fn hangups_are_ignored() -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.is_some_and(|mask| mask >> (SIGHUP - 1) & 1 == 1)
    }

    /// Ends the program by a signal.
    pub(super) fn raise(signal: i32) -> ! {
        let _ = emulate_default_handler(signal);
        std::process::exit(128 + signal)
    }
}

#[cfg(not(unix))]
mod system {
    /// What Ctrl-C is where there are no signals.
    const INTERRUPT: i32 = 2;

    pub(super) fn listen(heard: fn(i32)) {
        let _ = ctrlc::set_handler(move || heard(INTERRUPT));
    }

    pub(super) fn raise(signal: i32) -> ! {
        std::process::exit(128 + signal)
    }
}
