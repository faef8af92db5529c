//! The claims of a study in a terminal.

use comfy_table::{Cell, CellAlignment, Color, ContentArrangement, Table};

use super::{RULES, Style, item, mark, paragraph};
use crate::claims::Verdict;
use crate::record::Results;
use crate::report::claims::{Group, groups, summary};

/// Every claim with its ratios; nothing where a study has none.
pub(super) fn render(out: &mut String, results: &Results, style: Style) {
    let groups = groups(results);
    for group in &groups {
        out.push('\n');
        let title = format!("Claim: {}", group.statement);
        out.push_str(&if style.color { format!("\x1b[1m{title}\x1b[0m") } else { title });
        out.push('\n');
        paragraph(out, &group.measure, style);
        out.push_str(&table(group, style));
        out.push('\n');
        for (index, note) in group.notes.iter().enumerate() {
            item(out, &mark(index), note, style);
        }
    }
    if !groups.is_empty() {
        out.push('\n');
    }
    for sentence in summary(results) {
        paragraph(out, &sentence, style);
    }
}

fn table(group: &Group, style: Style) -> String {
    let mut table = Table::new();
    table.load_style(RULES);
    table.set_content_arrangement(ContentArrangement::Disabled);
    if style.color {
        table.enforce_styling();
    } else {
        table.force_no_tty();
    }
    let headings = ["engine", "level", "size", "published", "measured", "95 % interval", "verdict"];
    table.set_header(headings);
    for line in &group.lines {
        let marks = line.note.map_or(String::new(), |note| mark(note - 1));
        let verdict = Cell::new(format!("{}{marks}", line.verdict));
        // Blue and yellow stay apart under every common colour blindness.
        let verdict = match line.verdict.as_str() {
            text if text == Verdict::Holds.name() => verdict.fg(Color::Blue),
            text if [Verdict::Gone.name(), Verdict::Reversed.name()].contains(&text) => {
                verdict.fg(Color::Yellow)
            }
            _ => verdict,
        };
        let texts = [
            &line.engine,
            &line.level,
            &line.size,
            &line.published,
            &line.measured,
            &line.interval,
        ];
        table.add_row(texts.into_iter().map(Cell::new).chain([verdict]));
    }
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 1));
        if (2..=5).contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt()
}
