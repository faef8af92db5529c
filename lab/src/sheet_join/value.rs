//! What a cell shows of the rows it picks.

use super::Measured;
use super::find::rows;
use crate::record::{Results, Row};
use crate::stats::{Interval, Line, slope, sums_interval};
use crate::study::{Bound, PEER, Pick, Show, Text};

/// The value of a cell.
///
/// # Errors
/// The reason why there is none.
pub(super) fn of(bound: &Bound, results: &Results) -> Result<Measured, Text> {
    let chosen = rows(results, &bound.pick)?;
    let stands_in = stands_in(&bound.pick, &chosen);
    if let Some(name) = &bound.over_fact {
        return beside_fact(name, &chosen, results);
    }
    let Some(over) = &bound.over else {
        return Ok(flagged(figure(bound.show, &chosen), stands_in));
    };
    let over = beside(over, &bound.pick, &chosen);
    let base = rows(results, &over)?;
    let stands_in = stands_in.or_else(|| self::stands_in(&over, &base));
    if let Some(words) = same_code(results, &chosen, &base) {
        return Ok(Measured::Words(words));
    }
    let interval = interval(&chosen, &base)
        .ok_or_else(|| Text::new("a row has no samples", "某行没有样本"))?;
    let shown = |ratio: f64| match bound.show {
        Show::Improvement => (ratio - 1.0) * 100.0,
        _ => ratio,
    };
    let measured = Measured::Figure {
        value: shown(interval.ratio),
        range: Some((shown(interval.low), shown(interval.high))),
        by: by(&chosen),
        flags: flags(&[chosen.as_slice(), base.as_slice()].concat()),
    };
    Ok(flagged(measured, stands_in))
}

/// Which engine a figure is of, where it is not the one that was picked.
fn stands_in(pick: &Pick, chosen: &[&Row]) -> Option<String> {
    let (wanted, found) = (pick.engine.as_ref()?, &chosen.first()?.engine);
    (pick.or_engine.as_ref() == Some(found) && wanted != found)
        .then(|| format!("{found} stands in for {wanted}"))
}

/// A figure with one flag more.
fn flagged(measured: Measured, flag: Option<String>) -> Measured {
    match measured {
        Measured::Figure { value, range, by, mut flags } => {
            flags.extend(flag);
            Measured::Figure { value, range, by, flags }
        }
        other => other,
    }
}

/// The speed of some rows where that of others is 1.
fn interval(chosen: &[&Row], base: &[&Row]) -> Option<Interval> {
    let above: Vec<&[Vec<f64>]> = base.iter().map(|row| row.passes.as_slice()).collect();
    let below: Vec<&[Vec<f64>]> = chosen.iter().map(|row| row.passes.as_slice()).collect();
    sums_interval(&above, &below)
}

/// The speed of one pick where that of another is 1; none where either was not measured, or the
/// compiler made the same machine code of both.
pub(super) fn ratio(pick: &Pick, over: &Pick, results: &Results) -> Option<Interval> {
    let (chosen, base) = (rows(results, pick).ok()?, rows(results, over).ok()?);
    if same_code(results, &chosen, &base).is_some() {
        return None;
    }
    interval(&chosen, &base)
}

/// The speed of rows by one that a probe found, in 10^9 bytes a second.
fn beside_fact(name: &str, chosen: &[&Row], results: &Results) -> Result<Measured, Text> {
    let fact = results.facts.iter().find(|fact| fact.name == name);
    let fact = fact.ok_or_else(|| Text::new("not found out in this run", "本次运行未取得"))?;
    let found = fact.value.ok_or_else(|| Text::from(fact.remark.as_str()))?;
    Ok(match figure(Show::GbPerS, chosen) {
        Measured::Figure { value, by, flags, .. } => {
            Measured::Figure { value: value / found, range: None, by, flags }
        }
        other => other,
    })
}

/// What a row is set against: of the same peer, where either may be any.
fn beside(over: &Pick, pick: &Pick, chosen: &[&Row]) -> Pick {
    let engine = chosen.first().map(|row| row.engine.clone());
    let level = chosen.first().map(|row| row.cell.level.clone());
    let of_peer = over.engine.as_deref() == Some(PEER) && pick.engine == over.engine;
    let same = of_peer || (over.engine == pick.engine && over.level == pick.level);
    if same { Pick { engine, level, ..over.clone() } } else { over.clone() }
}

