//! Compares two results files row by row.

use crate::claims::MARGIN;
use crate::record::{Machine, Results, Row, Unit, beside};
use crate::stats::{Interval, Paired, ratio_interval};
use crate::{Cell, LabError};

/// What the interval of a ratio says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The interval lies below 1, and the ratio by more than 3 %: the second is faster.
    Ahead,
    /// The ratio is within 3 % of 1, or the interval holds 1.
    Tied,
    /// The interval lies above 1, and the ratio by more than 3 %: the second is slower.
    Behind,
}

impl Verdict {
    /// `"ahead"`, `"tied"` or `"behind"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ahead => "ahead",
            Self::Tied => "tied",
            Self::Behind => "behind",
        }
    }
}

/// One row of two files.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The row of the first file.
    pub a: Row,
    /// The row of the second file.
    pub b: Row,
    /// What is compared: core cycles where both files tell them, else ticks.
    pub unit: Unit,
    /// The figures of both in that unit: a byte, or of a set-up.
    pub figures: (f64, f64),
    /// Figure of `b` by figure of `a`: below 1 where the second file is faster.
    pub ratio: f64,
    /// Lower end of its bootstrap 95 % interval.
    pub low: f64,
    /// Upper end of its bootstrap 95 % interval.
    pub high: f64,
    /// What the interval says of the second file.
    pub verdict: Verdict,
}

impl Verdict {
    /// What an interval says. Either side needs an interval without 1 and more than [`MARGIN`]:
    /// if A is ahead of B, then B is behind A by the same rule.
    ///
    /// ```
    /// use lab::compare::Verdict;
    /// use lab::stats::Interval;
    ///
    /// let of = |ratio, low, high| Verdict::of(&Interval { ratio, low, high });
    /// assert_eq!(of(0.998, 0.997, 0.999), Verdict::Tied);
    /// assert_eq!(of(0.95, 0.94, 0.96), Verdict::Ahead);
    /// assert_eq!(of(1.0 / 0.95, 1.0 / 0.96, 1.0 / 0.94), Verdict::Behind);
    /// ```
    #[must_use]
    pub fn of(interval: &Interval) -> Self {
        if interval.high < 1.0 && interval.ratio < 1.0 / (1.0 + MARGIN) {
            Self::Ahead
        } else if interval.low > 1.0 && interval.ratio > 1.0 + MARGIN {
            Self::Behind
        } else {
            Self::Tied
        }
    }
}

/// Compares every row that both files have, in the order of the first, in core cycles where both
/// files tell them. The rows of a comparison are as they stand in the files.
///
/// # Errors
/// [`LabError::MixedMachines`] or [`LabError::MixedClocks`] unless `force`;
/// [`LabError::NothingInCommon`] if no row can be joined.
pub fn compare(a: &Results, b: &Results, force: bool) -> Result<Vec<Comparison>, LabError> {
    if !force {
        same_machine(&a.machine, &b.machine)?;
    }
    let (core_a, core_b) = (a.in_core_cycles(), b.in_core_cycles());
    let both = core_a.unit == core_b.unit;
    let (as_a, as_b) = if both { (&core_a, &core_b) } else { (a, b) };
    let mut comparisons = Vec::new();
    for (place, row) in a.rows.iter().enumerate() {
        let same = |other: &Row| {
            other.engine == row.engine
                && other.cell.level == row.cell.level
                && same_cell(row, other)
        };
        let Some(beside) = b.rows.iter().position(same) else { continue };
        let other = &b.rows[beside];
        if row.clock != other.clock && !force {
            return Err(LabError::MixedClocks {
                row: name(row),
                a: row.clock.clone(),
                b: other.clock.clone(),
            });
        }
        let (shown_a, shown_b) = (&as_a.rows[place], &as_b.rows[beside]);
        comparisons.extend(ratio(shown_a, shown_b, Paired::No).map(|it| Comparison {
            a: row.clone(),
            b: other.clone(),
            unit: as_a.unit,
            ..it
        }));
    }
    if comparisons.is_empty() { Err(LabError::NothingInCommon) } else { Ok(comparisons) }
}

