//! wolfSSL's AES from Debian's newest source package, with our C interface in one library: its
//! structures depend on how it is configured.
//!
//! Its own assembly is in, and chosen by the CPU when it runs. SM4 is not in these sources.

use std::fs;
use std::process::Command;

use super::shim::{self, INTERFACE};
use crate::{Pin, Recipe, RecipeError, Tool, Workshop};

const SOURCES: Pin = Pin {
    file: "wolfssl_5.9.2.orig.tar.gz",
    sha256: "2f4ef3d4fd387a9b3191d36a6316d69116c46ff69bb9583b6c82b36d7b8ca114",
};

/// Where Debian keeps it.
const POOL: &str = "http://deb.debian.org/debian/pool/main/w/wolfssl";

/// Its files that these ciphers need.
const FILES: [&str; 12] = [
    "aes.c",
    "aes_asm.S",
    "aes_gcm_asm.S",
    "aes_xts_asm.S",
    "arc4.c",
    "cmac.c",
    "cpuid.c",
    "error.c",
    "logging.c",
    "memory.c",
    "rc2.c",
    "wc_port.c",
];

const SHIM: &str = include_str!("../../../wolfssl/shim.c");
const SETTINGS: &str = include_str!("../../../wolfssl/user_settings.h");

pub(super) static RECIPE: Recipe = Recipe {
    engine: "wolfssl",
    // The library's, and the number of the interface.
    version: "5.9.2+3",
    source: "Debian's source package wolfssl 5.9.2",
    takes: "under a minute",
    needs: &[Tool::APT_GET, Tool::PYTHON, Tool::GCC],
    libraries: &[INTERFACE],
    make,
};

fn make(shop: &mut Workshop<'_>) -> Result<(), RecipeError> {
    let sources = shop.unpacked(&[POOL], SOURCES, "wolfssl-5.9.2-stable")?;
    let shim = shim::write(shop, "shim.c", SHIM)?;
    let settings = shop.work().join("user_settings.h");
    fs::write(&settings, SETTINGS).map_err(RecipeError::io("write", &settings))?;
    let made = shop.work().join(INTERFACE);
    let mut compile = Command::new("gcc");
    compile.args(["-O2", "-fPIC", "-shared", "-DWOLFSSL_USER_SETTINGS"]);
    // The key schedule of AES has no assembly of its own, but the compiler's functions.
    compile.args(["-maes", "-msse4.2", "-mpclmul", "-I"]).arg(shop.work());
    compile.arg("-isystem").arg(&sources).arg(&shim);
    compile.args(FILES.map(|name| sources.join("wolfcrypt").join("src").join(name)));
    compile.arg("-Wl,-z,defs").arg("-o").arg(&made);
    shop.run("compiling wolfCrypt and the C interface to it", &mut compile)?;
    shop.keep(&made, INTERFACE)
}
