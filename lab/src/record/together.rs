//! What a row's work costs when all CPUs do it at once.

use serde::{Deserialize, Serialize};

/// The same series in one process for each CPU, at the same time, beside one process alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Together {
    /// Processes.
    pub processes: u32,
    /// Ticks per message of one process alone: the median of its samples, of every round.
    pub alone: Vec<f64>,
    /// The same of each process while all of them worked.
    pub beside: Vec<Vec<f64>>,
    /// By how much longer a message takes while all work: the mean of the processes by the one
    /// alone, the median of the rounds.
    pub slowdown: f64,
    /// Megabits a second of all together, the median of the rounds; null for `init` and `key`.
    pub mbps: Option<f64>,
}

/// Single calls, each timed by itself, in one process for each CPU at the same time. The timer's own
/// cost is subtracted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Percentiles {
    /// Processes.
    pub processes: u32,
    /// Calls of all of them.
    pub calls: u64,
    /// Nanoseconds in which half of the calls end; null, as the next two, where fewer than ten calls
    /// took longer.
    pub p50_ns: Option<f64>,
    /// Those in which 99 % end.
    pub p99_ns: Option<f64>,
    /// Those in which 99.9 % end.
    pub p999_ns: Option<f64>,
    /// The longest.
    pub max_ns: f64,
    /// What the timer costs, which is subtracted from every call.
    pub timer_ns: f64,
}
