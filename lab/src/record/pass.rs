//! What is known of a pass besides its samples: the canaries around it, and how many core cycles
//! a tick had then. With them anybody can convert or judge a figure anew.

use serde::{Deserialize, Serialize};

use super::{Results, Row};
use crate::canary::Reading;
use crate::stats::quartiles;

/// What figures are counted in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Ticks of the time-stamp counter, at a constant rate that need not be the core's.
    #[default]
    Ticks,
    /// Cycles of the core that did the work.
    CoreCycles,
}

impl Unit {
    /// `"ticks"` or `"core cycles"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ticks => "ticks",
            Self::CoreCycles => "core cycles",
        }
    }
}

/// What told how many core cycles a tick had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// The engine's chain of dependent additions around the series, each a core cycle.
    Chain,
    /// The CPU's counter of core cycles, read around the series.
    Counter,
    /// The laboratory's own chain, right before and after: the engine can't run one.
    Laboratory,
}

/// The canaries of one pass of one row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Canaries {
    /// Ticks per dependent addition, before and after.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chain: Vec<f64>,
    /// Ticks per round of the throughput loop at the row's level, before and after.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub load: Vec<f64>,
    /// How often another process ran meanwhile, per sample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switches: Option<f64>,
    /// Core cycles a tick.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub core_per_tick: Option<f64>,
    /// What told that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<By>,
}

impl Canaries {
    /// What the pass is judged by. A chain of the laboratory's own tells nothing of the core that
    /// the engine ran on.
    #[must_use]
    pub fn reading(&self) -> Reading {
        let chain = if self.by == Some(By::Laboratory) { Vec::new() } else { self.chain.clone() };
        Reading { chain, load: self.load.clone(), switches: self.switches }
    }
}

/// A pass that was disturbed and counts for nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dropped {
    /// Its samples, in ticks per message.
    pub samples: Vec<f64>,
    /// Its canaries, by which it was judged.
    pub canaries: Canaries,
    /// Which of them was off: `canary`, `interrupted`.
    pub why: String,
}

/// Core cycles a tick, where additions that take a core cycle each took so many ticks before and
/// after.
#[must_use]
pub fn core_per_tick(chain: &[f64]) -> Option<f64> {
    let mean = chain.iter().sum::<f64>() / chain.len() as f64;
    (mean.is_finite() && mean > 0.0).then(|| ((1.0 / mean) * 1e5).round() / 1e5)
}

impl Row {
    /// The row with its passes and figures in core cycles, each pass by its own conversion, and by
    /// `machine` where it has none; `None` if that is unknown too.
    ///
    /// The figure is the smallest median of the passes, as that in ticks is, and its quartiles
    /// are those of the same pass.
    #[must_use]
    pub fn in_core_cycles(&self, machine: Option<f64>) -> Option<Self> {
        let mut passes = Vec::with_capacity(self.passes.len());
        for (place, pass) in self.passes.iter().enumerate() {
            let own = self.canaries.get(place).and_then(|it| it.core_per_tick);
            let rate = own.or(machine)?;
            passes.push(pass.iter().map(|ticks| ticks * rate).collect::<Vec<f64>>());
        }
        let all = passes.iter().filter_map(|pass| quartiles(pass));
        let fastest = all.min_by(|a, b| a.median.total_cmp(&b.median))?;
        let figure = fastest.median;
        let least = passes.iter().flatten().copied().fold(f64::MAX, f64::min);
        Some(Self {
            median_cycles: figure,
            q1_cycles: fastest.first,
            q3_cycles: fastest.third,
            min_cycles: least,
            cycles_per_byte: self.cycles_per_byte.map(|_| figure / self.message_bytes().max(1.0)),
            cycles_per_setup: self.cycles_per_setup.map(|_| figure),
            passes,
            ..self.clone()
        })
    }
}

impl Results {
    /// The one ratio of the machine, where it is known.
    #[must_use]
    pub fn core_per_tick(&self) -> Option<f64> {
        let ratio = self.machine.core_per_tsc;
        (ratio.is_finite() && ratio > 0.0).then_some(ratio)
    }

    /// The same results with all figures in core cycles, and [`Results::unit`] saying so; in ticks as
    /// they are where a row can't be converted. This is what is printed, drawn and compared, not
    /// what is written.
    ///
    /// Files of the first schema hold no canaries: there the machine's one ratio converts all.
    #[must_use]
    pub fn in_core_cycles(&self) -> Self {
        if self.unit == Unit::CoreCycles {
            return self.clone();
        }
        let machine = self.core_per_tick();
        let all = |rows: &[Row]| -> Option<Vec<Row>> {
            rows.iter().map(|row| row.in_core_cycles(machine)).collect()
        };
        match (all(&self.rows), all(&self.again)) {
            (Some(rows), Some(again)) => {
                let head = Self { rows: Vec::new(), again: Vec::new(), ..self.clone() };
                Self { rows, again, unit: Unit::CoreCycles, ..head }
            }
            _ => self.clone(),
        }
    }
}
