//! The report as one self-contained page: no script, nothing fetched.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment};
use serde::Serialize;

use super::chart::{self, Chart};
use super::missing::{self, Gap};
use super::table::{self, Block, Column};
use super::{ReportError, claims, headline, method};
use crate::record::{EngineRecord, FloorRecord, Results};
use crate::study::Lang;

/// What the template sees.
#[derive(Serialize)]
struct Page<'r> {
    style: &'static str,
    cpu: &'r str,
    created: &'r str,
    command: &'r str,
    engines: &'r [EngineRecord],
    algorithms: String,
    headline: Vec<String>,
    claims: Vec<claims::Group>,
    verdicts: Vec<String>,
    machine: Vec<(String, String)>,
    levels: Vec<Chart>,
    sizes: Vec<Chart>,
    tables: Vec<TableView>,
    floors: Vec<FloorView<'r>>,
    models: Vec<(&'static str, &'static str)>,
    run: Vec<String>,
    gaps: Vec<Gap>,
}

/// A block as the template prints it.
#[derive(Serialize)]
struct TableView {
    id: String,
    algorithm: String,
    columns: Vec<(String, &'static str)>,
    groups: Vec<GroupView>,
    notes: Vec<String>,
    remarks: Vec<String>,
    not_asked: bool,
}

/// The lines that did the same work.
#[derive(Serialize)]
struct GroupView {
    operation: String,
    work: String,
    lines: Vec<LineView>,
}

#[derive(Serialize)]
struct LineView {
    engine: String,
    level: String,
    cells: Vec<CellView>,
}

#[derive(Serialize)]
struct CellView {
    text: String,
    class: &'static str,
    notes: Vec<usize>,
}

/// An operation's floor as the template prints it.
#[derive(Serialize)]
struct FloorView<'r> {
    operation: &'r str,
    level: &'r str,
    what: &'r str,
    measured: String,
    floor: String,
    percent: String,
    binds: &'r str,
}

/// The page.
///
/// # Errors
/// [`ReportError::Render`].
pub fn page(results: &Results) -> Result<String, ReportError> {
    let failed =
        |error: minijinja::Error| ReportError::Render { part: "page", reason: error.to_string() };
    let mut environment = Environment::new();
    // The template's name doesn't decide: nothing goes out unescaped but the
    // charts and the style sheet, which the template marks itself.
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    let syntax =
        SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build().map_err(failed)?;
    environment.set_syntax(syntax);
    environment
        .add_template("report.html", include_str!("templates/report.html"))
        .map_err(failed)?;
    let blocks = table::blocks(results);
    let page = Page {
        style: include_str!("templates/style.css"),
        cpu: &results.machine.cpu,
        created: &results.created,
        command: &results.command,
        engines: &results.engines,
        algorithms: blocks.iter().map(|b| b.algorithm.as_str()).collect::<Vec<_>>().join(", "),
        headline: headline(results),
        claims: claims::groups(results),
        verdicts: claims::summary(results),
        machine: method::machine(results, Lang::En),
        levels: chart::levels(results)?,
        sizes: chart::sizes(results, Lang::En)?,
        tables: blocks.iter().map(table_view).collect(),
        floors: results.floors.iter().map(floor_view).collect(),
        models: method::models(results, Lang::En),
        run: method::run(results, Lang::En),
        gaps: missing::gaps(results),
    };
    let template = environment.get_template("report.html").map_err(failed)?;
    template.render(Serde(&page)).map_err(failed)
}

fn floor_view(record: &FloorRecord) -> FloorView<'_> {
    FloorView {
        operation: &record.operation,
        level: &record.level,
        what: &record.what,
        measured: format!("{:.3}", record.measured),
        floor: format!("{:.3}", record.floor),
        percent: format!("{:.0}", record.percent),
        binds: &record.binds,
    }
}

fn table_view(block: &Block) -> TableView {
    let mut groups: Vec<GroupView> = Vec::new();
    for line in &block.lines {
        let cells = block.columns.iter().zip(&line.cells);
        let view = LineView {
            engine: line.engine.clone(),
            level: line.level.clone(),
            cells: cells.map(|(column, cell)| cell_view(*column, cell)).collect(),
        };
        let same =
            |group: &&mut GroupView| group.operation == line.operation && group.work == line.work;
        match groups.last_mut().filter(same) {
            Some(group) => group.lines.push(view),
            None => groups.push(GroupView {
                operation: line.operation.clone(),
                work: line.work.clone(),
                lines: vec![view],
            }),
        }
    }
    let cells = || block.lines.iter().flat_map(|line| &line.cells);
    TableView {
        id: anchor(&block.algorithm),
        algorithm: block.algorithm.clone(),
        columns: block.columns.iter().map(|column| column.heading()).collect(),
        groups,
        notes: block.notes.clone(),
        remarks: block.remarks.clone(),
        not_asked: cells().any(|cell| matches!(cell, table::Cell::NotAsked)),
    }
}

fn cell_view(column: Column, cell: &table::Cell) -> CellView {
    let number = |index: &usize| index + 1;
    match cell {
        table::Cell::Figure { text, notes, best } => CellView {
            text: if column == Column::Mbps { grouped(text) } else { text.clone() },
            class: if *best { "best" } else { "" },
            notes: notes.iter().map(number).collect(),
        },
        table::Cell::Missing(index) => {
            CellView { text: "–".into(), class: "none", notes: vec![number(index)] }
        }
        table::Cell::NotAsked => CellView { text: "·".into(), class: "none", notes: Vec::new() },
    }
}

/// Digits in threes, set apart by narrow blanks that don't break.
fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// A name as a fragment identifier.
fn anchor(name: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    name.chars().map(safe).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_from_the_right() {
        assert_eq!(
            ["1", "123", "1234", "1234567"].map(grouped),
            ["1", "123", "1\u{202f}234", "1\u{202f}234\u{202f}567"]
        );
    }
}
