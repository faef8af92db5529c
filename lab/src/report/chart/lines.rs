//! Cycles per byte against message length, one line for each engine and level,
//! on logarithmic axes, with a band between the quartiles.

use plotters::coord::combinators::{BindKeyPoints, IntoLogRange};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::super::{SUBJECT, conditions, engine_rank, figure, level_rank};
use super::palette::{self, Mark};
use super::{Canvas, Chart, ReportError, draw, label, text_style, words};
use crate::Mix;
use crate::record::{Results, Row};
use crate::study::Lang;

const WIDTH: u32 = 760;
/// Room for the names of the lines, which stand at their right ends.
const NAMES: u32 = 200;
/// The least distance between two names.
const NAME_STEP: i32 = 18;

struct Series<'r> {
    label: String,
    own: bool,
    rows: Vec<&'r Row>,
}

pub(super) fn charts(results: &Results, lang: Lang) -> Result<Vec<Chart>, ReportError> {
    let mut groups: Vec<Vec<&Row>> = Vec::new();
    let shown = |row: &&Row| row.cycles_per_byte.is_some() && row.algorithm != MEMORY;
    for row in results.rows.iter().filter(shown) {
        match groups.iter_mut().find(|group| alike(group[0], row)) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    let mut charts = Vec::new();
    for group in groups {
        let series = series(results, &group);
        if series.iter().any(|series| series.rows.len() > 1) {
            let series: Vec<Series<'_>> = series.into_iter().chain(memory(results, lang)).collect();
            charts.push(chart(charts.len(), &series, lang)?);
        }
    }
    Ok(charts)
}

/// The algorithm of a mere copy.
const MEMORY: &str = "memory";

/// The line beneath which no cipher comes, where it was measured.
fn memory(results: &Results, lang: Lang) -> Option<Series<'_>> {
    let mut rows: Vec<&Row> =
        results.rows.iter().filter(|row| row.algorithm == MEMORY && row.threads == 1).collect();
    rows.sort_by_key(|row| row.size);
    let label = lang.pick("memcpy", "内存复制").to_owned();
    (rows.len() > 1).then_some(Series { label, own: false, rows })
}

/// Whether two rows differ in nothing but engine, level and length.
fn alike(a: &Row, b: &Row) -> bool {
    let b = Row { size: a.size, passes: Vec::new(), ..b.clone() };
    a.algorithm == b.algorithm && a.operation == b.operation && conditions(a) == conditions(&b)
}

fn series<'r>(results: &Results, group: &[&'r Row]) -> Vec<Series<'r>> {
    let mut order: Vec<(&str, &str)> = Vec::new();
    for row in group {
        if !order.contains(&(&row.engine, &row.level)) {
            order.push((&row.engine, &row.level));
        }
    }
    order.sort_by_key(|(engine, level)| (engine_rank(results, engine), level_rank(results, level)));
    order
        .into_iter()
        .map(|(engine, level)| {
            let own = |row: &&&Row| row.engine == engine && row.level == level;
            let mut rows: Vec<&Row> = group.iter().filter(own).copied().collect();
            rows.sort_by_key(|row| row.size);
            rows.dedup_by_key(|row| row.size);
            Series { label: label(engine, level), own: engine == SUBJECT, rows }
        })
        .collect()
}

