//! `cargo xtask mutants`: a sample of cargo-mutants' changes to the sources, one place at a time,
//! and whether the tests notice. A cipher is built alone and little optimised, at all levels, and
//! tests run with a sample of their cases, so that a mutant costs seconds. Those that live on are
//! tried again with all cases and with the tests in the sources.
//!
//! `prove/mutants.tsv` keeps the sums of the parts run so far, and each survivor with its reason.

use std::fs;
use std::time::Duration;

use crate::outcome::Outcome;
use crate::stage::{skip, stage};
use crate::workspace;

/// What became of mutants: a row a scope, and a row for each that lived on, with the reason.
pub(crate) const LOG: &str = "prove/mutants.tsv";

pub(crate) const OPTIONS: &[&str] = &["--scope=", "--shard=", "--again", "--write"];

/// The first line of the file.
const HEAD: &str = "kind\tscope or mutant\tparts or reason\tviable\tcaught\n";

/// A survivor that nobody has looked at.
pub(crate) const UNEXPLAINED: &str = "not looked at";

/// Files that share a package and tests.
struct Scope {
    name: &'static str,
    package: &'static str,
    /// Folders and files below the package's `src`.
    files: &'static [&'static str],
    /// What the package is built with: a cipher alone is built in seconds, at all levels.
    features: &'static str,
    /// Tests of the package that run.
    tests: &'static [&'static str],
}

const LIBRARY: &str = "cipherlane";

const fn cipher(name: &'static str, files: &'static [&'static str], more: &'static str) -> Scope {
    Scope {
        name,
        package: LIBRARY,
        files,
        features: if more.is_empty() { name } else { more },
        tests: &[
            "batches",
            "chains",
            "counter_wrap",
            "every_byte",
            "levels_agree",
            "model",
            "seek",
            "self_test",
            "vectors",
        ],
    }
}

const SCOPES: [Scope; 18] = [
    cipher("sm4", &["sm4", "tweaks"], ""),
    cipher("aes", &["aes"], ""),
    Scope {
        name: "zuc",
        package: LIBRARY,
        files: &["zuc"],
        features: "zuc",
        tests: &[
            "batches",
            "model",
            "self_test",
            "vectors",
            "zuc",
            "zuc_batches",
            "zuc_batches_model",
        ],
    },
    cipher("mickey", &["mickey"], ""),
    cipher("trivium", &["trivium"], ""),
    cipher("grain", &["grain"], ""),
    cipher("enocoro", &["enocoro"], ""),
    cipher("hc128", &["hc128"], ""),
    cipher("rabbit", &["rabbit"], ""),
    cipher("salsa20", &["salsa20"], ""),
    cipher("sosemanuk", &["sosemanuk"], ""),
    cipher("rc4", &["rc4"], ""),
    cipher("idea", &["idea", "block"], ""),
    cipher("rc2 and rc5", &["rc2", "rc5"], "rc2,rc5"),
    cipher(
        "keystream",
        &["keystream", "lane_rows.rs"],
        "trivium,salsa20,rabbit,grain,mickey,enocoro",
    ),
    Scope {
        name: "modes and MACs",
        package: LIBRARY,
        files: &["modes", "mac", "aead", "leftover.rs", "ct.rs"],
        features: "sm4,aes,idea,zuc",
        tests: &[
            "galois",
            "misuse",
            "model",
            "modes",
            "padding",
            "split_calls",
            "split_macs",
            "streamed_aeads",
            "vectors",
        ],
    },
    Scope {
        name: "batches",
        package: LIBRARY,
        files: &["batch", "batch.rs"],
        // One of the features brings each kind of batch.
        features: "sm4,idea,zuc,aes,rabbit",
        tests: &["batches", "misuse", "misuse_whole", "model", "zuc_batches"],
    },
    Scope {
        name: "container",
        package: "cipherlane-container",
        files: &[""],
        features: "",
        tests: &["files", "pieces", "published"],
    },
];

impl Scope {
    /// The package's folder.
    fn folder(&self) -> String {
        format!("crates/{}", self.package.strip_prefix("cipherlane-").unwrap_or(self.package))
    }

    fn has(&self, mutant: &str) -> bool {
        let source = format!("{}/src/", self.folder());
        let inside = |file: &&str| {
            let rest = mutant.strip_prefix(&source).and_then(|rest| rest.strip_prefix(*file));
            rest.is_some_and(|rest| file.is_empty() || rest.starts_with(['/', ':']))
        };
        self.files.iter().any(inside)
    }

    /// Patterns of its files.
    fn globs(&self) -> Vec<String> {
        let source = format!("{}/src/", self.folder());
        let glob = |file: &&str| match (file.is_empty(), file.ends_with(".rs")) {
            (true, _) => format!("{source}**/*.rs"),
            (_, true) => format!("{source}{file}"),
            _ => format!("{source}{file}/**/*.rs"),
        };
        self.files.iter().map(glob).collect()
    }
}

/// A scope's sums: which parts of how many were run, and what came of their mutants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sums {
    pub(crate) scope: String,
    pub(crate) parts: Vec<u32>,
    pub(crate) of: u32,
    pub(crate) viable: u32,
    pub(crate) caught: u32,
}

