//! What of this program's surroundings only the system can tell or do.
//!
//! # Why it is sound
//! The one call of the system closes a file by a negative number. No file has one, so nothing is closed.

use std::ops::Range;
use std::sync::OnceLock;

/// Where this program's file is mapped.
pub(crate) fn program() -> &'static Range<u64> {
    static PROGRAM: OnceLock<Range<u64>> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
        let program = std::env::current_exe().unwrap_or_default();
        let lines = maps.lines().filter(|line| line.ends_with(&*program.to_string_lossy()));
        let ranges = lines.filter_map(|line| {
            let (start, end) = line.split_once(' ')?.0.split_once('-')?;
            let address = |digits| u64::from_str_radix(digits, 16).ok();
            Some((address(start)?, address(end)?))
        });
        let (mut start, mut end) = (u64::MAX, 0);
        for range in ranges {
            (start, end) = (start.min(range.0), end.max(range.1));
        }
        start..end
    })
}

/// Asks the system to close what is no file; who watches the calls of the system sees the number.
#[cfg(not(target_arch = "x86_64"))]
#[expect(unsafe_code, reason = "a call of the system that does nothing; argued above")]
pub(crate) fn close_none(number: i32) {
    assert!(number < 0, "{number} may be a file");
    // SAFETY: no file has a negative number.
    unsafe { libc::close(number) };
}
