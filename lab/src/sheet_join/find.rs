//! Finds the rows that a pick names.

use crate::cell::SUBJECT;
use crate::record::{Results, Row};
use crate::study::{PEER, Pick, Text};

/// The rows of a pick, one for each of its lengths, all of one engine and level: of several
/// levels the highest, of several peers the fastest. Those of a second operation stand behind.
///
/// # Errors
/// The reason why there are none.
pub fn rows<'r>(results: &'r Results, pick: &Pick) -> Result<Vec<&'r Row>, Text> {
    let pick = &pick.here(|engine| results.rows.iter().any(|row| row.engine == engine));
    let lengths = pick.lengths();
    let mut found: Option<Vec<&Row>> = None;
    for (engine, level) in places(results, pick) {
        let of_length = |pick: &Pick, length: u64| {
            results.rows.iter().find(|row| {
                row.engine == engine
                    && row.cell.level == level
                    && is(results, row, pick)
                    && (row.cell.size == length)
            })
        };
        let of = |pick: &Pick| {
            lengths.iter().map(|it| of_length(pick, *it)).collect::<Option<Vec<&Row>>>()
        };
        let Some(mut rows) = of(pick) else { continue };
        if let Some(second) = pick.second() {
            let Some(more) = of(&second) else { continue };
            rows.extend(more);
        }
        let better = found.as_ref().is_none_or(|before| {
            let (a, b) = (rank(results, pick, &rows), rank(results, pick, before));
            a.partial_cmp(&b).is_some_and(std::cmp::Ordering::is_lt)
        });
        if better {
            found = Some(rows);
        }
    }
    found.ok_or_else(|| why(results, pick))
}

/// Whether a row is of a pick, whatever its engine, level and length.
fn is(results: &Results, row: &Row, pick: &Pick) -> bool {
    let what = format!("{}/{}", row.cell.algorithm, row.cell.operation);
    pick.what.as_ref() == Some(&what)
        && pick.model.is_none_or(|model| model == row.cell.model)
        && row.cell.mix == pick.mix()
        && row.cell.threads == pick.threads_on(results.machine.cores)
}

/// The engines and levels that a pick may mean, in the order of the rows.
fn places<'r>(results: &'r Results, pick: &Pick) -> Vec<(&'r str, &'r str)> {
    let mut places = Vec::new();
    for row in results.rows.iter().filter(|row| is(results, row, pick)) {
        let place = (row.engine.as_str(), row.cell.level.as_str());
        let meant = match &pick.engine {
            None => row.engine == SUBJECT,
            Some(_) => pick.takes_engine(&row.engine),
        };
        // A library that chooses for itself has one level, whatever it is asked for.
        let level = pick.takes_level(&row.cell.level) || pick.engine.as_deref() == Some(PEER);
        if meant && level && !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

/// Smaller is better: the time of a peer; else the distance from the highest level.
fn rank(results: &Results, pick: &Pick, rows: &[&Row]) -> f64 {
    if pick.engine.as_deref() == Some(PEER) {
        return rows.iter().map(|row| row.median_cycles).sum();
    }
    let level = rows.first().map_or("", |row| row.cell.level.as_str());
    let levels = &results.machine.levels;
    levels.iter().position(|it| it == level).map_or(0.0, |place| -1.0 - place as f64)
}

/// Why a pick has no row.
#[must_use]
pub fn why(results: &Results, pick: &Pick) -> Text {
    let what = pick.what.as_deref().unwrap_or_default();
    let model = pick.model.map(|model| model.name());
    let engine = pick.engine.as_deref().unwrap_or(SUBJECT);
    let of_cell = results.missing.iter().find(|missing| {
        missing.engine == engine
            && format!("{}/{}", missing.algorithm, missing.operation) == what
            && model.is_none_or(|model| model == missing.model)
            && (missing.level == "-" || pick.takes_level(&missing.level))
    });
    let of_engine = || results.missing.iter().find(|it| it.engine == engine && it.algorithm == "-");
    if let Some(missing) = of_cell.or_else(of_engine) {
        return missing.reason.as_str().into();
    }
    if engine == PEER {
        return Text::new(
            "no other library that is present here offers it",
            "此处现有的其他库均不提供该操作",
        );
    }
    if !results.engines.iter().any(|it| it.name == engine) {
        return Text::new(
            format!("engine `{engine}` took no part in this run"),
            format!("引擎 `{engine}` 未参加本次运行"),
        );
    }
    let offered = results.rows.iter().any(|row| row.engine == engine && is(results, row, pick));
    match &pick.level {
        Some(level) if offered => Text::new(
            format!("{engine} did not measure it at {level}"),
            format!("{engine} 未在 {level} 上测量"),
        ),
        _ if results.run.partial => {
            Text::new("the run was stopped before it", "运行在测到它之前被中止")
        }
        _ => Text::new(
            format!("{engine} has no figure of it in this run"),
            format!("{engine} 在本次运行中没有该数值"),
        ),
    }
}
