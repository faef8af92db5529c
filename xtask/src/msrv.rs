//! `cargo xtask msrv`: the oldest compiler that `rust-version` promises compiles the library; with
//! `--long`, everything that users build from these sources.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::outcome::Outcome;
use crate::stage::{skip, stage};
use crate::workspace;

pub(crate) const OPTIONS: &[&str] = &["--long", "--install"];

/// What is compiled always: the library with little and with everything.
const LIBRARY: [&[&str]; 3] = [
    &["-p", "cipherlane", "--no-default-features", "--features", "sm4"],
    &["-p", "cipherlane"],
    &["-p", "cipherlane", "--all-features"],
];

/// Other crates of the workspace that users build.
const LONG: [&str; 4] =
    ["cipherlane-container", "cipherlane-objects", "cipherlane-dialects", "cipherlane-cli"];

/// The bindings, workspaces of their own.
const BINDINGS: [&str; 4] = ["c", "openssl", "python", "java/native"];

/// The oldest compiler that the manifests promise, e.g. `1.89`.
fn promised(manifest: &str) -> Result<String, String> {
    let line = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \""));
    let version = line.and_then(|rest| rest.strip_suffix('"'));
    version.map(str::to_owned).ok_or_else(|| "no `rust-version` in the manifest".to_owned())
}

/// Cargo of that compiler, which is not the one that runs this program.
fn cargo(version: &str) -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", version, "cargo"]).current_dir(workspace::root());
    for variable in ["CARGO", "RUSTUP_TOOLCHAIN", "RUSTC", "RUSTDOC"] {
        command.env_remove(variable);
    }
    command.env("CARGO_TARGET_DIR", workspace::target().join("msrv"));
    command
}

fn check(version: &str, what: &[&str]) -> Outcome {
    let mut check = cargo(version);
    workspace::run(check.args(["check", "--quiet", "--locked"]).args(what))
}

pub(crate) fn run(options: &[String]) -> Outcome {
    let given = |name: &str| options.iter().any(|option| option == name);
    let version = promised(&workspace::read("Cargo.toml")?)?;
    for binding in BINDINGS.map(|name| format!("bindings/{name}/Cargo.toml")) {
        let other = promised(&workspace::read(&binding)?)?;
        if other != version {
            return Err(format!("{binding}: rust-version {other}; the workspace has {version}"));
        }
    }
    if given("--install") {
        let mut rustup = Command::new("rustup");
        let install = ["toolchain", "install", &version, "--profile", "minimal"];
        return workspace::run(rustup.args(install));
    }
    let mut ask = cargo(&version);
    let there = ask.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !there.is_ok_and(|status| status.success()) {
        skip(&format!("Rust {version}, the oldest compiler"), "cargo xtask msrv --install");
        return Ok(());
    }
    stage(&format!("the library by Rust {version}"), Duration::from_secs(60), || {
        LIBRARY.iter().try_for_each(|what| check(&version, what))
    })?;
    if given("--long") {
        stage(
            &format!("all that users build, by Rust {version}"),
            Duration::from_secs(300),
            || {
                let packages: Vec<&str> = LONG.iter().flat_map(|name| ["-p", name]).collect();
                check(&version, &packages)?;
                BINDINGS.iter().try_for_each(|name| {
                    check(&version, &["--manifest-path", &format!("bindings/{name}/Cargo.toml")])
                })
            },
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_promise_is_read() {
        assert_eq!(promised("a = 1\nrust-version = \"1.89\"\nb = 2\n"), Ok("1.89".to_owned()));
        assert!(promised("[package]\nedition = \"2024\"\n").is_err());
    }
}
