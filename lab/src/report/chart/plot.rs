//! Points and lines between two axes: published against measured, speed against threads.

use plotters::coord::Shift;
use plotters::coord::combinators::{BindKeyPoints, IntoLogRange};
use plotters::prelude::*;

use super::lines::{bounds, draw_mark, figure_ticks};
use super::{Canvas, Chart, ReportError, draw, palette, text_style, words};

const WIDTH: u32 = 480;
const HEIGHT: u32 = 380;
/// The height of a line of the legend.
const LEGEND: i32 = 24;

/// Points of one kind.
pub(in crate::report) struct Points {
    pub(in crate::report) name: String,
    pub(in crate::report) at: Vec<(f64, f64)>,
    /// Whether a line goes through them.
    pub(in crate::report) joined: bool,
    /// Whether the line is one of thought, not of measurement: dashed and without marks.
    pub(in crate::report) ideal: bool,
}

/// What stands at the axes.
pub(in crate::report) struct Axes<'t> {
    pub(in crate::report) x: &'t str,
    pub(in crate::report) y: &'t str,
    /// Whether the horizontal axis has only whole numbers.
    pub(in crate::report) whole: bool,
}

/// The chart, on logarithmic axes.
///
/// # Errors
/// [`ReportError::Render`].
pub(in crate::report) fn chart(
    id: &str,
    title: &str,
    axes: &Axes<'_>,
    points: &[Points],
) -> Result<Chart, ReportError> {
    let parts: Vec<String> = points
        .iter()
        .map(|it| {
            let at = |(x, y): &(f64, f64)| format!("{x} {y:.3}");
            format!("{}: {}", it.name, it.at.iter().map(at).collect::<Vec<_>>().join(", "))
        })
        .collect();
    let height = HEIGHT + LEGEND as u32 * points.len() as u32;
    draw(id, title, &parts.join("; "), (WIDTH, height), |canvas| paint(canvas, axes, points))
}

fn paint(canvas: &Canvas<'_>, axes: &Axes<'_>, points: &[Points]) -> Result<(), String> {
    let (plot, legend): (DrawingArea<_, Shift>, _) = canvas.split_vertically(HEIGHT as i32);
    let all = || points.iter().flat_map(|it| &it.at);
    let (x, y) = (bounds(all().map(|it| it.0)), bounds(all().map(|it| it.1)));
    let (x_range, y_range) = (x.0 / 1.15..x.1 * 1.15, y.0 / 1.25..y.1 * 1.25);
    let mut x_ticks = figure_ticks(x_range.start, x_range.end);
    if axes.whole {
        x_ticks = all().map(|it| it.0).collect();
        x_ticks.sort_by(f64::total_cmp);
        x_ticks.dedup();
    } else {
        thin(&mut x_ticks);
        // Labels of so many bytes are long: every second or third of many.
        let step = x_ticks.len().div_ceil(4);
        x_ticks = x_ticks.into_iter().step_by(step.max(1)).collect();
    }
    let mut y_ticks = figure_ticks(y_range.start, y_range.end);
    thin(&mut y_ticks);
    let mut chart = ChartBuilder::on(&plot)
        .margin_top(12)
        // The words along the vertical axis reach a little beyond its area.
        .margin_left(10)
        .margin_right(24)
        .x_label_area_size(62)
        .y_label_area_size(84)
        .build_cartesian_2d(
            x_range.log_scale().with_key_points(x_ticks),
            y_range.log_scale().with_key_points(y_ticks),
        )
        .map_err(words)?;
    chart
        .configure_mesh()
        .bold_line_style(palette::GRID)
        .light_line_style(TRANSPARENT)
        .axis_style(palette::INK)
        .x_desc(axes.x)
        .y_desc(axes.y)
        .axis_desc_style(text_style(17))
        .label_style(text_style(16))
        .x_label_formatter(&|value| format!("{value}"))
        .y_label_formatter(&|value| format!("{value}"))
        .draw()
        .map_err(words)?;
    for (number, it) in points.iter().enumerate() {
        let style = palette::color(number).stroke_width(2);
        if it.ideal {
            let line = DashedLineSeries::new(it.at.iter().copied(), 6, 5, style);
            chart.draw_series(line).map_err(words)?;
            continue;
        }
        if it.joined {
            chart.draw_series(LineSeries::new(it.at.iter().copied(), style)).map_err(words)?;
        }
        for at in &it.at {
            draw_mark(&plot, number, chart.backend_coord(at))?;
        }
    }
    let style = text_style(17);
    for (number, it) in points.iter().enumerate() {
        let y = LEGEND * number as i32 + LEGEND / 2;
        if it.ideal {
            let line = [(8, y), (34, y)];
            let color = palette::color(number).stroke_width(2);
            legend.draw(&PathElement::new(line, color)).map_err(words)?;
        } else {
            draw_mark(&legend, number, (20, y))?;
        }
        legend.draw(&Text::new(it.name.clone(), (44, y - 9), style.clone())).map_err(words)?;
    }
    Ok(())
}

/// Leaves so many ticks that their labels don't touch: only the powers of ten of many.
fn thin(ticks: &mut Vec<f64>) {
    if ticks.len() > 8 {
        ticks.retain(|tick| {
            let power = tick.log10();
            (power - power.round()).abs() < 1e-9
        });
    }
}
