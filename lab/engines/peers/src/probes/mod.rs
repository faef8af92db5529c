//! What studies ask of the ladder besides times: whether two rungs are the same machine code,
//! what a rung makes of a published vector, and where a profiler finds the time.

mod flame;
mod own_benchmark;
mod profile;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use lab::engine::Process;
use lab::record::Fact;
use lab::reply::Description;

pub use flame::flame;
pub use own_benchmark::own_benchmark;
pub use profile::profile;

/// A published vector of one operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vector {
    /// The algorithm, as the registry has it.
    pub algorithm: String,
    /// The operation.
    pub operation: String,
    /// The key in hexadecimal.
    pub key: String,
    /// The input in hexadecimal.
    pub input: String,
}

/// A rung of which nothing is heard for so long has failed.
const PATIENCE: Duration = Duration::from_secs(20);

/// The built programs of the ladder in C, by engine.
fn programs() -> impl Iterator<Item = (&'static str, PathBuf)> {
    let recipes = recipes::RECIPES.iter().filter(|it| it.engine.starts_with("ladder-c-"));
    recipes.filter_map(|recipe| Some((recipe.engine, recipes::library(recipe.engine)?)))
}

fn describe(engine: &str, program: &Path) -> Option<Description> {
    Process::spawn(Command::new(program), engine, PATIENCE).ok()?.describe().ok()
}

/// The pairs of rungs of one operation that a compiler made one machine code of:
/// `same-code/ENGINE/ALGORITHM/OPERATION/RUNG/RUNG`.
#[must_use]
pub fn same_code() -> Vec<Fact> {
    let mut facts = Vec::new();
    for (engine, program) in programs() {
        let Some(same) = recipes::same_code(&program) else { continue };
        let Some(description) = describe(engine, &program) else { continue };
        for offer in &description.offers {
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
    let mut facts = Vec::new();
    for (engine, program) in programs() {
        let offered = describe(engine, &program)
            .and_then(|it| it.offer(&vector.algorithm, &vector.operation).cloned());
        for level in offered.map(|offer| offer.levels).unwrap_or_default() {
            let what = format!("{}/{}", vector.algorithm, vector.operation);
            let name = format!("vector/{engine}/{what}/{level}");
            let mut command = Command::new(&program);
            command.args([&vector.algorithm, &vector.operation, &level, &vector.key]);
            command.args(["-", &vector.input]);
            facts.push(match command.output() {
                Ok(said) if said.status.success() => {
                    Fact::words(name, String::from_utf8_lossy(&said.stdout).trim())
                }
                Ok(said) => Fact::unknown(name, String::from_utf8_lossy(&said.stderr).trim()),
                Err(error) => Fact::unknown(name, format!("can't be started: {error}")),
            });
        }
    }
    facts
}
