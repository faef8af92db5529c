//! `compare`: two results files, row by row, with intervals; or the records of machines.

mod machines;

use std::path::PathBuf;

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use lab::compare::{Comparison, Verdict, compare};
use lab::record::Row;
use lab::report;
use serde::Serialize;

use crate::args::{Json, help};
use crate::columns::wrapped;
use crate::failure::{Exit, Failure};
use crate::output::Output;

/// Compare two results files: ratios with 95 % intervals
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Compare two results files: ratios with 95 % intervals\n\n\
        The ratio is core cycles of B by those of A, or ticks by ticks where a file tells no core \
        cycles. `ahead` means that B is faster by more than 3 % \
        (and the interval lies below 1), `behind` that it is slower by as much, `tied` the rest. Files of different machines, and rows of different clocks, are refused unless \
        --force is given.\n\n\
        With --machines, the records of machines (`cipherlane bench --record`) stand side by side \
        instead: core cycles, and the ratio to the best peer with its interval.",
    after_help = help!(
        "  cipherlane compare before/results.json after/results.json
  cipherlane compare a.json b.json --json | jq '.rows[] | select(.verdict == \"behind\")'
  cipherlane compare --machines"
    )
)]
pub(crate) struct Args {
    /// The first results file, against which the second is measured
    #[arg(required_unless_present = "machines")]
    a: Option<PathBuf>,
    /// The second results file
    #[arg(required_unless_present = "machines")]
    b: Option<PathBuf>,
    /// Compare files of different machines or clocks all the same
    #[arg(long)]
    force: bool,
    /// Show the records of the machines of this folder side by side [default: docs/machines of the
    /// checkout]
    #[arg(
        long,
        value_name = "DIR",
        num_args = 0..=1,
        require_equals = true,
        conflicts_with_all = ["a", "b", "force"]
    )]
    machines: Option<Option<PathBuf>>,
    #[command(flatten)]
    json: Json,
}

#[derive(Serialize)]
struct Document<'c> {
    schema: &'static str,
    ahead: usize,
    tied: usize,
    behind: usize,
    /// Rows whose ratio is from 0.98 to 1.02.
    within_2_percent: usize,
    rows: Vec<Entry<'c>>,
}

#[derive(Serialize)]
struct Entry<'c> {
    engine: &'c str,
    algorithm: &'c str,
    operation: &'c str,
    level: &'c str,
    model: &'c str,
    size: u64,
    messages: u32,
    keys: &'c str,
    mix: &'static str,
    threads: u32,
    a_cycles: f64,
    b_cycles: f64,
    /// What `a_figure`, `b_figure` and the ratio are in: `core cycles` or `ticks`; `a_cycles` and
    /// `b_cycles` are ticks.
    unit: &'static str,
    a_figure: f64,
    b_figure: f64,
    ratio: f64,
    low: f64,
    high: f64,
    verdict: &'static str,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    if let Some(folder) = &args.machines {
        return machines::run(folder.as_deref(), args.json.json, out);
    }
    let (Some(a), Some(b)) = (&args.a, &args.b) else {
        let help = "see `cipherlane compare --help`";
        return Err(Failure::usage("two results files are needed", help));
    };
    let (a, b) = (report::read(a)?, report::read(b)?);
    let rows = compare(&a, &b, args.force)?;
    let count = |verdict| rows.iter().filter(|row| row.verdict == verdict).count();
    let (ahead, tied, behind) =
        (count(Verdict::Ahead), count(Verdict::Tied), count(Verdict::Behind));
    let alike = rows.iter().filter(|row| (row.ratio - 1.0).abs() <= 0.02).count();
    if args.json.json {
        let (all, within_2_percent) = (rows.iter().map(entry).collect(), alike);
        let schema = "cipherlane-comparison/1";
        out.json(&Document { schema, ahead, tied, behind, within_2_percent, rows: all })?;
        return Ok(Exit::Done);
    }
    for line in lines(&rows, out.columns()) {
        out.line(&line)?;
    }
    out.line("")?;
    let text = format!(
        "{} rows: B is ahead in {ahead}, tied in {tied}, behind in {behind}; within 2 %: {alike}, \
         {:.1} %. Figures are medians in {} per byte (per set-up for init and key); the ratio is B \
         by A with its 95 % interval.",
        rows.len(),
        100.0 * alike as f64 / rows.len().max(1) as f64,
        rows.first().map_or("ticks", |row| row.unit.name()),
    );
    out.wrapped(&text, 0)?;
    Ok(Exit::Done)
}

fn entry(pair: &Comparison) -> Entry<'_> {
    Entry {
        engine: &pair.a.engine,
        algorithm: &pair.a.cell.algorithm,
        operation: &pair.a.cell.operation,
        level: &pair.a.cell.level,
        model: pair.a.cell.model.name(),
        size: pair.a.cell.size,
        messages: pair.a.cell.messages,
        keys: pair.a.cell.keys.name(),
        mix: pair.a.cell.mix.name(),
        threads: pair.a.cell.threads,
        a_cycles: pair.a.median_cycles,
        b_cycles: pair.b.median_cycles,
        unit: pair.unit.name(),
        a_figure: pair.figures.0,
        b_figure: pair.figures.1,
        ratio: pair.ratio,
        low: pair.low,
        high: pair.high,
        verdict: pair.verdict.name(),
    }
}

