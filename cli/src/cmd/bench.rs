//! `bench`: measures, prints the screen, writes the report.

pub(crate) mod record;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use cipherlane::Level;
use lab::report::ReportError;
use lab::request::{MAX_AAD, MAX_MESSAGES, MAX_UNALIGNED};
use lab::run::Options;
use lab::study::{CONTEST_SIZES, Choice, Filter, Lang, MAX_THREADS, Study};
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

mod values;

use values::{minutes, passes, seconds, size};

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
  cipherlane bench aes-128/gcm-seal --passes 21 --time 3
  cipherlane bench sm4/cbc-encrypt --model message,batch --messages 16,64 --size 64,1500
  cipherlane bench sm4/gcm-seal --size 64,1500 --aad 0,13
  cipherlane bench sm4/ctr aes-128/ctr --model packet --size 64,1500 --cold
  cipherlane bench sm4/ctr zuc-128/keystream --model message --size 8k --multi
  cipherlane bench sm4/gcm-seal --model message --size 1500 --percentiles
  cipherlane bench --study my-study.toml --out my-report
  cipherlane bench --record"
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
    /// Message lengths in bytes, also as 16k or 1M [default of what is named: fourteen from 16 to
    /// 1M; with --against 16, 64, 256, 1k, 8k]
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
    /// Bytes of associated data of AEADs in models packet, message and batch, e.g. 0,13 for TLS;
    /// operations that take none are measured once, without [default: 0]
    #[arg(long, value_name = "BYTES,…", value_delimiter = ',', allow_negative_numbers = true)]
    aad: Vec<String>,
    /// Bytes from a boundary of 64 to every buffer of data, 0 to 63 [default: 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    unaligned: Option<String>,
    /// Figures of first calls: before each timed call its keys, tables, code and buffers are driven
    /// out of the caches
    #[arg(long)]
    cold: bool,
    /// Measure every figure once more on all CPUs at once, a process each: the throughput of all
    /// together, and how much longer each takes than one alone; about a second a figure
    #[arg(long, conflicts_with = "cold")]
    multi: bool,
    /// Percentiles of single calls while all CPUs do the same, a process each: the nanoseconds in
    /// which half, 99 % and 99.9 % of thousands of calls end, without what the timer costs
    #[arg(long, conflicts_with = "cold")]
    percentiles: bool,
    /// Samples in each pass, an odd number
    #[arg(long, value_name = "N", default_value = "21", allow_negative_numbers = true)]
    samples: String,
    /// Clean passes of each row, of rows that take long 3 [default: 9]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    passes: Option<String>,
    /// Seconds that a row may take in all its passes together [default: 1]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    time: Option<String>,
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
    /// Also record this machine in docs/machines of the checkout: SM4, AES-128 and ZUC-128 at the
    /// level that a caller gets, beside every peer that is present; takes minutes
    #[arg(long)]
    record: bool,
    /// Open this shared library for an engine instead of the system's
    #[arg(long, value_name = "ENGINE=PATH")]
    lib: Vec<String>,
    #[command(flatten)]
    view: View,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let record = args.record.then(|| record::begin(args)).transpose()?;
    let catalogue = catalogue(&program()?);
    let study = study(args, &catalogue)?;
    let options = options(args, &catalogue)?;
    let measure = |folder: &Path, out: &mut Output| {
        let (json, view) = (args.json.as_deref(), &args.view);
        let place = measure::Place { folder, json, lang: Lang::En, view, record: record.as_ref() };
        measure::measure(&study, &options, &catalogue, &place, out)
    };
    match &args.out {
        Some(folder) => measure(folder, out),
        None => run_folder::with(Path::new(REPORTS), |folder| measure(folder, out)),
    }
}

/// The time for the passes of the headline study.
const HEADLINE: Duration = Duration::from_secs(36);

/// The time of all of it, which three passes over many engines on a slow machine may exceed: with the
/// report a minute.
const MINUTE: Duration = Duration::from_secs(55);

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
    if args.record {
        let mut study = Study::machine();
        let levels = level::default_name().map(|name| vec![name]);
        study.choose(Choice { levels, ..choice })?;
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
    let mut sizes = args.size.iter().map(|text| size(text)).collect::<Result<Vec<_>, _>>()?;
    // Every operation that is asked for, of ten engines and more, is to end in minutes.
    if sizes.is_empty() && args.view.against().is_some() && !args.filters.is_empty() && !args.all {
        sizes.extend(CONTEST_SIZES);
    }
    let models =
        args.model.iter().map(|name| Model::by_name(name)).collect::<Result<Vec<_>, _>>()?;
    let keys =
        args.keys.iter().map(|name| KeySetup::by_name(name)).collect::<Result<Vec<_>, _>>()?;
    let mix = args.mix.as_deref().map(Mix::by_name).transpose()?;
    let numbers = |field: &'static str, texts: &[String], least: u32, most: u32| {
        let number = |text: &String| {
            text.trim().parse().map_err(|_| LabError::Value {
                field,
                value: text.clone(),
                allowed: format!("{least} to {most}"),
            })
        };
        texts.iter().map(number).collect::<Result<Vec<u32>, _>>()
    };
    let unaligned = args.unaligned.as_slice();
    let unaligned = numbers("--unaligned", unaligned, 0, MAX_UNALIGNED)?.first().copied();
    Ok(Choice {
        engines,
        levels,
        models: given(&models),
        sizes: given(&sizes),
        placements: None,
        messages: given(&numbers("--messages", &args.messages, 1, MAX_MESSAGES)?),
        keys: given(&keys),
        mix,
        threads: given(&numbers("--threads", &args.threads, 1, MAX_THREADS)?),
        unaligned,
        cold: args.cold.then_some(true),
        aad_bytes: given(&numbers("--aad", &args.aad, 0, MAX_AAD)?),
    })
}

fn options(args: &Args, catalogue: &[EngineInfo]) -> Result<Options, Failure> {
    let samples = args.samples.parse().ok().filter(|n: &u32| n % 2 == 1 && (3..=9999).contains(n));
    let samples = samples.ok_or_else(|| LabError::Value {
        field: "--samples",
        value: args.samples.clone(),
        allowed: "an odd number from 3 to 9999, so that one sample is the median".into(),
    })?;
    let headline = args.filters.is_empty() && args.study.is_none() && !args.all && !args.record;
    let within = args.within.as_deref().map(minutes).transpose()?;
    let within = within.or(headline.then_some(HEADLINE));
    let libs = libraries(&args.lib, catalogue)?;
    let present = catalogue.iter().filter(|engine| engine.present && engine.usual);
    let mut defaults = Options::new(program()?);
    if let Some(text) = &args.passes {
        defaults.passes = passes(text)?;
    }
    if let Some(text) = &args.time {
        defaults.budget = seconds(text)?;
    }
    Ok(Options {
        engines: present.map(|engine| engine.name.clone()).collect(),
        samples,
        within,
        whole: headline.then_some(MINUTE),
        quick: args.quick,
        together: args.multi,
        percentiles: args.percentiles,
        all: args.all,
        engine_libs: libs,
        command: command(),
        default_level: level::default_name(),
        ..defaults
    })
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
