//! Programs in Java: the files that all engines in Java share, compiled with an engine's own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{RecipeError, Tool, Workshop};

/// A source file: its name and its text.
pub(crate) type File<'t> = (&'t str, &'t str);

/// The files that speak the protocol; an engine adds its `Catalogue.java` and what that needs.
pub(crate) const SHARED: &[File<'static>] = &[
    ("Canary.java", include_str!("../../java/Canary.java")),
    ("Input.java", include_str!("../../java/Input.java")),
    ("Line.java", include_str!("../../java/Line.java")),
    ("Main.java", include_str!("../../java/Main.java")),
    ("Message.java", include_str!("../../java/Message.java")),
    ("Operation.java", include_str!("../../java/Operation.java")),
    ("Ring.java", include_str!("../../java/Ring.java")),
    ("Sampler.java", include_str!("../../java/Sampler.java")),
    ("Server.java", include_str!("../../java/Server.java")),
    ("Session.java", include_str!("../../java/Session.java")),
    ("Task.java", include_str!("../../java/Task.java")),
];

/// What making a program needs.
pub(crate) const NEEDS: [Tool; 2] = [Tool::JAVAC, Tool::JAR];

/// What runs one.
pub(crate) const JAVA: Tool =
    Tool::named("java", "`apt-get install openjdk-17-jdk-headless` brings it");

/// The folder of the compiled classes in that for work.
pub(crate) const CLASSES: &str = "classes";

/// Makes the program of that name, which finds a library, if it has one, beside itself under
/// the name given; keeps both.
pub(crate) fn program(
    shop: &mut Workshop<'_>,
    name: &str,
    own: &[File<'_>],
    library: Option<(&Path, &str)>,
) -> Result<(), RecipeError> {
    let [sources, classes] = ["sources", CLASSES].map(|name| shop.work().join(name));
    for folder in [&sources, &classes] {
        fs::create_dir(folder).map_err(RecipeError::io("make the folder", folder))?;
    }
    let mut compile = Command::new("javac");
    compile.args(["-Xlint:all,-cast", "--release", "17"]);
    // What tells `java -jar` where to begin and which library is beside it.
    let mut manifest = "Main-Class: Main\n".to_owned();
    if let Some((path, name)) = library {
        compile.arg("-cp").arg(path);
        manifest += &format!("Class-Path: {name}\n");
    }
    compile.arg("-d").arg(&classes);
    for (name, text) in SHARED.iter().chain(own) {
        compile.arg(written(&sources, name, text)?);
    }
    shop.run("compiling the program", &mut compile)?;
    let manifest = written(shop.work(), "MANIFEST.MF", &manifest)?;
    let made = shop.work().join(name);
    let mut pack = Command::new("jar");
    pack.arg("--create").arg("--file").arg(&made).arg("--manifest").arg(&manifest);
    pack.arg("-C").arg(&classes).arg(".");
    shop.run("packing it", &mut pack)?;
    shop.keep(&made, name)?;
    library.map_or(Ok(()), |(path, name)| shop.keep(path, name))
}

fn written(folder: &Path, name: &str, text: &str) -> Result<PathBuf, RecipeError> {
    let path = folder.join(name);
    fs::write(&path, text).map_err(RecipeError::io("write", &path))?;
    Ok(path)
}