/// The file's contents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Log {
    pub(crate) sums: Vec<Sums>,
    /// Mutants that lived on, each with the reason.
    pub(crate) alive: Vec<(String, String)>,
}

pub(crate) fn parse(text: &str) -> Result<Log, String> {
    let mut log = Log::default();
    for line in text.lines().skip(1) {
        let wrong = |text: &str| format!("{LOG}: `{text}` in `{line}`");
        let number = |text: &str| text.parse::<u32>().map_err(|_| wrong(text));
        match line.split('\t').collect::<Vec<_>>()[..] {
            ["scope", scope, parts, viable, caught] => {
                let (parts, of) = parts.split_once('/').ok_or_else(|| wrong(parts))?;
                log.sums.push(Sums {
                    scope: scope.into(),
                    parts: parts.split(',').map(number).collect::<Result<_, _>>()?,
                    of: number(of)?,
                    viable: number(viable)?,
                    caught: number(caught)?,
                });
            }
            ["alive", mutant, reason] => log.alive.push((mutant.into(), reason.into())),
            _ => return Err(wrong("no such row")),
        }
    }
    Ok(log)
}

/// The scopes of which no part was run.
pub(crate) fn untouched(log: &Log) -> Vec<&'static str> {
    let names = SCOPES.iter().map(|scope| scope.name);
    names.filter(|name| !log.sums.iter().any(|sums| sums.scope == *name)).collect()
}

fn written(log: &Log) -> String {
    let mut text = String::from(HEAD);
    for Sums { scope, parts, of, viable, caught } in &log.sums {
        let parts: Vec<_> = parts.iter().map(u32::to_string).collect();
        text += &format!("scope\t{scope}\t{}/{of}\t{viable}\t{caught}\n", parts.join(","));
    }
    for (mutant, reason) in &log.alive {
        text += &format!("alive\t{mutant}\t{reason}\n");
    }
    text
}

/// What a run of cargo-mutants says of its mutants.
struct Outcomes {
    caught: Vec<String>,
    missed: Vec<String>,
}

