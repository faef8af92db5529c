//! Where a run is ahead of its peers and where behind: every cell at the level that a caller gets
//! who names none, against each engine of others that did the same work in the same run.

use std::cmp::Ordering;

use crate::cell::SUBJECT;
pub use crate::cell::is_peer;
use crate::compare::{self, Verdict, same_cell};
use crate::record::{Results, Row};
use crate::stats::Paired;

/// One cell: our row, and those of the engines that did the same work.
#[derive(Clone, Debug)]
pub struct Contest<'r> {
    /// The subject's row at its default level.
    pub ours: &'r Row,
    /// One row for each peer, the fastest first.
    pub rivals: Vec<&'r Row>,
    /// The subject's other levels, the fastest first.
    pub levels: Vec<&'r Row>,
}

/// What became of our row against one of another engine or level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// How many times as fast ours is.
    pub times: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// What that says of ours.
    pub verdict: Verdict,
}

/// How a peer stands in all cells that it shares with the subject.
#[derive(Clone, Debug, PartialEq)]
pub struct Place<'r> {
    /// The engine.
    pub engine: &'r str,
    /// How many cells it shares with the subject.
    pub cells: usize,
    /// The geometric mean, over these, of how many times as fast the subject is.
    pub mean: f64,
}

/// Ahead, tied and behind, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Cells where ours is faster.
    pub ahead: usize,
    /// Cells where neither is.
    pub tied: usize,
    /// Cells where ours is slower.
    pub behind: usize,
}

impl Tally {
    /// Counts one more cell.
    pub fn count(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Ahead => self.ahead += 1,
            Verdict::Behind => self.behind += 1,
            Verdict::Tied => self.tied += 1,
        }
    }

    /// All cells.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.ahead + self.tied + self.behind
    }
}

/// The engine whose rows are compared with the others': [`SUBJECT`] if it took part, even where it
/// has no row because it failed, else that of the first row.
#[must_use]
pub fn subject(results: &Results) -> &str {
    let ours = results.engines.iter().any(|engine| engine.name == SUBJECT)
        || results.rows.iter().any(|row| row.engine == SUBJECT);
    let first = results.rows.first().filter(|_| !ours);
    first.map_or(SUBJECT, |row| &row.engine)
}

/// The level whose rows are the subject's: what a caller gets who names none, or where that was
/// not measured the highest that was.
#[must_use]
pub fn level(results: &Results) -> &str {
    let subject = subject(results);
    let rows = || results.rows.iter().filter(|row| row.engine == subject);
    let default = results.machine.default_level.as_deref();
    let measured = |level: &&str| rows().any(|row| row.cell.level == *level);
    let rank = |level: &str| results.machine.levels.iter().position(|known| known == level);
    let highest = || rows().map(|row| row.cell.level.as_str()).max_by_key(|level| rank(level));
    default.filter(measured).or_else(highest).unwrap_or("-")
}

/// Every cell of the subject, in the order of its rows.
#[must_use]
pub fn contests(results: &Results) -> Vec<Contest<'_>> {
    let (subject, level) = (subject(results), level(results));
    let mut found: Vec<Contest<'_>> = Vec::new();
    for row in results.rows.iter().filter(|row| row.engine == subject) {
        if found.iter().any(|contest| same_cell(contest.ours, row)) {
            continue;
        }
        let others = || results.rows.iter().filter(|other| same_cell(row, other));
        let mut levels: Vec<&Row> = others().filter(|other| other.engine == subject).collect();
        // A cell without the default level is that of the fastest which it has.
        levels.sort_by(|a, b| fastest(a, b));
        let place = levels.iter().position(|own| own.cell.level == level).unwrap_or(0);
        let ours = levels.remove(place);
        let mut rivals: Vec<&Row> = others()
            .filter(|other| {
                other.engine != subject && (subject != SUBJECT || is_peer(&other.engine))
            })
            .collect();
        rivals.sort_by(|a, b| fastest(a, b));
        let mut seen: Vec<&str> = Vec::new();
        rivals.retain(|rival| {
            let new = !seen.contains(&rival.engine.as_str());
            seen.push(&rival.engine);
            new
        });
        found.push(Contest { ours, rivals, levels });
    }
    found
}

fn fastest(a: &Row, b: &Row) -> Ordering {
    a.median_cycles.total_cmp(&b.median_cycles)
}

/// How `ours` stands against another row of the same run; `None` if one has no samples.
#[must_use]
pub fn standing(ours: &Row, other: &Row) -> Option<Standing> {
    let pair = compare::ratio(other, ours, Paired::Yes)?;
    let (times, low, high) = (1.0 / pair.ratio, 1.0 / pair.high, 1.0 / pair.low);
    Some(Standing { times, low, high, verdict: pair.verdict })
}

impl<'r> Contest<'r> {
    /// The fastest peer.
    #[must_use]
    pub fn next_best(&self) -> Option<&'r Row> {
        self.rivals.first().copied()
    }

    /// The row of this engine.
    #[must_use]
    pub fn rival(&self, engine: &str) -> Option<&'r Row> {
        self.rivals.iter().find(|rival| rival.engine == engine).copied()
    }

    /// Another level of ours that is faster, and by more than chance.
    #[must_use]
    pub fn faster_level(&self) -> Option<&'r Row> {
        let other = self.levels.first().filter(|it| it.median_cycles < self.ours.median_cycles)?;
        let clear = standing(self.ours, other)?.verdict == Verdict::Behind;
        clear.then_some(*other)
    }
}

/// The peers by the geometric mean of how many times as fast the subject is, the strongest first.
#[must_use]
pub fn rank<'r>(contests: &[Contest<'r>]) -> Vec<Place<'r>> {
    let mut places: Vec<(&str, usize, f64)> = Vec::new();
    for contest in contests {
        for rival in &contest.rivals {
            let log = (rival.median_cycles / contest.ours.median_cycles).ln();
            match places.iter_mut().find(|(engine, ..)| *engine == rival.engine) {
                Some((_, cells, sum)) => {
                    *cells += 1;
                    *sum += log;
                }
                None => places.push((&rival.engine, 1, log)),
            }
        }
    }
    let place = |(engine, cells, sum): (&'r str, usize, f64)| Place {
        engine,
        cells,
        mean: (sum / cells as f64).exp(),
    };
    let mut places: Vec<Place<'r>> = places.into_iter().map(place).collect();
    places.sort_by(|a, b| a.mean.total_cmp(&b.mean));
    places
}
