//! docs/MACHINES.md.

use super::read::{Cell, Figure, Machine, Record};

/// So many peers of a cell stand on the page.
const PEERS: usize = 3;

const HEAD: &str = "\
# Machines

Made of [docs/machines](machines) by `cargo xtask machines --write`; do not edit. A machine gets its
column by `cargo run --release -- bench --record` on it, in a clean checkout, while nothing else runs.
";

const LEGEND: &str = "\
Core cycles a byte, of set-ups (`init`, `key`) core cycles: **ours** at the level that a caller gets, then
the best peers, then how many times as fast ours is as the best of them, with its 95 % interval.
`behind` where that peer is faster by more than 3 %, `~` where other work disturbed too many passes; what
all words mean is in [METHOD.md](METHOD.md). `message`: key ready; `packet`: a new key each.
";

/// The page.
pub(super) fn text(machines: &[Machine]) -> String {
    let recorded: Vec<&Record> = machines.iter().filter_map(|it| it.record.as_ref()).collect();
    let mut text = HEAD.to_owned();
    for machine in machines {
        text += "\n";
        text += &card(machine);
    }
    if recorded.is_empty() {
        return text + "\nNo machine has figures of `bench --record` yet.\n";
    }
    text += "\n## Figures\n\n";
    text += LEGEND;
    let cells = cells(&recorded);
    let mut algorithms: Vec<&str> = cells.iter().map(algorithm).collect();
    algorithms.dedup();
    let mut done: Vec<&str> = Vec::new();
    for name in algorithms {
        if done.contains(&name) {
            continue;
        }
        done.push(name);
        text += &format!("\n### {}\n\n", escaped(name));
        text += &head(&recorded, "operation");
        for cell in cells.iter().filter(|it| algorithm(it) == name) {
            text += &row(&named(cell), cell, &recorded, shown);
        }
    }
    text
}

fn algorithm(cell: &Cell) -> &str {
    cell.operation.split('/').next().unwrap_or_default()
}

/// What a machine is and what is kept of it.
fn card(machine: &Machine) -> String {
    let links = machine.others.iter().map(|it| format!("[{it}](machines/{}/{it})", machine.folder));
    let mut links: Vec<String> = links.collect();
    let Some(it) = &machine.record else {
        let has = if links.is_empty() { "nothing".to_owned() } else { links.join(", ") };
        let name = machine.cpu.as_ref().map_or(machine.folder.clone(), |cpu| escaped(cpu));
        return format!("## {name}\n\nNo record of `bench`; it has {has}.\n");
    };
    links.insert(0, format!("[bench.json](machines/{}/bench.json)", machine.folder));
    let engines = it.engines.iter().map(|(name, version)| format!("{name} {version}"));
    let lines = [
        ("microcode", escaped(&it.microcode)),
        ("kernel", escaped(&it.kernel)),
        (
            "clocks",
            format!("{:.3} GHz counter, {:.3} core cycles a tick", it.ghz, it.core_per_tick),
        ),
        ("levels", format!("{}; a caller gets {}", it.levels.join(" "), it.level)),
        ("engines", escaped(&engines.collect::<Vec<_>>().join("; "))),
        ("commit", format!("{}, {}", it.commit, it.day)),
        ("files", links.join(", ")),
    ];
    let lines = lines.map(|(name, value)| format!("- {name}: {value}\n"));
    format!("## {}\n\n{}", escaped(&it.cpu), lines.concat())
}

/// The cells of all records, each once, in the order in which they come.
pub(super) fn cells(records: &[&Record]) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    for figure in records.iter().flat_map(|it| &it.figures) {
        if !cells.contains(&figure.cell) {
            cells.push(figure.cell.clone());
        }
    }
    cells
}

/// The head of a table with a column a machine, and the commits.
pub(super) fn head(records: &[&Record], first: &str) -> String {
    let cpus: Vec<String> = records.iter().map(|it| escaped(&it.cpu)).collect();
    let commits: Vec<String> =
        records.iter().map(|it| format!("{}, {}, `{}`", it.commit, it.day, it.level)).collect();
    format!(
        "| {first} | {} |\n|---|{}\n| commit, day, level | {} |\n",
        cpus.join(" | "),
        "---|".repeat(records.len()),
        commits.join(" | "),
    )
}

/// A line of such a table.
pub(super) fn row(
    name: &str,
    cell: &Cell,
    records: &[&Record],
    shown: impl Fn(&Figure) -> String,
) -> String {
    let of = |record: &&Record| {
        let figure = record.figures.iter().find(|it| it.cell == *cell);
        figure.map_or("–".to_owned(), &shown)
    };
    let cells: Vec<String> = records.iter().map(of).collect();
    format!("| {name} | {} |\n", cells.join(" | "))
}

/// `ctr message 8 KiB`.
fn named(cell: &Cell) -> String {
    let operation = cell.operation.split_once('/').map_or("", |(_, operation)| operation);
    let size = if cell.size == 0 { String::new() } else { format!(" {}", size(cell.size)) };
    escaped(&format!("{operation} {}{size}", cell.model))
}

/// `**0.55**; ipp 0.89, botan 0.97; 1.62 (1.60 to 1.64)`.
fn shown(figure: &Figure) -> String {
    let peers = figure.peers.iter().take(PEERS).map(|peer| {
        format!("{} {}{}", escaped(&peer.engine), short(peer.figure), mark(peer.disturbed))
    });
    let peers: Vec<String> = peers.collect();
    let ours = format!("**{}**{}", short(figure.ours.figure), mark(figure.ours.disturbed));
    match &figure.best {
        None => ours,
        Some(_) => format!("{ours}; {}; {}", peers.join(", "), ratio(figure)),
    }
}

/// `1.62 (1.60 to 1.64)`, and `behind` or `tied`.
pub(super) fn ratio(figure: &Figure) -> String {
    let Some(best) = &figure.best else { return String::new() };
    let [ratio, low, high] = [best.ratio, best.low, best.high].map(short);
    let verdict =
        if best.verdict == "ahead" { String::new() } else { format!(" {}", best.verdict) };
    format!("{ratio} ({low} to {high}){verdict}")
}

pub(super) const fn mark(disturbed: bool) -> &'static str {
    if disturbed { "~" } else { "" }
}

/// Three or four digits, whatever the size.
pub(super) fn short(value: f64) -> String {
    match value {
        v if v < 0.1 => format!("{v:.3}"),
        v if v < 10.0 => format!("{v:.2}"),
        v if v < 100.0 => format!("{v:.1}"),
        v => format!("{v:.0}"),
    }
}

/// `16 B`, `8 KiB`, `1 MiB`.
pub(super) fn size(bytes: u64) -> String {
    for (unit, name) in [(1 << 20, "MiB"), (1 << 10, "KiB")] {
        if bytes >= unit && bytes.is_multiple_of(unit) {
            return format!("{} {name}", bytes / unit);
        }
    }
    format!("{bytes} B")
}

/// Text that is neither Markdown nor HTML.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            '\n' | '\r' => out.push(' '),
            '|' | '*' | '_' | '[' | ']' | '`' | '\\' | '#' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}
