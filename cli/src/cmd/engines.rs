//! `engines`: what can be measured beside the library, and how to get the rest.

mod build;

use std::collections::BTreeMap;

use clap::Subcommand;
use peers::ages::Age;
use peers::catalogue::{EngineInfo, catalogue};
use serde::Serialize;

use crate::args::{Json, help};
use crate::failure::{Exit, Failure};
use crate::measure::program;
use crate::output::Output;

/// List engines: present or not, version, path, operations with models, how to get them; build them
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
    /// The year in which the library's series was released, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    released: Option<u16>,
    /// The library's newest series, where this is an older one.
    #[serde(skip_serializing_if = "Option::is_none")]
    current: Option<&'static str>,
    path: &'e str,
    operations: &'e [String],
    models: BTreeMap<&'e str, &'e [&'static str]>,
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
        released: engine.age.map(|age| age.released),
        current: engine.age.and_then(|age| age.current),
        path: &engine.path,
        operations: &engine.operations,
        models: models(engine).collect(),
        how_to_get: &engine.how_to_get,
        remark: &engine.remark,
    }
}

/// Every operation with its models.
fn models(engine: &EngineInfo) -> impl Iterator<Item = (&str, &[&'static str])> {
    engine.operations.iter().map(String::as_str).zip(engine.models.iter().map(Vec::as_slice))
}

fn print(engine: &EngineInfo, out: &mut Output) -> Result<(), Failure> {
    let state = if engine.present { "present" } else { "absent" };
    out.heading(&format!("{}  {} ({state})", engine.name, engine.title))?;
    let groups = groups(models(engine));
    let offers = groups.iter().enumerate().map(|(place, group)| {
        let name = if place == 0 { "operations" } else { "" };
        (name, group.as_str())
    });
    let version = format!("{}{}", engine.version, engine.age.map(told).unwrap_or_default());
    let before = [("version", version.as_str()), ("path", &engine.path)];
    // What is there needs no instruction.
    let get = if engine.present { "" } else { &engine.how_to_get };
    let after = [("to get it", get), ("remark", &engine.remark)];
    let facts = before.into_iter().chain(offers).chain(after);
    for (name, value) in facts.filter(|(_, value)| !value.is_empty()) {
        out.wrapped(&format!("  {name:<11} {value}"), 14)?;
    }
    Ok(())
}

/// What stands behind a version.
fn told(age: Age) -> String {
    let current = age.current.map(|current| format!("; current is {current}"));
    format!(", of {}{}", age.released, current.unwrap_or_default())
}

/// `sm4: ecb-encrypt ecb-decrypt (key, message)`: a line for each algorithm and each set of models
/// of its operations.
fn groups<'e>(operations: impl Iterator<Item = (&'e str, &'e [&'static str])>) -> Vec<String> {
    type Group<'e> = (&'e str, &'e [&'static str], Vec<&'e str>);
    let mut groups: Vec<Group<'e>> = Vec::new();
    for (name, models) in operations {
        let (algorithm, operation) = name.split_once('/').unwrap_or((name, ""));
        match groups.iter_mut().find(|(known, its, _)| *known == algorithm && *its == models) {
            Some((_, _, list)) => list.push(operation),
            None => groups.push((algorithm, models, vec![operation])),
        }
    }
    let line = |(name, models, list): &Group<'_>| {
        format!("{name}: {} ({})", list.join(" "), models.join(", "))
    };
    groups.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_of_one_algorithm_with_equal_models_share_a_line() {
        let (two, one): (&[&str], &[&str]) = (&["key", "message"], &["message"]);
        let operations =
            [("sm4/ctr", two), ("sm4/ofb", two), ("sm4/cmac", one), ("zuc-128/eea3", one)];
        assert_eq!(
            groups(operations.into_iter()),
            ["sm4: ctr ofb (key, message)", "sm4: cmac (message)", "zuc-128: eea3 (message)"]
        );
    }
}
