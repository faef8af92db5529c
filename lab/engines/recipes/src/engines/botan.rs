//! Botan 3 from the sources that the crate `botan-src` carries, with the ciphers and modes
//! that are measured and every instruction set it has for them, and our C interface to its modes.

use std::fs;
use std::process::Command;

use crate::{Recipe, RecipeError, Tool, Workshop};

/// The modules: ciphers with all their levels, modes with the levels of their own, the C
/// interface. What they depend on comes by itself; what the compiler is too old for is left
/// out by the configuration.
const MODULES: &str = "aes,aes_ni,aes_vaes,aes_vperm,sm4,sm4_avx512,sm4_gfni,sm4_hwaes,sm4_x86,\
                       cbc,cfb,ctr,ctr_avx2,ctr_simd32,ofb,gcm,gcm_siv,ccm,ghash_cpu,ghash_vperm,\
                       ghash_avx512_clmul,xts,xts_avx512_clmul,cmac,gmac,ffi";

/// The library's own C interface copies the data of a mode; this one doesn't.
const SHIM: &str = include_str!("../../../botan/shim.cpp");

/// The library that the engine opens.
const INTERFACE: &str = "libcipherlane-botan.so";

/// Botan itself, which is found beside it.
const BOTAN: &str = "libbotan-3.so.13";

/// Its program, whose `speed` the laboratory is compared with by `cargo xtask crosscheck`.
const PROGRAM: &str = "botan";

pub(super) static RECIPE: Recipe = Recipe {
    engine: "botan",
    // The library's, and the number of the interface.
    version: "3.13.0+2",
    source: "crate botan-src 0.31300.1",
    takes: "about 3 minutes",
    needs: &[Tool::CARGO, Tool::PYTHON, Tool::MAKE, Tool::GXX],
    libraries: &[INTERFACE, BOTAN, PROGRAM],
    make,
};

fn make(shop: &mut Workshop<'_>) -> Result<(), RecipeError> {
    let sources = shop.crate_sources(
        "botan-src",
        "0.31300.1",
        "e19afa24979ebb37fd22894895219e5f6bb6ba3d98f87c4aa147e59f4860efb7",
    )?;
    let archive = sources.join("vendor").join("Botan-3.13.0.tar.xz");
    let mut unpack = Command::new("python3");
    unpack.args(["-m", "tarfile", "-e"]).arg(&archive).arg(shop.work());
    shop.run("unpacking Botan 3.13.0", &mut unpack)?;
    let sources = shop.work().join("Botan-3.13.0");
    let mut configure = Command::new("python3");
    configure.arg("configure.py").arg("--minimized-build");
    configure.arg(format!("--enable-modules={MODULES}"));
    configure.args(["--build-targets=shared,cli", "--disable-static-library"]);
    configure.args(["--without-documentation", "--cc=gcc"]);
    shop.run("configuring Botan 3.13.0", configure.current_dir(&sources))?;
    let jobs = shop.jobs();
    let mut make = Command::new("make");
    make.arg(format!("-j{jobs}")).args(["libs", "cli"]);
    let what = format!("compiling libbotan and its program, jobs: {jobs}");
    shop.run(&what, make.current_dir(&sources))?;
    shop.keep(&sources.join(BOTAN), BOTAN)?;
    shop.keep(&sources.join(PROGRAM), PROGRAM)?;
    let source = shop.work().join("shim.cpp");
    fs::write(&source, SHIM).map_err(RecipeError::io("write", &source))?;
    let made = shop.work().join(INTERFACE);
    let mut compile = Command::new("g++");
    compile.args(["-std=c++20", "-O2", "-fPIC", "-shared", "-isystem"]);
    compile.arg(sources.join("build").join("include").join("public"));
    compile.arg(&source).arg("-o").arg(&made);
    compile.arg(shop.kept(BOTAN)).arg("-Wl,-rpath,$ORIGIN");
    shop.run("compiling the C interface to its modes", &mut compile)?;
    shop.keep(&made, INTERFACE)
}
