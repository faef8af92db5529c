//! Stepping through code where the CPU can't: a watcher outside of this program sees each of its
//! instructions and the addresses of its accesses. It is told where a run begins and ends, and keeps and
//! compares what it sees. Under QEMU it is the plugin of `prove/watcher`; of WebAssembly it is the host, which a
//! rewritten module tells.

use std::io;
use std::ops::Range;

use crate::arena;

/// Whether operands of divisions are told: hosts of WebAssembly are told of them, QEMU's plugins can't read registers.
pub(crate) const SEES_DIVISIONS: bool = cfg!(target_arch = "wasm32");

/// What a watcher keeps of one run: the first one, or one that is compared with it.
#[derive(Debug)]
pub struct Trace {
    slot: i32,
    seen: Seen,
}

/// What the watcher says of the last run.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    steps: usize,
    full: bool,
    /// The step at which it parts from the first, and the place of the culprit.
    parting: Option<(usize, u64)>,
}

impl Trace {
    /// The one that others are compared with.
    #[must_use]
    pub fn first(_: usize) -> Self {
        Self { slot: 0, seen: Seen::default() }
    }

    /// Compared with the first.
    #[must_use]
    pub fn other(_: usize) -> Self {
        Self { slot: 1, seen: Seen::default() }
    }

    /// How many instructions or events there were.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.seen.steps
    }

    /// Nobody decodes instructions here.
    #[must_use]
    pub fn widest(&self) -> usize {
        0
    }

    /// Whether the watcher's room was used up before the end.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.seen.full
    }

    /// The functions that ran are not told.
    pub(crate) fn addresses(&self) -> impl Iterator<Item = u64> {
        std::iter::empty()
    }

    /// The step at which `other`, the last run, parts from the first, and the place that did so. None if they
    /// are equal.
    #[must_use]
    pub fn parting(&self, other: &Self) -> Option<(usize, u64)> {
        other.seen.parting
    }
}

/// Where this program's file is mapped; places of WebAssembly are numbers already.
pub(crate) fn program() -> &'static Range<u64> {
    #[cfg(target_arch = "wasm32")]
    {
        static NUMBERS: Range<u64> = 0..u64::MAX;
        &NUMBERS
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        crate::mapped::program()
    }
}

/// Whether somebody watches.
///
/// # Errors
/// As [`trace`].
pub fn possible() -> io::Result<()> {
    trace(&mut Trace::first(0), &mut || ())
}

/// Lets `work` be watched, and takes down what the watcher says.
///
/// All that `work` allocates it must drop before it returns.
///
/// # Errors
/// If nobody watches.
#[inline(never)]
pub fn trace(trace: &mut Trace, work: &mut dyn FnMut()) -> io::Result<()> {
    watcher::forget();
    let arena = arena::start();
    watcher::begin(trace.slot);
    work();
    watcher::end();
    drop(arena);
    trace.seen = watcher::seen(trace.slot)?;
    if trace.seen.steps == 0 && !trace.seen.full {
        return Err(io::Error::other("nobody watches this program"));
    }
    Ok(())
}

/// The plugin of QEMU: told by a call of the system that closes a file of no such number, read from the file that
/// the environment names.
#[cfg(target_os = "linux")]
mod watcher {
    use std::io;

    use super::Seen;

    /// The variable with the path of the watcher's file.
    const FILE: &str = "CIPHERLANE_WATCHER";
    /// What is closed where a run begins, for slot 0 and 1, and where it ends: as `prove/watcher` has it.
    const BEGIN: i32 = -0x0c1f_0000;
    const END: i32 = -0x0c1f_0010;

    /// What was said of another run is none of this one.
    pub(super) fn forget() {
        if let Some(path) = std::env::var_os(FILE) {
            // There is none before the first run.
            let _ = std::fs::remove_file(path);
        }
    }

    fn say(word: i32) {
        // Of no file: all that the system does is to refuse it.
        crate::mapped::close_none(word);
    }

    pub(super) fn begin(slot: i32) {
        say(BEGIN - slot);
    }

    pub(super) fn end() {
        say(END);
    }

    pub(super) fn seen(_: i32) -> io::Result<Seen> {
        let path = std::env::var_os(FILE).ok_or_else(|| {
            io::Error::other(format!("nobody watches this program: {FILE} is not set"))
        })?;
        let text = std::fs::read_to_string(path)?;
        let wrong = || io::Error::other(format!("the watcher says `{}`", text.trim()));
        let numbers: Result<Vec<u64>, _> = text.split_whitespace().map(str::parse).collect();
        match numbers.map_err(|_| wrong())?[..] {
            [steps, full] => Ok(Seen { steps: steps as usize, full: full != 0, parting: None }),
            [steps, full, step, place] => {
                let parting = Some((step as usize, place));
                Ok(Seen { steps: steps as usize, full: full != 0, parting })
            }
            _ => Err(wrong()),
        }
    }
}

/// The host of the module.
#[cfg(target_arch = "wasm32")]
mod watcher {
    use std::io;

    use super::Seen;
    use crate::host;

    /// The host says what is, not what was.
    pub(super) fn forget() {}

    pub(super) fn begin(slot: i32) {
        host::begin(slot);
    }

    pub(super) fn end() {
        host::end();
    }

    pub(super) fn seen(slot: i32) -> io::Result<Seen> {
        let events = host::events();
        let (full, steps) = (events < 0, events.max(0) as usize);
        let step = if slot == 0 { -1 } else { host::parting_step() };
        let parting = usize::try_from(step).ok().map(|step| (step, host::parting_place() as u64));
        Ok(Seen { steps, full, parting })
    }
}
