//! OpenSSL 4.0 with its TLS and DTLS as a user would compile it: the program, both libraries and
//! the headers, made at once from the sources of the crate `openssl-src` and kept in the cache. The
//! program of `openssl4.rs` has no DTLS and is not optimised, so nothing could be timed with it.

use std::path::PathBuf;
use std::process::Command;

use recipes::{Recipe, RecipeError, Tool, Workshop};

use crate::bindings::openssl4::Steps;

static LIBRARY: Recipe = Recipe {
    engine: "openssl4-tls",
    version: "4.0.3",
    source: "crate openssl-src 400.0.2+4.0.3",
    takes: "about 5 minutes",
    needs: &[Tool::CARGO, Tool::PERL, Tool::MAKE, Tool::GCC],
    libraries: &["openssl", "libssl.so.4", "libcrypto.so.4", "include/openssl/ssl.h"],
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
    configure.args(["./Configure", "no-shared", "no-module", "no-tests", "no-docs", "no-comp"]);
    configure.args(["no-zlib", "enable-ktls", "no-quic", "no-cmp", "no-ts", "no-srp", "no-gost"]);
    configure.args(["no-ec2m", "no-slh-dsa"]);
    shop.run("configuring OpenSSL 4.0.3", configure.current_dir(&sources))?;
    let mut make = Command::new("make");
    shop.run("generating its headers", make.arg("build_generated").current_dir(&sources))?;
    let jobs = shop.jobs();
    let mut make = Command::new("make");
    make.arg(format!("-j{jobs}")).arg("apps/openssl");
    shop.run(&format!("compiling it, jobs: {jobs}"), make.current_dir(&sources))?;
    // As the recipe of `openssl4` says, the crate's sources link no shared library by themselves.
    for (library, archive, needs) in [
        ("libcrypto.so.4", "libcrypto.a", None),
        ("libssl.so.4", "libssl.a", Some("libcrypto.so.4")),
    ] {
        let mut link = Command::new("gcc");
        link.args(["-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs"]);
        link.arg(format!("-Wl,-soname={library}"));
        link.args(["-Wl,--whole-archive", archive, "-Wl,--no-whole-archive"]).args(needs);
        link.args(["-ldl", "-pthread", "-o", library]);
        shop.run(&format!("linking {library}"), link.current_dir(&sources))?;
        shop.keep(&sources.join(library), library)?;
    }
    shop.keep_folder(&sources.join("include"), "include")?;
    shop.keep(&sources.join("apps").join("openssl"), "openssl")
}

/// The folder with all of it, made now unless it is there.
pub(super) fn built() -> Result<PathBuf, RecipeError> {
    let folder = recipes::folder()?;
    recipes::build(&LIBRARY, &folder, false, &mut Steps)?;
    Ok(folder.join(LIBRARY.folder_name()))
}
