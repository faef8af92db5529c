//! The results file: one schema that everything reads and writes (`cipherlane-results/2`), and an
//! older one that is still read.

mod beside;
mod engine;
mod fact;
mod pass;
mod power;
mod together;

use serde::{Deserialize, Serialize};

use crate::LabError;
use crate::cell::{Cell, SUBJECT, is_false};
use crate::study::{Expects, Rule};

pub(crate) use beside::beside;
pub use engine::{EngineRecord, number};
pub use fact::Fact;
pub use pass::{By, Canaries, Dropped, Unit, core_per_tick};
pub use power::Power;
pub use together::{Percentiles, Together};

/// The value of [`Results::schema`] in what is written.
pub const SCHEMA: &str = "cipherlane-results/2";

/// What is read: files of the first schema have no canaries, no dropped passes and no figures in
/// core cycles.
pub const SCHEMAS: [&str; 2] = ["cipherlane-results/1", SCHEMA];

/// A whole results file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    /// One of [`SCHEMAS`].
    pub schema: String,
    /// When the run ended, RFC 3339 in UTC.
    pub created: String,
    /// The command line.
    pub command: String,
    /// The built-in study that was run; absent for a run of another kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub study: Option<String>,
    /// The machine.
    pub machine: Machine,
    /// The engines that took part.
    pub engines: Vec<EngineRecord>,
    /// The measured cells.
    pub rows: Vec<Row>,
    /// The A/A pair: rows that a second process of the same engine measured in the same
    /// run. Their ratio to the rows of the same name is what chance alone does.
    #[serde(default)]
    pub again: Vec<Row>,
    /// What was asked for and is not among the rows, with the reason.
    #[serde(default)]
    pub missing: Vec<Missing>,
    /// The published claims of the study, held against the rows.
    #[serde(default)]
    pub claims: Vec<ClaimRecord>,
    /// What was found out otherwise than by timing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
    /// How near operations come to what the machine's units allow; see [`crate::floor`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub floors: Vec<FloorRecord>,
    /// How the run went: passes, series measured again, canary verdicts.
    #[serde(default)]
    pub run: RunRecord,
    /// What the fields named cycles are counted in: ticks in every file; core cycles after
    /// [`Results::in_core_cycles`], for those who print and compare.
    #[serde(skip)]
    pub unit: Unit,
}

impl Results {
    /// The level that a caller gets who names none; in files that don't say it, the highest.
    #[must_use]
    pub fn default_level(&self) -> Option<&str> {
        self.machine.default_level.as_ref().or(self.machine.levels.last()).map(String::as_str)
    }

    /// Whether a row is of the library at that level, by its names where it doesn't say so.
    #[must_use]
    pub fn is_default(&self, row: &Row) -> bool {
        row.default
            || (row.engine == SUBJECT && Some(row.cell.level.as_str()) == self.default_level())
    }

    /// Reads the text of a results file; `what` names it in an error.
    ///
    /// # Errors
    /// [`LabError::Results`] saying where the text breaks, or that it has another schema.
    pub fn from_json(what: &str, text: &str) -> Result<Self, LabError> {
        let broken = |why: String| LabError::Results { what: what.to_owned(), why };
        let results: Self =
            serde_json::from_str(text).map_err(|error| broken(error.to_string()))?;
        if SCHEMAS.contains(&results.schema.as_str()) {
            Ok(results)
        } else {
            let known = SCHEMAS.join("` or `");
            Err(broken(format!("its schema is `{}`, not `{known}`", results.schema)))
        }
    }

    /// The text of the results file.
    ///
    /// # Panics
    /// Never: every field can be written.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string(self).expect("plain data");
        text.push('\n');
        text
    }
}

/// The machine card.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The CPU's brand string.
    pub cpu: String,
    /// Names of the available levels, lowest first.
    pub levels: Vec<String>,
    /// The level that a caller gets who names none; absent if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_level: Option<String>,
    /// Logical cores available.
    pub cores: usize,
    /// Ticks of the time-stamp counter a second.
    pub tsc_hz: f64,
    /// Core cycles a tick, by a chain of dependent additions: the most of the run. Rows have
    /// ratios of their own.
    pub core_per_tsc: f64,
    /// Kernel name and version.
    pub kernel: String,
    /// Share of CPU time stolen by the host during the run, 0 to 1; absent if unknown.
    pub steal: Option<f64>,
    /// Further facts, in order of display: (name, value).
    #[serde(default)]
    pub facts: Vec<(String, String)>,
}

