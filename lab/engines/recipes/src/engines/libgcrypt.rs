//! libgcrypt as Debian 12 ships it, with the one library it depends on.

use crate::{Pin, Recipe, RecipeError, Tool, Workshop};

const PINS: &[Pin] = &[
    Pin {
        file: "libgcrypt20_1.10.1-3+deb12u1_amd64.deb",
        sha256: "e7a56552139c693904a6f9712234c05fe918353273a7cbdb5e62f423ad71bb97",
    },
    Pin {
        file: "libgpg-error0_1.46-1_amd64.deb",
        sha256: "89944ee11d7370ce6ef46fc52f094c4a6512eff8943ec4c6ebefeae6360ceada",
    },
];

pub(super) static RECIPE: Recipe = Recipe {
    engine: "libgcrypt",
    version: "1.10.1",
    source: "Debian package libgcrypt20 1.10.1",
    takes: "a few seconds",
    needs: &[Tool::APT_GET, Tool::DPKG_DEB],
    libraries: &["libgcrypt.so.20", "libgpg-error.so.0"],
    make,
};

fn make(shop: &mut Workshop<'_>) -> Result<(), RecipeError> {
    let gcrypt = shop.debian("libgcrypt20", "1.10.1-3+deb12u1", PINS)?;
    let errors = shop.debian("libgpg-error0", "1.46-1", PINS)?;
    shop.keep_found(&gcrypt, "libgcrypt.so.20")?;
    shop.keep_found(&errors, "libgpg-error.so.0")
}
