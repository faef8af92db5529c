//! `cargo xtask prove-bochs`: traces at levels that this CPU lacks, in the emulator Bochs. The program is the very
//! one that `prove-quick` starts, so that its verdicts are of the same machine code, and `check --symbols`
//! holds them against it as any others.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use super::checks::TRACE;
use super::code::{Build, Judged, Pair};
use super::records::{Figures, Record, sums};
use super::verdicts::Verdicts;
use super::{build, claims, evidence, lacking, page, program_in};
use crate::bochs::{ARROW_LAKE, Machine, TIGER_LAKE};
use crate::outcome::Outcome;
use crate::stage::stage;
use crate::workspace;

pub(crate) const OPTIONS: &[&str] = &["--pairs=", "--write"];
pub(crate) const VERB: &str = "prove-bochs";

/// Levels, and Bochs's name of a CPU whose highest level or highest but one it is.
const LEVELS: [(&str, &str, &str); 3] = [
    ("avx2-gfni", TIGER_LAKE, "a Tiger Lake"),
    ("avx512", TIGER_LAKE, "a Tiger Lake"),
    ("avx2-sm4", ARROW_LAKE, "an Arrow Lake"),
];

/// What no CPU that anybody has here could judge: it is judged again whenever it is not of the present code.
const NOWHERE_ELSE: (&str, &str) = ("sm4", "avx2-sm4");

/// How long one pair may take.
const MOST: Duration = Duration::from_secs(4 * 3600);

/// The pairs that are asked for.
fn named(text: &str) -> Result<BTreeSet<Pair>, String> {
    let pair = |text: &str| {
        let (algorithm, level) = text.split_once('@').unwrap_or((text, ""));
        if LEVELS.iter().any(|it| it.0 == level) {
            return Ok((algorithm.to_owned(), level.to_owned()));
        }
        let levels = LEVELS.map(|it| it.0).join(", ");
        Err(format!("--pairs: `{text}`; allowed: ALGORITHM@LEVEL,… at {levels}, as sm4@avx512"))
    };
    text.split(',').map(pair).collect()
}

/// The pairs without a verdict of the present code that Bochs has a CPU for.
fn without_verdict(folder: &Path) -> Result<BTreeSet<Pair>, String> {
    let lacking = lacking(folder)?;
    let stale = lacking.here.into_keys().chain(lacking.elsewhere.into_keys());
    let mut pairs: BTreeSet<Pair> =
        stale.filter(|pair| LEVELS.iter().any(|it| it.0 == pair.1)).collect();
    let (algorithm, level) = NOWHERE_ELSE;
    let pair = (algorithm.to_owned(), level.to_owned());
    if !Judged::read()?.pairs().contains(&pair) {
        pairs.insert(pair);
    }
    Ok(pairs)
}

/// The libraries that a program of this machine loads, by the names that it loads them under.
fn libraries(program: &Path) -> Result<Vec<(String, Vec<u8>)>, String> {
    let text = workspace::output(Command::new("ldd").arg(program))?;
    // `NAME => PATH (ADDRESS)` or `PATH (ADDRESS)`; what has no path is the kernel's own.
    let paths = text.lines().filter_map(|line| {
        let words = line.rsplit("=> ").next()?;
        words.split_whitespace().next().filter(|it| it.starts_with('/')).map(PathBuf::from)
    });
    let file = |path: PathBuf| {
        let data = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok((path.to_string_lossy().trim_start_matches('/').to_owned(), data))
    };
    paths.map(file).collect()
}

