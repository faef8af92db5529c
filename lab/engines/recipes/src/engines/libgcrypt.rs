//! libgcrypt from Debian's newest source package, with the one library it depends on, both
//! compiled here: the newest binaries want a newer libc than Debian 12 has, and that one's own
//! are four years old.
//!
//! Nothing is chosen but what is left out of libgpg-error; the flags are those of the sources,
//! `-O2`, as Debian's are. The library's own benchmark is made besides, for the cross-check.

use std::path::Path;
use std::process::Command;

use crate::{Pin, Recipe, RecipeError, Tool, Workshop};

const GCRYPT: Pin = Pin {
    file: "libgcrypt20_1.12.4.orig.tar.bz2",
    sha256: "d77f68f48879510e79a2f65977ccc68981781ea0923e5bdffac2a193ea3d660e",
};

const ERRORS: Pin = Pin {
    file: "libgpg-error_1.61.orig.tar.bz2",
    sha256: "7a85413f2bc354f4f8aa832b718af122e48965e9e0eb9012ee659c13c6385c93",
};

/// Where Debian keeps the two.
const POOLS: [&str; 2] = [
    "http://deb.debian.org/debian/pool/main/libg/libgcrypt20",
    "http://deb.debian.org/debian/pool/main/libg/libgpg-error",
];

/// The libraries, and the benchmark of the first, which finds both beside it.
const MADE: [&str; 3] = ["libgcrypt.so.20", "libgpg-error.so.0", "bench-slope"];

pub(super) static RECIPE: Recipe = Recipe {
    engine: "libgcrypt",
    version: "1.12.4",
    source: "Debian's source packages libgcrypt20 1.12.4 and libgpg-error 1.61",
    takes: "about 2 minutes",
    needs: &[Tool::APT_GET, Tool::PYTHON, Tool::MAKE, Tool::GCC],
    libraries: &MADE,
    make,
};

fn make(shop: &mut Workshop<'_>) -> Result<(), RecipeError> {
    let installed = shop.work().join("installed");
    let prefix = |option: &str| format!("{option}={}", installed.display());
    let errors = shop.unpacked(&[POOLS[1]], ERRORS, "libgpg-error-1.61")?;
    let mut configure = Command::new("./configure");
    configure.arg(prefix("--prefix")).args(["--disable-static", "--disable-nls"]);
    configure.args(["--disable-doc", "--disable-tests", "--disable-languages"]);
    shop.run("configuring libgpg-error 1.61", configure.current_dir(&errors))?;
    compile(shop, "libgpg-error", &errors, &["install"])?;

    let gcrypt = shop.unpacked(&[POOLS[0]], GCRYPT, "libgcrypt-1.12.4")?;
    let mut configure = Command::new("./configure");
    configure.arg(prefix("--prefix")).arg(prefix("--with-libgpg-error-prefix"));
    configure.args(["--disable-static", "--disable-doc"]);
    shop.run("configuring libgcrypt 1.12.4", configure.current_dir(&gcrypt))?;
    compile(shop, "libgcrypt", &gcrypt, &["SUBDIRS=compat mpi cipher random src"])?;
    shop.keep(&gcrypt.join("src").join(".libs").join(MADE[0]), MADE[0])?;
    shop.keep(&installed.join("lib").join(MADE[1]), MADE[1])?;

    let tests = gcrypt.join("tests");
    compile(shop, "its benchmark", &tests, &["bench-slope.o"])?;
    let mut link = Command::new("gcc");
    link.args(["bench-slope.o", "-o", MADE[2]]).arg(shop.kept(MADE[0])).arg(shop.kept(MADE[1]));
    link.args(["../compat/.libs/libcompat.a", "-Wl,-rpath,$ORIGIN"]);
    shop.run("linking it", link.current_dir(&tests))?;
    shop.keep(&tests.join(MADE[2]), MADE[2])
}

fn compile(
    shop: &mut Workshop<'_>,
    what: &str,
    sources: &Path,
    targets: &[&str],
) -> Result<(), RecipeError> {
    let jobs = shop.jobs();
    let mut make = Command::new("make");
    make.arg(format!("-j{jobs}")).args(targets);
    shop.run(&format!("compiling {what}, jobs: {jobs}"), make.current_dir(sources))
}
