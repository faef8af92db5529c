//! The Go module gmsm in a program of ours that speaks the protocol.
//!
//! Its version is exact, as the module proxy resolves `@latest` to an old one.

use std::fs;

use crate::{Recipe, RecipeError, Tool, Workshop};

/// The files of the program.
const FILES: &[(&str, &str)] = &[
    ("go.mod", include_str!("../../../go/go.mod")),
    ("go.sum", include_str!("../../../go/go.sum")),
    ("canary.go", include_str!("../../../go/canary.go")),
    ("main.go", include_str!("../../../go/main.go")),
    ("protocol.go", include_str!("../../../go/protocol.go")),
    ("task.go", include_str!("../../../go/task.go")),
    ("input.go", include_str!("../../../go/input.go")),
    ("ring.go", include_str!("../../../go/ring.go")),
    ("operation.go", include_str!("../../../go/operation.go")),
    ("sample.go", include_str!("../../../go/sample.go")),
    ("server.go", include_str!("../../../go/server.go")),
    ("sm4.go", include_str!("../../../go/sm4.go")),
    ("zuc.go", include_str!("../../../go/zuc.go")),
];

/// The program that the engine starts.
const PROGRAM: &str = "gmsm-engine";

/// The SHA-256 of the module's archive.
const SHA256: &str = "fe4159a19565a18bd8f7ee85b6d7346a6f0756b880bc45a307b240c0cab11360";

pub(super) static RECIPE: Recipe = Recipe {
    engine: "gmsm",
    version: "0.44.0+1",
    source: "Go module github.com/emmansun/gmsm v0.44.0",
    takes: "under a minute",
    needs: &[Tool::GO],
    libraries: &[PROGRAM],
    make,
};

fn make(shop: &mut Workshop<'_>) -> Result<(), RecipeError> {
    let project = shop.work().join("gmsm");
    fs::create_dir(&project).map_err(RecipeError::io("make the folder", &project))?;
    for (name, text) in FILES {
        let path = project.join(name);
        fs::write(&path, text).map_err(RecipeError::io("write", &path))?;
    }
    shop.go_module(&project, "github.com/emmansun/gmsm", "v0.44.0", SHA256)?;
    let mut build = shop.go(&project);
    build.args(["build", "-trimpath", "-o", PROGRAM, "."]);
    shop.run("compiling the program with it", &mut build)?;
    shop.keep(&project.join(PROGRAM), PROGRAM)
}
