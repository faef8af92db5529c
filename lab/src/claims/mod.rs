//! Published claims held against the rows of a run.

mod facts;
mod tally;
mod verdict;

use crate::record::{ClaimRecord, Fact, Row};
use crate::stats::{Interval, sums_interval};
use crate::study::{Claim, Expects, Pick, Rule, cores};

pub use tally::Tally;
pub use verdict::{MARGIN, Verdict};

/// Judges every claim for each engine and level that has rows of it, in the order of the rows:
/// one record for a ratio of sums or of facts, one for each length otherwise. A claim of which
/// nothing was measured has records that say so.
#[must_use]
pub fn judge(claims: &[Claim], rows: &[Row], facts: &[Fact]) -> Vec<ClaimRecord> {
    judge_on(cores(), claims, rows, facts)
}

/// The same on a machine of so many CPUs: a claim about more of them is refused.
#[must_use]
pub fn judge_on(cpus: usize, claims: &[Claim], rows: &[Row], facts: &[Fact]) -> Vec<ClaimRecord> {
    let mut records = Vec::new();
    for claim in claims {
        let few = claim.cpus.filter(|wanted| *wanted as usize > cpus);
        let few = few.map(|wanted| format!("needs {wanted} CPUs; this machine has {cpus}"));
        if let Some(reason) = claim.reason.as_ref().map(ToString::to_string).or(few) {
            let base = blank(claim, ("-", "-"), &[], None);
            records.push(ClaimRecord { remark: reason, ..base });
            continue;
        }
        if let Some(pair) = &claim.facts {
            records.push(facts::record(claim, pair, facts));
            continue;
        }
        let took_part = |engine: &str| rows.iter().any(|row| row.engine == engine);
        let mut here = claim.clone();
        (here.over, here.row) = (claim.over.here(took_part), claim.row.here(took_part));
        let claim = &here;
        for (engine, level) in measured_by(claim, rows) {
            let mut one = |sizes: &[u64], published| {
                records.push(record(claim, (engine, level), rows, sizes, published));
            };
            match claim.rule {
                Rule::RatioOfSums => one(&claim.sizes, claim.published(0)),
                // Those were judged above.
                Rule::Facts | Rule::Samples => {}
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
        let place = (row.engine.as_str(), row.cell.level.as_str());
        let either = [&claim.over, &claim.row].iter().any(|side| is(row, side, claim, place));
        // The row that is set against another names the place.
        let place = match &claim.over.level {
            Some(level) if either => {
                let same = |it: &&Row| it.engine == row.engine && it.cell.level == *level;
                rows.iter().find(same).map(|it| (it.engine.as_str(), it.cell.level.as_str()))
            }
            _ => Some(place),
        };
        if let Some(place) = place
            .filter(|place| either && claim.over.takes_engine(place.0) && !found.contains(place))
        {
            found.push(place);
        }
    }
    // What lacks one side says nothing where others have both.
    let both = |place: &(&str, &str)| {
        [&claim.over, &claim.row]
            .iter()
            .all(|side| rows.iter().any(|row| is(row, side, claim, *place)))
    };
    if found.iter().any(both) {
        found.retain(both);
    }
    if found.is_empty() { vec![("-", "-")] } else { found }
}

/// Whether a row is of a side of a claim that is judged at this engine and level.
fn is(row: &Row, side: &Pick, claim: &Claim, (engine, level): (&str, &str)) -> bool {
    let what = format!("{}/{}", row.cell.algorithm, row.cell.operation);
    side.what.as_ref() == Some(&what)
        && row.cell.model == claim.model
        && row.cell.mix == side.mix()
        && row.engine == side.engine.as_deref().unwrap_or(engine)
        && row.cell.level == side.level.as_deref().unwrap_or(level)
        && row.cell.threads == side.threads_on(cores())
}

fn record(
    claim: &Claim,
    (engine, level): (&str, &str),
    rows: &[Row],
    sizes: &[u64],
    published: Option<f64>,
) -> ClaimRecord {
    let sides: Result<Vec<Sides<'_>>, String> =
        sizes.iter().map(|&size| pair(claim, (engine, level), rows, size)).collect();
    let judged = sides.and_then(|sides| {
        let (above, below): (Vec<Vec<&Row>>, Vec<Vec<&Row>>) = sides.into_iter().unzip();
        let (above, below) = (above.concat(), below.concat());
        let interval = sums_interval(&passes(&above), &passes(&below));
        let interval = interval.ok_or_else(|| "a row has no samples".to_owned())?;
        Ok((interval, [above, below].concat()))
    });
    let base = blank(claim, (engine, level), sizes, published);
    match judged {
        Err(why) => ClaimRecord { remark: why, ..base },
        Ok((interval, rows)) => ClaimRecord {
            ratio: Some(round(interval.ratio)),
            low: Some(round(interval.low)),
            high: Some(round(interval.high)),
            verdict: verdict(&interval, claim, published).name().to_owned(),
            remark: remark(&interval, claim, published, &rows),
            ..base
        },
    }
}

/// What an interval says of a claim.
fn verdict(interval: &Interval, claim: &Claim, published: Option<f64>) -> Verdict {
    match claim.at_least {
        Some(least) => Verdict::of_slightly(interval, least),
        None => Verdict::of(interval, claim.expects, published),
    }
}

/// A record of which nothing was measured.
fn blank(
    claim: &Claim,
    (engine, level): (&str, &str),
    sizes: &[u64],
    published: Option<f64>,
) -> ClaimRecord {
    ClaimRecord {
        name: claim.name.clone(),
        statement: claim.statement.to_string(),
        stands: claim.stands.to_string(),
        numerator: claim.over.label(),
        denominator: claim.row.label(),
        model: claim.model.name().to_owned(),
        sizes: sizes.to_vec(),
        rule: claim.rule,
        expects: claim.expects,
        at_least: claim.at_least,
        engine: engine.to_owned(),
        level: level.to_owned(),
        published,
        ratio: None,
        low: None,
        high: None,
        verdict: Verdict::NotMeasured.name().to_owned(),
        remark: String::new(),
    }
}

/// The rows of either side of a claim.
type Sides<'r> = (Vec<&'r Row>, Vec<&'r Row>);

/// The rows of a length, one or two on each side, which must have been measured alike.
fn pair<'r>(
    claim: &Claim,
    place: (&str, &str),
    rows: &'r [Row],
    size: u64,
) -> Result<Sides<'r>, String> {
    // Threads may be what a claim is about; nothing else but the operation is.
    let side = |pick: &Pick, beside: Option<&Row>| {
        let alike = |row: &&Row| {
            is(row, pick, claim, place)
                && row.cell.size == size
                && beside.is_none_or(|it| {
                    it.cell.messages == row.cell.messages
                        && it.cell.keys == row.cell.keys
                        && it.cell.mix == row.cell.mix
                        && it.cell.aad_bytes == row.cell.aad_bytes
                        && it.cell.placement == row.cell.placement
                        && it.cell.unaligned == row.cell.unaligned
                        && it.cell.cold == row.cell.cold
                        && it.clock == row.clock
                })
        };
        let lacks = || {
            let what = pick.what.as_deref().unwrap_or_default();
            format!("{what} {} {size} B has no figure", claim.model)
        };
        rows.iter().find(alike).ok_or_else(lacks)
    };
    let first = side(&claim.over, None)?;
    let all = |pick: &Pick, beside: Option<&Row>| {
        let second = pick.second().map(|it| side(&it, Some(first))).transpose()?;
        Ok::<_, String>([side(pick, beside)?].into_iter().chain(second).collect())
    };
    Ok((all(&claim.over, None)?, all(&claim.row, Some(first))?))
}

