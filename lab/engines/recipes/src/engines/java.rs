//! The provider of this project for Java, and a program of ours that speaks the protocol.

use std::process::Command;

use super::bindings;
use crate::java::{self, File};
use crate::{Recipe, RecipeError, Tool, Workshop, sources};

/// The files of the program that are of this engine alone.
const FILES: &[File<'static>] = &[
    ("Catalogue.java", include_str!("../../../cipherlane-java/Catalogue.java")),
    ("Sessions.java", include_str!("../../../cipherlane-java/Sessions.java")),
];

/// The program that the engine starts.
const PROGRAM: &str = "java-engine.jar";

/// The provider.
const LIBRARY: &str = "cipherlane.jar";

pub(super) static RECIPE: Recipe = Recipe {
    engine: "java",
    version: bindings::VERSION,
    source: "bindings/java of this repository",
    takes: "three minutes",
    needs: &[Tool::CARGO, Tool::MAVEN, java::NEEDS[0], java::NEEDS[1]],
    libraries: &[PROGRAM, LIBRARY],
    make,
};

fn make(shop: &mut Workshop<'_>) -> Result<(), RecipeError> {
    let root = shop.repository("bindings/java/pom.xml")?;
    shop.unchanged(&root, sources::BINDINGS, bindings::HASH)?;
    let mut build = Command::new("cargo");
    build.args(["xtask", "java", "--package"]).current_dir(&root);
    // Built where it is taken from below, whatever folder the user's own builds go to.
    build.env_remove("CARGO_TARGET_DIR");
    shop.run("building the provider", &mut build)?;
    let library = root.join("target/java/maven/cipherlane-0.1.0.jar");
    java::program(shop, PROGRAM, FILES, Some((&library, LIBRARY)))
}
