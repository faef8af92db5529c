//! Tells the laboratory the compiler and the commit it was built from.

use std::env;
use std::process::Command;

fn main() {
    let say = |command: &mut Command| {
        let output = command.output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    println!("cargo::rerun-if-changed=build.rs");
    let git = |words: &[&str]| say(Command::new("git").args(words));
    for name in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--path-format=absolute", "--git-path", name]) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let rustc = env::var("RUSTC").ok().and_then(|it| say(Command::new(it).arg("--version")));
    println!("cargo::rustc-env=LAB_COMPILER={}", rustc.unwrap_or_else(|| "rustc".to_owned()));
    // A copy of the sources is no checkout: whoever made it says of what.
    println!("cargo::rerun-if-env-changed=CIPHERLANE_COMMIT");
    let told = env::var("CIPHERLANE_COMMIT").ok().filter(|commit| !commit.is_empty());
    let commit = told.or_else(|| git(&["rev-parse", "--short=12", "HEAD"]));
    let commit = commit.unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=LAB_COMMIT={commit}");
}
