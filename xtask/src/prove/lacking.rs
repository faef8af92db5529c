//! What of the claims lacks a verdict of the traces on the code that stands here.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use super::code::{Build, Claims, Judged, Pair};
use super::verdicts::Verdicts;
use super::{program_in, unstepped};
use crate::workspace;

/// The claims at the levels of this CPU.
pub(super) fn claims(folder: &Path) -> Result<Claims, String> {
    let text = workspace::output(Command::new(program_in(folder)).arg("claims"))?;
    let claim = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [algorithm, level, operations] = fields[..] else { return Err(format!("`{line}`")) };
        let operations = operations.split(';').filter(|it| !it.is_empty()).map(str::to_owned);
        Ok(((algorithm.to_owned(), level.to_owned()), operations.collect()))
    };
    text.lines().map(claim).collect()
}

/// What of the claims lacks a verdict of its present code, and what changed.
pub(super) struct Lacking {
    /// At levels of this CPU.
    pub(super) here: BTreeMap<Pair, BTreeSet<String>>,
    /// At others, which another machine must judge.
    pub(super) elsewhere: BTreeMap<Pair, BTreeSet<String>>,
    functions: usize,
    pairs: usize,
    /// Entries of kernels, and those that no trace went through.
    entries: (usize, BTreeSet<String>),
}

impl Lacking {
    pub(super) fn line(&self) -> String {
        let Self { here, elsewhere, functions, pairs, entries: (entries, unseen) } = self;
        format!(
            "verdicts: {pairs} of an algorithm at a level, of {functions} functions; not of the code \
             that stands here: {}, at levels that this CPU lacks: {}; of {entries} entries of kernels \
             {unseen} were not stepped through",
            here.len(),
            elsewhere.len(),
            unseen = unseen.len(),
        )
    }
}

pub(super) fn lacking(folder: &Path) -> Result<Lacking, String> {
    let (claims, judged) = (claims(folder)?, Judged::read()?);
    let (functions, pairs) = judged.counts();
    let levels: BTreeSet<&String> = claims.keys().map(|pair| &pair.1).collect();
    let build = Build::read(folder)?;
    let asked: Vec<Pair> = claims.keys().cloned().collect();
    let mut all = judged.lacking(&build, &asked);
    for (pair, why) in Verdicts::read()?.short_of(&claims) {
        all.entry(pair).or_default().insert(why);
    }
    let (here, elsewhere) = all.into_iter().partition(|(pair, _)| levels.contains(&pair.1));
    Ok(Lacking { here, elsewhere, functions, pairs, entries: judged.entries(&build) })
}

/// Prints whether every verdict is of the code that stands here, and why no trace went through some
/// entries; how many verdicts are not, at levels of this CPU, and how many entries have no reason.
pub(crate) fn verdicts_of(folder: &Path) -> Result<usize, String> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        println!("   verdicts of the traces are of code for Linux on x86-64");
        return Ok(0);
    }
    let lacking = lacking(folder)?;
    println!("   {}", lacking.line());
    let Lacking { here, elsewhere, entries: (_, unseen), .. } = lacking;
    let (reasons, without) = unstepped::sorted(&unseen);
    for (why, count) in reasons {
        println!("      {count} entries: {why}");
    }
    for name in &without {
        println!("      not stepped through, without a reason in unstepped.rs: {name}");
    }
    for ((algorithm, level), why) in here.iter().chain(&elsewhere) {
        let first = why.first().map_or("", String::as_str);
        println!("      {algorithm} at {level}: {first}{}", more(why.len()));
    }
    if !here.is_empty() {
        println!("      `cargo xtask prove-quick --write` judges them and writes prove/*.tsv");
    }
    if !elsewhere.is_empty() {
        println!(
            "      `cargo xtask prove-bochs --write` judges those at levels that this CPU lacks"
        );
    }
    Ok(here.len() + without.len())
}

fn more(all: usize) -> String {
    if all > 1 { format!(", and {} more", all - 1) } else { String::new() }
}