fn chart(number: usize, series: &[Series<'_>], lang: Lang) -> Result<Chart, ReportError> {
    let first = series[0].rows[0];
    let mut title = format!("{}/{}, model {}", first.algorithm, first.operation, first.model);
    for (shown, text) in [
        (first.messages > 1, format!(", {} messages a call, keys {}", first.messages, first.keys)),
        (first.mix != Mix::Equal, format!(", {}", first.mix)),
        (first.threads > 1, format!(", {} threads", first.threads)),
        (first.aad_bytes > 0, format!(", AAD {} bytes", first.aad_bytes)),
        (first.placement != "in-place", format!(", {}", first.placement)),
        (first.clock != "tsc", format!(", {} clock", first.clock)),
    ] {
        if shown {
            title.push_str(&text);
        }
    }
    picture(&format!("sizes-{number}"), &title, series, lang)
}

/// A chart of series with names of their own.
pub(super) fn named(
    id: &str,
    title: &str,
    series: &[(String, Vec<&Row>)],
    results: &Results,
    lang: Lang,
) -> Result<Chart, ReportError> {
    let series: Vec<Series<'_>> = series
        .iter()
        .map(|(label, rows)| {
            let own = rows.iter().all(|row| row.engine == SUBJECT);
            Series { label: label.clone(), own, rows: rows.clone() }
        })
        .chain(memory(results, lang))
        .collect();
    picture(id, title, &series, lang)
}

fn picture(id: &str, title: &str, series: &[Series<'_>], lang: Lang) -> Result<Chart, ReportError> {
    let ends: Vec<String> = series.iter().map(ends).collect();
    let description = format!(
        "Lines of cycles per byte against message length, both on logarithmic axes, lower is \
         faster. {}.",
        ends.join("; ")
    );
    let height = (440).max(series.len() as u32 * NAME_STEP as u32 + 90);
    draw(id, title, &description, (WIDTH, height), |canvas| paint(canvas, series, lang))
}

/// A series in words: its figures at the shortest and the longest message.
fn ends(series: &Series<'_>) -> String {
    let at = |row: &Row| {
        format!(
            "{} at {}",
            figure::cycles_per_byte(figure::per_byte(row, row.median_cycles)),
            figure::size_label(row.size)
        )
    };
    match series.rows.as_slice() {
        [only] => format!("{}: {}", series.label, at(only)),
        [first, .., last] => format!("{}: {}, {}", series.label, at(first), at(last)),
        [] => series.label.clone(),
    }
}

fn paint(canvas: &Canvas<'_>, series: &[Series<'_>], lang: Lang) -> Result<(), String> {
    let rows = || series.iter().flat_map(|series| &series.rows).copied();
    let sizes = bounds(rows().map(|row| row.size as f64));
    let figures = bounds(rows().flat_map(|row| {
        [figure::per_byte(row, row.q1_cycles), figure::per_byte(row, row.q3_cycles)]
    }));
    let x_range = sizes.0 / 1.2..sizes.1 * 1.2;
    let y_range = figures.0 / 1.25..figures.1 * 1.25;
    let ticks = size_ticks(rows().map(|row| row.size), x_range.end / x_range.start);
    let steps = figure_ticks(y_range.start, y_range.end);

    let (_, height) = canvas.dim_in_pixel();
    let (plot, names) = canvas.split_horizontally((WIDTH - NAMES) as i32);
    let mut chart = ChartBuilder::on(&plot)
        .margin_top(12)
        // The words along the vertical axis reach a little beyond its area.
        .margin_left(10)
        .margin_right(12)
        .x_label_area_size(52)
        .y_label_area_size(64)
        .build_cartesian_2d(
            x_range.log_scale().with_key_points(ticks),
            y_range.log_scale().with_key_points(steps),
        )
        .map_err(words)?;
    chart
        .configure_mesh()
        .bold_line_style(palette::GRID)
        .light_line_style(TRANSPARENT)
        .axis_style(palette::INK)
        .x_desc(lang.pick("message length", "消息长度"))
        .y_desc(lang.pick("cycles per byte", "周期/字节"))
        .axis_desc_style(text_style(15))
        .label_style(text_style(14))
        .x_label_formatter(&|size| figure::size_label(size.round() as u64))
        .y_label_formatter(&|value| format!("{value}"))
        .draw()
        .map_err(words)?;

    for (number, series) in series.iter().enumerate() {
        let color = palette::color(number);
        let point = |row: &Row, cycles: f64| (row.size as f64, figure::per_byte(row, cycles));
        let low = series.rows.iter().map(|row| point(row, row.q1_cycles));
        let high = series.rows.iter().rev().map(|row| point(row, row.q3_cycles));
        let band: Vec<(f64, f64)> = low.chain(high).collect();
        chart
            .draw_series(std::iter::once(Polygon::new(band, color.mix(0.25).filled())))
            .map_err(words)?;
        let line = series.rows.iter().map(|row| point(row, row.median_cycles));
        if series.own {
            chart.draw_series(LineSeries::new(line, color.stroke_width(2))).map_err(words)?;
        } else {
            chart
                .draw_series(DashedLineSeries::new(line, 6, 4, color.stroke_width(2)))
                .map_err(words)?;
        }
    }
    // Names stand beside the right end of their lines, pushed apart where they would touch.
    let mut ends = Vec::new();
    for (number, series) in series.iter().enumerate() {
        for row in &series.rows {
            let at =
                chart.backend_coord(&(row.size as f64, figure::per_byte(row, row.median_cycles)));
            draw_mark(canvas, number, at)?;
        }
        if let Some(row) = series.rows.last() {
            let at =
                chart.backend_coord(&(row.size as f64, figure::per_byte(row, row.median_cycles)));
            ends.push((at.1, number));
        }
    }
    ends.sort_unstable();
    let wanted: Vec<i32> = ends.iter().map(|(y, _)| *y).collect();
    let style = text_style(15).pos(Pos::new(HPos::Left, VPos::Center));
    for ((_, number), y) in ends.iter().zip(spread(&wanted, height as i32)) {
        let left = (WIDTH - NAMES) as i32;
        draw_mark(canvas, *number, (left + 8, y))?;
        let text = Text::new(series[*number].label.clone(), (20, y), style.clone());
        names.draw(&text).map_err(words)?;
    }
    Ok(())
}

pub(super) fn draw_mark(canvas: &Canvas<'_>, number: usize, at: (i32, i32)) -> Result<(), String> {
    let color = palette::color(number);
    match palette::mark(number) {
        Mark::Circle => canvas.draw(&Circle::new(at, 4, color.filled())),
        Mark::Square => {
            let corners = [(at.0 - 4, at.1 - 4), (at.0 + 4, at.1 + 4)];
            canvas.draw(&Rectangle::new(corners, color.filled()))
        }
        Mark::Triangle => canvas.draw(&TriangleMarker::new(at, 6, color.filled())),
        Mark::Cross => canvas.draw(&Cross::new(at, 4, color.stroke_width(2))),
    }
    .map_err(words)
}

pub(super) fn bounds(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, 0.0), |(low, high), v| (low.min(v), high.max(v)))
}

