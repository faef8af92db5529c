//! `verify --against`: random messages to the library and to other engines.

use std::collections::BTreeMap;

use cipherlane::Level;
use lab::differential::{self, Compared, Difference, Options, Report, Skipped};
use lab::run::Options as RunOptions;
use lab::study::Filter;
use peers::catalogue::{EngineInfo, catalogue};
use serde::Serialize;

use crate::cmd::bench;
use crate::failure::{self, Exit, Failure};
use crate::filter::{self, Known};
use crate::measure::program;
use crate::output::Output;
use crate::progress::Bar;

/// The engine of the library itself.
const SUBJECT: &str = "cipherlane";

// The verb has a group of the same name, which clap does not like in a debug build.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(crate) struct Args {
    /// Compare with these engines instead, or `all` that are present
    #[arg(long, value_name = "ENGINE,…", value_delimiter = ',')]
    against: Vec<String>,
    /// Random messages for each operation and engine
    #[arg(long, value_name = "N", default_value_t = 10_000, requires = "against")]
    random: u32,
    /// The seed of the first messages
    #[arg(long, value_name = "SEED", default_value_t = 1, requires = "against")]
    seed: u64,
    /// Open this shared library for an engine instead of the system's
    #[arg(long, value_name = "ENGINE=PATH", requires = "against")]
    lib: Vec<String>,
}

impl Args {
    pub(super) fn is_given(&self) -> bool {
        !self.against.is_empty()
    }
}

#[derive(Serialize)]
struct Document<'r> {
    schema: &'static str,
    seed: u64,
    random: u32,
    messages: u64,
    compared: Vec<Entry<'r>>,
    skipped: Vec<SkippedEntry<'r>>,
}

#[derive(Serialize)]
struct Entry<'r> {
    engine: &'r str,
    algorithm: &'r str,
    operation: &'r str,
    levels: &'r [String],
    messages: u64,
    single_lengths: bool,
    difference: Option<&'r str>,
    request: Option<&'r str>,
}

#[derive(Serialize)]
struct SkippedEntry<'r> {
    engine: &'r str,
    algorithm: &'r str,
    operation: &'r str,
    reason: &'r str,
}

/// Compares, prints what agrees, and fails with the first difference.
pub(super) fn run(
    args: &Args,
    filters: &[String],
    levels: &[Level],
    json: bool,
    out: &mut Output,
) -> Result<Exit, Failure> {
    let filters = expand(filters)?;
    let options = options(args, levels)?;
    let report = {
        let mut bar = Bar::new();
        differential::run(&filters, &options, &mut bar)?
    };
    if json {
        out.json(&document(&report, args))?;
    } else {
        print(&report, &options, out)?;
    }
    out.finish()?;
    let different: Vec<(&Compared, &Difference)> = report.different().collect();
    if let Some(((first, difference), rest)) = different.split_first() {
        for (compared, difference) in rest {
            failure::print_error(&sentence(compared, difference));
        }
        return Err(Failure::new(
            Exit::Failed,
            sentence(first, difference),
            format!(
                "repeat it: give `{}` to `cipherlane engine {SUBJECT}`, and with its model and \
                 level to `cipherlane engine {}`",
                difference.request, first.engine
            ),
        ));
    }
    if report.compared.is_empty() {
        return Err(Failure::new(
            Exit::Failed,
            "nothing was compared: the engines share none of what the filters choose",
            "`cipherlane engines` lists what each of them offers",
        ));
    }
    Ok(Exit::Done)
}

fn expand(texts: &[String]) -> Result<Vec<Filter>, Failure> {
    let known = Known::registry();
    let mut filters = Vec::new();
    for text in texts {
        for name in known.expand(text)? {
            filters.push(name.parse()?);
        }
    }
    Ok(filters)
}