/// Runs cargo-mutants over what `chosen` asks for, with a sample of the tests' cases or all.
fn mutate(scope: &Scope, chosen: &[String], all: bool) -> Result<Outcomes, String> {
    let output = workspace::scratch("mutants").join(scope.name.replace(' ', "-"));
    fs::create_dir_all(&output).map_err(|error| format!("{}: {error}", output.display()))?;
    let mut command = workspace::cargo(&["mutants", "--no-shuffle", "--colors=never"]);
    command.args(["--profile", "mutants", "--no-config", "--package", scope.package]);
    command.args(["--minimum-test-timeout", "20", "--timeout-multiplier", "2.5"]);
    if scope.package == LIBRARY {
        command.args(["--no-default-features", "--features", "std", "--features", scope.features]);
    }
    for glob in scope.globs() {
        command.args(["--file", &glob]);
    }
    command.args(chosen).arg("--output").arg(&output);
    command.arg("--").args(scope.tests.iter().flat_map(|&name| ["--test", name]));
    if all {
        command.arg("--lib");
    } else {
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
        Ok(text.lines().map(str::to_owned).collect())
    };
    let mut caught = list("caught.txt")?;
    caught.extend(list("timeout.txt")?);
    Ok(Outcomes { caught, missed: list("missed.txt")? })
}

