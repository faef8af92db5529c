//! `cargo xtask evidence`: runs the commands of the table of `docs/PROOF.md`, and keeps of each when it
//! last ran, on what sources, for how long and how it ended; the table is written anew. A run on a CPU that
//! has fewer levels than that of the run before leaves that one there, as nothing newer speaks for those levels.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::commands::commands;
use super::quick_runs::{self, Levels};
use crate::here::{cpu, sources, today};
use crate::outcome::Outcome;
use crate::stage::stage;
use crate::workspace;

pub(crate) const OPTIONS: &[&str] = &["--only=", "--write"];

const KEPT: &str = "prove/evidence.tsv";
/// How a command ended that this machine can run nothing of; what was kept of it stays.
const NOTHING: &str = "nothing of it can run here";
const HEAD: &str = "command\tdate\tsources\tCPU\tseconds\tended\n";

/// A run of a command: the last one, or the last one at levels that this one's CPU lacked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) command: String,
    /// Of the calendar, in UTC.
    pub(super) date: String,
    /// The hash that git has of the folder with the sources; `+` behind it where files differed.
    pub(super) sources: String,
    pub(super) cpu: String,
    pub(super) seconds: u64,
    /// `ok`, `failed`, or how many parts could not run.
    pub(super) ended: String,
}

/// The last runs.
#[derive(Debug, Default)]
pub(super) struct Runs(pub(super) Vec<Run>);

impl Runs {
    pub(super) fn read() -> Result<Self, String> {
        if workspace::root().join(KEPT).exists() {
            Self::parse(&workspace::read(KEPT)?)
        } else {
            Ok(Self::default())
        }
    }

    fn parse(text: &str) -> Result<Self, String> {
        let row = |line: &str| {
            let fields: Vec<&str> = line.split('\t').collect();
            let [command, date, sources, cpu, seconds, ended] = fields[..] else {
                return Err(format!("{KEPT}: `{line}` has no six fields"));
            };
            let seconds =
                seconds.parse().map_err(|_| format!("{KEPT}: `{seconds}` in `{line}`"))?;
            let [command, date, sources, cpu, ended] =
                [command, date, sources, cpu, ended].map(str::to_owned);
            Ok(Run { command, date, sources, cpu, seconds, ended })
        };
        text.lines().skip(1).map(row).collect::<Result<_, _>>().map(Self)
    }

    fn written(&self) -> String {
        let mut text = HEAD.to_owned();
        for Run { command, date, sources, cpu, seconds, ended } in &self.0 {
            let _ = writeln!(text, "{command}\t{date}\t{sources}\t{cpu}\t{seconds}\t{ended}");
        }
        text
    }

    /// The last run of a command.
    pub(super) fn of(&self, command: &str) -> Option<&Run> {
        self.all_of(command).next()
    }

    /// The last run of a command, and those before it at levels that it did not have.
    pub(super) fn all_of(&self, command: &str) -> impl Iterator<Item = &Run> {
        self.0.iter().filter(move |run| run.command == command)
    }

    /// One more, instead of those of its command at no other levels than its own; those of commands
    /// that the page has no more go.
    fn add(&mut self, run: Run, levels: &Levels) {
        let all = commands();
        self.0.retain(|it| {
            let other = it.command != run.command || !beyond(levels, it, &run).is_empty();
            other && all.contains(&it.command.as_str())
        });
        self.0.insert(0, run);
        let place = |it: &Run| all.iter().position(|command| *command == it.command);
        self.0.sort_by_key(place);
    }
}

/// Levels of a run that another did not have, as far as those of both CPUs are known.
pub(super) fn beyond<'a>(levels: &'a Levels, run: &Run, other: &Run) -> Vec<&'a str> {
    match (levels.get(&run.cpu), levels.get(&other.cpu)) {
        (Some(ours), Some(theirs)) => ours.difference(theirs).map(String::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Keeps that a command ran now.
pub(super) fn keep(command: &str, took: Duration, ended: &str) -> Outcome {
    let run = Run {
        command: command.into(),
        date: today()?,
        sources: sources(),
        cpu: cpu(),
        seconds: took.as_secs().max(1),
        ended: ended.into(),
    };
    // Read again: a run of hours may have had others beside it.
    let mut runs = Runs::read()?;
    runs.add(run, &quick_runs::levels()?);
    let path = workspace::root().join(KEPT);
    let beside = path.with_extension("tsv.new");
    fs::write(&beside, runs.written())
        .and_then(|()| fs::rename(&beside, &path))
        .map_err(|error| format!("{KEPT}: {error}"))
}

/// Whether this machine lacks something for all of a command, which is then no run of it: parts are
/// left out, and no stage or test ended.
fn nothing_ran(printed: &str) -> bool {
    let began = |line: &str| line.starts_with("== ") || line.starts_with("test result:");
    printed.lines().any(|line| line.starts_with("SKIP: ")) && !printed.lines().any(began)
}

/// How a run ended that printed this: parts that could not run say so.
fn ending(passed: bool, printed: &str) -> String {
    let skipped = printed.lines().filter(|line| line.starts_with("SKIP: ")).count();
    match (passed, skipped) {
        (false, _) => "failed".into(),
        (true, _) if nothing_ran(printed) => NOTHING.into(),
        (true, 0) => "ok".into(),
        (true, some) => format!("ok, {some} skipped"),
    }
}

/// Runs one; how it ended, and the end of what it printed.
fn one(command: &str) -> Result<(String, String), String> {
    let folder = workspace::scratch("evidence");
    // Others may run beside this one.
    let path = folder.join(format!("printed-{}", std::process::id()));
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    fs::create_dir_all(&folder).map_err(failed)?;
    let file = File::create(&path).map_err(failed)?;
    let both = file.try_clone().map_err(failed)?;
    let mut shell = Command::new("sh");
    shell.current_dir(workspace::root()).args(["-ec", command]).stdin(Stdio::null());
    let status = shell.stdout(file).stderr(both).status().map_err(|error| error.to_string())?;
    let printed = String::from_utf8_lossy(&fs::read(&path).map_err(failed)?).into_owned();
    let lines: Vec<&str> = printed.lines().collect();
    let last = lines[lines.len().saturating_sub(12)..].join("\n");
    Ok((ending(status.success(), &printed), last))
}

/// The commands that have these words; the one that is nothing else, if there is one.
fn having<'a>(all: &[&'a str], words: &str) -> Vec<&'a str> {
    let whole = all.contains(&words);
    all.iter().copied().filter(|it| if whole { *it == words } else { it.contains(words) }).collect()
}

