//! Levels and engines side by side at one length: longer is faster.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::super::{SUBJECT, algorithms, engine_rank, figure, headline, level_rank};
use super::{Canvas, Chart, ReportError, draw, label, palette, text_style, words};
use crate::record::{Results, Row};

const WIDTH: u32 = 880;
const BAR: u32 = 26;
const STEP: u32 = 38;
const TOP: u32 = 8;
/// Room for the names on the left and for the figures on the right.
const LEFT: u32 = 170;
const RIGHT: u32 = 250;

pub(super) fn charts(results: &Results) -> Result<Vec<Chart>, ReportError> {
    let mut charts = Vec::new();
    for (number, algorithm) in algorithms(results).into_iter().enumerate() {
        let mut rows = headline::cell(results, algorithm);
        rows.retain(|row| row.mbps.is_some_and(|speed| speed.is_finite() && speed > 0.0));
        if rows.len() < 2 {
            continue;
        }
        rows.sort_by_key(|row| {
            (engine_rank(results, &row.engine), level_rank(results, &row.level))
        });
        charts.push(chart(number, &rows)?);
    }
    Ok(charts)
}

fn chart(number: usize, rows: &[&Row]) -> Result<Chart, ReportError> {
    let first = rows[0];
    let title =
        format!("Speed of {}/{}: {}", first.algorithm, first.operation, headline::work(first));
    let parts: Vec<String> = rows
        .iter()
        .map(|row| format!("{} {}", label(&row.engine, &row.level), caption(row)))
        .collect();
    let description = format!("Bars, longer is faster. {}.", parts.join("; "));
    let height = TOP * 2 + STEP * rows.len() as u32;
    draw(&format!("levels-{number}"), &title, &description, (WIDTH, height), |canvas| {
        paint(canvas, rows).map_err(words)
    })
}

fn caption(row: &Row) -> String {
    let bytes = row.cycles_per_byte.map(figure::cycles_per_byte).unwrap_or_default();
    format!("{} Gbit/s, {bytes} cycles per byte", figure::gbps(speed(row)))
}

fn speed(row: &Row) -> f64 {
    row.mbps.unwrap_or_default()
}

fn paint(canvas: &Canvas<'_>, rows: &[&Row]) -> Result<(), DrawingAreaErrorKind<std::io::Error>> {
    // A quartile in the unit of the bars: the slower quartile of time is the lower one of speed.
    let at = |row: &Row, cycles: f64| speed(row) * row.median_cycles / cycles;
    let most = rows.iter().map(|row| at(row, row.q1_cycles)).fold(f64::MIN_POSITIVE, f64::max);
    let span = f64::from(WIDTH - LEFT - RIGHT);
    let x = |speed: f64| LEFT as i32 + (speed / most * span).round() as i32;
    let name = text_style(16).pos(Pos::new(HPos::Right, VPos::Center));
    let value = text_style(15).pos(Pos::new(HPos::Left, VPos::Center));
    for (index, row) in rows.iter().enumerate() {
        let top = (TOP + index as u32 * STEP + (STEP - BAR) / 2) as i32;
        let (middle, bottom) = (top + BAR as i32 / 2, top + BAR as i32);
        let own = row.engine == SUBJECT;
        // Two colours only: the subject and the others; names say the rest.
        let fill = if own { palette::color(0) } else { palette::color(4) };
        let bar = [(x(0.0), top), (x(speed(row)).max(x(0.0) + 1), bottom)];
        canvas.draw(&Rectangle::new(bar, fill.filled()))?;
        let (low, high) = (x(at(row, row.q3_cycles)), x(at(row, row.q1_cycles)));
        let whisker = palette::INK.stroke_width(1);
        canvas.draw(&PathElement::new([(low, middle), (high, middle)], whisker))?;
        for end in [low, high] {
            canvas.draw(&PathElement::new([(end, middle - 5), (end, middle + 5)], whisker))?;
        }
        let label = label(&row.engine, &row.level);
        canvas.draw(&Text::new(label, (LEFT as i32 - 10, middle), name.clone()))?;
        let end = high.max(bar[1].0) + 10;
        canvas.draw(&Text::new(caption(row), (end, middle), value.clone()))?;
    }
    let axis = palette::INK.stroke_width(1);
    let foot = (TOP + STEP * rows.len() as u32) as i32;
    canvas.draw(&PathElement::new([(x(0.0), TOP as i32), (x(0.0), foot)], axis))?;
    Ok(())
}