/// A pattern that is this text alone.
fn exactly(text: &str) -> String {
    let mut pattern = String::from("^");
    for character in text.chars() {
        if !(character.is_alphanumeric() || " _/:&'<>-=!,\"%".contains(character)) {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern + "$"
}

/// A part, from `3/40`.
fn numbers(shard: &str) -> Result<(u32, u32), String> {
    let numbers = shard.split_once('/').and_then(|(part, of)| {
        let (part, of): (u32, u32) = (part.parse().ok()?, of.parse().ok()?);
        (part < of).then_some((part, of))
    });
    numbers.ok_or_else(|| format!("--shard={shard}: a part, as `0/40`"))
}

impl Log {
    /// The place of a part that was not run before among the sums of its scope.
    fn place(&mut self, scope: &str, (part, of): (u32, u32)) -> Result<&mut Sums, String> {
        let place = self.sums.iter().position(|sums| sums.scope == scope).unwrap_or_else(|| {
            let (scope, parts) = (scope.to_owned(), Vec::new());
            self.sums.push(Sums { scope, parts, of, viable: 0, caught: 0 });
            self.sums.len() - 1
        });
        let sums = &mut self.sums[place];
        if sums.of != of || sums.parts.contains(&part) {
            return Err(format!(
                "part {part} of {of}: {LOG} has the parts {:?} of {} of {}; take another of \
                 these, or remove its row",
                sums.parts, sums.of, sums.scope
            ));
        }
        Ok(sums)
    }

    /// Adds what came of a part.
    fn add(&mut self, scope: &str, part: (u32, u32), outcomes: &Outcomes) -> Outcome {
        let Outcomes { caught, missed } = outcomes;
        let sums = self.place(scope, part)?;
        sums.parts.push(part.0);
        sums.viable += (caught.len() + missed.len()) as u32;
        sums.caught += caught.len() as u32;
        self.alive.extend(missed.iter().map(|mutant| (mutant.clone(), UNEXPLAINED.to_owned())));
        Ok(())
    }

    /// Takes those out that were caught after all.
    fn caught_later(&mut self, scope: &str, caught: &[String]) {
        let before = self.alive.len();
        self.alive.retain(|row| !caught.contains(&row.0));
        if let Some(sums) = self.sums.iter_mut().find(|sums| sums.scope == scope) {
            sums.caught += (before - self.alive.len()) as u32;
        }
    }
}

/// Nobody looked at it yet, or it is said to be caught by now.
fn worth_another(reason: &str) -> bool {
    reason == UNEXPLAINED || reason.starts_with("caught")
}

fn read() -> Result<Log, String> {
    parse(&workspace::read(LOG)?)
}

/// A part of a scope, or its survivors again; what came of it is kept if `write`.
fn one(scope: &Scope, part: Option<(u32, u32)>, write: bool) -> Outcome {
    let chosen = match part {
        Some((part, of)) => {
            read()?.place(scope.name, (part, of))?;
            vec!["--sharding=round-robin".to_owned(), format!("--shard={part}/{of}")]
        }
        None => {
            let alive = read()?.alive;
            let left = alive.iter().filter(|row| scope.has(&row.0) && worth_another(&row.1));
            left.flat_map(|row| ["--re".into(), exactly(&row.0)]).collect()
        }
    };
    if chosen.is_empty() {
        println!("   none of {} left to be looked at", scope.name);
        return Ok(());
    }
    let outcomes = mutate(scope, &chosen, part.is_none())?;
    println!("   {} caught, {} lived on", outcomes.caught.len(), outcomes.missed.len());
    // Read again: a run of another scope may have written meanwhile.
    let mut log = read()?;
    match part {
        Some(part) => log.add(scope.name, part, &outcomes)?,
        None => log.caught_later(scope.name, &outcomes.caught),
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
    let part = if given("--again") { None } else { Some(part) };
    for scope in SCOPES.iter().filter(|scope| wanted.is_none_or(|it| it == scope.name)) {
        let name = format!("mutants of {}", scope.name);
        stage(&name, Duration::from_secs(3600), || one(scope, part, given("--write")))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let text = format!("{HEAD}scope\tbatches\t0,7/40\t12\t11\nalive\ta/b.rs:1:2: x\tno use\n");
        let log = parse(&text).unwrap();
        assert_eq!(log.sums[0].parts, [0, 7]);
        assert_eq!((log.sums[0].of, log.sums[0].viable, log.sums[0].caught), (40, 12, 11));
        assert_eq!(log.alive, [("a/b.rs:1:2: x".to_owned(), "no use".to_owned())]);
        assert_eq!(written(&log), text);
        assert!(parse("head\nscope\tbatches\n").is_err());
        assert!(parse("head\nscope\tbatches\t0/40\tmany\t1\n").is_err());
        assert!(parse("head\nscope\tbatches\t0\t1\t1\n").is_err());
    }

    #[test]
    fn what_may_be_caught_by_now_is_tried_again() {
        assert!(worth_another(UNEXPLAINED));
        assert!(worth_another("caught since: titles must differ"));
        assert!(!worth_another("the same blocks by another formulation"));
    }

    #[test]
    fn scopes_have_files_and_tests() {
        for scope in &SCOPES {
            let folder = workspace::root().join(scope.folder()).join("src");
            for file in scope.files {
                assert!(folder.join(file).exists(), "{} {file}", scope.name);
            }
            for test in scope.tests {
                let folder = workspace::root().join(scope.folder()).join("tests");
                let one = folder.join(format!("{test}.rs")).exists();
                assert!(one || folder.join(test).is_dir(), "{} {test}", scope.name);
            }
        }
        let has = |mutant: &str| {
            let all = SCOPES.iter().filter(|scope| scope.has(mutant));
            all.map(|scope| scope.name).collect::<Vec<_>>()
        };
        assert_eq!(has("crates/cipherlane/src/aes/key.rs:1:1: replace x"), ["aes"]);
        assert_eq!(has("crates/cipherlane/src/lane_rows.rs:1:1: replace x"), ["keystream"]);
        assert_eq!(has("crates/cipherlane/src/batch.rs:1:1: replace x"), ["batches"]);
        assert_eq!(has("crates/container/src/key.rs:1:1: replace x"), ["container"]);
    }

    #[test]
    fn parts_add_up_and_survivors_are_caught_later() {
        let outcomes = Outcomes { caught: vec!["a".into()], missed: vec!["b".into(), "c".into()] };
        let mut log = Log::default();
        log.add("batches", (3, 40), &outcomes).unwrap();
        assert!(log.place("batches", (3, 40)).is_err());
        assert!(log.place("batches", (4, 50)).is_err());
        log.caught_later("batches", &["c".to_owned()]);
        assert_eq!((log.sums[0].viable, log.sums[0].caught, log.alive.len()), (3, 2, 1));
        assert_eq!(numbers("3/40"), Ok((3, 40)));
        assert!(numbers("40/40").is_err() && numbers("3").is_err());
    }

    #[test]
    fn a_pattern_is_the_text_alone() {
        assert_eq!(exactly("a.rs:1:2: replace * with +"), r"^a\.rs:1:2: replace \* with \+$");
    }
}
