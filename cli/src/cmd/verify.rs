//! `verify`: the published test vectors, at every level, along every path.

use std::path::PathBuf;

use cipherlane::Level;
use serde::Serialize;
use vectors::VectorFile;
use vectors::verify::{Failure as Broken, Filter, NotImplemented, Plan, Summary};

use crate::args::{Json, help};
use crate::failure::{self, Exit, Failure};
use crate::filter::{self, Known};
use crate::level;
use crate::output::Output;
use crate::progress::Bar;

mod against;
mod dialects;

/// Check the library with published test vectors at every level
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Check the library with published test vectors at every level\n\n\
        Each vector runs at each level along several paths: in place, buffer to buffer, and \
        streamed in pieces of several lengths. A file that differs from its listed SHA-256 is a \
        failure too. --vectors also takes files of dialects, whose tests are calls of functions of \
        databases and middleware (see `cipherlane dialects`).\n\n\
        With --against, random messages are given to the library and to other engines instead, and \
        their outputs compared: lengths, keys, IVs, associated data and placement differ from \
        message to message, levels and kernels take turns.",
    after_help = help!(
        "  cipherlane verify
  cipherlane verify sm4/cbc zuc-256 --level portable,avx2
  cipherlane verify --vectors my-vectors --json
  cipherlane verify sm4 aes-128 --against openssl,rustcrypto --random 10000"
    )
)]
pub(crate) struct Args {
    /// ALGORITHM or ALGORITHM/OPERATION, e.g. sm4 or sm4/ctr, or with --vectors a dialect;
    /// everything if absent
    filters: Vec<String>,
    /// Only these levels; all that this CPU has if absent
    #[arg(long, value_name = "L,…", value_delimiter = ',')]
    level: Vec<String>,
    /// Read the vector files of this folder instead
    #[arg(long, value_name = "DIR", conflicts_with_all = ["against"])]
    vectors: Option<PathBuf>,
    #[command(flatten)]
    against: against::Args,
    #[command(flatten)]
    json: Json,
}

#[derive(Serialize)]
struct Document<'s> {
    schema: &'static str,
    levels: Vec<&'static str>,
    vectors: usize,
    cases_passed: usize,
    paths_passed: usize,
    failed: Vec<FailedEntry<'s>>,
    not_implemented: Vec<LackEntry<'s>>,
}

#[derive(Serialize)]
struct FailedEntry<'s> {
    file: &'s str,
    mode: Option<&'s str>,
    source: Option<&'s str>,
    id: Option<&'s str>,
    level: Option<&'s str>,
    path: Option<&'s str>,
    what: &'s str,
}

#[derive(Serialize)]
struct LackEntry<'s> {
    file: &'s str,
    mode: &'s str,
    tests: usize,
}

/// Cases of one algorithm in one file.
struct Tally {
    algorithm: &'static str,
    file: String,
    passed: usize,
    failed: usize,
    paths: usize,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let levels = level::chosen(&args.level)?;
    if args.against.is_given() {
        return against::run(&args.against, &args.filters, &levels, args.json.json, out);
    }
    let files = match &args.vectors {
        Some(dir) => vectors::load_dir(dir),
        None => vectors::all(),
    };
    let files = files.map_err(|error| {
        Failure::usage(
            format!("can't read the vector files: {error}"),
            "restore the file, or name a folder of vector files with --vectors",
        )
    })?;
    let (files, of_dialects) = match &args.vectors {
        Some(dir) => dialects::take(files, dir)?,
        None => (files, Vec::new()),
    };
    let named = |text: &&String| dialects::named(&of_dialects, text);
    let (dialects_chosen, texts): (Vec<&String>, Vec<&String>) =
        args.filters.iter().partition(named);
    let filters = filters(&texts, &files)?;
    // Where filters choose dialects alone, nothing else is chosen, and the other way round.
    let files = if texts.is_empty() && !dialects_chosen.is_empty() { Vec::new() } else { files };
    let of_dialects =
        if dialects_chosen.is_empty() && !texts.is_empty() { Vec::new() } else { of_dialects };
    let plan = Plan::new(&filters, &files);
    let mut bar = Bar::new();
    let cases =
        plan.cases(levels.len()) + dialects::cases(&of_dialects, &dialects_chosen, levels.len());
    bar.length(cases as u64);
    let mut tallies: Vec<Tally> = Vec::new();
    let mut done = 0;
    let mut step = |algorithm: &str, level: Level| {
        done += 1;
        if done % 64 == 0 {
            bar.step(done, format!("{algorithm} {level}"));
        }
    };
    let mut summary = plan.run(&levels, &mut |case| {
        step(case.algorithm, case.level);
        let same =
            |tally: &&mut Tally| tally.algorithm == case.algorithm && tally.file == case.file;
        let tally = match tallies.iter_mut().find(same) {
            Some(tally) => tally,
            None => {
                let (algorithm, file) = (case.algorithm, case.file.to_owned());
                tallies.push(Tally { algorithm, file, passed: 0, failed: 0, paths: 0 });
                let last = tallies.len() - 1;
                &mut tallies[last]
            }
        };
        tally.paths += case.paths;
        if case.failure.is_some() {
            tally.failed += 1;
        } else {
            tally.passed += 1;
        }
    });
    dialects::run(&of_dialects, &dialects_chosen, &levels, &mut summary, &mut tallies, &mut step);
    bar.clear();
    if args.json.json {
        out.json(&document(&summary, &levels))?;
    } else {
        print(&summary, &tallies, &levels, out)?;
    }
    out.finish()?;
    if !summary.is_success() {
        return Err(Failure::new(
            Exit::Failed,
            format!(
                "{} of the checks failed, the first: {}",
                summary.failed.len(),
                summary.failed[0]
            ),
            "the library or the named vector file is not what it should be; don't use it",
        ));
    }
    if summary.vectors == 0 {
        return Err(Failure::new(
            Exit::Failed,
            "no vector was run: nothing is implemented for what the filters choose",
            "leave the filters out to see what can be verified",
        ));
    }
    Ok(Exit::Done)
}

