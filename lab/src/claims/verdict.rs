//! What an interval says of a claim.

use crate::stats::Interval;
use crate::study::Expects;

/// What has become of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is true here.
    Holds,
    /// It is true in part: the sign is shown, the published size is not.
    Weaker,
    /// It is not true here: the speeds are equal where a difference was published, or differ
    /// where they were to be equal.
    Gone,
    /// The difference has the other sign here.
    Reversed,
    /// The interval leaves it open.
    CantTell,
    /// A cell it needs has no figure.
    NotMeasured,
}

/// The margin of equality: ratios from 1 / 1.03 to 1.03 are what the laboratory calls equal, and
/// by so much a ratio may miss the published one and still be called the same.
pub const MARGIN: f64 = 0.03;

impl Verdict {
    /// Every verdict, the best first.
    pub const ALL: [Self; 6] =
        [Self::Holds, Self::Weaker, Self::Gone, Self::Reversed, Self::CantTell, Self::NotMeasured];

    /// `"holds"`, `"holds weaker"`, `"no longer holds"`, `"reversed"`, `"can't tell here"` or
    /// `"not measured"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Weaker => "holds weaker",
            Self::Gone => "no longer holds",
            Self::Reversed => "reversed",
            Self::CantTell => "can't tell here",
            Self::NotMeasured => "not measured",
        }
    }

    /// The name in a list of counts: `"can't tell"` without the place.
    #[must_use]
    pub const fn short(self) -> &'static str {
        match self {
            Self::CantTell => "can't tell",
            verdict => verdict.name(),
        }
    }

    /// What a 95 % interval says of a claim. The whole interval decides, never one of its ends
    /// or the ratio in it, so that noise can leave a claim open but neither show nor refute it.
    ///
    /// *Equal* speeds are tested for equivalence with a [`MARGIN`]: they hold if the whole
    /// interval lies within the margin of 1, no longer if it lies outside as a whole.
    ///
    /// A *ratio*, and *faster* or *slower* by whatever, are claims of a sign:
    ///
    /// - the sign is shown if the whole interval lies on that side of 1. A ratio holds if the
    ///   whole interval also comes to within the margin of the published one or lies beyond; a
    ///   sign holds unless the whole interval lies within the margin of 1. Else they hold weaker;
    /// - the other sign is shown: the claim is reversed, but no longer holds where the whole
    ///   interval lies within the margin of 1;
    /// - neither sign is shown: the claim no longer holds if the whole interval lies within the
    ///   margin of 1, which is the test for equal speeds, and leaves out what was published, a
    ///   sign half the margin. Else nothing can be told.
    ///
    /// ```
    /// use lab::claims::Verdict;
    /// use lab::stats::Interval;
    /// use lab::study::Expects;
    ///
    /// let interval = Interval { ratio: 0.95, low: 0.94, high: 0.96 };
    /// assert_eq!(Verdict::of(&interval, Expects::Ratio, Some(0.905)), Verdict::Weaker);
    /// assert_eq!(Verdict::of(&interval, Expects::Equal, None), Verdict::Gone);
    /// assert_eq!(Verdict::of(&interval, Expects::Slower, None), Verdict::Holds);
    /// assert_eq!(Verdict::of(&interval, Expects::Faster, None), Verdict::Reversed);
    /// ```
    #[must_use]
    pub fn of(interval: &Interval, expects: Expects, published: Option<f64>) -> Self {
        let (low, high) = (interval.low, interval.high);
        match (expects, published) {
            (Expects::Equal, _) => equal(low, high),
            (Expects::Slower, _) => sign(low, high),
            (Expects::Faster | Expects::Larger, _) => sign(1.0 / high, 1.0 / low),
            (Expects::Ratio, None) => Self::NotMeasured,
            // The same rule on the other side of 1.
            (Expects::Ratio, Some(ratio)) if ratio > 1.0 => {
                below(1.0 / high, 1.0 / low, 1.0 / ratio)
            }
            (Expects::Ratio, Some(ratio)) => below(low, high, ratio),
        }
    }
}

