//! The engines there are, whether each is present, and what brings it.

use std::path::Path;

/// What is known of an engine.
#[derive(Clone, Debug)]
pub struct EngineInfo {
    /// Its name, e.g. `openssl`.
    pub name: String,
    /// Its name in prose.
    pub title: String,
    /// Whether it can be used now.
    pub present: bool,
    /// The version of the library; empty if absent.
    pub version: String,
    /// Where the library was loaded from; empty if absent.
    pub path: String,
    /// What it offers, as `ALGORITHM/OPERATION`.
    pub operations: Vec<String>,
    /// The command that brings it; empty if it is built in.
    pub how_to_get: String,
    /// Anything a reader must know.
    pub remark: String,
}

/// All engines, present or not. `program` is the program that serves them, for the path
/// of those that are built into it.
#[must_use]
pub fn catalogue(program: &Path) -> Vec<EngineInfo> {
    let _ = program;
    Vec::new()
}
