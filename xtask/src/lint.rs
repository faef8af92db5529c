//! `cargo xtask lint`: everything a reviewer should not have to say.

use std::time::Duration;

use crate::docs;
use crate::outcome::Outcome;
use crate::stage::{skip, stage};
use crate::workspace;

/// A target without an operating system, so that `std` can't slip in.
const BARE: &str = "x86_64-unknown-none";

/// The library with fewer and with more features than the default.
const FEATURES: &[&[&str]] = &[
    &["--no-default-features", "--features", "sm4"],
    &["--no-default-features", "--features", "aes"],
    &["--no-default-features", "--features", "zuc"],
    &["--no-default-features", "--features", "all"],
    &["--features", "rustcrypto"],
    &["--features", "parallel"],
    &["--all-features"],
];

const DENY_WARNINGS: &[&str] = &["--", "-D", "warnings"];

fn format() -> Outcome {
    workspace::run(&mut workspace::cargo(&["fmt", "--all", "--check"]))?;
    // The files of levels, which a macro names: `cargo fmt` does not find them by itself.
    let levels = workspace::files("crates/lanes/src", "rs")?;
    let format = ["fmt", "-p", "cipherlane-lanes", "--check", "--"];
    workspace::run(workspace::cargo(&format).args(levels))?;
    // Not members of the workspace.
    for folder in ["xtask/consumer", "bindings/c", "bindings/openssl", "columns", "fuzz"] {
        let manifest = format!("{folder}/Cargo.toml");
        let format = ["fmt", "--check", "--manifest-path", &manifest];
        workspace::run(&mut workspace::cargo(&format))?;
    }
    Ok(())
}

fn clippy() -> Outcome {
    let all = ["clippy", "--quiet", "--workspace", "--all-targets"];
    workspace::run(workspace::cargo(&all).args(DENY_WARNINGS))?;
    for features in FEATURES {
        let library = ["clippy", "--quiet", "-p", "cipherlane", "--lib"];
        workspace::run(workspace::cargo(&library).args(*features).args(DENY_WARNINGS))?;
    }
    Ok(())
}

/// Builds the library for a machine without an operating system.
fn bare() -> Outcome {
    for features in ["sm4", "aes", "zuc", "sm3", "legacy", "all,alloc,rustcrypto"] {
        let library =
            ["check", "--quiet", "-p", "cipherlane", "--no-default-features", "--features"];
        let mut command = workspace::cargo(&library);
        command.arg(features);
        if workspace::has_target(BARE) {
            command.args(["--target", BARE]);
        }
        workspace::run(&mut command)?;
    }
    if !workspace::has_target(BARE) {
        skip(
            &format!("the library for {BARE}, which has no std"),
            &format!("rustup target add {BARE}"),
        );
    }
    Ok(())
}

pub(crate) fn run(_: &[String]) -> Outcome {
    stage("format", Duration::from_secs(20), format)?;
    stage("clippy", Duration::from_secs(240), clippy)?;
    stage("documentation", Duration::from_secs(120), docs::rustdoc)?;
    stage("builds without std", Duration::from_secs(60), bare)
}
