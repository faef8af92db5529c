//! OpenSSL 4.0 from the sources that the crate `openssl-src` carries.
//!
//! Without modules the legacy provider is part of libcrypto, so RC4, RC2, IDEA and RC5 need
//! no path to a second library. The crate leaves out the program that writes the list of
//! exported symbols, without which OpenSSL's own makefile links no shared library: the static
//! one, whose objects are the same, is linked as shared with the flags OpenSSL would use.

use std::path::Path;
use std::process::Command;

use crate::{Recipe, RecipeError, Tool, Workshop};

const LIBRARY: &str = "libcrypto.so.4";

pub(super) static RECIPE: Recipe = Recipe {
    engine: "openssl4",
    version: "4.0.3",
    source: "crate openssl-src 400.0.2+4.0.3",
    takes: "about 2 minutes",
    needs: &[Tool::CARGO, Tool::PERL, Tool::MAKE, Tool::GCC],
    libraries: &[LIBRARY],
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
    configure.args(["./Configure", "no-shared", "no-module", "no-tests", "no-docs", "no-apps"]);
    configure.args(["enable-legacy", "enable-rc5", "no-comp", "no-zlib"]);
    shop.run("configuring OpenSSL 4.0.3", configure.current_dir(&sources))?;
    shared(shop, &sources, LIBRARY)
}

/// Makes the shared library of sources that were configured.
pub(super) fn shared(
    shop: &mut Workshop<'_>,
    sources: &Path,
    library: &str,
) -> Result<(), RecipeError> {
    let mut make = Command::new("make");
    make.arg("build_generated");
    shop.run("generating its headers", make.current_dir(sources))?;
    let jobs = shop.jobs();
    let mut make = Command::new("make");
    make.arg(format!("-j{jobs}")).arg("libcrypto.a");
    shop.run(&format!("compiling libcrypto, jobs: {jobs}"), make.current_dir(sources))?;
    let mut link = Command::new("gcc");
    link.args(["-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs"]);
    link.arg(format!("-Wl,-soname={library}"));
    link.args(["-Wl,--whole-archive", "libcrypto.a", "-Wl,--no-whole-archive"]);
    link.args(["-ldl", "-pthread", "-o", library]);
    shop.run("linking it", link.current_dir(sources))?;
    shop.keep(&sources.join(library), library)
}
