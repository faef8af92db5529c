//! `compare --machines`: the records of machines side by side.

use std::path::{Path, PathBuf};

use lab::machines::{Cell, Entry, FOLDER, Figure, Record, read_all};
use lab::report::{ratio, short};
use serde::Serialize;

use crate::columns::{COLUMNS, wrapped};
use crate::failure::{Exit, Failure};
use crate::output::Output;

/// What stands where a machine did not do the work of a line.
const ABSENT: &str = "-";

/// What `--json` prints.
#[derive(Serialize)]
struct Document<'e> {
    schema: &'static str,
    unit: &'static str,
    machines: Vec<Machine<'e>>,
    rows: Vec<Line<'e>>,
}

/// A machine; what its record tells besides the figures.
#[derive(Serialize)]
struct Machine<'e> {
    folder: &'e str,
    record: Option<Record>,
    others: &'e [String],
}

/// A cell; the figure of each machine of the list, null where it has none.
#[derive(Serialize)]
struct Line<'e> {
    cell: &'e Cell,
    figures: Vec<Option<&'e Figure>>,
}

/// Shows the machines of a folder; of the checkout's if none is named.
pub(super) fn run(folder: Option<&Path>, json: bool, out: &mut Output) -> Result<Exit, Failure> {
    let folder = folder.map_or_else(here, |folder| Ok(folder.to_owned()))?;
    let entries = read_all(&folder)?;
    let cells = cells(&entries);
    if json {
        let rows = cells
            .iter()
            .map(|cell| Line { cell, figures: entries.iter().map(|it| of(it, cell)).collect() });
        out.json(&Document {
            schema: "cipherlane-machines/1",
            unit: "core cycles",
            machines: entries.iter().map(machine).collect(),
            rows: rows.collect(),
        })?;
        return Ok(Exit::Done);
    }
    for line in render(&entries, &cells, out.columns().min(COLUMNS)) {
        out.line(&line)?;
    }
    Ok(Exit::Done)
}

/// A machine without its figures, which stand in the rows.
fn machine(entry: &Entry) -> Machine<'_> {
    let record = |it: &Record| Record { figures: Vec::new(), ..it.clone() };
    let Entry { folder, others, .. } = entry;
    Machine { folder, record: entry.record.as_ref().map(record), others }
}

/// The figure of a machine.
fn of<'e>(entry: &'e Entry, cell: &Cell) -> Option<&'e Figure> {
    entry.record.as_ref()?.figures.iter().find(|it| it.cell == *cell)
}

/// The folder of machines of the checkout that this is started in.
fn here() -> Result<PathBuf, Failure> {
    let here = std::env::current_dir().unwrap_or_default();
    let found = here.ancestors().map(|it| it.join(FOLDER)).find(|it| it.is_dir());
    found.ok_or_else(|| {
        Failure::new(
            Exit::Environment,
            format!("--machines: there is no {FOLDER} here or above"),
            "start it in a checkout of cipherlane, or name the folder: --machines=DIR",
        )
    })
}

/// The cells of all machines, each once, in the order in which they come.
fn cells(entries: &[Entry]) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    for figure in entries.iter().filter_map(|it| it.record.as_ref()).flat_map(|it| &it.figures) {
        if !cells.contains(&figure.cell) {
            cells.push(figure.cell.clone());
        }
    }
    cells
}

