//! `report`: the screen and the page again, from a results file of any machine.

use std::path::PathBuf;

use lab::report;

use crate::args::{Language, help};
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::view::View;

/// Rebuild screen, tables, page and CSV from a results file, on any machine
#[derive(Debug, clap::Args)]
#[command(after_help = help!(
    "  cipherlane report cipherlane-report/results.json
  cipherlane report results.json --table
  cipherlane report results.json --against best
  cipherlane report results.json --out page
  cipherlane report zuc/results.json --lang zh --out page"
))]
pub(crate) struct Args {
    /// The results file, as `cipherlane bench` writes it
    file: PathBuf,
    /// Language of the report of a study
    #[arg(long, value_enum, default_value_t)]
    lang: Language,
    /// Write report.html, results.json and results.csv, of a study also report.md and cells.csv,
    /// into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    view: View,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let results = report::read(&args.file)?;
    let lang = args.lang.into();
    let write = |dir| report::write_all(&results, dir, lang);
    let written = args.out.as_deref().map(write).transpose()?;
    let page = written.map(|it| it.html.display().to_string());
    args.view.show(&results, lang, page.as_deref(), out)?;
    Ok(Exit::Done)
}
