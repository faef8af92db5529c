//! Crypto++ from Debian's newest source package, and our C interface to it, both compiled here: the
//! newest binary wants a newer C++ library than Debian 12 has, and that one's own is of 2022.
//!
//! The flags are those of the sources, `-O3`, without debugging information.

use std::process::Command;

use super::shim::{self, INTERFACE};
use crate::{Pin, Recipe, RecipeError, Tool, Workshop};

const SOURCES: Pin = Pin {
    file: "libcrypto++_8.9.0.orig.tar.gz",
    sha256: "ab5174b9b5c6236588e15a1aa1aaecb6658cdbe09501c7981ac8db276a24d9ab",
};

/// Where Debian keeps them.
const POOL: &str = "http://deb.debian.org/debian/pool/main/libc/libcrypto++";

const SHIM: &str = include_str!("../../../cryptopp/shim.cpp");

/// Crypto++ itself, which becomes part of the interface.
const CRYPTOPP: &str = "libcryptopp.a";

pub(super) static RECIPE: Recipe = Recipe {
    engine: "cryptopp",
    // The library's, and the number of the interface.
    version: "8.9.0+1",
    source: "Debian's source package libcrypto++ 8.9.0",
    takes: "about 5 minutes",
    needs: &[Tool::APT_GET, Tool::PYTHON, Tool::MAKE, Tool::GXX],
    libraries: &[INTERFACE],
    make,
};

fn make(shop: &mut Workshop<'_>) -> Result<(), RecipeError> {
    let sources = shop.unpacked(&[POOL], SOURCES, "cryptopp-CRYPTOPP_8_9_0")?;
    let jobs = shop.jobs();
    let mut compile = Command::new("make");
    compile.arg(format!("-j{jobs}")).args(["CXXFLAGS=-O3 -DNDEBUG -fPIC", CRYPTOPP]);
    let step = format!("compiling Crypto++, jobs: {jobs}");
    shop.run(&step, compile.current_dir(&sources))?;

    // What the interface includes as an installed header.
    let headers = shop.work().join("include");
    std::fs::create_dir(&headers).map_err(RecipeError::io("create", &headers))?;
    let link = headers.join("cryptopp");
    std::os::unix::fs::symlink(&sources, &link).map_err(RecipeError::io("create", &link))?;
    let source = shim::write(shop, "shim.cpp", SHIM)?;
    let made = shop.work().join(INTERFACE);
    let mut compile = Command::new("g++");
    compile.args(["-std=c++17", "-O2", "-fPIC", "-shared", "-isystem"]).arg(&headers);
    compile.arg(&source).arg("-o").arg(&made).arg(sources.join(CRYPTOPP));
    // Templates are made on both sides; what the program has of the same name is not meant.
    compile.args(["-Wl,-Bsymbolic", "-Wl,--exclude-libs,ALL"]);
    shop.run("compiling the C interface to Crypto++", &mut compile)?;
    shop.keep(&made, INTERFACE)
}
