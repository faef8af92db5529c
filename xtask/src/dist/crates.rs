//! The library as crates.io has it, and an archive of all sources.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::pack::{self, quiet};
use super::tree::{self, fault};
use super::{Fault, Shop, index};
use crate::bindings::readme;
use crate::workspace;

/// What is published, each after those that it needs.
const CRATES: [&str; 2] = ["cipherlane-lanes", "cipherlane"];

/// What every package must hold.
const HELD: [&str; 4] = ["Cargo.toml", "README.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// What the manifest of a package must say to be found and read on crates.io.
const SAID: [&str; 8] = [
    "description",
    "license",
    "repository",
    "homepage",
    "readme",
    "rust_version",
    "keywords",
    "categories",
];

fn file(shop: &Shop, name: &str) -> PathBuf {
    shop.out.join(format!("{name}-{}.crate", shop.identity.version))
}

/// Cargo's metadata of one of our crates.
fn package(shop: &Shop, name: &str) -> Result<Value, String> {
    let mut cargo = workspace::cargo(&["metadata", "--format-version", "1", "--no-deps"]);
    cargo.arg("--manifest-path").arg(shop.sources().join("Cargo.toml"));
    let text = workspace::output(&mut cargo)?;
    let metadata: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let mut packages = metadata["packages"].as_array().into_iter().flatten();
    let found = packages.find(|it| it["name"] == name).cloned();
    found.ok_or_else(|| format!("no crate `{name}`"))
}

/// What is missing in cargo's metadata of a crate.
fn unsaid(package: &Value) -> Vec<&'static str> {
    let empty = |value: &Value| value.is_null() || value.as_array().is_some_and(Vec::is_empty);
    SAID.into_iter().filter(|field| empty(&package[*field])).collect()
}

/// Makes the packages without compiling them: `--try` does, from nothing but these files.
pub(super) fn make(shop: &Shop) -> Result<Vec<PathBuf>, Fault> {
    let mut cargo = workspace::cargo(&["package", "--quiet", "--locked", "--no-verify"]);
    // The copy is no checkout, so that nothing of a history gets in.
    cargo.arg("--allow-dirty").arg("--manifest-path").arg(shop.sources().join("Cargo.toml"));
    cargo.args(CRATES.iter().flat_map(|name| ["-p", name]));
    cargo.arg("--target-dir").arg(shop.target_dir());
    shop.settle(&mut cargo, &[])?;
    quiet(&mut cargo)?;
    let mut made = Vec::new();
    for name in CRATES {
        let missing = unsaid(&package(shop, name)?);
        if !missing.is_empty() {
            return Err(Fault::Failed(format!("{name}: no {}", missing.join(", no "))));
        }
        let to = file(shop, name);
        let from = shop.target_dir().join("package").join(to.file_name().unwrap_or_default());
        tree::copy(&from, &to)?;
        let listed = quiet(Command::new("tar").arg("--list").arg("--file").arg(&to))?;
        let folder = format!("{name}-{}", shop.identity.version);
        if let Some(file) = HELD.iter().find(|file| !listed.contains(&format!("{folder}/{file}\n")))
        {
            return Err(Fault::Failed(format!("{name}: the package lacks {file}")));
        }
        made.push(to);
    }
    made.push(sources(shop)?);
    Ok(made)
}

/// The archive of all sources. PyPI has a rule for the name of a package's own sources, which are fewer:
/// that name is theirs.
fn sources(shop: &Shop) -> Result<PathBuf, String> {
    let name = format!("cipherlane-{}-sources", shop.identity.version);
    let tree = shop.tree(&name)?;
    for source in tree::sources()? {
        tree::copy(&workspace::root().join(&source), &tree.join(&source))?;
    }
    pack::tar(shop, &name)
}

/// The blocks of a language in the part of a page below a heading.
fn below(page: &str, heading: &str, language: &str) -> Result<Vec<String>, String> {
    let rest = page.split(&format!("\n## {heading}\n")).nth(1);
    let part = rest.ok_or_else(|| format!("no heading `{heading}`"))?;
    Ok(readme::blocks(part.split("\n## ").next().unwrap_or(part), language))
}

