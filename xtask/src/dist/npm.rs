//! The package for JavaScript.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use super::pack::quiet;
use super::{Fault, Shop, notices, page, tools, tree};
use crate::bindings::readme;
use crate::bindings::web::{BUILDS, TRIPLE};
use crate::workspace;

const FOLDER: &str = "bindings/wasm";
const MANIFEST: &str = "bindings/wasm/Cargo.toml";
const PACKAGE: &str = "cipherlane-wasm";

/// As the registry takes a file of that name.
fn file(shop: &Shop) -> PathBuf {
    shop.out.join(format!("cipherlane-{}.tgz", shop.identity.version))
}

/// Cargo on a package of the workspace.
fn cargo(shop: &Shop, verb: &str, package: &str, flags: &[&str]) -> Result<Command, String> {
    let mut cargo = workspace::cargo(&[verb, "--release", "--quiet", "--locked"]);
    cargo.arg("--manifest-path").arg(shop.sources().join(MANIFEST));
    cargo.args(["--package", package]);
    shop.settle(&mut cargo, flags)?;
    Ok(cargo)
}

/// Both modules, as JavaScript imports them.
fn modules(shop: &Shop) -> Result<(), Fault> {
    let folder = shop.sources().join(FOLDER).join("js/module");
    tree::fresh(&folder)?;
    for (name, features) in BUILDS {
        let flags = format!("-Ctarget-feature={features}");
        let target = shop.target_dir().join(name);
        let mut build = cargo(shop, "build", PACKAGE, &[&flags])?;
        workspace::run(build.args(["--target", TRIPLE, "--target-dir"]).arg(&target))?;
        let module = target.join(TRIPLE).join("release/cipherlane_wasm.wasm");
        // A program for this machine, which nobody gets.
        let mut pack = cargo(shop, "run", "cipherlane-wasm-pack", &[])?;
        pack.arg("--target-dir").arg(shop.target_dir());
        workspace::run(pack.arg("--").arg(module).arg(&folder).arg(name))?;
    }
    Ok(())
}

/// The manifest with the addresses of everything. Its text stays as it is: Node.js takes the first
/// condition of `exports` and `imports` that holds, so their order matters.
fn manifest(homepage: &str, repository: &str, text: &str) -> Result<String, String> {
    let addresses = format!(
        "  \"homepage\": {},\n  \"repository\": {},\n  \"bugs\": {},\n",
        json!(homepage),
        json!({ "type": "git", "url": format!("git+{repository}.git"), "directory": FOLDER }),
        json!({ "url": format!("{repository}/issues") })
    );
    let mark = "  \"license\": ";
    if text.matches(mark).count() != 1 {
        return Err("package.json has not one licence".into());
    }
    let text = text.replacen(mark, &(addresses + mark), 1);
    let manifest: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let wanted = ["name", "version", "description", "license", "keywords", "types", "exports"];
    if let Some(field) = wanted.into_iter().find(|field| manifest[*field].is_null()) {
        return Err(format!("package.json has no `{field}`"));
    }
    Ok(text)
}

pub(super) fn make(shop: &Shop) -> Result<Vec<PathBuf>, Fault> {
    if !workspace::has_target(TRIPLE) {
        let remedy = format!("rustup target add {TRIPLE}");
        return Err(Fault::missing("the package for JavaScript", remedy));
    }
    if !tools::has("npm") {
        return Err(Fault::missing("the package for JavaScript", "apt-get install npm"));
    }
    modules(shop)?;
    let folder = shop.sources().join(FOLDER);
    let text = workspace::read(&format!("{FOLDER}/package.json"))?;
    let (homepage, repository) = (&shop.identity.homepage, &shop.identity.repository);
    tree::write(&folder.join("package.json"), manifest(homepage, repository, &text)?)?;
    page::rewrite(shop, FOLDER, "README.md")?;
    notices::put(shop, &folder, MANIFEST, PACKAGE, super::shop::WASM)?;
    let mut npm = Command::new("npm");
    npm.current_dir(&folder).args(["pack", "--json", "--loglevel=error", "--pack-destination"]);
    let listed = quiet(npm.arg(&shop.out))?;
    for name in ["LICENSE-MIT", "LICENSE-APACHE", "LICENSES-THIRD-PARTY.txt", "js/index.d.ts"] {
        if !listed.contains(&format!("\"{name}\"")) {
            return Err(Fault::Failed(format!("the package lacks {name}")));
        }
    }
    Ok(vec![file(shop)])
}

/// The README's lines, in a folder with nothing but the package.
pub(super) fn attempt(shop: &Shop) -> Result<Vec<String>, Fault> {
    if !tools::has("node") {
        return Err(Fault::missing("the package for JavaScript, run", "https://nodejs.org"));
    }
    let clean = shop.clean("npm")?;
    tree::write(&clean.join("package.json"), "{ \"type\": \"module\" }\n")?;
    let mut npm = Command::new("npm");
    npm.current_dir(&clean).args(["install", "--offline", "--no-audit", "--no-fund"]);
    quiet(npm.arg("--loglevel=error").arg(file(shop)))?;
    let page = workspace::read(&format!("{FOLDER}/README.md"))?;
    let blocks = readme::blocks(&page, "js");
    let code = blocks.first().ok_or("no example in the README for JavaScript")?;
    tree::write(&clean.join("user.js"), code)?;
    let said = quiet(Command::new("node").arg("user.js").current_dir(&clean))?;
    if said.trim() != "a message" {
        return Err(Fault::Failed(format!("the user's program said `{said}`")));
    }
    let version = quiet(Command::new("node").arg("--version"))?;
    Ok(vec![format!("npm install, the README's lines in Node.js {}", version.trim())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_come_in_and_conditions_stay_in_their_order() {
        let text = workspace::read("bindings/wasm/package.json").unwrap();
        let made = manifest("https://a.net", "https://b.net/c", &text).unwrap();
        let read: Value = serde_json::from_str(&made).unwrap();
        assert_eq!(read["repository"]["url"], "git+https://b.net/c.git");
        assert_eq!(
            (&read["homepage"], &read["bugs"]["url"]),
            (&json!("https://a.net"), &json!("https://b.net/c/issues"))
        );
        // Everything else is as it stands in the sources.
        let kept = |line: &&str| {
            !["homepage", "repository", "bugs"]
                .iter()
                .any(|it| line.starts_with(&format!("  \"{it}\"")))
        };
        let lines: Vec<&str> = made.lines().filter(kept).collect();
        assert_eq!(lines, text.lines().collect::<Vec<_>>());
        assert!(manifest("", "", "{}").is_err());
    }
}
