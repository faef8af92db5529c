//! Bouncy Castle's provider, and a program of ours that speaks the protocol, compiled here.

use crate::java::{self, File};
use crate::{Recipe, RecipeError, Tool, Workshop};

/// The files of the program that know the library.
const FILES: &[File<'static>] = &[
    ("Catalogue.java", include_str!("../../../bouncycastle/Catalogue.java")),
    ("Sessions.java", include_str!("../../../bouncycastle/Sessions.java")),
];

/// The program that the engine starts.
const PROGRAM: &str = "bouncycastle-engine.jar";

/// The library beside it.
const LIBRARY: &str = "bcprov.jar";

/// The SHA-256 of the library.
const SHA256: &str = "2af190b300cbb0b35e248ccf5f4a06b6072030aeb3da7a98ec73abe5b4cb371f";

pub(super) static RECIPE: Recipe = Recipe {
    engine: "bouncycastle",
    version: "1.86+6",
    source: "Maven artifact org.bouncycastle:bcprov-jdk18on:1.86",
    takes: "about a minute",
    needs: &[Tool::MAVEN, java::NEEDS[0], java::NEEDS[1]],
    libraries: &[PROGRAM, LIBRARY],
    make,
};

fn make(shop: &mut Workshop<'_>) -> Result<(), RecipeError> {
    let library = shop.maven("org.bouncycastle", "bcprov-jdk18on", "1.86", SHA256)?;
    java::program(shop, PROGRAM, FILES, Some((&library, LIBRARY)))
}