/// The machines as lines of at most `width` columns, as many side by side as there is room for;
/// those without a record are named below.
fn render(entries: &[Entry], cells: &[Cell], width: usize) -> Vec<String> {
    let recorded: Vec<&Record> = entries.iter().filter_map(|it| it.record.as_ref()).collect();
    let names: Vec<String> = cells.iter().map(Cell::name).collect();
    let column = |(place, record): (usize, &&Record)| {
        let of = |cell: &Cell| record.figures.iter().find(|it| it.cell == *cell);
        let text = cells.iter().map(|cell| of(cell).map_or(ABSENT.to_owned(), figure));
        std::iter::once(format!("[{}]", place + 1)).chain(text).collect()
    };
    let columns: Vec<Vec<String>> = recorded.iter().enumerate().map(column).collect();
    let mut out = Vec::new();
    for (place, record) in recorded.iter().enumerate() {
        out.extend(wrapped(&card(place + 1, record), 4, width));
    }
    let name = names.iter().map(String::len).max().unwrap_or(0);
    let mut left = &columns[..];
    while !left.is_empty() {
        let taken = fitting(left, name, width);
        out.push(String::new());
        out.extend(block(&left[..taken], &names, name, width));
        left = &left[taken..];
    }
    if !recorded.is_empty() {
        let text = "Core cycles a byte, of init and key a set-up, at the level that a caller gets; then \
                    times the speed of the best peer (95 % interval); ~ disturbed by other work.";
        out.push(String::new());
        out.extend(wrapped(text, 0, width));
    }
    for entry in entries.iter().filter(|it| it.record.is_none()) {
        let has = entry.others.join(", ");
        let has = if has.is_empty() { "nothing" } else { &has };
        let text = format!("{}: no record of `bench`; it has {has}", entry.folder);
        out.extend(wrapped(&text, 4, width));
    }
    out
}

/// How many columns stand side by side; at least one.
fn fitting(columns: &[Vec<String>], name: usize, width: usize) -> usize {
    let mut used = name;
    let mut fits = |column: &Vec<String>| {
        used += 2 + room(column);
        used <= width
    };
    columns.iter().position(|column| !fits(column)).unwrap_or(columns.len()).max(1)
}

fn room(column: &[String]) -> usize {
    column.iter().map(|it| it.chars().count()).max().unwrap_or(0)
}

/// Some columns beside the names of the cells, or below them where one alone is too wide.
fn block(columns: &[Vec<String>], names: &[String], name: usize, width: usize) -> Vec<String> {
    let rooms: Vec<usize> = columns.iter().map(|it| room(it)).collect();
    let beside = name + rooms.iter().map(|room| room + 2).sum::<usize>() <= width;
    let line = |first: &str, index: usize| {
        let cells = columns.iter().zip(&rooms);
        let cells = cells.map(|(column, room)| format!("  {:<room$}", column[index]));
        let cells: String = cells.collect();
        if beside { format!("{first:<name$}{cells}") } else { cells }.trim_end().to_owned()
    };
    let mut out = vec![line("", 0)];
    for (index, name) in names.iter().enumerate() {
        if !beside {
            out.push(name.clone());
        }
        out.push(line(name, index + 1));
    }
    out
}

/// `0.55  1.62 (1.60-1.64) ipp`, with a `~` where a row was disturbed.
fn figure(it: &Figure) -> String {
    let mark = |flags: &[String]| if flags.iter().any(|it| it == "canary") { "~" } else { "" };
    let ours = format!("{}{}", short(it.ours.figure), mark(&it.ours.flags));
    let Some(best) = &it.best else { return ours };
    let peer = it.peers.iter().find(|peer| peer.engine == best.engine);
    let disturbed = peer.map_or("", |peer| mark(&peer.flags));
    let [times, low, high] = [best.ratio, best.low, best.high].map(ratio);
    let verdict = if best.verdict == "behind" { "behind " } else { "" };
    format!("{ours}  {times} ({low}-{high}) {verdict}{}{disturbed}", best.engine)
}

/// What machine a column is of.
fn card(number: usize, record: &Record) -> String {
    let machine = &record.machine;
    format!(
        "[{number}] {}, microcode {}, {}; level {}; {:.3} GHz counter, {:.3} core cycles a tick; commit \
         {}, {}",
        machine.cpu,
        record.microcode.as_deref().unwrap_or("unknown"),
        machine.kernel,
        machine.default_level.as_deref().unwrap_or("unknown"),
        machine.tsc_hz / 1e9,
        machine.core_per_tsc,
        record.commit,
        record.created.split('T').next().unwrap_or_default(),
    )
}

