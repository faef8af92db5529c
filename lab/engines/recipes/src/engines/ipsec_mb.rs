//! Intel's ipsec-mb as Debian's newest package has it, which wants no newer libc than Debian 12
//! has, and our C interface to it, compiled here.

use std::fs;
use std::process::Command;

use crate::{Pin, Recipe, RecipeError, Tool, Workshop};

const LIBRARY: Pin = Pin {
    file: "libipsec-mb2_3.0.0+dfsg.really2.0.2-1_amd64.deb",
    sha256: "f70dc2983a402bbed25b7ddca01ed79090f12569265d12225bbd4d43d442273c",
};

const HEADERS: Pin = Pin {
    file: "libipsec-mb-dev_3.0.0+dfsg.really2.0.2-1_amd64.deb",
    sha256: "4b73cd9dc64b8935085fed41359d7e66fc251319b4d2b890f5d73646750102f7",
};

/// Where Debian keeps both.
const POOL: &str = "http://deb.debian.org/debian/pool/main/i/intel-ipsec-mb";

/// The library's own interface is macros over structures; this one is functions.
const SHIM: &str =
    concat!(include_str!("../../../ipsec-mb/shim.c"), include_str!("../../../ipsec-mb/blocks.c"));

/// The library that the engine opens.
const INTERFACE: &str = "libcipherlane-ipsec-mb.so";

/// ipsec-mb itself, which is found beside it.
const IPSEC_MB: &str = "libIPSec_MB.so.2";

pub(super) static RECIPE: Recipe = Recipe {
    engine: "ipsec-mb",
    // The library's, and the number of the interface.
    version: "2.0.2+4",
    source: "Debian packages libipsec-mb2 and libipsec-mb-dev 2.0.2",
    takes: "a few seconds",
    needs: &[Tool::APT_GET, Tool::DPKG_DEB, Tool::GCC],
    libraries: &[INTERFACE, IPSEC_MB],
    make,
};

fn make(shop: &mut Workshop<'_>) -> Result<(), RecipeError> {
    let library = shop.debian_file(&[POOL], LIBRARY)?;
    let headers = shop.debian_file(&[POOL], HEADERS)?;
    shop.keep_found(&library, IPSEC_MB)?;
    let source = shop.work().join("shim.c");
    fs::write(&source, SHIM).map_err(RecipeError::io("write", &source))?;
    let made = shop.work().join(INTERFACE);
    let mut compile = Command::new("gcc");
    compile.args(["-std=c11", "-O2", "-fPIC", "-shared", "-isystem"]);
    compile.arg(headers.join("usr").join("include")).arg(&source).arg("-o").arg(&made);
    compile.arg(shop.kept(IPSEC_MB)).arg("-Wl,-rpath,$ORIGIN");
    shop.run("compiling the C interface to ipsec-mb", &mut compile)?;
    shop.keep(&made, INTERFACE)
}
