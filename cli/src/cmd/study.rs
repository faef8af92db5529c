//! `study`: runs a study by name, and says what has become of its published claims.

use std::path::{Path, PathBuf};

use cipherlane::Level;
use lab::run::Options;
use lab::study::Study;
use peers::catalogue::catalogue;

use crate::args::help;
use crate::failure::{Exit, Failure};
use crate::filter;
use crate::level;
use crate::measure::{command, measure, program};
use crate::output::Output;

/// Run a study by name: published claims beside what is measured here
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Run a study by name: published claims beside what is measured here\n\n\
        A study is a list of rows and, where it reproduces a publication, that publication's \
        claims. Each claim is printed with the published ratio, the measured one, its 95 % \
        interval and a verdict: holds, holds weaker, no longer holds. Without a name the studies \
        are listed.",
    after_help = help!(
        "  cipherlane study
  cipherlane study zuc-report
  cipherlane study zuc-report --quick --json claims.json"
    )
)]
pub(crate) struct Args {
    /// The study; all are listed if absent
    name: Option<String>,
    /// Fewer passes, and fewer samples of long messages
    #[arg(long)]
    quick: bool,
    /// Folder for report.html, results.json and results.csv [default: cipherlane-report/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Also write the results to this file; with `-` to standard output, and all else to
    /// standard error
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let Some(name) = &args.name else { return list(out) };
    let names = Study::names();
    if !names.contains(&name.as_str()) {
        return Err(filter::unknown(&format!("study `{name}`"), name, &names));
    }
    let mut study = Study::named(name)?;
    cap(&mut study)?;
    let catalogue = catalogue(&program()?);
    let present = catalogue.iter().filter(|engine| engine.present && engine.usual);
    let mut options = Options {
        engines: present.map(|engine| engine.name.clone()).collect(),
        quick: args.quick,
        command: command(),
        ..Options::new(program()?)
    };
    if args.quick {
        options.passes = 3;
    }
    let folder = args.out.clone().unwrap_or_else(|| Path::new("cipherlane-report").join(name));
    measure(&study, &options, &catalogue, &folder, args.json.as_deref(), out)
}

/// The cap of the environment is the best level then, and no study goes beyond it.
fn cap(study: &mut Study) -> Result<(), Failure> {
    let usable = level::chosen(&[])?;
    if usable.len() == Level::available().count() {
        return Ok(());
    }
    if let Some(top) = usable.last() {
        study.best(top.name());
    }
    let names = || usable.iter().map(|level| level.name().to_owned()).collect();
    for selection in &mut study.selections {
        selection.levels.get_or_insert_with(names);
    }
    Ok(())
}

fn list(out: &mut Output) -> Result<Exit, Failure> {
    for name in Study::names() {
        let study = Study::named(name)?;
        let claims = match study.claims.len() {
            0 => String::new(),
            count => format!(" ({count} claims)"),
        };
        out.line(&format!("{name:<12} {}{claims}", study.title))?;
    }
    Ok(Exit::Done)
}
