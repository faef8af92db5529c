//! `report`: the table and the page again, from a results file of any machine.

use std::path::PathBuf;

use lab::report::{self, terminal};

use crate::args::help;
use crate::failure::{Exit, Failure};
use crate::output::Output;

/// Rebuild table, page and CSV from a results file, on any machine
#[derive(Debug, clap::Args)]
#[command(after_help = help!(
    "  cipherlane report cipherlane-report/results.json
  cipherlane report results.json --out page"
))]
pub(crate) struct Args {
    /// The results file, as `cipherlane bench` writes it
    file: PathBuf,
    /// Write report.html, results.json and results.csv into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let results = report::read(&args.file)?;
    let written = args.out.as_deref().map(|dir| report::write_all(&results, dir)).transpose()?;
    out.text(&terminal::render(&results, out.style()))?;
    if let Some(written) = written {
        out.line(&format!("\nreport: {}", written.html.display()))?;
    }
    Ok(Exit::Done)
}
