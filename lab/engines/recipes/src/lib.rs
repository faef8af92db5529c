//! How peers are brought from public registries and built: `cipherlane engines build`.
//!
//! A peer that no system brings is a [`Recipe`]: one file of `engines/` that names an exact
//! version, the programs it needs, the libraries it makes, and a function that makes them.
//! The function works through a [`Workshop`], which says each step as it begins, fetches
//! through the ordinary clients of the registries (so their mirrors and proxies are
//! honoured), checks what was fetched against pinned SHA-256 values, logs every command,
//! and puts into the product only what the recipe keeps:
//!
//! ```
//! use recipes::{Recipe, RecipeError, Tool, Workshop};
//!
//! static BZIP2: Recipe = Recipe {
//!     engine: "bzip2",
//!     version: "1.0.8",
//!     source: "Debian package libbz2-1.0",
//!     takes: "a few seconds",
//!     needs: &[Tool::APT_GET, Tool::DPKG_DEB],
//!     libraries: &["libbz2.so.1.0"],
//!     make,
//! };
//!
//! fn make(shop: &mut Workshop<'_>) -> Result<(), RecipeError> {
//!     let root = shop.debian("libbz2-1.0", "1.0.8-5+b1", &[])?;
//!     shop.keep_found(&root, "libbz2.so.1.0")
//! }
//! assert!(BZIP2.found(std::path::Path::new("/nonexistent")).is_none());
//! ```
//!
//! [`build()`] does it all in a temporary folder of the cache, which is renamed to
//! `NAME-VERSION` when it is complete: a folder of that name is never half there. It needs
//! no rights beyond the cache. Engines look for their library with [`library`].
#![forbid(unsafe_code)]

mod build;
mod cache;
mod engines;
mod error;
mod fetch;
mod java;
mod manifest;
mod repository;
mod same_code;
mod sources;
mod tool;
mod workshop;

use std::path::{Path, PathBuf};

pub use build::{Built, Progress, build};
pub use cache::{CACHE_VARIABLE, folder};
pub use engines::{RECIPES, class_bytes};
pub use error::RecipeError;
pub use manifest::{Manifest, Source};
pub use same_code::same_code;
pub use tool::Tool;
pub use workshop::{Pin, Workshop};

/// How one engine's libraries are made.
#[derive(Debug)]
pub struct Recipe {
    /// The engine's name in the catalogue, e.g. `openssl4`.
    pub engine: &'static str,
    /// The version of the library that is built.
    pub version: &'static str,
    /// Where it comes from, in prose: registry, package, version.
    pub source: &'static str,
    /// About how long it takes on two cores, in prose.
    pub takes: &'static str,
    /// The programs without which there is no use to begin.
    pub needs: &'static [Tool],
    /// The file names of what is made; the first is the library that the engine opens, or the
    /// program that it is.
    pub libraries: &'static [&'static str],
    /// Makes them.
    pub make: fn(&mut Workshop<'_>) -> Result<(), RecipeError>,
}

impl Recipe {
    /// The name of the folder in the cache: `ENGINE-VERSION`.
    #[must_use]
    pub fn folder_name(&self) -> String {
        format!("{}-{}", self.engine, self.version)
    }

    /// The library that the engine opens, if it has been built in that cache.
    #[must_use]
    pub fn found(&self, cache: &Path) -> Option<PathBuf> {
        let folder = cache.join(self.folder_name());
        let complete = self.libraries.iter().all(|name| folder.join(name).is_file());
        let first = self.libraries.first().filter(|_| complete)?;
        Some(folder.join(first))
    }
}

/// Engines that are the program of another, run otherwise.
const SAME_PROGRAM: [(&str, &str); 1] = [("ladder-java-int", "ladder-java")];

/// The recipe of an engine.
#[must_use]
pub fn recipe(engine: &str) -> Option<&'static Recipe> {
    let same = SAME_PROGRAM.iter().find(|(name, _)| *name == engine);
    let engine = same.map_or(engine, |(_, builds)| builds);
    RECIPES.iter().copied().find(|recipe| recipe.engine == engine)
}

/// The families of engines that are built together.
const FAMILIES: [&str; 1] = ["ladder-c"];

/// The recipes of a family: the engines whose names begin with that of the family and `-`. Those
/// that need a program that isn't there are left out, unless all do.
#[must_use]
pub fn family(name: &str) -> Vec<&'static Recipe> {
    let is_of = |recipe: &&Recipe| {
        let of_name = recipe.engine.strip_prefix(name);
        FAMILIES.contains(&name) && of_name.is_some_and(|rest| rest.starts_with('-'))
    };
    let all: Vec<&'static Recipe> = RECIPES.iter().copied().filter(is_of).collect();
    let can = |recipe: &&Recipe| recipe.needs.iter().all(|tool| tool.is_there());
    let possible: Vec<&'static Recipe> = all.iter().copied().filter(can).collect();
    if possible.is_empty() { all } else { possible }
}

/// The library of an engine, if it has been built in this user's cache.
#[must_use]
pub fn library(engine: &str) -> Option<PathBuf> {
    recipe(engine)?.found(&folder().ok()?)
}
