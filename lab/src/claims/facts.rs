//! Claims about facts: sizes, counts, and the samples of a profiler.

use super::{blank, round, verdict};
use crate::record::{ClaimRecord, Fact};
use crate::stats::Interval;
use crate::study::{Claim, Divisor, Facts, Rule};

/// What became of a claim about two facts.
pub(super) fn record(claim: &Claim, pair: &Facts, facts: &[Fact]) -> ClaimRecord {
    let published = claim.published(0);
    let named = |name: &Option<String>| name.clone().unwrap_or_else(|| "-".to_owned());
    let (engine, level) = (named(&claim.over.engine), named(&claim.over.level));
    let base = ClaimRecord {
        numerator: pair.by.to_string(),
        denominator: pair.of.clone(),
        ..blank(claim, (&engine, &level), &[], published)
    };
    let by = match &pair.by {
        Divisor::Fact(name) => value(name, facts),
        Divisor::Number(number) => Ok(*number),
    };
    match value(&pair.of, facts).and_then(|of| interval(of, by?, claim.rule)) {
        Err(why) => ClaimRecord { remark: why, ..base },
        Ok(interval) => ClaimRecord {
            ratio: Some(round(interval.ratio)),
            low: Some(round(interval.low)),
            high: Some(round(interval.high)),
            verdict: verdict(&interval, claim, published).name().to_owned(),
            ..base
        },
    }
}

/// The value of a fact, or why there is none.
fn value(name: &str, facts: &[Fact]) -> Result<f64, String> {
    let fact = facts.iter().find(|fact| fact.name == name);
    let fact = fact.ok_or_else(|| "not found out in this run".to_owned())?;
    fact.value.ok_or_else(|| match fact.remark.as_str() {
        "" => format!("{name} is no figure"),
        why => why.to_owned(),
    })
}

/// The ratio of two facts; of numbers of samples with the 95 % interval of two counts, each of
/// which a repetition would scatter by its square root.
fn interval(of: f64, by: f64, rule: Rule) -> Result<Interval, String> {
    if rule == Rule::Samples {
        // No sample at all says that half of one is to be expected.
        let (of, by) = (of.max(0.5), by.max(0.5));
        let (ratio, width) = (of / by, (1.96 * (1.0 / of + 1.0 / by).sqrt()).exp());
        return Ok(Interval { ratio, low: ratio / width, high: ratio * width });
    }
    let ratio = of / by;
    if !(ratio.is_finite() && ratio > 0.0) {
        return Err("a row has no samples".to_owned());
    }
    Ok(Interval { ratio, low: ratio, high: ratio })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::judge;
    use crate::study::Study;

    const STUDY: &str = r#"
title = "Toy"
[[select]]
what = ["toy/ctr"]

[[claim]]
name = "share"
statement = "most of the time goes to tau"
over = { engine = "toy", level = "low" }
fact = "profile/tau"
over_fact = "profile/rest"
rule = "samples"
expects = "ratio"
published = 2.0

[[claim]]
name = "words"
statement = "two words more"
fact = "words"
over_number = 2
rule = "facts"
expects = "equal"

[[claim]]
name = "length"
statement = "longer"
fact = "unrolled"
over_fact = "loop"
rule = "facts"
expects = "larger"
"#;

    fn judged(facts: &[(&str, f64)]) -> Vec<(String, Option<f64>)> {
        let claims = Study::from_toml(STUDY).expect("a study").claims;
        let facts: Vec<Fact> =
            facts.iter().map(|(name, value)| Fact::figure(*name, *value)).collect();
        let records = judge(&claims, &[], &facts);
        records.into_iter().map(|it| (it.verdict, it.ratio)).collect()
    }

    #[test]
    fn facts_are_divided_and_judged() {
        let here = [("profile/tau", 50.0), ("profile/rest", 120.0)];
        let there = [("words", 2.0), ("unrolled", 3000.0), ("loop", 1000.0)];
        let verdicts = judged(&[&here[..], &there[..]].concat());
        let names: Vec<&str> = verdicts.iter().map(|it| it.0.as_str()).collect();
        assert_eq!(names, ["reversed", "holds", "holds"]);
        assert_eq!(verdicts[2].1, Some(3.0));
    }

    #[test]
    fn few_samples_say_little() {
        let share = |tau: f64, rest: f64| {
            judged(&[("profile/tau", tau), ("profile/rest", rest)]).remove(0).0
        };
        assert_eq!(share(20_000.0, 10_000.0), "holds");
        assert_eq!(share(2000.0, 1000.0), "holds weaker", "the size is not shown");
        assert_eq!(share(6.0, 5.0), "can't tell here");
        assert_eq!(share(0.0, 1000.0), "reversed");
    }

    #[test]
    fn another_number_of_words_is_no_longer_what_was_said() {
        assert_eq!(judged(&[("words", 3.0)])[1].0, "no longer holds");
    }

    #[test]
    fn a_fact_without_a_figure_tells_why() {
        let claims = Study::from_toml(STUDY).expect("a study").claims;
        let facts = [Fact::unknown("profile/tau", "`gprof` is not on the PATH")];
        let records = judge(&claims, &[], &facts);
        assert_eq!(records[0].remark, "`gprof` is not on the PATH");
        assert_eq!((records[0].engine.as_str(), records[0].level.as_str()), ("toy", "low"));
        assert_eq!(records[1].remark, "not found out in this run");
        assert!(records.iter().all(|it| it.verdict == "not measured" && it.sizes.is_empty()));
        assert_eq!(
            (records[0].numerator.as_str(), records[0].denominator.as_str()),
            ("profile/rest", "profile/tau")
        );
    }
}
