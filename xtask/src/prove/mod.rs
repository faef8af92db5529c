//! `cargo xtask prove-quick` and `cargo xtask prove`: the evidence, run on this machine.

mod page;
mod records;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use records::{Figures, Record};

use crate::stage::{skip, stage};
use crate::{Outcome, workspace};

/// One check of the program `cipherlane-prove`, and its budgets in seconds.
struct Check {
    name: &'static str,
    about: &'static str,
    quick: u64,
    full: u64,
    /// What would let it run where it can't.
    remedy: &'static str,
    /// Whether valgrind must be around it.
    watched: bool,
}

const CHECKS: [Check; 4] = [
    Check {
        name: "seeded",
        about: "seeded leaks are found",
        quick: 20,
        full: 20,
        remedy: "run it on Linux on x86-64, outside of emulators that have no trap flag",
        watched: false,
    },
    Check {
        name: "trace",
        about: "the same way for every secret",
        quick: 150,
        full: 4 * 3600,
        remedy: "run it on Linux on x86-64, outside of emulators that have no trap flag",
        watched: false,
    },
    Check {
        name: "memcheck",
        about: "no decision on a secret, by valgrind",
        quick: 60,
        full: 60,
        remedy: "apt-get install valgrind, on Linux on x86-64",
        watched: true,
    },
    Check {
        name: "guard",
        about: "no byte beside a buffer",
        quick: 40,
        full: 300,
        remedy: "run it on a Unix",
        watched: false,
    },
];

/// Accesses beside a buffer that must end the process.
const SLIPS: [&str; 4] = ["ReadBefore", "ReadBehind", "WriteBefore", "WriteBehind"];

/// What `cipherlane-prove` returns where the machine can't run a check.
const CANNOT: i32 = 3;

pub(crate) fn quick(options: &[String]) -> Outcome {
    run(true, options)
}

pub(crate) fn full(options: &[String]) -> Outcome {
    run(false, options)
}

fn run(quick: bool, options: &[String]) -> Outcome {
    let began = Instant::now();
    let program = stage("build", Duration::from_secs(200), build)?;
    let (mut passed, mut failed) = (0, 0);
    let mut figures = Figures::default();
    let slips = stage("slips beside a buffer end the process", Duration::from_secs(5), || {
        Ok(SLIPS.map(|slip| ends(&program, slip)))
    })?;
    for (slip, ends) in SLIPS.iter().zip(slips) {
        match ends {
            None => println!("   {slip}: not tried here"),
            Some(true) => passed += 1,
            Some(false) => {
                failed += 1;
                println!("   FAILED {slip}: the process lived on");
            }
        }
    }
    figures.slips = slips.iter().filter(|it| **it == Some(true)).count();
    for check in &CHECKS {
        let budget = Duration::from_secs(if quick { check.quick } else { check.full });
        // A failed check is counted, not the end of the others.
        let mut records = match stage(check.about, budget, || one(&program, check, quick)) {
            Ok(Some(records)) => records,
            Ok(None) => continue,
            Err(error) => {
                failed += 1;
                println!("   FAILED {error}");
                continue;
            }
        };
        figures.unclaimed.extend(records.extract_if(.., |it| it.check == "unclaimed"));
        let bad = records.iter().filter(|it| !it.passed()).count();
        (passed, failed) = (passed + records.len() - bad, failed + bad);
        for record in records.iter().filter(|it| !it.passed()).take(20) {
            println!("   FAILED {record}");
        }
        println!("   {}", records::sums(&records));
        if records.is_empty() {
            failed += 1;
            println!("   FAILED {}: nothing was checked", check.name);
        }
        figures.records.extend(records);
    }
    if options.iter().any(|it| it == "--write") {
        let verb = if quick { "prove-quick" } else { "prove" };
        let text = page::render(&figures, verb, &page::machine()?)?;
        fs::write(workspace::root().join(page::PLACE), text).map_err(|error| error.to_string())?;
        println!("   {} is written", page::PLACE);
    }
    println!("== took {:.0} s", began.elapsed().as_secs_f64());
    println!("{passed} passed, {failed} failed");
    if failed == 0 { Ok(()) } else { Err("not everything passed; see the lines FAILED".into()) }
}

fn build() -> Result<PathBuf, String> {
    workspace::run(&mut workspace::cargo(&["build", "--release", "-p", "cipherlane-prove"]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| workspace::root().join("target"));
    Ok(target.join("release").join(format!("cipherlane-prove{}", std::env::consts::EXE_SUFFIX)))
}

/// Whether a slip ends the process by a signal; none where there are no guard pages.
fn ends(program: &Path, slip: &str) -> Option<bool> {
    let status = Command::new(program).args(["slip", slip]).stderr(Stdio::null()).status();
    let code = status.ok()?.code();
    (code != Some(CANNOT)).then_some(code.is_none())
}

/// The records of one check, which stay in a file too; none where it can't run here.
fn one(program: &Path, check: &Check, quick: bool) -> Result<Option<Vec<Record>>, String> {
    let folder = workspace::scratch("prove");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let mut command = Command::new(if check.watched { Path::new("valgrind") } else { program });
    if check.watched {
        if workspace::output(Command::new("valgrind").arg("--version")).is_err() {
            skip(check.about, check.remedy);
            return Ok(None);
        }
        let log = folder.join("valgrind.%p.log");
        command.args(["--quiet", "--error-limit=no", "--trace-children=yes"]);
        command.arg(format!("--log-file={}", log.display())).arg(program);
    }
    command.arg(check.name);
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
    fs::write(folder.join(format!("{}.tsv", check.name)), &text)
        .map_err(|error| error.to_string())?;
    let records = text.lines().map(Record::parse).collect::<Result<Vec<_>, _>>()?;
    if !output.status.success() && records.iter().all(Record::passed) {
        let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(format!("ended with {} and no record of why: {why}", output.status));
    }
    Ok(Some(records))
}
