//! The program and libcrypto of OpenSSL 4.0, made at once from the sources that the crate
//! `openssl-src` carries and kept in the cache beside the built engines. What no test of ours
//! touches is left out, and nothing is optimised for long; the recipe of the engine `openssl4` makes
//! the library that is measured.

use std::path::PathBuf;
use std::process::Command;

use recipes::{Progress, Recipe, RecipeError, Tool, Workshop};

static PROGRAM: Recipe = Recipe {
    engine: "openssl4-program",
    version: "4.0.3",
    source: "crate openssl-src 400.0.2+4.0.3",
    takes: "about 3 minutes",
    needs: &[Tool::CARGO, Tool::PERL, Tool::MAKE, Tool::GCC],
    libraries: &["openssl", "libcrypto.so.4"],
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
    configure.args(["enable-legacy", "enable-rc5", "no-comp", "no-zlib", "-O1"]);
    configure.args(["no-quic", "no-dtls", "no-cmp", "no-ts", "no-srp", "no-ec2m", "no-gost"]);
    configure.args(["no-ml-dsa", "no-ml-kem", "no-slh-dsa"]);
    shop.run("configuring OpenSSL 4.0.3", configure.current_dir(&sources))?;
    let mut make = Command::new("make");
    shop.run("generating its headers", make.arg("build_generated").current_dir(&sources))?;
    let jobs = shop.jobs();
    let mut make = Command::new("make");
    make.arg(format!("-j{jobs}")).arg("apps/openssl");
    shop.run(&format!("compiling the program, jobs: {jobs}"), make.current_dir(&sources))?;
    // As the recipe of `openssl4` says, the crate's sources link no shared library by themselves.
    let mut link = Command::new("gcc");
    link.args(["-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs", "-Wl,-soname=libcrypto.so.4"]);
    link.args(["-Wl,--whole-archive", "libcrypto.a", "-Wl,--no-whole-archive"]);
    link.args(["-ldl", "-pthread", "-o", "libcrypto.so.4"]);
    shop.run("linking libcrypto", link.current_dir(&sources))?;
    shop.keep(&sources.join("libcrypto.so.4"), "libcrypto.so.4")?;
    shop.keep(&sources.join("apps").join("openssl"), "openssl")
}

/// Prints each step.
pub(super) struct Steps;

impl Progress for Steps {
    fn step(&mut self, engine: &str, text: &str) {
        println!("   {engine}: {text}");
    }
}

/// The program and the shared library, built now unless they are there.
pub(super) fn built() -> Result<(PathBuf, PathBuf), RecipeError> {
    let folder = recipes::folder()?;
    recipes::build(&PROGRAM, &folder, false, &mut Steps)?;
    let folder = folder.join(PROGRAM.folder_name());
    Ok((folder.join("openssl"), folder.join("libcrypto.so.4")))
}