/// The records that a machine said, once its program has ended: as many lines as it wrote, each whole.
fn said(text: &str) -> Option<Result<Vec<Record>, String>> {
    if let Some(line) = text.lines().find(|line| line.contains("Kernel panic")) {
        return Some(Err(line.trim().into()));
    }
    let marks = |mark: &str| text.lines().find_map(|line| line.strip_prefix(mark)).map(str::trim);
    // A last line may be in the middle of being written.
    if !text.lines().any(|line| line.trim() == "== end") {
        return None;
    }
    Some((|| {
        let why = marks("== failed: ");
        let Some(count) = marks("== lines ").and_then(|it| it.parse::<usize>().ok()) else {
            return Err(format!("the program did not run: {}", why.unwrap_or("nobody says why")));
        };
        // What a line lost in front would tell of a check that there is none of.
        let known = |it: &Record| [TRACE, "code", "unclaimed"].contains(&it.check.as_str());
        let records = text.lines().filter_map(|line| Record::parse(line).ok());
        let records: Vec<Record> = records.filter(known).collect();
        if records.len() != count {
            return Err(format!("{} of {count} lines came through", records.len()));
        }
        match why {
            Some(why) if records.iter().all(Record::passed) => {
                let panic = text.lines().find(|line| line.contains("panicked at"));
                Err(format!("{why} and no record of why: {}", panic.unwrap_or("no panic")))
            }
            _ => Ok(records),
        }
    })())
}

/// Steps through an algorithm at a level, on the CPU that has it.
fn judge(
    machine: &Machine,
    program: &Path,
    pair: &Pair,
    more: &[(String, Vec<u8>)],
) -> Result<Figures, String> {
    let (algorithm, level) = pair;
    let of_level = LEVELS.iter().find(|it| it.0 == *level);
    let &(_, model, _) = of_level.ok_or_else(|| format!("no CPU for {level}"))?;
    let asked = format!("{algorithm}@{level}");
    let arguments = [TRACE, "--quick", "--pairs", &asked];
    let first = machine.first_files(program, &arguments, more.to_vec())?;
    let records = machine.run(model, &format!("prove-{asked}"), &first, MOST, said)?;
    let mut figures = Figures::default();
    figures.add(records);
    let of_pair = |it: &Record| it.level == *level && it.algorithm() == algorithm;
    if figures.records.is_empty() || !figures.records.iter().all(of_pair) {
        return Err(format!("`{asked}` was asked for, and other records or none came"));
    }
    if figures.code.is_empty() {
        return Err("nobody says which functions ran".into());
    }
    Ok(figures)
}

/// Where these verdicts are from.
fn origin(level: &str) -> Result<String, String> {
    let cpu = LEVELS.iter().find(|it| it.0 == level).map_or("", |it| it.2);
    let rustc = workspace::output(Command::new("rustc").arg("--version"))?;
    let commit = super::commit();
    Ok(format!("`cargo xtask {VERB}` at {commit}, on {cpu} of Bochs's, {}", rustc.trim()))
}

/// Keeps verdicts, and what code they are of.
fn keep(figures: &Figures, level: &str, folder: &Path) -> Outcome {
    let algorithms = claims(folder)?.into_keys().map(|pair| pair.0).collect();
    let verdicts = Verdicts::of(figures, &origin(level)?).kept(&algorithms)?;
    let judged = Judged::of(&figures.sound_code(), &Build::read(folder)?);
    judged.and_of_other_pairs(Judged::read()?, &algorithms).keep()?;
    tell(&verdicts, folder)
}

/// Writes the page's verdicts anew.
fn tell(verdicts: &Verdicts, folder: &Path) -> Outcome {
    let old = workspace::read(page::PLACE)?;
    let text = page::rejudged(&old, verdicts, &lacking(folder)?.line())?;
    fs::write(workspace::root().join(page::PLACE), text).map_err(|error| error.to_string())
}

