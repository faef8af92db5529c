//! Crypto++ as Debian 12 ships it, and our C interface to it, compiled here.

use std::process::Command;

use super::shim::{self, INTERFACE};
use crate::{Pin, Recipe, RecipeError, Tool, Workshop};

const PINS: &[Pin] = &[
    Pin {
        file: "libcrypto++8_8.7.0+git220824-1_amd64.deb",
        sha256: "4ebed2e8d045b947e88dacfcad62fa66e3c7a3c35aaf0ab3ccc16306f06c116e",
    },
    Pin {
        file: "libcrypto++-dev_8.7.0+git220824-1_amd64.deb",
        sha256: "cceacacbc6658ebc7d55ac1e28ea89321f929fce04f4d707232929e4fe6ab5df",
    },
];

const SHIM: &str = include_str!("../../../cryptopp/shim.cpp");

/// Crypto++ itself, which is found beside the interface.
const CRYPTOPP: &str = "libcrypto++.so.8";

pub(super) static RECIPE: Recipe = Recipe {
    engine: "cryptopp",
    // The library's, and the number of the interface.
    version: "8.7.0+3",
    source: "Debian packages libcrypto++8 and libcrypto++-dev 8.7.0",
    takes: "under a minute",
    needs: &[Tool::APT_GET, Tool::DPKG_DEB, Tool::GXX],
    libraries: &[INTERFACE, CRYPTOPP],
    make,
};

fn make(shop: &mut Workshop<'_>) -> Result<(), RecipeError> {
    let library = shop.debian("libcrypto++8", "8.7.0+git220824-1", PINS)?;
    let headers = shop.debian("libcrypto++-dev", "8.7.0+git220824-1", PINS)?;
    shop.keep_found(&library, CRYPTOPP)?;
    let source = shim::write(shop, "shim.cpp", SHIM)?;
    let made = shop.work().join(INTERFACE);
    let mut compile = Command::new("g++");
    compile.args(["-std=c++17", "-O2", "-fPIC", "-shared", "-isystem"]);
    compile.arg(headers.join("usr").join("include")).arg(&source).arg("-o").arg(&made);
    compile.arg(shop.kept(CRYPTOPP)).arg("-Wl,-rpath,$ORIGIN");
    shop.run("compiling the C interface to Crypto++", &mut compile)?;
    shop.keep(&made, INTERFACE)
}
