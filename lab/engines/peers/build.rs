//! Tells the engines which versions they were built from and how.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// The crates of the engine `rustcrypto`.
const CRATES: [&str; 21] = [
    "sm4",
    "aes",
    "cbc",
    "ctr",
    "cfb-mode",
    "cfb8",
    "ofb",
    "aes-gcm",
    "aes-gcm-siv",
    "ccm",
    "xts-mode",
    "cmac",
    "zuc",
    "idea",
    "rc2",
    "rc5",
    "rc4",
    "rabbit",
    "salsa20",
    "enocoro128v2",
    "snowv",
];

fn main() {
    let root = env::var("CARGO_MANIFEST_DIR").expect("set by cargo");
    let lock = Path::new(&root).join("../../../Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    println!("cargo::rerun-if-changed=build.rs");
    let lock = fs::read_to_string(lock).unwrap_or_default();
    let versions = CRATES.map(|name| format!("{name} {}", version(&lock, name)));
    println!("cargo::rustc-env=PEERS_RUSTCRYPTO={}", versions.join(", "));

    let compiler = Command::new(env::var("RUSTC").expect("set by cargo")).arg("--version").output();
    let compiler = compiler.map(|it| String::from_utf8_lossy(&it.stdout).trim().to_owned());
    let compiler = compiler.unwrap_or_else(|_| "rustc".to_owned());
    let level = env::var("OPT_LEVEL").unwrap_or_default();
    let flags = flags(&env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default());
    let build = format!("{compiler} -C opt-level={level} {flags}");
    println!("cargo::rustc-env=PEERS_BUILD={}", build.trim());
}

/// The flags, without those that rename paths: they change no instruction, and name folders of
/// whoever compiles.
fn flags(encoded: &str) -> String {
    let mut kept = Vec::new();
    let mut all = encoded.split('\x1f');
    while let Some(flag) = all.next() {
        if flag == "--remap-path-prefix" {
            all.next();
        } else if !flag.starts_with("--remap-path-prefix=") {
            kept.push(flag);
        }
    }
    kept.join(" ")
}

/// The version of a package in a lock file: the newest, should there be several.
fn version(lock: &str, name: &str) -> String {
    let header = format!("name = \"{name}\"\n");
    let versions = lock.split("[[package]]").filter_map(|package| {
        let rest = package.split_once(&header)?.1;
        let line = rest.lines().find(|line| line.starts_with("version = "))?;
        Some(line.trim_start_matches("version = ").trim_matches('"').to_owned())
    });
    versions.last().unwrap_or_else(|| "?".to_owned())
}