/// The measured lengths, without those whose labels would touch.
fn size_ticks(sizes: impl Iterator<Item = u64>, span: f64) -> Vec<f64> {
    let mut sizes: Vec<u64> = sizes.collect();
    sizes.sort_unstable();
    sizes.dedup();
    // Powers of two are kept before the studies' odd lengths.
    let mut kept: Vec<u64> = Vec::new();
    let apart = span.powf(1.0 / 12.0);
    for pass in [true, false] {
        for size in sizes.iter().filter(|size| size.is_power_of_two() == pass) {
            let ratio = |other: &u64| *size.max(other) as f64 / *size.min(other) as f64;
            if kept.iter().all(|other| ratio(other) >= apart) {
                kept.push(*size);
            }
        }
    }
    kept.sort_unstable();
    kept.into_iter().map(|size| size as f64).collect()
}

/// 1, 2 and 5 times the powers of ten within the axis.
pub(super) fn figure_ticks(from: f64, to: f64) -> Vec<f64> {
    // Written as text first, so that 0.1 · 2 is printed as 0.2.
    (-4..9)
        .flat_map(|power| [1, 2, 5].map(|digit| format!("{digit}e{power}")))
        .filter_map(|text| text.parse().ok())
        .filter(|value| (from..=to).contains(value))
        .collect()
}

/// Moves sorted places apart to at least [`NAME_STEP`], within the picture.
fn spread(wanted: &[i32], height: i32) -> Vec<i32> {
    let mut places = wanted.to_vec();
    for i in 1..places.len() {
        places[i] = places[i].max(places[i - 1] + NAME_STEP);
    }
    let mut floor = height - NAME_STEP / 2;
    for place in places.iter_mut().rev() {
        *place = (*place).min(floor);
        floor = *place - NAME_STEP;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_pushed_apart_and_stay_inside() {
        assert_eq!(spread(&[10, 12, 300], 440), [10, 28, 300]);
        assert_eq!(spread(&[430, 438], 440), [413, 431]);
    }

    #[test]
    fn ticks_of_figures_are_round() {
        assert_eq!(figure_ticks(0.15, 6.0), [0.2, 0.5, 1.0, 2.0, 5.0]);
    }

    #[test]
    fn crowded_lengths_lose_their_labels() {
        let ticks = size_ticks([16, 32, 40, 64, 1024, 8192].into_iter(), 1000.0);
        assert_eq!(ticks, [16.0, 32.0, 64.0, 1024.0, 8192.0]);
    }
}
