//! How Maven is called for the package for Java.

use std::path::PathBuf;
use std::process::Command;

use crate::workspace;

/// The package.
pub(super) const FOLDER: &str = "bindings/java";

/// Where Maven builds, and finds the native library and the vectors.
pub(super) fn build() -> PathBuf {
    workspace::target().join("java")
}

/// Maven in the folder of the package, building where everything is built.
pub(super) fn maven_at(arguments: &[&str]) -> Command {
    let mut maven = Command::new("mvn");
    maven.args(["--batch-mode", "--no-transfer-progress"]).args(arguments);
    maven.arg(format!("-Dcipherlane.build={}", build().display()));
    maven.current_dir(workspace::root().join(FOLDER));
    maven
}
