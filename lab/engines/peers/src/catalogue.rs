//! The engines there are, whether each is present, and what brings it.

mod entries;

use std::path::Path;

use lab::LabError;
use lab::serve::with_batches;
use lab::work::Engine;

use crate::ages::{Age, age};
use crate::cipherlane::Cipherlane;
use crate::program::Program;
use entries::{ENTRIES, Entry};

/// What is known of an engine.
#[derive(Clone, Debug)]
pub struct EngineInfo {
    /// Its name, e.g. `openssl`.
    pub name: String,
    /// Its name in prose.
    pub title: String,
    /// Whether it can be used now.
    pub present: bool,
    /// The version of the library; empty if absent.
    pub version: String,
    /// The age of the library, where it is known.
    pub age: Option<Age>,
    /// Where the library was loaded from; empty if absent.
    pub path: String,
    /// What it offers, as `ALGORITHM/OPERATION`.
    pub operations: Vec<String>,
    /// The models of each, in the same order.
    pub models: Vec<Vec<&'static str>>,
    /// The command that brings it; empty if it is built in.
    pub how_to_get: String,
    /// Anything a reader must know.
    pub remark: String,
    /// Whether it takes part where no engine is named. The ladders don't: they show what an
    /// idea brings, not what a library does.
    pub usual: bool,
}

/// An engine that can serve.
pub(crate) enum Server {
    /// A library in this process.
    Linked(Box<dyn Engine>),
    /// A program of its own.
    Program(Program),
}

type Opened = Result<Server, LabError>;

/// Opens an engine.
pub(crate) fn open(name: &str, lib: Option<&Path>) -> Opened {
    match ENTRIES.iter().find(|entry| entry.name == name) {
        Some(entry) => (entry.open)(lib),
        None => Err(LabError::EngineMissing {
            engine: name.to_owned(),
            how_to_get: format!(
                "`cipherlane engines` lists all, e.g. {}",
                usual().collect::<Vec<_>>().join(", ")
            ),
        }),
    }
}

/// The names of all engines, present or not, in the order of the tables.
pub fn names() -> impl Iterator<Item = &'static str> {
    ENTRIES.iter().map(|entry| entry.name)
}

/// Those of them that take part where none is named.
pub fn usual() -> impl Iterator<Item = &'static str> {
    ENTRIES.iter().filter(|entry| entry.usual).map(|entry| entry.name)
}

/// What brings the engine of that name: empty if it is built in, `None` if there is none.
#[must_use]
pub fn how_to_get(name: &str) -> Option<&'static str> {
    ENTRIES.iter().find(|entry| entry.name == name).map(|entry| entry.how_to_get)
}

/// The bytes of the key that is measured with an algorithm of our library; `None` if it has no
/// such algorithm. Where its operations take keys of several lengths, the shortest.
#[must_use]
pub fn key_bytes(algorithm: &str) -> Option<u32> {
    let offers = Cipherlane.describe().offers;
    offers.iter().filter(|it| it.algorithm == algorithm).map(|it| it.key_bytes).min()
}

/// All engines, present or not. `program` is the program that serves them, for the path
/// of those that are built into it.
#[must_use]
pub fn catalogue(program: &Path) -> Vec<EngineInfo> {
    ENTRIES.iter().map(|entry| info(entry, program)).collect()
}

fn info(entry: &Entry, program: &Path) -> EngineInfo {
    let mut info = EngineInfo {
        name: entry.name.to_owned(),
        title: entry.title.to_owned(),
        present: false,
        version: String::new(),
        age: None,
        path: String::new(),
        operations: Vec::new(),
        models: Vec::new(),
        how_to_get: entry.how_to_get.to_owned(),
        remark: entry.remark.to_owned(),
        usual: entry.usual,
    };
    let described = (entry.open)(None).and_then(|server| match server {
        Server::Linked(engine) => Ok(with_batches(engine.describe())),
        Server::Program(program) => program.describe(),
    });
    match described {
        Ok(description) => {
            let built_in = entry.how_to_get.is_empty();
            let name =
                |offer: &lab::reply::Offer| format!("{}/{}", offer.algorithm, offer.operation);
            info.present = true;
            info.age = age(entry.name, &description.version);
            info.version = description.version;
            info.path = if built_in { program.display().to_string() } else { description.path };
            info.operations = description.offers.iter().map(name).collect();
            info.models = description
                .offers
                .iter()
                .map(|offer| offer.models.iter().map(|model| model.name()).collect())
                .collect();
        }
        Err(error) => info.remark = format!("{}; {error}", info.remark),
    }
    info
}
