//! `bench`: measures, prints the screen, writes the report.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use cipherlane::Level;
use lab::report::ReportError;
use lab::request::MAX_MESSAGES;
use lab::run::Options;
use lab::study::{Choice, Filter, Lang, MAX_SIZE, MAX_THREADS, Study};
use lab::{KeySetup, LabError, Mix, Model};
use peers::catalogue::{EngineInfo, catalogue};

use crate::args::help;
use crate::failure::{Exit, Failure};
use crate::filter::{self, Known};
use crate::level;
use crate::measure::{self, command, program};
use crate::output::Output;
use crate::run_folder::{self, REPORTS};
use crate::view::View;

/// Measure how fast the ciphers run here, beside other engines
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Measure how fast the ciphers run here, beside other engines\n\n\
        Without arguments the headline study runs: SM4 and ZUC at every level, with every engine \
        that is present. What it found is printed on one screen, and report.html, results.json and \
        results.csv are written.",
    after_help = help!(
        "  cipherlane bench
  cipherlane bench sm4/ctr zuc-256 --size 64,1500,16k --model message,packet
  cipherlane bench sm4/ctr --engine cipherlane,openssl --level avx512 --json -
  cipherlane bench sm4 zuc-128 --against best
  cipherlane bench sm4/cbc-encrypt --model message,batch --messages 16,64 --size 64,1500
  cipherlane bench --study my-study.toml --out my-report"
    )
)]
pub(crate) struct Args {
    /// ALGORITHM or ALGORITHM/OPERATION, e.g. sm4 or sm4/ctr; the headline study if absent
    filters: Vec<String>,
    /// Only these engines, which then must be present
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    engine: Vec<String>,
    /// Only these levels of the library
    #[arg(long, value_name = "L,…", value_delimiter = ',')]
    level: Vec<String>,
    /// Message lengths in bytes, also as 16k or 1M
    #[arg(long, value_name = "N,…", value_delimiter = ',')]
    size: Vec<String>,
    /// Models: init, key, stream, packet, message, batch, latency
    #[arg(long, value_name = "M,…", value_delimiter = ',')]
    model: Vec<String>,
    /// Messages in each call of model batch [default: 16]
    #[arg(long, value_name = "N,…", value_delimiter = ',')]
    messages: Vec<String>,
    /// Keys of model batch, `ready` or `fresh` (set up inside the clock) [default: fresh for
    /// stream ciphers, ready for all others]
    #[arg(long, value_name = "K,…", value_delimiter = ',')]
    keys: Vec<String>,
    /// Message lengths of model batch: `equal` as in --size, or `imix` (of twelve messages 7 of
    /// 40, 4 of 576 and 1 of 1500 bytes)
    #[arg(long, value_name = "MIX")]
    mix: Option<String>,
    /// Threads of models message and batch [default: 1]
    #[arg(long, value_name = "N,…", value_delimiter = ',')]
    threads: Vec<String>,
    /// Samples in each pass, an odd number
    #[arg(long, value_name = "N", default_value = "21", allow_negative_numbers = true)]
    samples: String,
    /// Fewer samples of long messages
    #[arg(long)]
    quick: bool,
    /// Minutes for the whole table: when they are up, no pass begins after the third, and a
    /// quarter later nothing is measured again [default: 0.6 for the headline study, else no limit]
    #[arg(long, value_name = "MIN", allow_negative_numbers = true)]
    within: Option<String>,
    /// Every operation, every model, every default length
    #[arg(long)]
    all: bool,
    /// Folder for report.html, results.json and results.csv [default: one of its own in
    /// cipherlane-report, where `latest` leads to it]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Also write the results to this file; with `-` to standard output, and all else to
    /// standard error
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
    /// Run the study of this TOML file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["filters", "all"])]
    study: Option<PathBuf>,
    /// Open this shared library for an engine instead of the system's
    #[arg(long, value_name = "ENGINE=PATH")]
    lib: Vec<String>,
    #[command(flatten)]
    view: View,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let catalogue = catalogue(&program()?);
    let study = study(args, &catalogue)?;
    let options = options(args, &catalogue)?;
    let measure = |folder: &Path, out: &mut Output| {
        let (json, view) = (args.json.as_deref(), &args.view);
        let place = measure::Place { folder, json, lang: Lang::En, view };
        measure::measure(&study, &options, &catalogue, &place, out)
    };
    match &args.out {
        Some(folder) => measure(folder, out),
        None => run_folder::with(Path::new(REPORTS), |folder| measure(folder, out)),
    }
}

