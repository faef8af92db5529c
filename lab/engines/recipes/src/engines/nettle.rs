//! Nettle as Debian's newest package has it, which wants no newer libc than Debian 12 has and chooses
//! by the CPU when it runs, and our C interface to it, compiled here.

use std::process::Command;

use super::shim::{self, INTERFACE};
use crate::{Pin, Recipe, RecipeError, Tool, Workshop};

const LIBRARY: Pin = Pin {
    file: "libnettle8t64_3.10.2-1_amd64.deb",
    sha256: "260f8459f328052d45ec7faf2393c56de6b1ee0afd7c75f2444691c1cfd2d886",
};

const HEADERS: Pin = Pin {
    file: "nettle-dev_3.10.2-1_amd64.deb",
    sha256: "2612b31435a615713aedd6459d6589ff9b34798a50c5c63cf1a28a4cb46a4823",
};

/// Where Debian keeps both.
const POOL: &str = "http://deb.debian.org/debian/pool/main/n/nettle";

const SHIM: &str = include_str!("../../../nettle/shim.c");

/// Nettle itself, which is found beside the interface.
const NETTLE: &str = "libnettle.so.8";

pub(super) static RECIPE: Recipe = Recipe {
    engine: "nettle",
    // The library's, and the number of the interface.
    version: "3.10.2+3",
    source: "Debian packages libnettle8t64 and nettle-dev 3.10.2",
    takes: "a few seconds",
    needs: &[Tool::APT_GET, Tool::DPKG_DEB, Tool::GCC],
    libraries: &[INTERFACE, NETTLE],
    make,
};

fn make(shop: &mut Workshop<'_>) -> Result<(), RecipeError> {
    let library = shop.debian_file(&[POOL], LIBRARY)?;
    let headers = shop.debian_file(&[POOL], HEADERS)?.join("usr").join("include");
    shop.keep_found(&library, NETTLE)?;
    let source = shim::write(shop, "shim.c", SHIM)?;
    let made = shop.work().join(INTERFACE);
    let mut compile = Command::new("gcc");
    compile.args(["-std=c11", "-O2", "-fPIC", "-shared"]);
    // The library tells but the first two of its numbers.
    compile.arg("-DCIPHERLANE_NETTLE_VERSION=\"3.10.2\"");
    compile.arg("-isystem").arg(&headers);
    compile.arg("-isystem").arg(headers.join("x86_64-linux-gnu"));
    compile.arg(&source).arg("-o").arg(&made).arg(shop.kept(NETTLE)).arg("-Wl,-rpath,$ORIGIN");
    shop.run("compiling the C interface to Nettle", &mut compile)?;
    shop.keep(&made, INTERFACE)
}
