//! What `floor --json` prints, `cipherlane-floor/1`.

use std::collections::BTreeMap;

use cipherlane::Level;
use lab::floor::Lanes;
use lab::record::FloorRecord;
use serde::Serialize;

/// All of it.
#[derive(Serialize)]
pub(super) struct Document {
    pub(super) schema: &'static str,
    pub(super) machine: Machine,
    pub(super) unit: &'static str,
    /// Why the floors of a level are not to be believed, if something speaks against them.
    pub(super) doubts: Vec<String>,
    pub(super) lanes: Vec<Lane>,
    pub(super) operations: Vec<FloorRecord>,
}

/// The machine.
#[derive(Serialize)]
pub(super) struct Machine {
    pub(super) cpu: String,
    pub(super) levels: Vec<String>,
    pub(super) default_level: String,
    pub(super) tsc_hz: f64,
    pub(super) core_per_tsc: f64,
}

/// What a lane operation costs at a level.
#[derive(Serialize)]
pub(super) struct Lane {
    pub(super) level: String,
    pub(super) operation: String,
    pub(super) throughput: f64,
    pub(super) latency: f64,
    /// What one adds to the time of a busy set of units.
    pub(super) units: BTreeMap<String, f64>,
}

impl Lane {
    /// Those of a level.
    pub(super) fn all(level: Level, lanes: &Lanes) -> impl Iterator<Item = Self> {
        lanes.costs.iter().map(move |(operation, cost)| Self {
            level: level.name().to_owned(),
            operation: operation.clone(),
            throughput: rounded(cost.throughput),
            latency: rounded(cost.latency),
            units: cost.shares.iter().map(|(set, share)| (set.clone(), rounded(*share))).collect(),
        })
    }
}

/// The card of a run, as far as floors depend on it.
pub(super) fn machine(card: &lab::record::Machine) -> Machine {
    Machine {
        cpu: card.cpu.clone(),
        levels: card.levels.clone(),
        default_level: Level::detect().unwrap_or(Level::best()).name().to_owned(),
        tsc_hz: card.tsc_hz,
        core_per_tsc: card.core_per_tsc,
    }
}

/// To a ten-thousandth.
pub(super) fn rounded(x: f64) -> f64 {
    (x * 1e4).round() / 1e4
}

/// A share in percent, to a tenth.
pub(super) fn percent(x: f64) -> f64 {
    (x * 1e3).round() / 10.0
}
