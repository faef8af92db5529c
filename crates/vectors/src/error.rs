//! Why vector files can't be read.

use core::fmt;

/// A vector file or folder that can't be read; says which, and where in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The file or folder.
    pub file: String,
    /// The group, by its place (from 0) and mode, where one is concerned.
    pub group: Option<String>,
    /// The test's id, where one is concerned.
    pub test: Option<String>,
    /// What is wrong.
    pub what: String,
}

impl Error {
    pub(crate) fn file(file: impl Into<String>, what: impl Into<String>) -> Self {
        Self { file: file.into(), group: None, test: None, what: what.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file)?;
        if let Some(group) = &self.group {
            write!(f, "group {group}: ")?;
        }
        if let Some(test) = &self.test {
            write!(f, "test `{test}`: ")?;
        }
        f.write_str(&self.what)
    }
}

impl std::error::Error for Error {}
