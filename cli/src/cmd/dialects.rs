//! `dialects`: how databases and middleware store encrypted values, and what each way lacks.

use dialects::{Dialect, Flaw, Mode};
use serde::Serialize;

use crate::args::{Json, help};
use crate::failure::{Exit, Failure};
use crate::output::Output;

/// List how databases and middleware store SM4 and AES values: keys, IVs, layouts, flaws
#[derive(Debug, clap::Args)]
#[command(
    long_about = "List how databases and middleware store SM4 and AES values\n\n\
        A dialect is the way of one engine from a text to a key, its IV, padding, layout and \
        coding. `raw encrypt --dialect NAME` and `raw decrypt --dialect NAME` write and read \
        its values. With a name, all that is known of it: rules in words, each mode, what it \
        lacks, and where that was read.",
    after_help = help!(
        "  cipherlane dialects
  cipherlane dialects opengauss-aes128
  cipherlane dialects --json | jq -r '.dialects[].name'"
    )
)]
pub(crate) struct Args {
    /// One dialect, told in full
    name: Option<String>,
    #[command(flatten)]
    json: Json,
}

#[derive(Serialize)]
struct List {
    schema: &'static str,
    dialects: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    name: &'static str,
    engine: &'static str,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_note: Option<&'static str>,
    ciphers: Vec<&'static str>,
    key: &'static str,
    key_forms: Vec<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    digests: Vec<&'static str>,
    iv: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    mac: Option<String>,
    codings: Vec<&'static str>,
    text: &'static str,
    null: &'static str,
    modes: Vec<ModeEntry>,
    flaws: Vec<FlawEntry>,
    notes: Vec<&'static str>,
    sources: Vec<SourceEntry>,
}

#[derive(Serialize)]
struct ModeEntry {
    name: &'static str,
    ciphers: Vec<&'static str>,
    operation: &'static str,
    padding: &'static str,
    iv: String,
    layout: String,
    flaws: Vec<FlawEntry>,
}

#[derive(Serialize)]
struct FlawEntry {
    name: &'static str,
    what: String,
}

#[derive(Serialize)]
struct SourceEntry {
    at: &'static str,
    read: &'static str,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let chosen: Vec<&'static Dialect> = match &args.name {
        Some(name) => vec![find(name)?],
        None => dialects::all().iter().collect(),
    };
    if args.json.json {
        let dialects = chosen.into_iter().map(entry).collect();
        out.json(&List { schema: "cipherlane-dialects/1", dialects })?;
        return Ok(Exit::Done);
    }
    for (index, dialect) in chosen.into_iter().enumerate() {
        if index > 0 {
            out.line("")?;
        }
        print(dialect, args.name.is_some(), out)?;
    }
    Ok(Exit::Done)
}

/// The dialect of that name.
///
/// # Errors
/// The nearest name.
pub(crate) fn find(name: &str) -> Result<&'static Dialect, Failure> {
    dialects::find(name).map_err(|error| {
        let help = format!("{} `cipherlane dialects` lists all", error.remedy());
        Failure::usage(error.to_string(), help)
    })
}

fn flaws(flaws: &[Flaw]) -> Vec<FlawEntry> {
    let entry = |flaw: &Flaw| FlawEntry { name: flaw.name(), what: flaw.to_string() };
    flaws.iter().map(entry).collect()
}

fn entry(dialect: &'static Dialect) -> Entry {
    let mode = |mode: &'static Mode| ModeEntry {
        name: mode.name(),
        ciphers: mode.ciphers().collect(),
        operation: mode.operation(),
        padding: mode.padding(),
        iv: mode.iv(),
        layout: mode.layout(),
        flaws: flaws(&dialect.flaws_of(mode)),
    };
    Entry {
        name: dialect.name(),
        engine: dialect.engine(),
        status: dialect.status().name(),
        status_note: dialect.status_note(),
        ciphers: dialect.ciphers(),
        key: dialect.key_words(),
        key_forms: dialect.key_forms().iter().map(|form| form.name()).collect(),
        digests: dialect.hashes().iter().map(|hash| hash.name()).collect(),
        iv: dialect.iv_words(),
        mac: dialect.mac_words(),
        codings: dialect.codings().iter().map(|coding| coding.name()).collect(),
        text: dialect.text_words(),
        null: dialect.null_words(),
        modes: dialect.modes().iter().map(mode).collect(),
        flaws: flaws(&dialect.flaws()),
        notes: dialect.notes().collect(),
        sources: dialect
            .sources()
            .iter()
            .map(|source| SourceEntry { at: &source.at, read: &source.read })
            .collect(),
    }
}

