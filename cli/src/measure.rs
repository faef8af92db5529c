//! A study from its beginning to its files: what `bench` and `study` have in common.

use std::path::{Path, PathBuf};

use lab::against::is_peer;
use lab::record::EngineRecord;
use lab::report;
use lab::report::screen::standings::BEST;
use lab::run::Options;
use lab::study::{Lang, Study};
use peers::ages::age;
use peers::catalogue::EngineInfo;

use crate::cmd::bench::record::Checkout;
use crate::failure::{self, Exit, Failure};
use crate::files::sink::Sink;
use crate::files::stop;
use crate::files::target::{Access, Target, There, Wish};
use crate::output::Output;
use crate::progress::Bar;
use crate::view::View;

/// Where a report goes, in which language, and what of it is printed.
pub(crate) struct Place<'p> {
    /// The folder of its files.
    pub(crate) folder: &'p Path,
    /// Another place for the results; `-` is standard output.
    pub(crate) json: Option<&'p Path>,
    /// The language, where it is the report of a study.
    pub(crate) lang: Lang,
    /// What is printed.
    pub(crate) view: &'p View,
    /// The checkout in which the machine is recorded, if it is.
    pub(crate) record: Option<&'p Checkout>,
}

/// Measures a study, writes its report and prints it.
///
/// # Errors
/// An engine that is missing, a place that can't be written, and what a run fails of; also
/// engines that computed different outputs.
pub(crate) fn measure(
    study: &Study,
    options: &Options,
    catalogue: &[EngineInfo],
    place: &Place<'_>,
    out: &mut Output,
) -> Result<Exit, Failure> {
    let &Place { folder, json, lang, view, record } = place;
    check_present(study, options, catalogue)?;
    check_peer(study, options, view)?;
    // A figure that could not be kept is not worth minutes.
    report::check_writable(folder)?;
    let to_stdout = json == Some(Path::new("-"));
    if let Some(file) = json.filter(|_| !to_stdout) {
        check_file(file)?;
    }
    let mut outcome = {
        stop::heed();
        let mut bar = Bar::new();
        lab::run::run(study, options, &mut bar)?
    };
    date(&mut outcome.results.engines);
    let results = &outcome.results;
    let page = report::write_all(results, folder, lang)?.html.display().to_string();
    if to_stdout {
        out.bytes(&report::json(results)?)?;
        let mut beside = Output::beside();
        view.show(results, lang, Some(&page), &mut beside)?;
        beside.finish()?;
    } else {
        if let Some(file) = json {
            let (there, access) = (There::Replaced, Access::Usual);
            let wish = Wish { there, binary: false, held_back: false, access };
            let mut target = Target::begin(file, wish)?;
            target.write(&report::json(results)?)?;
            target.finish()?;
        }
        view.show(results, lang, Some(&page), out)?;
    }
    out.finish()?;
    match outcome.mismatches.as_slice() {
        [] => {
            if let Some(checkout) = record {
                checkout.write(results)?;
            }
            Ok(Exit::Done)
        }
        [rest @ .., last] => {
            rest.iter().for_each(|mismatch| failure::print_error(mismatch));
            Err(Failure::new(
                Exit::Failed,
                last,
                "engines computed different outputs, so those cells have no figure; run \
                 `cipherlane verify` to see which one is wrong",
            ))
        }
    }
}

/// Tells how old the engines' libraries are: the laboratory itself knows none of them.
fn date(engines: &mut [EngineRecord]) {
    for engine in engines {
        let age = age(&engine.name, &engine.version);
        engine.released = age.map(|age| age.released);
        engine.current = age.and_then(|age| age.current).map(str::to_owned);
    }
}

/// An engine that was named must be here, or have its library named.
fn check_present(
    study: &Study,
    options: &Options,
    catalogue: &[EngineInfo],
) -> Result<(), Failure> {
    let named = |engine: &&EngineInfo| {
        study.engines.as_ref().is_some_and(|names| names.contains(&engine.name))
            && !options.engine_libs.contains_key(&engine.name)
    };
    match catalogue.iter().filter(named).find(|engine| !engine.present) {
        None => Ok(()),
        Some(absent) => Err(Failure::new(
            Exit::Environment,
            format!("engine `{}` is missing", absent.name),
            format!("to get it: {}", absent.how_to_get),
        )),
    }
}

/// An engine that ours is set against must take part.
fn check_peer(study: &Study, options: &Options, view: &View) -> Result<(), Failure> {
    let part = study.engines.as_ref().unwrap_or(&options.engines);
    let best = std::iter::once(BEST);
    let peers = part.iter().map(String::as_str).filter(|engine| is_peer(engine));
    let allowed: Vec<&str> = best.chain(peers).collect();
    match view.against().filter(|peer| !allowed.contains(peer)) {
        None => Ok(()),
        Some(peer) => Err(Failure::usage(
            format!("--against is `{peer}`, which is no other engine of this run"),
            format!("allowed: {}", allowed.join(", ")),
        )),
    }
}

/// This program, which serves the built-in engines.
pub(crate) fn program() -> Result<PathBuf, Failure> {
    std::env::current_exe().map_err(|error| {
        Failure::new(
            Exit::Environment,
            format!("can't find this program's own file: {error}"),
            "start it by its full path",
        )
    })
}

/// The folder of a file must take it.
fn check_file(file: &Path) -> Result<(), Failure> {
    if Sink::is(file) {
        return Ok(());
    }
    let dir = file.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !dir.is_dir() || file.is_dir() {
        let place = if file.is_dir() { "it is a folder" } else { "its folder does not exist" };
        return Err(Failure::new(
            Exit::Environment,
            format!("can't write {}: {place}", file.display()),
            "name a file in an existing folder with --json, or `-` for standard output",
        ));
    }
    Ok(report::check_writable(dir)?)
}

/// The command line as one would type it.
pub(crate) fn command() -> String {
    let words = std::env::args().skip(1).map(|word| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,=+:@%".contains(c);
        if !word.is_empty() && word.chars().all(plain) {
            word
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    });
    std::iter::once("cipherlane".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}