/// What the columns hold; those before [`NAMES`] name the row.
const HEADS: [&str; 10] = [
    "engine",
    "operation",
    "level",
    "model",
    "size",
    "A",
    "B",
    "ratio",
    "95 % interval",
    "verdict",
];

/// How many columns name the row.
const NAMES: usize = 5;

fn cells(pair: &Comparison) -> [String; HEADS.len()] {
    let size =
        if pair.a.cell.size == 0 { "-".into() } else { report::size_label(pair.a.cell.size) };
    [
        pair.a.engine.clone(),
        format!("{}/{}", pair.a.cell.algorithm, pair.a.cell.operation),
        pair.a.cell.level.clone(),
        report::work(&pair.a),
        size,
        figure(&pair.a, pair.figures.0),
        figure(&pair.b, pair.figures.1),
        format!("{:.3}", pair.ratio),
        format!("{:.3} to {:.3}", pair.low, pair.high),
        pair.verdict.name().to_owned(),
    ]
}

/// The table within so many columns. Where it is wider, what all rows share stands above it once;
/// where it still is, a row takes two lines. Nothing is cut.
fn lines(rows: &[Comparison], width: usize) -> Vec<String> {
    let rows: Vec<[String; HEADS.len()]> = rows.iter().map(cells).collect();
    arranged(&rows, width)
}

fn arranged(rows: &[[String; HEADS.len()]], width: usize) -> Vec<String> {
    let all: Vec<usize> = (0..HEADS.len()).collect();
    let whole = table(rows, &all);
    if fits(&whole, width) {
        return whole;
    }
    let shared = |column: &usize| {
        *column < NAMES && rows.len() > 1 && rows.iter().all(|row| row[*column] == rows[0][*column])
    };
    let (told, left): (Vec<usize>, Vec<usize>) = all.into_iter().partition(shared);
    let mut out = Vec::new();
    if !told.is_empty() {
        let parts: Vec<String> =
            told.iter().map(|it| format!("{} {}", HEADS[*it], rows[0][*it])).collect();
        out = wrapped(&format!("all rows: {}", parts.join(", ")), 2, width);
    }
    let narrow = table(rows, &left);
    if fits(&narrow, width) {
        out.extend(narrow);
        return out;
    }
    let (names, figures): (Vec<usize>, Vec<usize>) = left.into_iter().partition(|it| *it < NAMES);
    let figures = table(rows, &figures);
    out.extend(figures[..2].iter().map(|line| format!("  {line}")));
    for (row, figures) in rows.iter().zip(&figures[2..]) {
        let name: Vec<&str> = names.iter().map(|it| row[*it].as_str()).collect();
        out.extend(wrapped(&name.join(" "), 4, width));
        out.push(format!("  {figures}"));
    }
    out
}

fn fits(lines: &[String], width: usize) -> bool {
    lines.iter().all(|line| line.chars().count() <= width)
}

/// A heading, a rule and a line a row.
fn table(rows: &[[String; HEADS.len()]], columns: &[usize]) -> Vec<String> {
    let rule = LineStyle::none().fill('─').junction('─');
    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(rule));
    table.set_content_arrangement(ContentArrangement::Disabled);
    table.force_no_tty();
    table.set_header(columns.iter().map(|it| HEADS[*it]));
    for row in rows {
        table.add_row(columns.iter().map(|it| row[*it].clone()));
    }
    for (column, index) in table.column_iter_mut().zip(columns) {
        column.set_padding((0, 1));
        if (4..=8).contains(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt().lines().map(str::to_owned).collect()
}

fn figure(row: &Row, value: f64) -> String {
    if row.cell.size == 0 { format!("{value:.0}") } else { format!("{value:.3}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(levels: [&str; 2]) -> Vec<[String; HEADS.len()]> {
        let row = |level: &str, operation: &str| {
            [
                "cipherlane",
                operation,
                level,
                "batch of 16, keys fresh",
                "8 KiB",
                "12.345",
                "12.346",
                "1.000",
                "0.990 to 1.010",
                "tied",
            ]
            .map(str::to_owned)
        };
        vec![row(levels[0], "sm4/cbc-encrypt"), row(levels[1], "zuc-128/keystream")]
    }

    #[test]
    fn a_table_is_no_wider_than_the_terminal_and_tells_every_value() {
        for levels in [["avx512", "avx512"], ["portable", "avx512"]] {
            for width in [150, 100, 80, 60, 54] {
                let rows = rows(levels);
                let text = arranged(&rows, width);
                assert!(fits(&text, width), "{width}: {text:#?}");
                let text = text.join("\n");
                let told = |value: &String| value.split(' ').all(|word| text.contains(word));
                assert!(rows.iter().flatten().all(told), "{width}: {text}");
            }
        }
    }

    #[test]
    fn what_all_rows_share_is_said_once_where_the_table_is_too_wide() {
        let text = arranged(&rows(["avx512", "avx512"]), 100);
        assert_eq!(
            text[0],
            "all rows: engine cipherlane, level avx512, model batch of 16, keys fresh, size 8 KiB"
        );
        let text = arranged(&rows(["avx512", "avx512"]), 200);
        assert!(text[0].starts_with("engine"), "{text:?}");
    }
}