/// The filters, each of which must choose something.
fn filters(texts: &[&String], files: &[VectorFile]) -> Result<Vec<Filter>, Failure> {
    let mut filters = Vec::new();
    for text in texts {
        let filter: Filter = text.parse().map_err(|error: vectors::verify::FilterError| {
            let known = Known::registry().expand(text).err();
            known.unwrap_or_else(|| Failure::usage(error.to_string(), "for example sm4/ctr"))
        })?;
        let one = [filter];
        let plan = Plan::new(&one, files);
        let [filter] = one;
        if plan.cases(1) == 0 && plan.run(&[], &mut |_| {}).not_implemented.is_empty() {
            Known::registry().expand(text)?;
            let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
            return Err(filter::unknown(
                &format!("filter `{text}`: no vector file has it"),
                text,
                &names,
            ));
        }
        filters.push(filter);
    }
    Ok(filters)
}

fn print(
    summary: &Summary,
    tallies: &[Tally],
    levels: &[Level],
    out: &mut Output,
) -> Result<(), Failure> {
    for tally in tallies {
        let cases = tally.passed + tally.failed;
        let text = format!(
            "{:<12} {}: {} vectors × {} levels: {} passed, {} failed ({} paths)",
            tally.algorithm,
            tally.file,
            cases / levels.len().max(1),
            levels.len(),
            tally.passed,
            tally.failed,
            tally.paths,
        );
        out.wrapped(&text, 13)?;
    }
    for (file, lacks) in by_file(&summary.not_implemented) {
        let modes: Vec<String> =
            lacks.iter().map(|lack| format!("{} ({})", lack.mode, lack.tests)).collect();
        out.wrapped(&format!("not implemented  {file}: {}", modes.join(", ")), 17)?;
    }
    // The first failure is the error at the end.
    for broken in summary.failed.iter().skip(1) {
        out.finish()?;
        failure::print_error(&broken.to_string());
    }
    let names: Vec<&str> = levels.iter().map(|level| level.name()).collect();
    let text = format!(
        "{} vectors × {} levels ({}): {} passed, {} failed; {} paths gave the published bytes",
        summary.vectors,
        levels.len(),
        names.join(", "),
        summary.passed,
        summary.failed.len(),
        summary.paths,
    );
    out.wrapped(&text, 2)
}

fn by_file(lacks: &[NotImplemented]) -> Vec<(&str, Vec<&NotImplemented>)> {
    let mut files: Vec<(&str, Vec<&NotImplemented>)> = Vec::new();
    for lack in lacks {
        match files.iter_mut().find(|(file, _)| *file == lack.file) {
            Some((_, list)) => list.push(lack),
            None => files.push((&lack.file, vec![lack])),
        }
    }
    files
}

fn document<'s>(summary: &'s Summary, levels: &[Level]) -> Document<'s> {
    Document {
        schema: "cipherlane-verification/1",
        levels: levels.iter().map(|level| level.name()).collect(),
        vectors: summary.vectors,
        cases_passed: summary.passed,
        paths_passed: summary.paths,
        failed: summary.failed.iter().map(failed).collect(),
        not_implemented: summary
            .not_implemented
            .iter()
            .map(|lack| LackEntry { file: &lack.file, mode: &lack.mode, tests: lack.tests })
            .collect(),
    }
}

fn failed(broken: &Broken) -> FailedEntry<'_> {
    let place = broken.place.as_ref();
    FailedEntry {
        file: &broken.file,
        mode: place.map(|place| place.mode.as_str()),
        source: place.map(|place| place.source.as_str()),
        id: place.map(|place| place.id.as_str()),
        level: place.map(|place| place.level.as_str()),
        path: place.map(|place| place.path.as_str()),
        what: &broken.what,
    }
}
