//! Bouncy Castle's provider, and a program of ours that speaks the protocol, compiled here.

use super::program_for_java::pack;
use crate::{Recipe, RecipeError, Tool, Workshop};

/// The files of the program that are of this engine alone.
const FILES: &[(&str, &str)] = &[
    ("Catalogue.java", include_str!("../../../java/bouncycastle/Catalogue.java")),
    ("Sessions.java", include_str!("../../../java/bouncycastle/Sessions.java")),
];

/// The program that the engine starts.
const PROGRAM: &str = "bouncycastle-engine.jar";

/// The SHA-256 of the library.
const SHA256: &str = "2af190b300cbb0b35e248ccf5f4a06b6072030aeb3da7a98ec73abe5b4cb371f";

pub(super) static RECIPE: Recipe = Recipe {
    engine: "bouncycastle",
    version: "1.86",
    source: "Maven artifact org.bouncycastle:bcprov-jdk18on:1.86",
    takes: "about a minute",
    needs: &[Tool::MAVEN, Tool::JAVAC, Tool::JAR],
    libraries: &[PROGRAM, "bcprov.jar"],
    make,
};

fn make(shop: &mut Workshop<'_>) -> Result<(), RecipeError> {
    let library = shop.maven("org.bouncycastle", "bcprov-jdk18on", "1.86", SHA256)?;
    pack(shop, FILES, &library, "bcprov.jar", PROGRAM)?;
    shop.keep(&library, "bcprov.jar")
}