/// One cell: an operation of an algorithm by an engine at a level and size.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The engine's name.
    pub engine: String,
    /// What was measured, at the level that executed; `"-"` for a peer that chooses for itself. In
    /// the file its fields lie beside the others.
    #[serde(flatten)]
    pub cell: Cell,
    /// Whether it is the level of the library that a caller gets who names none.
    #[serde(default, skip_serializing_if = "is_false")]
    pub default: bool,
    /// Tag in bytes.
    pub tag_bytes: u32,
    /// `tsc` or `wall`.
    pub clock: String,
    /// Calls a sample, so that a sample lasts long enough.
    pub repeats: u64,
    /// Ticks per message: one list of samples for each clean pass; of a row flagged `canary`, which
    /// has too few of them, the least disturbed.
    pub passes: Vec<Vec<f64>>,
    /// What is known of each of these passes, in the same order; empty in files of the first schema.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub canaries: Vec<Canaries>,
    /// The passes that were disturbed; no figure is made of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<Dropped>,
    /// The smallest median of `passes`, in ticks as all fields named cycles but those named core
    /// cycles.
    pub median_cycles: f64,
    /// Its first quartile.
    pub q1_cycles: f64,
    /// Its third quartile.
    pub q3_cycles: f64,
    /// The least sample of all passes, dropped ones too.
    pub min_cycles: f64,
    /// `median_cycles` by the mean length of the messages; null for `init` and `key`.
    pub cycles_per_byte: Option<f64>,
    /// The figure of `init` and `key`; else null.
    pub cycles_per_setup: Option<f64>,
    /// The smallest median of `passes` in core cycles, each converted by its own canaries, by the
    /// mean length of the messages; absent for `init` and `key` and where it is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub core_cycles_per_byte: Option<f64>,
    /// The same of `init` and `key`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub core_cycles_per_setup: Option<f64>,
    /// Megabits a second; null for `init` and `key`.
    pub mbps: Option<f64>,
    /// Nanoseconds a message.
    pub ns: f64,
    /// What it costs when all CPUs do it at once; absent unless asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub together: Option<Together>,
    /// How long single calls take while all CPUs work; absent unless asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub percentiles: Option<Percentiles>,
    /// SHA-256 over all outputs in order, hexadecimal.
    pub digest: String,
    /// E.g. `canary`, `quick`, `outside the specification`.
    pub flags: Vec<String>,
    /// Anything a reader must know.
    pub remark: String,
}

impl Row {
    /// The mean length of the messages in bytes.
    #[must_use]
    pub fn message_bytes(&self) -> f64 {
        self.cell.mix.mean(self.cell.size)
    }
}

/// A cell that could not be measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    /// The engine's name.
    pub engine: String,
    /// The algorithm.
    pub algorithm: String,
    /// The operation.
    pub operation: String,
    /// The level, or `"-"`.
    pub level: String,
    /// The model.
    pub model: String,
    /// Why, naming what lacks it.
    pub reason: String,
}

/// An operation, measured, and its floor, in core cycles a byte.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FloorRecord {
    /// ALGORITHM/OPERATION.
    pub operation: String,
    /// The level.
    pub level: String,
    /// `long` or `batch`.
    pub what: String,
    /// The bytes that the counts of lane operations are for.
    pub bytes: u64,
    /// Core cycles a byte, as measured.
    pub measured: f64,
    /// The least that the machine's units allow.
    pub floor: f64,
    /// The second by the first, in percent.
    pub percent: f64,
    /// `throughput` or `latency`.
    pub bound: String,
    /// What binds, in words.
    pub binds: String,
}

/// A published claim and what was measured of it, for one engine and level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClaimRecord {
    /// Its short name in the study.
    pub name: String,
    /// What is claimed, in a sentence.
    pub statement: String,
    /// Where it stands in the published study.
    pub stands: String,
    /// The operation whose time is divided: `ALGORITHM/OPERATION`.
    pub numerator: String,
    /// The operation by whose time it is divided.
    pub denominator: String,
    /// The model of both.
    pub model: String,
    /// The message lengths in bytes: all that were summed, or the one.
    pub sizes: Vec<u64>,
    /// How the ratio is made of the lengths.
    pub rule: Rule,
    /// What must be true of it.
    pub expects: Expects,
    /// The least ratio that still is *slightly* slower, where that is claimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_least: Option<f64>,
    /// The engine, `"-"` if none measured it.
    pub engine: String,
    /// The level.
    pub level: String,
    /// The published ratio; null where the publication has none at this length.
    pub published: Option<f64>,
    /// The measured ratio; null if a cell is missing.
    pub ratio: Option<f64>,
    /// The lower end of its bootstrap 95 % interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// `holds`, `holds weaker`, `no longer holds`, `reversed`, `can't tell here` or
    /// `not measured`.
    pub verdict: String,
    /// Flags of the rows it is made of, or why it was not measured.
    pub remark: String,
}

/// How the run went.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// Passes over the whole table.
    pub passes: u32,
    /// Samples a pass.
    pub samples: u32,
    /// Series measured.
    pub series: u64,
    /// Series measured again in place of such as were disturbed.
    pub repeated: u64,
    /// Series that were disturbed and count for nothing.
    #[serde(default)]
    pub dropped: u64,
    /// Rows that have too few clean passes; they are flagged.
    pub flagged: u64,
    /// How much the intervals of its ratios can tell; absent where no two engines or levels did the
    /// same work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power: Option<Power>,
    /// Seconds the run took.
    pub seconds: f64,
    /// Whether it was stopped before its end: rows may be missing or have fewer passes.
    #[serde(default, skip_serializing_if = "is_false")]
    pub partial: bool,
}