/// The time of the headline study: with start and repeats it ends inside a minute.
const HEADLINE: Duration = Duration::from_secs(36);

/// What the arguments ask for.
fn study(args: &Args, catalogue: &[EngineInfo]) -> Result<Study, Failure> {
    let known = Known::registry();
    let mut filters: Vec<Filter> = Vec::new();
    for text in &args.filters {
        for name in known.expand(text)? {
            filters.push(name.parse()?);
        }
    }
    // Every level that may run is the default of a study, so only a choice is passed on.
    let all = level::chosen(&[])?.len() == Level::available().count();
    let chosen: Vec<String> =
        level::chosen(&args.level)?.iter().map(|level| level.name().to_owned()).collect();
    let levels = if args.level.is_empty() && all { None } else { given(&chosen) };
    let engines = engines(&args.engine, catalogue)?;
    let choice = choice(args, levels, engines)?;
    if let Some(file) = &args.study {
        let text = std::fs::read_to_string(file)
            .map_err(|source| ReportError::Read { path: file.clone(), source })
            .map_err(|error| {
                Failure::new(Exit::Environment, error.to_string(), "name an existing study file")
            })?;
        let mut study = Study::from_toml(&text)?;
        study.choose(choice)?;
        return Ok(study);
    }
    if args.all && filters.is_empty() {
        let mut study = Study::everything(None);
        study.choose(choice)?;
        return Ok(study);
    }
    let models = choice.models.clone().or_else(|| args.all.then(|| Model::ALL.to_vec()));
    Ok(Study::from_options(&filters, Choice { models, ..choice })?)
}

/// What the options say besides the filters.
fn choice(
    args: &Args,
    levels: Option<Vec<String>>,
    engines: Option<Vec<String>>,
) -> Result<Choice, Failure> {
    let sizes = args.size.iter().map(|text| size(text)).collect::<Result<Vec<_>, _>>()?;
    let models =
        args.model.iter().map(|name| Model::by_name(name)).collect::<Result<Vec<_>, _>>()?;
    let keys =
        args.keys.iter().map(|name| KeySetup::by_name(name)).collect::<Result<Vec<_>, _>>()?;
    let mix = args.mix.as_deref().map(Mix::by_name).transpose()?;
    let numbers = |field: &'static str, texts: &[String], most: u32| {
        let number = |text: &String| {
            text.trim().parse().map_err(|_| LabError::Value {
                field,
                value: text.clone(),
                allowed: format!("1 to {most}"),
            })
        };
        texts.iter().map(number).collect::<Result<Vec<u32>, _>>()
    };
    Ok(Choice {
        engines,
        levels,
        models: given(&models),
        sizes: given(&sizes),
        placements: None,
        messages: given(&numbers("--messages", &args.messages, MAX_MESSAGES)?),
        keys: given(&keys),
        mix,
        threads: given(&numbers("--threads", &args.threads, MAX_THREADS)?),
    })
}

fn options(args: &Args, catalogue: &[EngineInfo]) -> Result<Options, Failure> {
    let samples = args.samples.parse().ok().filter(|n: &u32| n % 2 == 1 && (3..=9999).contains(n));
    let samples = samples.ok_or_else(|| LabError::Value {
        field: "--samples",
        value: args.samples.clone(),
        allowed: "an odd number from 3 to 9999, so that one sample is the median".into(),
    })?;
    let headline = args.filters.is_empty() && args.study.is_none() && !args.all;
    let within = args.within.as_deref().map(minutes).transpose()?;
    let within = within.or(headline.then_some(HEADLINE));
    let libs = libraries(&args.lib, catalogue)?;
    let present = catalogue.iter().filter(|engine| engine.present && engine.usual);
    let mut defaults = Options::new(program()?);
    if args.quick {
        defaults.passes = 3;
    }
    Ok(Options {
        engines: present.map(|engine| engine.name.clone()).collect(),
        samples,
        within,
        quick: args.quick,
        all: args.all,
        engine_libs: libs,
        command: command(),
        default_level: level::default_name(),
        ..defaults
    })
}

