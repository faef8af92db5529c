//! The report of a study as Markdown.

use super::View;
use super::sheet::{CellView, SheetView};
use crate::record::Results;
use crate::report::{ReportError, method};
use crate::study::{Lang, Study};

/// The text, in one language.
///
/// # Errors
/// [`ReportError::Render`].
pub fn render(study: &Study, results: &Results, lang: Lang) -> Result<String, ReportError> {
    let shown = crate::report::figure::shown(results);
    let results = shown.as_ref();
    let view = View::new(study, results, lang)?;
    let mut out = format!("# {}\n\n{}\n\n", text(&view.title), text(&results.machine.cpu));
    for sheet in &view.sheets {
        table(&mut out, sheet, lang);
    }
    claims(&mut out, &view);
    let summary = super::claims::summary(&results.claims, lang);
    summary.iter().for_each(|line| out.push_str(&format!("{}\n\n", text(line))));
    if !view.contradictions.is_empty() {
        let title = lang.pick("Where the study contradicts itself", "原文自相矛盾之处");
        out.push_str(&format!("## {title}\n\n"));
        view.contradictions.iter().for_each(|it| out.push_str(&format!("- {}\n", text(it))));
        out.push('\n');
    }
    out.push_str(&format!("## {}\n\n", lang.pick("How it was measured", "测量方法")));
    method::run(results, lang).iter().for_each(|it| out.push_str(&format!("- {}\n", text(it))));
    Ok(out)
}

fn table(out: &mut String, sheet: &SheetView, lang: Lang) {
    out.push_str(&format!("## {}\n\n", text(&sheet.title)));
    let mut heads = vec![String::new(), String::new()];
    if sheet.published {
        heads.push(lang.pick("published", "公布").to_owned());
    }
    for view in &sheet.views {
        heads.push(text(view));
        if sheet.gains {
            heads.push(lang.pick("ratio", "倍数").to_owned());
        }
    }
    row(out, &heads);
    row(out, &vec!["---".to_owned(); heads.len()]);
    for group in &sheet.groups {
        for line in &group.lines {
            let marks = marks(&line.notes);
            let mut cells = vec![text(&group.name), format!("{}{marks}", text(&line.name))];
            if sheet.published {
                let prints = match line.prints.as_str() {
                    "" => String::new(),
                    words => format!(" ({})", text(words)),
                };
                cells.push(format!("{}{prints}", text(&line.published)));
            }
            for cell in &line.cells {
                cells.push(value(cell));
                if sheet.gains {
                    cells.push(cell.gain.clone());
                }
            }
            row(out, &cells);
        }
    }
    out.push('\n');
    for (number, note) in sheet.notes.iter().enumerate() {
        out.push_str(&format!("{}. {}\n", number + 1, text(note)));
    }
    for remark in &sheet.remarks {
        out.push_str(&format!("\n{}\n", text(remark)));
    }
    out.push('\n');
}

fn value(cell: &CellView) -> String {
    let detail =
        if cell.detail.is_empty() { String::new() } else { format!(" ({})", text(&cell.detail)) };
    format!("{}{detail}{}", text(&cell.text), marks(&cell.notes))
}

fn marks(notes: &[usize]) -> String {
    let numbers: Vec<String> = notes.iter().map(ToString::to_string).collect();
    if numbers.is_empty() { String::new() } else { format!(" [{}]", numbers.join(", ")) }
}

fn claims(out: &mut String, view: &View<'_>) {
    if view.claims.is_empty() {
        return;
    }
    let lang = view.lang;
    out.push_str(&format!("## {}\n\n", lang.pick("Claims", "结论的现状")));
    let heads = [
        lang.pick("claim", "结论"),
        lang.pick("where", "位置"),
        lang.pick("published", "公布"),
        lang.pick("measured", "实测"),
        lang.pick("95 % interval", "95 % 区间"),
        lang.pick("verdict", "判定"),
    ];
    row(out, &heads.map(str::to_owned));
    row(out, &vec!["---".to_owned(); heads.len()]);
    for claim in &view.claims {
        for line in &claim.lines {
            let remark = match line.remark.as_str() {
                "" => String::new(),
                words => format!(" ({})", text(words)),
            };
            row(
                out,
                &[
                    format!("{} ({})", text(&claim.statement), text(&claim.stands)),
                    text(&line.place),
                    line.published.clone(),
                    line.measured.clone(),
                    line.interval.clone(),
                    format!("{}{remark}", line.verdict),
                ],
            );
        }
    }
    out.push('\n');
}

fn row(out: &mut String, cells: &[String]) {
    out.push_str(&format!("| {} |\n", cells.join(" | ")));
}

/// Words that Markdown would read as something else are shown as they are.
fn text(words: &str) -> String {
    let mut out = String::new();
    for c in words.chars().filter(|c| !c.is_control()) {
        if "\\|`*_<>[]#".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
