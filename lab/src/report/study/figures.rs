//! The figures of a study: its own in its order, then the heat map.

use super::sheet::figure_text;
use crate::record::{Results, Row};
use crate::report::chart::{self, Chart, flame, groups, heat, plot};
use crate::report::{ReportError, SUBJECT, figure};
use crate::sheet_join::{JoinedSheet, Measured, rows, value_of};
use crate::study::published::Published;
use crate::study::{Figure, Kind, Lang, Pick, Series, Show, Study};

/// All figures.
pub(super) fn all(
    study: &Study,
    joined: &[JoinedSheet<'_>],
    results: &Results,
    lang: Lang,
) -> Result<Vec<Chart>, ReportError> {
    let mut charts = Vec::new();
    for it in &study.figures {
        let made = match it.kind {
            Kind::Bars => bars(it, joined, lang)?,
            Kind::Lines => lines(it, results, lang)?,
            Kind::Scaling => scaling(it, results, lang)?,
            Kind::Waterfall => waterfall(it, results, lang)?,
            Kind::Flame => flames(it, results, lang)?,
        };
        charts.push(made);
    }
    charts.extend(heat_map(results, lang)?);
    Ok(charts.into_iter().flatten().collect())
}

fn flames(it: &Figure, results: &Results, lang: Lang) -> Result<Option<Chart>, ReportError> {
    let fact = results.facts.iter().find(|fact| Some(&fact.name) == it.fact.as_ref());
    let Some(fact) = fact else { return Ok(None) };
    flame::chart(&it.id, it.title.of(lang), &fact.text)
}

fn bars(it: &Figure, joined: &[JoinedSheet<'_>], lang: Lang) -> Result<Option<Chart>, ReportError> {
    let Some(joined) = joined.iter().find(|joined| Some(&joined.sheet.id) == it.sheet.as_ref())
    else {
        return Ok(None);
    };
    let sheet = joined.sheet;
    let mut made: Vec<groups::Group> = Vec::new();
    for cell in &joined.cells {
        let (line, column) = (&sheet.lines[cell.line], &sheet.columns[cell.column]);
        if !it.columns.is_empty() && !it.columns.contains(&column.name.to_string()) {
            continue;
        }
        let name = if sheet.columns.len() == 1 || it.columns.len() == 1 {
            line.name.of(lang).to_owned()
        } else {
            format!("{} · {}", line.name.of(lang), column.name.of(lang))
        };
        let mut bars = Vec::new();
        if let Some(Published::Number(value)) = cell.published {
            bars.push(groups::Bar {
                name: lang.pick("published", "公布").to_owned(),
                value,
                range: None,
                text: value.to_string(),
                color: 6,
            });
        }
        for (number, (view, measured)) in joined.views.iter().zip(&cell.measured).enumerate() {
            if let Measured::Figure { value, range, .. } = measured {
                bars.push(groups::Bar {
                    name: view.title.of(lang).to_owned(),
                    value: *value,
                    range: *range,
                    text: figure_text(cell.show, *value),
                    color: number % 6,
                });
            }
        }
        if !bars.is_empty() {
            made.push(groups::Group { name, bars });
        }
    }
    if made.is_empty() {
        return Ok(None);
    }
    groups::chart(&it.id, it.title.of(lang), &made).map(Some)
}

/// The rows of a series, which differ in length or in threads alone.
fn of_series<'r>(results: &'r Results, pick: &Pick, lengths: bool) -> Vec<&'r Row> {
    let mut found: Vec<&Row> = Vec::new();
    for row in &results.rows {
        let (length, threads) = if lengths {
            (row.cell.size, pick.threads)
        } else {
            (pick.size.unwrap_or(row.cell.size), Some(row.cell.threads))
        };
        let pick = Pick { size: Some(length), sizes: None, threads, ..pick.clone() };
        if let Ok(rows) = rows(results, &pick)
            && rows.iter().any(|it| std::ptr::eq(*it, row))
        {
            found.push(row);
        }
    }
    found.sort_by_key(|row| (row.cell.size, row.cell.threads));
    found
}

fn picks(it: &Figure) -> impl Iterator<Item = (&Series, Pick)> {
    it.series.iter().map(|series| (series, series.pick.or(&it.pick)))
}

fn lines(it: &Figure, results: &Results, lang: Lang) -> Result<Option<Chart>, ReportError> {
    let series: Vec<(String, Vec<&Row>)> = picks(it)
        .map(|(series, pick)| (series.name.of(lang).to_owned(), of_series(results, &pick, true)))
        .filter(|(_, rows)| !rows.is_empty())
        .collect();
    if series.is_empty() {
        return Ok(None);
    }
    if it.show == Show::CyclesPerByte {
        return chart::series(&it.id, it.title.of(lang), &series, results, lang).map(Some);
    }
    let points: Vec<plot::Points> = series
        .into_iter()
        .map(|(name, rows)| plot::Points {
            name,
            at: rows.iter().map(|row| (row.message_bytes(), value_of(it.show, row))).collect(),
            joined: true,
            ideal: false,
        })
        .collect();
    let axes =
        plot::Axes {
            x: lang.pick("bytes", "字节"), y: unit(it.show, results, lang), whole: false
        };
    plot::chart(&it.id, it.title.of(lang), &axes, &points).map(Some)
}

