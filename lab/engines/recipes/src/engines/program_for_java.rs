//! The program of ours that speaks the protocol for libraries of Java.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{RecipeError, Workshop};

/// The files of the program that all engines for Java share.
const SHARED: &[(&str, &str)] = &[
    ("Input.java", include_str!("../../../java/Input.java")),
    ("Line.java", include_str!("../../../java/Line.java")),
    ("Main.java", include_str!("../../../java/Main.java")),
    ("Message.java", include_str!("../../../java/Message.java")),
    ("Operation.java", include_str!("../../../java/Operation.java")),
    ("Ring.java", include_str!("../../../java/Ring.java")),
    ("Sampler.java", include_str!("../../../java/Sampler.java")),
    ("Server.java", include_str!("../../../java/Server.java")),
    ("Session.java", include_str!("../../../java/Session.java")),
    ("Task.java", include_str!("../../../java/Task.java")),
];

/// Compiles the program with an engine's own files and the library's jar, and keeps it under
/// that name; `beside` is the name that the jar will have beside it.
pub(super) fn pack(
    shop: &mut Workshop<'_>,
    own: &[(&str, &str)],
    library: &Path,
    beside: &str,
    program: &str,
) -> Result<(), RecipeError> {
    let [sources, classes] = ["sources", "classes"].map(|name| shop.work().join(name));
    for folder in [&sources, &classes] {
        fs::create_dir(folder).map_err(RecipeError::io("make the folder", folder))?;
    }
    let mut compile = Command::new("javac");
    compile.args(["-Xlint:all", "--release", "17", "-cp"]).arg(library);
    compile.arg("-d").arg(&classes);
    for (name, text) in SHARED.iter().chain(own) {
        let path = sources.join(name);
        fs::write(&path, text).map_err(RecipeError::io("write", &path))?;
        compile.arg(&path);
    }
    shop.run("compiling the program with it", &mut compile)?;
    // What tells `java -jar` where to begin and which library is beside it.
    let text = format!("Main-Class: Main\nClass-Path: {beside}\n");
    let manifest = shop.work().join("MANIFEST.MF");
    fs::write(&manifest, text).map_err(RecipeError::io("write", &manifest))?;
    let made = shop.work().join(program);
    let mut pack = Command::new("jar");
    pack.arg("--create").arg("--file").arg(&made).arg("--manifest").arg(&manifest);
    pack.arg("-C").arg(&classes).arg(".");
    shop.run("packing it", &mut pack)?;
    shop.keep(&made, program)
}