impl Verdict {
    /// What an interval says of a claim that something is *slightly* slower: that its ratio lies
    /// from `least` to 1. Slower by less than 3 % is slightly slower too, once the sign is shown;
    /// where the interval reaches below `least`, only the sign is.
    #[must_use]
    pub fn of_slightly(interval: &Interval, least: f64) -> Self {
        match Self::of(interval, Expects::Slower, None) {
            Self::Holds | Self::Weaker if interval.low >= least => Self::Holds,
            Self::Holds | Self::Weaker => Self::Weaker,
            verdict => verdict,
        }
    }
}

/// Whether a whole interval lies within a margin of 1, on a scale of ratios.
fn within(low: f64, high: f64, margin: f64) -> bool {
    low >= 1.0 / (1.0 + margin) && high <= 1.0 + margin
}

fn equal(low: f64, high: f64) -> Verdict {
    if within(low, high, MARGIN) {
        Verdict::Holds
    } else if low > 1.0 + MARGIN || high < 1.0 / (1.0 + MARGIN) {
        Verdict::Gone
    } else {
        Verdict::CantTell
    }
}

/// A claim that a ratio is below 1, by whatever.
fn sign(low: f64, high: f64) -> Verdict {
    if high < 1.0 {
        return if within(low, high, MARGIN) { Verdict::Weaker } else { Verdict::Holds };
    }
    other_sign(low, high, 1.0 / (1.0 + MARGIN / 2.0))
}

/// A claim of a published ratio below 1.
fn below(low: f64, high: f64, published: f64) -> Verdict {
    let reaches = published * (1.0 + MARGIN);
    if high < 1.0 {
        return if high <= reaches { Verdict::Holds } else { Verdict::Weaker };
    }
    other_sign(low, high, reaches)
}

