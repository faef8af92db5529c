//! The report as one self-contained page: no script, nothing fetched.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment};
use serde::Serialize;

use super::chart::{self, Bars, Chart};
use super::missing::{self, Gap};
use super::picture::{Picture, picture};
use super::table::{self, Block, Column};
use super::{ReportError, claims, figure, headline, method};
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
    card: String,
    picture: Picture,
    headline: Vec<String>,
    /// What figures are in: `core cycles` or `ticks`.
    unit: &'static str,
    claims: Vec<claims::Group>,
    verdicts: Vec<String>,
    machine: Vec<(String, String)>,
    levels: Vec<Bars>,
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
    groups: Vec<GroupView>,
    notes: Vec<String>,
    remarks: Vec<String>,
    not_asked: bool,
}

/// The lines that did the same work: a table of its own, without columns that are empty in it.
#[derive(Serialize)]
struct GroupView {
    id: String,
    operation: String,
    work: String,
    columns: Vec<(String, &'static str)>,
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
    let shown = figure::shown(results);
    let results = shown.as_ref();
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
        .add_template(
            "report.html",
            concat!(include_str!("templates/parts.html"), include_str!("templates/report.html")),
        )
        .map_err(failed)?;
    let blocks = table::blocks(results);
    let page = Page {
        style: include_str!("templates/style.css"),
        cpu: &results.machine.cpu,
        created: &results.created,
        command: &results.command,
        engines: &results.engines,
        algorithms: blocks.iter().map(|b| b.algorithm.as_str()).collect::<Vec<_>>().join(", "),
        card: card(results),
        picture: picture(results),
        headline: headline(results),
        unit: figure::unit_of(results, Lang::En),
        claims: claims::groups(results),
        verdicts: claims::summary(results),
        machine: method::machine(results, Lang::En),
        levels: chart::levels(results),
        sizes: chart::sizes(results, Lang::En)?,
        tables: blocks.iter().map(table_view).collect(),
        floors: results.floors.iter().map(floor_view).collect(),
        models: method::models(results, Lang::En),
        run: method::run(results, Lang::En),
        gaps: missing::gaps(results, Lang::En),
    };
    let template = environment.get_template("report.html").map_err(failed)?;
    template.render(Serde(&page)).map_err(failed)
}

/// The machine in a line.
fn card(results: &Results) -> String {
    let machine = &results.machine;
    let mut card =
        format!("{}, {}", machine.cpu, figure::count(machine.cores as u64, "CPU", "CPUs"));
    if let Some(rate) = results.core_per_tick() {
        card.push_str(&format!(", at most {rate:.2} core cycles a tick"));
    }
    match machine.default_level.as_deref() {
        Some(level) => card + &format!(", level {level} unless another is named"),
        None => card,
    }
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
    let id = anchor(&block.algorithm);
    let mut parts: Vec<Vec<&table::Line>> = Vec::new();
    for line in &block.lines {
        let same = |part: &&mut Vec<&table::Line>| {
            part[0].operation == line.operation && part[0].work == line.work
        };
        match parts.last_mut().filter(same) {
            Some(part) => part.push(line),
            None => parts.push(vec![line]),
        }
    }
    let groups = parts.iter().enumerate();
    let cells = || block.lines.iter().flat_map(|line| &line.cells);
    TableView {
        groups: groups
            .map(|(number, lines)| group_view(block, lines, format!("{id}-{}", number + 1)))
            .collect(),
        id,
        algorithm: block.algorithm.clone(),
        notes: block.notes.clone(),
        remarks: block.remarks.clone(),
        not_asked: cells().any(|cell| matches!(cell, table::Cell::NotAsked)),
    }
}

fn group_view(block: &Block, lines: &[&table::Line], id: String) -> GroupView {
    let asked = |place: &usize| {
        lines.iter().any(|line| !matches!(line.cells[*place], table::Cell::NotAsked))
    };
    let places: Vec<usize> = (0..block.columns.len()).filter(asked).collect();
    let view = |line: &&table::Line| LineView {
        engine: line.engine.clone(),
        level: line.level.clone(),
        cells: places.iter().map(|it| cell_view(block.columns[*it], &line.cells[*it])).collect(),
    };
    GroupView {
        id,
        operation: lines[0].operation.clone(),
        work: lines[0].work.clone(),
        columns: places.iter().map(|it| block.columns[*it].heading()).collect(),
        lines: lines.iter().map(view).collect(),
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
