//! The table in the studies' form: set-up cycles, stream in cycles per byte and
//! megabits a second, then one column for each message length.

use std::collections::BTreeMap;

use super::all_cpus::{calls, told};
use super::{algorithms, engine_rank, figure, level_rank, method};
use crate::record::{Results, Row, beside};
use crate::study::Lang;
use crate::{Mix, Model, Placement};

/// What a column holds; the order is that of the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Column {
    /// Cycles per set-up of key and IV.
    Init,
    /// Cycles per key schedule.
    Key,
    /// Cycles per byte of a long message.
    Stream,
    /// Megabits a second of the stream, or of the longest message where there is no stream.
    Mbps,
    /// Cycles per byte of messages of this many bytes.
    Size(u64),
}

impl Column {
    /// The heading: what, and in which unit.
    #[must_use]
    pub fn heading(self) -> (String, &'static str) {
        match self {
            Self::Init => ("init".into(), "cycles"),
            Self::Key => ("key".into(), "cycles"),
            Self::Stream => ("stream".into(), "c/B"),
            Self::Mbps => ("speed".into(), "Mbps"),
            Self::Size(bytes) => (figure::size_label(bytes), "c/B"),
        }
    }

    fn of(row: &Row) -> Self {
        match row.cell.model {
            Model::Init => Self::Init,
            Model::Key => Self::Key,
            Model::Stream => Self::Stream,
            _ => Self::Size(row.cell.size),
        }
    }
}

/// A figure, or why there is none.
#[derive(Clone, Debug)]
pub enum Cell {
    /// A measured figure.
    Figure {
        /// As printed.
        text: String,
        /// Indices into [`Block::notes`].
        notes: Vec<usize>,
        /// Whether nothing in the column that did the same work is faster.
        best: bool,
    },
    /// Asked for and not measured: index into [`Block::notes`].
    Missing(usize),
    /// Not part of the study.
    NotAsked,
}

/// One engine at one level doing one operation.
#[derive(Clone, Debug)]
pub struct Line {
    /// E.g. `ctr`.
    pub operation: String,
    /// What the columns of lengths mean here: the model and its conditions.
    pub work: String,
    /// The engine.
    pub engine: String,
    /// The level, `"-"` where the engine chooses.
    pub level: String,
    /// One cell a column.
    pub cells: Vec<Cell>,
}

/// The table of one algorithm.
#[derive(Clone, Debug)]
pub struct Block {
    /// E.g. `sm4`.
    pub algorithm: String,
    /// The columns of figures.
    pub columns: Vec<Column>,
    /// The lines: operations and models as measured, engines and levels in the order of the card.
    pub lines: Vec<Line>,
    /// Footnotes that cells point to.
    pub notes: Vec<String>,
    /// What holds for every figure of the block.
    pub remarks: Vec<String>,
}

impl Block {
    /// Whether all lines share one meaning of the columns of lengths.
    #[must_use]
    pub fn one_work(&self) -> bool {
        self.lines.windows(2).all(|pair| pair[0].work == pair[1].work)
    }
}

/// One block for each algorithm, in the order of the rows.
#[must_use]
pub fn blocks(results: &Results) -> Vec<Block> {
    algorithms(results).into_iter().map(|algorithm| block(results, algorithm)).collect()
}

/// A line while it is filled.
struct Draft<'r> {
    operation: &'r str,
    work: String,
    engine: &'r str,
    level: &'r str,
    rows: BTreeMap<Column, &'r Row>,
}

fn block(results: &Results, algorithm: &str) -> Block {
    let rows: Vec<&Row> =
        results.rows.iter().filter(|row| row.cell.algorithm == algorithm).collect();
    let drafts = drafts(results, &rows);

    let mut columns: Vec<Column> = rows.iter().map(|row| Column::of(row)).collect();
    if drafts.iter().any(|draft| speed(draft).is_some()) {
        columns.push(Column::Mbps);
    }
    columns.sort_unstable();
    columns.dedup();

    let general: Vec<String> = rows.first().map_or(Vec::new(), |first| {
        let shared = |text: &String| rows.iter().all(|row| remarks(row).contains(text));
        remarks(first).into_iter().filter(shared).collect()
    });
    let mut notes = Notes { general: &general, texts: Vec::new() };
    let lines = drafts
        .iter()
        .map(|draft| Line {
            operation: draft.operation.to_owned(),
            work: draft.work.clone(),
            engine: draft.engine.to_owned(),
            level: draft.level.to_owned(),
            cells: columns
                .iter()
                .map(|column| cell(results, algorithm, &drafts, draft, *column, &mut notes))
                .collect(),
        })
        .collect();
    Block { algorithm: algorithm.to_owned(), columns, lines, notes: notes.texts, remarks: general }
}

