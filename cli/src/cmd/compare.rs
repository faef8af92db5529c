//! `compare`: two results files, row by row, with intervals.

use std::path::PathBuf;

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use lab::compare::{Comparison, Verdict, compare};
use lab::record::Row;
use lab::report;
use serde::Serialize;

use crate::args::{Json, help};
use crate::failure::{Exit, Failure};
use crate::output::Output;

/// Compare two results files: ratios with 95 % intervals
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Compare two results files: ratios with 95 % intervals\n\n\
        The ratio is cycles of B by cycles of A. `ahead` means that B is faster by more than 3 % \
        (and the interval lies below 1), `behind` that it is slower by as much, `tied` the rest. Files of different machines, and rows of different clocks, are refused unless \
        --force is given.",
    after_help = help!(
        "  cipherlane compare before/results.json after/results.json
  cipherlane compare a.json b.json --json | jq '.rows[] | select(.verdict == \"behind\")'"
    )
)]
pub(crate) struct Args {
    /// The first results file, against which the second is measured
    a: PathBuf,
    /// The second results file
    b: PathBuf,
    /// Compare files of different machines or clocks all the same
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    json: Json,
}

#[derive(Serialize)]
struct Document<'c> {
    schema: &'static str,
    ahead: usize,
    tied: usize,
    behind: usize,
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
    ratio: f64,
    low: f64,
    high: f64,
    verdict: &'static str,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let (a, b) = (report::read(&args.a)?, report::read(&args.b)?);
    let rows = compare(&a, &b, args.force)?;
    let count = |verdict| rows.iter().filter(|row| row.verdict == verdict).count();
    let (ahead, tied, behind) =
        (count(Verdict::Ahead), count(Verdict::Tied), count(Verdict::Behind));
    if args.json.json {
        let rows = rows.iter().map(entry).collect();
        out.json(&Document { schema: "cipherlane-comparison/1", ahead, tied, behind, rows })?;
        return Ok(Exit::Done);
    }
    out.line(&table(&rows).trim_fmt())?;
    out.line(&format!(
        "\n{} rows: B is ahead in {ahead}, tied in {tied}, behind in {behind}. Figures are medians \
         in cycles per byte (per set-up for init and key); the ratio is B by A with its 95 % \
         interval.",
        rows.len()
    ))?;
    Ok(Exit::Done)
}

fn entry(pair: &Comparison) -> Entry<'_> {
    Entry {
        engine: &pair.a.engine,
        algorithm: &pair.a.algorithm,
        operation: &pair.a.operation,
        level: &pair.a.level,
        model: &pair.a.model,
        size: pair.a.size,
        messages: pair.a.messages,
        keys: &pair.a.keys,
        mix: pair.a.mix.name(),
        threads: pair.a.threads,
        a_cycles: pair.a.median_cycles,
        b_cycles: pair.b.median_cycles,
        ratio: pair.ratio,
        low: pair.low,
        high: pair.high,
        verdict: pair.verdict.name(),
    }
}

fn table(rows: &[Comparison]) -> Table {
    let rule = LineStyle::none().fill('─').junction('─');
    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(rule));
    table.set_content_arrangement(ContentArrangement::Disabled);
    table.force_no_tty();
    table.set_header([
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
    ]);
    for pair in rows {
        let size = if pair.a.size == 0 { "-".into() } else { report::size_label(pair.a.size) };
        table.add_row([
            pair.a.engine.clone(),
            format!("{}/{}", pair.a.algorithm, pair.a.operation),
            pair.a.level.clone(),
            report::work(&pair.a),
            size,
            figure(&pair.a),
            figure(&pair.b),
            format!("{:.3}", pair.ratio),
            format!("{:.3} to {:.3}", pair.low, pair.high),
            pair.verdict.name().to_owned(),
        ]);
    }
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 1));
        if (4..=8).contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn figure(row: &Row) -> String {
    match row.cycles_per_byte {
        Some(figure) => format!("{figure:.3}"),
        None => format!("{:.0}", row.median_cycles),
    }
}