/// Where the interval of a ratio that should be below 1 reaches 1; `claimed` is the ratio nearest
/// to 1 that would still be what was claimed.
fn other_sign(low: f64, high: f64, claimed: f64) -> Verdict {
    match (within(low, high, MARGIN), low > 1.0) {
        (true, true) => Verdict::Gone,
        (true, false) if low > claimed => Verdict::Gone,
        (false, true) => Verdict::Reversed,
        _ => Verdict::CantTell,
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
    fn a_ratio_is_judged_by_the_whole_interval() {
        let ratio = |low, high| of(low, high, Expects::Ratio, 0.9);
        assert_eq!(ratio(0.89, 0.91), Verdict::Holds);
        assert_eq!(ratio(0.90, 0.926), Verdict::Holds, "within 3 % of 0.9");
        assert_eq!(ratio(0.70, 0.75), Verdict::Holds, "a larger difference");
        assert_eq!(ratio(0.93, 0.99), Verdict::Weaker);
        assert_eq!(ratio(0.975, 0.99), Verdict::Weaker, "small, and of the published sign");
        assert_eq!(ratio(0.85, 0.95), Verdict::Weaker, "the sign is shown, the size is not");
        assert_eq!(ratio(0.975, 1.02), Verdict::Gone, "equal speeds");
        assert_eq!(ratio(1.005, 1.02), Verdict::Gone, "equal speeds");
        assert_eq!(ratio(0.93, 1.0), Verdict::CantTell);
        assert_eq!(ratio(0.93, 1.2), Verdict::CantTell);
        assert_eq!(ratio(0.5, 1.5), Verdict::CantTell, "an interval that says nothing");
        assert_eq!(ratio(1.1, 1.2), Verdict::Reversed);
        assert_eq!(ratio(1.001, 1.2), Verdict::Reversed);
    }

    #[test]
    fn noise_makes_no_verdict_better() {
        // The narrower interval is weaker; so is the wider one around it.
        for (low, high) in [(0.95, 0.97), (0.925, 0.995)] {
            assert_eq!(of(low, high, Expects::Ratio, 0.905), Verdict::Weaker, "{low} {high}");
        }
        // Published 0.960, measured 0.960, and no idea how exactly.
        assert_eq!(of(0.643, 1.434, Expects::Ratio, 0.9601), Verdict::CantTell);
        assert_eq!(of(0.031, 23.65, Expects::Equal, 0.996), Verdict::CantTell);
    }

    #[test]
    fn what_was_published_as_nearly_equal_is_not_refuted_by_what_holds_it() {
        let ratio = |low, high| of(low, high, Expects::Ratio, 0.96);
        assert_eq!(ratio(0.95, 0.985), Verdict::Holds);
        assert_eq!(ratio(0.975, 1.005), Verdict::CantTell, "0.96 within 3 % is in it");
        assert_eq!(ratio(0.992, 1.005), Verdict::Gone);
    }

    #[test]
    fn a_ratio_above_one_is_the_mirror_image() {
        let intervals = [(0.89, 0.91), (0.93, 0.99), (0.98, 0.99), (1.1, 1.2), (0.7, 0.75)];
        for (low, high) in intervals.into_iter().chain([(0.98, 1.02), (0.9, 1.1)]) {
            let here = of(low, high, Expects::Ratio, 0.9);
            assert_eq!(of(1.0 / high, 1.0 / low, Expects::Ratio, 1.0 / 0.9), here, "{low} {high}");
            let here = of(low, high, Expects::Slower, 0.9);
            assert_eq!(of(1.0 / high, 1.0 / low, Expects::Faster, 1.1), here, "{low} {high}");
            let here = of(low, high, Expects::Equal, 0.9);
            assert_eq!(of(1.0 / high, 1.0 / low, Expects::Equal, 0.9), here, "{low} {high}");
        }
    }

    #[test]
    fn a_sign_holds_weaker_where_the_difference_is_less_than_matters() {
        let slower = |low, high| of(low, high, Expects::Slower, 0.0);
        assert_eq!(slower(0.5, 0.999), Verdict::Holds);
        assert_eq!(slower(0.975, 0.995), Verdict::Weaker);
        assert_eq!(slower(0.99, 1.02), Verdict::Gone);
        assert_eq!(slower(1.002, 1.02), Verdict::Gone);
        assert_eq!(slower(0.975, 1.001), Verdict::CantTell, "2 % slower, or not at all");
        assert_eq!(slower(0.9, 1.1), Verdict::CantTell);
        assert_eq!(slower(1.02, 1.1), Verdict::Reversed);
    }

    #[test]
    fn slightly_slower_has_a_bound_on_either_side() {
        let slightly = |low, high| {
            Verdict::of_slightly(&Interval { ratio: f64::midpoint(low, high), low, high }, 0.8)
        };
        assert_eq!(slightly(0.85, 0.9), Verdict::Holds);
        assert_eq!(slightly(0.98, 0.99), Verdict::Holds, "the sign is shown");
        assert_eq!(slightly(0.3, 0.35), Verdict::Weaker, "a third is not slightly slower");
        assert_eq!(slightly(0.75, 0.9), Verdict::Weaker, "perhaps by more");
        assert_eq!(slightly(0.98, 1.01), Verdict::CantTell);
        assert_eq!(slightly(0.99, 1.02), Verdict::Gone);
        assert_eq!(slightly(1.1, 1.2), Verdict::Reversed);
    }

    #[test]
    fn equality_is_shown_only_by_a_narrow_interval() {
        let equal = |low, high| of(low, high, Expects::Equal, 0.99);
        assert_eq!(equal(0.98, 1.02), Verdict::Holds);
        assert_eq!(equal(0.98, 0.99), Verdict::Holds, "different, and by less than matters");
        assert_eq!(equal(0.90, 1.02), Verdict::CantTell);
        assert_eq!(equal(0.5, 2.0), Verdict::CantTell);
        assert_eq!(equal(0.9, 0.98), Verdict::CantTell, "across the border");
        assert_eq!(equal(1.04, 1.1), Verdict::Gone);
        assert_eq!(equal(0.9, 0.96), Verdict::Gone);
    }

    #[test]
    fn verdicts_have_names_of_their_own() {
        let names = Verdict::ALL.map(Verdict::name);
        assert_eq!(
            names,
            [
                "holds",
                "holds weaker",
                "no longer holds",
                "reversed",
                "can't tell here",
                "not measured"
            ]
        );
    }
}
