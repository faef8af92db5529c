//! The records of machines: what `cipherlane bench --record` keeps of a run in the folder of its
//! machine, `docs/machines/<cpu>/bench.json`, one schema that `compare --machines` and
//! `cargo xtask machines` read.

mod error;
mod make;
mod read;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::record::{Machine, RunRecord};

pub use error::RecordError;
pub use make::{MOST_FLAGGED, record};
pub use read::{Entry, read, read_all};

/// The value of [`Record::schema`].
pub const SCHEMA: &str = "cipherlane-machine/1";

/// The file's name in the folder of its machine.
pub const FILE: &str = "bench.json";

/// The folder of all machines, from the root of a checkout.
pub const FOLDER: &str = "docs/machines";

/// The record of a machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// [`SCHEMA`].
    pub schema: String,
    /// When the run ended, RFC 3339 in UTC.
    pub created: String,
    /// The commit that was measured.
    pub commit: String,
    /// The version of the CPU's microcode, where the system tells it.
    pub microcode: Option<String>,
    /// The machine card: CPU, kernel, clocks, levels.
    pub machine: Machine,
    /// The engines that took part.
    pub engines: Vec<Engine>,
    /// How the run went.
    pub run: RunRecord,
    /// What all figures are in: `core cycles`.
    pub unit: String,
    /// One for each cell of ours.
    pub figures: Vec<Figure>,
}

/// An engine of the run. Where its library lay is the user's business.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Engine {
    /// Its name.
    pub name: String,
    /// The version of the library behind it.
    pub version: String,
    /// Compiler and flags, as far as known.
    pub build: String,
    /// How old the library is, where it is not of its newest series.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outdated: Option<String>,
}

/// What was done: the conditions under which figures may be compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// ALGORITHM/OPERATION.
    pub operation: String,
    /// `init`, `key`, `stream`, `packet`, `message`, `batch`, `latency`.
    pub model: String,
    /// Bytes of a message; 0 for `init` and `key`.
    pub size: u64,
    /// Messages a call.
    pub messages: u32,
    /// `fresh` or `ready`.
    pub keys: String,
    /// Threads.
    pub threads: u32,
    /// IV or nonce length in bytes.
    pub nonce_bytes: u32,
    /// Associated data in bytes.
    pub aad_bytes: u32,
    /// Tag in bytes.
    pub tag_bytes: u32,
    /// `in-place` or `disjoint`.
    pub placement: String,
}

/// A cell, with ours and every peer that did the same work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// What was done.
    #[serde(flatten)]
    pub cell: Cell,
    /// `byte`, or `set-up` for `init` and `key`.
    pub per: String,
    /// Ours, at the level that a caller gets who names none.
    pub ours: Timed,
    /// The peers, the fastest first.
    pub peers: Vec<Timed>,
    /// How ours stands against the fastest peer; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<Best>,
}

/// The figure of an engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timed {
    /// The engine.
    pub engine: String,
    /// Its level; `-` of a peer that chooses for itself.
    pub level: String,
    /// Core cycles.
    pub figure: f64,
    /// The first quartile of the pass.
    pub q1: f64,
    /// Its third quartile.
    pub q3: f64,
    /// E.g. `canary`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
}

/// Ours against the best peer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Best {
    /// The peer.
    pub engine: String,
    /// How many times as fast ours is.
    pub ratio: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// `ahead`, `tied` or `behind`.
    pub verdict: String,
}

impl Record {
    /// The text of the file, one figure a line, so that two of them can be compared by eye.
    ///
    /// # Panics
    /// Never: every field can be written.
    #[must_use]
    pub fn to_json(&self) -> String {
        let head = Self { figures: Vec::new(), ..self.clone() };
        let text = serde_json::to_string_pretty(&head).expect("plain data");
        let lines = self.figures.iter().map(|it| serde_json::to_string(it).expect("plain data"));
        let lines: Vec<String> = lines.collect();
        let list = format!("\n  \"figures\": [\n    {}\n  ]", lines.join(",\n    "));
        // Text never holds a raw line break, so this line stands once.
        text.replacen("\n  \"figures\": []", &list, 1) + "\n"
    }
}

impl Cell {
    /// `sm4/ctr message 8 KiB`, and what is unusual about it.
    #[must_use]
    pub fn name(&self) -> String {
        let mut name = format!("{} {}", self.operation, self.model);
        if self.messages > 1 {
            name += &format!(" of {}", self.messages);
        }
        if self.size > 0 {
            name += &format!(" {}", crate::report::size_label(self.size));
        }
        if self.threads > 1 {
            name += &format!(", {} threads", self.threads);
        }
        name
    }
}
