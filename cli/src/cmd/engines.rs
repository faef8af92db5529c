//! `engines`: what can be measured beside the library, and how to get the rest.

mod build;

use clap::Subcommand;
use peers::catalogue::{EngineInfo, catalogue};
use serde::Serialize;

use crate::args::{Json, help};
use crate::failure::{Exit, Failure};
use crate::measure::program;
use crate::output::Output;

/// List engines: present or not, version, path, operations, how to get them; build them
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, after_help = help!(
    "  cipherlane engines
  cipherlane engines build openssl4
  cipherlane engines --json | jq -r '.engines[] | select(.present) | .name'"
))]
pub(crate) struct Args {
    #[command(subcommand)]
    what: Option<What>,
    #[command(flatten)]
    json: Json,
}

#[derive(Debug, Subcommand)]
enum What {
    Build(build::Args),
}

#[derive(Serialize)]
struct List<'e> {
    schema: &'static str,
    engines: Vec<Entry<'e>>,
}

#[derive(Serialize)]
struct Entry<'e> {
    name: &'e str,
    title: &'e str,
    present: bool,
    version: &'e str,
    path: &'e str,
    operations: &'e [String],
    how_to_get: &'e str,
    remark: &'e str,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    if let Some(What::Build(args)) = &args.what {
        return build::run(args, out);
    }
    let engines = catalogue(&program()?);
    if args.json.json {
        let engines = engines.iter().map(entry).collect();
        out.json(&List { schema: "cipherlane-engines/1", engines })?;
        return Ok(Exit::Done);
    }
    for (index, engine) in engines.iter().enumerate() {
        if index > 0 {
            out.line("")?;
        }
        print(engine, out)?;
    }
    Ok(Exit::Done)
}

fn entry(engine: &EngineInfo) -> Entry<'_> {
    Entry {
        name: &engine.name,
        title: &engine.title,
        present: engine.present,
        version: &engine.version,
        path: &engine.path,
        operations: &engine.operations,
        how_to_get: &engine.how_to_get,
        remark: &engine.remark,
    }
}

fn print(engine: &EngineInfo, out: &mut Output) -> Result<(), Failure> {
    let state = if engine.present { "present" } else { "absent" };
    out.heading(&format!("{}  {} ({state})", engine.name, engine.title))?;
    let operations = by_algorithm(&engine.operations);
    let facts = [
        ("version", engine.version.as_str()),
        ("path", &engine.path),
        ("operations", &operations),
        // What is there needs no instruction.
        ("to get it", if engine.present { "" } else { &engine.how_to_get }),
        ("remark", &engine.remark),
    ];
    for (name, value) in facts.into_iter().filter(|(_, value)| !value.is_empty()) {
        out.line(&format!("  {name:<11} {value}"))?;
    }
    Ok(())
}

/// `sm4/ecb sm4/ctr zuc/…` as `sm4: ecb ctr; zuc: …`.
fn by_algorithm(operations: &[String]) -> String {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for name in operations {
        let (algorithm, operation) = name.split_once('/').unwrap_or((name, ""));
        match groups.iter_mut().find(|(known, _)| *known == algorithm) {
            Some((_, list)) => list.push(operation),
            None => groups.push((algorithm, vec![operation])),
        }
    }
    let groups: Vec<String> =
        groups.iter().map(|(name, list)| format!("{name}: {}", list.join(" "))).collect();
    groups.join("; ")
}
