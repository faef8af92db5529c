//! `list`: the registry's algorithms, their operations and kernels.

use cipherlane::Level;
use cipherlane::Sizes;
use cipherlane::registry::{self, Algorithm, Allowed, KEYSTREAM, Kind, New, Parameter};
use serde::Serialize;

use crate::args::{Json, help};
use crate::failure::{Exit, Failure};
use crate::level;
use crate::output::Output;

/// List algorithms: standard, sizes, timing, operations, the kernel at each level
#[derive(Debug, clap::Args)]
#[command(after_help = help!(
    "  cipherlane list
  cipherlane list --json | jq -r '.algorithms[].name'"
))]
pub(crate) struct Args {
    #[command(flatten)]
    json: Json,
}

#[derive(Serialize)]
struct List {
    schema: &'static str,
    levels: Vec<&'static str>,
    algorithms: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    name: &'static str,
    title: &'static str,
    kind: &'static str,
    standard: &'static str,
    key_bytes: Lengths,
    #[serde(skip_serializing_if = "Option::is_none")]
    block_bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    iv_bytes: Option<Lengths>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parameters: Vec<Choice>,
    #[serde(skip_serializing_if = "Option::is_none")]
    keystream_limit_bytes: Option<u64>,
    timing: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<&'static str>,
    operations: Vec<Operation>,
    kernels: Vec<Kernel>,
}

/// A parameter besides the key.
#[derive(Serialize)]
struct Choice {
    name: &'static str,
    #[serde(flatten)]
    values: Values,
    /// Absent where it follows from the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    usual: Option<u32>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Values {
    Range { min: u32, max: u32 },
    List { one_of: &'static [u32] },
}

impl From<&Parameter> for Choice {
    fn from(parameter: &Parameter) -> Self {
        let values = match parameter.allowed {
            Allowed::Between(min, max) => Values::Range { min, max },
            Allowed::OneOf(one_of) => Values::List { one_of },
        };
        Self { name: parameter.name, values, usual: parameter.usual }
    }
}

#[derive(Serialize)]
struct Lengths {
    min: usize,
    /// Absent where there is no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<usize>,
    step: usize,
}

impl From<Sizes> for Lengths {
    fn from(sizes: Sizes) -> Self {
        let max = (sizes.max != usize::MAX).then_some(sizes.max);
        Self { min: sizes.min, max, step: sizes.step }
    }
}

#[derive(Serialize)]
struct Operation {
    name: &'static str,
    standard: &'static str,
    key_bytes: Lengths,
    #[serde(skip_serializing_if = "Option::is_none")]
    iv_bytes: Option<Lengths>,
    #[serde(skip_serializing_if = "Option::is_none")]
    oid: Option<&'static str>,
}

#[derive(Serialize)]
struct Kernel {
    level: &'static str,
    kernel: &'static str,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let levels = level::usable()?;
    let list = List {
        schema: "cipherlane-list/1",
        levels: levels.iter().map(|level| level.name()).collect(),
        algorithms: registry::ALGORITHMS
            .iter()
            .map(|algorithm| entry(algorithm, &levels))
            .collect(),
    };
    if args.json.json {
        out.json(&list)?;
    } else {
        for (index, algorithm) in registry::ALGORITHMS.iter().enumerate() {
            if index > 0 {
                out.line("")?;
            }
            print(algorithm, &list.algorithms[index], out)?;
        }
    }
    Ok(Exit::Done)
}

/// What can be chosen besides the key's length.
fn parameters(algorithm: &Algorithm) -> &'static [Parameter] {
    registry::parameters(algorithm.name).map_or(&[], |family| family.parameters)
}

fn entry(algorithm: &'static Algorithm, levels: &[Level]) -> Entry {
    let (kind, block, iv, limit) = match algorithm.new {
        New::Block { block, .. } => ("block", Some(block), None, None),
        New::Stream { iv, limit, .. } => ("stream", None, Some(iv), limit),
    };
    let operations = registry::operations(algorithm).map(|it| Operation {
        oid: it.oid(),
        name: it.name,
        standard: it.standard,
        key_bytes: it.key.into(),
        // The keystream's is the algorithm's.
        iv_bytes: (it.name != KEYSTREAM).then(|| it.iv.into()),
    });
    Entry {
        name: algorithm.name,
        title: algorithm.title,
        kind,
        standard: algorithm.standard,
        key_bytes: algorithm.key.into(),
        block_bytes: block,
        iv_bytes: iv.map(Lengths::from),
        parameters: parameters(algorithm).iter().map(Choice::from).collect(),
        keystream_limit_bytes: limit,
        timing: algorithm.timing.name(),
        warning: algorithm.warning,
        operations: operations.collect(),
        kernels: levels
            .iter()
            .map(|level| Kernel { level: level.name(), kernel: (algorithm.kernel)(*level) })
            .collect(),
    }
}

fn print(algorithm: &'static Algorithm, entry: &Entry, out: &mut Output) -> Result<(), Failure> {
    out.heading(&format!("{}  {} ({} cipher)", entry.name, entry.title, entry.kind))?;
    let mut fact = |name: &str, value: &str| out.wrapped(&format!("  {name:<11} {value}"), 14);
    fact("standard", entry.standard)?;
    fact("key", &format!("{} bytes", algorithm.key))?;
    match algorithm.new {
        New::Block { block, .. } => fact("block", &format!("{block} bytes"))?,
        New::Stream { iv, limit, .. } => {
            fact("IV", &format!("{iv} bytes"))?;
            if let Some(limit) = limit {
                fact("limit", &format!("{limit} bytes of keystream under one key and IV"))?;
            }
        }
    }
    for (index, parameter) in parameters(algorithm).iter().enumerate() {
        let name = if index == 0 { "parameters" } else { "" };
        let Parameter { name: what, allowed, usual, .. } = parameter;
        let usual = usual.map_or_else(|| "those of the key".to_owned(), |usual| usual.to_string());
        fact(name, &format!("{what}: {allowed}; where nothing is said {usual}"))?;
    }
    fact("timing", entry.timing)?;
    if let Some(warning) = entry.warning {
        fact("warning", warning)?;
    }
    for (title, kinds) in [
        ("operations", &[Kind::Cipher][..]),
        ("AEAD", &[Kind::Seal, Kind::Open]),
        ("MAC", &[Kind::Mac]),
    ] {
        let of_kind = registry::operations(algorithm).filter(|it| kinds.contains(&it.kind));
        let names: Vec<&str> = of_kind.map(|it| it.name).collect();
        if !names.is_empty() {
            fact(title, &names.join(" "))?;
        }
    }
    for (index, (mode, oid)) in algorithm.oids.iter().enumerate() {
        let name = if index == 0 { "OIDs" } else { "" };
        fact(name, &format!("{mode:<10} {oid}"))?;
    }
    for (index, kernel) in entry.kernels.iter().enumerate() {
        let name = if index == 0 { "kernels" } else { "" };
        fact(name, &format!("{:<10} {}", kernel.level, kernel.kernel))?;
    }
    Ok(())
}
