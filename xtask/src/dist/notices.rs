//! What stands in a program or library besides our own code: the licences of its crates, gathered
//! from their packages, and its bill of materials.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::shop::{Shop, Target};
use super::tree::{self, fault};
use crate::outcome::Outcome;
use crate::supply::bill;
use crate::workspace;

/// How files with terms are named.
const NAMES: [&str; 5] = ["licen", "copying", "notice", "unlicense", "copyright"];

/// Cargo's metadata of a manifest of the sources, for one target.
fn metadata(shop: &Shop, manifest: &str, target: &str) -> Result<Value, String> {
    let mut cargo = workspace::cargo(&["metadata", "--format-version", "1", "--locked"]);
    cargo.arg("--manifest-path").arg(shop.sources().join(manifest));
    let text = workspace::output(cargo.args(["--filter-platform", target]))?;
    serde_json::from_str(&text).map_err(|error| format!("metadata of {manifest}: {error}"))
}

/// The texts of terms in a package, by name.
fn terms(package: &Path) -> Result<Vec<(String, String)>, String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(package).map_err(fault(package))? {
        let path = entry.map_err(fault(package))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let lower = name.to_ascii_lowercase();
        if path.is_file() && NAMES.iter().any(|start| lower.starts_with(start)) {
            let text = fs::read(&path).map_err(fault(&path))?;
            found.push((name, String::from_utf8_lossy(&text).into_owned()));
        }
    }
    found.sort();
    Ok(found)
}

/// The names and versions in a bill that are not ours.
fn foreign(bill: &Value) -> Vec<(String, String)> {
    let components = bill["components"].as_array().into_iter().flatten();
    let pair = |it: &Value| {
        let text = |field: &str| it[field].as_str().unwrap_or_default().to_owned();
        (text("name"), text("version"))
    };
    components.map(pair).filter(|(name, _)| !name.starts_with("cipherlane")).collect()
}

/// One text of all terms; equal texts stand once.
fn gathered(
    crates: &[(String, String)],
    texts: &BTreeMap<(String, String), Vec<(String, String)>>,
) -> String {
    let mut by_text: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut page = String::from("Crates of others in this package, with their terms.\n\n");
    for pair in crates {
        let (name, version) = pair;
        page += &format!("  {name} {version}\n");
        for (_, text) in texts.get(pair).into_iter().flatten() {
            by_text.entry(text).or_default().push(format!("{name} {version}"));
        }
    }
    // By the first crate that has them, so that a reader finds them in the order of the list.
    let mut groups: Vec<(Vec<String>, &str)> =
        by_text.into_iter().map(|(text, crates)| (crates, text)).collect();
    groups.sort();
    for (crates, text) in groups {
        page += &format!("\n{}\n{}:\n\n{}\n", "-".repeat(78), crates.join(", "), text.trim_end());
    }
    page
}

/// Puts our licences, those of all crates that are linked into a package of ours, and its bill of
/// materials into a folder.
pub(super) fn put(
    shop: &Shop,
    folder: &Path,
    manifest: &str,
    package: &str,
    target: Target,
) -> Outcome {
    let metadata = metadata(shop, manifest, target.triple)?;
    let lock = shop.sources().join(manifest).with_file_name("Cargo.lock");
    let lock = fs::read_to_string(&lock).map_err(fault(&lock))?;
    let bill = bill::of(package, &metadata, &bill::digests(&lock))?;
    let faults = bill::faults(&bill);
    if !faults.is_empty() {
        return Err(format!("bill of {package}: {}", faults.join("; ")));
    }
    let mut folders: BTreeMap<(String, String), PathBuf> = BTreeMap::new();
    for it in metadata["packages"].as_array().into_iter().flatten() {
        let text = |field: &str| it[field].as_str().unwrap_or_default().to_owned();
        let place = PathBuf::from(text("manifest_path"));
        let place = place.parent().unwrap_or(Path::new("/")).to_path_buf();
        folders.insert((text("name"), text("version")), place);
    }
    let crates = foreign(&bill);
    let mut texts = BTreeMap::new();
    for pair in &crates {
        let folder = folders.get(pair).ok_or_else(|| format!("no folder of {}", pair.0))?;
        // A package without a file of terms has its licence's name in the bill.
        texts.insert(pair.clone(), terms(folder)?);
    }
    shop.licences(folder)?;
    if !crates.is_empty() {
        tree::write(&folder.join("LICENSES-THIRD-PARTY.txt"), gathered(&crates, &texts))?;
    }
    let text = serde_json::to_string_pretty(&bill).map_err(|error| error.to_string())?;
    tree::write(&folder.join("sbom.cdx.json"), text + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_stand_once_and_name_all_their_crates() {
        let pair = |name: &str| (name.to_owned(), "1.0.0".to_owned());
        let of = |text: &str| vec![("LICENSE".to_owned(), text.to_owned())];
        let crates = [pair("a"), pair("b"), pair("c")];
        let texts = BTreeMap::from([
            (pair("a"), of("may be used\n")),
            (pair("b"), of("other")),
            (pair("c"), of("may be used\n")),
        ]);
        let page = gathered(&crates, &texts);
        assert_eq!(page.matches("may be used").count(), 1);
        assert!(page.contains("a 1.0.0, c 1.0.0:\n\nmay be used\n"), "{page}");
        assert!(page.contains("b 1.0.0:\n\nother\n"));
    }

    #[test]
    fn ours_are_not_foreign() {
        let bill = serde_json::json!({ "components": [
            { "name": "cipherlane-lanes", "version": "0.1.0" },
            { "name": "clap", "version": "4.6.0" },
        ] });
        assert_eq!(foreign(&bill), [("clap".to_owned(), "4.6.0".to_owned())]);
    }
}
