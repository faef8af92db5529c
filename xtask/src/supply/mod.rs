//! `cargo xtask supply`: what comes in from outside and what goes out: licences and advisories,
//! a reason for every crate, a bill of materials, two equal builds, and a public interface that
//! breaks nobody.

pub(crate) mod bill;
mod metadata;
mod twice;
mod written;

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use metadata::{Crates, MANIFESTS};

use crate::outcome::Outcome;
use crate::stage::{skip, stage};
use crate::workspace;

/// Tools that are used where they are; `--install` builds them, which takes minutes.
const TOOLS: [&str; 2] = ["cargo-deny", "cargo-semver-checks"];

/// What users get, each with a bill of materials.
const BILLS: [&str; 2] = ["cipherlane", "cipherlane-cli"];

/// Whether cargo has a tool.
fn has(tool: &str) -> bool {
    let verb = tool.trim_start_matches("cargo-");
    let mut command = workspace::cargo(&[verb, "--version"]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn install() -> Outcome {
    for tool in TOOLS.into_iter().filter(|tool| !has(tool)) {
        workspace::run(&mut workspace::cargo(&["install", "--locked", tool]))?;
    }
    Ok(())
}

fn licences() -> Outcome {
    if !has("cargo-deny") {
        skip("licences, advisories and sources of dependencies", "cargo xtask supply --install");
        return Ok(());
    }
    let check = ["deny", "check", "--hide-inclusion-graph", "bans", "licenses", "sources"];
    workspace::run(&mut workspace::cargo(&check))?;
    // The advisories are a database on the network.
    if workspace::run(&mut workspace::cargo(&["deny", "fetch", "db"])).is_err() {
        skip("security advisories", "the RustSec database must be reachable");
        return Ok(());
    }
    workspace::run(&mut workspace::cargo(&["deny", "check", "advisories"]))
}

/// Every crate has its reason on the page.
fn reasons(write: bool) -> Outcome {
    let mut crates = Crates::default();
    for manifest in MANIFESTS {
        crates.add(&metadata::of(manifest)?);
    }
    let mut page = workspace::read(written::PLACE)?;
    if write {
        page = written::with_indirect(&page, &crates)?;
        let place = workspace::root().join(written::PLACE);
        fs::write(place, &page).map_err(|error| format!("{}: {error}", written::PLACE))?;
    }
    let faults = written::faults(&page, &crates)?;
    println!("   {} crates from outside, {} named by ours", crates.all.len(), crates.direct.len());
    if faults.is_empty() {
        return Ok(());
    }
    Err(format!("{}: {}", written::PLACE, faults.join("; ")))
}

/// The bills, in `target/xtask/supply`.
fn bills() -> Outcome {
    let folder = workspace::scratch("supply");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let (metadata, lock) = (metadata::of(MANIFESTS[0])?, workspace::read("Cargo.lock")?);
    let digests = bill::digests(&lock);
    for name in BILLS {
        let bill = bill::of(name, &metadata, &digests)?;
        let faults = bill::faults(&bill);
        if !faults.is_empty() {
            return Err(format!("bill of {name}: {}", faults.join("; ")));
        }
        let file = folder.join(format!("{name}.cdx.json"));
        let text = serde_json::to_string_pretty(&bill).map_err(|error| error.to_string())?;
        fs::write(&file, text + "\n").map_err(|error| format!("{}: {error}", file.display()))?;
        let count = bill["components"].as_array().map_or(0, Vec::len);
        let file = file.file_name().map_or_else(|| Path::new(name), Path::new);
        println!("   target/xtask/supply/{}: {count} components", file.display());
    }
    Ok(())
}

/// The public interface against that of the last release.
fn interface() -> Outcome {
    let what = "the public interface against the last release";
    let mut git = std::process::Command::new("git");
    git.current_dir(workspace::root()).args(["describe", "--tags", "--abbrev=0", "--match=v*"]);
    let Ok(tag) = workspace::output(git.stderr(Stdio::null())) else {
        skip(what, "there must be a release: a tag v*");
        return Ok(());
    };
    if !has("cargo-semver-checks") {
        skip(what, "cargo xtask supply --install");
        return Ok(());
    }
    let check = ["semver-checks", "-p", "cipherlane", "--baseline-rev", tag.trim()];
    workspace::run(&mut workspace::cargo(&check))
}

pub(crate) fn run(options: &[String]) -> Outcome {
    let given = |name: &str| options.iter().any(|option| option == name);
    if given("--install") {
        return install();
    }
    stage("licences, bans, sources, advisories", Duration::from_secs(60), licences)?;
    let write = given("--write");
    stage("a reason for every crate", Duration::from_secs(60), || reasons(write))?;
    stage("bills of materials", Duration::from_secs(10), bills)?;
    stage("the public interface", Duration::from_secs(120), interface)?;
    stage("two builds are one", Duration::from_secs(200), twice::run)
}