fn passes<'r>(rows: &[&'r Row]) -> Vec<&'r [Vec<f64>]> {
    rows.iter().map(|row| row.passes.as_slice()).collect()
}

/// What a reader must know: a difference past the published one, and the rows' flags.
fn remark(interval: &Interval, claim: &Claim, published: Option<f64>, rows: &[&Row]) -> String {
    let expects = claim.expects;
    let mut remarks = Vec::new();
    if let Some(least) = claim.at_least.filter(|least| interval.low < *least) {
        remarks.push(format!("slightly is said of ratios from {least} on"));
    }
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
    if unsized_by(interval, expects, published) {
        remarks.push("the sign is shown; the interval reaches the published size".to_owned());
    }
    let mut flagged: Vec<(&str, Vec<String>)> = Vec::new();
    for row in rows {
        for flag in &row.flags {
            let size = format!("{} B", row.cell.size);
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

/// Whether an interval shows the sign of a published ratio and leaves open its size.
fn unsized_by(interval: &Interval, expects: Expects, published: Option<f64>) -> bool {
    let verdict = Verdict::of(interval, expects, published);
    let near = published.is_some_and(|it| {
        let reaches = it.max(1.0 / it) / (1.0 + MARGIN);
        interval.high.max(1.0 / interval.low) >= reaches
    });
    expects == Expects::Ratio && verdict == Verdict::Weaker && near
}

/// To the millionth: less than any sample resolves.
fn round(x: f64) -> f64 {
    (x * 1e6).round() / 1e6
}
