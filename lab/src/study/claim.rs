//! Claims: what a published study says of two operations, as data of a study.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::pick::Pick;
use super::selection::{Selection, checked_sizes};
use super::text::Text;
use crate::{LabError, Model};

/// A published statement about the times of two rows, to be measured anew.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// Its short name, e.g. `mac32`.
    pub name: String,
    /// What is claimed, in a sentence.
    pub statement: Text,
    /// Where it stands, e.g. `table 6`.
    pub stands: Text,
    /// The rows whose times are divided. Where it names no engine or level, the claim is judged
    /// for each that measured it.
    pub over: Pick,
    /// The rows by whose times they are divided: the ratio is the speed of these, that of
    /// `over` being 1. Engine and level are those of `over` unless it names its own.
    pub row: Pick,
    /// The model of both.
    pub model: Model,
    /// The message lengths in bytes.
    pub sizes: Vec<u64>,
    /// How a ratio is made of the lengths.
    pub rule: Rule,
    /// What must be true of the ratio.
    pub expects: Expects,
    /// The fewest CPUs of a machine that can judge it, where it is about so many threads.
    pub cpus: Option<u32>,
    /// Where *slower* was said to be slight: the least ratio that still is.
    pub at_least: Option<f64>,
    /// The facts that are divided, where it is about no times.
    pub facts: Option<Facts>,
    /// Why no measurement can judge it; then all else is without meaning.
    pub reason: Option<Text>,
    published: Published,
}

/// The facts of a claim, by their names.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// The one that is divided.
    pub of: String,
    /// What it is divided by.
    pub by: Divisor,
}

/// What a fact is divided by.
#[derive(Clone, Debug, PartialEq)]
pub enum Divisor {
    /// Another fact.
    Fact(String),
    /// A number that the publication names.
    Number(f64),
}

impl fmt::Display for Divisor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fact(name) => f.write_str(name),
            Self::Number(number) => write!(f, "{number}"),
        }
    }
}

/// How the ratio of a claim is made of its lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// One ratio: the sum of the times of a message of each length, by the other such sum.
    RatioOfSums,
    /// A ratio for each length.
    PerSize,
    /// The ratio of two facts, which are what they are.
    Facts,
    /// That of two numbers of samples of a profiler, with the chance in them.
    Samples,
}

impl Rule {
    /// Whether it is about facts instead of times.
    #[must_use]
    pub const fn is_of_facts(self) -> bool {
        matches!(self, Self::Facts | Self::Samples)
    }
}

/// What a claim says of its ratio.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expects {
    /// The speeds differ, by the published ratio.
    Ratio,
    /// The speeds are equal.
    Equal,
    /// The speed of `row` is above that of `over`, by whatever.
    Faster,
    /// It is below.
    Slower,
    /// A fact is above the other, by whatever.
    Larger,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RatioOfSums => "ratio of sums",
            Self::PerSize => "per size",
            Self::Facts => "facts",
            Self::Samples => "samples",
        })
    }
}

/// The published ratios.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
enum Published {
    One(f64),
    BySize(BTreeMap<String, f64>),
}

/// `[[claim]]`, as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileClaim {
    name: String,
    statement: Text,
    #[serde(default)]
    stands: Option<Text>,
    numerator: Option<String>,
    denominator: Option<String>,
    over: Option<Pick>,
    row: Option<Pick>,
    model: Option<Model>,
    #[serde(default)]
    sizes: Vec<u64>,
    rule: Option<Rule>,
    expects: Option<Expects>,
    published: Option<Published>,
    cpus: Option<u32>,
    at_least: Option<f64>,
    fact: Option<String>,
    over_fact: Option<String>,
    over_number: Option<f64>,
    reason: Option<Text>,
}

impl Claim {
    /// The published ratio at these lengths; some statements have none of their own.
    #[must_use]
    pub fn published(&self, size: u64) -> Option<f64> {
        match &self.published {
            Published::One(ratio) => Some(*ratio),
            Published::BySize(ratios) => ratios.get(&size.to_string()).copied(),
        }
    }

