//! A registry on disk that has nothing but our crates: what a user's cargo sees of crates.io on the
//! day they are published.

use std::path::Path;

use serde_json::{Value, json};

use super::list::sha256;
use super::tree;
use crate::outcome::Outcome;

/// One line of the index, of cargo's metadata of a package.
fn line(package: &Value, digest: &str) -> Value {
    let dependencies = package["dependencies"].as_array().into_iter().flatten();
    // What only tests need is of no concern to a user.
    let kept = dependencies.filter(|it| it["kind"] != "dev");
    let dependencies: Vec<Value> = kept
        .map(|it| {
            // The index names a dependency as the code does, and its package beside it.
            let renamed = !it["rename"].is_null();
            json!({
                "name": if renamed { &it["rename"] } else { &it["name"] },
                "package": if renamed { &it["name"] } else { &Value::Null },
                "req": it["req"],
                "features": it["features"],
                "optional": it["optional"],
                "default_features": it["uses_default_features"],
                "target": it["target"],
                "kind": if it["kind"].is_null() { json!("normal") } else { it["kind"].clone() },
            })
        })
        .collect();
    json!({
        "name": package["name"],
        "vers": package["version"],
        "deps": dependencies,
        "cksum": digest,
        "features": {},
        "features2": package["features"],
        "rust_version": package["rust_version"],
        "yanked": false,
        "v": 2,
    })
}

/// Where the line of a crate stands: names of four letters and more have two folders.
fn place(name: &str) -> String {
    format!("index/{}/{}/{name}", &name[..2], &name[2..4])
}

/// Makes a registry of `.crate` files, with cargo's metadata of what they were made of.
pub(super) fn make(folder: &Path, crates: &[(&Path, &Value)]) -> Outcome {
    for (file, package) in crates {
        let name = package["name"].as_str().filter(|name| name.len() > 3 && name.is_ascii());
        let name = name.ok_or("a crate without a name of four letters")?;
        tree::copy(file, &folder.join(file.file_name().unwrap_or_default()))?;
        let line = line(package, &sha256(file)?);
        tree::write(&folder.join(place(name)), format!("{line}\n"))?;
    }
    Ok(())
}

/// Settings of cargo for which that folder is crates.io.
pub(super) fn settings(folder: &Path) -> String {
    format!(
        "[source.crates-io]\nreplace-with = \"dist\"\n\n[source.dist]\nlocal-registry = \"{}\"\n",
        folder.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_renamed_dependency_has_its_package_beside_it() {
        let package = json!({
            "name": "cipherlane", "version": "0.1.0", "features": { "std": ["lanes/std"] },
            "rust_version": "1.89",
            "dependencies": [
                { "name": "cipherlane-lanes", "rename": "lanes", "req": "=0.1.0", "kind": null,
                  "features": [], "optional": false, "uses_default_features": false,
                  "target": null },
                { "name": "aes", "rename": null, "req": "^0.9", "kind": "dev", "features": [],
                  "optional": false, "uses_default_features": true, "target": null },
            ],
        });
        let line = line(&package, "00");
        assert_eq!(line["deps"].as_array().unwrap().len(), 1, "no dependency of tests");
        let first = &line["deps"][0];
        assert_eq!(
            (&first["name"], &first["package"]),
            (&json!("lanes"), &json!("cipherlane-lanes"))
        );
        assert_eq!(
            (&first["kind"], &line["features2"]["std"][0]),
            (&json!("normal"), &json!("lanes/std"))
        );
        assert_eq!(place("cipherlane"), "index/ci/ph/cipherlane");
    }
}