pub(crate) fn run(options: &[String]) -> Outcome {
    let words = options.iter().find_map(|it| it.strip_prefix("--only="));
    let write = options.iter().any(|it| it == "--write");
    let all = commands();
    let chosen = words.map_or_else(|| all.clone(), |words| having(&all, words));
    if chosen.is_empty() {
        let words = words.unwrap_or_default();
        return Err(format!("--only={words}: in no command; there are: {}", all.join("; ")));
    }
    let mut bad = Vec::new();
    for command in chosen {
        // As long as it took when it last ran, and half as much again.
        let known = Runs::read()?.of(command).map_or(600, |run| run.seconds * 3 / 2 + 10);
        let began = Instant::now();
        let (ended, last) = stage(command, Duration::from_secs(known), || one(command))?;
        println!("   {ended}");
        if ended == "failed" {
            println!("{last}");
            bad.push(command);
        }
        if write && ended != NOTHING {
            keep(command, began.elapsed(), &ended)?;
        }
    }
    if write {
        super::renew()?;
    }
    if bad.is_empty() { Ok(()) } else { Err(format!("failed: {}", bad.join("; "))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(command: &str, seconds: u64) -> Run {
        let [date, sources, cpu, ended] =
            ["2026-01-02", "0123456789", "a CPU", "ok"].map(str::to_owned);
        Run { command: command.into(), date, sources, cpu, seconds, ended }
    }

    #[test]
    fn runs_are_kept_in_the_order_of_the_page() {
        let all = commands();
        let mut runs = Runs::default();
        let levels = Levels::new();
        runs.add(at(all[2], 3), &levels);
        runs.0.push(at("cargo of another time", 1));
        runs.add(at(all[0], 1), &levels);
        runs.add(at(all[2], 4), &levels);
        let kept: Vec<_> = runs.0.iter().map(|run| (run.command.as_str(), run.seconds)).collect();
        assert_eq!(kept, [(all[0], 1), (all[2], 4)]);
        assert_eq!(Runs::parse(&runs.written()).unwrap().0, runs.0);
        assert!(Runs::parse("head\na\tb\n").unwrap_err().contains("six fields"));
        assert!(Runs::parse("head\na\tb\tc\td\tmany\tok\n").unwrap_err().contains("many"));
    }

    #[test]
    fn a_run_at_more_levels_stays_beside_a_later_one() {
        let of = |words: &str| words.split(' ').map(str::to_owned).collect();
        let levels = [("old", of("portable avx2")), ("new", of("portable avx2 avx512"))];
        let levels: Levels = levels.map(|(cpu, of)| (cpu.to_owned(), of)).into();
        let command = commands()[0];
        let on = |cpu: &str, seconds| Run { cpu: cpu.into(), ..at(command, seconds) };
        let mut runs = Runs::default();
        let kept = |runs: &Runs| -> Vec<(String, u64)> {
            runs.all_of(command).map(|it| (it.cpu.clone(), it.seconds)).collect()
        };
        runs.add(on("new", 1), &levels);
        runs.add(on("old", 2), &levels);
        runs.add(on("old", 3), &levels);
        assert_eq!(kept(&runs), [("old".into(), 3), ("new".into(), 1)]);
        assert_eq!(runs.of(command).unwrap().seconds, 3);
        assert_eq!(Runs::parse(&runs.written()).unwrap().0, runs.0);
        assert_eq!(beyond(&levels, &runs.0[1], &runs.0[0]), ["avx512"]);
        runs.add(on("new", 4), &levels);
        assert_eq!(kept(&runs), [("new".into(), 4)]);
        // Of a CPU whose levels nobody has told, nothing says that it had more.
        runs.add(on("another", 5), &levels);
        assert_eq!(kept(&runs), [("another".into(), 5)]);
    }

    #[test]
    fn a_command_within_others_can_be_named() {
        let all = ["cargo test -p a", "cargo test -p a --test b", "cargo xtask c"];
        assert_eq!(having(&all, "cargo test -p a"), all[..1]);
        assert_eq!(having(&all, "cargo test"), all[..2]);
        assert!(having(&all, "d").is_empty());
    }

    #[test]
    fn what_could_not_run_is_told() {
        assert_eq!(ending(true, "all is well\n"), "ok");
        assert_eq!(ending(true, "== a (budget 1 s)\nSKIP: a (b)\nSKIP: c (d)\n"), "ok, 2 skipped");
        assert_eq!(ending(true, "test result: ok. 1 passed\nSKIP: a (b)\n"), "ok, 1 skipped");
        assert_eq!(ending(false, "SKIP: a (b)\n"), "failed");
        assert_eq!(ending(true, "    Finished\nSKIP: a (b)\n"), NOTHING);
    }

    #[test]
    fn the_file_is_of_the_page() {
        let all = commands();
        for run in Runs::read().unwrap().0 {
            assert!(all.contains(&run.command.as_str()), "{}", run.command);
        }
    }
}
