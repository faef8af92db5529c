//! How often each verdict was given, and how much the intervals behind them can tell.

use super::{MARGIN, Verdict};
use crate::record::ClaimRecord;
use crate::stats::median;

/// The verdicts on the claims of a run, counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Tally {
    /// How often each verdict was given, in the order of [`Verdict::ALL`], none left out.
    pub counts: [(Verdict, usize); 6],
    /// The median width of the 95 % intervals in percent: by how much the upper end lies above
    /// the lower one. None if no claim has an interval.
    pub width: Option<f64>,
    /// How many of the intervals are narrow enough to tell a difference of 3 % from none.
    pub can_tell: usize,
    /// How many intervals there are.
    pub intervals: usize,
}

impl Tally {
    /// Counts these.
    #[must_use]
    pub fn of(claims: &[ClaimRecord]) -> Self {
        let given = |verdict: Verdict| {
            claims.iter().filter(|claim| claim.verdict == verdict.name()).count()
        };
        let intervals: Vec<(f64, f64, f64)> = claims
            .iter()
            .filter_map(|claim| Some((claim.low?, claim.ratio?, claim.high?)))
            .filter(|(low, ratio, _)| *low > 0.0 && *ratio > 0.0)
            .collect();
        let widths: Vec<f64> =
            intervals.iter().map(|(low, _, high)| (high / low - 1.0) * 100.0).collect();
        let narrow = |(low, ratio, high): &&(f64, f64, f64)| {
            ratio / low < 1.0 + MARGIN && high / ratio < 1.0 + MARGIN
        };
        Self {
            counts: Verdict::ALL.map(|verdict| (verdict, given(verdict))),
            width: median(&widths),
            can_tell: intervals.iter().filter(narrow).count(),
            intervals: intervals.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::{Expects, Rule};

    fn claim(verdict: Verdict, interval: Option<(f64, f64, f64)>) -> ClaimRecord {
        ClaimRecord {
            name: "n".into(),
            statement: "s".into(),
            stands: "table 1".into(),
            numerator: "toy/a".into(),
            denominator: "toy/b".into(),
            model: "packet".into(),
            sizes: vec![16],
            rule: Rule::PerSize,
            expects: Expects::Ratio,
            at_least: None,
            engine: "toy".into(),
            level: "low".into(),
            published: Some(0.9),
            ratio: interval.map(|it| it.1),
            low: interval.map(|it| it.0),
            high: interval.map(|it| it.2),
            verdict: verdict.name().into(),
            remark: String::new(),
        }
    }

    #[test]
    fn every_verdict_is_counted_though_it_was_not_given() {
        let claims = [
            claim(Verdict::Holds, Some((0.89, 0.9, 0.91))),
            claim(Verdict::Holds, Some((0.5, 0.52, 0.6))),
            claim(Verdict::CantTell, Some((0.5, 1.0, 2.0))),
            claim(Verdict::NotMeasured, None),
        ];
        let tally = Tally::of(&claims);
        assert_eq!(tally.counts.map(|(_, count)| count), [2, 0, 0, 0, 1, 1]);
        // 2.2 %, 20 %, 300 %; what was not measured has no width.
        assert!(tally.width.is_some_and(|it| (it - 20.0).abs() < 1e-9), "{tally:?}");
        assert_eq!((tally.can_tell, tally.intervals), (1, 3));
        assert_eq!(Tally::of(&claims[3..]).width, None);
    }

    #[test]
    fn a_wide_side_alone_takes_away_the_power_to_tell_three_percent() {
        for (low, high, tells) in [(0.98, 1.02, 1), (0.98, 1.04, 0), (0.96, 1.02, 0)] {
            let tally = Tally::of(&[claim(Verdict::CantTell, Some((low, 1.0, high)))]);
            assert_eq!(tally.can_tell, tells, "{low} {high}");
        }
    }
}
