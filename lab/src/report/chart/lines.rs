//! Cycles per byte against message length, one line for each engine and level,
//! on logarithmic axes, with a band between the quartiles.

use plotters::coord::combinators::{BindKeyPoints, IntoLogRange};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::super::{SUBJECT, conditions, engine_rank, figure, level_rank};
use super::palette::{self, Mark};
use super::{Canvas, Chart, ReportError, draw, label, text_style, words};
use crate::record::{Results, Row};
use crate::study::Lang;
use crate::{Cell, Mix, Placement};

/// So narrow that its letters can be read where a phone shrinks it.
const WIDTH: u32 = 480;
/// The height without the names of the lines.
const HEIGHT: u32 = 380;
/// The height of a line of names.
const NAME_STEP: i32 = 22;
/// The longest name of which two stand in a line.
const HALF: usize = 20;

/// Names in a line.
fn columns(series: &[Series<'_>]) -> usize {
    if series.iter().all(|it| it.label.chars().count() <= HALF) { 2 } else { 1 }
}

struct Series<'r> {
    label: String,
    own: bool,
    rows: Vec<&'r Row>,
}

pub(super) fn charts(results: &Results, lang: Lang) -> Result<Vec<Chart>, ReportError> {
    let mut groups: Vec<Vec<&Row>> = Vec::new();
    let shown = |row: &&Row| row.cycles_per_byte.is_some() && row.cell.algorithm != MEMORY;
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
            let unit = figure::per_byte_unit(results, lang);
            charts.push(chart(charts.len(), &series, unit, lang)?);
        }
    }
    Ok(charts)
}

/// The algorithm of a mere copy.
const MEMORY: &str = "memory";

/// The line beneath which no cipher comes, where it was measured.
fn memory(results: &Results, lang: Lang) -> Option<Series<'_>> {
    let mut rows: Vec<&Row> = results
        .rows
        .iter()
        .filter(|row| row.cell.algorithm == MEMORY && row.cell.threads == 1)
        .collect();
    rows.sort_by_key(|row| row.cell.size);
    let label = lang.pick("memcpy", "内存复制").to_owned();
    (rows.len() > 1).then_some(Series { label, own: false, rows })
}

/// Whether two rows differ in nothing but engine, level and length.
fn alike(a: &Row, b: &Row) -> bool {
    let cell = Cell { size: a.cell.size, ..b.cell.clone() };
    let b = Row { cell, passes: Vec::new(), ..b.clone() };
    a.cell.algorithm == b.cell.algorithm
        && a.cell.operation == b.cell.operation
        && conditions(a) == conditions(&b)
}

fn series<'r>(results: &Results, group: &[&'r Row]) -> Vec<Series<'r>> {
    let mut order: Vec<(&str, &str)> = Vec::new();
    for row in group {
        if !order.contains(&(&row.engine, &row.cell.level)) {
            order.push((&row.engine, &row.cell.level));
        }
    }
    order.sort_by_key(|(engine, level)| (engine_rank(results, engine), level_rank(results, level)));
    order
        .into_iter()
        .map(|(engine, level)| {
            let own = |row: &&&Row| row.engine == engine && row.cell.level == level;
            let mut rows: Vec<&Row> = group.iter().filter(own).copied().collect();
            rows.sort_by_key(|row| row.cell.size);
            rows.dedup_by_key(|row| row.cell.size);
            Series { label: label(engine, level), own: engine == SUBJECT, rows }
        })
        .collect()
}

