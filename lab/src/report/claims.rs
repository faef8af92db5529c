//! Published claims beside what was measured of them: made once, printed in the terminal and
//! on the page.

use serde::Serialize;

use super::figure;
use super::headline::packets;
use crate::claims::Verdict;
use crate::record::{ClaimRecord, Results};
use crate::study::Rule;

/// One claim and its lines.
#[derive(Debug, Serialize)]
pub(super) struct Group {
    /// The short name.
    pub(super) name: String,
    /// The claim in a sentence, and where it stands.
    pub(super) statement: String,
    /// What the figures are.
    pub(super) measure: String,
    /// One for each engine, level and length.
    pub(super) lines: Vec<Line>,
    /// Footnotes, to which lines point.
    pub(super) notes: Vec<String>,
}

/// One ratio.
#[derive(Debug, Serialize)]
pub(super) struct Line {
    pub(super) engine: String,
    pub(super) level: String,
    /// `"16 B"`, or how many lengths were summed.
    pub(super) size: String,
    pub(super) published: String,
    pub(super) measured: String,
    pub(super) interval: String,
    pub(super) verdict: String,
    /// The number of its footnote, from 1.
    pub(super) note: Option<usize>,
}

/// The claims in the order of the study.
pub(super) fn groups(results: &Results) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for claim in &results.claims {
        let group = match groups.iter_mut().position(|group| group.name == claim.name) {
            Some(place) => &mut groups[place],
            None => {
                groups.push(group(claim));
                let last = groups.len() - 1;
                &mut groups[last]
            }
        };
        let note = (!claim.remark.is_empty()).then(|| {
            let known = group.notes.iter().position(|note| *note == claim.remark);
            known.unwrap_or_else(|| {
                group.notes.push(claim.remark.clone());
                group.notes.len() - 1
            }) + 1
        });
        group.lines.push(line(claim, note));
    }
    groups
}

fn group(claim: &ClaimRecord) -> Group {
    let ClaimRecord { numerator, denominator, .. } = claim;
    Group {
        name: claim.name.clone(),
        statement: format!("{} ({})", claim.statement, claim.stands),
        measure: match claim.rule {
            Rule::Facts | Rule::Samples => format!("{denominator} where {numerator} is 1"),
            Rule::RatioOfSums => format!(
                "speed of {denominator} where {numerator} has 1, {}, as the ratio of the times' sums",
                packets(&claim.model)
            ),
            Rule::PerSize => {
                format!("speed of {denominator} where {numerator} has 1, {}", packets(&claim.model))
            }
        },
        lines: Vec::new(),
        notes: Vec::new(),
    }
}

fn line(claim: &ClaimRecord, note: Option<usize>) -> Line {
    let ratio = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.3}"));
    Line {
        engine: claim.engine.clone(),
        level: claim.level.clone(),
        size: match claim.sizes.as_slice() {
            [size] => figure::size_label(*size),
            [] => "–".to_owned(),
            sizes => format!("{} sizes", sizes.len()),
        },
        published: ratio(claim.published),
        measured: ratio(claim.ratio),
        interval: match (claim.low, claim.high) {
            (Some(low), Some(high)) => format!("{low:.3} to {high:.3}"),
            _ => "–".to_owned(),
        },
        verdict: claim.verdict.clone(),
        note,
    }
}

/// How many claims hold, in a sentence for each engine and level.
pub(super) fn summary(results: &Results) -> Vec<String> {
    let mut places: Vec<(&str, &str)> = Vec::new();
    for claim in &results.claims {
        let place = (claim.engine.as_str(), claim.level.as_str());
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let sentence = |(engine, level): (&str, &str)| {
        let mut of_place = Vec::new();
        for rule in [Rule::RatioOfSums, Rule::PerSize, Rule::Facts, Rule::Samples] {
            let claims: Vec<&ClaimRecord> = results
                .claims
                .iter()
                .filter(|it| (it.engine.as_str(), it.level.as_str()) == (engine, level))
                .filter(|it| it.rule == rule)
                .collect();
            if claims.is_empty() {
                continue;
            }
            let counts: Vec<String> = Verdict::ALL
                .into_iter()
                .map(|verdict| {
                    let of = claims.iter().filter(|claim| claim.verdict == verdict.name());
                    (verdict, of.count())
                })
                // The five are told though they be none; what was not measured is no verdict.
                .filter(|(verdict, count)| *verdict != Verdict::NotMeasured || *count > 0)
                .map(|(verdict, count)| format!("{}: {count}", verdict.short()))
                .collect();
            of_place.push(format!("{rule}, {}", counts.join(", ")));
        }
        format!("Claims at {engine} {level}: {}.", of_place.join("; "))
    };
    places.into_iter().map(sentence).collect()
}
