//! The cells of a study as a table for spreadsheets and scripts.

use serde::Serialize;

use super::joined;
use crate::record::Results;
use crate::report::ReportError;
use crate::sheet_join::{Gain, Measured};
use crate::study::published::Published;
use crate::study::{Lang, Study};

/// One view of one cell.
#[derive(Default, Serialize)]
struct Line<'s> {
    sheet: &'s str,
    line: &'s str,
    column: &'s str,
    pointer: &'s str,
    published: String,
    view: String,
    measured: String,
    low: Option<f64>,
    high: Option<f64>,
    times: Option<f64>,
    points: Option<f64>,
    by: &'s str,
    flags: String,
    reason: String,
}

/// The file's bytes: RFC 4180 with a header line; names and words in one language.
///
/// # Errors
/// [`ReportError::Render`].
pub fn render(study: &Study, results: &Results, lang: Lang) -> Result<Vec<u8>, ReportError> {
    let failed = |reason: String| ReportError::Render { part: "CSV", reason };
    let mut writer = csv::WriterBuilder::new().has_headers(true).from_writer(Vec::new());
    let shown = crate::report::figure::shown(results);
    let results = shown.as_ref();
    for joined in joined(study, results)? {
        let sheet = joined.sheet;
        for cell in &joined.cells {
            for (view, measured) in joined.views.iter().zip(&cell.measured) {
                let mut line = Line {
                    sheet: &sheet.id,
                    line: sheet.lines[cell.line].name.of(lang),
                    column: sheet.columns[cell.column].name.of(lang),
                    pointer: cell.pointer.as_deref().unwrap_or_default(),
                    view: view.title.of(lang).to_owned(),
                    ..Line::default()
                };
                line.published = match &cell.published {
                    Some(Published::Number(number)) => number.to_string(),
                    Some(Published::Words(words)) => words.clone(),
                    Some(Published::Empty) | None => String::new(),
                };
                match measured {
                    Measured::Figure { value, range, by, flags } => {
                        line.measured = value.to_string();
                        (line.low, line.high) =
                            range.map_or((None, None), |(l, h)| (Some(l), Some(h)));
                        line.by = by;
                        line.flags = flags.join("; ");
                        if let Some(Published::Number(published)) = cell.published {
                            match cell.beside(published, *value) {
                                Some(Gain::Times(times)) => line.times = Some(times),
                                Some(Gain::Points(points)) => line.points = Some(points),
                                None => {}
                            }
                        }
                    }
                    Measured::Words(words) => words.of(lang).clone_into(&mut line.measured),
                    Measured::Nothing(why) => why.of(lang).clone_into(&mut line.reason),
                }
                writer.serialize(line).map_err(|error| failed(error.to_string()))?;
            }
        }
    }
    writer.into_inner().map_err(|error| failed(error.to_string()))
}
