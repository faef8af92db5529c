//! The report in a terminal: machine, headline, tables, footnotes, what is missing.

mod claims;

use comfy_table::{
    Attribute, Cell, CellAlignment, Color, ContentArrangement, LineStyle, Table, TableStyle,
};

use super::table::{self, Block, Line};
use super::{figure as figures, headline, method, missing};
use crate::record::Results;
use crate::study::Lang;

/// What the terminal can show.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Columns of text; none where the output is not a terminal.
    pub width: Option<usize>,
    /// Whether to use colour. Nothing is said by colour alone.
    pub color: bool,
}

/// The whole report as text, ending in a line break.
#[must_use]
pub fn render(results: &Results, style: Style) -> String {
    let shown = figures::shown(results);
    let results = shown.as_ref();
    let mut out = String::new();
    let machine = &results.machine;
    let mut card = format!("{}; levels {}", machine.cpu, machine.levels.join(", "));
    if machine.tsc_hz > 0.0 {
        card.push_str(&format!("; time-stamp counter {:.3} GHz", machine.tsc_hz / 1e9));
    }
    paragraph(&mut out, &card, style);
    for sentence in headline(results) {
        out.push('\n');
        paragraph(&mut out, &sentence, style);
    }
    claims::render(&mut out, results, style);
    for block in table::blocks(results) {
        out.push('\n');
        render_block(&mut out, &block, figures::per_byte_unit(results, Lang::En), style);
    }
    let gaps = missing::gaps(results, Lang::En);
    if !gaps.is_empty() {
        out.push_str("\nNot measured, and why\n");
        for gap in gaps {
            let text = format!("{}: {} [{}]", gap.engine, gap.reason, gap.cells.join("; "));
            item(&mut out, "-", &text, style);
        }
    }
    out.push('\n');
    for line in method::run(results, Lang::En) {
        paragraph(&mut out, &line, style);
    }
    out
}

fn render_block(out: &mut String, block: &Block, unit: &str, style: Style) {
    let title = match block.lines.first() {
        Some(line) if block.one_work() => {
            format!("{} ({}; c/B is {unit}, smaller is faster)", block.algorithm, line.work)
        }
        _ => format!("{} (c/B is {unit}, smaller is faster)", block.algorithm),
    };
    out.push_str(&if style.color { format!("\x1b[1m{title}\x1b[0m") } else { title });
    out.push('\n');
    for columns in split(block, style.width) {
        out.push_str(&part(block, &columns, style));
        out.push('\n');
    }
    for remark in &block.remarks {
        item(out, "all", remark, style);
    }
    for (index, note) in block.notes.iter().enumerate() {
        item(out, &mark(index), note, style);
    }
    let cells = || block.lines.iter().flat_map(|line| &line.cells);
    if cells().any(|cell| matches!(cell, table::Cell::NotAsked)) {
        item(out, NOT_ASKED, "not part of this study", style);
    }
}

const NOT_ASKED: &str = "·";

/// The columns of figures that fit beside the names, table after table.
fn split(block: &Block, width: Option<usize>) -> Vec<Vec<usize>> {
    let all: Vec<usize> = (0..block.columns.len()).collect();
    let Some(width) = width else { return vec![all] };
    // A column is followed by its padding and the place of a rule.
    let room =
        |texts: &mut dyn Iterator<Item = String>| 2 + texts.map(|t| chars(&t)).max().unwrap_or(0);
    let names: usize = (0..name_headings(block).len())
        .map(|i| {
            let heading = name_headings(block)[i].to_owned();
            let lines = block.lines.iter().map(|line| names(block, line)[i].clone());
            room(&mut std::iter::once(heading).chain(lines))
        })
        .sum();
    let mut parts: Vec<Vec<usize>> = vec![Vec::new()];
    let mut used = names;
    for index in all {
        let (what, unit) = block.columns[index].heading();
        let marks = marks(block, index);
        let texts = block.lines.iter().map(|line| cell_text(&line.cells[index], marks));
        let need = room(&mut [what, unit.to_owned()].into_iter().chain(texts));
        let last = parts.len() - 1;
        if used + need > width && !parts[last].is_empty() {
            parts.push(vec![index]);
            used = names + need;
        } else {
            parts[last].push(index);
            used += need;
        }
    }
    parts
}

/// Rules above, below and under the heading; none between rows.
pub(super) const RULES: TableStyle = {
    let rule = LineStyle::none().fill('─').junction('─');
    TableStyle::new().top_border(rule).header_separator(rule).bottom_border(rule)
};

fn name_headings(block: &Block) -> Vec<&'static str> {
    if block.one_work() {
        vec!["operation", "engine", "level"]
    } else {
        vec!["operation", "work", "engine", "level"]
    }
}