/// Gathers rows into lines. Set-up and stream figures hold for every model of
/// their engine, level and operation, so they stand on each such line.
fn drafts<'r>(results: &Results, rows: &[&'r Row]) -> Vec<Draft<'r>> {
    let mut drafts: Vec<Draft<'r>> = Vec::new();
    let sized = |row: &&&&Row| matches!(Column::of(row), Column::Size(_));
    for row in rows.iter().filter(|row| sized(&row)) {
        let work = work(row);
        place(&mut drafts, row, |draft| draft.work == work, || work.clone());
    }
    for row in rows.iter().filter(|row| !sized(&row)) {
        let column = Column::of(row);
        let mut stands = false;
        for draft in drafts.iter_mut().filter(|draft| same_line(draft, row)) {
            if let std::collections::btree_map::Entry::Vacant(free) = draft.rows.entry(column) {
                free.insert(row);
                stands = true;
            }
        }
        if !stands {
            place(&mut drafts, row, |_| true, || alone(row));
        }
    }
    let mut operations: Vec<&str> = Vec::new();
    let mut works: Vec<String> = Vec::new();
    for draft in &drafts {
        if !operations.contains(&draft.operation) {
            operations.push(draft.operation);
        }
        if !works.contains(&draft.work) {
            works.push(draft.work.clone());
        }
    }
    drafts.sort_by_key(|draft| {
        (
            operations.iter().position(|known| *known == draft.operation),
            works.iter().position(|known| *known == draft.work),
            engine_rank(results, draft.engine),
            level_rank(results, draft.level),
        )
    });
    drafts
}

fn same_line(draft: &Draft<'_>, row: &Row) -> bool {
    draft.operation == row.cell.operation
        && draft.engine == row.engine
        && draft.level == row.cell.level
}

/// Puts a row into the first fitting line with a free cell, or into a new line.
fn place<'r>(
    drafts: &mut Vec<Draft<'r>>,
    row: &'r Row,
    fits: impl Fn(&Draft<'_>) -> bool,
    work: impl Fn() -> String,
) {
    let column = Column::of(row);
    let free = drafts
        .iter_mut()
        .find(|draft| same_line(draft, row) && fits(draft) && !draft.rows.contains_key(&column));
    match free {
        Some(draft) => {
            draft.rows.insert(column, row);
        }
        None => drafts.push(Draft {
            operation: &row.cell.operation,
            work: work(),
            engine: &row.engine,
            level: &row.cell.level,
            rows: BTreeMap::from([(column, row)]),
        }),
    }
}

/// The model and the conditions that are not the usual ones, e.g. `"batch of 16, keys ready"`.
#[must_use]
pub fn work(row: &Row) -> String {
    let mut text = match row.cell.model {
        Model::Batch => format!("batch of {}, keys {}", row.cell.messages, row.cell.keys),
        model => model.name().to_owned(),
    };
    if row.cell.mix != Mix::Equal {
        text.push_str(&format!(", {}", row.cell.mix));
    }
    if row.cell.threads > 1 {
        text.push_str(&format!(", {} threads", row.cell.threads));
    }
    if row.cell.aad_bytes > 0 {
        text.push_str(&format!(", AAD {} B", row.cell.aad_bytes));
    }
    if row.cell.placement != Placement::InPlace {
        text.push_str(&format!(", {}", row.cell.placement));
    }
    text.push_str(&beside(row));
    text
}

/// The name of a line that has no message lengths.
fn alone(row: &Row) -> String {
    match row.cell.model {
        Model::Stream => format!("stream of {}", figure::size_label(row.cell.size)),
        model => model.name().to_owned(),
    }
}

