//! OpenSSL 4.0 as the chores need it, made at once from the sources that the crate `openssl-src`
//! carries and kept in the cache beside the built engines: the program and libcrypto here, both
//! libraries and the headers in `tls/library.rs`. What is left out and how much is optimised are
//! the options of each; the recipe of the engine `openssl4` makes the library that is measured.

use std::path::{Path, PathBuf};
use std::process::Command;

use recipes::{Progress, Recipe, RecipeError, Tool, Workshop};

static PROGRAM: Recipe = recipe(
    "openssl4-program",
    "about 3 minutes",
    &["openssl", "libcrypto.so.4"],
    // What no test of ours touches is left out, and nothing is optimised for long.
    |shop| {
        let options = [
            "enable-legacy enable-rc5 no-comp no-zlib -O1",
            "no-quic no-dtls no-cmp no-ts no-srp no-ec2m no-gost",
            "no-ml-dsa no-ml-kem no-slh-dsa",
        ];
        compile(shop, &options, &["libcrypto"]).map(drop)
    },
);

/// A recipe of this release: its folder in the cache is `ENGINE-4.0.3`.
pub(super) const fn recipe(
    engine: &'static str,
    takes: &'static str,
    libraries: &'static [&'static str],
    make: fn(&mut Workshop<'_>) -> Result<(), RecipeError>,
) -> Recipe {
    Recipe {
        engine,
        version: "4.0.3",
        source: "crate openssl-src 400.0.2+4.0.3",
        takes,
        needs: &[Tool::CARGO, Tool::PERL, Tool::MAKE, Tool::GCC],
        libraries,
        make,
    }
}

/// Compiles the program with these options of `Configure`, blanks between them, and links the
/// libraries, of which each may need those before it; keeps all of them and returns the sources.
pub(super) fn compile(
    shop: &mut Workshop<'_>,
    options: &[&str],
    libraries: &[&str],
) -> Result<PathBuf, RecipeError> {
    let sources = shop.crate_sources(
        "openssl-src",
        "400.0.2+4.0.3",
        "d2093956673b8dbda85c87fa4fb78e70698ce6c5978a2837d1613f661d3bef76",
    )?;
    let sources = sources.join("openssl");
    let mut configure = Command::new("perl");
    configure.args(["./Configure", "no-shared", "no-module", "no-tests", "no-docs"]);
    configure.args(options.iter().flat_map(|it| it.split(' ')));
    shop.run("configuring OpenSSL 4.0.3", configure.current_dir(&sources))?;
    let mut make = Command::new("make");
    shop.run("generating its headers", make.arg("build_generated").current_dir(&sources))?;
    let jobs = shop.jobs();
    let mut make = Command::new("make");
    make.arg(format!("-j{jobs}")).arg("apps/openssl");
    shop.run(&format!("compiling the program, jobs: {jobs}"), make.current_dir(&sources))?;
    for (index, library) in libraries.iter().enumerate() {
        link(shop, &sources, library, &libraries[..index])?;
    }
    shop.keep(&sources.join("apps").join("openssl"), "openssl")?;
    Ok(sources)
}

/// Links one. As the recipe of `openssl4` says, the crate's sources link no shared library by
/// themselves.
fn link(
    shop: &mut Workshop<'_>,
    sources: &Path,
    library: &str,
    needs: &[&str],
) -> Result<(), RecipeError> {
    let shared = |library: &str| format!("{library}.so.4");
    let made = shared(library);
    let mut link = Command::new("gcc");
    link.args(["-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs"]);
    link.arg(format!("-Wl,-soname={made}")).arg("-Wl,--whole-archive");
    link.arg(format!("{library}.a")).arg("-Wl,--no-whole-archive");
    link.args(needs.iter().map(|it| shared(it))).args(["-ldl", "-pthread", "-o", &made]);
    shop.run(&format!("linking {library}"), link.current_dir(sources))?;
    shop.keep(&sources.join(&made), &made)
}

/// Prints each step.
struct Steps;

impl Progress for Steps {
    fn step(&mut self, engine: &str, text: &str) {
        println!("   {engine}: {text}");
    }
}

/// The folder in the cache with what a recipe makes, made now unless it is there.
pub(super) fn folder(recipe: &'static Recipe) -> Result<PathBuf, RecipeError> {
    let cache = recipes::folder()?;
    recipes::build(recipe, &cache, false, &mut Steps)?;
    Ok(cache.join(recipe.folder_name()))
}

/// The program and the shared library.
pub(super) fn built() -> Result<(PathBuf, PathBuf), RecipeError> {
    let folder = folder(&PROGRAM)?;
    Ok((folder.join("openssl"), folder.join("libcrypto.so.4")))
}
