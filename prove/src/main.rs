//! `cipherlane-prove CHECK [--quick] [--share I/N] [--operations sm4/ctr,…] [--pairs sm4@avx2,…]`: one
//! check, its records on standard output, a line each; traces and times of some operations alone, if
//! they are named, and traces of some algorithms at some levels. `cipherlane-prove claims` lists these
//! pairs: who claims constant time, at each level of this CPU, and what a quick run steps through. `cipherlane-prove spread
//! sm4/ctr@avx2 [--processes N] [--calls N] [--leaks N]` is the t of one case, and the nanoseconds between its
//! classes, in one process after the other.
//! `cipherlane-prove soak [--seconds N] [--seed N]` runs everything at random for so long.
//! A debugger that is attached to a process at its steps makes a trace part. Without a share it
//! starts as many processes as there are cores and gathers what they say. Exit status 0 if
//! everything passed, 1 if something did not, 3 if the machine can't run the check; the reason is
//! then on standard error.
#![forbid(unsafe_code)]

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, ExitCode, Stdio};

use cipherlane::Level;
use cipherlane::registry::ALGORITHMS;
use prove::calls::calls;
#[cfg(unix)]
use prove::pages::{Guarded, Slip};
use prove::share::{Share, claims};
use prove::work::{self, Effort, Record};

const USAGE: &str = "usage: cipherlane-prove published | trace | seeded | memcheck | remains | stack | timing | guard | slip NAME | claims | spread CASE | soak [--seconds N] [--seed N] [--quick] [--operations sm4/ctr,…] [--pairs sm4@avx2,…]";
/// What the machine can't run.
const CANNOT: u8 = 3;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(code) => code,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(CANNOT)
        }
    }
}

fn run(arguments: &[String]) -> Result<ExitCode, String> {
    let check = arguments.first().ok_or(USAGE)?;
    // A level's own kernels are what is judged: those of shorter registers that a class of CPU takes in
    // their place are judged at their level. What joins the two in one object, as a key of GHASH whose first
    // powers are of the one and whose others of the other, is for the tests of classes.
    Level::take_cpu_for(false);
    let quick = arguments.iter().any(|it| it == "--quick");
    let effort = if quick { Effort::Quick } else { Effort::Full };
    if check == "slip" {
        return slip(arguments.get(1).map_or("", String::as_str));
    }
    if check == "claims" {
        // What a quick run steps through, for those who hold verdicts against it.
        #[cfg(any(target_os = "linux", target_arch = "wasm32"))]
        let subjects = work::trace::subjects();
        #[cfg(not(any(target_os = "linux", target_arch = "wasm32")))]
        let subjects: Vec<(String, Level)> = Vec::new();
        for algorithm in ALGORITHMS.iter().filter(|it| claims(it)) {
            for level in Level::available() {
                let of = |(name, at): &(String, Level)| {
                    let (of, operation) = name.split_once('/')?;
                    (of == algorithm.name && *at == level).then(|| operation.to_owned())
                };
                let names: Vec<String> = subjects.iter().filter_map(of).collect();
                println!("{}\t{level}\t{}", algorithm.name, names.join(";"));
            }
        }
        return Ok(ExitCode::SUCCESS);
    }
    let after = |name: &str| {
        let place = arguments.iter().position(|it| it == name)?;
        arguments.get(place + 1)
    };
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    if check == "spread" {
        let number = |name: &str, usual: usize| match after(name) {
            None => Ok(usual),
            Some(text) => text.parse().map_err(|_| format!("{name} `{text}`: a whole number")),
        };
        let (leaks, calls) = (number("--leaks", 0)?, number("--calls", 10_000)?);
        let name = arguments.get(1).map_or("", String::as_str);
        let case = prove::spread::Case::named(name, leaks, calls)?;
        match number("--seed", 0)? {
            0 => case.over(number("--processes", 100)?, &mut |line| println!("{line}"))?,
            seed => {
                let (apart, longer) = case.here(seed)?;
                println!("{:.2}\t{longer:.2}\t{:.2}", apart.t, apart.counted);
            }
        }
        return Ok(ExitCode::SUCCESS);
    }
    #[cfg(unix)]
    if let ("soak", Some(share)) = (check.as_str(), after("--share")) {
        let seconds = after("--seconds").map_or(Ok(1200), |text| {
            text.parse().map_err(|_| format!("--seconds `{text}`: a whole number"))
        })?;
        let mut failed = false;
        let seed = after("--seed").map_or(Ok(1), |text| {
            text.parse().map_err(|_| format!("--seed `{text}`: a whole number"))
        });
        // Each process has random bytes of its own.
        let seed = 1000 * seed? + parse(share)?.share as u64;
        prove::soak::run(std::time::Duration::from_secs(seconds), seed, &mut |record| {
            failed |= record.fault.is_some();
            println!("{record}");
        });
        return Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS });
    }
    let names = after("--operations");
    let names = names.map_or(Vec::new(), |it| it.split(',').map(str::to_owned).collect());
    known(check, &names)?;
    let pairs = match after("--pairs") {
        None => None,
        Some(_) if check != "trace" => return Err(format!("{check} takes no --pairs, trace does")),
        Some(pairs) => Some(pairs.split(',').filter(|it| !it.is_empty()).map(pair).collect()),
    };
    let pairs: Option<Vec<(String, String)>> = pairs.transpose()?;
    match after("--share") {
        Some(share) => {
            let again = after("--again").map_or("", String::as_str);
            let numbers = again.split(',').filter(|it| !it.is_empty()).map(|it| it.parse());
            let again = numbers.collect::<Result<Vec<usize>, _>>();
            let again = again.map_err(|_| "--again: numbers of cases, as 3,17".to_owned())?;
            work(check, effort, parse(share)?, &names, pairs.as_deref(), &again)
        }
        None => all(arguments),
    }
}

