//! Bouncy Castle's provider, and a program of ours that speaks the protocol, compiled here.

use std::fs;
use std::process::Command;

use crate::{Recipe, RecipeError, Tool, Workshop};

/// The files of the program.
const FILES: &[(&str, &str)] = &[
    ("Catalogue.java", include_str!("../../../java/Catalogue.java")),
    ("Input.java", include_str!("../../../java/Input.java")),
    ("Line.java", include_str!("../../../java/Line.java")),
    ("Main.java", include_str!("../../../java/Main.java")),
    ("Message.java", include_str!("../../../java/Message.java")),
    ("Operation.java", include_str!("../../../java/Operation.java")),
    ("Ring.java", include_str!("../../../java/Ring.java")),
    ("Sampler.java", include_str!("../../../java/Sampler.java")),
    ("Server.java", include_str!("../../../java/Server.java")),
    ("Session.java", include_str!("../../../java/Session.java")),
    ("Sessions.java", include_str!("../../../java/Sessions.java")),
    ("Task.java", include_str!("../../../java/Task.java")),
];

/// What tells `java -jar` where to begin and which library is beside it.
const MANIFEST: &str = "Main-Class: Main\nClass-Path: bcprov.jar\n";

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
    let [sources, classes] = ["sources", "classes"].map(|name| shop.work().join(name));
    for folder in [&sources, &classes] {
        fs::create_dir(folder).map_err(RecipeError::io("make the folder", folder))?;
    }
    let mut compile = Command::new("javac");
    compile.args(["-Xlint:all", "--release", "17", "-cp"]).arg(&library);
    compile.arg("-d").arg(&classes);
    for (name, text) in FILES {
        let path = sources.join(name);
        fs::write(&path, text).map_err(RecipeError::io("write", &path))?;
        compile.arg(&path);
    }
    shop.run("compiling the program with it", &mut compile)?;
    let manifest = shop.work().join("MANIFEST.MF");
    fs::write(&manifest, MANIFEST).map_err(RecipeError::io("write", &manifest))?;
    let made = shop.work().join(PROGRAM);
    let mut pack = Command::new("jar");
    pack.arg("--create").arg("--file").arg(&made).arg("--manifest").arg(&manifest);
    pack.arg("-C").arg(&classes).arg(".");
    shop.run("packing it", &mut pack)?;
    shop.keep(&made, PROGRAM)?;
    shop.keep(&library, "bcprov.jar")
}
