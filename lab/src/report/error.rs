//! What can go wrong between a results file and a report.

use std::io;
use std::path::PathBuf;

/// A results file can't be read, or a report can't be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// The file can't be read at all.
    #[error("can't read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// The file ends in the middle of a value.
    #[error("{name} is cut off at line {line}, column {column}")]
    Truncated {
        /// The file.
        name: String,
        /// The line where the text ends, from 1.
        line: usize,
        /// The column where the text ends.
        column: usize,
    },
    /// The file is not JSON, or not of the schema.
    #[error("{name} is not a results file: {reason}")]
    Invalid {
        /// The file.
        name: String,
        /// The parser's words, or the field, its value and what is allowed.
        reason: String,
    },
    /// The folder or a file in it can't be written.
    #[error("can't write {}: {source}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// A part of the report can't be made; a fault of this program.
    #[error("can't make the {part} of the report: {reason}")]
    Render {
        /// The part.
        part: &'static str,
        /// Why.
        reason: String,
    },
}

impl ReportError {
    /// What the user can do about it.
    #[must_use]
    pub const fn remedy(&self) -> &'static str {
        match self {
            Self::Read { .. } => "name an existing results.json, as `cipherlane bench` writes it",
            Self::Truncated { .. } => {
                "the copy is incomplete: copy the file again, or measure again with `cipherlane bench`"
            }
            Self::Invalid { .. } => {
                "give a results.json of schema cipherlane-results/2 or /1, as `cipherlane bench` writes it"
            }
            Self::Write { .. } => "name a folder that you may write to with --out",
            Self::Render { .. } => "please report this with the results.json that shows it",
        }
    }
}
