//! A joined sheet as text: made once, printed in the terminal, on the page and as Markdown.

use serde::Serialize;

use crate::report::{figure, method, zh};
use crate::sheet_join::{Gain, JoinedCell, JoinedSheet, Measured};
use crate::study::published::Published;
use crate::study::{Lang, PEER, Show, Text, View};

/// A table as text.
#[derive(Debug, Serialize)]
pub(in crate::report) struct SheetView {
    pub(in crate::report) id: String,
    pub(in crate::report) title: String,
    /// The headings of the views.
    pub(in crate::report) views: Vec<String>,
    /// Whether any cell has a published value.
    pub(in crate::report) published: bool,
    /// Whether any measured value stands beside a published one.
    pub(in crate::report) gains: bool,
    /// Whether its values are words, not figures.
    pub(in crate::report) words: bool,
    pub(in crate::report) groups: Vec<GroupView>,
    /// Reasons, remarks and flags, to which cells point.
    pub(in crate::report) notes: Vec<String>,
    /// What stands below the table.
    pub(in crate::report) remarks: Vec<String>,
}

/// Lines under one heading; an empty one where every line stands for itself.
#[derive(Debug, Serialize)]
pub(in crate::report) struct GroupView {
    pub(in crate::report) name: String,
    pub(in crate::report) lines: Vec<LineView>,
}

/// One cell of the sheet with its values.
#[derive(Debug, Serialize)]
pub(in crate::report) struct LineView {
    pub(in crate::report) name: String,
    pub(in crate::report) published: String,
    /// What the publication prints, where its value is mended.
    pub(in crate::report) prints: String,
    pub(in crate::report) cells: Vec<CellView>,
    /// The number of the line's own footnotes, from 1.
    pub(in crate::report) notes: Vec<usize>,
}

/// One value.
#[derive(Debug, Serialize)]
pub(in crate::report) struct CellView {
    pub(in crate::report) text: String,
    /// The 95 % interval of a ratio, or the peer that it is of.
    pub(in crate::report) detail: String,
    /// How many times as fast as the published value.
    pub(in crate::report) gain: String,
    /// Whether there is a value.
    pub(in crate::report) found: bool,
    /// The numbers of its footnotes, from 1.
    pub(in crate::report) notes: Vec<usize>,
}

/// What a reader sees of a sheet.
pub(super) fn view(joined: &JoinedSheet<'_>, lang: Lang) -> SheetView {
    let sheet = joined.sheet;
    let mut notes = Vec::new();
    // Of a table with one column the lines are the cells; of others each line is a group.
    let flat = sheet.columns.len() == 1;
    let mut groups: Vec<GroupView> = Vec::new();
    for cell in &joined.cells {
        let (line, column) = (&sheet.lines[cell.line].name, &sheet.columns[cell.column].name);
        let group = if flat { "" } else { line.of(lang) };
        let name = if flat { line } else { column }.of(lang).to_owned();
        let view = line_view(name, cell, &joined.views, &mut notes, lang);
        let first = cell.column == 0 && (cell.line == 0 || !flat);
        if first {
            groups.push(GroupView { name: group.to_owned(), lines: Vec::new() });
        }
        if let Some(group) = groups.last_mut() {
            group.lines.push(view);
        }
    }
    let mut views: Vec<String> =
        joined.views.iter().map(|it| it.title.of(lang).to_owned()).collect();
    // Nothing published and nothing side by side: the columns can be columns.
    let published = joined.cells.iter().any(|cell| cell.published.is_some());
    if !flat && !published && views.len() == 1 {
        views = sheet.columns.iter().map(|column| column.name.of(lang).to_owned()).collect();
        groups = vec![GroupView {
            name: String::new(),
            lines: groups.into_iter().map(across).collect(),
        }];
    }
    let lines = || groups.iter().flat_map(|group| &group.lines);
    let measured = || joined.cells.iter().flat_map(|cell| &cell.measured);
    SheetView {
        id: sheet.id.clone(),
        title: sheet.title.of(lang).to_owned(),
        views,
        published: lines().any(|line| !line.published.is_empty()),
        gains: lines().flat_map(|line| &line.cells).any(|cell| !cell.gain.is_empty()),
        words: measured().any(|it| matches!(it, Measured::Words(_)))
            && !measured().any(|it| matches!(it, Measured::Figure { .. })),
        groups,
        notes,
        remarks: sheet
            .notes
            .iter()
            .chain(&joined.remarks)
            .map(|it| it.of(lang).to_owned())
            .collect(),
    }
}

