//! The library itself, compiled for a 32-bit platform, as that of the first study was: the same
//! sources, served by the same loop.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Recipe, RecipeError, Tool, Workshop, sources};

/// The program that the engine starts.
const PROGRAM: &str = "peers-engine";

/// The platform. Its C library is linked in, so the program runs where there is no 32-bit one.
const TARGET: &str = "i686-unknown-linux-musl";

/// The sources that this program was built from. What `cargo xtask dist` ships, telling of which
/// commit it is, was built from a copy under `/tmp`, where anybody may lay others.
const SOURCES: Option<&str> = match option_env!("CIPHERLANE_COMMIT") {
    Some(_) => None,
    None => Some(concat!(env!("CARGO_MANIFEST_DIR"), "/../../..")),
};

/// What they were then.
const HASH: &str = env!("CIPHERLANE_ENGINE");

pub(super) static RECIPE: Recipe = Recipe {
    engine: "cipherlane-i686",
    version: concat!(env!("CARGO_PKG_VERSION"), "-", env!("CIPHERLANE_ENGINE")),
    source: "the sources of this program, for i686-unknown-linux-musl",
    takes: "some minutes",
    needs: &[Tool::CARGO],
    libraries: &[PROGRAM],
    make,
};

fn make(shop: &mut Workshop<'_>) -> Result<(), RecipeError> {
    let root = match SOURCES {
        Some(root) => PathBuf::from(root),
        None => shop.repository("lab/engines/peers/Cargo.toml")?,
    };
    shop.unchanged(&root, sources::ENGINE, HASH)?;
    if !is_there(&root, TARGET) {
        return Err(RecipeError::Unable {
            engine: shop.engine(),
            command: format!("cargo build --target {TARGET}"),
            remedy: "`rustup target add i686-unknown-linux-musl` brings the target",
        });
    }
    let mut build = Command::new("cargo");
    build.current_dir(&root).args(["build", "--release", "--locked", "--target", TARGET]);
    build.args(["--package", "cipherlane-peers", "--bin", PROGRAM]);
    // The tables of lines are of no use here, and take time.
    build.env("CARGO_PROFILE_RELEASE_DEBUG", "0");
    shop.run("compiling the library for 32 bits", &mut build)?;
    // Nor may they have changed meanwhile.
    shop.unchanged(&root, sources::ENGINE, HASH)?;
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let made = root.join(target).join(TARGET).join("release").join(PROGRAM);
    shop.keep(&made, PROGRAM)
}

/// Whether the compiler of the sources has the library of a target. A compiler that can't say is
/// left to say so when it compiles.
fn is_there(root: &Path, target: &str) -> bool {
    let mut ask = Command::new("rustc");
    ask.current_dir(root).args(["--print", "target-libdir", "--target", target]);
    let Ok(told) = ask.output() else { return true };
    let folder = String::from_utf8_lossy(&told.stdout);
    !told.status.success() || Path::new(folder.trim()).is_dir()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_without_its_library_is_not_there() {
        let host = Command::new("rustc").arg("-vV").output().expect("rustc");
        let host = String::from_utf8_lossy(&host.stdout).into_owned();
        let host = host.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(is_there(here, host));
        // Nobody has this one here, and the compiler knows it.
        assert!(!is_there(here, "sparc64-unknown-openbsd"));
    }
}
