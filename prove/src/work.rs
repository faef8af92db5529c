//! What is to be done, in an order that all processes agree on, and what came of it.

use core::fmt;

use cipherlane::Level;

use crate::calls::Call;
#[cfg(unix)]
use crate::calls::Way;
#[cfg(unix)]
use crate::guarded::{LONGEST, Rooms};
#[cfg(unix)]
use crate::share::Share;

/// How much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Minutes.
    Quick,
    /// An hour or more.
    Full,
}

/// One line of the results: fields apart by tabs, [`Display`](fmt::Display) writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// `"published"`, `"trace"`, `"guard"`, `"seeded"`, `"memcheck"`, `"remains"`, `"stack"`, `"timing"` or `"soak"`; `"unclaimed"`
    /// names what is not traced; `"code"` a function that ran in a trace; `"begin"` stands before a check that may end the process.
    pub check: &'static str,
    /// What was checked, mostly `ALGORITHM/OPERATION`.
    pub subject: String,
    /// How it was called.
    pub way: String,
    /// The level's name.
    pub level: &'static str,
    /// Steps of traces; calls against guard pages or timed; bytes left behind or gone down on the stack; paths of published
    /// vectors; 0 for what is not counted.
    pub count: usize,
    /// The widest vector register seen in a trace, in bytes; of times, tenths of t; how many
    /// published vectors were run.
    pub widest: usize,
    /// What is wrong; none where it passed.
    pub fault: Option<String>,
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { check, subject, way, level, count, widest, fault } = self;
        let verdict = fault.as_deref().unwrap_or("ok");
        write!(f, "{check}\t{subject}\t{way}\t{level}\t{count}\t{widest}\t{verdict}")
    }
}

impl Record {
    pub(crate) fn of(
        check: &'static str,
        call: &Call,
        way: impl Into<String>,
        level: Level,
    ) -> Self {
        let (subject, level) = (call.name(), level.name());
        Self { check, subject, way: way.into(), level, count: 0, widest: 0, fault: None }
    }
}

/// All calls at all levels.
pub(crate) fn cells(calls: &[Call]) -> impl Iterator<Item = (&Call, Level)> {
    calls.iter().flat_map(|call| Level::available().map(move |level| (call, level)))
}

#[cfg(any(target_os = "linux", target_arch = "wasm32"))]
pub mod trace;

/// Calls every operation at every level, every buffer against pages that can't be read.
///
/// # Errors
/// If the system refuses the pages.
#[cfg(unix)]
pub fn guard(
    effort: Effort,
    share: Share,
    calls: &[Call],
    tell: &mut dyn FnMut(Record),
) -> std::io::Result<()> {
    let mut rooms = Rooms::new()?;
    for (call, level) in share.of(cells(calls)) {
        for way in Way::ALL {
            // Where a call takes long, every length of the first blocks and then some.
            let bitwise = call.0.name.starts_with("cfb1-");
            let slow = effort == Effort::Quick && (bitwise || level == Level::portable());
            let mut lengths =
                (0..=LONGEST).filter(|&len| !slow || len <= 16 || len % 71 == 0 || len == LONGEST);
            let record = Record::of("guard", call, way.name(), level);
            // Told before, so that it stands last if the process ends.
            tell(Record { check: "begin", ..record.clone() });
            match rooms.check(call, way, level, &mut lengths) {
                Ok(count) => tell(Record { count, ..record }),
                Err(fault) => tell(Record { fault: Some(fault), ..record }),
            }
        }
    }
    Ok(())
}
