//! The program of OpenSSL 4.0, made from the sources that the crate `openssl-src` carries and
//! kept in the cache beside the built engines. The recipe of the engine `openssl4` makes the
//! library.

use std::path::PathBuf;
use std::process::Command;

use recipes::{Progress, Recipe, RecipeError, Tool, Workshop};

static PROGRAM: Recipe = Recipe {
    engine: "openssl4-program",
    version: "4.0.3",
    source: "crate openssl-src 400.0.2+4.0.3",
    takes: "about 3 minutes",
    needs: &[Tool::CARGO, Tool::PERL, Tool::MAKE, Tool::GCC],
    libraries: &["openssl"],
    make,
};

fn make(shop: &mut Workshop<'_>) -> Result<(), RecipeError> {
    let sources = shop.crate_sources(
        "openssl-src",
        "400.0.2+4.0.3",
        "d2093956673b8dbda85c87fa4fb78e70698ce6c5978a2837d1613f661d3bef76",
    )?;
    let sources = sources.join("openssl");
    let mut configure = Command::new("perl");
    configure.args(["./Configure", "no-shared", "no-module", "no-tests", "no-docs"]);
    configure.args(["enable-legacy", "enable-rc5", "no-comp", "no-zlib"]);
    shop.run("configuring OpenSSL 4.0.3", configure.current_dir(&sources))?;
    let mut make = Command::new("make");
    shop.run("generating its headers", make.arg("build_generated").current_dir(&sources))?;
    let jobs = shop.jobs();
    let mut make = Command::new("make");
    make.arg(format!("-j{jobs}")).arg("apps/openssl");
    shop.run(&format!("compiling the program, jobs: {jobs}"), make.current_dir(&sources))?;
    shop.keep(&sources.join("apps").join("openssl"), "openssl")
}

struct Steps;

impl Progress for Steps {
    fn step(&mut self, engine: &str, text: &str) {
        println!("   {engine}: {text}");
    }
}

/// The program, built now unless it is there.
pub(super) fn program() -> Result<PathBuf, RecipeError> {
    let built = recipes::build(&PROGRAM, &recipes::folder()?, false, &mut Steps)?;
    Ok(built.library)
}

/// The shared library of the engine `openssl4`, built now unless it is there.
pub(super) fn library() -> Result<PathBuf, RecipeError> {
    match recipes::recipe("openssl4") {
        Some(recipe) => Ok(recipes::build(recipe, &recipes::folder()?, false, &mut Steps)?.library),
        None => Err(RecipeError::NoCache),
    }
}
