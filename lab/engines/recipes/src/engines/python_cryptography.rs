//! pyca's package `cryptography`, and a program of ours that speaks the protocol.

use super::python::SHARED;
use crate::{Pin, Recipe, RecipeError, Tool, Workshop};

/// The program that the engine starts.
const PROGRAM: &str = "peers.py";

const PINS: &[Pin] = &[
    Pin {
        file: "cryptography-50.0.2-cp311-abi3-manylinux_2_34_x86_64.whl",
        sha256: "9dab55f57c74c3cad24c323bacbbd04be4705ba6eb0d92e920b1fc4837ed5079",
    },
    Pin {
        file: "cffi-2.1.1-cp311-cp311-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
        sha256: "34e261f78cb6ceaaa36f42f2613f4380d94d9c759a9c73c769ee6e0247364632",
    },
];

pub(super) static RECIPE: Recipe = Recipe {
    engine: "python-cryptography",
    version: "50.0.2+1",
    source: "PyPI wheels cryptography 50.0.2, which brings OpenSSL 4.0.3, and cffi 2.1.1",
    takes: "under a minute",
    needs: &[Tool::PYTHON],
    libraries: &[PROGRAM, "site/cryptography/__init__.py"],
    make,
};

fn make(shop: &mut Workshop<'_>) -> Result<(), RecipeError> {
    for (package, version) in [("cffi", "2.1.1"), ("cryptography", "50.0.2")] {
        let root = shop.wheel(package, version, PINS)?;
        shop.keep_folder(&root, "site")?;
    }
    shop.keep_texts(SHARED)?;
    shop.keep_texts(&[(PROGRAM, include_str!("../../../python/peers.py"))])
}
