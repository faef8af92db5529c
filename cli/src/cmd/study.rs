//! `study`: runs a study by name, and says what has become of its published claims.

mod facts;
mod wants;

use std::path::{Path, PathBuf};

use cipherlane::Level;
use lab::report::{self, ReportError};
use lab::run::Options;
use lab::study::Study;
use peers::catalogue::catalogue;

use crate::args::{Language, help};
use crate::failure::{Exit, Failure, print_note};
use crate::filter;
use crate::level;
use crate::measure::{Place, command, measure, program};
use crate::output::Output;
use crate::run_folder::REPORTS;
use crate::view::View;

/// Run a study by name: what was published beside what is measured here
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Run a study by name: what was published beside what is measured here\n\n\
        A study is a list of rows and, where it reproduces a publication, that publication's \
        tables, figures and claims. Every published value stands beside the measured one, or \
        the reason why there is none; each claim has a verdict: holds, holds weaker, no longer \
        holds, reversed, can't tell here. Engines that a study needs and that can be built here are built first. Ctrl-C \
        ends a run with what it has; --resume goes on. Without a name the studies are listed; \
        `all` runs those of publications, one after the other.",
    after_help = help!(
        "  cipherlane study
  cipherlane study zuc-report
  cipherlane study zuc-report --quick --lang zh --json zuc.json
  cipherlane study all --quick"
    )
)]
pub(crate) struct Args {
    /// The study, or `all`; all are listed if absent
    name: Option<String>,
    /// Fewer passes, and fewer samples of long messages
    #[arg(long)]
    quick: bool,
    /// Go on with the run in the folder that was stopped
    #[arg(long)]
    resume: bool,
    /// Print every table with its intervals and reasons, instead of a line for each conclusion
    #[arg(long)]
    table: bool,
    /// Language of the report
    #[arg(long, value_enum, default_value_t)]
    lang: Language,
    /// Folder for report.html, report.md, cells.csv, results.json and results.csv [default:
    /// cipherlane-report/NAME]; of `all` the folder of these folders
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Also write the results to this file; with `-` to standard output, and all else to
    /// standard error
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
}

/// The name that stands for every study of a publication.
const ALL: &str = "all";

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let Some(name) = &args.name else { return list(out) };
    let names = Study::names();
    if name == ALL {
        return all(args, out);
    }
    if !names.contains(&name.as_str()) {
        let names: Vec<&str> = names.into_iter().chain([ALL]).collect();
        return Err(filter::unknown(&format!("study `{name}`"), name, &names));
    }
    let folder = args.out.clone().unwrap_or_else(|| Path::new(REPORTS).join(name));
    one(name, &folder, args, out)
}

/// The file of a report that holds every sample.
const RESULTS: &str = "results.json";

/// Every study of a publication. One that fails doesn't keep the others from being run.
fn all(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    if args.json.is_some() {
        return Err(Failure::usage(
            "--json is one file, and `all` is several studies",
            "each study's folder has its results.json",
        ));
    }
    let parent = args.out.clone().unwrap_or_else(|| PathBuf::from(REPORTS));
    let mut failed: Option<Failure> = None;
    for name in Study::names() {
        if Study::named(name)?.published.is_none() {
            continue;
        }
        match one(name, &parent.join(name), args, out) {
            Ok(Exit::Done) if !crate::files::stop::asked() => {}
            Ok(exit) => return Ok(exit),
            Err(failure) => {
                if let Some(before) = failed.replace(failure) {
                    before.report();
                }
            }
        }
    }
    failed.map_or(Ok(Exit::Done), Err)
}

fn one(name: &str, folder: &Path, args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let mut study = Study::named(name)?;
    cap(&mut study)?;
    // Of all studies those that had not begun begin now.
    let begun = args.name.as_deref() != Some(ALL) || folder.join(RESULTS).exists();
    let earlier = if args.resume && begun { Some(earlier(name, folder)?) } else { None };
    let absent = wants::bring(&study)?;
    let catalogue = catalogue(&program()?);
    let present = catalogue
        .iter()
        .filter(|engine| engine.present && (engine.usual || study.wants.contains(&engine.name)));
    let options = Options {
        engines: present.map(|engine| engine.name.clone()).collect(),
        quick: args.quick,
        command: command(),
        default_level: level::default_name(),
        facts: facts::of(&study, args.quick)?,
        absent,
        earlier,
        ..Options::new(program()?)
    };
    let json = args.json.as_deref();
    let view = View::of_study(args.table);
    let place = Place { folder, json, lang: args.lang.into(), view: &view, record: None };
    measure(&study, &options, &catalogue, &place, out)
}

/// The results of a run of that study that was stopped.
fn earlier(name: &str, folder: &Path) -> Result<lab::record::Results, Failure> {
    let file = folder.join(RESULTS);
    let results = report::read(&file).map_err(|error| match error {
        ReportError::Read { .. } => Failure::new(
            Exit::Environment,
            error.to_string(),
            "there is nothing to go on with: run the study without --resume",
        ),
        other => other.into(),
    })?;
    if results.study.as_deref() != Some(name) {
        return Err(Failure::usage(
            format!("{} is not of study `{name}`", file.display()),
            "name the folder of the run that was stopped with --out",
        ));
    }
    if !results.run.partial {
        print_note("that run was not stopped: only what has no figure is measured");
    }
    Ok(results)
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
        let counts = match (study.sheets.len(), study.figures.len(), study.claims.len()) {
            (0, 0, 0) => String::new(),
            (tables, figures, claims) => {
                format!(" ({tables} tables, {figures} figures, {claims} claims)")
            }
        };
        out.line(&format!("{name:<13} {}{counts}", study.title))?;
    }
    Ok(Exit::Done)
}
