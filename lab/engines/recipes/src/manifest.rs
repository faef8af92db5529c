//! What a built engine was made from: the file `built.json` beside its libraries.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::RecipeError;

/// The name of the file.
const FILE: &str = "built.json";

/// What an engine was made from, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The engine.
    pub engine: String,
    /// The version of the library.
    pub version: String,
    /// What was fetched.
    pub sources: Vec<Source>,
    /// The commands that made it, in order.
    pub commands: Vec<String>,
}

/// One thing that was fetched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The file or package, with its version.
    pub what: String,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
    /// Whether that was compared with a value of the recipe.
    pub pinned: bool,
}

impl Manifest {
    /// Reads that of a built engine; `None` if there is none.
    #[must_use]
    pub fn read(folder: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(folder.join(FILE)).ok()?).ok()
    }

    /// Writes it into the folder of an engine.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), RecipeError> {
        let path = folder.join(FILE);
        let text = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        fs::write(&path, text).map_err(RecipeError::io("write", path))
    }
}
