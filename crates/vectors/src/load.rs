//! Reading vector files: from a folder, or from the copy inside the program.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::fields::{Fields, list, object};
use crate::files::{FILES, SUMS};
use crate::schema::{Group, Integrity, Test, VectorFile};
use crate::{Error, hex};

/// The name of the file that lists the digests of the others.
const SUMS_NAME: &str = "SHA256SUMS";

/// The vector files of this crate: read from the checkout's `data` folder if
/// the program runs where it was built, else the copy inside the program, as in one that `cargo xtask
/// dist` ships: that was built from a copy under `/tmp`, where anybody may lay other files.
///
/// # Errors
/// As [`load_dir`].
pub fn all() -> Result<Vec<VectorFile>, Error> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let shipped = option_env!("CIPHERLANE_COMMIT").is_some();
    if !shipped && data.is_dir() { load_dir(&data) } else { embedded() }
}

/// The vector files that were compiled in.
///
/// # Errors
/// [`Error`] if one of them is malformed, which this crate's tests rule out.
pub fn embedded() -> Result<Vec<VectorFile>, Error> {
    let sums = parse_sums(SUMS).map_err(|what| Error::file(SUMS_NAME, what))?;
    FILES.iter().map(|(name, content)| parse_listed(name, content, &sums)).collect()
}

/// Reads every `*.json` of a folder, in the order of their names, and compares
/// them with the folder's `SHA256SUMS` if there is one. A file that differs
/// from its digest is still read; see [`VectorFile::integrity`].
///
/// # Errors
/// [`Error`] names the file, group and test that can't be read, a folder
/// without vector files, or a listed file that is missing.
pub fn load_dir(path: &Path) -> Result<Vec<VectorFile>, Error> {
    let folder = path.display().to_string();
    let read = |name: &str| {
        let path = path.join(name);
        fs::read_to_string(&path)
            .map_err(|error| Error::file(path.display().to_string(), error.to_string()))
    };
    let entries = fs::read_dir(path).map_err(|error| Error::file(&*folder, error.to_string()))?;
    let mut names = BTreeSet::new();
    let mut sums = BTreeMap::new();
    for entry in entries {
        let entry = entry.map_err(|error| Error::file(&*folder, error.to_string()))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".json") {
            names.insert(name);
        } else if name == SUMS_NAME {
            sums = parse_sums(&read(SUMS_NAME)?).map_err(|what| Error::file(SUMS_NAME, what))?;
        }
    }
    if names.is_empty() {
        return Err(Error::file(folder, "no vector files (*.json) in this folder"));
    }
    if let Some(name) = sums.keys().find(|&name| !names.contains(name)) {
        return Err(Error::file(name, format!("missing, though {SUMS_NAME} lists it")));
    }
    names.iter().map(|name| parse_listed(name, &read(name)?, &sums)).collect()
}

/// Reads one vector file from its content; the name is for messages.
///
/// # Errors
/// [`Error`] names the file, group and test that can't be read.
pub fn parse(name: &str, content: &str) -> Result<VectorFile, Error> {
    parse_listed(name, content, &BTreeMap::new())
}

fn parse_listed(
    name: &str,
    content: &str,
    sums: &BTreeMap<String, String>,
) -> Result<VectorFile, Error> {
    let at_file = |what: String| Error::file(name, what);
    let json: Value = serde_json::from_str(content).map_err(|error| at_file(error.to_string()))?;
    let fields = object(&json).map_err(at_file)?;
    let mut file = VectorFile {
        name: name.into(),
        algorithm: Fields::needed("algorithm", fields.text("algorithm")).map_err(at_file)?,
        notes: Fields::needed("notes", fields.text("notes")).map_err(at_file)?,
        groups: Vec::new(),
        integrity: integrity(content, sums.get(name)),
    };
    let mut ids = BTreeSet::new();
    for (index, value) in members(&fields, "groups").map_err(at_file)?.iter().enumerate() {
        file.groups.push(group(name, index, value, &mut ids)?);
    }
    Ok(file)
}

/// Reads one group; `ids` holds those of the groups before.
fn group(
    file: &str,
    index: usize,
    value: &Value,
    ids: &mut BTreeSet<String>,
) -> Result<Group, Error> {
    let at = |mode: &str, test: Option<String>, what: String| {
        let group = if mode.is_empty() { index.to_string() } else { format!("{index} ({mode})") };
        Error { file: file.into(), group: Some(group), test, what }
    };
    let fields = object(value).map_err(|what| at("", None, what))?;
    let mut group = Group::read(&fields).map_err(|what| at("", None, what))?;
    let tests = members(&fields, "tests").map_err(|what| at(&group.mode, None, what))?;
    for (place, value) in tests.iter().enumerate() {
        let id = value.get("id").and_then(Value::as_str);
        let id = id.map_or_else(|| format!("number {place}"), String::from);
        let at_test = |what| at(&group.mode, Some(id.clone()), what);
        let test = object(value).and_then(|fields| Test::read(&fields)).map_err(at_test)?;
        if !ids.insert(test.id.clone()) {
            return Err(at_test("this id has been used before in the file".into()));
        }
        group.tests.push(test);
    }
    Ok(group)
}

/// A list that must be there.
fn members<'a>(fields: &Fields<'a>, name: &str) -> Result<&'a Vec<Value>, String> {
    let value = fields.0.get(name).ok_or_else(|| format!("field `{name}` is missing"))?;
    list(value).map_err(|what| format!("field `{name}`: {what}"))
}

fn integrity(content: &str, listed: Option<&String>) -> Integrity {
    let Some(listed) = listed else { return Integrity::Unlisted };
    let actual = hex::encode(&Sha256::digest(content));
    if actual == *listed {
        Integrity::Intact
    } else {
        Integrity::Changed { listed: listed.clone(), actual }
    }
}

/// Name to digest, from lines of 64 hex digits, two spaces and a name.
fn parse_sums(text: &str) -> Result<BTreeMap<String, String>, String> {
    let line = |(number, line): (usize, &str)| {
        let (digest, name) = line.split_once("  ").unwrap_or_default();
        match hex::decode(digest) {
            Ok(bytes) if bytes.len() == 32 => Ok((name.into(), digest.into())),
            _ => Err(format!("line {}: allowed: 64 hex digits, two spaces, a name", number + 1)),
        }
    };
    text.lines().enumerate().map(line).collect()
}
