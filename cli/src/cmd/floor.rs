//! `floor`: how near the kernels come to what this machine's units allow.

mod document;
mod loops;
mod measured;

use std::path::PathBuf;

use cipherlane::Level;
use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use lab::floor::{Kind, Lanes, Row, floor, table, units};
use lab::record::FloorRecord;
use lab::report;
use lab::study::{Lang, Study};

use crate::args::{Json, help};
use crate::failure::{Exit, Failure};
use crate::filter::Known;
use crate::level;
use crate::measure::program;
use crate::output::Output;

use document::{Document, Lane};

/// What kernels ask for, as `cargo xtask counts` wrote it.
const COUNTS: &str = include_str!("../../../docs/notes/counts.tsv");

/// Show how near the kernels come to the floor that this machine sets
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Show how near the kernels come to the floor that this machine sets\n\n\
        The floor is the least time that the machine's execution units allow for the operations \
        that a kernel asks for, in core cycles a byte. What the operations cost and which of them \
        share units is measured first, at each level; then the library's operations are, on one \
        long message and on many (512; 128 of a block cipher). Loads of constants, moves between \
        registers, the front end and memory are left out, so no kernel reaches 100 %.",
    after_help = help!(
        "  cipherlane floor
  cipherlane floor sm4/ctr zuc-128 --level avx512,avx2-gfni
  cipherlane floor sm4 --level all --json > floor.json"
    )
)]
pub(crate) struct Args {
    /// ALGORITHM or ALGORITHM/OPERATION, e.g. sm4 or sm4/ctr; those of the headline study if absent
    filters: Vec<String>,
    /// These levels, or `all`; the default one if absent
    #[arg(long, value_name = "L,…", value_delimiter = ',')]
    level: Vec<String>,
    /// Print what each lane operation costs, too
    #[arg(long)]
    lanes: bool,
    /// Write a report into this folder, too, with report.html, results.json and results.csv
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    json: Json,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let levels = levels(&args.level)?;
    if let Some(folder) = &args.out {
        report::check_writable(folder)?;
    }
    let counts = table::read(COUNTS).map_err(|error| {
        Failure::new(Exit::Failed, error, "write the table again: `cargo xtask counts --write`")
    })?;
    let wanted = wanted(&args.filters, &levels, &counts)?;
    let mut doubts = Vec::new();
    let mut units = |&level| {
        let mut loops = loops::AtLevel::new(level);
        let lanes = units::measure(&mut loops);
        doubts.extend(loops.quiet().doubt().map(|doubt| format!("{}: {doubt}", level.name())));
        (level, lanes)
    };
    let lanes: Vec<(Level, Lanes)> = levels.iter().map(&mut units).collect();
    let mut results = measured::measure(&wanted, &levels, &program()?)?;
    let machine = document::machine(&results.machine);
    let cycles = results.machine.core_per_tsc;
    let mut operations = Vec::new();
    for row in &wanted {
        let Some((_, lanes)) = lanes.iter().find(|(level, _)| level.name() == row.level) else {
            continue;
        };
        let path = counts.iter().find(|it| {
            (&it.operation, &it.level, it.what.as_str(), it.bytes)
                == (&row.operation, &row.level, table::PATH, row.bytes)
        });
        let path = path.map(|it| &it.counts).filter(|_| row.what == "long");
        let measured = measured::slope(&results, row).map(|ticks| ticks * cycles);
        let bound = floor(&row.counts, path, lanes);
        let (Some(measured), Some(bound)) = (measured, bound) else { continue };
        let floor = bound.cycles / row.bytes as f64;
        operations.push(FloorRecord {
            operation: row.operation.clone(),
            level: row.level.clone(),
            what: row.what.clone(),
            bytes: row.bytes,
            measured: document::rounded(measured),
            floor: document::rounded(floor),
            percent: document::percent(floor / measured),
            bound: bound.kind.name().to_owned(),
            binds: bound.binds,
        });
    }
    let lanes = lanes.iter().flat_map(|(level, lanes)| Lane::all(*level, lanes)).collect();
    let schema = "cipherlane-floor/1";
    let document = Document { schema, machine, unit: "core cycles", doubts, lanes, operations };
    if let Some(folder) = &args.out {
        results.floors.clone_from(&document.operations);
        report::write_all(&results, folder, Lang::En)?;
    }
    if args.json.json {
        out.json(&document)?;
        return Ok(Exit::Done);
    }
    if args.lanes {
        out.line(&lanes_table(&document.lanes).trim_fmt())?;
        out.line("")?;
    }
    show(&document, out)?;
    Ok(Exit::Done)
}

