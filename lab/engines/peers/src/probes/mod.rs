//! What studies ask of the ladder besides times: whether two rungs are the same machine code,
//! what a rung makes of a published vector, and where a profiler finds the time.

mod flame;
mod own_benchmark;
mod profile;
mod words;

use std::path::{Path, PathBuf};

use lab::record::Fact;
use lab::reply::Description;
use lab::work::{Data, Engine, Keys, Message};
use lab::{Cell, LabError, Model};

pub use flame::flame;
pub use own_benchmark::own_benchmark;
pub use profile::profile;
pub use words::mac_words;

use crate::catalogue::{self, Server};
use crate::hexadecimal;

/// A published vector of one operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vector {
    /// The algorithm, as the registry has it.
    pub algorithm: String,
    /// The operation.
    pub operation: String,
    /// The key in hexadecimal.
    pub key: String,
    /// The IV in hexadecimal; empty where there is none.
    pub iv: String,
    /// The input in hexadecimal.
    pub input: String,
}

/// The built engines of the ladder in C, with what the recipe made of each.
fn built() -> impl Iterator<Item = (Description, Box<dyn Engine>, PathBuf)> {
    let recipes = recipes::RECIPES.iter().filter(|it| it.engine.starts_with("ladder-c-"));
    recipes.filter_map(|recipe| {
        let made = recipes::library(recipe.engine)?;
        match catalogue::open(recipe.engine, None).ok()? {
            Server::Linked(engine) => Some((engine.describe(), engine, made)),
            Server::Program(_) => None,
        }
    })
}

/// The pairs of rungs of one operation that a compiler made one machine code of:
/// `same-code/ENGINE/ALGORITHM/OPERATION/RUNG/RUNG`.
#[must_use]
pub fn same_code() -> Vec<Fact> {
    let mut facts = Vec::new();
    for (Description { engine, offers, .. }, _, made) in built() {
        let Some(same) = recipes::same_code(&made) else { continue };
        for offer in &offers {
            // The engine's files name the function of a rung so.
            let symbol = |level: &str| {
                format!("{}_{}_{level}", offer.algorithm, offer.operation).replace('-', "_")
            };
            for (place, a) in offer.levels.iter().enumerate() {
                for b in &offer.levels[place + 1..] {
                    let (x, y) = (symbol(a), symbol(b));
                    let is = |pair: &&(String, String)| {
                        (pair.0 == x && pair.1 == y) || (pair.0 == y && pair.1 == x)
                    };
                    if same.iter().any(|pair| is(&pair)) {
                        let what = format!("{}/{}", offer.algorithm, offer.operation);
                        let name = format!("same-code/{engine}/{what}/{a}/{b}");
                        facts.push(Fact::words(name, "the same machine code"));
                    }
                }
            }
        }
    }
    facts
}

/// How long the class of each rung of the ladder in Java is, in bytes:
/// `class-bytes/ALGORITHM/RUNG`.
#[must_use]
pub fn class_bytes() -> Vec<Fact> {
    let lengths = recipes::class_bytes().unwrap_or_default().into_iter();
    let fact = |(algorithm, rung, bytes): (String, String, u64)| {
        Fact::figure(format!("class-bytes/{algorithm}/{rung}"), bytes as f64)
    };
    lengths.map(fact).collect()
}

/// What every rung makes of a vector: `vector/ENGINE/ALGORITHM/OPERATION/RUNG`.
#[must_use]
pub fn vector(vector: &Vector) -> Vec<Fact> {
    built().flat_map(|(description, engine, _)| made_of(vector, &description, &*engine)).collect()
}

/// The same of the one engine of that name, whose library is `lib`.
///
/// # Errors
/// [`LabError::EngineMissing`] if it can't be opened.
pub fn vector_by(name: &str, lib: &Path, vector: &Vector) -> Result<Vec<Fact>, LabError> {
    match catalogue::open(name, Some(lib))? {
        Server::Linked(engine) => Ok(made_of(vector, &engine.describe(), &*engine)),
        Server::Program(_) => Ok(Vec::new()),
    }
}

fn made_of(vector: &Vector, description: &Description, engine: &dyn Engine) -> Vec<Fact> {
    let Vector { algorithm, operation, key, iv, input } = vector;
    let offer = description.offer(algorithm, operation);
    let levels = offer.map(|offer| offer.levels.as_slice()).unwrap_or_default();
    let facts = levels.iter().map(|level| {
        let name = format!("vector/{}/{algorithm}/{operation}/{level}", description.engine);
        let bytes = [key, iv, input].map(|text| hexadecimal::bytes(text));
        let [Some(key), Some(iv), Some(mut data)] = bytes else {
            return Fact::unknown(name, "the vector is no hexadecimal");
        };
        let size = data.len() as u64;
        let cell = Cell {
            nonce_bytes: iv.len() as u32,
            level: level.clone(),
            ..Cell::new(algorithm, operation, Model::Packet, size)
        };
        let keys = Keys::with_slots(1, 1, key.len(), iv.len());
        let mut outcome = Err("the engine");
        let prepared = engine.prepare(&cell, &keys, &mut |work| {
            let (aad, data, tag) = (&[][..], Data::InPlace(&mut data), &mut [][..]);
            outcome = work(Message { slot: 0, key: &key, iv: &iv, aad, data, tag });
        });
        match prepared.map(|_notes| outcome) {
            Ok(Ok(())) => Fact::words(name, hexadecimal::text(&data)),
            Ok(Err(fault)) => Fact::unknown(name, format!("{fault} failed")),
            Err(refusal) => Fact::unknown(name, refusal.to_string()),
        }
    });
    facts.collect()
}
