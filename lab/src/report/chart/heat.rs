//! A heat map: operations by levels, each cell with its figure, darker being faster.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{Canvas, Chart, ReportError, draw, palette, text_style, words};

const WIDTH: i32 = 480;
/// The height of a name, and of the cells below it.
const NAME: i32 = 22;
const CELL: i32 = 26;
const ROW: i32 = NAME + CELL;
const TOP: i32 = 30;

/// One operation.
pub(in crate::report) struct Line {
    pub(in crate::report) name: String,
    /// For each level the speed where the first level of the line has 1, and its text.
    pub(in crate::report) cells: Vec<Option<(f64, String)>>,
}

/// The chart.
///
/// # Errors
/// [`ReportError::Render`].
pub(in crate::report) fn chart(
    id: &str,
    title: &str,
    levels: &[String],
    lines: &[Line],
) -> Result<Chart, ReportError> {
    let words_of = |line: &Line| {
        let cell = |(level, cell): (&String, &Option<(f64, String)>)| {
            cell.as_ref().map(|(_, text)| format!("{level} {text}"))
        };
        let cells: Vec<String> = levels.iter().zip(&line.cells).filter_map(cell).collect();
        format!("{}: {}", line.name, cells.join(", "))
    };
    let description = lines.iter().map(words_of).collect::<Vec<_>>().join("; ");
    let height = TOP + ROW * lines.len() as i32 + 6;
    draw(id, title, &description, (WIDTH as u32, height as u32), |canvas| {
        paint(canvas, levels, lines).map_err(words)
    })
}

fn paint(
    canvas: &Canvas<'_>,
    levels: &[String],
    lines: &[Line],
) -> Result<(), DrawingAreaErrorKind<std::io::Error>> {
    let step = WIDTH / (levels.len().max(1) as i32);
    let most = lines.iter().flat_map(|line| &line.cells).flatten().map(|it| it.0);
    let most = most.fold(1.0_f64, f64::max).ln().max(f64::MIN_POSITIVE);
    let centre = text_style(15).pos(Pos::new(HPos::Center, VPos::Center));
    let name = text_style(15).pos(Pos::new(HPos::Left, VPos::Center));
    for (column, level) in levels.iter().enumerate() {
        let x = step * column as i32 + step / 2;
        canvas.draw(&Text::new(level.clone(), (x, TOP / 2), centre.clone()))?;
    }
    for (number, line) in lines.iter().enumerate() {
        let top = TOP + ROW * number as i32;
        let at = (2, top + NAME / 2 + 2);
        canvas.draw(&Text::new(line.name.clone(), at, name.clone()))?;
        for (column, cell) in line.cells.iter().enumerate() {
            let Some((speed, text)) = cell else { continue };
            let left = step * column as i32;
            let top = top + NAME;
            // One hue from pale to dark stays in order under every colour blindness.
            let depth = (speed.max(1.0).ln() / most).clamp(0.0, 1.0);
            let fill = palette::shade(depth);
            let corners = [(left + 1, top + 1), (left + step - 1, top + CELL - 1)];
            canvas.draw(&Rectangle::new(corners, fill.filled()))?;
            let ink = if depth > 0.55 { WHITE } else { palette::DARK };
            let style = centre.clone().color(&ink);
            canvas.draw(&Text::new(text.clone(), (left + step / 2, top + CELL / 2), style))?;
        }
    }
    Ok(())
}