/// The levels asked for whose operations can be timed.
fn levels(names: &[String]) -> Result<Vec<Level>, Failure> {
    let mut levels = if names == ["all"] { level::usable()? } else { level::chosen(names)? };
    if names.is_empty() {
        levels = levels.pop().into_iter().collect();
    }
    levels.retain(|level| measuring::has(*level));
    if levels.is_empty() {
        let what = "no level whose operations are instructions";
        let timed = level::usable()?.into_iter().filter(|level| measuring::has(*level));
        let timed: Vec<&str> = timed.map(Level::name).collect();
        return Err(Failure::usage(what, format!("name one of: {}", timed.join(", "))));
    }
    Ok(levels)
}

/// The rows of the table that are asked for.
fn wanted(filters: &[String], levels: &[Level], counts: &[Row]) -> Result<Vec<Row>, Failure> {
    let known = Known::registry();
    // Those that `bench` takes without names.
    let headline = Study::headline();
    let usual = headline.selections.iter().flat_map(|it| &it.filters).map(ToString::to_string);
    let usual: Vec<String> = usual.collect();
    let filters = if filters.is_empty() { &usual[..] } else { filters };
    let mut names: Vec<String> = Vec::new();
    for text in filters {
        names.extend(known.expand(text)?);
    }
    let named = |row: &&Row| {
        let algorithm = row.operation.split('/').next().unwrap_or_default();
        names.iter().any(|name| *name == row.operation || name == algorithm)
            && levels.iter().any(|level| level.name() == row.level)
            && row.what != table::PATH
    };
    let wanted: Vec<Row> = counts.iter().filter(named).cloned().collect();
    if wanted.is_empty() {
        let here: Vec<&str> = levels.iter().map(|level| level.name()).collect();
        let what =
            format!("no operation of {} is counted at {}", names.join(", "), here.join(", "));
        return Err(Failure::usage(what, "see docs/notes/counts.tsv for those that are"));
    }
    Ok(wanted)
}

/// The table and its sums.
fn show(document: &Document, out: &mut Output) -> Result<(), Failure> {
    let mut table = plain(&["operation", "level", "data", "measured", "floor", "%", "binds"]);
    for it in &document.operations {
        table.add_row([
            it.operation.clone(),
            it.level.clone(),
            it.what.clone(),
            format!("{:.3}", it.measured),
            format!("{:.3}", it.floor),
            format!("{:.0}", it.percent),
            it.binds.clone(),
        ]);
    }
    right(&mut table, 3..=5);
    out.line(&table.trim_fmt())?;
    let of = |kind: Kind| document.operations.iter().filter(|it| it.bound == kind.name()).count();
    let good = document.operations.iter().filter(|it| it.percent >= 80.0).count();
    let mut percents: Vec<f64> = document.operations.iter().map(|it| it.percent).collect();
    percents.sort_by(f64::total_cmp);
    let median = percents.get(percents.len() / 2).copied().unwrap_or(0.0);
    out.line(&format!(
        "\n{} rows: {good} at 80 % of their floor or above, half at {median:.0} % or above; {} bound \
         by throughput, {} by latency. Core cycles a byte; {}, {:.3} core cycles a tick.",
        document.operations.len(),
        of(Kind::Throughput),
        of(Kind::Latency),
        document.machine.cpu,
        document.machine.core_per_tsc,
    ))?;
    for doubt in &document.doubts {
        out.line(&format!("doubtful, measure again in a quiet minute: {doubt}"))?;
    }
    Ok(())
}

/// What operations cost.
fn lanes_table(lanes: &[Lane]) -> Table {
    let mut table = plain(&["level", "lane operation", "throughput", "latency", "units"]);
    for it in lanes {
        let units: Vec<String> =
            it.units.iter().map(|(set, share)| format!("{set} {share:.2}")).collect();
        table.add_row([
            it.level.clone(),
            it.operation.clone(),
            format!("{:.2}", it.throughput),
            format!("{:.2}", it.latency),
            units.join(", "),
        ]);
    }
    right(&mut table, 2..=3);
    table
}

fn plain(head: &[&str]) -> Table {
    let rule = LineStyle::none().fill('─').junction('─');
    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(rule));
    table.set_content_arrangement(ContentArrangement::Disabled);
    table.force_no_tty();
    table.set_header(head.to_vec());
    table
}

fn right(table: &mut Table, columns: std::ops::RangeInclusive<usize>) {
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 1));
        if columns.contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}