/// A user's program: what the page shows, and a call of it with the example of GB/T 32907, A.1.
fn program(blocks: &[String]) -> String {
    let main = r#"fn main() -> Result<(), cipherlane::Error> {
    let key = 0x0123456789abcdeffedcba9876543210_u128.to_be_bytes();
    let mut data = [0; 16];
    encrypt(&key, &key, &mut data)?;
    assert_eq!(data, 0x681edf34d206965e86b3e94f536e4246_u128.to_be_bytes());
    let (key, iv) = ([1_u8; 16], [2_u8; 16]);
    let (mut one, mut other) = ([0_u8; 40], [0_u8; 1500]);
    let mut packets = [
        Packet::new(&key, &iv, one.as_mut_slice().into()),
        Packet::new(&key, &iv, other.as_mut_slice().into()),
    ];
    encrypt_all(&mut packets)?;
    assert!(one != [0; 40] && one == other[..40]);
    println!("the page's lines, at level {}", cipherlane::Level::best());
    Ok(())
}
"#;
    blocks.concat() + main
}

/// The lines of the page, in a new package of a user whose crates.io has our crates alone.
pub(super) fn attempt(shop: &Shop) -> Result<Vec<String>, Fault> {
    let clean = shop.clean("crates")?;
    let (registry, user) = (clean.join("registry"), clean.join("user"));
    let packages = CRATES.map(|name| package(shop, name));
    for (name, package) in CRATES.into_iter().zip(packages) {
        index::make(&registry, &[(&file(shop, name), &package?)])?;
    }
    let home = clean.join("home");
    tree::write(&home.join("config.toml"), index::settings(&registry))?;
    let cargo = |arguments: &[&str], folder: &Path| {
        let mut cargo = workspace::cargo(arguments);
        cargo.current_dir(folder).env("CARGO_HOME", &home).env_remove("CARGO_TARGET_DIR");
        cargo.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
        cargo
    };
    quiet(&mut cargo(&["new", "--quiet", "--vcs", "none", "user"], &clean))?;
    quiet(&mut cargo(&["add", "--quiet", "--offline", "cipherlane@0.1"], &user))?;
    let page = workspace::read("README.md")?;
    let toml = below(&page, "From Rust", "toml")?.concat();
    let (dependencies, profile) =
        toml.split_once("\n[profile").ok_or("no profile in the README")?;
    let manifest = user.join("Cargo.toml");
    let added = fs::read_to_string(&manifest).map_err(fault(&manifest))?;
    if !dependencies.contains("cipherlane = \"0.1\"") || !added.contains("cipherlane = \"0.1\"") {
        return Err(Fault::Failed(format!(
            "the README's dependency is not what was added: {added}"
        )));
    }
    tree::write(&manifest, format!("{added}\n[profile{profile}"))?;
    tree::write(&user.join("src/main.rs"), program(&below(&page, "From Rust", "rust")?))?;
    let said = quiet(&mut cargo(&["run", "--quiet", "--offline"], &user))?;
    if !said.contains("the page's lines") {
        return Err(Fault::Failed(format!("the user's program said `{said}`")));
    }
    let mut tree = cargo(&["tree", "--quiet", "--offline", "--prefix=none"], &user);
    let crates = quiet(&mut tree)?.lines().count() - 1;
    if crates != CRATES.len() {
        return Err(Fault::Failed(format!(
            "{crates} crates are built; expected: {}",
            CRATES.len()
        )));
    }
    Ok(vec![format!("cargo add cipherlane@0.1, {} crates: {}", crates, said.trim())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_below_a_heading_is_found() {
        let page = "# A\n\n## B\n```rust\nx\n```\n## C\n```rust\ny\n```\n";
        assert_eq!(below(page, "B", "rust").unwrap(), ["x\n"]);
        assert!(below(page, "D", "rust").is_err());
    }

    #[test]
    fn what_a_manifest_leaves_out_is_named() {
        let package = serde_json::json!({
            "description": "d", "license": "MIT", "repository": "r", "homepage": "h",
            "readme": "README.md", "rust_version": "1.89", "keywords": [], "categories": ["c"],
        });
        assert_eq!(unsaid(&package), ["keywords"]);
    }
}