#[cfg(test)]
mod tests {
    use lab::machines::{Best, SCHEMA, Timed};
    use lab::record::{Machine, RunRecord};

    use super::*;

    fn timed(engine: &str, figure: f64) -> Timed {
        let level = "-".to_owned();
        let flags = if engine == "ipp" { vec!["canary".to_owned()] } else { Vec::new() };
        Timed { engine: engine.to_owned(), level, figure, q1: figure, q3: figure, flags }
    }

    fn figure(operation: &str, size: u64, peer: Option<&str>) -> Figure {
        let best = |engine: &str| Best {
            engine: engine.to_owned(),
            ratio: 1.62,
            low: 1.6,
            high: 1.64,
            verdict: "ahead".to_owned(),
        };
        Figure {
            cell: Cell {
                operation: operation.to_owned(),
                model: if size == 0 { "init" } else { "message" }.to_owned(),
                size,
                messages: 1,
                keys: "ready".to_owned(),
                threads: 1,
                nonce_bytes: 16,
                aad_bytes: 0,
                tag_bytes: 0,
                placement: "in-place".to_owned(),
            },
            per: "byte".to_owned(),
            ours: timed("cipherlane", 0.55),
            peers: peer.iter().map(|peer| timed(peer, 0.89)).collect(),
            best: peer.map(best),
        }
    }

    fn entry(cpu: &str, figures: Vec<Figure>) -> Entry {
        let record = Record {
            schema: SCHEMA.to_owned(),
            created: "2026-11-25T21:00:00Z".to_owned(),
            commit: "0123456789ab".to_owned(),
            microcode: None,
            machine: Machine { cpu: cpu.to_owned(), tsc_hz: 2.6e9, ..Machine::default() },
            engines: Vec::new(),
            run: RunRecord::default(),
            unit: "core cycles".to_owned(),
            figures,
        };
        let folder = cpu.to_lowercase();
        Entry { folder, record: Some(record), others: Vec::new() }
    }

    /// Four machines, the last without a record.
    fn entries() -> Vec<Entry> {
        let all = || vec![figure("sm4/ctr", 8192, Some("ipp")), figure("sm4/ctr", 0, None)];
        let [a, b] = [entry("CPU A", all()), entry("CPU B", all())];
        let c = entry("CPU C", vec![figure("zuc-128/keystream", 65536, Some("libgcrypt"))]);
        let folder = "cpu-d".to_owned();
        vec![a, b, c, Entry { folder, record: None, others: vec!["tuned.txt".to_owned()] }]
    }

    #[test]
    fn machines_stand_side_by_side_as_far_as_there_is_room() {
        let entries = entries();
        let cells = cells(&entries);
        assert_eq!(cells.len(), 3);
        for width in [40, 60, 80, 100] {
            let lines = render(&entries, &cells, width);
            assert!(lines.iter().all(|line| line.chars().count() <= width), "{width}: {lines:#?}");
            let text = lines.join("\n");
            for expected in ["[1]", "[2]", "[3]", "zuc-128/keystream message 64 KiB"] {
                assert!(text.contains(expected), "{width}: {text}");
            }
            assert_eq!(text.matches("0.55  1.62 (1.60-1.64) ipp~").count(), 2, "{width}: {text}");
            assert_eq!(text.matches("0.55  1.62 (1.60-1.64) libgcrypt").count(), 1, "{text}");
        }
        let text = render(&entries, &cells, 100).join("\n");
        let row = "sm4/ctr message 8 KiB             0.55  1.62 (1.60-1.64) ipp~  0.55  1.62";
        assert!(text.contains(row), "{text}");
        // Lines may break anywhere between words.
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for expected in ["CPU A, microcode unknown", "commit 0123456789ab"] {
            assert!(words.contains(expected), "{expected}: {text}");
        }
        assert!(text.contains("cpu-d: no record of `bench`; it has tuned.txt"), "{text}");
    }
}
