//! How figures are printed: the same rules in the terminal and on the page.

use std::borrow::Cow;

use crate::record::{Results, Row, Unit};
use crate::study::Lang;

/// A message length in words: `"16 B"`, `"8 KiB"`, `"1 MiB"`; bytes unless it divides evenly.
#[must_use]
pub fn size_label(bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    for (unit, name) in UNITS {
        if bytes >= unit && bytes.is_multiple_of(unit) {
            return format!("{} {name}", bytes / unit);
        }
    }
    format!("{bytes} B")
}

/// Core cycles or ticks per byte: two decimals as the studies print them, three below a tenth.
pub(super) fn cycles_per_byte(value: f64) -> String {
    if value < 0.1 { format!("{value:.3}") } else { format!("{value:.2}") }
}

/// Whole core cycles or ticks.
pub(super) fn cycles(value: f64) -> String {
    format!("{value:.0}")
}

/// Megabits a second, whole.
pub(super) fn mbps(value: f64) -> String {
    format!("{value:.0}")
}

/// Gigabits a second.
pub(super) fn gbps(mbps: f64) -> String {
    let value = mbps / 1000.0;
    if value < 10.0 { format!("{value:.2}") } else { format!("{value:.1}") }
}

/// A ratio of speeds: `"1.23"`, `"12.3"`, `"123"`.
#[must_use]
pub fn ratio(value: f64) -> String {
    match value {
        v if v < 10.0 => format!("{v:.2}"),
        v if v < 100.0 => format!("{v:.1}"),
        v => format!("{v:.0}"),
    }
}

/// Three or four digits, whatever the size: `"0.055"`, `"0.75"`, `"23.0"`, `"110"`.
#[must_use]
pub fn short(value: f64) -> String {
    match value {
        v if v < 0.1 => format!("{v:.3}"),
        v if v < 10.0 => format!("{v:.2}"),
        v if v < 100.0 => format!("{v:.1}"),
        v => format!("{v:.0}"),
    }
}

/// The results as they are printed and drawn: every figure in core cycles, by the canaries of its
/// own passes, or in ticks where that can't be known. Whatever shows figures begins with this.
pub(super) fn shown(results: &Results) -> Cow<'_, Results> {
    match results.unit {
        Unit::CoreCycles => Cow::Borrowed(results),
        Unit::Ticks => Cow::Owned(results.in_core_cycles()),
    }
}

/// Whether the figures of these results are core cycles.
pub(super) fn in_core_cycles(results: &Results) -> bool {
    results.unit == Unit::CoreCycles
}

/// A figure of a row in core cycles: as it is, where the results are [`shown`] in them; else by the
/// row's own canaries or the machine's one ratio; ticks as they are where neither is known.
pub(super) fn core_cycles(results: &Results, row: &Row, value: f64) -> f64 {
    if in_core_cycles(results) {
        return value;
    }
    match row.in_core_cycles(results.core_per_tick()) {
        Some(core) => value * core.median_cycles / row.median_cycles,
        None => value,
    }
}

/// What figures of these results are in, at the beginning of a sentence.
pub(super) fn unit(results: &Results) -> &'static str {
    if in_core_cycles(results) { "Core cycles" } else { "Ticks" }
}

/// What figures of these results are in, in the middle of a sentence.
pub(super) fn unit_of(results: &Results, lang: Lang) -> &'static str {
    match results.unit {
        Unit::CoreCycles => lang.pick("core cycles", "核心周期"),
        Unit::Ticks => lang.pick("ticks", "计数"),
    }
}

/// `core cycles per byte`.
pub(super) fn per_byte_unit(results: &Results, lang: Lang) -> &'static str {
    match results.unit {
        Unit::CoreCycles => lang.pick("core cycles per byte", "核心周期/字节"),
        Unit::Ticks => lang.pick("ticks per byte", "计数/字节"),
    }
}

/// Seconds in words.
pub(super) fn duration(seconds: f64) -> String {
    if seconds < 90.0 {
        format!("{seconds:.0} s")
    } else {
        format!("{:.0} min {:02.0} s", (seconds / 60.0).floor(), (seconds % 60.0).floor())
    }
}

/// A quartile of a row per byte.
pub(super) fn per_byte(row: &Row, cycles: f64) -> f64 {
    cycles / row.message_bytes()
}

/// `2 files`, `1 file`.
pub(super) fn count(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_named_in_the_largest_unit_that_divides_them() {
        let labels = [16, 576, 1024, 8188, 8192, 9000, 1 << 20, 3 << 30].map(size_label);
        assert_eq!(
            labels,
            ["16 B", "576 B", "1 KiB", "8188 B", "8 KiB", "9000 B", "1 MiB", "3 GiB"]
        );
    }

    #[test]
    fn figures_keep_the_digits_a_reader_can_use() {
        let shorts = [0.0547, 0.754, 9.994, 23.04, 110.7, 12_345.6].map(short);
        assert_eq!(shorts, ["0.055", "0.75", "9.99", "23.0", "111", "12346"].map(String::from));
        assert_eq!(cycles_per_byte(0.6649), "0.66");
        assert_eq!(cycles_per_byte(0.0649), "0.065");
        assert_eq!(cycles_per_byte(26.761), "26.76");
        assert_eq!(
            [0.914, 1.0, 12.34, 123.4].map(ratio),
            ["0.91", "1.00", "12.3", "123"].map(String::from)
        );
        assert_eq!(duration(89.0), "89 s");
        assert_eq!(duration(125.0), "2 min 05 s");
    }
}
