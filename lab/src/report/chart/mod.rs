//! Charts as HTML or inline SVG: no script, no outside font, a description for those who can't see
//! them, colours that follow the page's, light or dark.

mod bars;
pub(super) mod flame;
pub(super) mod groups;
pub(super) mod heat;
mod lines;
mod palette;
pub(super) mod plot;
pub(super) mod spread;
pub(super) mod track;

use plotters::prelude::*;

pub use bars::{Bar, Bars};

use super::ReportError;
use crate::record::{Results, Row};
use crate::study::Lang;

/// One chart.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Chart {
    /// The heading above it.
    pub title: String,
    /// The same facts in words, also the SVG's description.
    pub description: String,
    /// The picture: one `svg` element.
    pub svg: String,
}

/// Bars of levels and engines at one length, for each algorithm with at least two.
#[must_use]
pub fn levels(results: &Results) -> Vec<Bars> {
    bars::charts(results)
}

/// Charts of cycles per byte against length, one for each operation and model
/// with at least two lengths.
///
/// # Errors
/// [`ReportError::Render`].
pub fn sizes(results: &Results, lang: Lang) -> Result<Vec<Chart>, ReportError> {
    lines::charts(results, lang)
}

/// The chart of cycles per byte against length for series with names of their own.
///
/// # Errors
/// [`ReportError::Render`].
pub(super) fn series(
    id: &str,
    title: &str,
    series: &[(String, Vec<&Row>)],
    results: &Results,
    lang: Lang,
) -> Result<Chart, ReportError> {
    lines::named(id, title, series, results, lang)
}

/// A series' name: the engine, and its level if it has any.
fn label(engine: &str, level: &str) -> String {
    let text = match level {
        "-" | "" => engine.to_owned(),
        level => format!("{engine} {level}"),
    };
    // XML has no control characters.
    text.chars().filter(|c| !c.is_control()).collect()
}

type Canvas<'s> = DrawingArea<SVGBackend<'s>, plotters::coord::Shift>;

/// Draws on an empty canvas and gives the picture its title and description.
fn draw(
    id: &str,
    title: &str,
    description: &str,
    (width, height): (u32, u32),
    paint: impl FnOnce(&Canvas<'_>) -> Result<(), String>,
) -> Result<Chart, ReportError> {
    let failed = |reason: String| ReportError::Render { part: "charts", reason };
    let mut svg = String::new();
    {
        let canvas = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
        paint(&canvas).map_err(failed)?;
        canvas.present().map_err(|error| failed(error.to_string()))?;
    }
    // The backend fixes the size in pixels and can't name the picture; the page scales it.
    let start = svg.find("<svg").ok_or_else(|| failed("no picture was made".into()))?;
    let body = start
        + 1
        + svg[start..].find('>').ok_or_else(|| failed("the picture is cut off".into()))?;
    let body = palette::themed(svg[body..].trim());
    let svg = format!(
        "<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"{id}-t {id}-d\">\
         <title id=\"{id}-t\">{}</title><desc id=\"{id}-d\">{}</desc>{}",
        escape(title),
        escape(description),
        body,
    );
    Ok(Chart { title: title.to_owned(), description: description.to_owned(), svg })
}

fn escape(text: &str) -> String {
    let text: String = text.chars().filter(|c| !c.is_control()).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Turns any error of the drawing library into its words.
fn words<E: std::fmt::Display>(error: E) -> String {
    error.to_string()
}

/// Text of so many pixels where the picture is as wide as it was drawn: the drawing library writes
/// a size that is smaller by a quarter.
fn text_style(size: u32) -> TextStyle<'static> {
    let size = size + size / 5;
    ("system-ui, sans-serif", size).into_font().color(&palette::INK)
}