    /// Takes a claim from a study file, whose selections must measure what it is about.
    pub(super) fn from_file(file: FileClaim, selections: &[Selection]) -> Result<Self, LabError> {
        let name = file.name.clone();
        let wrong = |why: String| LabError::Study { why: format!("claim `{name}`: {why}") };
        let published = file.published.unwrap_or(Published::BySize(BTreeMap::new()));
        let by = match (file.over_fact, file.over_number) {
            (Some(name), None) => Some(Divisor::Fact(name)),
            (None, Some(number)) => Some(Divisor::Number(number)),
            _ => None,
        };
        let base = Self {
            name: name.clone(),
            statement: file.statement,
            stands: file.stands.unwrap_or_else(|| "".into()),
            over: side(file.over, file.numerator),
            row: side(file.row, file.denominator),
            model: file.model.unwrap_or(Model::Message),
            sizes: match file.model {
                // A set-up has no length; its one figure goes by 0.
                Some(model) if model.is_setup() && file.sizes.is_empty() => vec![0],
                _ => checked_sizes(Some(file.sizes))?,
            },
            rule: file.rule.unwrap_or(Rule::PerSize),
            expects: file.expects.unwrap_or(Expects::Ratio),
            cpus: file.cpus,
            at_least: file.at_least,
            facts: file.fact.zip(by).map(|(of, by)| Facts { of, by }),
            reason: file.reason,
            published,
        };
        if base.reason.is_some() {
            return Ok(base);
        }
        if let Some(least) = base.at_least
            && !(base.expects == Expects::Slower && least > 0.0 && least < 1.0)
        {
            return Err(wrong(format!("at_least is `{least}`; allowed: 0 to 1, of `slower`")));
        }
        if base.facts.is_some() || base.rule.is_of_facts() {
            return base.of_facts(file.expects.is_some()).map_err(wrong);
        }
        let claim = Self { row: base.row.or(&base.over), ..base };
        for pick in [&claim.over, &claim.row] {
            let text = pick.what.clone().unwrap_or_default();
            pick.operations()
                .map_err(|_| wrong(format!("`{text}` names no operation, e.g. zuc-128/eia3")))?;
        }
        for (lacks, field) in [
            (file.model.is_none(), "model"),
            (file.rule.is_none(), "rule"),
            (file.expects.is_none(), "expects"),
        ] {
            if lacks {
                return Err(wrong(format!("it needs `{field}`")));
            }
        }
        if claim.sizes.is_empty() || claim.model.is_setup() != (claim.sizes == [0]) {
            return Err(wrong("it needs `sizes`, and init and key need none".to_owned()));
        }
        match (&claim.published, claim.rule) {
            (Published::One(_), Rule::RatioOfSums) | (Published::BySize(_), Rule::PerSize) => {}
            (Published::BySize(ratios), _) if ratios.is_empty() => {}
            (Published::One(_), _) => {
                return Err(wrong("`published` is one number; allowed: one a size".to_owned()));
            }
            _ => return Err(wrong("`published` is a table; allowed: one number".to_owned())),
        }
        claim.check_published().and_then(|()| claim.check_measured(selections)).map_err(wrong)?;
        Ok(claim)
    }

    /// A claim about facts, which has no model and no lengths.
    fn of_facts(self, expects: bool) -> Result<Self, String> {
        if !self.rule.is_of_facts() || self.facts.is_none() {
            let needs =
                "`fact` and one of `over_fact`, `over_number` go with rule facts or samples";
            return Err(needs.to_owned());
        }
        if !expects || matches!(self.expects, Expects::Faster | Expects::Slower) {
            return Err("it needs `expects`, and facts are no times".to_owned());
        }
        if !matches!(self.published, Published::One(_)) && self.expects == Expects::Ratio {
            return Err("it expects a ratio: `published` must be one number".to_owned());
        }
        let claim = Self { sizes: vec![0], ..self };
        claim.check_published().map(|()| claim)
    }

    fn check_published(&self) -> Result<(), String> {
        let ratios: Vec<f64> = match &self.published {
            Published::One(ratio) => vec![*ratio],
            Published::BySize(ratios) => {
                let known = |text: &String| self.sizes.iter().any(|size| size.to_string() == *text);
                if let Some(size) = ratios.keys().find(|text| !known(text)) {
                    return Err(format!("`published` has size {size}, `sizes` has not"));
                }
                ratios.values().copied().collect()
            }
        };
        if let Some(ratio) = ratios.iter().find(|ratio| !(ratio.is_finite() && **ratio > 0.0)) {
            return Err(format!("published is `{ratio}`; allowed: above 0"));
        }
        if self.expects == Expects::Ratio {
            let lacks = self.sizes.iter().find(|size| self.published(**size).is_none());
            if let Some(size) = lacks {
                return Err(format!("`published` lacks {size} B, and it expects a ratio"));
            }
            if ratios.contains(&1.0) {
                return Err("published is `1`; say expects = \"equal\"".to_owned());
            }
        }
        Ok(())
    }

    fn check_measured(&self, selections: &[Selection]) -> Result<(), String> {
        let seconds = [self.over.second(), self.row.second()];
        for side in [&self.over, &self.row].into_iter().chain(seconds.iter().flatten()) {
            for size in &self.sizes {
                if !selections.iter().any(|it| it.measures(side, self.model, *size)) {
                    let (model, what) = (self.model, side.what.clone().unwrap_or_default());
                    return Err(format!("no [[select]] measures {what} {model} {size} B"));
                }
            }
        }
        Ok(())
    }
}

