//! What cargo says of the crates that a workspace is made of.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::workspace;

/// The workspaces of this repository, by their manifests.
pub(super) const MANIFESTS: [&str; 9] = [
    "Cargo.toml",
    "bindings/c/Cargo.toml",
    "bindings/openssl/Cargo.toml",
    "bindings/python/Cargo.toml",
    "bindings/java/native/Cargo.toml",
    "bindings/rustls/Cargo.toml",
    "bindings/vectors/Cargo.toml",
    "columns/Cargo.toml",
    "fuzz/Cargo.toml",
];

/// A crate from outside.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Foreign {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) licence: String,
}

/// All crates from outside, of one workspace or of several.
#[derive(Debug, Default)]
pub(super) struct Crates {
    /// Named by our own manifests, and by which of our crates.
    pub(super) direct: BTreeMap<String, BTreeSet<String>>,
    /// These and what they bring along.
    pub(super) all: BTreeSet<Foreign>,
}

/// Cargo's metadata of a workspace.
pub(super) fn of(manifest: &str) -> Result<Value, String> {
    let arguments = ["metadata", "--format-version", "1", "--locked", "--manifest-path", manifest];
    let text = workspace::output(&mut workspace::cargo(&arguments))?;
    serde_json::from_str(&text).map_err(|error| format!("metadata of {manifest}: {error}"))
}

fn text<'v>(value: &'v Value, field: &str) -> &'v str {
    value[field].as_str().unwrap_or_default()
}

fn list<'v>(value: &'v Value, field: &str) -> impl Iterator<Item = &'v Value> {
    value[field].as_array().into_iter().flatten()
}

impl Crates {
    /// Adds those of a workspace.
    pub(super) fn add(&mut self, metadata: &Value) {
        let ours: BTreeSet<&str> =
            list(metadata, "workspace_members").filter_map(Value::as_str).collect();
        for package in list(metadata, "packages") {
            let name = text(package, "name").to_owned();
            if package["source"].is_null() {
                // Crates of another of our workspaces are that one's to list.
                let listed = ours.contains(text(package, "id"));
                let from_outside =
                    list(package, "dependencies").filter(|it| listed && !it["source"].is_null());
                for it in from_outside {
                    self.direct.entry(text(it, "name").into()).or_default().insert(name.clone());
                }
            } else {
                let [version, licence] =
                    ["version", "license"].map(|field| text(package, field).to_owned());
                self.all.insert(Foreign { name, version, licence });
            }
        }
    }

    /// What is brought along, by name.
    pub(super) fn indirect(&self) -> BTreeSet<&str> {
        let names = self.all.iter().map(|it| it.name.as_str());
        names.filter(|name| !self.direct.contains_key(*name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(in crate::supply) const SMALL: &str = r#"{
        "workspace_members": ["path+ours#0.1.0"],
        "packages": [
            {"name": "ours", "id": "path+ours#0.1.0", "version": "0.1.0", "source": null,
             "license": "MIT", "dependencies": [
                {"name": "near", "source": "registry"}, {"name": "sister", "source": null}]},
            {"name": "sister", "id": "path+sister#0.1.0", "version": "0.1.0", "source": null,
             "license": "MIT", "dependencies": [{"name": "other", "source": "registry"}]},
            {"name": "near", "id": "n", "version": "1.0.0", "source": "registry",
             "license": "MIT", "dependencies": [{"name": "far", "source": "registry"}]},
            {"name": "far", "id": "f", "version": "2.0.0", "source": "registry",
             "license": "Apache-2.0", "dependencies": []}
        ]
    }"#;

    #[test]
    fn near_and_far_crates_are_told_apart() {
        let mut crates = Crates::default();
        crates.add(&serde_json::from_str(SMALL).unwrap());
        assert_eq!(crates.direct.keys().collect::<Vec<_>>(), ["near"]);
        assert_eq!(crates.direct["near"], BTreeSet::from(["ours".to_owned()]));
        assert_eq!(crates.indirect(), BTreeSet::from(["far"]));
        assert_eq!(crates.all.len(), 2);
    }
}
