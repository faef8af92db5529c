//! The errors of the laboratory: one line each, naming field, value and remedy.

use std::io;
use std::path::PathBuf;

/// What went wrong; its `Display` is one line with a remedy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabError {
    /// An option has a value outside its range.
    #[error("{field} is `{value}`; allowed: {allowed}")]
    Value {
        /// The option's name.
        field: &'static str,
        /// The value given.
        value: String,
        /// What is allowed.
        allowed: String,
    },
    /// A filter matches nothing that any engine offers.
    #[error("nothing is called `{filter}`; known: {known}")]
    UnknownFilter {
        /// The filter given.
        filter: String,
        /// What it could have been.
        known: String,
    },
    /// The selection holds no cell that can be measured.
    #[error("nothing to measure: {why}")]
    NothingToMeasure {
        /// Why, with the remedy.
        why: String,
    },
    /// A study file can't be understood.
    #[error("the study can't be read: {why}")]
    Study {
        /// Where and why.
        why: String,
    },
    /// An engine's program can't be started.
    #[error("engine `{engine}`: can't start `{}`: {source}; give the path of the program that has the verb `engine`", program.display())]
    Spawn {
        /// The engine.
        engine: String,
        /// The program.
        program: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// An engine isn't there, or its library isn't.
    #[error("engine `{engine}` is missing: {how_to_get}")]
    EngineMissing {
        /// The engine.
        engine: String,
        /// What brings it.
        how_to_get: String,
    },
    /// An engine did not answer in time and was killed.
    #[error(
        "engine `{engine}` gave no answer in {seconds} s and was stopped; the request was `{request}`; run again without it"
    )]
    Hang {
        /// The engine.
        engine: String,
        /// The request.
        request: String,
        /// The time it had.
        seconds: u64,
    },
    /// An engine ended while a request was open.
    #[error(
        "engine `{engine}` ended ({status}) during `{request}`: {last_words}; run again without it"
    )]
    Died {
        /// The engine.
        engine: String,
        /// The request.
        request: String,
        /// Its exit status.
        status: String,
        /// The last line of its standard error, or a note that there was none.
        last_words: String,
    },
    /// An engine's reply breaks the protocol.
    #[error("engine `{engine}` answered `{request}` with `{reply}`: {why}; run again without it")]
    Garbage {
        /// The engine.
        engine: String,
        /// The request.
        request: String,
        /// The start of its reply.
        reply: String,
        /// What is wrong with it.
        why: String,
    },
    /// An engine answered with an error.
    #[error("engine `{engine}` failed at `{request}`: {reason}")]
    Failed {
        /// The engine.
        engine: String,
        /// The request.
        request: String,
        /// Its reason.
        reason: String,
    },
    /// Reading or writing a file or a pipe failed.
    #[error("{what}: {source}")]
    Io {
        /// What was read or written.
        what: String,
        /// The system's reason.
        source: io::Error,
    },
    /// A results file can't be read.
    #[error("{what}: {why}; a results file is what `bench --json FILE` writes")]
    Results {
        /// Which file.
        what: String,
        /// Where it breaks.
        why: String,
    },
    /// Two results files come from different machines.
    #[error(
        "the files come from different machines ({field}: `{a}` and `{b}`); say `--force` to compare them all the same"
    )]
    MixedMachines {
        /// What differs.
        field: &'static str,
        /// Its value in the first file.
        a: String,
        /// Its value in the second file.
        b: String,
    },
    /// A row was measured by different clocks.
    #[error(
        "{row} was measured by clock `{a}` in the first file and `{b}` in the second; say `--force` to compare them all the same"
    )]
    MixedClocks {
        /// The row.
        row: String,
        /// The clock of the first file.
        a: String,
        /// The clock of the second file.
        b: String,
    },
    /// Two results files share no row.
    #[error(
        "the files have no row in common: engine, algorithm, operation, level, model, size, placement must agree; measure both with the same options"
    )]
    NothingInCommon,
}
