//! Tongsuo, formerly BabaSSL, from the sources that the crate `tongsuo-src` carries: OpenSSL 3.5 with
//! the Chinese ciphers made faster. Linked as OpenSSL 4.0 is, for the same reason.

use std::process::Command;

use super::openssl4::shared;
use crate::{Recipe, RecipeError, Tool, Workshop};

const LIBRARY: &str = "libcrypto.so.3";

pub(super) static RECIPE: Recipe = Recipe {
    engine: "tongsuo",
    version: "8.5.0",
    source: "crate tongsuo-src 850.1.1+8.5.0",
    takes: "about 2 minutes",
    needs: &[Tool::CARGO, Tool::PERL, Tool::MAKE, Tool::GCC],
    libraries: &[LIBRARY],
    make,
};

fn make(shop: &mut Workshop<'_>) -> Result<(), RecipeError> {
    let sources = shop.crate_sources(
        "tongsuo-src",
        "850.1.1+8.5.0",
        "c3707d4fc3f701c479a327bc98315902725b93507b1c447489ec101361321f79",
    )?;
    let sources = sources.join("tongsuo");
    let mut configure = Command::new("perl");
    configure.args(["./Configure", "no-shared", "no-module", "no-tests", "no-engine"]);
    configure.args(["enable-legacy", "enable-rc5", "no-comp", "no-zlib"]);
    shop.run("configuring Tongsuo 8.5.0", configure.current_dir(&sources))?;
    shared(shop, &sources, LIBRARY)
}