/// A group as one line.
fn across(group: GroupView) -> LineView {
    let mut notes: Vec<usize> = Vec::new();
    let mut cells = Vec::new();
    for line in group.lines {
        notes.extend(line.notes);
        cells.extend(line.cells);
    }
    notes.sort_unstable();
    notes.dedup();
    LineView { name: group.name, published: String::new(), prints: String::new(), cells, notes }
}

fn line_view(
    name: String,
    cell: &JoinedCell,
    views: &[View],
    notes: &mut Vec<String>,
    lang: Lang,
) -> LineView {
    let own = cell.remarks.iter().map(|it| note(notes, &told(it, lang))).collect();
    let cells = views
        .iter()
        .zip(&cell.measured)
        .map(|(view, measured)| cell_view(cell, view, measured, notes, lang));
    let prints = cell.prints.as_ref().map(|it| it.of(lang));
    LineView {
        name,
        published: published(cell, lang),
        prints: prints
            .map(|it| format!("{} {it}", lang.pick("printed:", "原文：")))
            .unwrap_or_default(),
        cells: cells.collect(),
        notes: own,
    }
}

fn cell_view(
    cell: &JoinedCell,
    view: &View,
    measured: &Measured,
    notes: &mut Vec<String>,
    lang: Lang,
) -> CellView {
    match measured {
        Measured::Nothing(why) => CellView {
            text: "–".to_owned(),
            detail: String::new(),
            gain: String::new(),
            found: false,
            notes: vec![note(notes, &told(why, lang))],
        },
        Measured::Words(words) => CellView {
            text: told(words, lang),
            detail: String::new(),
            gain: String::new(),
            found: true,
            notes: Vec::new(),
        },
        Measured::Figure { value, range, by, flags } => {
            let peer = view.pick.engine.as_deref() == Some(PEER);
            let relative = matches!(cell.show, Show::Ratio | Show::Improvement);
            let detail = match range {
                _ if peer => by.clone(),
                Some((low, high)) if relative => {
                    let to = lang.pick("to", "至");
                    format!(
                        "{} {to} {}",
                        figure_text(cell.show, *low),
                        figure_text(cell.show, *high)
                    )
                }
                _ => String::new(),
            };
            let beside = match cell.published {
                Some(Published::Number(published)) => cell.beside(published, *value),
                _ => None,
            };
            CellView {
                text: figure_text(cell.show, *value),
                detail,
                gain: beside.map(gain_text).unwrap_or_default(),
                found: true,
                notes: flags.iter().map(|flag| note(notes, &method::flag(flag, lang))).collect(),
            }
        }
    }
}

/// Words in a language: what an engine says is English in both of a text's.
fn told(text: &Text, lang: Lang) -> String {
    match lang {
        Lang::Zh if text.of(Lang::En) == text.of(Lang::Zh) => zh::told(text.of(lang)),
        _ => text.of(lang).to_owned(),
    }
}

/// The number of a footnote, from 1.
fn note(notes: &mut Vec<String>, text: &str) -> usize {
    match notes.iter().position(|known| known == text) {
        Some(place) => place + 1,
        None => {
            notes.push(text.to_owned());
            notes.len()
        }
    }
}

fn published(cell: &JoinedCell, lang: Lang) -> String {
    if let Some(said) = &cell.said {
        return said.of(lang).to_owned();
    }
    match &cell.published {
        None => String::new(),
        Some(Published::Empty) => "–".to_owned(),
        Some(Published::Words(words)) => words.clone(),
        Some(Published::Number(number)) if cell.show == Show::Improvement => {
            format!("{number} %")
        }
        Some(Published::Number(number)) => number.to_string(),
    }
}

/// A figure with as many digits as it can bear.
pub(super) fn figure_text(show: Show, value: f64) -> String {
    match show {
        Show::Cycles | Show::Mbps | Show::IvBits | Show::LinePerCall | Show::KbPerS => {
            figure::cycles(value)
        }
        Show::CyclesPerByte | Show::LinePerByte => figure::cycles_per_byte(value),
        Show::Count => format!("{value:.0}"),
        Show::Percent | Show::CoresFor20Gbps => format!("{value:.2}"),
        Show::Ratio => format!("{value:.3}"),
        Show::Improvement => format!("{value:+.1} %"),
        Show::Ns | Show::Us | Show::Seconds | Show::GbPerS => match value.abs() {
            size if size >= 100.0 => format!("{value:.1}"),
            size if size >= 1.0 => format!("{value:.3}"),
            _ => format!("{value:.4}"),
        },
    }
}

fn gain_text(gain: Gain) -> String {
    match gain {
        Gain::Times(times) => format!("×{}", figure::ratio(times)),
        Gain::Points(points) => format!("{points:+.1}"),
    }
}
