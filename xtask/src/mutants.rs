//! `cargo xtask mutants`: a sample of cargo-mutants' changes to the sources, one place at a time,
//! and whether the tests notice. A cipher is built alone and little optimised, at all levels, and
//! tests run with a sample of their cases, so that a mutant costs seconds. Those that live on are
//! tried `--again` with more features, more tests and those in the sources; and what is left then,
//! unless it is known to compute the same, with `--all` cases, too. With `--in-place` the checkout
//! itself is changed, and back: parts that follow one another build the unchanged library once.
//!
//! `prove/mutants.tsv` keeps the sums of the parts run so far, and each survivor with its reason.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

mod log;
mod scopes;

pub(crate) use log::{LOG, Sums, alternatives, parse, untouched};
use log::{Outcomes, read, worth_another, written};
pub(crate) use scopes::left_out;
use scopes::{LIBRARY, PROVIDER, SCOPES, Scope};

use crate::outcome::Outcome;
use crate::stage::{skip, stage};
use crate::{bindings, workspace};

pub(crate) const OPTIONS: &[&str] =
    &["--scope=", "--shard=", "--again", "--all", "--in-place", "--write"];

/// How hard it is tried to catch a mutant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    /// The scope's features and tests, with a sample of their cases.
    First,
    /// More of both, and the tests in the sources.
    Wide,
    /// The same with all cases, which takes minutes where one lives on.
    All,
}

/// Which mutants of a scope are made.
enum Chosen {
    /// A part of so many.
    Part(u32, u32),
    /// Those of these names, from the root that cargo-mutants is run in.
    Named(Vec<String>),
}

impl Chosen {
    fn options(&self) -> Vec<String> {
        match self {
            Self::Part(part, of) => {
                vec!["--sharding=round-robin".into(), format!("--shard={part}/{of}")]
            }
            Self::Named(names) => {
                let mut files: Vec<_> = names.iter().map(|name| file(name)).collect();
                files.sort_unstable();
                files.dedup();
                files.into_iter().map(|file| format!("--file={file}")).collect()
            }
        }
    }
}

/// Says that all mutants of the files but these were caught before: patterns of names don't keep
/// cargo-mutants from fields that it leaves out.
fn leave(command: &mut Command, scope: &Scope, output: &Path, names: &[String]) -> Outcome {
    let mut list = workspace::cargo(&["mutants", "--list", "--no-config", "--package"]);
    list.arg(scope.package).args(Chosen::Named(names.to_vec()).options());
    if let Some(root) = scope.own_root() {
        list.args(["--dir", root]);
    }
    let all = workspace::output(&mut list)?;
    let others = all.lines().filter(|name| !names.iter().any(|it| it == name));
    let text = others.map(|name| format!("{name}\n")).collect::<String>();
    let folder = output.join("mutants.out");
    let written = match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => fs::create_dir_all(&folder)
            .and_then(|()| fs::write(folder.join("previously_caught.txt"), text)),
    };
    written.map_err(|error| format!("{}: {error}", folder.display()))?;
    command.arg("--iterate");
    Ok(())
}

/// Runs cargo-mutants over what `chosen` asks for.
fn mutate(scope: &Scope, chosen: &Chosen, pass: Pass, in_place: bool) -> Result<Outcomes, String> {
    let wide = pass != Pass::First;
    let output = workspace::scratch("mutants").join(scope.name.replace(' ', "-"));
    fs::create_dir_all(&output).map_err(|error| format!("{}: {error}", output.display()))?;
    let mut command = workspace::cargo(&["mutants", "--no-shuffle", "--colors=never"]);
    command.args(["--profile", "mutants", "--no-config", "--package", scope.package]);
    command.args(["--minimum-test-timeout", "20", "--timeout-multiplier", "2.5"]);
    if scope.package == LIBRARY {
        let features = if wide && !scope.wider.is_empty() { scope.wider } else { scope.features };
        command.args(["--no-default-features", "--features", "std", "--features", features]);
    }
    if let Chosen::Part(..) = chosen {
        for (option, glob) in scope.patterns() {
            command.args([option, &glob]);
        }
    }
    if in_place {
        command.arg("--in-place");
    }
    if let Chosen::Named(names) = chosen {
        leave(&mut command, scope, &output, names)?;
    }
    command.args(chosen.options()).arg("--output").arg(&output);
    if let Some(root) = scope.own_root() {
        command.args(["--dir", root]);
    }
    let more = if wide { scope.more } else { &[] };
    let besides = more.iter().filter(|name| !scope.tests.contains(name));
    let tests = scope.tests.iter().chain(besides);
    // For what is built, too: what stands behind `--` is for what runs alone.
    command.args(tests.map(|name| format!("--cargo-arg=--test={name}")));
    if scope.package == PROVIDER {
        bindings::openssl::in_libcrypto(&mut command, "mutants")?;
    }
    // Tests in the sources take long to build for the library alone.
    if wide || scope.package != LIBRARY {
        command.arg("--cargo-arg=--lib");
    }
    if pass != Pass::All {
        command.env("CIPHERLANE_TEST_STRIDE", "13");
    }
    // One narrow level and one wide: what differs between levels is constants, and each level
    // takes as long to compile as the next.
    command.env("RUSTFLAGS", "--cfg=cipherlane_few_levels");
    println!("   {}", workspace::describe(&command));
    let status = command.status().map_err(|error| format!("cargo mutants: {error}"))?;
    // 2 and 3: some were missed, some took too long.
    if !matches!(status.code(), Some(0 | 2 | 3)) {
        return Err(format!("cargo mutants ended with {status}"));
    }
    let list = |name: &str| -> Result<Vec<String>, String> {
        let path = output.join("mutants.out").join(name);
        let text =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let root = scope.own_root().map(|root| format!("{root}/")).unwrap_or_default();
        Ok(text.lines().map(|line| format!("{root}{line}")).collect())
    };
    let mut caught = list("caught.txt")?;
    caught.extend(list("timeout.txt")?);
    Ok(Outcomes { caught, missed: list("missed.txt")?, unviable: list("unviable.txt")? })
}

