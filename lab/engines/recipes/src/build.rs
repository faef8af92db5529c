//! Building an engine: in a folder of its own, which gets its name when all is there.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::{Manifest, Recipe, RecipeError, Workshop};

/// Is told what happens.
pub trait Progress {
    /// A step begins; one line.
    fn step(&mut self, engine: &str, text: &str);
}

/// An engine that is there now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    /// The library that the engine opens.
    pub library: PathBuf,
    /// Whether it was built by this call; otherwise it was there before.
    pub fresh: bool,
    /// What it was made from.
    pub manifest: Manifest,
    /// How long it took.
    pub time: Duration,
}

/// Builds an engine into a cache, unless it is there; with `force` in any case.
///
/// # Errors
/// A [`RecipeError`]; then nothing of that name is in the cache, or what was there before.
/// The log of what was done stays, as `ENGINE-VERSION.log`.
pub fn build(
    recipe: &'static Recipe,
    cache: &Path,
    force: bool,
    progress: &mut dyn Progress,
) -> Result<Built, RecipeError> {
    let begin = Instant::now();
    let name = recipe.folder_name();
    let folder = cache.join(&name);
    let built = |fresh| {
        let library = recipe.found(cache)?;
        let manifest = Manifest::read(&folder).unwrap_or_default();
        Some(Built { library, fresh, manifest, time: begin.elapsed() })
    };
    if let Some(built) = built(false).filter(|_| !force) {
        return Ok(built);
    }
    if let Some(tool) = recipe.needs.iter().find(|tool| !tool.is_there()) {
        let (engine, program, remedy) = (recipe.engine, tool.program, tool.remedy);
        if tool.is_on_path() {
            let command = format!("{program} {}", tool.flags[0]);
            return Err(RecipeError::Unable { engine, command, remedy });
        }
        return Err(RecipeError::MissingTool { engine, program, remedy });
    }
    fs::create_dir_all(cache).map_err(RecipeError::io("make the folder", cache))?;
    // Commands change into folders of their own: a relative path would lead elsewhere there.
    let cache = fs::canonicalize(cache).map_err(RecipeError::io("find", cache))?;
    let temporary = TempDir::with_prefix_in(format!(".{name}-"), &cache)
        .map_err(RecipeError::io("make a folder in", &cache))?;
    let log = cache.join(format!("{name}.log"));
    let mut shop = Workshop::open(recipe, temporary.path(), &log, progress)?;
    (recipe.make)(&mut shop)?;
    let (product, sources, commands) = shop.close()?;
    let (engine, version) = (recipe.engine.to_owned(), recipe.version.to_owned());
    Manifest { engine, version, sources, commands }.write(&product)?;
    // The log is of use where something failed; the manifest tells the rest.
    fs::rename(&log, product.join("build.log")).map_err(RecipeError::io("move", &log))?;
    put_in_place(&product, &folder, &temporary.path().join("old"))?;
    built(true).ok_or_else(|| RecipeError::NotMade {
        engine: recipe.engine,
        what: folder.display().to_string(),
        after: "the build".to_owned(),
        remedy: "another program may have removed it: build it again".to_owned(),
    })
}

/// Gives the product its name; what bears it is put aside and removed with the temporary
/// folder.
fn put_in_place(product: &Path, folder: &Path, aside: &Path) -> Result<(), RecipeError> {
    if folder.exists() {
        fs::rename(folder, aside).map_err(RecipeError::io("replace", folder))?;
    }
    fs::rename(product, folder).map_err(RecipeError::io("write", folder))
}