fn names(block: &Block, line: &Line) -> Vec<String> {
    let mut names = vec![line.operation.clone()];
    if !block.one_work() {
        names.push(line.work.clone());
    }
    names.extend([line.engine.clone(), line.level.clone()]);
    names
}

fn part(block: &Block, columns: &[usize], style: Style) -> String {
    let mut table = Table::new();
    table.load_style(RULES);
    table.set_content_arrangement(ContentArrangement::Disabled);
    if style.color {
        table.enforce_styling();
    } else {
        table.force_no_tty();
    }
    let mut heading: Vec<Cell> = name_headings(block).into_iter().map(Cell::new).collect();
    heading.extend(columns.iter().map(|index| {
        let (what, unit) = block.columns[*index].heading();
        Cell::new(format!("{what}\n{unit}")).set_alignment(CellAlignment::Right)
    }));
    table.set_header(heading);
    let mut before: Option<&Line> = None;
    for line in &block.lines {
        // An empty line where another operation or model begins.
        if before.is_some_and(|b| (&b.operation, &b.work) != (&line.operation, &line.work)) {
            table.add_row([""]);
        }
        before = Some(line);
        let mut cells: Vec<Cell> = names(block, line).into_iter().map(Cell::new).collect();
        cells.extend(columns.iter().map(|index| {
            let text = cell_text(&line.cells[*index], marks(block, *index));
            figure(&line.cells[*index], text)
        }));
        table.add_row(cells);
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 1));
    }
    table.trim_fmt()
}

fn figure(cell: &table::Cell, text: String) -> Cell {
    let shown = Cell::new(text).set_alignment(CellAlignment::Right);
    match cell {
        // Blue and yellow stay apart under every common colour blindness.
        table::Cell::Figure { best: true, .. } => {
            shown.fg(Color::Blue).add_attribute(Attribute::Bold)
        }
        table::Cell::Figure { notes, .. } if !notes.is_empty() => shown.fg(Color::Yellow),
        _ => shown,
    }
}

/// The text of a cell, its marks filled up with blanks so that figures stay aligned.
fn cell_text(cell: &table::Cell, room: usize) -> String {
    let text = match cell {
        table::Cell::Figure { text, .. } => text.as_str(),
        table::Cell::Missing(_) => "–",
        table::Cell::NotAsked => NOT_ASKED,
    };
    let marks = cell_marks(cell);
    // A blank that doesn't break: the table would trim others.
    let fill = "\u{a0}".repeat(room - chars(&marks));
    format!("{text}{marks}{fill}")
}

fn cell_marks(cell: &table::Cell) -> String {
    match cell {
        table::Cell::Figure { notes, .. } => {
            let marks: Vec<String> = notes.iter().map(|index| mark(*index)).collect();
            marks.join("˒")
        }
        table::Cell::Missing(index) => mark(*index),
        table::Cell::NotAsked => String::new(),
    }
}

/// The room that the marks of a column need.
fn marks(block: &Block, column: usize) -> usize {
    let marks = block.lines.iter().map(|line| chars(&cell_marks(&line.cells[column])));
    marks.max().unwrap_or(0)
}

/// A raised number, from 1.
pub(super) fn mark(index: usize) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digits = (index + 1).to_string();
    digits.bytes().map(|digit| RAISED[usize::from(digit - b'0')]).collect()
}

fn chars(text: &str) -> usize {
    text.chars().count()
}

/// A line in bold, where the terminal can.
pub(super) fn bold(text: &str, style: Style) -> String {
    if style.color { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() }
}

pub(super) fn paragraph(out: &mut String, text: &str, style: Style) {
    wrap(out, text, 0, style.width);
}

pub(super) fn item(out: &mut String, mark: &str, text: &str, style: Style) {
    out.push_str(&format!(" {mark} "));
    wrap(out, text, chars(mark) + 2, style.width);
}

/// Wraps at blanks; lines after the first are indented. Control characters are
/// shown as `?`, so that a results file from elsewhere can't drive the terminal.
fn wrap(out: &mut String, text: &str, indent: usize, width: Option<usize>) {
    let width = width.unwrap_or(usize::MAX).max(indent + 20);
    let mut used = indent;
    for (i, word) in text.split_whitespace().enumerate() {
        if i > 0 && used + 1 + chars(word) > width {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent));
            used = indent;
        } else if i > 0 {
            out.push(' ');
            used += 1;
        }
        out.extend(word.chars().map(|c| if c.is_control() { '?' } else { c }));
        used += chars(word);
    }
    out.push('\n');
}