/// Whether the compiler made one code of both: a fact
/// `same-code/ENGINE/ALGORITHM/OPERATION/LEVEL/LEVEL` says so.
fn same_code(results: &Results, a: &[&Row], b: &[&Row]) -> Option<Text> {
    let (a, b) = (a.first()?, b.first()?);
    let name = |x: &Row, y: &Row| {
        format!(
            "same-code/{}/{}/{}/{}/{}",
            x.engine, x.cell.algorithm, x.cell.operation, x.cell.level, y.cell.level
        )
    };
    let names = [name(a, b), name(b, a)];
    let told = results.facts.iter().any(|fact| names.contains(&fact.name) && !fact.text.is_empty());
    (told && a.engine == b.engine && a.cell.level != b.cell.level)
        .then(|| Text::new("same machine code", "机器码相同"))
}

/// A figure of the rows themselves: of their sum, where they are several.
pub(super) fn figure(show: Show, rows: &[&Row]) -> Measured {
    let total = |of: &dyn Fn(&Row) -> f64| rows.iter().map(|row| of(row)).sum::<f64>();
    let (cycles, ns) = (total(&|row| row.median_cycles), total(&|row| row.ns));
    // A second operation goes over the same bytes.
    let first = |row: &&&Row| {
        let of = |row: &Row| (row.cell.algorithm.clone(), row.cell.operation.clone());
        rows.first().is_some_and(|it| of(it) == of(row))
    };
    let bytes = rows.iter().filter(first).map(|row| row.message_bytes()).sum::<f64>();
    let value = of_times(show, rows, cycles, ns, bytes);
    let range = match rows {
        [row] => {
            let at = |q: f64| of_times(show, rows, q, ns * q / row.median_cycles, bytes);
            let (a, b) = (at(row.q1_cycles), at(row.q3_cycles));
            Some((a.min(b), a.max(b)))
        }
        _ => None,
    };
    if !value.is_finite() {
        return Measured::Nothing(Text::new(
            "one length makes no line",
            "只有一个长度，无法拟合直线",
        ));
    }
    Measured::Figure { value, range, by: by(rows), flags: flags(rows) }
}

/// What is shown of one row.
#[must_use]
pub fn value_of(show: Show, row: &Row) -> f64 {
    of_times(show, &[row], row.median_cycles, row.ns, row.message_bytes())
}

fn of_times(show: Show, rows: &[&Row], cycles: f64, ns: f64, bytes: f64) -> f64 {
    match show {
        Show::Cycles | Show::Ratio | Show::Improvement | Show::Percent | Show::Count => cycles,
        Show::CyclesPerByte => cycles / bytes,
        Show::Mbps => bytes * 8.0 / ns * 1e3,
        Show::KbPerS => bytes / ns * 1e6,
        Show::GbPerS => bytes / ns,
        Show::CoresFor20Gbps => 20.0 / (8.0 * bytes / ns),
        Show::Ns => ns,
        Show::Us => ns / 1e3,
        Show::Seconds => ns / 1e9,
        Show::LinePerByte | Show::LinePerCall => {
            let points: Vec<(f64, f64)> =
                rows.iter().map(|row| (row.message_bytes(), row.median_cycles)).collect();
            let line = slope(&points).unwrap_or(Line { per_byte: f64::NAN, per_call: f64::NAN });
            if show == Show::LinePerByte { line.per_byte } else { line.per_call }
        }
        Show::IvBits => rows.first().map_or(0.0, |row| f64::from(row.cell.nonce_bytes) * 8.0),
    }
}

fn by(rows: &[&Row]) -> String {
    match rows.first() {
        Some(row) if row.cell.level == "-" => row.engine.clone(),
        Some(row) => format!("{} {}", row.engine, row.cell.level),
        None => String::new(),
    }
}

fn flags(rows: &[&Row]) -> Vec<String> {
    let mut flags: Vec<String> = Vec::new();
    for flag in rows.iter().flat_map(|row| &row.flags) {
        if !flags.contains(flag) {
            flags.push(flag.clone());
        }
    }
    flags
}