/// One side of a claim: a pick, or an operation alone.
fn side(pick: Option<Pick>, what: Option<String>) -> Pick {
    let pick = pick.unwrap_or_default();
    pick.or(&Pick { what, ..Pick::default() })
}

#[cfg(test)]
mod tests {
    use crate::study::Study;

    const SELECT: &str = "title = \"x\"\n[[select]]\nwhat = [\"toy/a\", \"toy/b\"]\n\
                          models = [\"packet\"]\nsizes = [16, 40]\n";
    const CLAIM: &str = "[[claim]]\nname = \"n\"\nstatement = \"s\"\nstands = \"table 1\"\n\
                         numerator = \"toy/a\"\ndenominator = \"toy/b\"\nmodel = \"packet\"\n\
                         sizes = [16, 40]\nrule = \"ratio-of-sums\"\nexpects = \"ratio\"\n\
                         published = 0.9\n";

    #[test]
    fn a_claim_is_read() {
        let study = Study::from_toml(&format!("{SELECT}{CLAIM}")).expect("a study");
        let [claim] = study.claims.as_slice() else { panic!("{:?}", study.claims) };
        assert_eq!((claim.name.as_str(), claim.published(16)), ("n", Some(0.9)));
        let text = format!("{SELECT}{CLAIM}")
            .replace("ratio-of-sums", "per-size")
            .replace("\"ratio\"", "\"equal\"")
            .replace("0.9", "{ 16 = 0.98 }");
        let study = Study::from_toml(&text).expect("a study");
        let published = |size| study.claims[0].published(size);
        assert_eq!((published(16), published(40)), (Some(0.98), None));
    }

    #[test]
    fn a_claim_that_cannot_be_judged_is_refused() {
        for (from, to, expected) in [
            ("\"toy/b\"\nmodel", "\"toy/c\"\nmodel", "measures toy/c packet 16 B"),
            ("\"toy/b\"\nmodel", "\"toy\"\nmodel", "`toy` names no operation"),
            ("model = \"packet\"", "model = \"message\"", "measures toy/a message 16 B"),
            ("model = \"packet\"", "model = \"init\"", "init and key need none"),
            ("sizes = [16, 40]\nrule", "sizes = [16, 64]\nrule", "measures toy/a packet 64 B"),
            ("sizes = [16, 40]\nrule", "sizes = []\nrule", "needs `sizes`"),
            ("ratio-of-sums", "per-size", "allowed: one a size"),
            ("ratio-of-sums", "mean", "unknown variant `mean`"),
            ("0.9", "{ 16 = 0.9 }", "allowed: one number"),
            ("0.9", "-1", "published is `-1`"),
            ("0.9", "1.0", "expects = \"equal\""),
            ("published = 0.9", "", "`published` lacks 16 B"),
            ("published", "publisht", "unknown field `publisht`"),
        ] {
            let claim = CLAIM.replace(from, to);
            assert_ne!(claim, CLAIM, "{from}");
            let error = Study::from_toml(&format!("{SELECT}{claim}")).expect_err(to).to_string();
            assert!(error.contains(expected) && !error.contains('\n'), "{to}: {error}");
        }
        let slight = CLAIM.replace("\"ratio\"\npublished = 0.9", "\"slower\"\nat_least = 1.5");
        let error = Study::from_toml(&format!("{SELECT}{slight}")).expect_err("1.5").to_string();
        assert!(error.contains("allowed: 0 to 1"), "{error}");
        let twice = Study::from_toml(&format!("{SELECT}{CLAIM}{CLAIM}")).expect_err("twice");
        assert!(twice.to_string().contains("two claims are called `n`"), "{twice}");
    }

    #[test]
    fn a_claim_about_facts_names_both_and_no_lengths() {
        const FACTS: &str = "[[claim]]\nname = \"n\"\nstatement = \"s\"\nrule = \"facts\"\n\
                             fact = \"a/b\"\nover_fact = \"a/c\"\nexpects = \"larger\"\n";
        let study = |text: &str| Study::from_toml(&format!("{SELECT}{text}"));
        let claim = study(FACTS).expect("a study").claims.remove(0);
        let facts = claim.facts.expect("facts");
        assert_eq!((facts.of.as_str(), facts.by.to_string().as_str()), ("a/b", "a/c"));
        for (from, to, expected) in [
            ("over_fact = \"a/c\"\n", "", "`over_fact`, `over_number` go with"),
            ("\"facts\"", "\"per-size\"", "go with rule facts or samples"),
            ("\"larger\"", "\"slower\"", "facts are no times"),
            ("\"larger\"", "\"ratio\"", "must be one number"),
        ] {
            let error = study(&FACTS.replace(from, to)).expect_err(to).to_string();
            assert!(error.contains(expected) && !error.contains('\n'), "{to}: {error}");
        }
    }
}