pub(crate) fn run(options: &[String]) -> Outcome {
    let began = Instant::now();
    let asked = options.iter().find_map(|it| it.strip_prefix("--pairs="));
    let write = options.iter().any(|it| it == "--write");
    let asked = asked.map(named).transpose()?;
    let folder = stage("build", Duration::from_secs(300), build)?;
    let whole = asked.is_none();
    let pairs = asked.map_or_else(|| without_verdict(&folder), Ok)?;
    let (mut passed, mut failed) = (0, 0);
    if pairs.is_empty() {
        println!("   every verdict at levels of Bochs's CPUs is of the code that stands here");
        if write {
            tell(&Verdicts::read()?, &folder)?;
        }
    } else {
        let machine = Machine::new()?;
        let program = program_in(&folder);
        let mut more = libraries(&program)?;
        more.push(machine.busybox()?);
        for pair in &pairs {
            let name = format!("{} at {}, in Bochs", pair.0, pair.1);
            let work = || judge(&machine, &program, pair, &more);
            let figures = match stage(&name, Duration::from_secs(900), work) {
                Ok(figures) => figures,
                Err(error) => {
                    failed += 1;
                    println!("   FAILED {error}");
                    continue;
                }
            };
            let bad: Vec<&Record> = figures.records.iter().filter(|it| !it.passed()).collect();
            (passed, failed) = (passed + figures.records.len() - bad.len(), failed + bad.len());
            for record in bad.iter().take(20) {
                println!("   FAILED {record}");
            }
            println!("   {}", sums(&figures.records));
            if write {
                keep(&figures, &pair.1, &folder)?;
            }
        }
    }
    if write {
        // What was a part of it is no run of the command that the page names.
        if whole {
            let ended = if failed == 0 { "ok" } else { "failed" };
            evidence::keep(&format!("cargo xtask {VERB}"), began.elapsed(), ended)?;
        }
        super::renew()?;
    }
    println!("{passed} passed, {failed} failed");
    if failed == 0 { Ok(()) } else { Err("not everything passed; see the lines FAILED".into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "[ 1.0] a kernel's line\r\ntrace\tsm4/ctr\talone\tavx512\t1234\t64\tok\r\n\
                        code\tsm4\t_RNv4sm4\tavx512\t0\t0\tok\r\n== lines 2\r\n== passed\r\n== end\r\n";

    #[test]
    fn a_program_that_has_not_ended_has_said_nothing() {
        for len in 0..GOOD.len() - 2 {
            assert_eq!(said(&GOOD[..len]), None, "{len}");
        }
        let records = said(GOOD).unwrap().unwrap();
        assert_eq!(records.len(), 2);
        assert_eq!(records[0].algorithm(), "sm4");
    }

    #[test]
    fn a_line_that_was_spoiled_or_lost_is_an_error() {
        for (was, is) in [
            ("code\tsm4\t", "code\tsm"),
            ("code\tsm4\t", "co[ 2.0] a kernel's line\r\nde\tsm4\t"),
            ("trace\tsm4/ctr\talone\tavx512\t1234\t64\tok\r\n", ""),
            ("== lines 2\r\n", ""),
            ("== passed", "== failed: signal: 11"),
        ] {
            assert!(said(&GOOD.replace(was, is)).unwrap().is_err(), "{is}");
        }
        let panic = said("x\r\n[ 0.1] Kernel panic - not syncing: y").unwrap();
        assert!(panic.unwrap_err().contains("not syncing"));
    }

    #[test]
    fn a_finding_is_a_record() {
        let found = GOOD
            .replace("64\tok", "64\tsecret 1 parts at step 7")
            .replace("== passed", "== failed: exit status: 1");
        assert!(!said(&found).unwrap().unwrap()[0].passed());
    }

    #[test]
    fn pairs_are_of_levels_that_bochs_has() {
        let two = named("sm4@avx512,rc5@avx2-gfni").unwrap();
        assert!(two.contains(&("rc5".into(), "avx2-gfni".into())) && two.len() == 2);
        for wrong in ["sm4@avx2", "sm4", "", "sm4@avx512,"] {
            assert!(named(wrong).unwrap_err().contains("avx2-gfni, avx512, avx2-sm4"), "{wrong}");
        }
    }
}