fn parse(share: &str) -> Result<Share, String> {
    let numbers = share.split_once('/').map(|(share, shares)| (share.parse(), shares.parse()));
    match numbers {
        Some((Ok(share), Ok(shares))) if share < shares => Ok(Share { share, shares }),
        _ => Err(format!("share `{share}`; allowed: I/N with I below N")),
    }
}

/// An algorithm at a level.
fn pair(text: &str) -> Result<(String, String), String> {
    let known = |(algorithm, level): &(&str, &str)| {
        ALGORITHMS.iter().any(|it| it.name == *algorithm && claims(it))
            && Level::available().any(|it| it.name() == *level)
    };
    match text.split_once('@').filter(known) {
        Some((algorithm, level)) => Ok((algorithm.to_owned(), level.to_owned())),
        None => Err(format!("--pairs: `{text}` is none of those that `claims` lists, as sm4@avx2")),
    }
}

/// Operations can be named for traces and times, and must be there.
fn known(check: &str, names: &[String]) -> Result<(), String> {
    if !names.is_empty() && !matches!(check, "trace" | "timing") {
        return Err(format!("{check} takes no --operations, trace and timing do"));
    }
    let calls = calls(claims);
    match names.iter().find(|name| calls.iter().all(|call| call.name() != **name)) {
        Some(name) => Err(format!("{name} is no operation that claims constant time")),
        None => Ok(()),
    }
}

