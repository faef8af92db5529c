//! Published claims held against the rows of a run.

mod verdict;

use crate::Model;
use crate::record::{ClaimRecord, Row};
use crate::stats::{Interval, sums_interval};
use crate::study::{Claim, Expects, Filter, Rule};

pub use verdict::{MARGIN, Verdict};

/// Judges every claim for each engine and level that has rows of it, in the order of the rows:
/// one record for a ratio of sums, one for each length otherwise. A claim of which nothing was
/// measured has records that say so.
#[must_use]
pub fn judge(claims: &[Claim], rows: &[Row]) -> Vec<ClaimRecord> {
    let mut records = Vec::new();
    for claim in claims {
        for (engine, level) in measured_by(claim, rows) {
            let rows: Vec<&Row> =
                rows.iter().filter(|row| row.engine == engine && row.level == level).collect();
            let mut one = |sizes: &[u64], published| {
                records.push(record(claim, (engine, level), &rows, sizes, published));
            };
            match claim.rule {
                Rule::RatioOfSums => one(&claim.sizes, claim.published(0)),
                Rule::PerSize => {
                    claim.sizes.iter().for_each(|&size| one(&[size], claim.published(size)));
                }
            }
        }
    }
    records
}

/// The engines and levels that measured either side of a claim.
fn measured_by<'r>(claim: &Claim, rows: &'r [Row]) -> Vec<(&'r str, &'r str)> {
    let mut found = Vec::new();
    for row in rows {
        let of_claim =
            is(row, &claim.numerator, claim.model) || is(row, &claim.denominator, claim.model);
        let place = (row.engine.as_str(), row.level.as_str());
        if of_claim && !found.contains(&place) {
            found.push(place);
        }
    }
    if found.is_empty() { vec![("-", "-")] } else { found }
}

fn is(row: &Row, side: &Filter, model: Model) -> bool {
    side.selects(&row.algorithm, &row.operation) && row.model == model.name()
}

fn record(
    claim: &Claim,
    (engine, level): (&str, &str),
    rows: &[&Row],
    sizes: &[u64],
    published: Option<f64>,
) -> ClaimRecord {
    let pairs: Result<Vec<(&Row, &Row)>, String> =
        sizes.iter().map(|&size| pair(claim, rows, size)).collect();
    let judged = pairs.and_then(|pairs| {
        let (above, below): (Vec<&Row>, Vec<&Row>) = pairs.into_iter().unzip();
        let interval = sums_interval(&passes(&above), &passes(&below));
        let interval = interval.ok_or_else(|| "a row has no samples".to_owned())?;
        Ok((interval, [above, below].concat()))
    });
    let base = ClaimRecord {
        name: claim.name.clone(),
        statement: claim.statement.clone(),
        stands: claim.stands.clone(),
        numerator: claim.numerator.to_string(),
        denominator: claim.denominator.to_string(),
        model: claim.model.name().to_owned(),
        sizes: sizes.to_vec(),
        rule: claim.rule,
        expects: claim.expects,
        engine: engine.to_owned(),
        level: level.to_owned(),
        published,
        ratio: None,
        low: None,
        high: None,
        verdict: Verdict::NotMeasured.name().to_owned(),
        remark: String::new(),
    };
    match judged {
        Err(why) => ClaimRecord { remark: why, ..base },
        Ok((interval, rows)) => ClaimRecord {
            ratio: Some(round(interval.ratio)),
            low: Some(round(interval.low)),
            high: Some(round(interval.high)),
            verdict: Verdict::of(&interval, claim.expects, published).name().to_owned(),
            remark: remark(&interval, claim.expects, published, &rows),
            ..base
        },
    }
}

/// The two rows of a length, which must have been measured alike.
fn pair<'r>(claim: &Claim, rows: &[&'r Row], size: u64) -> Result<(&'r Row, &'r Row), String> {
    let side = |filter: &Filter, beside: Option<&Row>| {
        let alike = |row: &&&Row| {
            is(row, filter, claim.model)
                && row.size == size
                && beside.is_none_or(|it| {
                    it.messages == row.messages
                        && it.keys == row.keys
                        && it.mix == row.mix
                        && it.threads == row.threads
                        && it.placement == row.placement
                        && it.clock == row.clock
                })
        };
        let found = rows.iter().find(alike).copied();
        found.ok_or_else(|| format!("{filter} {} {size} B has no figure", claim.model))
    };
    let above = side(&claim.numerator, None)?;
    Ok((above, side(&claim.denominator, Some(above))?))
}

fn passes<'r>(rows: &[&'r Row]) -> Vec<&'r [Vec<f64>]> {
    rows.iter().map(|row| row.passes.as_slice()).collect()
}

/// What a reader must know: a difference past the published one, and the rows' flags.
fn remark(interval: &Interval, expects: Expects, published: Option<f64>, rows: &[&Row]) -> String {
    let mut remarks = Vec::new();
    let beyond = published.filter(|_| expects == Expects::Ratio).is_some_and(|ratio| {
        if ratio < 1.0 {
            interval.high < ratio * (1.0 - MARGIN)
        } else {
            interval.low > ratio * (1.0 + MARGIN)
        }
    });
    if beyond {
        remarks.push("the difference is larger than published".to_owned());
    }
    let mut flagged: Vec<(&str, Vec<String>)> = Vec::new();
    for row in rows {
        for flag in &row.flags {
            let size = format!("{} B", row.size);
            match flagged.iter_mut().find(|(name, _)| name == flag) {
                Some((_, sizes)) if sizes.contains(&size) => {}
                Some((_, sizes)) => sizes.push(size),
                None => flagged.push((flag, vec![size])),
            }
        }
    }
    remarks.extend(flagged.iter().map(|(flag, sizes)| format!("{flag}: {}", sizes.join(", "))));
    remarks.join("; ")
}

/// To the millionth: less than any sample resolves.
fn round(x: f64) -> f64 {
    (x * 1e6).round() / 1e6
}
