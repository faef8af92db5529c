//! The report of a study in a terminal.

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table};

use super::claims::ClaimView;
use super::sheet::SheetView;
use super::{View, claims as verdicts};
use crate::record::Results;
use crate::report::screen::{columns, fitted};
use crate::report::terminal::{RULES, Style, item, mark, paragraph};
use crate::report::{ReportError, method};
use crate::study::{Lang, Study};

/// The whole report as text, ending in a line break.
///
/// # Errors
/// [`ReportError::Render`].
pub fn render(
    study: &Study,
    results: &Results,
    lang: Lang,
    style: Style,
) -> Result<String, ReportError> {
    let shown = crate::report::figure::shown(results);
    let results = shown.as_ref();
    let view = View::new(study, results, lang)?;
    let mut out = String::new();
    heading(&mut out, &view.title, style);
    paragraph(&mut out, &results.machine.cpu, style);
    for sheet in &view.sheets {
        out.push('\n');
        heading(&mut out, &sheet.title, style);
        out.push_str(&table(sheet, lang, style));
        out.push('\n');
        for (index, note) in sheet.notes.iter().enumerate() {
            item(&mut out, &mark(index), note, style);
        }
        for remark in &sheet.remarks {
            paragraph(&mut out, remark, style);
        }
    }
    claims(&mut out, &view, style);
    if !view.contradictions.is_empty() {
        out.push('\n');
        heading(
            &mut out,
            lang.pick("Where the study contradicts itself", "原文自相矛盾之处"),
            style,
        );
        view.contradictions.iter().for_each(|it| item(&mut out, "-", it, style));
    }
    out.push('\n');
    for line in method::run(results, lang) {
        paragraph(&mut out, &line, style);
    }
    // The message comes last, where it is seen.
    let summary = verdicts::summary(&results.claims, lang);
    if !summary.is_empty() {
        out.push('\n');
    }
    summary.iter().for_each(|line| paragraph(&mut out, line, style));
    Ok(out)
}

/// What became of each conclusion, a line each, and the counts: what fits a screen.
///
/// # Errors
/// [`ReportError::Render`].
pub fn screen(
    study: &Study,
    results: &Results,
    lang: Lang,
    style: Style,
) -> Result<String, ReportError> {
    /// The columns of what became of it.
    const TOLD: usize = 44;
    let shown = crate::report::figure::shown(results);
    let results = shown.as_ref();
    let view = View::new(study, results, lang)?;
    let width = columns(style);
    // A Chinese letter is two columns wide.
    let columns_each = if lang == Lang::Zh { 2 } else { 1 };
    let room = |taken: usize| width.saturating_sub(taken) / columns_each;
    let mut out = String::new();
    let title = format!("{}; {}", view.title, results.machine.cpu);
    heading(&mut out, &fitted(&title, room(0)), style);
    out.push('\n');
    for claim in &view.claims {
        let told = fitted(&told(claim), TOLD);
        let statement = fitted(&claim.statement, room(TOLD + 1));
        out.push_str(&format!("{told:<TOLD$} {statement}\n"));
    }
    out.push('\n');
    for line in verdicts::summary(&results.claims, lang) {
        paragraph(&mut out, &line, Style { width: Some(room(0)), ..style });
    }
    let more = lang.pick(
        "Every table, interval and reason: --table, or the page.",
        "全部表格、区间与理由：加 --table，或见页面。",
    );
    paragraph(&mut out, more, style);
    Ok(out)
}

/// The verdict of a claim with its figure; of one that was judged in several places, how often each
/// was given.
fn told(claim: &ClaimView) -> String {
    if let [line] = claim.lines.as_slice() {
        return match line.measured.as_str() {
            "–" => line.verdict.clone(),
            measured => format!("{} {measured}", line.verdict),
        };
    }
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for line in &claim.lines {
        match counts.iter_mut().find(|(verdict, _)| *verdict == line.verdict) {
            Some((_, count)) => *count += 1,
            None => counts.push((&line.verdict, 1)),
        }
    }
    let counts = counts.iter().map(|(verdict, count)| format!("{verdict} {count}"));
    counts.collect::<Vec<_>>().join(", ")
}

