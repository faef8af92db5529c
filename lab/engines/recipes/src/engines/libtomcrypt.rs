//! LibTomCrypt as Debian 12 ships it, with the two libraries it depends on.

use crate::{Pin, Recipe, RecipeError, Tool, Workshop};

const PINS: &[Pin] = &[
    Pin {
        file: "libtomcrypt1_1.18.2-6_amd64.deb",
        sha256: "dc5e1105c6428277dc2d90263295c8409141541f4e30f55fe490207fdb8df645",
    },
    Pin {
        file: "libtommath1_1.2.0-6+deb12u1_amd64.deb",
        sha256: "9ee19bf48bd80f903cd1ad64c1231198b1b1e5e2d3c2427fcd946916644424fa",
    },
    Pin {
        file: "libgmp10_2%3a6.2.1+dfsg1-1.1_amd64.deb",
        sha256: "187aedef2ed763f425c1e523753b9719677633c7eede660401739e9c893482bd",
    },
];

pub(super) static RECIPE: Recipe = Recipe {
    engine: "libtomcrypt",
    version: "1.18.2",
    source: "Debian package libtomcrypt1 1.18.2",
    takes: "a few seconds",
    needs: &[Tool::APT_GET, Tool::DPKG_DEB],
    libraries: &["libtomcrypt.so.1", "libtommath.so.1", "libgmp.so.10"],
    make,
};

fn make(shop: &mut Workshop<'_>) -> Result<(), RecipeError> {
    let tomcrypt = shop.debian("libtomcrypt1", "1.18.2-6", PINS)?;
    let tommath = shop.debian("libtommath1", "1.2.0-6+deb12u1", PINS)?;
    let gmp = shop.debian("libgmp10", "2:6.2.1+dfsg1-1.1", PINS)?;
    shop.keep_found(&tomcrypt, "libtomcrypt.so.1")?;
    shop.keep_found(&tommath, "libtommath.so.1")?;
    shop.keep_found(&gmp, "libgmp.so.10")
}