/// Works on a share and tells it. Traces and times can be of some operations alone.
fn work(
    check: &str,
    effort: Effort,
    share: Share,
    operations: &[String],
    pairs: Option<&[(String, String)]>,
    again: &[usize],
) -> Result<ExitCode, String> {
    let mut failed = false;
    let mut out = std::io::stdout().lock();
    let mut tell = |record: Record| {
        failed |= record.fault.is_some();
        // Whoever no longer reads knows what became of us.
        let _ = writeln!(out, "{record}").and_then(|()| out.flush());
    };
    match check {
        #[cfg(any(target_os = "linux", target_arch = "wasm32"))]
        "trace" | "seeded" => {
            prove::step::possible().map_err(|error| error.to_string())?;
            if check == "trace" {
                work::trace::run(effort, share, operations, pairs, &mut tell)?;
            } else {
                work::trace::seeded(share, &mut tell);
            }
        }
        #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
        "remains" => prove::freed_memory::run(share, &mut tell),
        #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
        "stack" => prove::freed_memory::run_stack(share, &mut tell),
        #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
        "timing" if again.is_empty() => {
            let left = prove::timed::run(effort, share, operations, &mut tell);
            failed |= !elsewhere(effort, share, operations, &left)?;
        }
        #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
        "timing" => prove::timed::again(effort, share, operations, again, &mut tell),
        #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
        "memcheck" if !prove::valgrind::is_watched() => {
            return Err("memcheck needs valgrind around this program".into());
        }
        #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
        "memcheck" => prove::memcheck::run(share, &mut tell),
        #[cfg(not(any(target_os = "linux", target_arch = "wasm32")))]
        "trace" | "seeded" => return Err("it needs Linux, or a host that watches".into()),
        #[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
        "memcheck" | "remains" | "stack" | "timing" => {
            let _ = again;
            return Err("it needs Linux on x86-64".into());
        }
        "published" => prove::published::run(effort, share, &mut tell)?,
        #[cfg(unix)]
        "guard" => work::guard(effort, share, &calls(|_| true), &mut tell)
            .map_err(|error| error.to_string())?,
        #[cfg(not(unix))]
        "guard" => return Err("guard pages need a Unix".into()),
        _ => return Err(USAGE.into()),
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// How long what a machine does may last.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
const LATER: std::time::Duration = std::time::Duration::from_secs(30);

/// Measures the times of cases with these numbers once more, later and in another process, which has other
/// pages and another place; whether nothing was found there.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn elsewhere(
    effort: Effort,
    share: Share,
    operations: &[String],
    left: &[usize],
) -> Result<bool, String> {
    if left.is_empty() {
        return Ok(true);
    }
    let mut command = Command::new(std::env::current_exe().map_err(|error| error.to_string())?);
    let numbers: Vec<String> = left.iter().map(usize::to_string).collect();
    let share = format!("{}/{}", share.share, share.shares);
    command.args(["timing", "--share", &share, "--again", &numbers.join(",")]);
    if effort == Effort::Quick {
        command.arg("--quick");
    }
    if !operations.is_empty() {
        command.args(["--operations", &operations.join(",")]);
    }
    std::thread::sleep(LATER);
    // Its records go where ours go.
    command.status().map(|status| status.success()).map_err(|error| error.to_string())
}

/// Starts a process for each core and gathers their records.
fn all(arguments: &[String]) -> Result<ExitCode, String> {
    let shares = std::thread::available_parallelism().map_or(1, usize::from);
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let start = |share| {
        let mut command = Command::new(&program);
        command.args(arguments).args(["--share", &format!("{share}/{shares}")]);
        command.stdout(Stdio::piped()).spawn().map_err(|error| error.to_string())
    };
    let children = (0..shares).map(start).collect::<Result<Vec<_>, _>>()?;
    let gathered: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            children.into_iter().map(|child| scope.spawn(|| gather(child))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or((None, Some(1)))).collect()
    });
    let mut code = ExitCode::SUCCESS;
    for (begun, status) in gathered {
        match status {
            Some(0) => {}
            Some(status) if status == i32::from(CANNOT) => return Ok(ExitCode::from(CANNOT)),
            Some(_) => code = ExitCode::FAILURE,
            None => {
                // Killed, say by a byte touched beside a buffer.
                let record = begun.unwrap_or_else(|| "crash\t?\t?\t?\t0\t0".into());
                let fields: Vec<&str> = record.split('\t').take(6).collect();
                println!("{}\tthe process was killed", fields.join("\t").replace("begin", "guard"));
                code = ExitCode::FAILURE;
            }
        }
    }
    Ok(code)
}

/// Passes on what a child says; returns what it had begun last, and its exit status if it had
/// one.
fn gather(mut child: std::process::Child) -> (Option<String>, Option<i32>) {
    let mut begun = None;
    if let Some(out) = child.stdout.take() {
        for line in BufReader::new(out).lines().map_while(Result::ok) {
            if line.starts_with("begin\t") {
                begun = Some(line);
            } else {
                println!("{line}");
            }
        }
    }
    (begun, child.wait().ok().and_then(|status| status.code()))
}

#[cfg(not(unix))]
fn slip(_: &str) -> Result<ExitCode, String> {
    Err("guard pages need a Unix".into())
}

/// Touches a byte beside a guarded buffer, which must end this process.
#[cfg(unix)]
fn slip(name: &str) -> Result<ExitCode, String> {
    let slip = Slip::ALL.into_iter().find(|slip| format!("{slip:?}") == name);
    let slip = slip.ok_or_else(|| format!("slip `{name}`; allowed: {:?}", Slip::ALL))?;
    let mut buffer = Guarded::new().map_err(|error| error.to_string())?;
    slip.slip(&mut buffer, 100);
    Ok(ExitCode::SUCCESS)
}