fn scaling(it: &Figure, results: &Results, lang: Lang) -> Result<Option<Chart>, ReportError> {
    let mut points: Vec<plot::Points> = Vec::new();
    for (series, pick) in picks(it) {
        let rows = of_series(results, &pick, false);
        let at: Vec<(f64, f64)> =
            rows.iter().map(|row| (f64::from(row.cell.threads), value_of(it.show, row))).collect();
        if !at.is_empty() {
            let name = series.name.of(lang).to_owned();
            points.push(plot::Points { name, at, joined: true, ideal: false });
        }
    }
    let Some(first) = points.first() else { return Ok(None) };
    // The ideal line goes through the first series at its fewest threads.
    let (least, speed) = first.at[0];
    let faster_is_more = matches!(it.show, Show::Mbps | Show::KbPerS | Show::GbPerS);
    let ideal = |threads: f64| match faster_is_more {
        true => speed * threads / least,
        false => speed * least / threads,
    };
    let at = first.at.iter().map(|(threads, _)| (*threads, ideal(*threads))).collect();
    let name = lang.pick("ideal", "理想").to_owned();
    points.push(plot::Points { name, at, joined: true, ideal: true });
    let axes = plot::Axes {
        x: lang.pick("threads", "线程"),
        y: unit(it.show, results, lang),
        whole: true,
    };
    plot::chart(&it.id, it.title.of(lang), &axes, &points).map(Some)
}

fn waterfall(it: &Figure, results: &Results, lang: Lang) -> Result<Option<Chart>, ReportError> {
    let mut bars: Vec<groups::Bar> = Vec::new();
    let mut before: Option<f64> = None;
    for (series, pick) in picks(it) {
        let Ok(rows) = rows(results, &pick) else { continue };
        let [row] = rows.as_slice() else { continue };
        let value = value_of(it.show, row);
        let text = figure_text(it.show, value);
        let text = match before {
            Some(before) => format!("{text} (×{})", figure::ratio(before / value)),
            None => text,
        };
        before = Some(value);
        let name = series.name.of(lang).to_owned();
        bars.push(groups::Bar { name, value, range: None, text, color: 0 });
    }
    if bars.is_empty() {
        return Ok(None);
    }
    let name = unit(it.show, results, lang).to_owned();
    groups::chart(&it.id, it.title.of(lang), &[groups::Group { name, bars }]).map(Some)
}

/// The library's operations by levels, at the longest message that all levels have.
fn heat_map(results: &Results, lang: Lang) -> Result<Vec<Option<Chart>>, ReportError> {
    let of = || results.rows.iter().filter(|it| it.engine == SUBJECT && it.cell.threads == 1);
    let levels: Vec<String> = results
        .machine
        .levels
        .iter()
        .filter(|level| of().any(|row| row.cell.level == **level))
        .cloned()
        .collect();
    let mut lines: Vec<heat::Line> = Vec::new();
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for row in of() {
        let what = (row.cell.algorithm.as_str(), row.cell.operation.as_str());
        if seen.contains(&what) {
            continue;
        }
        seen.push(what);
        let longest = of()
            .filter(|it| (it.cell.algorithm.as_str(), it.cell.operation.as_str()) == what)
            .filter(|it| it.cycles_per_byte.is_some() && it.cell.messages == 1)
            .max_by_key(|it| it.cell.size);
        let Some(longest) = longest else { continue };
        let cell = |level: &String| {
            of().find(|it| {
                (it.cell.algorithm.as_str(), it.cell.operation.as_str()) == what
                    && it.cell.level == *level
                    && it.cell.size == longest.cell.size
                    && it.cell.model == longest.cell.model
            })
        };
        let found: Vec<Option<&Row>> = levels.iter().map(cell).collect();
        let slowest =
            found.iter().flatten().map(|it| it.median_cycles).fold(f64::MIN_POSITIVE, f64::max);
        let shown = |row: &Row| {
            let bytes = figure::per_byte(row, row.median_cycles);
            (slowest / row.median_cycles, figure::cycles_per_byte(bytes))
        };
        lines.push(heat::Line {
            name: format!("{}/{}", what.0, what.1),
            cells: found.into_iter().map(|it| it.map(shown)).collect(),
        });
    }
    if lines.is_empty() || levels.is_empty() {
        return Ok(Vec::new());
    }
    let title = lang.pick(
        "Operations by levels, a byte of the longest message, darker is a larger gain",
        "各操作与级别：最长消息的每字节数值，颜色越深提升越大",
    );
    let title = &format!("{title} ({})", figure::per_byte_unit(results, lang));
    Ok(vec![Some(heat::chart("heat", title, &levels, &lines)?)])
}

fn unit(show: Show, results: &Results, lang: Lang) -> &'static str {
    match show {
        Show::Cycles | Show::LinePerCall => figure::unit_of(results, lang),
        Show::CyclesPerByte | Show::LinePerByte => figure::per_byte_unit(results, lang),
        Show::Mbps => "Mbps",
        Show::KbPerS => "kB/s",
        Show::GbPerS => "GB/s",
        Show::CoresFor20Gbps => lang.pick("cores", "核"),
        Show::Ns => "ns",
        Show::Us => "µs",
        Show::Seconds => lang.pick("seconds", "秒"),
        Show::IvBits => lang.pick("bits", "比特"),
        Show::Ratio => lang.pick("ratio", "比值"),
        Show::Improvement | Show::Percent => "%",
        Show::Count => "",
    }
}
