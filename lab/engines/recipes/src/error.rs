//! What can go wrong on the way to an engine: one line each, with the remedy.

use std::io;
use std::path::PathBuf;

/// Why an engine was not built; its `Display` is one line with a remedy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecipeError {
    /// No variable says where the cache is.
    #[error("there is no cache folder; set CIPHERLANE_CACHE or HOME, or give --cache DIR")]
    NoCache,
    /// A program that the recipe needs isn't there.
    #[error("engine `{engine}` needs the program `{program}`, which is not on the PATH; {remedy}")]
    MissingTool {
        /// The engine.
        engine: &'static str,
        /// The program.
        program: &'static str,
        /// What brings it.
        remedy: &'static str,
    },
    /// A compiler that the recipe needs is there, and lacks a part.
    #[error("engine `{engine}`: `{command}` makes no program here; {remedy}")]
    Unable {
        /// The engine.
        engine: &'static str,
        /// The compiler with the flag that matters.
        command: String,
        /// What brings the part.
        remedy: &'static str,
    },
    /// The engine is made of a binding of this project, whose repository isn't here.
    #[error(
        "engine `{engine}` is built from {file} of Cipherlane's repository; run this in a clone"
    )]
    NoRepository {
        /// The engine.
        engine: &'static str,
        /// A file of the repository.
        file: &'static str,
    },
    /// The engine would be made of other sources than this program.
    #[error(
        "engine `{engine}`: the sources have changed since this program was built from them; \
         build it again (`cargo build --release`) and measure with that"
    )]
    Changed {
        /// The engine.
        engine: &'static str,
    },
    /// A command ended with an error or could not be started.
    #[error("engine `{engine}`: {step} failed: {said}; {remedy}")]
    Command {
        /// The engine.
        engine: &'static str,
        /// What was to be done.
        step: String,
        /// The last of what it said, or why it could not be started.
        said: String,
        /// What may mend it, and where the log is.
        remedy: String,
    },
    /// What was fetched is not what the recipe was written for.
    #[error(
        "engine `{engine}`: {what} has the SHA-256 {found} instead of {pinned}; it is not used: \
         check the registry or mirror it came from"
    )]
    Checksum {
        /// The engine.
        engine: &'static str,
        /// The file or package.
        what: String,
        /// The SHA-256 it has.
        found: String,
        /// The SHA-256 it should have.
        pinned: String,
    },
    /// The registry holds another version only.
    #[error("engine `{engine}`: the archives hold {what} {found}, not {wanted}; {remedy}")]
    Version {
        /// The engine.
        engine: &'static str,
        /// The package.
        what: String,
        /// The version there is.
        found: String,
        /// The version the recipe was written for.
        wanted: String,
        /// What may mend it.
        remedy: &'static str,
    },
    /// A step ended well and did not make what it should.
    #[error("engine `{engine}`: {what} is not there after {after}; {remedy}")]
    NotMade {
        /// The engine.
        engine: &'static str,
        /// The file.
        what: String,
        /// The step.
        after: String,
        /// What may mend it, and where the log is.
        remedy: String,
    },
    /// A file can't be read or written.
    #[error("can't {what} {}: {source}; give another folder with --cache DIR", path.display())]
    Io {
        /// What was to be done.
        what: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

impl RecipeError {
    /// The error of an operation on a path.
    pub(crate) fn io(
        what: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { what, path, source }
    }
}
