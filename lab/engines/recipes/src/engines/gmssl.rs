//! GmSSL's SM4 from the sources that a package for Python carries, as GmSSL itself is in no registry
//! of C: its files of SM4 and GCM, with our C interface in one library.
//!
//! Compiled as its own makefile does with `ENABLE_SM4_AESNI_AVX`, for this CPU.

use std::process::Command;

use super::shim::{self, INTERFACE};
use crate::{Pin, Recipe, RecipeError, Tool, Workshop};

const PACKAGE: Pin = Pin {
    file: "easy_gmssl-2.0.1.tar.gz",
    sha256: "18f74927a4a0a57c46d2912284bc0232a792a0fb8d078c2346b2a05f4b7e9607",
};

/// Where PyPI keeps it.
const PLACE: &str = "https://files.pythonhosted.org/packages/22/79/\
                     d814e2dea25efeeaf7cb945b60b735f9c2c385cedf8a18a2dcce5259f20a";

const SOURCES: &str = "easy_gmssl-2.0.1/easy_gmssl/Core/GmSSL-3.1.1";

/// Its files that SM4 in these modes needs.
const FILES: [&str; 12] = [
    "sm4_common",
    "sm4_enc",
    "sm4_modes",
    "sm4_setkey",
    "sm4_aesni_avx",
    "gcm",
    "gf128",
    "hex",
    "debug",
    "aes",
    "aes_modes",
    "block_cipher",
];

const SHIM: &str = include_str!("../../../gmssl/shim.c");

pub(super) static RECIPE: Recipe = Recipe {
    engine: "gmssl",
    // The library's, and the number of the interface.
    version: "3.1.1+3",
    source: "PyPI's easy_gmssl 2.0.1, which carries GmSSL 3.1.1",
    takes: "a few seconds",
    needs: &[Tool::APT_GET, Tool::PYTHON, Tool::GCC],
    libraries: &[INTERFACE],
    make,
};

fn make(shop: &mut Workshop<'_>) -> Result<(), RecipeError> {
    let sources = shop.unpacked(&[PLACE], PACKAGE, SOURCES)?;
    let shim = shim::write(shop, "shim.c", SHIM)?;
    let made = shop.work().join(INTERFACE);
    let mut compile = Command::new("gcc");
    compile.args(["-std=c11", "-O2", "-march=native", "-DSM4_AESNI_AVX", "-fPIC", "-shared"]);
    compile.arg("-isystem").arg(sources.join("include")).arg(&shim);
    compile.args(FILES.map(|name| sources.join("src").join(format!("{name}.c"))));
    compile.arg("-Wl,-z,defs").arg("-o").arg(&made);
    shop.run("compiling SM4 of GmSSL and the C interface to it", &mut compile)?;
    shop.keep(&made, INTERFACE)
}