/// A time in minutes, fractions allowed.
fn minutes(text: &str) -> Result<Duration, LabError> {
    let minutes = text.trim().parse().ok().filter(|it: &f64| *it > 0.0 && *it <= 100_000.0);
    let minutes = minutes.ok_or_else(|| LabError::Value {
        field: "--within",
        value: text.to_owned(),
        allowed: "more than 0 and at most 100000 minutes".into(),
    })?;
    Ok(Duration::from_secs_f64(minutes * 60.0))
}

/// The libraries named for engines.
pub(crate) fn libraries(
    texts: &[String],
    catalogue: &[EngineInfo],
) -> Result<BTreeMap<String, PathBuf>, Failure> {
    let mut libs = BTreeMap::new();
    for text in texts {
        let (engine, path) = text.split_once('=').ok_or_else(|| {
            Failure::usage(
                format!("--lib is `{text}`"),
                "allowed: ENGINE=PATH, e.g. openssl=/opt/openssl/lib/libcrypto.so.3",
            )
        })?;
        engines(&[engine.to_owned()], catalogue)?;
        libs.insert(engine.to_owned(), PathBuf::from(path));
    }
    Ok(libs)
}

/// The engines named, each of which must be known.
fn engines(names: &[String], catalogue: &[EngineInfo]) -> Result<Option<Vec<String>>, Failure> {
    let list: Vec<&str> = catalogue.iter().map(|engine| engine.name.as_str()).collect();
    match names.iter().find(|name| !list.contains(&name.as_str())) {
        Some(name) => Err(filter::unknown(&format!("engine `{name}`"), name, &list)),
        None => Ok(given(names)),
    }
}

fn given<T: Clone + PartialEq>(list: &[T]) -> Option<Vec<T>> {
    let mut once: Vec<T> = Vec::new();
    for item in list {
        if !once.contains(item) {
            once.push(item.clone());
        }
    }
    (!once.is_empty()).then_some(once)
}

/// A message length: bytes, or with a suffix for powers of 1024.
fn size(text: &str) -> Result<u64, LabError> {
    let lower = text.trim().to_ascii_lowercase();
    let digits = lower.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match lower[digits.len()..].trim_end_matches('b').trim_end_matches('i') {
        "" => Some(1_u64),
        "k" => Some(1 << 10),
        "m" => Some(1 << 20),
        "g" => Some(1 << 30),
        _ => None,
    };
    let bytes = unit.zip(digits.trim_end().parse().ok());
    let bytes = bytes.and_then(|(unit, count): (u64, u64)| count.checked_mul(unit));
    bytes.filter(|bytes| (1..=MAX_SIZE).contains(bytes)).ok_or_else(|| LabError::Value {
        field: "--size",
        value: text.to_owned(),
        allowed: format!("1 to {MAX_SIZE} bytes, also with the suffix k, M or G (1024 based)"),
    })
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_take_suffixes_of_1024() {
        for (text, bytes) in [
            ("1", 1),
            ("8192", 8192),
            ("16k", 16384),
            ("8KiB", 8192),
            ("1M", 1 << 20),
            ("2gb", 2 << 30),
        ] {
            assert_eq!(size(text).unwrap(), bytes, "{text}");
        }
    }

    #[test]
    fn sizes_that_cannot_be_are_refused() {
        for text in [
            "",
            "0",
            "0k",
            "-1",
            "1.5k",
            "17G",
            "99999999999999999999",
            "1x",
            "k",
            "18446744073709551615G",
        ] {
            let error = size(text).unwrap_err().to_string();
            assert!(
                error.contains(&format!("`{text}`")) && error.contains("allowed: 1 to"),
                "{error}"
            );
        }
    }
}
