//! What an interval says of a claim.

use crate::stats::Interval;
use crate::study::Expects;

/// What has become of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is true here.
    Holds,
    /// It is true in part: the same sign, a smaller difference; or equality that the interval
    /// neither shows nor excludes.
    Weaker,
    /// It is not true here.
    Gone,
    /// A cell it needs has no figure.
    NotMeasured,
}

/// By how much a ratio may miss the published one and still be called the same: what the
/// laboratory calls tied.
pub const MARGIN: f64 = 0.03;

impl Verdict {
    /// Every verdict, the best first.
    pub const ALL: [Self; 4] = [Self::Holds, Self::Weaker, Self::Gone, Self::NotMeasured];

    /// `"holds"`, `"holds weaker"`, `"no longer holds"` or `"not measured"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Weaker => "holds weaker",
            Self::Gone => "no longer holds",
            Self::NotMeasured => "not measured",
        }
    }

    /// What an interval says of a claim.
    ///
    /// *Equal* speeds: they hold if the whole interval lies within 3 % of 1, no longer if it
    /// lies outside as a whole, and weaker if it lies across the border.
    ///
    /// A *ratio*: it no longer holds if the interval reaches 1 or lies beyond; else it holds if
    /// the interval comes to within 3 % of the published ratio or lies farther from 1; else it
    /// holds weaker, but no longer if the whole interval lies within 3 % of 1: equal speeds.
    ///
    /// *Faster* or *slower*, by whatever: it holds if the whole interval lies on that side of 1,
    /// weaker if only the ratio does.
    ///
    /// ```
    /// use lab::claims::Verdict;
    /// use lab::stats::Interval;
    /// use lab::study::Expects;
    ///
    /// let interval = Interval { ratio: 0.95, low: 0.94, high: 0.96 };
    /// assert_eq!(Verdict::of(&interval, Expects::Ratio, Some(0.905)), Verdict::Weaker);
    /// assert_eq!(Verdict::of(&interval, Expects::Equal, None), Verdict::Gone);
    /// ```
    #[must_use]
    pub fn of(interval: &Interval, expects: Expects, published: Option<f64>) -> Self {
        match (expects, published) {
            (Expects::Equal, _) => equal(interval.low, interval.high),
            (Expects::Faster, _) => beyond(1.0 / interval.ratio, 1.0 / interval.low),
            (Expects::Slower, _) => beyond(interval.ratio, interval.high),
            (Expects::Ratio, None) => Self::NotMeasured,
            // The same rule on the other side of 1.
            (Expects::Ratio, Some(ratio)) if ratio > 1.0 => {
                slower(1.0 / interval.high, 1.0 / interval.low, 1.0 / ratio)
            }
            (Expects::Ratio, Some(ratio)) => slower(interval.low, interval.high, ratio),
        }
    }
}

fn equal(low: f64, high: f64) -> Verdict {
    let (least, most) = (1.0 - MARGIN, 1.0 + MARGIN);
    if low >= least && high <= most {
        Verdict::Holds
    } else if low > most || high < least {
        Verdict::Gone
    } else {
        Verdict::Weaker
    }
}

/// A claim that a ratio is below 1, by whatever; `most` is the end of its interval beyond.
fn beyond(ratio: f64, most: f64) -> Verdict {
    if most < 1.0 {
        Verdict::Holds
    } else if ratio < 1.0 {
        Verdict::Weaker
    } else {
        Verdict::Gone
    }
}

/// A claim of a published ratio below 1.
fn slower(low: f64, high: f64, published: f64) -> Verdict {
    if high >= 1.0 {
        Verdict::Gone
    } else if low <= published * (1.0 + MARGIN) {
        Verdict::Holds
    } else if low >= 1.0 - MARGIN {
        Verdict::Gone
    } else {
        Verdict::Weaker
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(low: f64, high: f64, expects: Expects, published: f64) -> Verdict {
        let ratio = f64::midpoint(low, high);
        Verdict::of(&Interval { ratio, low, high }, expects, Some(published))
    }

    #[test]
    fn a_ratio_holds_where_the_interval_comes_to_it() {
        let ratio = |low, high| of(low, high, Expects::Ratio, 0.9);
        assert_eq!(ratio(0.89, 0.91), Verdict::Holds);
        assert_eq!(ratio(0.92, 0.95), Verdict::Holds, "within 3 % of 0.9");
        assert_eq!(ratio(0.70, 0.75), Verdict::Holds, "a larger difference");
        assert_eq!(ratio(0.93, 0.99), Verdict::Weaker);
        assert_eq!(ratio(0.975, 0.99), Verdict::Gone, "a difference that is none");
        assert_eq!(of(0.975, 0.99, Expects::Ratio, 0.95), Verdict::Holds, "near the published");
        assert_eq!(ratio(0.93, 1.0), Verdict::Gone);
        assert_eq!(ratio(0.5, 1.5), Verdict::Gone, "an interval that says nothing shows nothing");
        assert_eq!(ratio(1.1, 1.2), Verdict::Gone);
    }

    #[test]
    fn a_ratio_above_one_is_the_mirror_image() {
        for (low, high) in [(0.89, 0.91), (0.93, 0.99), (0.98, 0.99), (1.1, 1.2), (0.7, 0.75)] {
            let here = of(low, high, Expects::Ratio, 0.9);
            assert_eq!(of(1.0 / high, 1.0 / low, Expects::Ratio, 1.0 / 0.9), here, "{low} {high}");
        }
    }

    #[test]
    fn equality_is_shown_only_by_a_narrow_interval() {
        let equal = |low, high| of(low, high, Expects::Equal, 0.99);
        assert_eq!(equal(0.98, 1.02), Verdict::Holds);
        assert_eq!(equal(0.98, 0.99), Verdict::Holds, "different, and by less than matters");
        assert_eq!(equal(0.90, 1.02), Verdict::Weaker);
        assert_eq!(equal(0.5, 2.0), Verdict::Weaker);
        assert_eq!(equal(1.04, 1.1), Verdict::Gone);
        assert_eq!(equal(0.9, 0.96), Verdict::Gone);
    }

    #[test]
    fn verdicts_have_names_of_their_own() {
        let mut names = Verdict::ALL.map(Verdict::name).to_vec();
        names.dedup();
        assert_eq!(names, ["holds", "holds weaker", "no longer holds", "not measured"]);
    }
}
