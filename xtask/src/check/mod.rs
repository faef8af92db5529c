//! `cargo xtask check`: what must never be there, in sources and machine code.

pub(crate) mod drawing;
mod expand;
mod functions;
mod imports;
mod rules;
mod source;
mod symbols;
mod words;

use std::fmt;
use std::path::Path;
use std::time::Duration;

use crate::outcome::Outcome;
use crate::stage::stage;
use source::Source;

/// One breach of a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    /// `file:line`, or the object file and symbol.
    place: String,
    /// The rule's name.
    rule: &'static str,
    /// What is there and should not be.
    what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} [{}]", self.place, self.what, self.rule)
    }
}

/// Where the rules apply: the crates with their tests, the laboratory, the program.
const ROOMS: &[&str] = &["crates", "lab", "cli", "prove", "xtask"];

fn sources() -> Outcome {
    let sources = Source::read_all(ROOMS)?;
    let mut count = 0;
    for rule in rules::RULES {
        let findings = (rule.check)(&sources);
        let verdict = if findings.is_empty() { "ok" } else { "BROKEN" };
        println!("   {:<22} {verdict:<7} {}", rule.name, rule.about);
        for finding in &findings {
            println!("      {finding}");
        }
        count += findings.len();
    }
    if let Err(what) = drawing::compare(&sources) {
        println!("      {what}");
        count += 1;
    }
    println!("   {} files read", sources.len());
    if count == 0 { Ok(()) } else { Err(format!("{count} breaches of the rules, listed above")) }
}

/// Whether a copy of the repository keeps the rules of the sources.
pub(crate) fn sources_in(root: &Path) -> Outcome {
    let sources = Source::read_in(root, ROOMS)?;
    let findings = rules::RULES.iter().flat_map(|rule| (rule.check)(&sources));
    let mut findings: Vec<String> = findings.map(|it| it.to_string()).collect();
    findings.extend(drawing::compare(&sources).err());
    if findings.is_empty() { Ok(()) } else { Err(findings.join("\n")) }
}

/// Runs both halves, or the one asked for; both are run even if the first fails.
pub(crate) fn run(options: &[String]) -> Outcome {
    let wants = |name: &str| options.is_empty() || options.iter().any(|option| option == name);
    let mut outcome = Ok(());
    if wants("--sources") {
        outcome = stage("check the sources", Duration::from_secs(10), sources);
    }
    if wants("--symbols") {
        outcome = outcome.and(stage("check the symbols", Duration::from_secs(300), symbols::check));
    }
    outcome
}
