//! `cargo xtask prove-quick` and `cargo xtask prove`: the evidence, run on this machine.

mod beside;
mod checks;
mod code;
mod commands;
mod elsewhere;
pub(crate) mod evidence;
pub(crate) mod in_bochs;
mod kept;
mod lacking;
pub(crate) mod machines;
mod page;
mod promises;
mod quick_runs;
mod records;
pub(crate) mod seeds;
pub(crate) mod soak;
pub(crate) mod threats;
pub(crate) mod times;
mod unstepped;
mod verdicts;
pub(crate) mod wasm;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use checks::{CHECKS, Check, TRACE, chosen};
use code::{Build, Judged};
use evidence::Runs;
pub(crate) use lacking::verdicts_of;
use lacking::{claims, lacking};
use records::{Figures, Record};
use verdicts::Verdicts;

use crate::outcome::Outcome;
use crate::stage::{skip, stage};
use crate::workspace;

const SLIP: &str = "slips beside a buffer end the process";
const SLIP_BUDGET: u64 = 5;
/// Accesses beside a buffer that must end the process.
const SLIPS: [&str; 4] = ["ReadBefore", "ReadBehind", "WriteBefore", "WriteBehind"];

/// Where the run that the verdicts are of stays.
const ORIGIN: &str = "origin";

/// What `cipherlane-prove` returns where the machine can't run a check.
const CANNOT: i32 = 3;

pub(crate) fn quick(options: &[String]) -> Outcome {
    run(true, options)
}

pub(crate) fn full(options: &[String]) -> Outcome {
    run(false, options)
}

/// What `docs/PROOF.md` has of kept files, anew.
fn renew() -> Outcome {
    let (runs, hash) = (Runs::read()?, Judged::read()?.hash());
    let old = workspace::read(page::PLACE)?;
    let levels = quick_runs::levels()?;
    let text = page::renewed(&old, (&runs, (&hash, &levels)), &kept::sections()?)?;
    fs::write(workspace::root().join(page::PLACE), text).map_err(|error| error.to_string())?;
    println!("   the tables of {} are written", page::PLACE);
    Ok(())
}

/// `docs/PROOF.md` from the results of the last run, which lie in `target`; `--kept`: what it has of files in
/// the repository alone.
pub(crate) fn page(options: &[String]) -> Outcome {
    if options.iter().any(|it| it == "--kept") {
        return renew();
    }
    let verb = fs::read_to_string(results("verb")).map_err(|_| {
        "there are no results yet; make some by `cargo xtask prove-quick`".to_owned()
    })?;
    let mut figures = Figures::default();
    for name in CHECKS.iter().map(|check| check.name).chain(["slip"]) {
        // A check that could not run has none.
        let Ok(text) = fs::read_to_string(results(name)) else { continue };
        figures.add(text.lines().map(Record::parse).collect::<Result<_, _>>()?);
    }
    // There is none where nothing was stepped through, and no verdict of this machine either.
    let from = fs::read_to_string(results(ORIGIN)).unwrap_or_default();
    let folder = build()?;
    let algorithms = claims(&folder)?.into_keys().map(|pair| pair.0).collect();
    let verdicts = Verdicts::of(&figures, from.trim()).kept(&algorithms)?;
    let judged = Judged::of(&figures.sound_code(), &Build::read(&folder)?);
    judged.and_of_other_pairs(Judged::read()?, &algorithms).keep()?;
    let (verb, machine) = (verb.trim(), page::machine()?);
    let line = lacking(&folder)?.line();
    let (runs, hash) = (Runs::read()?, Judged::read()?.hash());
    let about = (verb, machine.as_str());
    let (kept, levels) = (kept::sections()?, quick_runs::levels()?);
    let told = (hash.as_str(), &levels);
    let text = page::render(&figures, (&verdicts, &line), (&runs, told), about, &kept);
    fs::write(workspace::root().join(page::PLACE), text).map_err(|error| error.to_string())?;
    println!("   {} is written", page::PLACE);
    Ok(())
}

/// The sources, as git calls them.
fn commit() -> String {
    let commit = workspace::output(Command::new("git").args(["rev-parse", "--short", "HEAD"]));
    commit.map_or_else(|_| "no commit".to_owned(), |it| it.trim().to_owned())
}

/// The run that is at work: its command, the sources and the machine.
fn origin(quick: bool) -> Result<String, String> {
    Ok(format!("`cargo xtask {}` at {}, on {}", verb(quick), commit(), page::machine()?))
}

const fn verb(quick: bool) -> &'static str {
    if quick { "prove-quick" } else { "prove" }
}

/// Where the results of a check stay.
fn results(check: &str) -> PathBuf {
    workspace::scratch("prove").join(format!("{check}.tsv"))
}

fn keep(check: &str, text: &str) -> Outcome {
    fs::create_dir_all(workspace::scratch("prove")).map_err(|error| error.to_string())?;
    fs::write(results(check), text).map_err(|error| format!("{check}: {error}"))
}