fn print(dialect: &'static Dialect, whole: bool, out: &mut Output) -> Result<(), Failure> {
    out.heading(&format!("{}  {}", dialect.name(), dialect.engine()))?;
    let mut fact = |name: &str, value: &str| out.wrapped(&format!("  {name:<10} {value}"), 13);
    fact("cipher", &dialect.ciphers().join(", "))?;
    let modes = dialect.modes();
    if !whole {
        let names: Vec<&str> = modes.iter().map(Mode::name).collect();
        fact("modes", &names.join(" "))?;
        fact("key", &dialect.key())?;
        fact("IV", &distinct(modes, Mode::iv))?;
        fact("layout", &distinct(modes, Mode::layout))?;
        fact("coding", codings(dialect)[0])?;
        fact("flaws", &distinct(&dialect.flaws(), in_short))?;
        if dialect.status() == dialects::Status::Computed {
            fact("status", "no published value: the rule alone")?;
        }
        return Ok(());
    }
    fact("key", dialect.key_words())?;
    if !dialect.hashes().is_empty() {
        let names: Vec<&str> = dialect.hashes().iter().map(|hash| hash.name()).collect();
        fact("digests", &names.join(", "))?;
    }
    fact("IV", dialect.iv_words())?;
    if let Some(mac) = dialect.mac_words() {
        fact("MAC", &mac)?;
    }
    fact("coding", &codings(dialect).join(", "))?;
    fact("text", dialect.text_words())?;
    fact("NULL", dialect.null_words())?;
    for (index, mode) in modes.iter().enumerate() {
        let usual = if index == 0 { " (without a name)" } else { "" };
        let ciphers: Vec<&str> = mode.ciphers().collect();
        let text = format!(
            "{}{usual}: {} of {}; padding {}; IV {}; {}",
            mode.name(),
            mode.operation(),
            ciphers.join(", "),
            mode.padding(),
            mode.iv(),
            mode.layout(),
        );
        fact(if index == 0 { "modes" } else { "" }, &text)?;
    }
    for (index, flaw) in dialect.flaws().iter().enumerate() {
        fact(if index == 0 { "flaws" } else { "" }, &flaw.to_string())?;
    }
    fact("status", &status(dialect))?;
    for note in dialect.notes() {
        fact("note", note)?;
    }
    for (index, source) in dialect.sources().iter().enumerate() {
        let name = if index == 0 { "sources" } else { "" };
        fact(name, &format!("{}: {}", source.at, source.read))?;
    }
    Ok(())
}

fn codings(dialect: &Dialect) -> Vec<&'static str> {
    dialect.codings().iter().map(|coding| coding.name()).collect()
}

fn status(dialect: &'static Dialect) -> String {
    match dialect.status_note() {
        Some(note) => format!("{}: {note}", dialect.status().name()),
        None => format!("{} values come out", dialect.status().name()),
    }
}

/// A flaw by its name, or in its own words where it has none.
fn in_short(flaw: &Flaw) -> String {
    match flaw {
        Flaw::Told(words) => (*words).to_owned(),
        named => named.name().to_owned(),
    }
}

/// What each says, once.
fn distinct<T>(all: &[T], say: impl Fn(&T) -> String) -> String {
    let mut said: Vec<String> = Vec::new();
    for text in all.iter().map(say) {
        if !said.contains(&text) {
            said.push(text);
        }
    }
    said.join("; ")
}