/// The file of a mutant.
fn file(name: &str) -> String {
    name.split(':').next().unwrap_or(name).to_owned()
}

/// A part, from `3/40`.
fn numbers(shard: &str) -> Result<(u32, u32), String> {
    let numbers = shard.split_once('/').and_then(|(part, of)| {
        let (part, of): (u32, u32) = (part.parse().ok()?, of.parse().ok()?);
        (part < of).then_some((part, of))
    });
    numbers.ok_or_else(|| format!("--shard={shard}: a part, as `0/40`"))
}

/// A part of a scope, or its survivors again; what came of it is kept if `write`.
fn one(scope: &Scope, pass: Pass, part: (u32, u32), in_place: bool, write: bool) -> Outcome {
    let chosen = if pass == Pass::First {
        read()?.place(scope.name, part)?;
        Chosen::Part(part.0, part.1)
    } else {
        let alive = read()?.alive;
        let left = alive.iter().filter(|row| scope.has(&row.0) && worth_another(&row.1));
        Chosen::Named(left.map(|row| scope.inside_root(&row.0).to_owned()).collect())
    };
    if let Chosen::Named(names) = &chosen
        && names.is_empty()
    {
        println!("   none of {} left to be looked at", scope.name);
        return Ok(());
    }
    let outcomes = mutate(scope, &chosen, pass, in_place)?;
    println!("   {} caught, {} lived on", outcomes.caught.len(), outcomes.missed.len());
    // Read again: a run of another scope may have written meanwhile.
    let mut log = read()?;
    match pass {
        Pass::First => log.add(scope.name, part, &outcomes)?,
        _ => log.looked_at_again(scope.name, &outcomes),
    }
    if write {
        let path = workspace::root().join(LOG);
        return fs::write(&path, written(&log)).map_err(|error| format!("{LOG}: {error}"));
    }
    for mutant in outcomes.missed {
        println!("   {mutant}");
    }
    Ok(())
}

pub(crate) fn run(options: &[String]) -> Outcome {
    let value = |name: &str| options.iter().find_map(|option| option.strip_prefix(name));
    let given = |name: &str| options.iter().any(|option| option == name);
    if workspace::output(&mut workspace::cargo(&["mutants", "--version"])).is_err() {
        skip("mutants of the sources", "cargo install cargo-mutants --locked");
        return Ok(());
    }
    let wanted = value("--scope=");
    if let Some(wanted) = wanted
        && !SCOPES.iter().any(|scope| scope.name == wanted)
    {
        let names = SCOPES.map(|scope| scope.name);
        return Err(format!("unknown scope `{wanted}`; known: {}", names.join(", ")));
    }
    let part = numbers(value("--shard=").unwrap_or("0/40"))?;
    let pass = match (given("--again"), given("--all")) {
        (false, false) => Pass::First,
        (true, false) => Pass::Wide,
        (_, true) => Pass::All,
    };
    let (in_place, write) = (given("--in-place"), given("--write"));
    for scope in SCOPES.iter().filter(|scope| wanted.is_none_or(|it| it == scope.name)) {
        let name = format!("mutants of {}", scope.name);
        stage(&name, Duration::from_secs(3600), || one(scope, pass, part, in_place, write))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_below_their_number() {
        assert_eq!(numbers("3/40"), Ok((3, 40)));
        assert!(numbers("40/40").is_err() && numbers("3").is_err());
    }

    #[test]
    fn mutants_of_names_are_looked_for_in_their_files() {
        let names = ["b.rs:1:2: x", "a.rs:1:2: x", "b.rs:3:4: y"].map(str::to_owned).to_vec();
        assert_eq!(Chosen::Named(names).options(), ["--file=a.rs", "--file=b.rs"]);
        assert_eq!(Chosen::Part(3, 40).options(), ["--sharding=round-robin", "--shard=3/40"]);
    }
}
