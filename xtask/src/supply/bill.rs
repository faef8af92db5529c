//! The bill of materials of what users get, in the format CycloneDX 1.5: each crate with its
//! version, licence and the digest that `Cargo.lock` holds, and what it depends on. Made of
//! cargo's metadata alone, so that it can be made anywhere and comes out the same.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

/// The digests of `Cargo.lock`, by name and version.
pub(crate) fn digests(lock: &str) -> BTreeMap<(String, String), String> {
    let packages = lock.split("[[package]]").skip(1);
    let field = |package: &str, name: &str| {
        let line = package.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = "));
        line.map(|value| value.trim_matches('"').to_owned())
    };
    packages
        .filter_map(|it| {
            Some(((field(it, "name")?, field(it, "version")?), field(it, "checksum")?))
        })
        .collect()
}

/// The identities that `id` needs when it is built or run, not those that only tests need.
fn needed<'v>(nodes: &BTreeMap<&'v str, &'v Value>, id: &str) -> BTreeSet<&'v str> {
    let edges = nodes.get(id).and_then(|node| node["deps"].as_array()).into_iter().flatten();
    let kept = edges.filter(|edge| {
        let mut kinds = edge["dep_kinds"].as_array().into_iter().flatten();
        kinds.any(|it| it["kind"].is_null() || it["kind"] == "build")
    });
    kept.filter_map(|edge| edge["pkg"].as_str()).collect()
}

/// The bill of one of our crates.
pub(crate) fn of(
    root: &str,
    metadata: &Value,
    digests: &BTreeMap<(String, String), String>,
) -> Result<Value, String> {
    let all = metadata["packages"].as_array().into_iter().flatten();
    let packages: BTreeMap<&str, &Value> =
        all.filter_map(|it| Some((it["id"].as_str()?, it))).collect();
    let all = metadata["resolve"]["nodes"].as_array().into_iter().flatten();
    let nodes: BTreeMap<&str, &Value> =
        all.filter_map(|it| Some((it["id"].as_str()?, it))).collect();
    let start = packages.iter().find(|(_, it)| it["name"] == root && it["source"].is_null());
    let (start, _) = start.ok_or_else(|| format!("no crate `{root}` of ours"))?;
    let (mut found, mut open) = (BTreeSet::from([*start]), vec![*start]);
    while let Some(id) = open.pop() {
        for next in needed(&nodes, id) {
            if found.insert(next) {
                open.push(next);
            }
        }
    }
    let url = |id: &str| {
        let package = packages[id];
        let name = package["name"].as_str().unwrap_or_default();
        format!("pkg:cargo/{name}@{}", package["version"].as_str().unwrap_or_default())
    };
    let component = |id: &str| {
        let package = packages[id];
        let [name, version] =
            ["name", "version"].map(|field| package[field].as_str().unwrap_or_default());
        let mut component = json!({
            "type": if id == *start { "application" } else { "library" },
            "bom-ref": url(id), "purl": url(id), "name": name, "version": version,
        });
        if let Some(licence) = package["license"].as_str() {
            // Old manifests write a slash for a choice.
            let expression = licence.replace('/', " OR ");
            component["licenses"] = json!([{ "expression": expression }]);
        }
        if let Some(digest) = digests.get(&(name.into(), version.into())) {
            component["hashes"] = json!([{ "alg": "SHA-256", "content": digest }]);
        }
        component
    };
    let others = found.iter().filter(|id| *id != start);
    let edges = found.iter().map(|id| {
        let on: Vec<String> = needed(&nodes, id).into_iter().map(url).collect();
        json!({ "ref": url(id), "dependsOn": on })
    });
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": component(start) },
        "components": others.map(|id| component(id)).collect::<Vec<_>>(),
        "dependencies": edges.collect::<Vec<_>>(),
    }))
}

/// What is wrong with a bill: a crate from outside without licence or digest, or an edge to
/// nowhere.
pub(crate) fn faults(bill: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let components = || bill["components"].as_array().into_iter().flatten();
    let mut known: BTreeSet<&str> =
        components().filter_map(|component| component["bom-ref"].as_str()).collect();
    known.extend(bill["metadata"]["component"]["bom-ref"].as_str());
    for component in components() {
        let name = component["name"].as_str().unwrap_or("?");
        if component["licenses"].is_null() {
            faults.push(format!("{name} has no licence"));
        }
        let ours = name.starts_with("cipherlane");
        let digest = component["hashes"][0]["content"].as_str().unwrap_or_default();
        if !ours && (digest.len() != 64 || !digest.bytes().all(|byte| byte.is_ascii_hexdigit())) {
            faults.push(format!("{name} has no digest"));
        }
    }
    for edge in bill["dependencies"].as_array().into_iter().flatten() {
        let on = edge["dependsOn"].as_array().into_iter().flatten().filter_map(Value::as_str);
        for target in on.chain(edge["ref"].as_str()).filter(|target| !known.contains(target)) {
            faults.push(format!("{target} is no component"));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: &str = "version = 4\n\n[[package]]\nname = \"near\"\nversion = \"1.0.0\"\n\
        source = \"registry\"\nchecksum = \"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"\n\n\
        [[package]]\nname = \"ours\"\nversion = \"0.1.0\"\n";

    fn metadata() -> Value {
        let edge = |to: &str, kind: Value| json!({"pkg": to, "dep_kinds": [{"kind": kind}]});
        let package = |name: &str, version: &str, source: Value| {
            json!({"name": name, "id": name, "version": version, "source": source,
                   "license": "MIT/Apache-2.0"})
        };
        json!({
            "packages": [package("ours", "0.1.0", Value::Null),
                         package("near", "1.0.0", json!("registry")),
                         package("tester", "1.0.0", json!("registry"))],
            "resolve": {"nodes": [
                {"id": "ours", "deps": [edge("near", Value::Null), edge("tester", json!("dev"))]},
                {"id": "near", "deps": []}]},
        })
    }

    #[test]
    fn a_bill_has_what_is_built_in_and_not_what_only_tests_need() {
        let bill = of("ours", &metadata(), &digests(LOCK)).unwrap();
        assert_eq!(bill["metadata"]["component"]["purl"], "pkg:cargo/ours@0.1.0");
        let names: Vec<&Value> =
            bill["components"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
        assert_eq!(names, ["near"]);
        assert_eq!(bill["components"][0]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(bill["dependencies"].as_array().unwrap().len(), 2);
        assert_eq!(faults(&bill), Vec::<String>::new());
        assert!(of("theirs", &metadata(), &digests(LOCK)).is_err());
    }

    #[test]
    fn a_bill_without_digests_or_with_loose_ends_has_faults() {
        let bill = of("ours", &metadata(), &BTreeMap::new()).unwrap();
        assert_eq!(faults(&bill), ["near has no digest"]);
        let mut bill = of("ours", &metadata(), &digests(LOCK)).unwrap();
        bill["dependencies"][0]["dependsOn"] = json!(["pkg:cargo/lost@1.0.0"]);
        assert_eq!(faults(&bill), ["pkg:cargo/lost@1.0.0 is no component"]);
    }
}