fn run(quick: bool, options: &[String]) -> Outcome {
    let began = Instant::now();
    let chosen = chosen(options)?;
    let folder = stage("build", Duration::from_secs(200), build)?;
    let program = program_in(&folder);
    keep("verb", verb(quick))?;
    let all = options.iter().any(|it| it == "--all");
    let (mut passed, mut failed) = (0, 0);
    let mut levels = Vec::new();
    let slips = (SLIP, Some(SLIP_BUDGET));
    let budget = |check: &Check| if quick { check.quick } else { Some(check.full) };
    let checks = chosen.iter().map(|check| (check.about, budget(check)));
    for (number, (about, budget)) in [slips].into_iter().chain(checks).enumerate() {
        let Some(budget) = budget else { continue };
        let work = || match number.checked_sub(1) {
            None => Ok(slip(&program)),
            Some(number) if chosen[number].name == TRACE => {
                traces(&folder, chosen[number], quick, all)
            }
            Some(number) => one(&program, chosen[number], quick, &[]),
        };
        // A failed check is counted, not the end of the others.
        let records = match stage(about, Duration::from_secs(budget), work) {
            Ok(Some(text)) => text.lines().map(Record::parse).collect::<Result<Vec<_>, _>>(),
            Ok(None) => continue,
            Err(error) => Err(error),
        };
        let mut figures = Figures::default();
        match records {
            Ok(records) => figures.add(records),
            Err(error) => {
                failed += 1;
                println!("   FAILED {error}");
                continue;
            }
        }
        let bad = figures.records.iter().filter(|it| !it.passed()).count();
        (passed, failed) = (passed + figures.records.len() - bad, failed + bad);
        for record in figures.records.iter().filter(|it| !it.passed()).take(20) {
            println!("   FAILED {record}");
        }
        figures.levels(&mut levels);
        if !figures.records.is_empty() {
            println!("   {}", records::sums(&figures.records));
        } else if !nothing_lacks(&figures) {
            failed += 1;
            println!("   FAILED {about}: nothing was checked");
        }
    }
    let kani = "there are no harnesses yet: its set-up, `cargo kani setup`, downloads from GitHub";
    skip("proofs by Kani", kani);
    if options.iter().any(|it| it == "--write") {
        // What was a part of it is no run of the command that the page names.
        if chosen.len() == CHECKS.len() {
            let ended = if failed == 0 { "ok" } else { "failed" };
            evidence::keep(&format!("cargo xtask {}", verb(quick)), began.elapsed(), ended)?;
        }
        page(&[])?;
    }
    if quick && chosen.len() == CHECKS.len() && options.iter().any(|it| it == "--keep") {
        let verdicts = lacking(&folder)?.line();
        quick_runs::keep(&levels, (passed, failed), began.elapsed(), verdicts)?;
        renew()?;
    }
    println!("== took {:.0} s", began.elapsed().as_secs_f64());
    println!("{passed} passed, {failed} failed");
    if failed == 0 { Ok(()) } else { Err("not everything passed; see the lines FAILED".into()) }
}

/// The prover, and the archives of the library that it is linked with.
pub(crate) fn build() -> Result<PathBuf, String> {
    workspace::release(&["cipherlane-cli", "cipherlane", "cipherlane-lanes", "cipherlane-prove"])
}

fn program_in(folder: &Path) -> PathBuf {
    folder.join(format!("cipherlane-prove{}", std::env::consts::EXE_SUFFIX))
}

/// Whether this is the run of a tracer that had nothing to step through: it tells who claims nothing.
fn nothing_lacks(figures: &Figures) -> bool {
    figures.records.is_empty() && !figures.unclaimed.is_empty()
}

/// Steps through everything; in a quick run that does not ask for all, through what lacks a verdict of
/// its present code.
fn traces(folder: &Path, check: &Check, quick: bool, all: bool) -> Result<Option<String>, String> {
    let program = program_in(folder);
    if all || !quick || !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return one(&program, check, quick, &[]);
    }
    verdicts_of(folder)?;
    let here = lacking(folder)?.here.into_keys();
    let pairs: Vec<String> = here.map(|(name, level)| format!("{name}@{level}")).collect();
    one(&program, check, quick, &["--pairs", &pairs.join(",")])
}

/// What became of the processes that touched a byte beside a buffer; none where there are no
/// guard pages.
fn slip(program: &Path) -> Option<String> {
    let mut text = String::new();
    for slip in SLIPS {
        let status = Command::new(program).args(["slip", slip]).stderr(Stdio::null()).status();
        let code = status.ok()?.code();
        if code == Some(CANNOT) {
            skip(SLIP, "run it on a Unix");
            return None;
        }
        let verdict = if code.is_none() { "ok" } else { "the process lived on" };
        text += &format!("slip\t{slip}\t-\t-\t0\t0\t{verdict}\n");
    }
    keep("slip", &text).ok()?;
    Some(text)
}

/// The records of one check, a line each, which stay in a file too; none where it can't run here.
fn one(
    program: &Path,
    check: &Check,
    quick: bool,
    more: &[&str],
) -> Result<Option<String>, String> {
    // What an earlier run found is not what this one finds.
    let _ = fs::remove_file(results(check.name));
    let mut command = Command::new(if check.watched { Path::new("valgrind") } else { program });
    if check.watched {
        if workspace::output(Command::new("valgrind").arg("--version")).is_err() {
            skip(check.about, check.remedy);
            return Ok(None);
        }
        let log = workspace::scratch("prove").join("valgrind.%p.log");
        command.args(["--quiet", "--error-limit=no", "--trace-children=yes"]);
        command.arg(format!("--log-file={}", log.display())).arg(program);
    }
    command.arg(check.name).args(more);
    if quick {
        command.arg("--quick");
    }
    let output = command.output().map_err(|error| format!("{}: {error}", check.name))?;
    if output.status.code() == Some(CANNOT) {
        let why = String::from_utf8_lossy(&output.stderr);
        let why = why.lines().next().unwrap_or("no reason given").to_owned();
        skip(&format!("{}: {why}", check.about), check.remedy);
        return Ok(None);
    }
    let text = String::from_utf8(output.stdout).map_err(|error| error.to_string())?;
    keep(check.name, &text)?;
    if check.name == TRACE {
        keep(ORIGIN, &origin(quick)?)?;
    }
    let ended = |record: &str| record.ends_with("\tok");
    if !output.status.success() && text.lines().all(ended) {
        let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(format!("ended with {} and no record of why: {why}", output.status));
    }
    Ok(Some(text))
}