/// Compares two rows as they are, [converted](Row::in_core_cycles) or not, which only the caller
/// knows: the comparison says ticks. `None` if one has no samples. Rows of one run are
/// [paired](Paired::Yes).
#[must_use]
pub fn ratio(a: &Row, b: &Row, paired: Paired) -> Option<Comparison> {
    let interval = ratio_interval(&a.passes, &b.passes, paired)?;
    Some(Comparison {
        a: a.clone(),
        b: b.clone(),
        unit: Unit::Ticks,
        figures: (figure(a), figure(b)),
        ratio: interval.ratio,
        low: interval.low,
        high: interval.high,
        verdict: Verdict::of(&interval),
    })
}

/// The figure of a row, of a byte or a set-up.
fn figure(row: &Row) -> f64 {
    row.cycles_per_byte.unwrap_or(row.median_cycles)
}

/// Whether two rows may be compared: everything but engine and level agrees.
#[must_use]
pub fn same_cell(a: &Row, b: &Row) -> bool {
    a.cell.algorithm == b.cell.algorithm
        && a.cell.operation == b.cell.operation
        && a.cell.model == b.cell.model
        && a.cell.size == b.cell.size
        && a.cell.messages == b.cell.messages
        && a.cell.keys == b.cell.keys
        && a.cell.mix == b.cell.mix
        && a.cell.threads == b.cell.threads
        && a.cell.nonce_bytes == b.cell.nonce_bytes
        && a.cell.aad_bytes == b.cell.aad_bytes
        && a.tag_bytes == b.tag_bytes
        && a.cell.placement == b.cell.placement
        && a.cell.unaligned == b.cell.unaligned
        && a.cell.cold == b.cell.cold
}

fn same_machine(a: &Machine, b: &Machine) -> Result<(), LabError> {
    let differ = |field, a: &dyn ToString, b: &dyn ToString| {
        Err(LabError::MixedMachines { field, a: a.to_string(), b: b.to_string() })
    };
    if a.cpu != b.cpu {
        return differ("cpu", &a.cpu, &b.cpu);
    }
    if a.levels != b.levels && !a.levels.is_empty() && !b.levels.is_empty() {
        return differ("levels", &a.levels.join(" "), &b.levels.join(" "));
    }
    // The rate is measured anew in every run, to better than a thousandth.
    if (a.tsc_hz / b.tsc_hz - 1.0).abs() > 0.005 {
        return differ("tsc_hz", &a.tsc_hz, &b.tsc_hz);
    }
    Ok(())
}

fn name(row: &Row) -> String {
    let Row { engine, cell, .. } = row;
    let Cell { algorithm, operation, level, model, size, messages, .. } = cell;
    let of = if *messages > 1 { format!(" of {messages}") } else { String::new() };
    let aad = match row.cell.aad_bytes {
        0 => String::new(),
        bytes => format!(", AAD {bytes} B"),
    };
    format!("{engine} {algorithm}/{operation} {level} {model}{of} {size} B{aad}{}", beside(row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_are_symmetric() {
        for ratio in [0.5, 0.96, 0.97, 0.972, 0.998, 1.0, 1.002, 1.029, 1.031, 1.2] {
            for far in [1.0001_f64, 1.01, 1.05, 1.5] {
                let interval = Interval { ratio, low: ratio / far, high: ratio * far };
                let turned =
                    Interval { ratio: 1.0 / ratio, low: 1.0 / interval.high, high: far / ratio };
                let expected = match Verdict::of(&interval) {
                    Verdict::Ahead => Verdict::Behind,
                    Verdict::Tied => Verdict::Tied,
                    Verdict::Behind => Verdict::Ahead,
                };
                assert_eq!(Verdict::of(&turned), expected, "{interval:?}");
            }
        }
    }
}
