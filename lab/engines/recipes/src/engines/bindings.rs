//! The bindings of this repository, whose overhead is measured like any library: built from the
//! working tree that the command is run in.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Recipe, RecipeError, Tool, Workshop, sources};

/// The sources of the bindings that this program was built beside.
pub(super) const HASH: &str = env!("CIPHERLANE_BINDINGS");

/// A version that changes with them.
pub(super) const VERSION: &str =
    concat!(env!("CARGO_PKG_VERSION"), "-", env!("CIPHERLANE_BINDINGS"));

/// The library for C.
pub(super) static C: Recipe = Recipe {
    engine: "c",
    version: VERSION,
    source: "bindings/c of this repository",
    takes: "about 3 minutes",
    needs: &[Tool::CARGO],
    libraries: &["libcipherlane.so"],
    make: |shop| make(shop, "c", "libcipherlane.so", "libcipherlane.so"),
};

/// The provider for OpenSSL, under the file name by which OpenSSL finds it.
pub(super) static OPENSSL_PROVIDER: Recipe = Recipe {
    engine: "openssl-provider",
    version: VERSION,
    source: "bindings/openssl of this repository",
    takes: "about 3 minutes",
    needs: &[Tool::CARGO],
    libraries: &["cipherlane.so"],
    make: |shop| make(shop, "openssl", "libcipherlane_provider.so", "cipherlane.so"),
};

fn make(shop: &mut Workshop<'_>, binding: &str, made: &str, kept: &str) -> Result<(), RecipeError> {
    let manifest = Path::new("bindings").join(binding).join("Cargo.toml");
    let here = std::env::current_dir().unwrap_or_default();
    let root = root(&here, &manifest).ok_or_else(|| RecipeError::NotMade {
        engine: shop.engine(),
        what: manifest.display().to_string(),
        after: "looking upwards from the current folder".to_owned(),
        remedy: "run the command in a clone of the repository".to_owned(),
    })?;
    shop.unchanged(&root, sources::BINDINGS, HASH)?;
    let target = root.join("target").join("bindings");
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--release", "--locked", "--manifest-path"]).arg(root.join(&manifest));
    shop.run(&format!("compiling bindings/{binding}"), cargo.arg("--target-dir").arg(&target))?;
    shop.keep(&target.join("release").join(made), kept)
}

/// The nearest folder upwards that holds the file.
fn root(from: &Path, file: &Path) -> Option<PathBuf> {
    from.ancestors().find(|folder| folder.join(file).is_file()).map(Path::to_path_buf)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_is_found_from_below_and_nothing_elsewhere() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let manifest = Path::new("bindings/c/Cargo.toml");
        let found = root(here, manifest).expect("this repository");
        assert!(here.starts_with(&found) && found.join(manifest).is_file());
        assert_eq!(root(Path::new("/nonexistent"), manifest), None);
    }
}