/// The row that a line's speed is taken from.
fn speed<'r>(draft: &Draft<'r>) -> Option<&'r Row> {
    let longest = || draft.rows.iter().rev().find(|(column, _)| matches!(column, Column::Size(_)));
    let row = draft.rows.get(&Column::Stream).or_else(|| longest().map(|(_, row)| row))?;
    row.mbps.map(|_| *row)
}

/// The figure of a line in a column; smaller is better for all but speed.
fn value(draft: &Draft<'_>, column: Column) -> Option<f64> {
    match column {
        Column::Mbps => speed(draft)?.mbps,
        Column::Init | Column::Key => draft.rows.get(&column)?.cycles_per_setup,
        Column::Stream | Column::Size(_) => draft.rows.get(&column)?.cycles_per_byte,
    }
}

fn cell(
    results: &Results,
    algorithm: &str,
    drafts: &[Draft<'_>],
    draft: &Draft<'_>,
    column: Column,
    notes: &mut Notes<'_>,
) -> Cell {
    let Some(figure) = value(draft, column) else {
        let reason = missing(results, algorithm, draft, column);
        return reason.map_or(Cell::NotAsked, |reason| Cell::Missing(notes.index(reason)));
    };
    let text = match column {
        Column::Init | Column::Key => figure::cycles(figure),
        Column::Mbps => figure::mbps(figure),
        Column::Stream | Column::Size(_) => figure::cycles_per_byte(figure),
    };
    let rivals = drafts
        .iter()
        .filter(|other| other.operation == draft.operation && other.work == draft.work);
    let values: Vec<f64> = rivals.filter_map(|other| value(other, column)).collect();
    let best = values.len() > 1
        && values.iter().all(|other| match column {
            Column::Mbps => *other <= figure,
            _ => *other >= figure,
        });
    // The speed repeats a figure that carries its own marks.
    let marks = match column {
        Column::Mbps => Vec::new(),
        _ => draft.rows.get(&column).map_or(Vec::new(), |row| notes.of(row)),
    };
    Cell::Figure { text, notes: marks, best }
}

/// Why a cell that was asked for is not there.
fn missing<'r>(
    results: &'r Results,
    algorithm: &str,
    draft: &Draft<'_>,
    column: Column,
) -> Option<&'r str> {
    let model = match column {
        Column::Init => "init",
        Column::Key => "key",
        Column::Stream | Column::Mbps => "stream",
        Column::Size(_) => draft.work.split([' ', ',']).next().unwrap_or(&draft.work),
    };
    let found = results.missing.iter().find(|gap| {
        gap.engine == draft.engine
            && gap.algorithm == algorithm
            && gap.operation == draft.operation
            && gap.model == model
            && (gap.level == draft.level || gap.level == "-")
    });
    found.map(|gap| gap.reason.as_str())
}

/// The footnotes of a block, each text once.
struct Notes<'b> {
    general: &'b [String],
    texts: Vec<String>,
}

impl Notes<'_> {
    fn index(&mut self, text: &str) -> usize {
        if let Some(index) = self.texts.iter().position(|known| known == text) {
            return index;
        }
        self.texts.push(text.to_owned());
        self.texts.len() - 1
    }

    /// The marks of a row.
    fn of(&mut self, row: &Row) -> Vec<usize> {
        let general = self.general;
        let texts = remarks(row).into_iter().filter(|text| !general.contains(text));
        let mut marks: Vec<usize> = texts.map(|text| self.index(&text)).collect();
        marks.sort_unstable();
        marks
    }
}

/// What a reader must know of a row: its flags, its clock, its remarks.
fn remarks(row: &Row) -> Vec<String> {
    let mut texts: Vec<String> =
        row.flags.iter().map(|flag| method::flag(flag, Lang::En)).collect();
    if row.clock != "tsc" {
        texts.push(format!("{} clock, converted to ticks", row.clock));
    }
    // Each remark of several is a note of its own, so that rows can share it.
    texts.extend(told(row));
    texts.extend(calls(row));
    texts.extend(row.remark.split("; ").filter(|text| !text.is_empty()).map(String::from));
    texts
}
