//! Why there is no record: one line with a remedy.

use std::io;
use std::path::PathBuf;

/// A record can't be made, or can't be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The run was stopped.
    #[error("nothing is recorded: the run was stopped before its end; let it run to its end")]
    Partial,
    /// No row is of the library.
    #[error(
        "nothing is recorded: the run has no row of ours; \
         run `cipherlane bench --record` without other options"
    )]
    Empty,
    /// How many core cycles a tick has is unknown.
    #[error(
        "nothing is recorded: core cycles are unknown here; \
         keep the run by --out, its figures are ticks"
    )]
    Ticks,
    /// Too many rows were disturbed.
    #[error(
        "nothing is recorded: {flagged} of {rows} rows were disturbed, allowed: {most} %; \
         stop what else runs here, or raise --time, and measure again"
    )]
    Disturbed {
        /// Rows that are flagged.
        flagged: usize,
        /// All rows.
        rows: usize,
        /// How many percent may be.
        most: usize,
    },
    /// A fact without which a record can't be told apart from others.
    #[error("nothing is recorded: the {what} is unknown; {remedy}")]
    Unknown {
        /// `CPU` or `commit`.
        what: &'static str,
        /// What brings it.
        remedy: &'static str,
    },
    /// A file or folder can't be read.
    #[error(
        "can't read {}: {source}; name the folder of machines of a checkout, docs/machines, with \
         --machines=DIR",
        path.display()
    )]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// A file is no record.
    #[error("{} is no record of a machine: {why}; record that machine anew: `cipherlane bench --record`", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// Field, value and what is allowed, or the parser's words.
        why: String,
    },
}