fn chart(
    number: usize,
    series: &[Series<'_>],
    unit: &str,
    lang: Lang,
) -> Result<Chart, ReportError> {
    let first = series[0].rows[0];
    let mut parts = vec![match lang {
        Lang::En => {
            format!("{}/{}, model {}", first.cell.algorithm, first.cell.operation, first.cell.model)
        }
        Lang::Zh => {
            format!("{}/{}，{} 模型", first.cell.algorithm, first.cell.operation, first.cell.model)
        }
    }];
    let (messages, keys, threads) = (first.cell.messages, &first.cell.keys, first.cell.threads);
    for (shown, en, zh) in [
        (
            messages > 1,
            format!("{messages} messages a call, keys {keys}"),
            format!("每次调用 {messages} 条消息，密钥 {keys}"),
        ),
        (first.cell.mix != Mix::Equal, first.cell.mix.to_string(), first.cell.mix.to_string()),
        (threads > 1, format!("{threads} threads"), format!("{threads} 线程")),
        (
            first.cell.aad_bytes > 0,
            format!("AAD {} bytes", first.cell.aad_bytes),
            format!("关联数据 {} 字节", first.cell.aad_bytes),
        ),
        (
            first.cell.placement != Placement::InPlace,
            first.cell.placement.to_string(),
            "输出到另一缓冲区".to_owned(),
        ),
        (
            first.cell.unaligned > 0,
            format!("unaligned by {} bytes", first.cell.unaligned),
            format!("数据偏移 {} 字节", first.cell.unaligned),
        ),
        (first.cell.cold, "cold caches".to_owned(), "缓存已清空".to_owned()),
        (first.clock != "tsc", format!("{} clock", first.clock), format!("{} 时钟", first.clock)),
    ] {
        if shown {
            parts.push(lang.pick(&en, &zh).to_owned());
        }
    }
    let title = parts.join(lang.pick(", ", "，"));
    picture(&format!("sizes-{number}"), &title, series, unit, lang)
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
    picture(id, title, &series, figure::per_byte_unit(results, lang), lang)
}

fn picture(
    id: &str,
    title: &str,
    series: &[Series<'_>],
    unit: &str,
    lang: Lang,
) -> Result<Chart, ReportError> {
    let ends: Vec<String> = series.iter().map(ends).collect();
    let ends = ends.join("; ");
    let description = match lang {
        Lang::En => format!(
            "Lines of {unit} against message length, both on logarithmic axes, lower is faster. \
             {ends}."
        ),
        Lang::Zh => {
            format!("随消息长度变化的曲线，单位为{unit}，两轴均为对数，越低越快。{ends}。")
        }
    };
    let height = HEIGHT + series.len().div_ceil(columns(series)) as u32 * NAME_STEP as u32;
    draw(id, title, &description, (WIDTH, height), |canvas| paint(canvas, series, unit, lang))
}

/// A series in words: its figures at the shortest and the longest message.
fn ends(series: &Series<'_>) -> String {
    let at = |row: &Row| {
        format!(
            "{} ({})",
            figure::cycles_per_byte(figure::per_byte(row, row.median_cycles)),
            figure::size_label(row.cell.size)
        )
    };
    match series.rows.as_slice() {
        [only] => format!("{}: {}", series.label, at(only)),
        [first, .., last] => format!("{}: {}, {}", series.label, at(first), at(last)),
        [] => series.label.clone(),
    }
}

fn paint(canvas: &Canvas<'_>, series: &[Series<'_>], unit: &str, lang: Lang) -> Result<(), String> {
    let rows = || series.iter().flat_map(|series| &series.rows).copied();
    let sizes = bounds(rows().map(|row| row.cell.size as f64));
    let figures = bounds(rows().flat_map(|row| {
        [figure::per_byte(row, row.q1_cycles), figure::per_byte(row, row.q3_cycles)]
    }));
    let x_range = sizes.0 / 1.2..sizes.1 * 1.2;
    let y_range = figures.0 / 1.25..figures.1 * 1.25;
    let ticks = size_ticks(rows().map(|row| row.cell.size), x_range.end / x_range.start);
    let steps = figure_ticks(y_range.start, y_range.end);

    let (plot, names) = canvas.split_vertically(HEIGHT as i32);
    let mut chart = ChartBuilder::on(&plot)
        .margin_top(12)
        // The words along the vertical axis reach a little beyond its area.
        .margin_left(10)
        .margin_right(52)
        .x_label_area_size(58)
        .y_label_area_size(72)
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
        .y_desc(unit)
        .axis_desc_style(text_style(15))
        .label_style(text_style(15))
        .x_label_formatter(&|size| figure::size_label(size.round() as u64))
        .y_label_formatter(&|value| format!("{value}"))
        .draw()
        .map_err(words)?;

    for (number, series) in series.iter().enumerate() {
        let color = palette::color(number);
        let point = |row: &Row, cycles: f64| (row.cell.size as f64, figure::per_byte(row, cycles));
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
    for (number, series) in series.iter().enumerate() {
        for row in &series.rows {
            let at = chart
                .backend_coord(&(row.cell.size as f64, figure::per_byte(row, row.median_cycles)));
            draw_mark(canvas, number, at)?;
        }
    }
    // Names stand below, where they may be long.
    let style = text_style(15).pos(Pos::new(HPos::Left, VPos::Center));
    let columns = columns(series);
    for (number, series) in series.iter().enumerate() {
        let x = (number % columns) as i32 * (WIDTH as i32 / columns as i32);
        let y = (number / columns) as i32 * NAME_STEP + NAME_STEP / 2;
        draw_mark(&names, number, (x + 14, y))?;
        names.draw(&Text::new(series.label.clone(), (x + 28, y), style.clone())).map_err(words)?;
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
    let apart = span.powf(1.0 / 7.0);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_of_figures_are_round() {
        assert_eq!(figure_ticks(0.15, 6.0), [0.2, 0.5, 1.0, 2.0, 5.0]);
    }

    #[test]
    fn crowded_lengths_lose_their_labels() {
        let ticks = size_ticks([16, 32, 40, 64, 1024, 8192].into_iter(), 1000.0);
        assert_eq!(ticks, [16.0, 64.0, 1024.0, 8192.0]);
    }
}
