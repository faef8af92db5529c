//! The report on one screen: at most [`LINES`] lines of at most [`COLUMNS`] columns, the message
//! last. It shows the level that a caller gets, each figure beside the next best engine's, where
//! we are behind, and what was flagged; everything else is in [`super::terminal`], in
//! [`why`] and [`standings`].

mod foot;
mod lines;
pub mod standings;
mod text;
pub mod why;

#[cfg(test)]
mod tests;

use super::terminal::{Style, bold};
use super::{figure, size_label};
use crate::against::{self, Contest, Standing, contests, standing};
use crate::compare::Verdict;
use crate::record::Results;
pub(super) use foot::tally;
use lines::{Line, Shown};
use text::{clean, padded};
pub(super) use text::{fitted, label, version, work, wrapped};

/// The most lines.
pub const LINES: usize = 40;

/// The most columns, of a wider terminal and where there is none.
pub const COLUMNS: usize = 100;

/// So many lengths a line shows.
const SIZES: usize = 3;

/// The columns that one length takes.
const FIGURE: usize = 9;

/// The columns of text for this style.
pub(super) fn columns(style: Style) -> usize {
    style.width.unwrap_or(COLUMNS).clamp(40, COLUMNS)
}

/// The screen, ending in a line break. `report` is where the page is.
#[must_use]
pub fn render(results: &Results, style: Style, report: Option<&str>) -> String {
    let shown = figure::shown(results);
    let results = shown.as_ref();
    let width = columns(style);
    let all = contests(results);
    let head = head(results, width);
    let lines = lines::lines(&all);
    let foot = foot::foot(results, &all, width);
    // A blank line above and below the table and above the message; the report's line.
    let message = message(results, &lines, &all, width);
    let others = head.len() + foot.len() + message.len() + 4;
    let shown = lines::choose(&lines, LINES.saturating_sub(others));
    let mut out: Vec<String> = head;
    out.extend(table(results, &shown, width, style));
    out.push(String::new());
    out.extend(foot);
    out.push(fitted(&paths(&lines, &shown, report, width), width));
    out.push(String::new());
    let text = message.into_iter().map(|line| bold(&line, style));
    out.extend(text);
    out.into_iter().map(|line| line + "\n").collect()
}

/// The machine and what the figures are.
fn head(results: &Results, width: usize) -> Vec<String> {
    let machine = &results.machine;
    let brand = machine.cpu.split(" (").next().unwrap_or(&machine.cpu);
    let mut card = format!("{brand}, {}", figure::count(machine.cores as u64, "CPU", "CPUs"));
    if let Some(rate) = results.core_per_tick() {
        card.push_str(&format!(", at most {rate:.2} core cycles a tick"));
    }
    card.push_str(&format!("; {}", figure::duration(results.run.seconds)));
    if results.run.partial {
        card.push_str(", stopped before its end");
    }
    let level = against::level(results);
    let which = match machine.default_level.as_deref() {
        _ if level == "-" => "the level that the library chooses".to_owned(),
        Some(default) if default == level => format!("level {level}, which a caller gets"),
        _ => format!("level {level}"),
    };
    let unit = format!(
        "{} a byte at {which}; last, times the speed of the next best engine (95 % interval)",
        figure::unit(results)
    );
    let mut lines = wrapped(&clean(&card), width);
    lines.extend(wrapped(&clean(&unit), width));
    lines
}

fn table(results: &Results, shown: &Shown<'_, '_>, width: usize, style: Style) -> Vec<String> {
    let names = || shown.groups.iter().flat_map(|group| group.lines.iter());
    let longest = names().map(|line| line.name.chars().count() + 1);
    let heads = shown.groups.iter().map(|group| group.title.chars().count());
    // Figures and ratio want 45 columns; a name that is longer is cut.
    let room = longest.chain(heads).max().unwrap_or(0).clamp(8, width.saturating_sub(52).max(14));
    let mut out = Vec::new();
    for group in &shown.groups {
        out.push(String::new());
        let mut head = padded(&group.title, room);
        for size in &group.sizes {
            head.push_str(&format!("{:>FIGURE$}", size_label(*size)));
        }
        out.push(bold(&fitted(&head, width), style));
        for line in &group.lines {
            out.push(one(results, line, &group.sizes, room, width, style));
        }
    }
    out
}

/// A line of the table.
fn one(
    results: &Results,
    line: &Line<'_, '_>,
    sizes: &[u64],
    room: usize,
    width: usize,
    style: Style,
) -> String {
    let mut text = padded(&format!(" {}", line.name), room);
    let figures = FIGURE * sizes.len().max(1);
    if let Some(setup) = line.setup() {
        let cycles = figure::core_cycles(results, setup.ours, setup.ours.median_cycles);
        let what = format!("{} a set-up", figure::short(cycles));
        text.push_str(&format!("{what:>figures$}"));
    } else if let Some(it) = line.instead(sizes) {
        let value = it.ours.cycles_per_byte.unwrap_or(it.ours.median_cycles);
        let value = figure::short(figure::core_cycles(results, it.ours, value));
        let what = format!("{value} at {}", size_label(it.ours.cell.size));
        text.push_str(&format!("{what:>figures$}"));
    } else {
        for size in sizes {
            let value = line.at(*size).and_then(|it| Some((it, it.ours.cycles_per_byte?)));
            let value = value.map_or("-".to_owned(), |(it, value)| {
                figure::short(figure::core_cycles(results, it.ours, value))
            });
            text.push_str(&format!("{value:>FIGURE$}"));
        }
    }
    let (compared, behind) = comparison(results, line, sizes);
    let mut rest = format!("  {compared}");
    let left = width.saturating_sub(text.chars().count());
    // Another level that is faster is said here where there is room, and below in any case.
    let level = line.compared(sizes).and_then(|it| level_note(results, it));
    if let Some(note) = level.filter(|note| rest.chars().count() + note.chars().count() <= left) {
        rest.push_str(&note);
    }
    let rest = fitted(&rest, left);
    // Nothing is said by colour alone: the word stands there too.
    match (behind, style.color) {
        (true, true) => format!("{text}\x1b[33m{rest}\x1b[0m"),
        _ => format!("{text}{rest}").trim_end().to_owned(),
    }
}

