//! The package of this project for Python, and a program of ours that speaks the protocol.

use std::fs;
use std::process::Command;

use super::bindings;
use crate::{Recipe, RecipeError, Tool, Workshop, sources};

/// The files of the program that both engines for Python share.
pub(super) const SHARED: &[(&str, &str)] = &[
    ("inputs.py", include_str!("../../../python/inputs.py")),
    ("operation.py", include_str!("../../../python/operation.py")),
    ("protocol.py", include_str!("../../../python/protocol.py")),
    ("sample.py", include_str!("../../../python/sample.py")),
    ("server.py", include_str!("../../../python/server.py")),
    ("task.py", include_str!("../../../python/task.py")),
];

/// The program that the engine starts.
const PROGRAM: &str = "library.py";

pub(super) static RECIPE: Recipe = Recipe {
    engine: "python",
    version: bindings::VERSION,
    source: "bindings/python of this repository",
    takes: "two minutes",
    needs: &[Tool::PYTHON, Tool::CARGO],
    libraries: &[PROGRAM, "site/cipherlane/__init__.py"],
    make,
};

fn make(shop: &mut Workshop<'_>) -> Result<(), RecipeError> {
    let root = shop.repository("bindings/python/pyproject.toml")?;
    shop.unchanged(&root, sources::BINDINGS, bindings::HASH)?;
    let site = shop.work().join("site");
    fs::create_dir(&site).map_err(RecipeError::io("make the folder", &site))?;
    let mut build = Command::new("python3");
    build.args(["-m", "pip", "install", "--disable-pip-version-check", "--no-deps", "--target"]);
    build.arg(&site).arg(root.join("bindings").join("python"));
    build.env("CARGO_TARGET_DIR", root.join("target").join("bindings"));
    shop.run("building the package", &mut build)?;
    shop.keep_folder(&site, "site")?;
    shop.keep_texts(SHARED)?;
    shop.keep_texts(&[(PROGRAM, include_str!("../../../python/library.py"))])
}
