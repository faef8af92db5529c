//! What was measured on all CPUs at once, in words.

use super::figure;
use crate::record::Row;

/// The figures of a row that was measured on all CPUs at once, in words.
pub(super) fn told(row: &Row) -> Option<String> {
    let it = row.together.as_ref()?;
    let speed = it.mbps.map(|mbps| format!("{} Mbps together, ", figure::mbps(mbps)));
    Some(format!(
        "on {} CPUs at once {}each {} times as long as alone",
        it.processes,
        speed.unwrap_or_default(),
        figure::ratio(it.slowdown),
    ))
}

/// How long single calls of a row took, in words.
pub(super) fn calls(row: &Row) -> Option<String> {
    let it = row.percentiles.as_ref()?;
    let ns = |value: Option<f64>| value.map_or("?".to_owned(), |ns| format!("{ns:.0}"));
    Some(format!(
        "single calls on {} busy CPUs, less the timer's {:.0} ns: half within {} ns, 99 % within {}, \
         99.9 % within {}",
        it.processes,
        it.timer_ns,
        ns(it.p50_ns),
        ns(it.p99_ns),
        ns(it.p999_ns),
    ))
}
