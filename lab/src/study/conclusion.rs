//! Conclusions: what a reader takes from a published study, each over one or several claims. A
//! conclusion is a card of the report.

use serde::Deserialize;

use super::claim::Claim;
use super::text::Text;
use crate::LabError;

/// `[[conclusion]]` of a study file.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conclusion {
    /// Its name, by which links find it.
    pub id: String,
    /// What was concluded, in a sentence.
    pub title: Text,
    /// The names of the claims that its picture shows and its verdict is of.
    pub claims: Vec<Shown>,
    /// The names of those that stand in its table alone.
    #[serde(default)]
    pub folded: Vec<String>,
    /// The engines whose lines are shown; else the library at the level that a caller gets, or the
    /// first engine that has any.
    #[serde(default)]
    pub engines: Vec<String>,
    /// The reason that the study gives, or what differs here: nothing that a figure of a run could
    /// refute.
    pub because: Text,
}

/// A claim of the picture: in a study file its name, or `{ claim = …, label = … }`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(from = "Written")]
pub struct Shown {
    /// The claim.
    pub claim: String,
    /// What its line is called; nothing where its length says it.
    pub label: Text,
}

/// As written.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected the name of a claim, or { claim = name, label = words }")]
enum Written {
    Name(String),
    Labelled { claim: String, label: Text },
}

impl From<Written> for Shown {
    fn from(written: Written) -> Self {
        match written {
            Written::Name(claim) => Self { claim, label: "".into() },
            Written::Labelled { claim, label } => Self { claim, label },
        }
    }
}

impl Conclusion {
    /// All its claims.
    pub fn all(&self) -> impl Iterator<Item = &String> {
        self.claims.iter().map(|shown| &shown.claim).chain(&self.folded)
    }

    /// Refuses a card without claims, and one of claims that there are not.
    pub(super) fn check(&self, claims: &[Claim]) -> Result<(), LabError> {
        let wrong =
            |why: String| LabError::Study { why: format!("conclusion `{}`: {why}", self.id) };
        if self.claims.is_empty() {
            return Err(wrong("it needs `claims`".to_owned()));
        }
        match self.all().find(|name| !claims.iter().any(|claim| claim.name == **name)) {
            Some(name) => Err(wrong(format!("no claim is called `{name}`"))),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::study::Study;

    const STUDY: &str = "title = \"x\"\n[[select]]\nwhat = [\"toy/a\"]\n[[claim]]\nname = \"n\"\n\
                         statement = \"s\"\nreason = \"r\"\n[[conclusion]]\nid = \"c\"\n\
                         title = \"t\"\nclaims = [\"n\"]\nbecause = \"b\"\n";

    #[test]
    fn a_conclusion_is_over_claims_that_there_are() {
        assert_eq!(Study::from_toml(STUDY).expect("a study").conclusions.len(), 1);
        for (from, to, why) in [
            ("claims = [\"n\"]", "claims = [\"m\"]", "no claim is called `m`"),
            ("claims = [\"n\"]", "claims = []", "it needs `claims`"),
            ("because", "becose", "unknown field `becose`"),
            ("because = \"b\"\n", "because = \"b\"\nfolded = [\"n\"]\n", "claim `n` stands on two"),
        ] {
            let error = Study::from_toml(&STUDY.replace(from, to)).expect_err(to).to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