fn heading(out: &mut String, text: &str, style: Style) {
    out.push_str(&if style.color {
        format!("\x1b[1m{text}\x1b[0m\n")
    } else {
        format!("{text}\n")
    });
}

fn plain(style: Style) -> Table {
    let mut table = Table::new();
    table.load_style(RULES);
    table.set_content_arrangement(ContentArrangement::Disabled);
    if style.color {
        table.enforce_styling();
    } else {
        table.force_no_tty();
    }
    table
}

fn finish(mut table: Table, texts: usize) -> String {
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 1));
        if index >= texts {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt()
}

fn table(sheet: &SheetView, lang: Lang, style: Style) -> String {
    let mut table = plain(style);
    let grouped = sheet.groups.iter().any(|group| !group.name.is_empty());
    let mut heads = vec![String::new(); 1 + usize::from(grouped)];
    if sheet.published {
        heads.push(lang.pick("published", "公布").to_owned());
    }
    for view in &sheet.views {
        heads.push(view.clone());
        if sheet.gains {
            heads.push(lang.pick("ratio", "倍数").to_owned());
        }
    }
    table.set_header(heads);
    for group in &sheet.groups {
        for (number, line) in group.lines.iter().enumerate() {
            let mut cells = Vec::new();
            if grouped {
                cells.push(if number == 0 { group.name.clone() } else { String::new() });
            }
            cells.push(format!("{}{}", line.name, marks(&line.notes)));
            if sheet.published {
                let prints = match line.prints.as_str() {
                    "" => String::new(),
                    words => format!(" ({words})"),
                };
                cells.push(format!("{}{prints}", line.published));
            }
            for cell in &line.cells {
                let detail = match cell.detail.as_str() {
                    "" => String::new(),
                    words => format!(" ({words})"),
                };
                cells.push(format!("{}{detail}{}", cell.text, marks(&cell.notes)));
                if sheet.gains {
                    cells.push(cell.gain.clone());
                }
            }
            table.add_row(cells.into_iter().map(Cell::new));
        }
    }
    finish(table, 1 + usize::from(grouped))
}

fn marks(notes: &[usize]) -> String {
    notes.iter().map(|number| mark(number - 1)).collect::<Vec<_>>().join("˒")
}

fn claims(out: &mut String, view: &View<'_>, style: Style) {
    let lang = view.lang;
    for claim in &view.claims {
        out.push('\n');
        let stands =
            if claim.stands.is_empty() { String::new() } else { format!(" ({})", claim.stands) };
        let word = lang.pick("Claim", "结论");
        heading(out, &format!("{word}: {}{stands}", claim.statement), style);
        let mut table = plain(style);
        table.set_header([
            "",
            lang.pick("published", "公布"),
            lang.pick("measured", "实测"),
            lang.pick("95 % interval", "95 % 区间"),
            lang.pick("verdict", "判定"),
        ]);
        let mut remarks: Vec<&str> = Vec::new();
        for line in &claim.lines {
            let mut verdict = line.verdict.clone();
            if !line.remark.is_empty() {
                let place = remarks.iter().position(|it| *it == line.remark).unwrap_or_else(|| {
                    remarks.push(&line.remark);
                    remarks.len() - 1
                });
                verdict.push_str(&mark(place));
            }
            let texts = [&line.place, &line.published, &line.measured, &line.interval, &verdict];
            table.add_row(texts.map(Cell::new));
        }
        out.push_str(&finish(table, 1));
        out.push('\n');
        remarks.iter().enumerate().for_each(|(index, it)| item(out, &mark(index), it, style));
    }
}
