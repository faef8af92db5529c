//! Runs test vectors against the library, at every level and along every path.
//!
//! A *case* is one test at one level; along the way it takes several *paths*
//! (one-shot in place, one-shot buffer to buffer, streamed in pieces, after a
//! reset, backwards). A case passes if all its paths give the published bytes.
//! What the library has no implementation for is listed, never dropped.
//!
//! ```
//! use cipherlane::Level;
//!
//! let filters = ["sm4/ctr".parse()?];
//! let levels: Vec<Level> = Level::available().collect();
//! let summary = vectors::verify::run(&filters, &levels, &vectors::all()?, &mut |_| ());
//! assert!(summary.failed.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod aead_pieces;
mod block;
mod check;
mod filter;
mod of_stream;
mod pieces;
mod plain;
mod plan;
mod sealed;
mod stream;
mod trace;

use core::fmt;

use cipherlane::Level;

use crate::{Integrity, VectorFile};

pub use filter::{Filter, FilterError};
pub use of_stream::made_iv;
pub use pieces::Cuts;
pub use plain::{FIELDS, Line, each_line, lines};
pub use plan::{NotImplemented, Plan, Resolved};

/// One test at one level, with what came of it.
#[derive(Clone, Debug)]
pub struct CaseResult<'a> {
    /// The vector file.
    pub file: &'a str,
    /// The group's mode as the file names it.
    pub mode: &'a str,
    /// The group's source.
    pub source: &'a str,
    /// The test's id.
    pub id: &'a str,
    /// The algorithm as the registry names it.
    pub algorithm: &'static str,
    /// The level.
    pub level: Level,
    /// How many paths gave the published bytes.
    pub paths: usize,
    /// What went wrong, if anything.
    pub failure: Option<&'a Failure>,
}

/// Where a case failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The group's mode as the file names it.
    pub mode: String,
    /// The group's source.
    pub source: String,
    /// The test's id.
    pub id: String,
    /// The level's name.
    pub level: String,
    /// The operation and the path, e.g. `"cbc-decrypt, in place"`.
    pub path: String,
}

/// A case that failed, or a file that is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The vector file.
    pub file: String,
    /// The case; `None` where the file as a whole is concerned.
    pub place: Option<Place>,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file)?;
        if let Some(Place { mode, source, id, level, path }) = &self.place {
            write!(f, "{mode} ({source}): test `{id}`: level {level}: {path}: ")?;
        }
        f.write_str(&self.what)
    }
}

/// What came of a run.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Cases (tests × levels) that passed.
    pub passed: usize,
    /// Paths that gave the published bytes.
    pub paths: usize,
    /// Tests that ran, at however many levels.
    pub vectors: usize,
    /// Cases that failed and files that have been changed.
    pub failed: Vec<Failure>,
    /// What nothing is implemented for.
    pub not_implemented: Vec<NotImplemented>,
}

impl Summary {
    /// Whether nothing failed. That something ran is for the caller to ask.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.failed.is_empty()
    }
}

/// Runs the vectors that the filters choose (all if there are none) at the
/// given levels; `on_result` hears of each case as it ends.
pub fn run(
    filters: &[Filter],
    levels: &[Level],
    files: &[VectorFile],
    on_result: &mut dyn FnMut(&CaseResult<'_>),
) -> Summary {
    Plan::new(filters, files).run(levels, on_result)
}

impl Plan<'_> {
    /// How many cases there are at that many levels; for a progress display.
    #[must_use]
    pub fn cases(&self, levels: usize) -> usize {
        self.tests.len() * levels
    }

    /// Runs every test at the given levels; `on_result` hears of each case as it ends.
    pub fn run(&self, levels: &[Level], on_result: &mut dyn FnMut(&CaseResult<'_>)) -> Summary {
        let mut summary = Summary {
            vectors: self.tests.len(),
            failed: self.files.iter().filter_map(|file| changed(file)).collect(),
            not_implemented: self.not_implemented.clone(),
            ..Summary::default()
        };
        for planned in &self.tests {
            for &level in levels {
                let (paths, result) = planned.run(level, self.cuts);
                let failure = result.err().map(|(path, what)| Failure {
                    file: planned.file.name.clone(),
                    place: Some(Place {
                        mode: planned.group.mode.clone(),
                        source: planned.group.source.clone(),
                        id: planned.test.id.clone(),
                        level: level.name().into(),
                        path,
                    }),
                    what,
                });
                summary.paths += paths;
                summary.passed += usize::from(failure.is_none());
                on_result(&CaseResult {
                    file: &planned.file.name,
                    mode: &planned.group.mode,
                    source: &planned.group.source,
                    id: &planned.test.id,
                    algorithm: planned.operation.algorithm.name,
                    level,
                    paths,
                    failure: failure.as_ref(),
                });
                summary.failed.extend(failure);
            }
        }
        summary
    }
}

/// The failure of a file that differs from its listed digest.
#[must_use]
pub fn changed(file: &VectorFile) -> Option<Failure> {
    let Integrity::Changed { listed, actual } = &file.integrity else { return None };
    let what = format!("the file has been changed: SHA-256 is {actual}, SHA256SUMS lists {listed}");
    Some(Failure { file: file.name.clone(), place: None, what })
}
