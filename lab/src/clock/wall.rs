//! The monotonic clock of the system.

use std::sync::OnceLock;
use std::time::Instant;

/// Nanoseconds since the first call.
#[inline]
pub(super) fn ticks() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let start = START.get_or_init(Instant::now);
    u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX)
}