fn options(args: &Args, levels: &[Level]) -> Result<Options, Failure> {
    let program = program()?;
    let catalogue = catalogue(&program);
    let engine_libs = bench::libraries(&args.lib, &catalogue)?;
    let others = catalogue.iter().filter(|engine| engine.name != SUBJECT);
    let mut against: Vec<String> = Vec::new();
    if args.against == ["all"] {
        let there = |it: &&EngineInfo| it.present || engine_libs.contains_key(&it.name);
        against.extend(others.filter(there).map(|engine| engine.name.clone()));
    } else {
        let names: Vec<&str> = others.map(|engine| engine.name.as_str()).collect();
        for name in &args.against {
            if !names.contains(&name.as_str()) {
                return Err(filter::unknown(&format!("engine `{name}`"), name, &names));
            }
            if !against.contains(name) {
                against.push(name.clone());
            }
        }
    }
    Ok(Options {
        subject: SUBJECT.to_owned(),
        against,
        engine_libs,
        levels: Some(levels.iter().map(|level| level.name().to_owned()).collect()),
        messages: args.random,
        seed: args.seed,
        timeout: RunOptions::new(program.clone()).timeout,
        program,
    })
}

fn print(report: &Report, options: &Options, out: &mut Output) -> Result<(), Failure> {
    for compared in report.compared.iter().filter(|it| it.difference.is_none()) {
        let Compared { engine, algorithm, operation, messages, .. } = compared;
        let how = if compared.single_lengths { ", equal lengths in each request" } else { "" };
        let text = format!("{engine:<12} {algorithm}/{operation}: {messages} messages agree{how}");
        out.wrapped(&text, 13)?;
    }
    let mut gaps: Vec<(&str, &str, Vec<String>)> = Vec::new();
    let mut absent = BTreeMap::new();
    for Skipped { engine, algorithm, operation, reason } in &report.skipped {
        if reason.starts_with(&format!("{engine} offers no ")) {
            *absent.entry(engine).or_insert(0) += 1;
            continue;
        }
        let name = format!("{algorithm}/{operation}");
        match gaps.iter_mut().find(|gap| gap.0 == engine && gap.1 == reason) {
            Some(gap) => gap.2.push(name),
            None => gaps.push((engine, reason, vec![name])),
        }
    }
    for (engine, reason, names) in gaps {
        out.wrapped(&format!("skipped      {engine} {}: {reason}", names.join(", ")), 13)?;
    }
    for (engine, count) in absent {
        let text = format!("skipped      {engine}: {count} operations that it does not offer");
        out.wrapped(&text, 13)?;
    }
    let agree = report.compared.iter().filter(|it| it.difference.is_none());
    let text = format!(
        "{} random messages in {} comparisons with {}, seed {}, levels {}: {} agree, {} differ",
        report.compared.iter().map(|it| it.messages).sum::<u64>(),
        report.compared.len(),
        options.against.join(", "),
        options.seed,
        options.levels.iter().flatten().cloned().collect::<Vec<_>>().join(", "),
        agree.count(),
        report.different().count(),
    );
    out.wrapped(&text, 2)
}

fn sentence(compared: &Compared, difference: &Difference) -> String {
    let Compared { engine, algorithm, operation, .. } = compared;
    format!(
        "{algorithm}/{operation} against {engine}: {}; request `{}`",
        difference.what, difference.request
    )
}

fn document<'r>(report: &'r Report, args: &Args) -> Document<'r> {
    let entry = |it: &'r Compared| Entry {
        engine: &it.engine,
        algorithm: &it.algorithm,
        operation: &it.operation,
        levels: &it.levels,
        messages: it.messages,
        single_lengths: it.single_lengths,
        difference: it.difference.as_ref().map(|it| it.what.as_str()),
        request: it.difference.as_ref().map(|it| it.request.as_str()),
    };
    let skipped = |it: &'r Skipped| SkippedEntry {
        engine: &it.engine,
        algorithm: &it.algorithm,
        operation: &it.operation,
        reason: &it.reason,
    };
    Document {
        schema: "cipherlane-differential/1",
        seed: args.seed,
        random: args.random,
        messages: report.compared.iter().map(|it| it.messages).sum(),
        compared: report.compared.iter().map(entry).collect(),
        skipped: report.skipped.iter().map(skipped).collect(),
    }
}
