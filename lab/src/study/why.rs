//! Remarks *why*: what makes a figure what it is, in words that were written for other figures
//! than those of this run, and so are printed only where a ratio of this run supports them.

use serde::Deserialize;

use super::pick::Pick;
use super::text::{Lang, Text};
use crate::stats::Interval;

/// A remark and the ratio that it rests on. In a study file:
/// `why = [{ text = { en = "…", zh = "…" }, pick = { level = "unrolled" },
/// over = { level = "loop" }, at_most = 1.05 }]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Why {
    /// The words.
    pub text: Text,
    /// The row whose speed it is about; gaps are filled from line and sheet.
    pub pick: Pick,
    /// The row whose speed counts as 1; gaps are filled likewise.
    pub over: Pick,
    /// The least ratio that bears the words out.
    pub at_least: Option<f64>,
    /// The greatest.
    pub at_most: Option<f64>,
}

impl Why {
    /// The remark with the gaps of its picks filled from one below them.
    #[must_use]
    pub(super) fn filled(&self, below: &Pick) -> Self {
        Self { pick: self.pick.or(below), over: self.over.or(below), ..self.clone() }
    }

    /// Whether the whole interval of the measured ratio lies where the words are true.
    #[must_use]
    pub fn is_borne_out(&self, measured: &Interval) -> bool {
        self.at_least.is_none_or(|least| measured.low >= least)
            && self.at_most.is_none_or(|most| measured.high <= most)
    }

    /// The words with the ratio that they rest on.
    #[must_use]
    pub fn with(&self, measured: &Interval) -> Text {
        let Interval { ratio, low, high } = measured;
        let (pick, over) = (self.pick.label(), self.over.label());
        Text::new(
            format!(
                "{} (it rests on the speed of {pick}: {ratio:.3}, {low:.3} to {high:.3}, where \
                 {over} has 1)",
                self.text.of(Lang::En)
            ),
            format!(
                "{}（依据：{pick} 的速度为 {over} 的 {ratio:.3} 倍，{low:.3} 至 {high:.3}）",
                self.text.of(Lang::Zh)
            ),
        )
    }

    /// Refuses what no ratio could support, or every ratio would.
    pub(super) fn check(&self) -> Result<(), String> {
        let (least, most) = (self.at_least, self.at_most);
        for bound in [least, most].into_iter().flatten() {
            if !(bound.is_finite() && bound > 0.0) {
                return Err(format!("`why` has the bound `{bound}`; allowed: above 0"));
            }
        }
        match (least, most) {
            (None, None) => Err("`why` needs `at_least` or `at_most`".to_owned()),
            (Some(least), Some(most)) if least >= most => {
                Err(format!("`why` is at least {least} and at most {most}: nothing is"))
            }
            _ if self.pick == self.over => Err("`why` sets a row against itself".to_owned()),
            _ => {
                let operation = |pick: &Pick| pick.operations().map(drop);
                [&self.pick, &self.over]
                    .into_iter()
                    .try_for_each(operation)
                    .map_err(|error| format!("`why`: {error}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(bounds: &str) -> Why {
        let text = format!(
            "text = {{ en = \"jumps are free\", zh = \"跳转无代价\" }}\n{bounds}\n\
             pick = {{ level = \"unrolled\" }}\nover = {{ level = \"loop\" }}"
        );
        let below = Pick { what: Some("toy/ctr".to_owned()), ..Pick::default() };
        toml::from_str::<Why>(&text).expect("a remark").filled(&below)
    }

    #[test]
    fn words_need_the_whole_interval() {
        let interval = |low, high| Interval { ratio: f64::midpoint(low, high), low, high };
        let most = why("at_most = 1.05");
        assert!(most.is_borne_out(&interval(0.98, 1.05)) && most.check().is_ok());
        assert!(!most.is_borne_out(&interval(0.98, 1.06)), "noise bears nothing out");
        let least = why("at_least = 1.05");
        assert!(least.is_borne_out(&interval(1.06, 1.3)));
        assert!(!least.is_borne_out(&interval(1.04, 1.3)));
        let text = most.with(&interval(1.0, 1.02));
        assert_eq!(
            text.of(Lang::En),
            "jumps are free (it rests on the speed of unrolled toy/ctr: 1.010, 1.000 to 1.020, \
             where loop toy/ctr has 1)"
        );
        assert!(text.of(Lang::Zh).contains("loop toy/ctr 的 1.010 倍，1.000 至 1.020"));
    }

    #[test]
    fn words_that_rest_on_nothing_are_refused() {
        for (bounds, expected) in [
            ("", "needs `at_least` or `at_most`"),
            ("at_least = 1.1\nat_most = 1.0", "nothing is"),
            ("at_most = -1.0", "allowed: above 0"),
        ] {
            let error = why(bounds).check().expect_err(bounds);
            assert!(error.contains(expected), "{error}");
        }
        let same = Why { over: why("at_most = 1.0").pick, ..why("at_most = 1.0") };
        assert!(same.check().expect_err("itself").contains("against itself"));
        let nameless = Pick { level: Some("loop".to_owned()), ..Pick::default() };
        let error = Why { over: nameless, ..why("at_most = 1.0") }.check().expect_err("nameless");
        assert!(error.starts_with("`why`: "), "{error}");
    }
}
