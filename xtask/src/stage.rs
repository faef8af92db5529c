//! Stages: named pieces of work that print how long they took and might have taken.

use std::time::{Duration, Instant};

/// Runs `work` and prints its time beside `budget`. Being late is printed, not
/// an error: another tenant of the machine is no fault of the code.
pub(crate) fn stage<T>(
    name: &str,
    budget: Duration,
    work: impl FnOnce() -> Result<T, String>,
) -> Result<T, String> {
    println!("== {name} (budget {} s)", budget.as_secs());
    let start = Instant::now();
    let result = work().map_err(|error| format!("{name}: {error}"));
    let took = start.elapsed();
    let verdict = if result.is_ok() { "ok" } else { "FAILED" };
    let late = if took > budget { ", OVER BUDGET" } else { "" };
    println!("== {name}: {verdict}, {:.1} s of {} s{late}", took.as_secs_f64(), budget.as_secs());
    result
}

/// Says that a check could not run here, and what would let it; `.ci/run` counts these lines.
pub(crate) fn skip(what: &str, remedy: &str) {
    println!("SKIP: {what} ({remedy})");
}