/// `1.62 (1.60-1.64) ipp 2.3.0` or `0.94 (0.93-0.95) behind ipp 2.3.0`, and whether ours is behind.
fn comparison(results: &Results, line: &Line<'_, '_>, sizes: &[u64]) -> (String, bool) {
    let Some(contest) = line.compared(sizes) else {
        return ("no other engine".to_owned(), false);
    };
    let Some((rival, it)) =
        contest.next_best().and_then(|it| Some((it, standing(contest.ours, it)?)))
    else {
        return ("no other engine".to_owned(), false);
    };
    // The verdict stands before the engine, whose name may be cut.
    let verdict = match it.verdict {
        Verdict::Behind => "behind ",
        Verdict::Tied => "tied with ",
        Verdict::Ahead => "",
    };
    let engine = version(results, &rival.engine, &rival.cell.algorithm);
    let mut text = format!("{} {verdict}{engine}", interval(&it));
    let last = sizes.last() == Some(&contest.ours.cell.size) || line.instead(sizes).is_some();
    if contest.ours.cell.size != 0 && !last {
        text.push_str(&format!(", at {}", size_label(contest.ours.cell.size)));
    }
    (clean(&text), it.verdict == Verdict::Behind)
}

/// `1.62 (1.60-1.64)`.
fn interval(it: &Standing) -> String {
    let ratio = figure::ratio;
    format!("{} ({}-{})", ratio(it.times), ratio(it.low), ratio(it.high))
}

/// `; avx2-gfni 20.1`: another level that is faster, and its figure.
fn level_note(results: &Results, contest: &Contest<'_>) -> Option<String> {
    let other = contest.faster_level()?;
    let value = other.cycles_per_byte.unwrap_or(other.median_cycles);
    let value = figure::short(figure::core_cycles(results, other, value));
    Some(format!("; {} {value}", other.cell.level))
}

/// Where everything else is.
fn paths(
    lines: &[Line<'_, '_>],
    shown: &Shown<'_, '_>,
    report: Option<&str>,
    width: usize,
) -> String {
    let hidden = lines.len() - shown.groups.iter().map(|group| group.lines.len()).sum::<usize>();
    let more = match hidden {
        0 => "all figures --table".to_owned(),
        hidden => format!("{hidden} more lines --table"),
    };
    let rest = format!("; {more}, reasons --why, peers --against best");
    match report {
        // The path is what a reader copies: it isn't cut, the rest is.
        Some(path) => {
            let text = format!("report: {path}");
            let left = width.saturating_sub(text.chars().count());
            text + &fitted(&rest, left)
        }
        None => rest.trim_start_matches("; ").to_owned(),
    }
}

/// The message: the first line of the first algorithms, then how often we are ahead.
fn message(
    results: &Results,
    lines: &[Line<'_, '_>],
    all: &[Contest<'_>],
    width: usize,
) -> Vec<String> {
    let first = firsts(lines).take(SENTENCES).map(|line| clean(&sentence(results, line)));
    let mut text: Vec<String> = first.flat_map(|it| wrapped(&it, width)).collect();
    text.extend(wrapped(&tally(all), width));
    text
}

/// The line of each algorithm that readers ask for first.
fn firsts<'l, 'c, 'r>(lines: &'l [Line<'c, 'r>]) -> impl Iterator<Item = &'l Line<'c, 'r>> {
    let mut algorithms: Vec<&str> = Vec::new();
    lines::by_rank(lines).filter(move |line| {
        let new = !algorithms.contains(&line.algorithm);
        if new {
            algorithms.push(line.algorithm);
        }
        new
    })
}

/// How fast each algorithm is, and against whom, in a sentence.
pub(super) fn sentences(results: &Results, all: &[Contest<'_>]) -> Vec<String> {
    let lines = lines::lines(all);
    firsts(&lines).map(|line| sentence(results, line)).collect()
}

/// The most sentences of the message.
const SENTENCES: usize = 3;

/// How fast, and against whom.
fn sentence(results: &Results, line: &Line<'_, '_>) -> String {
    let sizes = line.sizes();
    let Some(contest) = line.compared(&sizes).or_else(|| line.contests.last().copied()) else {
        return String::new();
    };
    let ours = contest.ours;
    let value = ours.cycles_per_byte.unwrap_or(ours.median_cycles);
    let unit = figure::unit(results).to_lowercase();
    let mut text = format!(
        "{}/{}, {}: {} {unit} {}",
        ours.cell.algorithm,
        ours.cell.operation,
        work(ours),
        figure::short(figure::core_cycles(results, ours, value)),
        if ours.cycles_per_byte.is_some() { "a byte" } else { "a set-up" },
    );
    if let Some(mbps) = ours.mbps {
        text.push_str(&format!(", {} Gbit/s", figure::gbps(mbps)));
    }
    match contest.next_best().and_then(|it| Some((it, standing(ours, it)?))) {
        Some((rival, it)) => text.push_str(&format!(
            ": {} ({} to {}) times as fast as the next best, {}.",
            figure::ratio(it.times),
            figure::ratio(it.low),
            figure::ratio(it.high),
            version(results, &rival.engine, &rival.cell.algorithm),
        )),
        None => text.push_str("; no other engine here did that."),
    }
    text
}
