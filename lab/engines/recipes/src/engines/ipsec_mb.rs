//! Intel's ipsec-mb as Debian 12 ships it, and our C interface to it, compiled here.

use std::fs;
use std::process::Command;

use crate::{Pin, Recipe, RecipeError, Tool, Workshop};

const PINS: &[Pin] = &[
    Pin {
        file: "libipsec-mb1_1.3-2_amd64.deb",
        sha256: "10db5af7b2078307df81da4e81f514e4a1cc6a72078a874449d8997cad63550a",
    },
    Pin {
        file: "libipsec-mb-dev_1.3-2_amd64.deb",
        sha256: "87f789b8238afee73877cd132615dfb835a16b64d14fecbda9410b7dcf8e6219",
    },
];

/// The library's own interface is macros over structures; this one is functions.
const SHIM: &str = include_str!("../../../ipsec-mb/shim.c");

/// The library that the engine opens.
const INTERFACE: &str = "libcipherlane-ipsec-mb.so";

/// ipsec-mb itself, which is found beside it.
const IPSEC_MB: &str = "libIPSec_MB.so.1";

pub(super) static RECIPE: Recipe = Recipe {
    engine: "ipsec-mb",
    version: "1.3",
    source: "Debian packages libipsec-mb1 and libipsec-mb-dev 1.3",
    takes: "a few seconds",
    needs: &[Tool::APT_GET, Tool::DPKG_DEB, Tool::GCC],
    libraries: &[INTERFACE, IPSEC_MB],
    make,
};

fn make(shop: &mut Workshop<'_>) -> Result<(), RecipeError> {
    let library = shop.debian("libipsec-mb1", "1.3-2", PINS)?;
    let headers = shop.debian("libipsec-mb-dev", "1.3-2", PINS)?;
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
