//! `cargo xtask tuned`: where the library is not as fast as it could be on this machine.
//!
//! Four lists with counts: the default level is not the best one, a level is behind the next lower
//! one, the default level is behind a peer that is here, a kernel is below four fifths of its
//! floor. With `--batches`, the same of batches of 1 to 600 messages. A report, not a gate: figures
//! have noise, and a machine is what it is.

mod batches;
mod bench;
mod count;
mod floor;
#[expect(unreachable_pub, reason = "public in the laboratory, whose file it is")]
#[path = "../../../lab/src/machine/folder.rs"]
mod folder;
mod judge;
mod page;
mod reasons;

use std::fs;
use std::time::Duration;

use bench::{Bench, Part};
use page::Lists;
use reasons::Reasons;

use crate::outcome::Outcome;
use crate::stage::{skip, stage};
use crate::workspace;

pub(crate) const OPTIONS: &[&str] = &["--short", "--batches", "--write", "--only="];

/// What is measured, and how well.
struct Form {
    budget: u64,
    /// How often what seems behind is counted again.
    counts: usize,
    samples: u32,
    /// Whether the floors of all kernels are asked for.
    all_floors: bool,
    parts: fn() -> Vec<Part>,
}

const FULL: Form = Form {
    budget: 900,
    counts: 3,
    samples: 9,
    all_floors: true,
    parts: || {
        let part = |models, sizes, messages| Part { models, sizes, messages };
        vec![
            part(&["key", "init", "message"], &[16, 64, 256, 1024, 8192], vec![]),
            part(&["packet"], &[64, 1024], vec![]),
            part(&["batch"], &[64, 1024], vec![16]),
        ]
    },
};

/// What the short form takes where nothing is named: the ciphers that most users have.
const SHORT_NAMES: [&str; 3] = ["sm4", "aes-128", "zuc-128"];

const SHORT: Form = Form {
    budget: 60,
    counts: 1,
    samples: 5,
    all_floors: false,
    parts: || vec![Part { models: &["message"], sizes: &[256], messages: vec![] }],
};

pub(crate) fn run(options: &[String]) -> Outcome {
    let is = |name: &str| options.iter().any(|it| it == name);
    let only = options.iter().filter_map(|it| it.strip_prefix("--only="));
    let only: Vec<String> = only.flat_map(|names| names.split(',')).map(str::to_owned).collect();
    if is("--batches") {
        return batches::run(&only, is("--write"));
    }
    let form = if is("--short") { SHORT } else { FULL };
    // A part of the cells is no record of a machine.
    if is("--write") && (is("--short") || !only.is_empty()) {
        return Err("--write records everything: not with --short or --only=".to_owned());
    }
    stage("tuned", Duration::from_secs(form.budget), || lists(&form, &only, is("--write")))
}

/// The record of a machine, by the name of its CPU.
fn record(cpu: &str, name: &str, text: &str) -> Outcome {
    let folder = workspace::root().join("docs/machines").join(folder::folder(cpu));
    let file = folder.join(name);
    let failed = |error| format!("{}: {error}", file.display());
    fs::create_dir_all(&folder).map_err(failed)?;
    let beside = folder.join(format!("{name}.new"));
    fs::write(&beside, text).and_then(|()| fs::rename(&beside, &file)).map_err(failed)?;
    println!("   {} is written", file.strip_prefix(workspace::root()).unwrap_or(&file).display());
    Ok(())
}

fn lists(form: &Form, only: &[String], write: bool) -> Outcome {
    let bench = Bench::new()?;
    let reasons = Reasons::read()?;
    let names = match only {
        [] if form.all_floors => bench.algorithms()?,
        [] => SHORT_NAMES.map(str::to_owned).to_vec(),
        only => only.to_vec(),
    };
    println!("   first count");
    let first = bench.names(&names, &(form.parts)(), form.samples, false)?;
    let found = judge::settle(&first, form.counts, |pairs, number| {
        println!("   count {}: {} pairs that seem behind", number + 1, pairs.len());
        bench.pairs(pairs, number, 21)
    })?;
    // In short those of the headline study, which the verb takes where none is named, and once.
    let floors = if form.all_floors {
        floor::below(&bench, &names, form.counts)
    } else {
        floor::below(&bench, only, 0)
    };
    if let Err(why) = &floors {
        skip("kernels below their floor", why);
    }
    let lists = Lists { found, floors, counts: 1 + form.counts };
    let text = page::head(&first, lists.counts) + &lists.text(&reasons);
    println!("{text}");
    if write { record(&first.cpu, "tuned.txt", &text) } else { Ok(()) }
}
